package view

import (
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/tui/text"
)

// Intent is what a person wants. The set is closed. Intents that only move the
// selection are applied by [View.Apply]; the others are for the root.
type Intent interface{ intent() }

// Intents that move the selection.
type (
	// SelectClaim selects a claim as a whole, by index.
	SelectClaim struct{ Claim int }
	// SelectBinding selects one binding of a claim.
	SelectBinding struct{ Claim, Binding int }
	// SelectFinding selects a problem and with it its claim, binding and place.
	SelectFinding struct{ Finding int }
	// WalkFindings goes to the next (or the previous) finding of that severity, round the
	// end; a walk of the warnings stops at notices too.
	WalkFindings struct {
		Severity gate.Severity
		Back     bool
	}
	// WalkSpots goes to the next (or the previous) place of the evidence, round the end.
	WalkSpots struct{ Back bool }
	// ShowTrace shows a trace, whatever is selected.
	ShowTrace struct{ Ref string }
	// SelectPointer selects what stands at a JSON pointer of the contract.
	SelectPointer struct{ Pointer string }
	// SelectJSONOffset selects the innermost value at a byte of the message.
	SelectJSONOffset struct{ Offset int }
	// SelectSentence selects a sentence of View.Texts[Text], and its first claim, or the
	// next one of its claims when it is selected already.
	SelectSentence struct{ Text, Sentence int }
	// SelectTraceOffset selects the claim that cites a byte of a trace, or the next one
	// when several do.
	SelectTraceOffset struct {
		Ref    string
		Offset int
	}
	// SelectStage selects a stage in the pipeline, and shows its attempt.
	SelectStage struct {
		Attempt int
		Stage   event.Stage
	}
	// ClearSelection goes one step out: from a finding to its claim, to none.
	ClearSelection struct{}
)

// Intents for the root.
type (
	// CopyText copies text that a person asked for.
	CopyText struct {
		What text.Label
		Text string
	}
	// SaveRaw saves the raw output of a trace.
	SaveRaw struct{ Ref string }
	// OpenFull shows a text on the whole screen.
	OpenFull struct {
		Title string
		Text  string
	}
	// Explain opens the explanation of a finding.
	Explain struct{ Finding int }
	// ShowVerifier opens the Verifier's view.
	ShowVerifier struct{}
	// FocusPane moves the focus.
	FocusPane struct{ Pane PaneID }
)

// PaneID names a pane. The values are the digits that focus them.
type PaneID int

// The panes of the debugger.
const (
	PanePipeline   PaneID = 1
	PaneClaims     PaneID = 2
	PaneJSON       PaneID = 3
	PaneAnswer     PaneID = 4
	PaneTrace      PaneID = 5
	PaneHypotheses PaneID = 6
)

func (SelectClaim) intent()       {}
func (SelectBinding) intent()     {}
func (SelectFinding) intent()     {}
func (WalkFindings) intent()      {}
func (WalkSpots) intent()         {}
func (ShowTrace) intent()         {}
func (SelectPointer) intent()     {}
func (SelectJSONOffset) intent()  {}
func (SelectSentence) intent()    {}
func (SelectTraceOffset) intent() {}
func (SelectStage) intent()       {}
func (ClearSelection) intent()    {}
func (CopyText) intent()          {}
func (SaveRaw) intent()           {}
func (OpenFull) intent()          {}
func (Explain) intent()           {}
func (ShowVerifier) intent()      {}
func (FocusPane) intent()         {}
