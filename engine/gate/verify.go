package gate

import (
	"fmt"
	"sort"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"
)

// Verify checks a contract against the tool traces of its session (spec section 4).
// It is pure and deterministic; each trace is prepared once, and only as far as some
// binding needs it.
func Verify(in Input, policy Policy) Report {
	s := newSession(in, policy)
	rep := Report{ParseStatus: in.Parsed.Status, Claims: []ClaimReport{}, Findings: []Finding{}, ExtraFacts: []ExtraFact{}, Sentences: []SentenceSource{}}
	c := in.Parsed.Contract
	if c != nil {
		rep.AnswerVersion = c.AnswerVersion
		for i := range c.Claims {
			rep.Claims = append(rep.Claims, s.claim(i, &c.Claims[i]))
		}
		for i := range c.RecommendedActions {
			s.action(i, &c.RecommendedActions[i], &rep)
		}
	}
	s.schema(in.Parsed.Issues, &rep)
	if c != nil {
		auditAnswer(s, c, &rep)
	}
	s.conclude(&rep)
	return rep
}

// session is what one Verify works on.
type session struct {
	policy Policy
	traces []*evidence
	byRef  map[string]*evidence
	blocks map[string]*evidence // by evidence block id
	query  string
}

// evidence is one trace with what is known of its output.
type evidence struct {
	*trace.Trace
	text  *grounding.Text
	facts *grounding.Facts
	args  *grounding.Facts // the call's arguments, decoded
	// failed says why the output is an error message of the tool; empty when it is none.
	failed failure

	ends  []grounding.Quantity            // see columnEnds
	units map[string][]grounding.Quantity // see ofUnit
	crons [][]int                         // the schedules that cronSpans found; nil until it is asked
}

func newSession(in Input, policy Policy) *session {
	s := &session{policy: policy, byRef: map[string]*evidence{}, blocks: map[string]*evidence{}, query: in.Query}
	for i := range in.Traces {
		t := &in.Traces[i]
		text := grounding.NewText(t.Output)
		e := &evidence{Trace: t, text: text, facts: grounding.NewFacts(text), args: grounding.NewFacts(grounding.NewText([]byte(argumentText(t.Arguments))))}
		e.failed = failureOf(t)
		e.facts.AssumeUnit(measured(metricQuery(t.Arguments)))
		if asked := e.args.Times(); len(asked) == 2 {
			e.facts.AssumeWindow(asked[0], asked[1])
		}
		s.traces = append(s.traces, e)
		if _, dup := s.byRef[t.Ref]; !dup {
			s.byRef[t.Ref] = e
		}
		for _, b := range t.Blocks {
			if _, dup := s.blocks[b.BlockID]; !dup && b.BlockID != "" {
				s.blocks[b.BlockID] = e
			}
		}
	}
	return s
}

// measured lists the tokens of a query that may name the unit of its result. The rate of
// a byte counter is no size.
func measured(query string) []string {
	all := grounding.Tokens(query)
	if !strings.Contains(query, "rate(") && !strings.Contains(query, "deriv(") {
		return all
	}
	var out []string
	for _, t := range all {
		if !strings.Contains(t, "bytes") {
			out = append(out, t)
		}
	}
	return out
}

// finding makes a finding with the severity that the policy gives its code.
func (s *session) finding(code Code, pointer string, msg Message, places ...Place) Finding {
	return Finding{Code: code, Severity: s.policy.severity(code), Pointer: pointer, Message: msg, Places: places}
}

// schema turns the reader's issues into findings, each with the claim it lies in.
func (s *session) schema(issues []contract.Issue, rep *Report) {
	for _, is := range issues {
		f := s.finding(Code(is.Code), is.Pointer, Message{ZH: is.ZH, EN: is.EN})
		if n, ok := claimIndex(is.Pointer); ok && n < len(rep.Claims) {
			rep.Claims[n].Findings = append(rep.Claims[n].Findings, f)
			continue
		}
		rep.Findings = append(rep.Findings, f)
	}
}

// claimIndex reads the index out of a pointer such as /claims/3/claim_text.
func claimIndex(pointer string) (int, bool) {
	var n int
	if _, err := fmt.Sscanf(pointer, "/claims/%d", &n); err != nil || n < 0 {
		return 0, false
	}
	return n, true
}

// claim judges one claim.
func (s *session) claim(i int, c *contract.Claim) ClaimReport {
	ptr := fmt.Sprintf("/claims/%d", i)
	rep := ClaimReport{ClaimID: c.ClaimID, Pointer: ptr, Findings: []Finding{}, Bindings: []BindingReport{}, Facts: []FactMark{}}
	w := &claimWork{session: s, claim: c, rep: &rep, ptr: ptr}
	w.level()
	w.bind()
	w.knowledge()
	w.failedCalls()
	w.checkFacts()
	w.entities()
	w.polarity()
	w.wording()
	return rep
}

// action checks the bindings that a recommended action cites: a reference that does
// not exist is reported, an action without any is not.
func (s *session) action(i int, a *contract.Action, rep *Report) {
	for j := range a.EvidenceBindings {
		w := &claimWork{session: s, claim: &contract.Claim{}, rep: &ClaimReport{}}
		w.bindOne(fmt.Sprintf("/recommended_actions/%d/evidence_bindings/%d", i, j), &a.EvidenceBindings[j])
		for _, f := range w.rep.Findings {
			if f.Severity == Block {
				f.Severity = Warn // an action confirms nothing
			}
			rep.Findings = append(rep.Findings, f)
		}
	}
}

// conclude gives verdicts, decision and causes.
func (s *session) conclude(rep *Report) {
	causes := map[string]bool{}
	blocked, unchecked := false, false
	note := func(fs []Finding) (worst ClaimVerdict) {
		worst = Supported
		for _, f := range fs {
			if f.Severity != Block {
				continue
			}
			causes[CauseOf(f.Code)] = true
			if contradicts(f.Code) {
				worst = Contradicted
			} else if worst == Supported {
				worst = Unsupported
			}
		}
		return worst
	}
	for i := range rep.Claims {
		c := &rep.Claims[i]
		sortFindings(c.Findings)
		v := note(c.Findings)
		if v == Supported && c.Verdict == Unverifiable {
			v = Unverifiable
		} else if c.Verdict == Contradicted && v != Supported {
			v = Contradicted
		}
		c.Verdict = v
		blocked = blocked || v == Unsupported || v == Contradicted
		unchecked = unchecked || v == Unverifiable
	}
	sortFindings(rep.Findings)
	if note(rep.Findings) != Supported {
		blocked = true
	}
	if rep.ParseStatus.Malformed() {
		causes["malformed_output"] = true
		blocked = true
	}
	if len(rep.Claims) == 0 {
		causes["no_confirmed_claims"] = true
		blocked = true
	}
	rep.Decision = Clean
	if blocked {
		rep.Decision = Blocked
	} else if unchecked {
		rep.Decision = Unchecked
	}
	rep.Causes = []string{}
	for _, c := range causeOrder {
		if causes[c] {
			rep.Causes = append(rep.Causes, c)
		}
	}
}

// sortFindings orders findings by severity, code and pointer.
func sortFindings(fs []Finding) {
	rank := map[Severity]int{Block: 0, Warn: 1, Info: 2}
	sort.SliceStable(fs, func(i, j int) bool {
		a, b := fs[i], fs[j]
		if rank[a.Severity] != rank[b.Severity] {
			return rank[a.Severity] < rank[b.Severity]
		}
		if codeRank(a.Code) != codeRank(b.Code) {
			return codeRank(a.Code) < codeRank(b.Code)
		}
		return a.Pointer < b.Pointer
	})
}
