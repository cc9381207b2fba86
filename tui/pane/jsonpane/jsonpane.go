// Package jsonpane is the pane of the Executor's last message: its value tree, or the
// raw text with repairs and the selection marked.
package jsonpane

import (
	"strconv"
	"strings"

	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// Pane implements pane.Pane, pane.Searcher and pane.Goer.
type Pane struct {
	p      *pane.Paints
	styles widget.TextStyles

	raw     *widget.TextView
	message string
	synced  int
	pointer string
	head    []string
	w, h    int
}

// New returns the pane.
func New(t theme.Theme) *Pane {
	c := &Pane{raw: widget.NewTextView(widget.NewSource(nil)), synced: -1}
	c.raw.SetScrollBar(true)
	c.SetTheme(t)
	return c
}

// ID implements pane.Pane.
func (*Pane) ID() view.PaneID { return view.PaneJSON }

// Scope implements pane.Pane.
func (*Pane) Scope() keymap.Scope { return keymap.JSON }

// Title implements pane.Pane: the parse status, unless all is well.
func (*Pane) Title(v *view.View) string {
	status := ""
	if v.Attempt.Parsed != nil && v.Attempt.Parsed.Status != "ok" {
		status = string(v.Attempt.Parsed.Status)
	}
	return pane.Title(view.PaneJSON, v.Lang, status)
}

// SetTheme implements pane.Pane.
func (c *Pane) SetTheme(t theme.Theme) {
	c.p, c.styles, c.synced = pane.NewPaints(t), pane.TextStyles(t), -1
	c.raw.SetStyles(c.styles)
}

// Sync implements pane.Pane.
func (c *Pane) Sync(v *view.View) {
	if c.synced == v.Version() {
		return
	}
	c.synced = v.Version()
	if c.message != v.Doc.Text {
		c.message = v.Doc.Text
		c.raw.SetSource(widget.NewSourceString(c.message))
		c.pointer = ""
	}
	var marks []widget.Mark
	for _, e := range v.Doc.Reading.Edits {
		marks = append(marks, widget.Mark{Start: e.Offset, End: e.Offset + max(len(e.Removed), 1), Class: widget.ClassRepair})
	}
	n := v.Doc.Node(v.Sel.Pointer)
	if n != nil && v.Sel.Pointer != "" {
		marks = append(marks, widget.Mark{Start: n.Span.Start, End: n.Span.End, Class: widget.ClassCurrent})
	}
	c.raw.SetMarks(marks)
	if c.pointer != v.Sel.Pointer {
		c.pointer = v.Sel.Pointer
		if n != nil {
			c.raw.Show(n.Span.Start, n.Span.End)
		}
	}
}

var wordWaiting = text.Label{ZH: "Executor 还没有给出结果", EN: "the Executor has not answered yet"}

// Lines implements pane.Pane.
func (c *Pane) Lines(w, h int, v *view.View, _ bool) []string {
	c.Sync(v)
	c.w, c.h = w, h
	if !v.Doc.Has {
		out := waitingBlock(c.p.Dim.Raw(wordWaiting.In(v.Lang)), w, h)
		return out
	}
	c.raw.SetSize(w, h)
	return c.raw.Lines()
}

func waitingBlock(s string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		out[i] = text.Spaces(w)
	}
	for i, l := range text.WrapStyled(s, w, 0) {
		if i < h {
			out[i] = text.Fit(l, w, "…")
		}
	}
	return out
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, v *view.View) (view.Intent, bool) {
	switch a {
	case keymap.SearchNext:
		c.raw.SearchNext()
	case keymap.SearchPrev:
		c.raw.SearchPrev()
	case keymap.ToggleWrap:
		c.raw.SetWrap(!c.raw.Wrap())
	case keymap.Copy:
		return view.CopyText{What: text.Label{ZH: "JSON 路径", EN: "the JSON path"}, Text: v.Sel.Pointer}, true
	default:
		m, ok := pane.Move(a)
		if ok {
			c.raw.Do(m)
		}
		return nil, ok
	}
	return nil, true
}

// Click implements pane.Pane.
func (c *Pane) Click(x, y int, _ *view.View) view.Intent {
	if off, ok := c.raw.OffsetAt(x, y-len(c.head)); ok {
		return view.SelectJSONOffset{Offset: off}
	}
	return nil
}

// Wheel implements pane.Pane.
func (c *Pane) Wheel(rows int) { c.raw.Scroll(rows) }

// Search implements pane.Searcher.
func (c *Pane) Search(query string, _ *view.View) { c.raw.Search(query) }

// SearchState implements pane.Searcher.
func (c *Pane) SearchState() (widget.SearchState, bool) { return c.raw.SearchState() }

// StepSearch implements pane.Searcher.
func (c *Pane) StepSearch(budget int) bool { return c.raw.StepSearch(budget) }

// Goto implements pane.Goer.
func (c *Pane) Goto(where string, _ *view.View) bool {
	line, err := strconv.Atoi(strings.TrimSpace(where))
	return err == nil && c.raw.GotoLine(line)
}
