package pipeline_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/enginetest"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/verdict"
)

// TestEveryCauseIsReachable: each cause of spec P10 comes out of a run of its own, and
// points at what it concerns (cancelled: TestCancel).
func TestEveryCauseIsReachable(t *testing.T) {
	const (
		tools = "query 支付为什么失败？\ntool query_logs ok observation\n| 09:58:12 ERROR svc=order pod=order-7c9d acquire timeout waited=5000ms active=20\n| 09:58:13 INFO svc=order health check passed, no restart\ntool lookup_knowledge ok knowledge kb-1\n| 慢查询会占满连接池。\nexpect decision LOW_CONFID\n"
		fine  = `{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"c1","claim_type":"symptom","claim_text":"order 服务获取连接超时，等待 5000ms。","support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":"trace-1","tool_name":"query_logs","source_invocation_ids":[101],"evidence_excerpt":"acquire timeout waited=5000ms active=20"}]}],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`
		yes   = `{"claim_checks":[{"claim_id":"c1","verdict":"supported"}],"extra_facts":[],"decision":"PASS"}`
	)
	swap := func(old, now string) string { return strings.Replace(fine, old, now, 1) }
	tests := []struct {
		cause            verdict.Cause
		pointer          string
		output, verifier string
	}{
		{verdict.MalformedOutput, "", "支付失败了。", `{"claim_checks":[{"claim_id":"nl-1","claim_text":"支付失败了","verdict":"supported"}],"decision":"PASS"}`},
		{verdict.SchemaViolation, "/claims/0/claim_text", swap(`"claim_text":"order 服务获取连接超时，等待 5000ms。",`, ""), yes},
		{verdict.MissingRef, "/claims/0/evidence_bindings/0/source_id", swap("trace-1", "trace-7"), yes},
		{verdict.ToolMismatch, "/claims/0/evidence_bindings/0/tool_name", swap("query_logs", "query_metrics"), yes},
		{verdict.ToolMismatch, "/claims/0/evidence_bindings/0/source_invocation_ids/0", swap("[101]", "[109]"), yes},
		{verdict.ExcerptAbsent, "/claims/0/evidence_bindings/0/evidence_excerpt", swap("acquire timeout waited=5000ms active=20", "deadlock found when trying to get lock, transaction rolled back"), yes},
		{verdict.FactNotInEvidence, "/claims/0/claim_text", swap("等待 5000ms", "等待 7350ms"), yes},
		{verdict.CauseContradicted, "/claims/0", fine, `{"claim_checks":[{"claim_id":"c1","verdict":"contradicted"}],"decision":"RETRY"}`},
		{verdict.KnowledgeAsFact, "/claims/0/evidence_bindings/0", strings.NewReplacer("order 服务获取连接超时，等待 5000ms。", "慢查询占满了连接池。", "trace-1", "trace-2", `"query_logs","source_invocation_ids":[101]`, `"lookup_knowledge","source_invocation_ids":[102]`, "acquire timeout waited=5000ms active=20", "慢查询会占满连接池。").Replace(fine), yes},
		{verdict.UnsupportedClaim, "/claims/0", fine, `{"claim_checks":[{"claim_id":"c1","verdict":"insufficient"}],"decision":"RETRY"}`},
		{verdict.UnsupportedClaim, "/claims/0/support_level", swap(`"direct"`, `"none"`), yes},
		{verdict.CauseExtraFact, "", fine, `{"claim_checks":[{"claim_id":"c1","verdict":"supported"}],"extra_facts":[{"text":"数据库重启了","verdict":"unsupported"}],"decision":"RETRY"}`},
		{verdict.NoConfirmedClaims, "", `{"answer_version":"executor_evidence_v2","claims":[],"hypotheses":[],"recommended_actions":[],"missing_info":["没有日志"]}`, `{"claim_checks":[],"decision":"PASS"}`},
		{verdict.VerifierIncomplete, "/claims/0", fine, `{"claim_checks":[],"decision":"PASS"}`},
		{verdict.VerifierError, "", fine, "我看不懂"},
		{verdict.StageError, "", "", yes},
	}
	for _, test := range tests {
		t.Run(string(test.cause)+" "+test.pointer, func(t *testing.T) {
			s, err := enginetest.Parse("cause", tools)
			require.NoError(t, err)
			cfg, _, _ := s.Config()
			cfg.Policy.Retries = 0
			m := modeltest.New().On("planner", modeltest.Text("1. 看日志")).
				On("verifier", modeltest.Text(test.verifier), modeltest.Text(test.verifier))
			if test.output != "" { // else the Executor has no reply, which is a fault
				m.On("executor", modeltest.Reply{Calls: both()}, modeltest.Text(test.output))
			}
			cfg.Model = m
			out := begin(t, cfg).Wait()
			require.NoError(t, out.Err)
			require.Equal(t, verdict.LowConfid, out.Evaluation.Decision)
			for _, c := range out.Evaluation.Causes {
				assert.NotEmpty(t, c.Message)
				assert.NotEmpty(t, c.MessageZH)
				if c.Cause == test.cause && c.Pointer == test.pointer {
					return
				}
			}
			t.Errorf("%+v", out.Evaluation.Causes)
		})
	}
}

func both() []model.ToolCall {
	return []model.ToolCall{{ID: "a", Name: "query_logs", Arguments: "{}"}, {ID: "b", Name: "lookup_knowledge", Arguments: "{}"}}
}
