package pane

import (
	"claimscope/tui/keymap"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// List is the part of a pane that is one list of rows: it scrolls, and is a [Searcher],
// as the rows do. Panes embed it.
type List struct{ Rows *Rows }

// NewList returns a list without rows.
func NewList() List { return List{NewRows()} }

// Wheel implements [Pane].
func (l List) Wheel(rows int) { l.Rows.Scroll(rows) }

// Search implements [Searcher].
func (l List) Search(query string, _ *view.View) { l.Rows.Search(query) }

// SearchState implements [Searcher].
func (l List) SearchState() (widget.SearchState, bool) { return l.Rows.SearchState() }

// StepSearch implements [Searcher]: all rows are searched at once.
func (List) StepSearch(int) bool { return false }

// Step moves the cursor as a key says, or to the next hit of the search. ok is false for
// other keys, and where there is nothing to go to.
func (l List) Step(a keymap.Action) (item int, ok bool) {
	if a == keymap.SearchNext || a == keymap.SearchPrev {
		return l.Rows.NextHit(a == keymap.SearchPrev)
	}
	return l.Rows.Move(a)
}
