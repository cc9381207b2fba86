// Package keymap is the one table of keys: what each is called, what it does and
// what the help says of it. Matching ([Match]), the help screen ([Help], [Search])
// and the hints in the bottom bar ([Hint]) are all read from it, so they cannot
// disagree.
//
// Keys are named as Bubble Tea prints them: "a", "G", "ctrl+d", "pgup",
// "shift+tab", " " for the space bar.
package keymap

// Action is what a key does. The names say it from the reader's side.
type Action int

// The actions. None is what an unbound key does.
const (
	None Action = iota

	Quit
	Interrupt
	Suspend
	ShowHelp
	ToggleLang
	ToggleTheme
	Back
	Confirm

	FocusNext
	FocusPrev
	FocusPipeline
	FocusClaims
	FocusJSON
	FocusAnswer
	FocusTrace
	FocusHypotheses
	Zoom

	Up
	Down
	Left
	Right
	PageUp
	PageDown
	HalfUp
	HalfDown
	Home
	End

	SearchStart
	SearchNext
	SearchPrev
	GotoLine

	NextBlocking
	PrevBlocking
	NextWarning
	PrevWarning
	NextOccurrence
	PrevOccurrence

	Step
	Continue
	Pause
	Breakpoints
	Edit
	Fork
	Resume
	EventBack
	EventForward
	Rerun
	RerunMany
	Skip
	VerifierView
	Compare

	Accept
	Override
	Mark
	Copy
	Export

	ToggleFold
	ExpandAll
	CollapseAll
	ToggleRaw
	ToggleWrap
	TogglePretty
	ToggleFollow
	SaveRaw

	actionCount // keep last
)

// Scope is the part of the console in which a binding holds.
type Scope int

// The scopes. An inner scope is asked first, then those around it (see
// [Scope.Outer]).
const (
	Global    Scope = iota // everywhere but in text input
	Sessions               // the list of sessions
	Debugger               // one session, whichever pane has the focus
	Comparing              // two sessions side by side
	Pipeline               // the panes of the debugger
	Claims
	JSON
	Answer
	Trace
	Hypotheses
	Dialog // a question, a menu or the help over a screen
	Input  // a line of text is being typed: letters are text

	scopeCount // keep last
)

// Outer returns the scope that is asked when s has no binding for a key; ok is
// false for the outermost.
func (s Scope) Outer() (outer Scope, ok bool) {
	switch s {
	case Pipeline, Claims, JSON, Answer, Trace, Hypotheses:
		return Debugger, true
	case Sessions, Debugger, Comparing, Dialog:
		return Global, true
	case Global, Input, scopeCount:
		return s, false
	}
	return s, false
}

// Scopes returns all scopes, in the order of the help.
func Scopes() []Scope {
	out := make([]Scope, 0, int(scopeCount))
	for s := range scopeCount {
		out = append(out, s)
	}
	return out
}
