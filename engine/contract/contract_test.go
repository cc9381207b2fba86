package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
)

const sample = `{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"c1","claim_type":"symptom","claim_text":"订单服务在 10:02 返回 503。","support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":"trace-1","tool_name":"query_logs","source_invocation_ids":[7],"evidence_excerpt":"status=503 path=/orders"}],"note":{"x":1.50}}],"hypotheses":[],"recommended_actions":[],"missing_info":["网关日志"],"zeta":[1e400]}`

func TestMarshalKeepsEverything(t *testing.T) {
	var k contract.Contract
	require.NoError(t, json.Unmarshal([]byte(sample), &k))
	out, err := k.MarshalJSON()
	require.NoError(t, err)
	assert.Equal(t, sample, string(out))
}

// TestMarshalByVersion: fields that version 2 removed are written there only when
// they hold something; arrays are never null.
func TestMarshalByVersion(t *testing.T) {
	write := func(k contract.Contract) string {
		out, err := json.Marshal(k)
		require.NoError(t, err)
		return string(out)
	}
	assert.Equal(t, `{"answer_version":"executor_evidence_v1","diagnosis_summary":"","claims":[],"hypotheses":[],"recommended_actions":[],"missing_info":[],"user_facing_answer":null}`,
		write(contract.Contract{AnswerVersion: contract.V1}))
	assert.Equal(t, `{"answer_version":"executor_evidence_v2","claims":[],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`,
		write(contract.Contract{AnswerVersion: contract.V2}))
	assert.Equal(t, `{"answer_version":"executor_evidence_v2","diagnosis_summary":"s","claims":[],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`,
		write(contract.Contract{AnswerVersion: contract.V2, DiagnosisSummary: "s"}))
}

// TestMarshalWrongTypes: what could not be read is written back as it was.
func TestMarshalWrongTypes(t *testing.T) {
	in := `{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"c1","claim_type":"symptom","claim_text":{"zh":"甲"},"support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":"trace-1","tool_name":null,"source_invocation_ids":[1,123456789012345678901234567890],"evidence_excerpt":"e"}]}],"hypotheses":7,"recommended_actions":[],"missing_info":[]}`
	p := contract.Parse([]byte(in))
	require.NotNil(t, p.Contract)
	assert.Equal(t, []int64{1}, p.Contract.Claims[0].EvidenceBindings[0].SourceInvocationIDs)
	out, err := json.Marshal(p.Contract)
	require.NoError(t, err)
	assert.Equal(t, in, string(out))
}

func TestUnmarshalErrors(t *testing.T) {
	var k contract.Contract
	assert.ErrorIs(t, k.UnmarshalJSON([]byte(`[1]`)), contract.ErrNotObject)
	assert.ErrorIs(t, k.UnmarshalJSON([]byte(`{"a":}`)), contract.ErrSyntax)
	assert.ErrorIs(t, k.UnmarshalJSON([]byte("{\"a\":\"\xff\"}")), contract.ErrEncoding)
	var b contract.Binding
	assert.ErrorIs(t, b.UnmarshalJSON([]byte(`"x"`)), contract.ErrNotObject)
}

func TestParsePositions(t *testing.T) {
	message := "前言\n```json\n" + sample + "\n```\n"
	p := contract.Parse([]byte(message))
	require.Equal(t, contract.StatusRepaired, p.Status)
	n := p.Root.At("/claims/0/evidence_bindings/0/evidence_excerpt")
	require.NotNil(t, n)
	assert.Equal(t, `"status=503 path=/orders"`, message[n.Span.Start:n.Span.End])
	assert.Equal(t, `"evidence_excerpt"`, message[n.KeySpan.Start:n.KeySpan.End])
}

// TestAtFollowsTheContract: pointers go into the contract as it was understood,
// spans into the message as it came.
func TestAtFollowsTheContract(t *testing.T) {
	at := func(message, pointer string) string {
		p := contract.Parse([]byte(message))
		require.NotNil(t, p.Root, p.Reason)
		n := p.Root.At(pointer)
		require.NotNil(t, n, pointer)
		return message[n.Span.Start:n.Span.End]
	}
	claim := `{"claimId":"c1","claimText":"甲","supportLevel":"direct","evidenceBindings":{"sourceId":"trace-4","evidenceExcerpt":"e1"}}`
	assert.Equal(t, `"e1"`, at(`{"result":{"answerVersion":"executor_evidence_v2","claims":[`+claim+`]}}`, "/claims/0/evidence_bindings/0/evidence_excerpt"))
	assert.Equal(t, `"甲"`, at(`[{"answer_version":"executor_evidence_v2","Claims":`+claim+`}]`, "/claims/0/claim_text"))
	keyed := `{"answer_version":"executor_evidence_v2","claims":{"k1":{"claim_text":"甲"},"k2":{"claim_text":"乙"}}}`
	assert.Equal(t, `"乙"`, at(keyed, "/claims/1/claim_text"))
	assert.Equal(t, `"k2"`, at(keyed, "/claims/1/claim_id"))
	call := `{"name":"submit","arguments":"{\"claims\":[{\"claim_id\":\"c1\",\"claim_text\":\"说\\\"甲\\\"\"}]}"}`
	assert.Equal(t, `\"说\\\"甲\\\"\"`, at(call, "/claims/0/claim_text"))
	assert.Equal(t, `[7]`, at(`{"claims":[{"claim_text":"x","evidence_bindings":[{"a~b":[7]}]}]}`, "/claims/0/evidence_bindings/0/a~0b"))
	assert.Nil(t, contract.Parse([]byte(keyed)).Root.At("/claims/2"))
	assert.Nil(t, contract.Parse([]byte(keyed)).Root.At("claims"))
}

// TestCutValuesAreGone: the canonical tree has only what was complete; the raw
// one shows the rest.
func TestCutValuesAreGone(t *testing.T) {
	p := contract.Parse([]byte(sample[:strings.Index(sample, `,"hypotheses"`)-1] + `,{"claim_id":"c2","claim_text":"未完`))
	require.Equal(t, contract.StatusTruncated, p.Status)
	assert.Nil(t, p.Root.At("/claims/1"))
	cut := p.Raw.At("/claims/1/claim_text")
	require.NotNil(t, cut)
	assert.True(t, cut.Cut())
	assert.Equal(t, "未完", cut.Text)
}

func TestFinalAnswer(t *testing.T) {
	inText := sample[:strings.Index(sample, "返回")]
	for _, tt := range []struct{ message, answer string }{
		{"答案", "答案"},
		{"<think>甲</think>答案", "答案"},
		{"前<think>甲</think>中<THINK>乙</THINK>后", "前中后"},
		{"前<think>甲", "前"},
		{"甲</think>答案", "答案"},
		{"答案</think>\n", "答案</think>\n"},
		{`{"claims":[{"claim_text":"<think>x</think>"}]}`, `{"claims":[{"claim_text":"<think>x</think>"}]}`},
		{"<think>{\"claims\":[]}</think>\n" + sample, "\n" + sample},
		{"<|channel|>analysis<|message|>甲<|end|><|channel|>final<|message|>答案", "<|end|><|channel|>final<|message|>答案"},
		{sample[:150] + "<think>在名字或文本之后", sample[:150]},
		{inText + "<think>在未完的文本之后", inText},
		{inText + "<think>之后</think>" + sample, sample},
		{"", ""},
	} {
		answer, reasoning := contract.FinalAnswer([]byte(tt.message))
		assert.Equal(t, tt.answer, string(answer), tt.message)
		assert.Equal(t, len(tt.answer) < len(tt.message), len(reasoning) > 0, tt.message)
	}
}

// TestLimits: beyond a limit the message is refused with a reason in both
// languages, and at it the message is read.
func TestLimits(t *testing.T) {
	claims := func(n int) string {
		one := `{"claim_id":"c%d","claim_type":"x","claim_text":"t","support_level":"direct","evidence_bindings":[]}`
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(one, i)
		}
		return `{"answer_version":"executor_evidence_v2","claims":[` + strings.Join(all, ",") + `],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`
	}
	bindings := func(n int) string {
		return strings.Replace(claims(1), `"evidence_bindings":[]`, `"evidence_bindings":[`+strings.TrimSuffix(strings.Repeat(`{"source_type":"t","source_id":"trace-1","evidence_excerpt":"e"},`, n), ",")+`]`, 1)
	}
	nested := func(n int) string {
		return strings.TrimSuffix(claims(1), "}") + `,"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	sized := func(n int) string {
		head := strings.TrimSuffix(claims(1), "}") + `,"x":"`
		return head + strings.Repeat("x", n-len(head)-2) + `"}`
	}
	for name, tt := range map[string]struct{ within, beyond, says string }{
		"bytes":    {sized(contract.MaxBytes), sized(contract.MaxBytes + 1), "larger than 5 MiB"},
		"depth":    {nested(contract.MaxDepth - 1), nested(contract.MaxDepth), "deeper than 200"},
		"claims":   {claims(contract.MaxClaims), claims(contract.MaxClaims + 1), "more than 1000 claims"},
		"bindings": {bindings(contract.MaxBindings), bindings(contract.MaxBindings + 1), "more than 100 bindings"},
	} {
		assert.Equal(t, contract.StatusOK, contract.Parse([]byte(tt.within)).Status, name)
		p := contract.Parse([]byte(tt.beyond))
		assert.Equal(t, contract.StatusInvalid, p.Status, name)
		assert.Contains(t, p.Reason, tt.says, name)
		assert.NotEmpty(t, p.ReasonZH, name)
		assert.Nil(t, p.Contract, name)
		require.Len(t, p.Issues, 1, name)
		assert.Equal(t, "S001", p.Issues[0].Code, name)
	}
	// The same limits hold for text that needs repair.
	assert.Contains(t, contract.Parse([]byte(strings.TrimSuffix(nested(contract.MaxDepth), "}")+",}")).Reason, "deeper than 200")
}

// TestRepairedMarks: a repair marks the claim or the binding whose text it
// touched, and no other.
func TestRepairedMarks(t *testing.T) {
	message := strings.Replace(sample, "status=503 path=/orders", `status="503" path`, 1)
	p := contract.Parse([]byte(message))
	require.Equal(t, contract.StatusRepaired, p.Status)
	assert.False(t, p.Contract.Claims[0].Repaired)
	assert.True(t, p.Contract.Claims[0].EvidenceBindings[0].Repaired)
	assert.Equal(t, `status="503" path`, p.Contract.Claims[0].EvidenceBindings[0].EvidenceExcerpt)

	p = contract.Parse([]byte(strings.ReplaceAll(sample, `"`, "'")))
	require.Equal(t, contract.StatusRepaired, p.Status)
	assert.False(t, p.Contract.Claims[0].Repaired, "other delimiters leave the text as it was")
}

func TestParseLoose(t *testing.T) {
	keys := []string{"claim_checks", "claim_id", "verdict", "reason", "decision", "summary"}
	read := func(text string) contract.Loose {
		l, err := contract.ParseLoose([]byte(text), keys...)
		require.NoError(t, err, text)
		return l
	}
	l := read("<think>{\"decision\":\"RETRY\"}</think>结果：\n```json\n{\"claim_checks\":[{\"claim_id\":\"c1\",\"verdict\":\"supported\",\"reason\":\"原文\"一致\"\",},],\"decision\":\"PASS\"}\n```")
	assert.Equal(t, contract.StepRepaired, l.Step)
	assert.Len(t, l.Reasoning, 1)
	decision, ok := l.Root.At("/decision").Str()
	assert.True(t, ok)
	assert.Equal(t, "PASS", decision)
	assert.Equal(t, `原文"一致"`, l.Root.At("/claim_checks/0/reason").Text)

	l = read(`{"claim_checks":[{"claim_id":"c1","verdict":"supported"},{"claim_id":"c2","verd`)
	assert.True(t, l.Truncated)
	assert.Len(t, l.Root.Get("claim_checks").Items, 1)

	l = read(`{"result":{"decision":"PASS","claim_checks":[]}}`)
	assert.NotNil(t, l.Root.Get("decision"), "wrappers come off")

	l = read(`例如 {"reason":"x"}：{"decision":"PASS","summary":"s"} 完`)
	assert.NotNil(t, l.Root.Get("summary"), "most keys win")

	_, ok = l.Root.Get("none").Str()
	assert.False(t, ok)

	for text, want := range map[string]error{"": contract.ErrEmpty, "好的": contract.ErrSyntax, "\xff{}": contract.ErrEncoding, strings.Repeat("[", 300): contract.ErrTooDeep} {
		_, err := contract.ParseLoose([]byte(text), keys...)
		assert.ErrorIs(t, err, want, text)
	}
}
