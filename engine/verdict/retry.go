package verdict

import (
	"strings"

	"claimscope/engine/gate"
)

// maxRetryItems bounds each list of a retry context, so that a hostile output
// cannot flood the next attempt.
const maxRetryItems = 50

// maxRetryRunes bounds one text of a retry context, in runes.
const maxRetryRunes = 600

// NewRetryContext says what the next attempt must mend (spec P12). Attempt is the
// attempt that starts. Texts are Chinese, as the prompts are, and bounded.
func NewRetryContext(attempt int, in Input, routing Routing) RetryContext {
	rc := RetryContext{Attempt: attempt, FailedClaims: []FailedClaim{}, FactsToProve: []string{}, Problems: []string{}}
	rc.FailedClaims = append(rc.FailedClaims, failedClaims(routing)...)
	for _, c := range routing.Causes {
		if pointsAtClaim(c.Pointer) {
			continue
		}
		switch c.Cause {
		case UnsupportedClaim, CauseContradicted, VerifierIncomplete:
			if in.fallback() && len(in.Verifier.ClaimChecks) > 0 {
				continue // those of nl-N claims are among the failed claims
			}
		case CauseExtraFact:
			continue // among the facts to prove
		case MalformedOutput, SchemaViolation, MissingRef, ToolMismatch, ExcerptAbsent, FactNotInEvidence,
			KnowledgeAsFact, NoConfirmedClaims, VerifierError, StageError, Cancelled:
		}
		rc.Problems = addText(rc.Problems, c.MessageZH)
	}
	for _, f := range in.Verifier.ExtraFacts {
		if f.Verdict != Supported {
			rc.FactsToProve = addText(rc.FactsToProve, f.Text)
		}
	}
	if in.enforced() {
		for _, f := range in.Gate.ExtraFacts {
			rc.FactsToProve = addText(rc.FactsToProve, f.Text)
		}
		for _, f := range in.Gate.Findings {
			if CauseOf(f.Code) == CauseExtraFact && f.Severity == gate.Block && f.Quote != "" {
				rc.FactsToProve = addText(rc.FactsToProve, f.Quote)
			}
		}
	}
	return rc
}

func pointsAtClaim(pointer string) bool { return strings.HasPrefix(pointer, "/claims/") }

func failedClaims(r Routing) []FailedClaim {
	out := []FailedClaim{}
	for _, c := range r.Claims {
		if c.Verdict == Supported || len(out) == maxRetryItems {
			continue
		}
		f := FailedClaim{ClaimID: c.ClaimID, ClaimText: clip(c.Text, maxRetryRunes), Reasons: []string{}}
		for _, cause := range r.Causes {
			if c.Pointer != "" && (cause.Pointer == c.Pointer || strings.HasPrefix(cause.Pointer, c.Pointer+"/")) {
				f.Reasons = addText(f.Reasons, cause.MessageZH)
			}
		}
		if len(f.Reasons) == 0 && c.ReasonZH != "" {
			f.Reasons = addText(f.Reasons, c.ReasonZH)
		}
		if len(f.Reasons) == 0 {
			f.Reasons = append(f.Reasons, "判定为 "+string(c.Verdict))
		}
		out = append(out, f)
	}
	return out
}

// addText appends a clipped text unless it is there already or the list is full.
func addText(list []string, s string) []string {
	s = clip(s, maxRetryRunes)
	if len(list) == maxRetryItems {
		return list
	}
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}
