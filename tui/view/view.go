// Package view is what the debugger shows of one session: a snapshot of the
// engine's state, one selection, and everything that panes derive from both. All
// panes draw the same View, so they are linked through its selection.
//
// The package is pure: no terminal, no styles, no I/O. Its texts are raw (tool and
// model text as it came); whoever draws them sends them through claimscope/tui/text.
// Derived values are computed once for each change of state or selection, never for
// a frame.
package view

import (
	"time"

	"claimscope/engine/event"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/tui/text"
)

// View is the session on screen. It belongs to one goroutine. Fields are for reading;
// they change by [View.SetState], [View.SetLang], [View.SetLive] and [View.Apply].
type View struct {
	State *state.Session
	Lang  text.Lang
	Live  Live
	Sel   Selection

	// Of the attempt shown.
	Attempt  *state.Attempt
	Claims   []Claim
	Findings []Finding // all problems in walking order: claims first, then the whole output
	Doc      Document  // the Executor's message and its value tree
	Texts    []Text    // the answer, then the Executor's own answers that the audit read

	// Of all attempts up to the one shown.
	Traces []Trace
	Stages []Stage // of every attempt, in order

	// Of the selection.
	Evidence Evidence

	// follow shows the newest trace while nobody has chosen another.
	follow  bool
	events  int
	version int
	content int
	live    int
	// What the last derivation was made of, so that nothing is derived twice.
	derived derivedFrom
	docOf   docOf
}

// derivedFrom identifies the inputs of a derivation.
type derivedFrom struct {
	state   *state.Session
	seq     int
	attempt int
	lang    text.Lang
	known   bool
}

// Live is what has arrived and is no event yet: the tail of a reply that streams in,
// the clock, the spinner.
type Live struct {
	Stage     event.Stage
	Content   string // the end of the text so far
	Reasoning string // the end of the reasoning so far
	ToolName  string // of a tool call that is being written
	Arguments string // the end of its arguments so far
	Now       time.Time
	Tick      int  // for the spinner
	Going     bool // a run is under way behind the view
}

// Selection is the one cursor that all panes share. Indexes are -1 for none.
type Selection struct {
	Attempt  int // number of the attempt shown; 0 follows the newest
	Claim    int // in View.Claims
	Binding  int // in the claim's bindings
	Finding  int // in View.Findings
	Spot     int // in View.Evidence.Spots; 0 when there are none
	Sentence int // in Texts[SentenceText].Sentences
	// SentenceText is the text of the sentence.
	SentenceText int
	Trace        string      // ref of the trace shown, which may name none; "" for none
	Pointer      string      // JSON pointer into the contract; "" for the whole
	Stage        event.Stage // in the pipeline; "" for none
	// StageAttempt is the attempt of that stage.
	StageAttempt int
}

// New returns a view of a session with nothing selected.
func New(s *state.Session, lang text.Lang) *View {
	v := &View{Lang: lang, Sel: noSelection(), follow: true}
	v.SetState(s, s.Seq())
	return v
}

func noSelection() Selection { return Selection{Claim: -1, Binding: -1, Finding: -1, Sentence: -1} }

// SetState shows another snapshot of the session and keeps the selection as far as
// it still means something. events is the number of events there are; a snapshot
// of fewer is a look back in time.
func (v *View) SetState(s *state.Session, events int) {
	v.State, v.events = s, max(events, s.Seq())
	v.refresh()
}

// SetLang changes the language of words that panes take from the view.
func (v *View) SetLang(lang text.Lang) {
	v.Lang = lang
	v.refresh()
}

// SetLive shows what streams in. It derives nothing.
func (v *View) SetLive(l Live) {
	v.Live = l
	v.live++
}

// Version counts the changes of state, language and selection. A pane that drew this
// version need not draw again.
func (v *View) Version() int { return v.version }

// ContentVersion counts the changes of state and language alone.
func (v *View) ContentVersion() int { return v.content }

// LiveVersion counts the calls of [View.SetLive].
func (v *View) LiveVersion() int { return v.live }

// Past reports whether the snapshot is an earlier one than the newest.
func (v *View) Past() bool { return v.State.Seq() < v.events }

// refresh derives everything anew, but for what the inputs did not change.
func (v *View) refresh() {
	v.version++
	v.Attempt = v.shownAttempt()
	from := derivedFrom{state: v.State, seq: v.State.Seq(), attempt: v.Attempt.Number, lang: v.Lang, known: true}
	if from != v.derived {
		same := v.derived.known && v.derived.attempt == from.attempt
		v.derived = from
		v.content++
		v.Traces = v.traceRows()
		v.readDocument()
		v.Claims = v.claimRows()
		v.Findings = v.findingRows()
		v.link()
		v.Texts = v.texts()
		v.Stages = v.stageRows()
		if !same {
			attempt, stage, at := v.Sel.Attempt, v.Sel.Stage, v.Sel.StageAttempt
			v.Sel = noSelection()
			v.Sel.Attempt, v.Sel.Stage, v.Sel.StageAttempt = attempt, stage, at
		}
	}
	v.clamp()
	v.Evidence = v.evidence()
	v.Sel.Spot = max(min(v.Sel.Spot, len(v.Evidence.Spots)-1), 0)
	v.Evidence.finish(v.Sel.Spot)
}

// shownAttempt is the attempt that is selected, or the newest.
func (v *View) shownAttempt() *state.Attempt {
	if v.Sel.Attempt > 0 {
		if a, ok := v.State.Attempt(v.Sel.Attempt); ok {
			return a
		}
		v.Sel.Attempt = 0
	}
	return v.State.Current()
}

// clamp drops parts of the selection that no longer exist.
func (v *View) clamp() {
	s := &v.Sel
	if s.Claim >= len(v.Claims) {
		s.Claim, s.Binding = -1, -1
	}
	if s.Claim < 0 || s.Binding >= len(v.Claims[s.Claim].Bindings) {
		s.Binding = -1
	}
	if s.Finding >= len(v.Findings) {
		s.Finding = -1
	}
	if s.Sentence >= 0 && (s.SentenceText >= len(v.Texts) || s.Sentence >= len(v.Texts[s.SentenceText].Sentences)) {
		s.Sentence = -1
	}
	if n := len(v.Traces); n > 0 && (s.Trace == "" || v.follow && !v.State.Done()) {
		s.Trace = v.Traces[0].Ref
		if v.follow && !v.State.Done() {
			s.Trace = v.Traces[n-1].Ref
		}
	}
}

// Claim returns the claim that is selected, or nil.
func (v *View) Claim() *Claim {
	if v.Sel.Claim < 0 {
		return nil
	}
	return &v.Claims[v.Sel.Claim]
}

// Binding returns the binding that is selected, or nil.
func (v *View) Binding() *Binding {
	if c := v.Claim(); c != nil && v.Sel.Binding >= 0 {
		return &c.Bindings[v.Sel.Binding]
	}
	return nil
}

// Finding returns the finding that is selected, or nil.
func (v *View) Finding() *Finding {
	if v.Sel.Finding < 0 {
		return nil
	}
	return &v.Findings[v.Sel.Finding]
}

// Trace returns the row of a trace, or nil.
func (v *View) Trace(ref string) *Trace {
	for i := range v.Traces {
		if v.Traces[i].Ref == ref {
			return &v.Traces[i]
		}
	}
	return nil
}

// ShownTrace returns the trace that is shown, or nil when there is none of that ref
// or it still runs.
func (v *View) ShownTrace() *trace.Trace {
	if t := v.Trace(v.Sel.Trace); t != nil {
		return t.Trace
	}
	return nil
}
