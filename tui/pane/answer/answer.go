// Package answer is the pane of the answer: Chinese Markdown, each sentence linked to
// the claims that it comes from.
package answer

import (
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// Pane implements pane.Pane and pane.Searcher.
type Pane struct {
	p     *pane.Paints
	rows  *pane.Rows
	items []view.SelectSentence
	drawn key
}

// key is what the drawn rows depend on.
type key struct{ version, w int }

// New returns the pane.
func New(t theme.Theme) *Pane { return &Pane{p: pane.NewPaints(t), rows: pane.NewRows()} }

// ID implements pane.Pane.
func (*Pane) ID() view.PaneID { return view.PaneAnswer }

// Scope implements pane.Pane.
func (*Pane) Scope() keymap.Scope { return keymap.Answer }

// Title implements pane.Pane.
func (*Pane) Title(v *view.View) string { return pane.Title(view.PaneAnswer, v.Lang, "") }

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
	c.build(w, v)
	return c.rows.Draw(w, h, c.p, focused)
}

var wordNone = text.Label{ZH: "还没有答复", EN: "no answer yet"}

func (c *Pane) build(w int, v *view.View) {
	k := key{v.Version(), w}
	if c.drawn == k {
		return
	}
	c.drawn = k
	c.items = c.items[:0]
	c.rows.Reset()
	cursor := -1
	if len(v.Texts) == 0 {
		c.rows.Wrap(-1, w, 0, 0, c.p.Dim.Raw(wordNone.In(v.Lang)))
	}
	for t := range v.Texts {
		x := &v.Texts[t]
		at := 0
		for s := range x.Sentences {
			k := &x.Sentences[s]
			if k.Start > at {
				c.rows.Wrap(-1, w, 0, 0, c.p.Text.Text(x.Markdown[at:k.Start]))
			}
			if k.Start < at {
				continue
			}
			if v.Sel.SentenceText == t && v.Sel.Sentence == s {
				cursor = len(c.items)
			}
			c.rows.Wrap(len(c.items), w, 0, 0, c.p.Text.Text(x.Markdown[k.Start:k.End]))
			c.items = append(c.items, view.SelectSentence{Text: t, Sentence: s})
			at = k.End
		}
		c.rows.Wrap(-1, w, 0, 0, c.p.Text.Text(x.Markdown[at:]))
	}
	c.rows.Finish()
	c.rows.SetCursor(cursor)
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, v *view.View) (view.Intent, bool) {
	if at, ok := c.rows.Move(a); ok {
		return c.items[at], true
	}
	switch a {
	case keymap.Confirm:
		return view.FocusPane{Pane: view.PaneClaims}, true
	case keymap.Copy:
		if len(v.Texts) > 0 {
			return view.CopyText{What: text.Label{ZH: "答复", EN: "the answer"}, Text: v.Texts[0].Markdown}, true
		}
	default:
	}
	return nil, false
}

// Click implements pane.Pane.
func (c *Pane) Click(_, y int, _ *view.View) view.Intent {
	if at, ok := c.rows.At(y); ok {
		return c.items[at]
	}
	return nil
}

// Wheel implements pane.Pane.
func (c *Pane) Wheel(rows int) { c.rows.Scroll(rows) }

// Search implements pane.Searcher.
func (c *Pane) Search(query string, _ *view.View) { c.rows.Search(query) }

// SearchState implements pane.Searcher.
func (c *Pane) SearchState() (widget.SearchState, bool) { return c.rows.SearchState() }

// StepSearch implements pane.Searcher.
func (*Pane) StepSearch(int) bool { return false }
