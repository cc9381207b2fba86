package contract_test

import (
	"encoding/json"
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

func TestParsePositions(t *testing.T) {
	message := "前言\n```json\n" + sample + "\n```\n"
	p := contract.Parse([]byte(message))
	require.Equal(t, contract.StatusRepaired, p.Status)
	require.NotNil(t, p.Contract)
	n := p.Root.At("/claims/0/evidence_bindings/0/evidence_excerpt")
	require.NotNil(t, n)
	assert.Equal(t, `"status=503 path=/orders"`, message[n.Span.Start:n.Span.End])
	assert.Equal(t, []int64{7}, p.Contract.Claims[0].EvidenceBindings[0].SourceInvocationIDs)
}
