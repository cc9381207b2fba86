package verdict_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/verdict"
)

// good is an input that passes: two claims, both proven and both supported.
func good() verdict.Input {
	return verdict.Input{
		Status:   contract.StatusOK,
		Contract: &contract.Contract{AnswerVersion: contract.V1, Claims: claims("c1", "c2"), UserFacingAnswer: "回答"},
		Gate: &gate.Report{Decision: gate.Clean, Claims: []gate.ClaimReport{
			{ClaimID: "c1", Pointer: "/claims/0", Verdict: gate.Supported},
			{ClaimID: "c2", Pointer: "/claims/1", Verdict: gate.Supported},
		}},
		Verifier: verdict.Result{Decision: verdict.Pass, ClaimChecks: []verdict.ClaimCheck{
			{ClaimID: "c1", Verdict: verdict.Supported}, {ClaimID: "c2", Verdict: verdict.Supported}}},
		Policy:  verdict.DefaultPolicy(),
		Attempt: 2,
	}
}

func finding(code gate.Code, pointer string) gate.Finding {
	return gate.Finding{Code: code, Severity: gate.Block, Pointer: pointer, Quote: "引文", Message: gate.Message{ZH: "中文", EN: "english"}}
}

// malformed is an input whose output did not parse, with the Verifier's own claims.
func malformed(status contract.ParseStatus) verdict.Input {
	in := good()
	in.Status, in.Contract = status, nil
	in.Gate = &gate.Report{Decision: gate.Blocked, Findings: []gate.Finding{finding("S001", "")}}
	in.Verifier.ClaimChecks = []verdict.ClaimCheck{{ClaimID: "nl-1", ClaimText: "连接池已满", Verdict: verdict.Supported}}
	return in
}

// block makes the gate block the last claim.
func block(code gate.Code, pointer string) func(*verdict.Input) {
	return func(in *verdict.Input) {
		in.Gate.Claims[1].Verdict = gate.Unsupported
		in.Gate.Claims[1].Findings = append(in.Gate.Claims[1].Findings, finding(code, pointer))
	}
}

// answer makes the gate block the answer.
func answer(code gate.Code) func(*verdict.Input) {
	return func(in *verdict.Input) {
		in.Gate.Findings = append(in.Gate.Findings, finding(code, "/user_facing_answer"))
	}
}

// check is the Verifier's verdict on the last claim.
func check(v verdict.CheckVerdict) func(*verdict.Input) {
	return func(in *verdict.Input) { in.Verifier.ClaimChecks[1].Verdict = v }
}

// routeCase says what routing makes of an input.
type routeCase struct {
	name    string
	from    func() verdict.Input
	change  func(*verdict.Input)
	pass    bool
	causes  []verdict.Cause
	pointer string
	second  verdict.CheckVerdict // of the last claim
}

// run routes the input on its last attempt, and with one left.
func (rc routeCase) run(t *testing.T) {
	in := rc.from()
	rc.change(&in)
	r := verdict.Route(in)
	var got []verdict.Cause
	for _, c := range r.Causes {
		got = append(got, c.Cause)
		if c.Cause != verdict.StageError {
			assert.NotEmpty(t, c.Message)
			assert.NotEmpty(t, c.MessageZH)
		}
	}
	assert.Equal(t, rc.causes, got)
	want := verdict.LowConfid
	if rc.pass {
		want = verdict.Pass
	}
	require.Equal(t, want, r.Decision, "on the last attempt")
	if len(rc.causes) > 0 && rc.pointer != "" {
		assert.Equal(t, rc.pointer, r.Causes[0].Pointer)
	}
	if rc.second != "" {
		require.NotEmpty(t, r.Claims)
		assert.Equal(t, rc.second, r.Claims[len(r.Claims)-1].Verdict)
	} else {
		assert.Empty(t, r.Claims)
	}
	in.Attempt = 1
	first := verdict.Route(in)
	switch {
	case in.Stop != nil:
		assert.Equal(t, verdict.LowConfid, first.Decision, "nothing is retried after a stop")
	case !rc.pass || in.Contract == nil:
		assert.Equal(t, verdict.Retry, first.Decision, "while an attempt is left")
	default:
		assert.Equal(t, verdict.Pass, first.Decision)
	}
}

func runRoutes(t *testing.T, cases []routeCase) {
	for _, rc := range cases {
		t.Run(rc.name, rc.run)
	}
}

func TestRouteByTheGate(t *testing.T) {
	runRoutes(t, []routeCase{
		{"all well", good, func(*verdict.Input) {}, true, nil, "", verdict.Supported},
		{"repaired output is usable", good, func(in *verdict.Input) { in.Status = contract.StatusRepaired }, true, nil, "", verdict.Supported},
		{"B001", good, block("B001", "/claims/1"), false, []verdict.Cause{verdict.UnsupportedClaim}, "/claims/1", verdict.Unsupported},
		{"B002", good, block("B002", "/claims/1/evidence_bindings/0"), false, []verdict.Cause{verdict.MissingRef}, "/claims/1/evidence_bindings/0", verdict.Unsupported},
		{"B003", good, block("B003", "/claims/1/evidence_bindings/0"), false, []verdict.Cause{verdict.ToolMismatch}, "/claims/1/evidence_bindings/0", verdict.Unsupported},
		{"B004", good, block("B004", "/claims/1/evidence_bindings/0"), false, []verdict.Cause{verdict.ToolMismatch}, "/claims/1/evidence_bindings/0", verdict.Unsupported},
		{"B005", good, block("B005", "/claims/1/evidence_bindings/0"), false, []verdict.Cause{verdict.ExcerptAbsent}, "/claims/1/evidence_bindings/0", verdict.Unsupported},
		{"B007", good, block("B007", "/claims/1"), false, []verdict.Cause{verdict.UnsupportedClaim}, "/claims/1", verdict.Unsupported},
		{"B009", good, block("B009", "/claims/1"), false, []verdict.Cause{verdict.ExcerptAbsent}, "/claims/1", verdict.Unsupported},
		{"C001", good, block("C001", "/claims/1"), false, []verdict.Cause{verdict.FactNotInEvidence}, "/claims/1", verdict.Unsupported},
		{"C004", good, block("C004", "/claims/1"), false, []verdict.Cause{verdict.CauseContradicted}, "/claims/1", verdict.Unsupported},
		{"C005 none", good, block("C005", "/claims/1"), false, []verdict.Cause{verdict.UnsupportedClaim}, "/claims/1", verdict.Unsupported},
		{"C006", good, func(in *verdict.Input) {
			block("C006", "/claims/1")(in)
			in.Gate.Claims[1].Verdict = gate.Contradicted
		}, false, []verdict.Cause{verdict.CauseContradicted}, "/claims/1", verdict.Contradicted},
		{"C007", good, block("C007", "/claims/1"), false, []verdict.Cause{verdict.KnowledgeAsFact}, "/claims/1", verdict.Unsupported},
		{"S006", good, block("S006", "/claims/1/claim_id"), false, []verdict.Cause{verdict.SchemaViolation}, "/claims/1/claim_id", verdict.Unsupported},
		{"F001", good, answer("F001"), false, []verdict.Cause{verdict.CauseExtraFact}, "/user_facing_answer", verdict.Supported},
		{"F004 raised to block", good, answer("F004"), false, []verdict.Cause{verdict.CauseExtraFact}, "/user_facing_answer", verdict.Supported},
		{"unverifiable is no pass", good, func(in *verdict.Input) { in.Gate.Claims[1].Verdict = gate.Unverifiable }, false, []verdict.Cause{verdict.UnsupportedClaim}, "/claims/1", verdict.Insufficient},
		{"a warning blocks nothing", good, func(in *verdict.Input) {
			f := finding("B006", "/claims/1")
			f.Severity = gate.Warn
			in.Gate.Claims[1].Findings = []gate.Finding{f}
		}, true, nil, "", verdict.Supported},
		{"gate warn vetoes nothing", good, func(in *verdict.Input) {
			block("B002", "/claims/1")(in)
			in.Policy.Gate = verdict.GateWarn
		}, true, nil, "", verdict.Supported},
		{"gate off", good, func(in *verdict.Input) { in.Gate, in.Policy.Gate = nil, verdict.GateOff }, true, nil, "", verdict.Supported},
	})
}

func TestRouteByTheVerifier(t *testing.T) {
	runRoutes(t, []routeCase{
		{"verifier unsupported", good, check(verdict.Unsupported), false, []verdict.Cause{verdict.UnsupportedClaim}, "/claims/1", verdict.Unsupported},
		{"verifier insufficient", good, check(verdict.Insufficient), false, []verdict.Cause{verdict.UnsupportedClaim}, "/claims/1", verdict.Insufficient},
		{"verifier contradicted", good, check(verdict.Contradicted), false, []verdict.Cause{verdict.CauseContradicted}, "/claims/1", verdict.Contradicted},
		{"verifier left one out", good, check(verdict.NotChecked), false, []verdict.Cause{verdict.VerifierIncomplete}, "/claims/1", verdict.NotChecked},
		{"verifier has too few checks", good, func(in *verdict.Input) { in.Verifier.ClaimChecks = in.Verifier.ClaimChecks[:1] }, false, []verdict.Cause{verdict.VerifierIncomplete}, "/claims/1", verdict.NotChecked},
		{"extra fact", good, func(in *verdict.Input) {
			in.Verifier.ExtraFacts = []verdict.ExtraFact{{Text: "回答", Verdict: verdict.Insufficient}}
		}, false, []verdict.Cause{verdict.CauseExtraFact}, "/user_facing_answer", verdict.Supported},
		{"resolved extra fact", good, func(in *verdict.Input) {
			in.Verifier.ExtraFacts = []verdict.ExtraFact{{Text: "回答", Verdict: verdict.Supported}}
		}, true, nil, "", verdict.Supported},
		{"verifier decides otherwise without a reason", good, func(in *verdict.Input) { in.Verifier.Decision = verdict.LowConfid }, false, []verdict.Cause{verdict.VerifierIncomplete}, "", verdict.Supported},
		{"verifier without decision", good, func(in *verdict.Input) { in.Verifier.Decision = "" }, false, []verdict.Cause{verdict.VerifierIncomplete}, "", verdict.Supported},
		{"verifier error", good, func(in *verdict.Input) { in.Verifier = verdict.Result{Err: "no JSON"} }, false, []verdict.Cause{verdict.VerifierError}, "", verdict.NotChecked},
		{"no claims", good, func(in *verdict.Input) {
			in.Contract.Claims, in.Gate.Claims, in.Verifier.ClaimChecks = nil, nil, nil
		}, false, []verdict.Cause{verdict.NoConfirmedClaims}, "", ""},
		{"both opinions", good, func(in *verdict.Input) {
			block("B002", "/claims/1")(in)
			check(verdict.Contradicted)(in)
		}, false, []verdict.Cause{verdict.MissingRef, verdict.CauseContradicted}, "/claims/1", verdict.Contradicted},
		{"stopped", good, func(in *verdict.Input) { in.Stop = &verdict.CauseItem{Cause: verdict.StageError} }, false, []verdict.Cause{verdict.StageError}, "", verdict.Supported},
	})
}

func TestRouteOfMalformedOutput(t *testing.T) {
	runRoutes(t, []routeCase{
		{"malformed is capped", func() verdict.Input { return malformed(contract.StatusInvalid) }, func(in *verdict.Input) { in.Gate.Findings = nil },
			false, []verdict.Cause{verdict.MalformedOutput}, "", verdict.Supported},
		{"malformed, with what the gate says", func() verdict.Input { return malformed(contract.StatusEmpty) }, func(*verdict.Input) {},
			false, []verdict.Cause{verdict.MalformedOutput, verdict.SchemaViolation}, "", verdict.Supported},
		{"malformed under the verifier policy", func() verdict.Input { return malformed(contract.StatusInvalid) }, func(in *verdict.Input) { in.Policy.Malformed = verdict.TrustVerifier },
			true, nil, "", verdict.Supported},
		{"the same, a claim not supported", func() verdict.Input { return malformed(contract.StatusInvalid) }, func(in *verdict.Input) {
			in.Policy.Malformed = verdict.TrustVerifier
			in.Verifier.ClaimChecks[0].Verdict = verdict.Insufficient
		}, false, []verdict.Cause{verdict.MalformedOutput, verdict.UnsupportedClaim}, "", verdict.Insufficient},
		{"the same, nothing extracted", func() verdict.Input { return malformed(contract.StatusEmpty) }, func(in *verdict.Input) {
			in.Policy.Malformed = verdict.TrustVerifier
			in.Verifier.ClaimChecks = nil
		}, false, []verdict.Cause{verdict.MalformedOutput, verdict.NoConfirmedClaims}, "", ""},
		{"truncated, a kept claim blocked on its evidence", good, func(in *verdict.Input) {
			in.Status, in.Policy.Malformed = contract.StatusTruncated, verdict.TrustVerifier
			in.Verifier.ClaimChecks = malformed("").Verifier.ClaimChecks
			block("B005", "/claims/1")(in)
		}, false, []verdict.Cause{verdict.MalformedOutput, verdict.ExcerptAbsent}, "", verdict.Supported},
	})
}

// Every code of the gate has a cause that is in the closed set.
func TestEveryCodeHasACause(t *testing.T) {
	known := []verdict.Cause{verdict.MalformedOutput, verdict.SchemaViolation, verdict.MissingRef, verdict.ToolMismatch, verdict.ExcerptAbsent,
		verdict.FactNotInEvidence, verdict.CauseContradicted, verdict.KnowledgeAsFact, verdict.UnsupportedClaim, verdict.CauseExtraFact,
		verdict.NoConfirmedClaims, verdict.VerifierIncomplete, verdict.VerifierError, verdict.StageError, verdict.Cancelled}
	require.NotEmpty(t, gate.Codes())
	for _, code := range gate.Codes() {
		assert.Contains(t, known, verdict.CauseOf(code), "%s", code)
	}
}

// draw gives a random input: every part well or bad in some way.
func draw(r *rand.Rand) verdict.Input {
	pick := func(n int) bool { return r.IntN(n) == 0 }
	in := good()
	if pick(4) {
		in = malformed([]contract.ParseStatus{contract.StatusTruncated, contract.StatusAmbiguous, contract.StatusInvalid, contract.StatusEmpty}[r.IntN(4)])
		if pick(2) {
			in.Gate.Findings = nil
		}
	}
	worsen := worsenings()
	for range r.IntN(3) {
		worsen[r.IntN(len(worsen))](&in)
	}
	in.Policy.Gate = []verdict.GateMode{verdict.GateOff, verdict.GateWarn, verdict.GateEnforce}[r.IntN(3)]
	in.Policy.Malformed = []verdict.MalformedPolicy{verdict.Cap, verdict.TrustVerifier}[r.IntN(2)]
	in.Policy.Retries = r.IntN(3)
	in.Attempt = 1 + r.IntN(3)
	return in
}

// worsenings make an input worse in one way each.
func worsenings() []func(*verdict.Input) {
	codes := []gate.Code{"S003", "B002", "B005", "C001", "C006", "C007"}
	out := []func(*verdict.Input){
		func(in *verdict.Input) { in.Verifier = verdict.Result{Err: "x"} },
		func(in *verdict.Input) { in.Verifier.Decision = verdict.Retry },
		func(in *verdict.Input) { in.Verifier.Decision = "" },
		func(in *verdict.Input) {
			in.Verifier.ExtraFacts = append(slices.Clone(in.Verifier.ExtraFacts), verdict.ExtraFact{Text: "x", Verdict: verdict.Unsupported})
		},
		func(in *verdict.Input) { in.Status = contract.StatusTruncated },
		func(in *verdict.Input) {
			in.Gate.Findings = append(in.Gate.Findings, finding("F001", "/user_facing_answer"))
		},
		func(in *verdict.Input) { in.Stop = &verdict.CauseItem{Cause: verdict.Cancelled} },
		func(in *verdict.Input) {
			in.Verifier.ClaimChecks = nil
		},
		func(in *verdict.Input) {
			if len(in.Gate.Claims) > 0 {
				in.Gate.Claims[0].Verdict = gate.Unverifiable
			}
		},
	}
	for _, v := range []verdict.CheckVerdict{verdict.NotChecked, verdict.Insufficient, verdict.Unsupported, verdict.Contradicted} {
		out = append(out, func(in *verdict.Input) {
			if len(in.Verifier.ClaimChecks) > 0 {
				in.Verifier.ClaimChecks[0].Verdict = in.Verifier.ClaimChecks[0].Verdict.Worse(v)
			}
		})
	}
	for _, code := range codes {
		out = append(out, func(in *verdict.Input) {
			if len(in.Gate.Claims) > 0 {
				in.Gate.Claims[0].Findings = append(in.Gate.Claims[0].Findings, finding(code, "/claims/0"))
			}
		})
	}
	return out
}

func TestRouteProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worsen := worsenings()
	passes := 0
	for range 20000 {
		seed := r.Uint64()
		in := draw(rand.New(rand.NewPCG(seed, 0)))
		got := verdict.Route(in)
		if got.Decision == verdict.Pass {
			passes++
			assert.Empty(t, got.Causes)
			assert.NotEmpty(t, got.Claims, "PASS needs a claim")
			for _, c := range got.Claims {
				assert.Equal(t, verdict.Supported, c.Verdict)
			}
		} else {
			assert.NotEmpty(t, got.Causes, "a non-PASS carries its causes")
		}
		if in.Policy.Gate == verdict.GateEnforce && got.Decision == verdict.Pass {
			for _, c := range in.Gate.Claims {
				for _, f := range c.Findings {
					forgiven := in.Status.Malformed() && in.Policy.Malformed == verdict.TrustVerifier && f.Code[0] == 'S'
					require.True(t, forgiven || f.Severity != gate.Block, "a gate block never passes: %s", f.Code)
				}
			}
		}
		// Worse is drawn from the same seed, so that it shares no memory with in.
		worse := draw(rand.New(rand.NewPCG(seed, 0)))
		worsen[r.IntN(len(worsen))](&worse)
		// Under the verifier policy a malformed output is judged on other claims: its
		// status makes another question of it, not a worse answer.
		other := in.Policy.Malformed == verdict.TrustVerifier && worse.Status.Malformed() != in.Status.Malformed()
		if got.Decision != verdict.Pass && !other {
			require.NotEqual(t, verdict.Pass, verdict.Route(worse).Decision, "worse input, better decision: %+v", worse)
		}
		require.Equal(t, got, verdict.Route(in), "routing is a function")
	}
	require.Greater(t, passes, 1000, "the draw must reach PASS often")
}

func TestRetryContextNamesWhatFailed(t *testing.T) {
	in := good()
	in.Attempt = 1
	in.Gate.Claims[1].Verdict = gate.Unsupported
	in.Gate.Claims[1].Findings = []gate.Finding{finding("B002", "/claims/1/evidence_bindings/0")}
	in.Gate.Findings = []gate.Finding{finding("F001", "/user_facing_answer")}
	in.Verifier.ExtraFacts = []verdict.ExtraFact{{Text: "多出的事实", Verdict: verdict.Unsupported}}
	routing := verdict.Route(in)
	require.Equal(t, verdict.Retry, routing.Decision)
	rc := verdict.NewRetryContext(2, in, routing)
	assert.Equal(t, verdict.RetryContext{
		Attempt:      2,
		FailedClaims: []verdict.FailedClaim{{ClaimID: "c2", ClaimText: "text of c2", Reasons: []string{"中文"}}},
		FactsToProve: []string{"多出的事实", "引文"},
		Problems:     []string{},
	}, rc)
}

func TestRetryContextOfMalformedOutput(t *testing.T) {
	in := malformed(contract.StatusInvalid)
	in.Attempt = 1
	in.Verifier.ClaimChecks[0].Verdict = verdict.Unsupported
	in.Verifier.ClaimChecks[0].Reason = "没有证据"
	rc := verdict.NewRetryContext(2, in, verdict.Route(in))
	require.Len(t, rc.FailedClaims, 1)
	assert.Equal(t, "nl-1", rc.FailedClaims[0].ClaimID)
	assert.Equal(t, []string{"没有证据"}, rc.FailedClaims[0].Reasons)
	assert.Len(t, rc.Problems, 2, "malformed, and the gate's word on it: %q", rc.Problems)
}

func TestRetryContextIsBounded(t *testing.T) {
	in := good()
	in.Attempt = 1
	for range 500 {
		in.Contract.Claims = append(in.Contract.Claims, contract.Claim{ClaimID: "x", ClaimText: string(make([]byte, 5000))})
	}
	rc := verdict.NewRetryContext(2, in, verdict.Route(in))
	assert.LessOrEqual(t, len(rc.FailedClaims), 50)
	for _, f := range rc.FailedClaims {
		assert.LessOrEqual(t, len([]rune(f.ClaimText)), 601)
	}
}
