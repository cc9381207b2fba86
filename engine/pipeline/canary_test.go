package pipeline_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/enginetest"
	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
)

// Spec P7: what is hidden from the Verifier never reaches it, in both attempts and
// however the Executor wraps its reasoning.
func TestCanariesNeverReachTheVerifier(t *testing.T) {
	const output = `{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"claim-1","claim_type":"symptom","claim_text":"连接池已满。","support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":"trace-1","tool_name":"query_logs","source_invocation_ids":[101],"evidence_excerpt":"active=20 max=20"}]}],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`
	wraps := map[string]string{
		"before":         "<think>CANARY %d</think>" + output,
		"after":          output + "\n<think>CANARY %d</think>",
		"unclosed":       output + "\n<think>CANARY %d",
		"inside a fence": "```json\n<think>CANARY %d</think>\n" + output + "\n```",
		"with a draft":   "<think>CANARY %d {\"answer_version\":\"executor_evidence_v2\",\"claims\":[{\"claim_text\":\"CANARY\"}]}</think>\n" + output,
		"twice":          "<think>CANARY %d</think>好的<think>CANARY</think>" + output,
		"no JSON at all": "<think>CANARY %d</think>连接池已满。",
		"only reasoning": "<think>CANARY %d",
	}
	for name, wrap := range wraps {
		t.Run(name, func(t *testing.T) {
			s, err := enginetest.Parse(name, "query 为什么？\ntool query_logs ok observation\n| active=20 max=20\nexpect decision PASS\n")
			require.NoError(t, err)
			cfg, log, _ := s.Config()
			cfg.Policy.Retries = 1
			var n int
			canary := func() string { n++; return fmt.Sprintf("CANARY plan %d", n) }
			call := modeltest.Reply{Content: "中间消息 " + canary() + "<think>CANARY</think>", Reasoning: canary(),
				Calls: []model.ToolCall{{Name: "query_logs", Arguments: "{}"}}}
			final := func() modeltest.Reply {
				return modeltest.Reply{Content: fmt.Sprintf(wrap, n), Reasoning: canary()}
			}
			script := []modeltest.Reply{call, final(), call, final()}
			if name == "only reasoning" { // which is asked for once more
				script = []modeltest.Reply{call, final(), final(), call, final(), final()}
			}
			m := modeltest.New().
				On("planner", modeltest.Reply{Content: canary(), Reasoning: canary()}).
				On("executor", script...).
				On("verifier", modeltest.Text(`{"claim_checks":[],"decision":"RETRY"}`), modeltest.Text(`{"claim_checks":[],"decision":"RETRY"}`))
			cfg.Model = m
			begin(t, cfg).Wait()
			require.Len(t, m.To("verifier"), 2)
			for _, req := range m.To("verifier") {
				raw, err := json.Marshal(req)
				require.NoError(t, err)
				assert.NotContains(t, string(raw), "CANARY")
				assert.Empty(t, req.Tools)
				require.Len(t, req.Messages, 2, "the prompt and the payload")
				assertSixFields(t, req.Messages[1].Content)
			}
			recorded, payloads := "", 0
			for _, e := range log.Events() {
				if p, ok := e.Body.(event.VerifierPayload); ok {
					assert.Equal(t, m.To("verifier")[payloads].Messages[1].Content, string(p.Payload), "recorded byte for byte")
					payloads++
				}
				if r, ok := e.Body.(event.ModelResponse); ok {
					recorded += r.Response.Message.Content + r.Response.Message.Reasoning
				}
			}
			assert.Equal(t, 2, payloads)
			assert.GreaterOrEqual(t, strings.Count(recorded, "CANARY"), 8, "hidden is not lost: the log has it all")
		})
	}
}

func assertSixFields(t *testing.T, payload string) {
	t.Helper()
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(payload), &fields))
	var names []string
	for k := range fields {
		names = append(names, k)
	}
	assert.ElementsMatch(t, []string{"original_query", "executor_final_answer", "tool_trace_summary", "retry_context",
		"executor_structured_output", "executor_output_parse_status"}, names)
}
