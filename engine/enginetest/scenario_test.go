package enginetest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/enginetest"
)

// Text is a run that ends PASS at the first try.
const text = `# a comment
query 为什么超时？
policy retries=0

tool query_logs ok observation
| pool active=20 max=20
planner tokens=8
| 查日志
executor
reasoning 想一想
call query_logs {"service":"order"}
executor
| {"answer_version":"executor_evidence_v2","claims":[{"claim_id":"claim-1","claim_type":"symptom","claim_text":"连接池已满：active=20。","support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":"trace-1","tool_name":"query_logs","source_invocation_ids":[101],"evidence_excerpt":"pool active=20 max=20"}]}],
| "hypotheses":[],"recommended_actions":[],"missing_info":[]}
verifier
| {"claim_checks":[{"claim_id":"claim-1","verdict":"supported"}],"decision":"PASS"}
`

func failures(t *testing.T, script string) []string {
	t.Helper()
	s, err := enginetest.Parse("x.scenario", script)
	require.NoError(t, err)
	r, err := s.Run(context.Background())
	require.NoError(t, err)
	return r.Check()
}

// The test of the tester: what holds passes, and what does not is told with its line.
func TestExpectations(t *testing.T) {
	// The expectation stands in line 17.
	for _, tt := range []struct{ holds, fails string }{
		{"decision PASS", "decision LOW_CONFID"},
		{"end finished", "end failed"},
		{"attempt 1", "attempt 2"},
		{"parse ok", "parse repaired"},
		{"causes none", "cause missing_ref"},
		{"claim claim-1 supported", "claim claim-1 unsupported"},
		{"claim claim-1 supported", "claim claim-9 supported"},
		{"style rendered", "style degraded"},
		{"answer contains 连接池已满", "answer lacks 连接池已满"},
		{"answer lacks 磁盘", "answer contains 磁盘"},
		{"trace trace-1 query_logs ok", "trace trace-1 query_logs error"},
		{"trace trace-1 query_logs ok", "trace trace-2 query_logs ok"},
		{"asked executor 2", "asked executor 3"},
		{"request executor contains pool active=20", "request executor lacks pool active=20"},
		{"request verifier lacks 查日志", "request verifier contains 查日志"},
		{"event gated gatekeeper", "event retry_started"},
		{"event verified", "event verified planner"},
	} {
		assert.Empty(t, failures(t, text+"expect "+tt.holds+"\n"), tt.holds)
		got := failures(t, text+"expect "+tt.fails+"\n")
		if assert.NotEmpty(t, got, tt.fails) {
			assert.Contains(t, got[0], "x.scenario:17: expect "+tt.fails)
		}
	}
}

func TestEventsAreExpectedInOrder(t *testing.T) {
	assert.Empty(t, failures(t, text+"expect event parsed\nexpect event gated\n"))
	assert.Contains(t, failures(t, text+"expect event gated\nexpect event parsed\n")[0], "x.scenario:18:")
}

func TestUnexpectedCausesAndUnusedReplies(t *testing.T) {
	faulty := text[:len(text)-len("\"decision\":\"PASS\"}\n")] + "\"decision\":\"RETRY\"}\n"
	assert.Empty(t, failures(t, faulty+"expect cause verifier_incomplete\n"))
	assert.Contains(t, failures(t, faulty+"expect causes none\n")[0], "got 1")
	got := failures(t, text+"verifier\n| {}\nexpect decision PASS\n")
	require.Len(t, got, 1)
	assert.Contains(t, got[0], "nobody asked for: map[verifier:1]")
}

func TestParseErrorsNameTheLine(t *testing.T) {
	for script, want := range map[string]string{
		"query q\n":                                "expects nothing",
		"expect decision PASS\n":                   "no query",
		"query q\nnonsense\n":                      "x:2: no directive",
		"| text\n":                                 "x:1: text without",
		"query q\nexpect\n":                        "x:2: expect what",
		"query q\nexpect luck\n":                   `x:2: no expectation "luck"`,
		"query q\nexpect decision\n":               "x:2: expect decision takes",
		"query q\nexpect claim a b c\n":            "x:2: expect claim takes",
		"query q\ncontract v3\n":                   "x:2: contract is v1 or v2",
		"query q\npolicy luck=yes\n":               "x:2: no policy",
		"query q\npolicy retries=many\n":           "x:2: retries",
		"query q\ntool query_logs\n":               "x:2: write: tool",
		"query q\nplanner speed=3\n":               "x:2: no option",
		"query q\nverifier tokens=x\n":             "x:2: tokens",
		"query q\ncall query_logs {}\n":            "x:2: call without a reply",
		"query q\nfault executor\n":                "x:2: write: fault",
		"query q\n# c\n\nplanner\n| a\nfoo\n| b\n": "x:6: no directive",
	} {
		_, err := enginetest.Parse("x", script)
		require.Error(t, err, script)
		assert.Contains(t, err.Error(), want)
	}
}
