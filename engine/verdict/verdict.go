// Package verdict joins the Gatekeeper's report and the Verifier's result into a
// decision with causes (spec P8 to P12) and holds the evaluation record (I6).
//
// The package is pure.
package verdict

// CheckVerdict is the Verifier's word on one claim.
type CheckVerdict string

// The verdicts, from best to worst. NotChecked stands for a claim that the
// Verifier left out.
const (
	Supported    CheckVerdict = "supported"
	NotChecked   CheckVerdict = "not_checked"
	Insufficient CheckVerdict = "insufficient"
	Unsupported  CheckVerdict = "unsupported"
	Contradicted CheckVerdict = "contradicted"
)

// rank orders verdicts from best (0) to worst.
func (v CheckVerdict) rank() int {
	switch v {
	case Supported:
		return 0
	case NotChecked:
		return 1
	case Insufficient:
		return 2
	case Unsupported:
		return 3
	case Contradicted:
		return 4
	}
	return 1
}

// Worse returns the worse of both verdicts.
func (v CheckVerdict) Worse(w CheckVerdict) CheckVerdict {
	if w.rank() > v.rank() {
		return w
	}
	return v
}

// Decision is where a run goes.
type Decision string

// The decisions.
const (
	Pass      Decision = "PASS"
	Retry     Decision = "RETRY"
	LowConfid Decision = "LOW_CONFID"
)

// ClaimCheck is the Verifier's verdict on one claim. ClaimText is set for claims
// that the Verifier itself took from the text (ids nl-1, nl-2 …).
type ClaimCheck struct {
	ClaimID      string       `json:"claim_id"`
	ClaimText    string       `json:"claim_text,omitempty"`
	Verdict      CheckVerdict `json:"verdict"`
	EvidenceRefs []string     `json:"evidence_refs"`
	Reason       string       `json:"reason"`
}

// ExtraFact is a confirmed-sounding fact that the Verifier found in the answer
// and in no claim.
type ExtraFact struct {
	Text    string       `json:"text"`
	Verdict CheckVerdict `json:"verdict"`
	Reason  string       `json:"reason"`
}

// Result is the Verifier's output as read. Err is set, and the rest empty, when it
// could not be read: a verifier error, which is no statement about the evidence.
type Result struct {
	ClaimChecks []ClaimCheck `json:"claim_checks"`
	ExtraFacts  []ExtraFact  `json:"extra_facts"`
	Decision    Decision     `json:"decision"`
	Summary     string       `json:"summary"`
	// Notes say what was read leniently or left out, one line each.
	Notes []string `json:"notes,omitempty"`
	Err   string   `json:"error,omitempty"`
}

// Cause says why a run is no PASS (spec P10).
type Cause string

// The causes.
const (
	MalformedOutput    Cause = "malformed_output"
	SchemaViolation    Cause = "schema_violation"
	MissingRef         Cause = "missing_ref"
	ToolMismatch       Cause = "tool_mismatch"
	ExcerptAbsent      Cause = "excerpt_absent"
	FactNotInEvidence  Cause = "fact_not_in_evidence"
	CauseContradicted  Cause = "contradicted"
	KnowledgeAsFact    Cause = "knowledge_as_fact"
	UnsupportedClaim   Cause = "unsupported_claim"
	CauseExtraFact     Cause = "extra_fact"
	NoConfirmedClaims  Cause = "no_confirmed_claims"
	VerifierIncomplete Cause = "verifier_incomplete"
	VerifierError      Cause = "verifier_error"
	StageError         Cause = "stage_error"
	Cancelled          Cause = "cancelled"
)

// CauseItem is one cause with the claim or binding concerned.
type CauseItem struct {
	Cause   Cause  `json:"cause"`
	Pointer string `json:"pointer"` // JSON pointer into the contract; "" for the whole run
	// Code is the gate finding behind it, or "".
	Code      string `json:"code,omitempty"`
	Message   string `json:"message"`
	MessageZH string `json:"message_zh"`
}

// MalformedPolicy says what malformed Executor output may still reach (spec P11).
type MalformedPolicy string

// The malformed policies.
const (
	Cap           MalformedPolicy = "cap"      // never better than LOW_CONFID
	TrustVerifier MalformedPolicy = "verifier" // the Verifier's decision over its nl-N claims stands
)

// GateMode switches the Gatekeeper (spec P6).
type GateMode string

// The gate modes.
const (
	GateOff     GateMode = "off"     // no gate runs
	GateWarn    GateMode = "warn"    // it runs and reports, but vetoes nothing
	GateEnforce GateMode = "enforce" // its blocking findings veto
)

// Policy is what routing depends on besides the two opinions.
type Policy struct {
	Gate      GateMode        `json:"gate"`
	Malformed MalformedPolicy `json:"malformed_policy"`
	Retries   int             `json:"retries"` // retries allowed after the first attempt
}

// DefaultPolicy is enforce, cap, one retry.
func DefaultPolicy() Policy {
	return Policy{Gate: GateEnforce, Malformed: Cap, Retries: 1}
}

// Routing is the outcome of one attempt.
type Routing struct {
	Decision Decision     `json:"decision"`
	Causes   []CauseItem  `json:"causes"`
	Claims   []FinalClaim `json:"claims"`
}

// FinalClaim is a claim with the worse of both opinions. Diff and repeats use it.
type FinalClaim struct {
	ClaimID  string       `json:"claim_id"`
	Text     string       `json:"claim_text"`
	Pointer  string       `json:"pointer"` // into the contract; "" for nl-N claims
	Verdict  CheckVerdict `json:"verdict"`
	Reason   string       `json:"reason"`
	ReasonZH string       `json:"reason_zh"`
}

// RetryContext is what a retry passes to the Executor and to the Verifier's
// payload (spec P12).
type RetryContext struct {
	Attempt      int           `json:"attempt"` // the attempt that starts, 2 for the first retry
	FailedClaims []FailedClaim `json:"failed_claims"`
	// FactsToProve lists facts to prove or drop, in the words of the output.
	FactsToProve []string `json:"facts_to_drop_or_prove"`
	// Problems are those of the output as a whole: malformed, no claims, a schema
	// violation outside any claim.
	Problems []string `json:"problems"`
}

// FailedClaim is a claim that did not hold, with the reasons.
type FailedClaim struct {
	ClaimID   string   `json:"claim_id"`
	ClaimText string   `json:"claim_text"`
	Reasons   []string `json:"reasons"`
}
