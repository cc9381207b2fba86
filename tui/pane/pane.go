// Package pane says what a pane of the debugger is, and holds what the panes share:
// painted text, lists of rows with a cursor, words. Each pane is a package below
// it; none knows another. Panes draw a view.View and answer keys and clicks with
// view.Intents; they change nothing and do no I/O.
package pane

import (
	"strconv"

	"claimscope/tui/keymap"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// Pane is one pane of the debugger, or its overlay. It belongs to one goroutine.
// Sizes and places are cells of its inside: the frame around it is the root's.
type Pane interface {
	// ID is the pane's number; 0 for an overlay.
	ID() view.PaneID
	// Scope is the part of the key table that holds while the pane has the focus.
	Scope() keymap.Scope
	// Title is one line of plain text, number first: "5 Trace  trace-1 query_metrics #101".
	Title(v *view.View) string
	// SetTheme changes the styles.
	SetTheme(t theme.Theme)
	// Key answers a key. ok is false for keys that the pane does not use; a nil intent
	// with ok means that the pane has moved or changed itself.
	Key(a keymap.Action, v *view.View) (i view.Intent, ok bool)
	// Click answers a click, nil when nothing is there.
	Click(x, y int, v *view.View) view.Intent
	// Wheel scrolls by rows, down if positive.
	Wheel(rows int)
	// Sync follows the selection: call it after the view has changed.
	Sync(v *view.View)
	// Lines draws exactly h lines of exactly w cells. The slice is valid until the next
	// call.
	Lines(w, h int, v *view.View, focused bool) []string
}

// Searcher is a pane that can be searched. Hits are walked with keymap.SearchNext and
// keymap.SearchPrev.
type Searcher interface {
	// Search looks for a text, from the place shown on; "" ends the search.
	Search(query string, v *view.View)
	// SearchState says how far the search is; ok is false without one.
	SearchState() (s widget.SearchState, ok bool)
	// StepSearch goes on searching for about that many bytes and reports whether there
	// is more to do.
	StepSearch(budget int) (more bool)
}

// Goer is a pane that can go to a line ("12") or a byte ("@3400").
type Goer interface {
	Goto(where string, v *view.View) (ok bool)
}

// names are the panes' names.
var names = map[view.PaneID]text.Label{
	view.PanePipeline:   {ZH: "流程", EN: "Pipeline"},
	view.PaneClaims:     {ZH: "结论", EN: "Claims"},
	view.PaneJSON:       {ZH: "Executor JSON", EN: "Executor JSON"},
	view.PaneAnswer:     {ZH: "答复", EN: "Answer"},
	view.PaneTrace:      {ZH: "工具轨迹", EN: "Trace"},
	view.PaneHypotheses: {ZH: "假设与缺失信息", EN: "Hypotheses & missing info"},
}

// tabs are the names that tabs have where they differ.
var tabs = map[view.PaneID]text.Label{
	view.PaneJSON:       {ZH: "JSON", EN: "JSON"},
	view.PaneHypotheses: {ZH: "假设与缺失", EN: "Hypotheses"},
}

// TabName gives the short name of a pane: all of them fit on one line of 80 cells.
func TabName(id view.PaneID) text.Label {
	if l, ok := tabs[id]; ok {
		return l
	}
	return names[id]
}

// Title writes a title: the number, the name, and what the pane shows.
func Title(id view.PaneID, lang text.Lang, shows string) string {
	t := strconv.Itoa(int(id)) + " " + names[id].In(lang)
	if shows != "" {
		t += "  " + text.SanitiseLine(shows)
	}
	return t
}
