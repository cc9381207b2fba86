// Package hypotheses is the pane of what stands beside the claims: hypotheses with the
// evidence they need, missing information, and recommended actions.
package hypotheses

import (
	"strings"

	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

// Pane implements pane.Pane and pane.Searcher.
type Pane struct {
	pane.List
	p     *pane.Paints
	notes []view.Note
	drawn key
}

// key is what the drawn rows depend on.
type key struct{ content, w int }

// New returns the pane.
func New(t theme.Theme) *Pane { return &Pane{p: pane.NewPaints(t), List: pane.NewList()} }

// ID implements pane.Pane.
func (*Pane) ID() view.PaneID { return view.PaneHypotheses }

// Scope implements pane.Pane.
func (*Pane) Scope() keymap.Scope { return keymap.Hypotheses }

// Title implements pane.Pane.
func (*Pane) Title(v *view.View) string { return pane.Title(view.PaneHypotheses, v.Lang, "") }

// SetTheme implements pane.Pane.
func (c *Pane) SetTheme(t theme.Theme) { c.p, c.drawn = pane.NewPaints(t), key{} }

// Sync implements pane.Pane.
func (c *Pane) Sync(v *view.View) {
	if c.drawn.w > 0 {
		c.build(c.drawn.w, v)
	}
}

// Lines implements pane.Pane.
func (c *Pane) Lines(w, h int, v *view.View, focused bool) []string {
	c.build(pane.Room(w), v)
	return c.Rows.Draw(w, h, c.p, focused)
}

var (
	wordNone   = text.Label{ZH: "没有假设、缺失信息或建议", EN: "no hypotheses, gaps or actions"}
	wordNeeds  = text.Label{ZH: "需要：", EN: "needs: "}
	wordBasis  = text.Label{ZH: "依据：", EN: "basis: "}
	wordReason = text.Label{ZH: "理由：", EN: "reason: "}
	markAction = "→"

	headings = map[view.NoteKind]text.Label{
		view.Hypothesis:  {ZH: "假设", EN: "hypotheses"},
		view.MissingInfo: {ZH: "缺失信息", EN: "missing info"},
		view.Action:      {ZH: "建议操作", EN: "recommended actions"},
	}
)

func (c *Pane) build(w int, v *view.View) {
	if k := (key{v.ContentVersion(), w}); c.drawn != k {
		c.drawn = k
		c.draw(w, v)
	}
	cursor := -1
	for i := range c.notes {
		if p := c.notes[i].Pointer; v.Sel.Pointer == p || strings.HasPrefix(v.Sel.Pointer, p+"/") {
			cursor = i
		}
	}
	c.Rows.SetCursor(cursor)
}

func (c *Pane) draw(w int, v *view.View) {
	c.notes = v.Notes()
	c.Rows.Reset()
	if len(c.notes) == 0 {
		c.Rows.Wrap(-1, w, 0, 0, c.p.Dim.Raw(wordNone.In(v.Lang)))
	}
	for i := range c.notes {
		n := &c.notes[i]
		if i == 0 || c.notes[i-1].Kind != n.Kind {
			c.Rows.Add(-1, c.p.Dim.Raw(headings[n.Kind].In(v.Lang)))
		}
		c.note(i, n, w, v)
	}
	c.Rows.Finish()
}

func (c *Pane) note(i int, n *view.Note, w int, v *view.View) {
	say := func(l text.Label) string { return l.In(v.Lang) }
	switch n.Kind {
	case view.Hypothesis:
		c.Rows.Wrap(i, w, 0, 2, c.p.Warn.Raw(theme.MarkUnknown)+" "+c.p.Text.Text(n.Text))
		c.detail(i, w, say(wordBasis), n.Basis)
		if len(n.Needed) > 0 {
			sep := "; "
			if v.Lang == text.ZH {
				sep = "；"
			}
			c.detail(i, w, say(wordNeeds), strings.Join(n.Needed, sep))
		}
	case view.MissingInfo:
		c.Rows.Wrap(i, w, 0, 2, c.p.Info.Raw(theme.MarkNothing)+" "+c.p.Text.Text(n.Text))
	case view.Action:
		c.Rows.Wrap(i, w, 0, 2, c.p.Done.Raw(markAction)+" "+c.p.Text.Text(n.Text))
		c.detail(i, w, say(wordReason), n.Basis)
		for _, b := range n.Bindings {
			c.detail(i, w, "└ ", b.SourceID+" "+pane.IDs(b.SourceInvocationIDs))
		}
	}
}

func (c *Pane) detail(i, w int, label, s string) {
	if strings.TrimSpace(s) != "" {
		c.Rows.Wrap(i, w, 2, 2, c.p.Faint.Raw(label)+c.p.Dim.Text(s))
	}
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, v *view.View) (view.Intent, bool) {
	if at, ok := c.Step(a); ok {
		return c.intent(at), true
	}
	switch a {
	case keymap.Confirm:
		at := c.Rows.Cursor()
		if at < 0 || at >= len(c.notes) {
			return nil, false
		}
		if b := c.notes[at].Bindings; len(b) > 0 && v.Sel.Trace != b[0].SourceID {
			return view.ShowTrace{Ref: b[0].SourceID}, true
		}
		return view.FocusPane{Pane: view.PaneJSON}, true
	case keymap.Copy:
		if at := c.Rows.Cursor(); at >= 0 && at < len(c.notes) {
			return view.CopyText{What: headings[c.notes[at].Kind], Text: c.notes[at].Text}, true
		}
	default:
	}
	return nil, false
}

func (c *Pane) intent(at int) view.Intent {
	if at < 0 || at >= len(c.notes) {
		return nil
	}
	return view.SelectPointer{Pointer: c.notes[at].Pointer}
}

// Click implements pane.Pane.
func (c *Pane) Click(_, y int, _ *view.View) view.Intent {
	if at, ok := c.Rows.At(y); ok {
		return c.intent(at)
	}
	return nil
}
