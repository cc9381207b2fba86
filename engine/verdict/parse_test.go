package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/verdict"
)

func claims(ids ...string) []contract.Claim {
	var out []contract.Claim
	for _, id := range ids {
		out = append(out, contract.Claim{ClaimID: id, ClaimText: "text of " + id})
	}
	return out
}

func verdicts(r verdict.Result) []verdict.CheckVerdict {
	var out []verdict.CheckVerdict
	for _, c := range r.ClaimChecks {
		out = append(out, c.Verdict)
	}
	return out
}

func TestParseVerifierReadsWhatVerifiersWrite(t *testing.T) {
	tests := []struct {
		name  string
		reply string
		want  []verdict.CheckVerdict
		dec   verdict.Decision
		notes int
	}{
		{"plain", `{"claim_checks":[{"claim_id":"c1","verdict":"supported","evidence_refs":["trace-1"],"reason":"r"},{"claim_id":"c2","verdict":"contradicted"}],"extra_facts":[],"decision":"RETRY","summary":"s"}`,
			[]verdict.CheckVerdict{verdict.Supported, verdict.Contradicted}, verdict.Retry, 0},
		{"other order", `{"claim_checks":[{"claim_id":"c2","verdict":"insufficient"},{"claim_id":"c1","verdict":"supported"}],"decision":"PASS"}`,
			[]verdict.CheckVerdict{verdict.Supported, verdict.Insufficient}, verdict.Pass, 0},
		{"one missing", `{"claim_checks":[{"claim_id":"c2","verdict":"supported"}],"decision":"PASS"}`,
			[]verdict.CheckVerdict{verdict.NotChecked, verdict.Supported}, verdict.Pass, 1},
		{"unknown id", `{"claim_checks":[{"claim_id":"c1","verdict":"supported"},{"claim_id":"c2","verdict":"supported"},{"claim_id":"c9","verdict":"contradicted"}],"decision":"PASS"}`,
			[]verdict.CheckVerdict{verdict.Supported, verdict.Supported}, verdict.Pass, 1},
		{"twice, the worst counts", `{"claim_checks":[{"claim_id":"c1","verdict":"unsupported"},{"claim_id":"c1","verdict":"supported"},{"claim_id":"c2","verdict":"supported"}],"decision":"PASS"}`,
			[]verdict.CheckVerdict{verdict.Unsupported, verdict.Supported}, verdict.Pass, 1},
		{"case and Chinese", `{"claim_checks":[{"claim_id":"C1","verdict":"SUPPORTED"},{"claim_id":"c2","verdict":"证据不足"}],"decision":"通过"}`,
			[]verdict.CheckVerdict{verdict.Supported, verdict.Insufficient}, verdict.Pass, 3},
		{"an unknown verdict voids itself only", `{"claim_checks":[{"claim_id":"c1","verdict":"well-ish"},{"claim_id":"c2","verdict":"supported"}],"decision":"PASS"}`,
			[]verdict.CheckVerdict{verdict.NotChecked, verdict.Supported}, verdict.Pass, 1},
		{"keyed by id", `{"claim_checks":{"c1":{"verdict":"supported"},"c2":"unsupported"},"decision":"LOW_CONFID"}`,
			[]verdict.CheckVerdict{verdict.Supported, verdict.Unsupported}, verdict.LowConfid, 1},
		{"camel case", `{"claimChecks":[{"claimId":"c1","verdict":"supported"},{"claimId":"c2","verdict":"supported"}],"decision":"low confidence"}`,
			[]verdict.CheckVerdict{verdict.Supported, verdict.Supported}, verdict.LowConfid, 1},
		{"decision only", `{"decision":"PASS"}`,
			[]verdict.CheckVerdict{verdict.NotChecked, verdict.NotChecked}, verdict.Pass, 1},
		{"no decision", `{"claim_checks":[{"claim_id":"c1","verdict":"supported"},{"claim_id":"c2","verdict":"supported"}]}`,
			[]verdict.CheckVerdict{verdict.Supported, verdict.Supported}, "", 1},
		{"fenced, after reasoning with a draft", "<think>{\"claim_checks\":[{\"claim_id\":\"c1\",\"verdict\":\"unsupported\"}],\"decision\":\"RETRY\"}</think>检查结果：\n```json\n{\"claim_checks\":[{\"claim_id\":\"c1\",\"verdict\":\"supported\"},{\"claim_id\":\"c2\",\"verdict\":\"supported\"}],\"decision\":\"PASS\"}\n```\n",
			[]verdict.CheckVerdict{verdict.Supported, verdict.Supported}, verdict.Pass, 0},
		{"entries that are no objects", `{"claim_checks":["c1",7,{"claim_id":"c2","verdict":"supported"}],"decision":"PASS"}`,
			[]verdict.CheckVerdict{verdict.NotChecked, verdict.Supported}, verdict.Pass, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := verdict.ParseVerifier(tt.reply, claims("c1", "c2"), false)
			require.Empty(t, r.Err)
			assert.Equal(t, tt.want, verdicts(r))
			assert.Equal(t, tt.dec, r.Decision)
			assert.Len(t, r.Notes, tt.notes, "%q", r.Notes)
		})
	}
}

func TestParseVerifierIDsThatDifferInCaseOnly(t *testing.T) {
	r := verdict.ParseVerifier(`{"claim_checks":[{"claim_id":"A","verdict":"supported"}],"decision":"PASS"}`, claims("A", "a"), false)
	assert.Equal(t, []verdict.CheckVerdict{verdict.Supported, verdict.NotChecked}, verdicts(r), "a check on A is none on a")
}

func TestParseVerifierError(t *testing.T) {
	for _, reply := range []string{"", "I think all is well.", "[1,2]", `{"foo":1}`, "null", `"PASS"`} {
		r := verdict.ParseVerifier(reply, claims("c1"), false)
		assert.NotEmpty(t, r.Err, "%q", reply)
		assert.Empty(t, r.ClaimChecks)
	}
}

func TestParseVerifierFallbackTakesItsOwnClaims(t *testing.T) {
	r := verdict.ParseVerifier(`{"claim_checks":[
		{"claim_id":"nl-1","claim_text":"连接池已满","verdict":"supported"},
		{"claim_id":"c1","verdict":"unsupported"},
		{"claim_id":"nl-3","verdict":"supported"},
		{"claim_text":"没有编号","verdict":"supported"}],"decision":"LOW_CONFID"}`, claims("c1"), true)
	require.Empty(t, r.Err)
	require.Len(t, r.ClaimChecks, 4)
	assert.Equal(t, "连接池已满", r.ClaimChecks[0].ClaimText)
	assert.Equal(t, "text of c1", r.ClaimChecks[1].ClaimText, "a claim kept from the cut output lends its text")
	assert.Equal(t, verdict.NotChecked, r.ClaimChecks[2].Verdict, "a verdict on no text is none")
	assert.Equal(t, "nl-4", r.ClaimChecks[3].ClaimID)
}

func TestParseVerifierExtraFacts(t *testing.T) {
	r := verdict.ParseVerifier(`{"claim_checks":[],"extra_facts":["bare",{"text":"t","verdict":"supported","reason":"ok"},{"fact":"f","verdict":"unsupported"}],"decision":"RETRY"}`, nil, false)
	require.Len(t, r.ExtraFacts, 3)
	assert.Equal(t, verdict.ExtraFact{Text: "bare", Verdict: verdict.Insufficient}, r.ExtraFacts[0])
	assert.Equal(t, verdict.Supported, r.ExtraFacts[1].Verdict)
	assert.Equal(t, verdict.ExtraFact{Text: "f", Verdict: verdict.Unsupported}, r.ExtraFacts[2])
}

func FuzzParseVerifier(f *testing.F) {
	f.Add(`{"claim_checks":[{"claim_id":"c1","verdict":"supported"}],"decision":"PASS"}`, true)
	f.Add(`{"claim_checks":{"c1":"支持"},"extra_facts":{"text":1},"decision":null}`, false)
	f.Fuzz(func(t *testing.T, reply string, fallback bool) {
		cs := claims("c1", "c2", "c2")
		r := verdict.ParseVerifier(reply, cs, fallback)
		if r.Err != "" {
			require.Empty(t, r.ClaimChecks)
			return
		}
		if !fallback {
			require.Len(t, r.ClaimChecks, len(cs), "one check a claim")
		}
		require.NotNil(t, r.ClaimChecks)
		require.NotNil(t, r.ExtraFacts)
	})
}
