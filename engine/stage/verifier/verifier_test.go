package verifier_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/stage/verifier"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

func payload(t *testing.T, in verifier.Input) (string, map[string]json.RawMessage) {
	t.Helper()
	p, err := verifier.NewPayload(in)
	require.NoError(t, err)
	raw, err := p.Encode()
	require.NoError(t, err)
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &fields))
	return string(raw), fields
}

func TestPayloadKeepsTheBytes(t *testing.T) {
	message := `{ "answer_version":"executor_evidence_v2", "claims":[{"claim_id":"c1","claim_type":"symptom","claim_text":"a<b & \"中\"","support_level":"direct","evidence_bindings":[]}],"hypotheses":[],"recommended_actions":[],"missing_info":[],"n":1.50}`
	in := verifier.Input{Query: "为什么 <b> & \u2028？", Message: message, Parsed: contract.Parse([]byte(message)),
		Traces: []trace.Trace{{Ref: "trace-1", ToolName: "query_logs", Status: trace.OK, Output: []byte("level=error a<b\n")}}}
	require.Equal(t, contract.StatusOK, in.Parsed.Status, in.Parsed.Reason)
	raw, fields := payload(t, in)
	assert.Len(t, fields, 6)
	assert.NotContains(t, raw, `\u003c`, "no HTML escapes: the Verifier reads what the tool wrote")
	assert.Equal(t, strings.ReplaceAll(strings.ReplaceAll(message, `{ "`, `{"`), `, "`, `,"`), string(fields["executor_structured_output"]), "the very bytes, white space aside")
	var answer string
	require.NoError(t, json.Unmarshal(fields["executor_final_answer"], &answer))
	assert.Equal(t, message, answer)
	assert.Equal(t, "null", string(fields["retry_context"]))
	assert.Equal(t, `"ok"`, string(fields["executor_output_parse_status"]))
	assert.Contains(t, string(fields["tool_trace_summary"]), `level=error a<b\n`)
}

// TestPayloadWithholdsReasoningInStrings: valid JSON is read as it is, and shown without it.
func TestPayloadWithholdsReasoningInStrings(t *testing.T) {
	message := `{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"c","claim_type":"symptom","claim_text":"超时<think>CANARY</think>","support_level":"direct","evidence_bindings":[]}],"hypotheses":[],"recommended_actions":[],"missing_info":["\u003cthink\u003eCANARY"]}`
	parsed := contract.Parse([]byte(message))
	assert.Equal(t, contract.StatusOK, parsed.Status)
	p, err := verifier.NewPayload(verifier.Input{Message: message, Parsed: parsed})
	require.NoError(t, err)
	raw, err := p.Encode()
	require.NoError(t, err)
	assert.NotContains(t, string(raw), "CANARY")
	assert.Contains(t, string(raw), `"claim_text":"超时"`)
	assert.True(t, json.Valid(p.StructuredOutput))
}

func TestPayloadWithoutStructure(t *testing.T) {
	in := verifier.Input{Query: "q", Message: "<think>藏</think>连接池满了", Parsed: contract.Parse([]byte("<think>藏</think>连接池满了")),
		Retry: &verdict.RetryContext{Attempt: 2}}
	raw, fields := payload(t, in)
	assert.Equal(t, "null", string(fields["executor_structured_output"]))
	assert.Equal(t, `"连接池满了"`, string(fields["executor_final_answer"]))
	assert.Equal(t, "[]", string(fields["tool_trace_summary"]))
	assert.Contains(t, string(fields["retry_context"]), `"attempt":2`)
	assert.NotContains(t, raw, "藏")
}

func TestPayloadOfARepairedOutput(t *testing.T) {
	message := "```json\n{\"answer_version\":\"executor_evidence_v2\",\"claims\":[],\"hypotheses\":[],\"recommended_actions\":[],\"missing_info\":[]}\n```"
	_, fields := payload(t, verifier.Input{Query: "q", Message: message, Parsed: contract.Parse([]byte(message))})
	assert.JSONEq(t, `{"answer_version":"executor_evidence_v2","claims":[],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`, string(fields["executor_structured_output"]))
}

func TestRequestIsThePromptAndThePayload(t *testing.T) {
	req, err := verifier.Request(prompts.Embedded(), json.RawMessage(`{"a":1}`), model.Params{Model: "m"}, 2)
	require.NoError(t, err)
	require.Len(t, req.Messages, 2)
	assert.Equal(t, `{"a":1}`, req.Messages[1].Content)
	assert.Empty(t, req.Tools)
	assert.Equal(t, 2, req.Attempt)

	m := modeltest.New().On("verifier", modeltest.Text("不知道"))
	r, err := verifier.Run(context.Background(), m, req, nil, false)
	require.NoError(t, err)
	assert.NotEmpty(t, r.Err, "what cannot be read is told by the result")
	_, err = verifier.Run(context.Background(), m, req, nil, false)
	var fault *model.Fault
	require.ErrorAs(t, err, &fault)
}
