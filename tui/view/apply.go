package view

import (
	"claimscope/engine/gate"
	"slices"
	"strings"

	"claimscope/engine/grounding"
)

// Apply moves the selection as an intent says. It reports whether the intent was one
// of the selection: the others are the root's. Indexes out of range change nothing.
func (v *View) Apply(i Intent) bool {
	switch i := i.(type) {
	case SelectClaim:
		v.selectBinding(i.Claim, -1)
	case SelectBinding:
		v.selectBinding(i.Claim, i.Binding)
	case SelectFinding:
		v.selectFinding(i.Finding)
	case WalkFindings:
		v.walkFindings(i)
	case WalkSpots:
		v.walkSpots(i.Back)
	case ShowTrace:
		v.Sel.Trace = i.Ref
	case SelectPointer:
		v.selectPointer(i.Pointer)
	case SelectJSONOffset:
		v.selectPointer(v.Doc.PointerAt(i.Offset))
	case SelectSentence:
		v.selectSentence(i)
	case SelectTraceOffset:
		v.selectTraceOffset(i)
	case SelectStage:
		v.Sel.Stage, v.Sel.StageAttempt = i.Stage, i.Attempt
		v.showAttempt(i.Attempt)
	case ClearSelection:
		v.clear()
	case CopyText, SaveRaw, OpenFull, Explain, ShowVerifier, FocusPane, nil:
		return false
	}
	switch i.(type) {
	case SelectStage, ClearSelection:
	default:
		v.follow = false
	}
	v.refresh()
	return true
}

// showAttempt shows an attempt. The newest is followed.
func (v *View) showAttempt(n int) {
	if n == v.State.Current().Number {
		n = 0
	}
	v.Sel.Attempt = n
}

// selectBinding selects a claim, or one of its bindings, and shows where it leads.
func (v *View) selectBinding(claim, binding int) {
	if claim < 0 || claim >= len(v.Claims) || binding >= len(v.Claims[claim].Bindings) {
		return
	}
	c := &v.Claims[claim]
	v.Sel.Claim, v.Sel.Binding, v.Sel.Finding, v.Sel.Spot = claim, max(binding, -1), -1, 0
	v.Sel.Pointer = c.Pointer
	if binding >= 0 {
		v.Sel.Pointer = c.Bindings[binding].Pointer
	}
	v.matchSentence()
	v.showSpot()
}

// showSpot shows the trace of the current place of the evidence, or else the one that
// the selection cites.
func (v *View) showSpot() {
	e := v.evidence()
	if v.Sel.Spot >= 0 && v.Sel.Spot < len(e.Spots) {
		v.Sel.Trace = e.Spots[v.Sel.Spot].Ref
		return
	}
	if b := v.Binding(); b != nil {
		v.Sel.Trace = b.TraceRef
		return
	}
	if c := v.Claim(); c != nil && len(c.Bindings) > 0 {
		v.Sel.Trace = c.Bindings[0].TraceRef
	}
}

func (v *View) selectFinding(i int) {
	if i < 0 || i >= len(v.Findings) {
		return
	}
	f := &v.Findings[i]
	if f.Claim >= 0 {
		v.selectBinding(f.Claim, f.Binding)
	} else {
		v.Sel.Claim, v.Sel.Binding, v.Sel.Sentence = -1, -1, -1
	}
	v.Sel.Finding, v.Sel.Spot = i, 0
	if f.Pointer != "" || f.Claim < 0 {
		v.Sel.Pointer = f.Pointer
	}
	if f.Claim < 0 {
		v.sentenceOfExtra(i)
	}
	v.showSpot()
}

// sentenceOfExtra selects the sentence of the answer that a finding is about.
func (v *View) sentenceOfExtra(finding int) {
	for t := range v.Texts {
		for _, x := range v.Texts[t].Extras {
			if x.Finding != finding {
				continue
			}
			for s, sentence := range v.Texts[t].Sentences {
				if sentence.Start <= x.Start && x.Start < sentence.End {
					v.Sel.SentenceText, v.Sel.Sentence = t, s
					return
				}
			}
		}
	}
}

// matchSentence selects the first sentence that comes from the selected claim, unless
// the one selected does.
func (v *View) matchSentence() {
	from := func(t, s int) bool { return slices.Contains(v.Texts[t].Sentences[s].Claims, v.Sel.Claim) }
	if v.Sel.Sentence >= 0 && from(v.Sel.SentenceText, v.Sel.Sentence) {
		return
	}
	for t := range v.Texts {
		for s := range v.Texts[t].Sentences {
			if from(t, s) {
				v.Sel.SentenceText, v.Sel.Sentence = t, s
				return
			}
		}
	}
	v.Sel.Sentence = -1
}

// walkFindings goes on from the selected finding, or from the selected claim.
func (v *View) walkFindings(w WalkFindings) {
	n := len(v.Findings)
	if n == 0 {
		return
	}
	at, step := v.Sel.Finding, 1
	if w.Back {
		step = -1
	}
	if at < 0 {
		at = v.beforeClaim(w)
	}
	for k := 1; k <= n; k++ {
		i := ((at+step*k)%n + n) % n
		if w.meets(v.Findings[i].Severity) {
			v.selectFinding(i)
			return
		}
	}
}

// meets reports whether a walk stops at a severity.
func (w WalkFindings) meets(s gate.Severity) bool {
	return s == w.Severity || w.Severity == gate.Warn && s == gate.Info
}

// Walked says where the selected finding stands on its walk, from 1, and how long the
// walk is; 0 of 0 when none is selected.
func (v *View) Walked() (number, of int) {
	f := v.Finding()
	if f == nil {
		return 0, 0
	}
	w := WalkFindings{Severity: f.Severity}
	if f.Severity == gate.Info {
		w.Severity = gate.Warn
	}
	for i := range v.Findings {
		if w.meets(v.Findings[i].Severity) {
			if of++; i <= f.Index {
				number++
			}
		}
	}
	return number, of
}

// beforeClaim is where a walk starts when no finding is selected: just outside of the
// selected claim's findings, so that the walk comes to them first.
func (v *View) beforeClaim(w WalkFindings) int {
	if w.Back {
		for i := len(v.Findings) - 1; i >= 0; i-- {
			if c := v.Findings[i].Claim; v.Sel.Claim >= 0 && c >= 0 && c <= v.Sel.Claim {
				return i + 1
			}
		}
		return 0
	}
	for i := range v.Findings {
		if c := v.Findings[i].Claim; v.Sel.Claim >= 0 && (c < 0 || c >= v.Sel.Claim) {
			return i - 1
		}
	}
	return -1
}

func (v *View) walkSpots(back bool) {
	n := len(v.Evidence.Spots)
	if n == 0 {
		return
	}
	step := 1
	if back {
		step = n - 1
	}
	v.selectSpot((v.Sel.Spot + step) % n)
}

func (v *View) selectSpot(i int) {
	if i >= 0 && i < len(v.Evidence.Spots) {
		v.Sel.Spot, v.Sel.Trace = i, v.Evidence.Spots[i].Ref
	}
}

// selectPointer selects what a pointer goes into.
func (v *View) selectPointer(pointer string) {
	claim := v.claimAt(pointer)
	if claim < 0 {
		v.Sel.Claim, v.Sel.Binding, v.Sel.Finding, v.Sel.Spot, v.Sel.Sentence = -1, -1, -1, 0, -1
		v.Sel.Pointer = pointer
		v.sentenceFrom(pointer)
		return
	}
	binding := v.bindingAt(claim, pointer)
	if claim != v.Sel.Claim || binding != v.Sel.Binding || v.Sel.Finding >= 0 {
		v.selectBinding(claim, binding)
	}
	v.Sel.Pointer = pointer
}

// sentenceFrom selects the first sentence that comes from a hypothesis, an action or a
// gap.
func (v *View) sentenceFrom(pointer string) {
	for t := range v.Texts {
		for s, sentence := range v.Texts[t].Sentences {
			for _, source := range sentence.Sources {
				if strings.Count(source, "/") == 2 && under(pointer, source) {
					v.Sel.SentenceText, v.Sel.Sentence = t, s
					return
				}
			}
		}
	}
}

func (v *View) selectSentence(i SelectSentence) {
	if i.Text < 0 || i.Text >= len(v.Texts) || i.Sentence < 0 || i.Sentence >= len(v.Texts[i.Text].Sentences) {
		return
	}
	s := &v.Texts[i.Text].Sentences[i.Sentence]
	again := v.Sel.Sentence == i.Sentence && v.Sel.SentenceText == i.Text
	v.Sel.SentenceText, v.Sel.Sentence = i.Text, i.Sentence
	switch {
	case len(s.Claims) > 0:
		next := 0
		if at := slices.Index(s.Claims, v.Sel.Claim); again && at >= 0 {
			next = (at + 1) % len(s.Claims)
		}
		v.selectBinding(s.Claims[next], -1)
	case len(s.Sources) > 0:
		v.selectPointer(s.Sources[0])
	default:
		v.selectUnsourced(i.Text, s)
	}
	v.Sel.SentenceText, v.Sel.Sentence = i.Text, i.Sentence
}

// selectUnsourced selects the finding about a sentence without a source, if there is one.
func (v *View) selectUnsourced(t int, s *Sentence) {
	v.Sel.Claim, v.Sel.Binding, v.Sel.Finding, v.Sel.Spot = -1, -1, -1, 0
	for _, x := range v.Texts[t].Extras {
		if s.Start <= x.Start && x.Start < s.End && x.Finding >= 0 {
			v.selectFinding(x.Finding)
			return
		}
	}
}

// cite is a binding whose evidence holds a byte of a trace.
type cite struct{ claim, binding, spot int }

// selectTraceOffset selects a claim that cites a byte; asked again, the next one.
func (v *View) selectTraceOffset(i SelectTraceOffset) {
	v.Sel.Trace = i.Ref
	var cites []cite
	for c := range v.Claims {
		for b := range v.Claims[c].Bindings {
			if k := citedAt(&v.Claims[c].Bindings[b], i); k >= 0 {
				cites = append(cites, cite{c, b, k})
			}
		}
	}
	if len(cites) == 0 {
		return
	}
	next := 0
	for k, c := range cites {
		if c.claim == v.Sel.Claim && c.binding == v.Sel.Binding {
			next = (k + 1) % len(cites)
		}
	}
	v.selectBinding(cites[next].claim, cites[next].binding)
	v.Evidence = v.evidence()
	v.selectSpot(cites[next].spot)
}

// citedAt gives the occurrence of a binding that holds the byte, or -1.
func citedAt(b *Binding, i SelectTraceOffset) int {
	if b.Report == nil || b.TraceRef != i.Ref || b.Report.Tier == grounding.Absent {
		return -1
	}
	for k, o := range b.Report.Occurrences {
		for _, s := range o.Spans {
			if s.Start <= i.Offset && i.Offset < s.End {
				return k
			}
		}
	}
	return -1
}

// clear goes one step out.
func (v *View) clear() {
	s := &v.Sel
	switch {
	case s.Finding >= 0:
		s.Finding, s.Spot = -1, 0
	case s.Binding >= 0:
		v.selectBinding(s.Claim, -1)
	default:
		s.Claim, s.Binding, s.Sentence, s.Spot, s.Pointer = -1, -1, -1, 0, ""
		v.follow = true
	}
}
