package verdict

import (
	"fmt"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
)

// Input is all that routing depends on.
type Input struct {
	Status   contract.ParseStatus
	Contract *contract.Contract // nil when nothing parsed
	Gate     *gate.Report       // nil when no gate ran
	Verifier Result
	Policy   Policy
	Attempt  int // 1 for the first
	// Stop is set when the attempt ended early: a stage failed for good, or a person
	// cancelled. Nothing is retried then: a stage has its own bounded retries.
	Stop *CauseItem
}

// usable reports whether the contract's claims are the claims (spec P8, P11).
func (in Input) usable() bool { return in.Contract != nil && !in.Status.Malformed() }

// fallback reports whether the Verifier's own claims stand in for the contract's.
func (in Input) fallback() bool { return !in.usable() && in.Verifier.Err == "" }

// enforced reports whether the gate can veto.
func (in Input) enforced() bool { return in.Gate != nil && in.Policy.Gate == GateEnforce }

// Route decides on an attempt (spec P10, P11). It is pure and total: PASS exactly
// when there is no cause against it, RETRY while attempts are left, LOW_CONFID
// otherwise. Making any part of the input worse never makes the decision PASS,
// but for one: TrustVerifier asks another question of a malformed output than of
// one that parsed, and forgives it the schema findings.
func Route(in Input) Routing {
	if in.Stop != nil {
		return Routing{Decision: LowConfid, Causes: []CauseItem{*in.Stop}, Claims: finalClaims(in)}
	}
	r := Routing{Decision: LowConfid, Claims: finalClaims(in), Causes: causes(in)}
	left := in.Attempt <= in.Policy.Retries
	// A malformed output is retried first; then it is capped, unless the policy lets
	// the Verifier's opinion on its own claims stand.
	fit := in.usable() || in.Policy.Malformed == TrustVerifier && !left
	switch {
	case fit && len(r.Causes) == 0:
		r.Decision = Pass
	case left:
		r.Decision = Retry
	}
	if r.Decision != Pass && !in.usable() {
		r.Causes = append([]CauseItem{malformedCause(in)}, r.Causes...)
	}
	return r
}

// finalClaims joins both opinions on each claim.
func finalClaims(in Input) []FinalClaim {
	out := []FinalClaim{}
	if in.fallback() {
		for _, c := range in.Verifier.ClaimChecks {
			out = append(out, FinalClaim{ClaimID: c.ClaimID, Text: c.ClaimText, Verdict: c.Verdict, Reason: c.Reason, ReasonZH: c.Reason})
		}
		return out
	}
	if in.Contract == nil {
		return out
	}
	for i, claim := range in.Contract.Claims {
		check := checkAt(in.Verifier, i)
		f := FinalClaim{
			ClaimID: claim.ClaimID, Text: claim.ClaimText, Pointer: claimPointer(i),
			Verdict: check.Verdict, Reason: check.Reason, ReasonZH: check.Reason,
		}
		if report := reportAt(in.Gate, i); report != nil && in.enforced() {
			joinGate(&f, report)
		}
		out = append(out, f)
	}
	return out
}

// joinGate lowers f to the gate's verdict. The gate's reasons come first: they
// are proven, the Verifier's are an opinion.
func joinGate(f *FinalClaim, report *gate.ClaimReport) {
	v := gateVerdict(report)
	f.Verdict = f.Verdict.Worse(v)
	var zh, en []string
	for _, finding := range report.Findings {
		if finding.Severity == gate.Block {
			zh, en = append(zh, finding.Message.ZH), append(en, finding.Message.EN)
		}
	}
	if len(zh) == 0 && v != Supported {
		zh, en = []string{"原始输出不在，无法核对"}, []string{"the raw output is not available, so nothing can be checked"}
	}
	if f.Verdict == Supported || len(zh) == 0 {
		return
	}
	f.ReasonZH, f.Reason = joinReasons(zh, f.ReasonZH, "；"), joinReasons(en, f.Reason, "; ")
}

func joinReasons(first []string, last, sep string) string {
	if last != "" {
		first = append(first, last)
	}
	return strings.Join(first, sep)
}

// gateVerdict maps the gate's verdict. Unverifiable is no pass: nothing was proven.
// A blocking finding is never better than unsupported, whatever the verdict says.
func gateVerdict(r *gate.ClaimReport) CheckVerdict {
	v := Unsupported
	switch r.Verdict {
	case gate.Supported:
		v = Supported
	case gate.Unverifiable:
		v = Insufficient
	case gate.Unsupported:
	case gate.Contradicted:
		v = Contradicted
	}
	for _, f := range r.Findings {
		if f.Severity == gate.Block {
			v = v.Worse(Unsupported)
		}
	}
	return v
}

// checkAt gives the Verifier's check on claim i; NotChecked when there is none.
func checkAt(r Result, i int) ClaimCheck {
	if r.Err == "" && i < len(r.ClaimChecks) {
		return r.ClaimChecks[i]
	}
	return ClaimCheck{Verdict: NotChecked}
}

// reportAt gives the gate's report on claim i, or nil.
func reportAt(r *gate.Report, i int) *gate.ClaimReport {
	if r == nil {
		return nil
	}
	pointer := claimPointer(i)
	if i < len(r.Claims) && r.Claims[i].Pointer == pointer {
		return &r.Claims[i]
	}
	for j := range r.Claims {
		if r.Claims[j].Pointer == pointer {
			return &r.Claims[j]
		}
	}
	return nil
}

func claimPointer(i int) string { return fmt.Sprintf("/claims/%d", i) }

// causes lists all that stands against PASS, malformation aside.
func causes(in Input) []CauseItem {
	out := gateCauses(in)
	out = append(out, verifierCauses(in)...)
	if in.usable() && len(in.Contract.Claims) == 0 || in.fallback() && len(in.Verifier.ClaimChecks) == 0 {
		out = append(out, CauseItem{Cause: NoConfirmedClaims,
			Message: "the output states no confirmed claim", MessageZH: "输出中没有任何已确认的结论"})
	}
	return out
}

// gateCauses lists the gate's vetoes. Under the verifier policy a malformed output
// is already known to break the schema: its S findings add nothing then, but what
// the gate proved about evidence still counts.
func gateCauses(in Input) []CauseItem {
	out := []CauseItem{}
	if !in.enforced() {
		return out
	}
	excused := func(f gate.Finding) bool {
		return !in.usable() && in.Policy.Malformed == TrustVerifier && strings.HasPrefix(string(f.Code), "S")
	}
	for i := range in.Gate.Claims {
		report := &in.Gate.Claims[i]
		blocks := 0
		for _, f := range report.Findings {
			if f.Severity != gate.Block {
				continue
			}
			blocks++
			if !excused(f) {
				out = append(out, findingCause(f))
			}
		}
		// An unsupported verdict without a finding is no less a veto; with one, the
		// finding has said it.
		if report.Verdict == gate.Unverifiable || report.Verdict == gate.Contradicted || blocks == 0 && report.Verdict != gate.Supported {
			out = addCause(out, unprovenCause(report))
		}
	}
	for _, f := range in.Gate.Findings {
		if f.Severity == gate.Block && !excused(f) {
			out = append(out, findingCause(f))
		}
	}
	return out
}

// addCause appends c unless the same cause stands there for the same claim.
func addCause(list []CauseItem, c CauseItem) []CauseItem {
	for _, have := range list {
		if have.Cause == c.Cause && (have.Pointer == c.Pointer || strings.HasPrefix(have.Pointer, c.Pointer+"/")) {
			return list
		}
	}
	return append(list, c)
}

func findingCause(f gate.Finding) CauseItem {
	return CauseItem{Cause: CauseOf(f.Code), Pointer: f.Pointer, Code: string(f.Code), Message: f.Message.EN, MessageZH: f.Message.ZH}
}

// unprovenCause is for a claim that the gate holds below supported without a
// blocking finding.
func unprovenCause(r *gate.ClaimReport) CauseItem {
	c := CauseItem{Cause: UnsupportedClaim, Pointer: r.Pointer,
		Message:   fmt.Sprintf("claim %s could not be checked: its raw evidence is not available", r.ClaimID),
		MessageZH: fmt.Sprintf("结论 %s 无法核对：没有可用的原始证据", r.ClaimID)}
	if r.Verdict == gate.Contradicted {
		c.Cause = CauseContradicted
		c.Message = fmt.Sprintf("claim %s is contradicted by its evidence", r.ClaimID)
		c.MessageZH = fmt.Sprintf("结论 %s 与其证据相矛盾", r.ClaimID)
	}
	return c
}

// verifierCauses lists what the Verifier holds against the output.
func verifierCauses(in Input) []CauseItem {
	v := in.Verifier
	if v.Err != "" {
		return []CauseItem{{Cause: VerifierError, Message: "the Verifier gave no usable result: " + v.Err,
			MessageZH: "Verifier 没有给出可用的结果：" + v.Err}}
	}
	out := []CauseItem{}
	n := len(v.ClaimChecks)
	if in.usable() {
		n = len(in.Contract.Claims)
	}
	for i := range n {
		c := checkAt(v, i)
		pointer := ""
		if in.usable() {
			c.ClaimID, pointer = in.Contract.Claims[i].ClaimID, claimPointer(i)
		}
		if item, ok := checkCause(c, pointer); ok {
			out = append(out, item)
		}
	}
	for _, f := range v.ExtraFacts {
		if f.Verdict != Supported {
			out = append(out, CauseItem{Cause: CauseExtraFact, Pointer: factPointer(in.Contract, f.Text),
				Message:   fmt.Sprintf("the answer states as confirmed what no claim states: %q (%s)", clip(f.Text, 200), f.Verdict),
				MessageZH: fmt.Sprintf("答案把没有结论支撑的内容说成已确认：“%s”", clip(f.Text, 200))})
		}
	}
	if len(out) == 0 && v.Decision != Pass {
		out = append(out, decisionCause(v))
	}
	return out
}

func checkCause(c ClaimCheck, pointer string) (CauseItem, bool) {
	item := CauseItem{Pointer: pointer}
	switch c.Verdict {
	case Supported:
		return item, false
	case NotChecked:
		item.Cause = VerifierIncomplete
		item.Message = fmt.Sprintf("the Verifier gave no verdict on claim %s", c.ClaimID)
		item.MessageZH = fmt.Sprintf("Verifier 没有对结论 %s 给出判断", c.ClaimID)
		return item, true
	case Contradicted:
		item.Cause = CauseContradicted
		item.Message = fmt.Sprintf("the Verifier holds claim %s contradicted", c.ClaimID)
		item.MessageZH = fmt.Sprintf("Verifier 判定结论 %s 与证据相矛盾", c.ClaimID)
	case Insufficient:
		item.Cause = UnsupportedClaim
		item.Message = fmt.Sprintf("the Verifier holds the evidence of claim %s insufficient", c.ClaimID)
		item.MessageZH = fmt.Sprintf("Verifier 判定结论 %s 证据不足", c.ClaimID)
	case Unsupported:
		item.Cause = UnsupportedClaim
		item.Message = fmt.Sprintf("the Verifier holds claim %s unsupported", c.ClaimID)
		item.MessageZH = fmt.Sprintf("Verifier 判定结论 %s 没有证据支持", c.ClaimID)
	default:
		item.Cause = VerifierIncomplete
		item.Message = fmt.Sprintf("the Verifier's verdict %q on claim %s is unknown", c.Verdict, c.ClaimID)
		item.MessageZH = fmt.Sprintf("Verifier 对结论 %s 的判断“%s”无法识别", c.ClaimID, c.Verdict)
	}
	if c.Reason != "" {
		item.Message += ": " + c.Reason
		item.MessageZH += "：" + c.Reason
	}
	return item, true
}

// factPointer finds the answer field that an extra fact stands in, or "".
func factPointer(c *contract.Contract, fact string) string {
	switch {
	case c == nil || fact == "":
		return ""
	case strings.Contains(c.UserFacingAnswer, fact):
		return "/user_facing_answer"
	case strings.Contains(c.DiagnosisSummary, fact):
		return "/diagnosis_summary"
	}
	return ""
}

// decisionCause is for a Verifier that found no fault and yet did not say PASS.
func decisionCause(v Result) CauseItem {
	if v.Decision == "" {
		return CauseItem{Cause: VerifierIncomplete, Message: "the Verifier gave no decision", MessageZH: "Verifier 没有给出总体判断"}
	}
	c := CauseItem{Cause: VerifierIncomplete,
		Message:   fmt.Sprintf("the Verifier decided %s without holding anything against a claim", v.Decision),
		MessageZH: fmt.Sprintf("Verifier 的总体判断是 %s，但没有指出任何有问题的结论", v.Decision)}
	if v.Summary != "" {
		c.Message += ": " + v.Summary
		c.MessageZH += "：" + v.Summary
	}
	return c
}

func malformedCause(in Input) CauseItem {
	return CauseItem{Cause: MalformedOutput,
		Message:   fmt.Sprintf("the Executor's output does not follow the contract (parse status %s)", in.Status),
		MessageZH: fmt.Sprintf("Executor 的输出不符合证据契约（解析状态 %s）", in.Status)}
}
