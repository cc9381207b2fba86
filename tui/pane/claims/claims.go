// Package claims is the pane of what the Executor claims and what became of it: one
// block a claim with its bindings, its findings in words, and the Verifier's verdict.
package claims

import (
	"fmt"
	"strings"

	"claimscope/engine/gate"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

// Pane implements pane.Pane and pane.Searcher.
type Pane struct {
	pane.List
	p      *pane.Paints
	items  []item
	folded map[string]bool // by claim pointer or id

	drawn  key
	synced int // version of the view that the cursor stands for
}

// key is what the drawn rows depend on.
type key struct{ content, w int }

// item is something the cursor can be on.
type item struct{ claim, binding, finding int } // -1 for none

// New returns the pane.
func New(t theme.Theme) *Pane {
	return &Pane{p: pane.NewPaints(t), List: pane.NewList(), folded: map[string]bool{}}
}

// ID implements pane.Pane.
func (*Pane) ID() view.PaneID { return view.PaneClaims }

// Scope implements pane.Pane.
func (*Pane) Scope() keymap.Scope { return keymap.Claims }

// Title implements pane.Pane: how many claims are supported, and the how-manieth finding
// of its kind is selected.
func (*Pane) Title(v *view.View) string {
	var shows []string
	if h := v.Head(); h.Total > 0 {
		shows = append(shows, fmt.Sprintf("%d/%d", h.Supported, h.Total))
	}
	if number, of := v.Walked(); of > 0 {
		mark := theme.MarkWarn
		if v.Finding().Severity == gate.Block {
			mark = theme.MarkUnsupported
		}
		shows = append(shows, fmt.Sprintf("%s %d/%d", mark, number, of))
	}
	return pane.Title(view.PaneClaims, v.Lang, strings.Join(shows, " · "))
}

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

// build draws the rows anew if anything that they show has changed, and moves the
// cursor to the selection.
func (c *Pane) build(w int, v *view.View) {
	if k := (key{v.ContentVersion(), w}); c.drawn != k {
		c.drawn, c.synced = k, -1
		c.items = c.items[:0]
		c.Rows.Reset()
		d := drawing{Pane: c, v: v, w: w}
		d.all()
		c.Rows.Finish()
	}
	if c.synced != v.Version() {
		c.synced = v.Version()
		at := c.selected(v)
		c.Rows.Around(c.headOf(at))
		c.Rows.SetCursor(at)
	}
}

// headOf is the first item of an item's claim.
func (c *Pane) headOf(at int) int {
	for at > 0 && c.items[at].claim >= 0 && c.items[at-1].claim == c.items[at].claim {
		at--
	}
	return at
}

// selected finds the item of the selection.
func (c *Pane) selected(v *view.View) int {
	best := -1
	for i, it := range c.items {
		switch {
		case v.Sel.Finding >= 0 && it.finding == v.Sel.Finding:
			return i
		case it.finding >= 0 || v.Sel.Claim < 0 || it.claim != v.Sel.Claim:
		case it.binding == v.Sel.Binding:
			best = i
		case best < 0:
			best = i
		}
	}
	return best
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, v *view.View) (view.Intent, bool) {
	if at, ok := c.Step(a); ok {
		return c.intent(at), true
	}
	switch a {
	case keymap.ToggleFold:
		c.fold(v, !c.isFolded(v))
		return nil, true
	case keymap.Left:
		c.fold(v, true)
		return nil, true
	case keymap.Right:
		c.fold(v, false)
		return nil, true
	case keymap.Confirm:
		return view.FocusPane{Pane: view.PaneTrace}, true
	case keymap.Back:
		if v.Sel.Claim >= 0 || v.Sel.Finding >= 0 {
			return view.ClearSelection{}, true
		}
	case keymap.Copy:
		if v.Sel.Claim >= 0 {
			return view.CopyText{What: text.Label{ZH: "结论及证据", EN: "the claim with its evidence"}, Text: v.ClaimReport(v.Sel.Claim)}, true
		}
	default:
	}
	return nil, false
}

// intent is the selection of an item.
func (c *Pane) intent(at int) view.Intent {
	if at < 0 || at >= len(c.items) {
		return nil
	}
	it := c.items[at]
	switch {
	case it.finding >= 0:
		return view.SelectFinding{Finding: it.finding}
	case it.binding >= 0:
		return view.SelectBinding{Claim: it.claim, Binding: it.binding}
	}
	return view.SelectClaim{Claim: it.claim}
}

func foldKey(c *view.Claim) string { return c.ID + c.Pointer }

func (c *Pane) isFolded(v *view.View) bool {
	return v.Claim() != nil && c.folded[foldKey(v.Claim())]
}

func (c *Pane) fold(v *view.View, on bool) {
	if claim := v.Claim(); claim != nil {
		c.folded[foldKey(claim)] = on
		c.drawn.content = 0
	}
}

// Click implements pane.Pane.
func (c *Pane) Click(_, y int, _ *view.View) view.Intent {
	if at, ok := c.Rows.At(y); ok {
		return c.intent(at)
	}
	return nil
}
