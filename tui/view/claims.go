package view

import (
	"fmt"
	"strconv"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/verdict"
)

// Standing is where a claim stands, all opinions heard so far.
type Standing uint8

// The standings. Pending is a claim that nobody has judged yet.
const (
	Pending Standing = iota
	Supported
	NotChecked
	Insufficient
	Unsupported
	Contradicted
)

// StandingOf translates the verdict of routing and of the Verifier.
func StandingOf(v verdict.CheckVerdict) Standing {
	switch v {
	case verdict.Supported:
		return Supported
	case verdict.NotChecked:
		return NotChecked
	case verdict.Insufficient:
		return Insufficient
	case verdict.Unsupported:
		return Unsupported
	case verdict.Contradicted:
		return Contradicted
	}
	return Pending
}

func gateStanding(v gate.ClaimVerdict) Standing {
	switch v {
	case gate.Supported:
		return Supported
	case gate.Unverifiable:
		return Insufficient
	case gate.Unsupported:
		return Unsupported
	case gate.Contradicted:
		return Contradicted
	}
	return Pending
}

// Claim is one row of the claims pane: what the Executor claims, and what became of it.
type Claim struct {
	Index    int
	ID       string
	Type     string
	Text     string
	Support  contract.SupportLevel
	Pointer  string // "/claims/0"; "" for a claim that the Verifier took from the text
	Natural  bool   // such a claim: nl-1, nl-2 …
	Repaired bool
	Standing Standing
	Gate     *gate.ClaimReport   // nil before the gate, without one, and for nl-N
	Check    *verdict.ClaimCheck // nil before the Verifier, and when it left the claim out
	Bindings []Binding
	Findings []int // indexes into View.Findings
	// Marked is the last review of this claim: "right", "wrong" or "".
	Marked Review
}

// Review is a person's word on a claim.
type Review uint8

// The reviews of a claim.
const (
	NotReviewed Review = iota
	MarkedRight
	MarkedWrong
)

// Binding is one evidence binding of a claim.
type Binding struct {
	Index   int
	Pointer string
	Source  contract.Binding
	Report  *gate.BindingReport // nil before the gate and without one
	// TraceRef is the trace that it resolved to, or else the id that the model cited.
	TraceRef string
	Missing  bool // it names no trace or block of this session
	Findings []int
}

// Tier says how the excerpt was found; "" when the gate has not looked.
func (b *Binding) Tier() grounding.Tier {
	if b.Report == nil {
		return ""
	}
	return b.Report.Tier
}

// Places is the number of places at which the excerpt stands.
func (b *Binding) Places() int {
	if b.Report == nil {
		return 0
	}
	return max(b.Report.Total, len(b.Report.Occurrences))
}

// claimRows lists the contract's claims, then those that the Verifier took from
// the text.
func (v *View) claimRows() []Claim {
	a := v.Attempt
	var rows []Claim
	if c := a.Structured(); c != nil {
		for i := range c.Claims {
			rows = append(rows, v.contractClaim(i, &c.Claims[i]))
		}
	}
	if a.Verified != nil {
		for i := range a.Verified.ClaimChecks {
			k := &a.Verified.ClaimChecks[i]
			if !natural(k) {
				continue
			}
			rows = append(rows, Claim{
				Index: len(rows), ID: k.ClaimID, Text: k.ClaimText, Natural: true,
				Standing: StandingOf(k.Verdict), Check: k, Marked: v.reviewOf(k.ClaimID),
			})
		}
	}
	return rows
}

// natural reports whether the Verifier took the claim from the text itself (spec P8).
func natural(k *verdict.ClaimCheck) bool {
	return k.ClaimText != "" && strings.HasPrefix(k.ClaimID, "nl-")
}

func (v *View) contractClaim(i int, c *contract.Claim) Claim {
	a := v.Attempt
	row := Claim{
		Index: i, ID: c.ClaimID, Type: c.ClaimType, Text: c.ClaimText, Support: c.SupportLevel,
		Pointer: "/claims/" + strconv.Itoa(i), Repaired: c.Repaired, Marked: v.reviewOf(c.ClaimID),
	}
	if row.ID == "" {
		row.ID = fmt.Sprintf("#%d", i+1)
	}
	row.Gate = reportOf(a.Gate, row.Pointer)
	row.Check = checkOf(a.Verified, i, c.ClaimID)
	row.Standing = v.standing(&row)
	for j := range c.EvidenceBindings {
		b := Binding{Index: j, Pointer: fmt.Sprintf("%s/evidence_bindings/%d", row.Pointer, j), Source: c.EvidenceBindings[j]}
		b.TraceRef = b.Source.SourceID
		if row.Gate != nil {
			b.Report = bindingReport(row.Gate, b.Pointer)
		}
		switch {
		case b.Report != nil && b.Report.TraceRef != "":
			b.TraceRef = b.Report.TraceRef
		case b.Report != nil:
			b.Missing = !b.Report.Resolved && b.Report.Tier != grounding.CannotCheck
		default:
			b.TraceRef = v.resolve(b.Source.SourceID)
		}
		row.Bindings = append(row.Bindings, b)
	}
	return row
}

// resolve names the trace of a source id where no gate has: a trace ref stands for
// itself, an evidence block for the lookup that returned it.
func (v *View) resolve(id string) string {
	for _, t := range v.Traces {
		if t.Ref == id || t.Trace == nil {
			continue
		}
		for _, b := range t.Trace.Blocks {
			if b.BlockID == id {
				return t.Ref
			}
		}
	}
	return id
}

// standing is the final verdict where there is one, else the worse of the opinions
// heard so far.
func (v *View) standing(c *Claim) Standing {
	for _, f := range v.Attempt.Claims() {
		if f.Pointer == c.Pointer {
			return StandingOf(f.Verdict)
		}
	}
	s := Pending
	if c.Gate != nil && v.State.Header.Policy.Gate != verdict.GateWarn {
		s = gateStanding(c.Gate.Verdict)
	}
	if c.Check != nil {
		s = max(s, StandingOf(c.Check.Verdict))
	}
	return s
}

func (v *View) reviewOf(claimID string) Review {
	r := NotReviewed
	for _, w := range v.State.Reviews {
		if w.ClaimID != claimID || claimID == "" {
			continue
		}
		switch w.Action {
		case "claim_right":
			r = MarkedRight
		case "claim_wrong":
			r = MarkedWrong
		case "accept", "override":
		}
	}
	return r
}

func reportOf(r *gate.Report, pointer string) *gate.ClaimReport {
	if r == nil {
		return nil
	}
	for i := range r.Claims {
		if r.Claims[i].Pointer == pointer {
			return &r.Claims[i]
		}
	}
	return nil
}

func bindingReport(r *gate.ClaimReport, pointer string) *gate.BindingReport {
	for i := range r.Bindings {
		if r.Bindings[i].Pointer == pointer {
			return &r.Bindings[i]
		}
	}
	return nil
}

// checkOf finds the Verifier's check: the one at the claim's place, as routing reads
// it, when the ids agree; else the one of that id.
func checkOf(r *verdict.Result, i int, id string) *verdict.ClaimCheck {
	if r == nil || r.Err != "" {
		return nil
	}
	if i < len(r.ClaimChecks) && (r.ClaimChecks[i].ClaimID == id || id == "") {
		return &r.ClaimChecks[i]
	}
	for j := range r.ClaimChecks {
		if r.ClaimChecks[j].ClaimID == id {
			return &r.ClaimChecks[j]
		}
	}
	return nil
}
