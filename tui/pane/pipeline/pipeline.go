// Package pipeline is the pane of the run: its stages with their tool calls, what
// streams in, and what came out of each.
package pipeline

import (
	"claimscope/engine/event"
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
	items []item
	drawn key
}

// key is what the drawn rows depend on.
type key struct{ version, live, w, h int }

// item is a stage, or a tool call of it when trace is not empty.
type item struct {
	attempt int
	stage   event.Stage
	trace   string
}

// New returns the pane.
func New(t theme.Theme) *Pane { return &Pane{p: pane.NewPaints(t), List: pane.NewList()} }

// ID implements pane.Pane.
func (*Pane) ID() view.PaneID { return view.PanePipeline }

// Scope implements pane.Pane.
func (*Pane) Scope() keymap.Scope { return keymap.Pipeline }

// Title implements pane.Pane.
func (*Pane) Title(v *view.View) string { return pane.Title(view.PanePipeline, v.Lang, "") }

// SetTheme implements pane.Pane.
func (c *Pane) SetTheme(t theme.Theme) { c.p, c.drawn = pane.NewPaints(t), key{} }

// Sync implements pane.Pane.
func (c *Pane) Sync(v *view.View) {
	if c.drawn.w > 0 {
		c.build(c.drawn.w, c.drawn.h, v)
	}
}

// Lines implements pane.Pane.
func (c *Pane) Lines(w, h int, v *view.View, focused bool) []string {
	c.build(pane.Room(w), h, v)
	return c.Rows.Draw(w, h, c.p, focused)
}

func (c *Pane) build(w, h int, v *view.View) {
	k := key{v.Version(), v.LiveVersion(), w, h}
	if c.drawn == k {
		return
	}
	c.drawn = k
	c.items = c.items[:0]
	c.Rows.Reset()
	d := drawing{Pane: c, v: v, w: w, h: h}
	d.all()
	c.Rows.Finish()
	c.Rows.SetCursor(c.selected(v))
}

// selected finds the item of the selection: the trace shown, if the cursor is among
// tool calls, else the stage.
func (c *Pane) selected(v *view.View) int {
	if at := c.Rows.Cursor(); at >= 0 && at < len(c.items) && c.items[at].trace != "" && c.items[at].trace == v.Sel.Trace {
		return at
	}
	if v.Sel.Stage == "" {
		for i := range c.items {
			if c.items[i].trace != "" && c.items[i].trace == v.Sel.Trace {
				return i
			}
		}
		return -1 // the trace that is cited does not exist
	}
	for i := range c.items {
		if c.items[i].stage == v.Sel.Stage && c.items[i].attempt == v.Sel.StageAttempt && c.items[i].trace == "" {
			return i
		}
	}
	return min(c.Rows.Cursor(), len(c.items)-1)
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, v *view.View) (view.Intent, bool) {
	if at, ok := c.Step(a); ok {
		return c.intent(at), true
	}
	switch a {
	case keymap.Confirm:
		return c.open(v), true
	default:
	}
	return nil, false
}

func (c *Pane) intent(at int) view.Intent {
	if at < 0 || at >= len(c.items) {
		return nil
	}
	it := c.items[at]
	if it.trace != "" {
		return view.ShowTrace{Ref: it.trace}
	}
	return view.SelectStage{Attempt: it.attempt, Stage: it.stage}
}

// open goes to where the result of the item under the cursor is shown.
func (c *Pane) open(v *view.View) view.Intent {
	at := c.Rows.Cursor()
	if at < 0 || at >= len(c.items) {
		return nil
	}
	it := c.items[at]
	if it.trace != "" {
		return view.FocusPane{Pane: view.PaneTrace}
	}
	a, ok := v.State.Attempt(it.attempt)
	if !ok {
		return nil
	}
	switch it.stage {
	case event.Planner:
		return view.OpenFull{Title: pane.StageName(it.stage), Text: a.Plan}
	case event.Executor:
		return view.FocusPane{Pane: view.PaneJSON}
	case event.Parse:
		return view.FocusPane{Pane: view.PaneJSON}
	case event.Gatekeeper, event.Route:
		return view.FocusPane{Pane: view.PaneClaims}
	case event.Verifier:
		return view.ShowVerifier{}
	case event.Answer:
		return view.FocusPane{Pane: view.PaneAnswer}
	}
	return nil
}

// Click implements pane.Pane.
func (c *Pane) Click(_, y int, _ *view.View) view.Intent {
	if at, ok := c.Rows.At(y); ok {
		c.Rows.SetCursor(at)
		return c.intent(at)
	}
	return nil
}

var (
	wordAttempt   = text.Label{ZH: "第 %d 次尝试", EN: "attempt %d"}
	wordFailed    = text.Label{ZH: "%d 条结论未通过", EN: "%d claims had failed"}
	wordFailedOne = text.Label{ZH: "%d 条结论未通过", EN: "%d claim had failed"}
	wordTokens    = text.Label{ZH: "词元", EN: "tok"}
	wordThinking  = text.Label{ZH: "思考", EN: "thinking"}
	wordCalling   = text.Label{ZH: "调用", EN: "calls"}
	wordReviews   = text.Label{ZH: "复核", EN: "reviews"}
	wordRepeats   = text.Label{ZH: "重复", EN: "repeats"}
)
