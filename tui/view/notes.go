package view

import (
	"fmt"

	"claimscope/engine/contract"
)

// NoteKind is a kind of row beside the claims.
type NoteKind uint8

// The kinds of Note.
const (
	Hypothesis NoteKind = iota
	MissingInfo
	Action
)

// Note is a hypothesis, a piece of missing information or a recommended action.
type Note struct {
	Kind     NoteKind
	Pointer  string
	Text     string
	Basis    string   // of a hypothesis; the reason of an action
	Needed   []string // evidence that a hypothesis needs
	Bindings []contract.Binding
}

// Notes lists hypotheses, missing information and recommended actions.
func (v *View) Notes() []Note {
	c := v.Attempt.Structured()
	if c == nil {
		return nil
	}
	var out []Note
	for i, h := range c.Hypotheses {
		out = append(out, Note{Kind: Hypothesis, Pointer: fmt.Sprintf("/hypotheses/%d", i), Text: h.HypothesisText, Basis: h.Basis, Needed: h.NeededEvidence})
	}
	for i, m := range c.MissingInfo {
		out = append(out, Note{Kind: MissingInfo, Pointer: fmt.Sprintf("/missing_info/%d", i), Text: m})
	}
	for i, r := range c.RecommendedActions {
		out = append(out, Note{
			Kind: Action, Pointer: fmt.Sprintf("/recommended_actions/%d", i), Text: r.ActionText, Basis: r.Reason, Bindings: r.EvidenceBindings,
		})
	}
	return out
}
