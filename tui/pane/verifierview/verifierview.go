// Package verifierview is the overlay that shows the Verifier's view: the payload it is
// given, field by field, and what was withheld from it.
package verifierview

import (
	"strconv"

	"claimscope/engine/state"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// Two columns: from this width on, what was withheld stands beside the payload.
const (
	beside = 90
	column = 38
)

// Pane implements pane.Pane and pane.Searcher.
type Pane struct {
	pane.List
	p       *pane.Paints
	side    []string // the column at the right; nil in a narrow pane
	payload view.Payload
	of      of
	drawn   key
}

// of is what the payload was derived from.
type of struct {
	state   *state.Session
	seq     int
	attempt int
}

// key is what the drawn rows depend on.
type key struct {
	of   of
	lang text.Lang
	w    int
}

// New returns the overlay.
func New(t theme.Theme) *Pane { return &Pane{p: pane.NewPaints(t), List: pane.NewList()} }

// ID implements pane.Pane.
func (*Pane) ID() view.PaneID { return 0 }

// Scope implements pane.Pane.
func (*Pane) Scope() keymap.Scope { return keymap.Dialog }

var (
	wordTitle    = text.Label{ZH: "Verifier 视角", EN: "the Verifier's view"}
	wordNotSent  = text.Label{ZH: "还没有发送给 Verifier", EN: "nothing was sent to the Verifier yet"}
	wordPayload  = text.Label{ZH: "Verifier 收到的全部内容", EN: "all that the Verifier is given"}
	wordWithheld = text.Label{ZH: "对 Verifier 隐去的内容", EN: "withheld from the Verifier"}
	wordNever    = text.Label{ZH: "从不发送", EN: "never sent"}
	wordNothing  = text.Label{ZH: "无", EN: "none"}
	wordItem     = text.Label{ZH: "项", EN: "item"}
	wordItems    = text.Label{ZH: "项", EN: "items"}
	wordEmpty    = text.Label{ZH: "（空）", EN: "(empty)"}
)

// Title implements pane.Pane.
func (*Pane) Title(v *view.View) string { return wordTitle.In(v.Lang) }

// SetTheme implements pane.Pane.
func (c *Pane) SetTheme(t theme.Theme) { c.p, c.drawn = pane.NewPaints(t), key{} }

// Sync implements pane.Pane.
func (c *Pane) Sync(v *view.View) {
	o := of{v.State, v.State.Seq(), v.Attempt.Number}
	if o != c.of {
		c.of, c.payload = o, v.VerifierPayload()
	}
}

// Lines implements pane.Pane.
func (c *Pane) Lines(w, h int, v *view.View, focused bool) []string {
	c.Sync(v)
	if k := (key{c.of, v.Lang, w}); k != c.drawn {
		c.drawn = k
		c.build(w, v.Lang)
	}
	if c.side == nil {
		return c.Rows.Draw(w, h, c.p, focused)
	}
	bar := make([]string, h)
	for i := range bar {
		bar[i] = c.p.Faint.Raw("│")
	}
	return widget.Beside(c.Rows.Draw(w-column-1, h, c.p, focused), bar, widget.Block(c.side, column, h))
}

// maxShown bounds what is shown of a field, in bytes.
const maxShown = 256 << 10

func (c *Pane) build(w int, lang text.Lang) {
	r := c.Rows
	r.Reset()
	c.side = nil
	if w >= beside {
		for _, l := range c.withheld(column-2, lang) {
			c.side = append(c.side, " "+l)
		}
		w -= column + 1
	} else {
		for _, l := range c.withheld(pane.Room(w)-1, lang) {
			r.Add(r.Len(), l)
		}
		r.Add(-1, "")
	}
	c.given(pane.Room(w), lang)
	r.Finish()
}

// withheld lists what the Verifier is not shown.
func (c *Pane) withheld(w int, lang text.Lang) []string {
	out := text.WrapStyled(c.p.Strong.Raw(wordWithheld.In(lang)), w, 0)
	for _, x := range c.payload.Withheld {
		amount := wordNothing.In(lang)
		switch {
		case x.Never:
			amount = wordNever.In(lang)
		case x.Count > 0:
			word := wordItems
			if x.Count == 1 {
				word = wordItem
			}
			amount = strconv.Itoa(x.Count) + " " + word.In(lang) + ", " + text.Size(x.Bytes)
		}
		out = append(out, text.WrapStyled(c.p.Block.Raw(theme.MarkUnsupported)+" "+c.p.Text.Raw(x.What.In(lang))+"  "+c.p.Dim.Raw(amount), w, 2)...)
	}
	return out
}

// given adds the payload, field by field.
func (c *Pane) given(w int, lang text.Lang) {
	r := c.Rows
	add := func(indent int, styled string) { r.Wrap(r.Len(), w, indent, 2, styled) }
	if !c.payload.Sent {
		add(0, c.p.Dim.Raw(wordNotSent.In(lang)))
		return
	}
	add(0, c.p.Strong.Raw(wordPayload.In(lang))+"  "+c.p.Dim.Raw(text.Size(c.payload.Bytes)))
	for _, f := range c.payload.Fields {
		add(0, c.p.Done.Raw(theme.MarkSupported)+" "+c.p.Key.Line(f.Name)+"  "+c.p.Dim.Raw(text.Size(f.Bytes)))
		shown := f.Text
		if len(shown) > maxShown {
			shown = shown[:maxShown] + "…"
		}
		if shown == "" {
			shown = wordEmpty.In(lang)
		}
		for _, l := range text.WrapStyled(c.p.Text.Text(shown), max(w-3, 1), 0) {
			r.Add(r.Len(), "  "+l)
		}
	}
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, _ *view.View) (view.Intent, bool) {
	_, ok := c.Step(a)
	return nil, ok
}

// Click implements pane.Pane.
func (*Pane) Click(int, int, *view.View) view.Intent { return nil }
