package cli

import (
	"fmt"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// step is how much deeper each arrow of a path stands, in cells.
const step = 2

// why prints only the path from the verdict to each cause: decision ← cause ← claim ←
// binding ← the line of the trace, or that there is none.
func (p *printer) why(st *state.Session) {
	p.sessionHead(st)
	a := st.Current()
	var causes []verdict.CauseItem
	switch {
	case st.Evaluation != nil:
		causes = st.Evaluation.Causes
	case a.Routing != nil:
		causes = a.Routing.Causes
	}
	if len(causes) == 0 {
		p.whyNot(st, a)
		return
	}
	told := map[string]bool{} // pointers of claims and bindings
	for _, c := range causes {
		p.shown = map[place]bool{}
		p.arrow(0, p.paint(bold, clean(p.causeName(c.Cause))))
		p.path(st, a, c, told)
	}
}

// whyNot says why there is no cause: a PASS has none, and a run that has not ended is
// not decided.
func (p *printer) whyNot(st *state.Session, a *state.Attempt) {
	if a.Decision() == verdict.Pass {
		p.arrow(0, safe(fmt.Sprintf(p.say("%d 条结论都有证据支持：代码核验与 Verifier 一致", "all %d claims are supported: the code check and the Verifier agree"), len(a.Claims()))))
		return
	}
	p.arrow(0, safe(p.say("没有判定：", "no decision: ")), safe(statusWord(st.Status).In(p.lang)), clean(prefixed("  ", st.Error)))
	if st.Stage != "" {
		p.arrow(step, safe(p.say("停在 ", "it stopped in ")), safe(st.Stage.Title()))
	}
	for _, f := range st.Failures {
		p.arrow(step, safe(f.Stage.Title()), clean("  "+f.Error))
	}
}

// arrow prints one step of a path.
func (p *printer) arrow(indent int, parts ...safe) {
	p.put(indent, 2, append([]safe{p.paint(dim, "← ")}, parts...)...)
}

// path prints what a cause came from. A claim that was told already is only named.
func (p *printer) path(st *state.Session, a *state.Attempt, c verdict.CauseItem, told map[string]bool) {
	message := clean(p.say(c.MessageZH, c.Message))
	f, ok := claimOf(a.Claims(), c.Pointer)
	if !ok {
		p.arrow(step, message, p.paint(dim, clean(prefixed("  ", c.Code))))
		for _, f := range st.Failures {
			if f.Attempt == a.Number && f.Final && c.Cause == verdict.StageError {
				p.arrow(2*step, safe(f.Stage.Title()), clean("  "+f.Error))
			}
		}
		return
	}
	mark, word := checkWord(f.Verdict)
	head := []safe{p.mark(mark), " ", p.paint(bold, clean(f.ClaimID)), "  ", clean(word.In(p.lang))}
	if !told[f.Pointer] {
		head = append(head, "  ", clean(f.Text))
	}
	told[f.Pointer] = true
	p.arrow(step, head...)
	report, source := gateReport(a.Gate, a.Structured(), f.Pointer)
	x := findingOf(report, c)
	if x == nil { // the Verifier's word
		p.arrow(2*step, message)
		return
	}
	depth := 2 * step
	for i, b := range report.Bindings {
		if concerns(x.Pointer, b.Pointer) && !told[b.Pointer] {
			told[b.Pointer], depth = true, 3*step
			var from *contract.Binding
			if source != nil && i < len(source.EvidenceBindings) {
				from = &source.EvidenceBindings[i]
			}
			p.pathBinding(b, from, st.Traces(a.Number))
		}
	}
	p.arrow(depth, message, "  ", p.paint(dim, clean(c.Code)))
	p.places(depth+step, x.Places)
}

// pathBinding prints a binding and the line that it stands at.
func (p *printer) pathBinding(b gate.BindingReport, source *contract.Binding, traces []trace.Trace) {
	p.arrow(2*step, p.bindingHead(b, source))
	if b.Tier != grounding.Absent || len(b.Spans) > 0 || source == nil {
		p.bindingLines(4*step, b, source)
		return
	}
	bytes := 0
	for _, t := range traces {
		bytes += len(t.Output)
		where := grounding.NewText(t.Output).Locate(source.EvidenceExcerpt)
		if source.EvidenceExcerpt != "" && where.Tier.Found() && len(where.Occurrences) > 0 {
			p.bindingLines(4*step, b, source)
			p.arrow(3*step, safe(p.say("它出现在 ", "it stands in ")), clean(t.Ref+" "+t.ToolName))
			p.evidence(4*step, t, where.Occurrences[0].Spans)
			return
		}
	}
	p.arrow(3*step, safe(fmt.Sprintf(p.say("在 %d 个 trace、共 %s 里都没有这段摘录", "nowhere in %d traces, %s"), len(traces), text.Size(bytes))))
	p.bindingLines(4*step, b, source)
}

// claimOf finds the claim that a pointer goes into.
func claimOf(claims []verdict.FinalClaim, pointer string) (verdict.FinalClaim, bool) {
	for _, f := range claims {
		if f.Pointer != "" && (pointer == f.Pointer || strings.HasPrefix(pointer, f.Pointer+"/")) {
			return f, true
		}
	}
	return verdict.FinalClaim{}, false
}

// findingOf is the gate's finding that a cause stands for, or nil.
func findingOf(r *gate.ClaimReport, c verdict.CauseItem) *gate.Finding {
	if r == nil || c.Code == "" {
		return nil
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; string(f.Code) == c.Code && f.Pointer == c.Pointer {
			return f
		}
	}
	return nil
}

// concerns reports whether a finding at pointer is about the binding: it points into
// it, or at the claim as a whole.
func concerns(pointer, binding string) bool {
	if !strings.Contains(pointer, "/evidence_bindings/") {
		return true
	}
	return pointer == binding || strings.HasPrefix(pointer, binding+"/")
}
