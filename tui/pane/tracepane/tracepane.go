// Package tracepane is the pane of a tool's raw output: the cited bytes highlighted to
// the character in texts of any size, or the word that they are nowhere.
package tracepane

import (
	"strconv"
	"strings"
	"unsafe"

	"claimscope/engine/trace"
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

	texts  map[id]*shown
	on     *shown // what is shown; nil when there is no output
	meta   bool   // arguments and details instead of the output
	pretty bool   // JSON laid out
	wrap   bool
	rows   *pane.Rows // of the details
	refs   []link     // in the details
	head   []string   // the lines above the text
	w, h   int
	synced int // version of the view that was synced
	drawn  int // version that the head was drawn of
	place  place
}

// place is what the selection points at; the text follows it when it changes.
type place struct {
	ref                                 string
	attempt, claim, binding, find, spot int
}

// New returns the pane.
func New(t theme.Theme) *Pane {
	c := &Pane{texts: map[id]*shown{}, rows: pane.NewRows(), wrap: true, synced: -1, drawn: -1}
	c.SetTheme(t)
	return c
}

// ID implements pane.Pane.
func (*Pane) ID() view.PaneID { return view.PaneTrace }

// Scope implements pane.Pane.
func (*Pane) Scope() keymap.Scope { return keymap.Trace }

// Title implements pane.Pane.
func (*Pane) Title(v *view.View) string {
	shows := v.Sel.Trace
	if t := v.Trace(v.Sel.Trace); t != nil {
		shows += " " + t.Tool
		if len(t.InvocationIDs) > 0 {
			shows += " " + pane.IDs(t.InvocationIDs)
		}
	}
	return pane.Title(view.PaneTrace, v.Lang, shows)
}

// SetTheme implements pane.Pane.
func (c *Pane) SetTheme(t theme.Theme) {
	c.p, c.styles, c.drawn = pane.NewPaints(t), pane.TextStyles(t), -1
	for _, s := range c.texts {
		s.text.SetStyles(c.styles)
		if s.laid != nil {
			s.laid.SetStyles(c.styles)
		}
	}
}

// Sync implements pane.Pane: it shows the trace of the selection, and scrolls to the
// place of the evidence when that has changed.
func (c *Pane) Sync(v *view.View) {
	if c.synced == v.Version() {
		return
	}
	c.synced, c.drawn = v.Version(), -1
	c.on = c.find(v)
	if c.on == nil {
		return
	}
	if c.pretty {
		c.on.layOut(c.made)
	}
	c.mark(v)
	s := &v.Sel
	to := place{s.Trace, v.Attempt.Number, s.Claim, s.Binding, s.Finding, s.Spot}
	if to == c.place {
		return
	}
	c.place = to
	if e := &v.Evidence; e.Current >= 0 && e.Spots[e.Current].Ref == s.Trace {
		x := e.Spots[e.Current].Extent()
		c.size(v) // what is on screen depends on the lines above
		c.show(x.Start, x.End)
	}
}

// mark highlights the evidence in the text on screen.
func (c *Pane) mark(v *view.View) {
	all := marks(v.Evidence.Marks)
	c.on.text.SetMarks(all)
	if c.on.laid != nil {
		c.on.laid.SetMarks(widget.MapMarks(all, &c.on.layout.OffsetMap))
	}
}

// show brings raw bytes on screen.
func (c *Pane) show(start, end int) {
	from, to := c.on.span(c.pretty, start, end)
	c.on.view(c.pretty).Show(from, to)
}

// made makes a text view in the pane's settings.
func (c *Pane) made(src *widget.Source) *widget.TextView {
	t := widget.NewTextView(src)
	t.SetStyles(c.styles)
	t.SetScrollBar(true)
	t.SetWrap(c.wrap)
	return t
}

// find gives the text of the trace shown, making it the first time.
func (c *Pane) find(v *view.View) *shown {
	t := v.ShownTrace()
	if t == nil || len(t.Output) == 0 {
		return nil
	}
	k := id{t.Ref, unsafe.SliceData(t.Output), len(t.Output)}
	if s := c.texts[k]; s != nil {
		return s
	}
	s := &shown{ref: t.Ref, output: t.Output, text: c.made(widget.NewSource(t.Output))}
	c.texts[k] = s
	return s
}

// Lines implements pane.Pane.
func (c *Pane) Lines(w, h int, v *view.View, focused bool) []string {
	if w != c.w || h != c.h {
		c.w, c.h, c.drawn = w, h, -1
	}
	c.Sync(v)
	c.size(v)
	if c.meta || c.on == nil {
		return c.rows.Draw(w, h, c.p, focused)
	}
	out := append([]string{}, c.head...)
	return append(out, c.on.view(c.pretty).Lines()...)[:h]
}

// size draws the lines above the text, and gives the text the room that is left.
func (c *Pane) size(v *view.View) {
	if c.w <= 0 || c.h <= 0 || c.drawn == v.Version() {
		return
	}
	c.drawn = v.Version()
	if c.meta || c.on == nil {
		c.details(v)
		return
	}
	c.head = c.heading(v)
	c.on.view(c.pretty).SetSize(c.w, max(c.h-len(c.head), 1))
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, v *view.View) (view.Intent, bool) {
	switch a {
	case keymap.ToggleRaw:
		c.meta, c.drawn = !c.meta, -1
		return nil, true
	case keymap.SaveRaw:
		if v.ShownTrace() == nil {
			return nil, false
		}
		return view.SaveRaw{Ref: v.Sel.Trace}, true
	case keymap.Copy:
		return c.copied(v)
	case keymap.ToggleWrap:
		c.wrap = !c.wrap
		for _, s := range c.texts {
			s.text.SetWrap(c.wrap)
			if s.laid != nil {
				s.laid.SetWrap(c.wrap)
			}
		}
		return nil, true
	case keymap.TogglePretty:
		c.togglePretty(v)
		return nil, true
	case keymap.Confirm:
		if ref := c.link(); ref != "" {
			return view.ShowTrace{Ref: ref}, true
		}
		if v.Sel.Claim >= 0 {
			return view.FocusPane{Pane: view.PaneClaims}, true
		}
		return nil, false
	default:
	}
	if (a == keymap.Left || a == keymap.Right) && (c.wrap || c.meta || c.on == nil) {
		return c.sibling(v, a == keymap.Left)
	}
	if c.meta || c.on == nil {
		_, ok := c.rows.Move(a)
		return nil, ok
	}
	return nil, c.text(a)
}

// link is an item of the details that names a trace.
type link struct {
	item int
	ref  string
}

// link is the trace under the cursor of the details, or "".
func (c *Pane) link() string {
	if c.meta || c.on == nil {
		for _, l := range c.refs {
			if l.item == c.rows.Cursor() {
				return l.ref
			}
		}
	}
	return ""
}

// togglePretty lays JSON out, or shows the raw bytes, at the same place.
func (c *Pane) togglePretty(v *view.View) {
	c.pretty = !c.pretty
	if c.on == nil {
		return
	}
	top := c.on.view(!c.pretty).Status().Offset
	if !c.pretty && c.on.laid != nil {
		top = c.on.layout.ToSource(top)
	}
	if c.pretty {
		c.on.layOut(c.made)
	}
	c.mark(v)
	c.drawn = -1
	c.size(v)
	if e := &v.Evidence; e.Current >= 0 && e.Spots[e.Current].Ref == c.on.ref {
		x := e.Spots[e.Current].Extent()
		c.show(x.Start, x.End)
		return
	}
	c.show(top, top+1)
}

// text answers a key of the text view.
func (c *Pane) text(a keymap.Action) bool {
	t := c.on.view(c.pretty)
	switch a {
	case keymap.SearchNext:
		t.SearchNext()
	case keymap.SearchPrev:
		t.SearchPrev()
	case keymap.ToggleFollow:
		t.SetFollow(!t.Following())
	default:
		m, ok := pane.Move(a)
		if ok {
			t.Do(m)
		}
		return ok
	}
	return true
}

// sibling shows the trace before or after the one shown.
func (c *Pane) sibling(v *view.View, back bool) (view.Intent, bool) {
	n := len(v.Traces)
	if n == 0 {
		return nil, false
	}
	at := 0
	if t := v.Trace(v.Sel.Trace); t != nil {
		at = t.Index + 1
		if back {
			at = t.Index - 1
		}
	}
	if at < 0 || at >= n {
		return nil, true
	}
	return view.ShowTrace{Ref: v.Traces[at].Ref}, true
}

// maxCopy bounds what is copied of an output, in bytes.
const maxCopy = 64 << 10

// copied copies the lines of the current place, or else of the top of the screen.
func (c *Pane) copied(v *view.View) (view.Intent, bool) {
	if c.on == nil {
		return nil, false
	}
	src := c.on.text.Source()
	from := c.on.view(c.pretty).Status().Offset
	if c.pretty && c.on.laid != nil {
		from = c.on.layout.ToSource(from)
	}
	to := from
	if e := &v.Evidence; e.Current >= 0 && e.Spots[e.Current].Ref == c.on.ref {
		x := e.Spots[e.Current].Extent()
		from, to = x.Start, max(x.End-1, x.Start)
	}
	from, to = src.LineStart(from), src.LineEnd(to)
	b := src.Bytes(from, min(to, from+maxCopy))
	return view.CopyText{What: text.Label{ZH: "轨迹片段", EN: "the excerpt of the trace"}, Text: string(b)}, true
}

// Click implements pane.Pane: a claim that cites the byte is selected; the name of a
// trace shows it.
func (c *Pane) Click(x, y int, _ *view.View) view.Intent {
	if c.meta || c.on == nil {
		if at, ok := c.rows.At(y); ok {
			c.rows.SetCursor(at)
		}
		if ref := c.link(); ref != "" {
			return view.ShowTrace{Ref: ref}
		}
		return nil
	}
	if off, ok := c.on.view(c.pretty).OffsetAt(x, y-len(c.head)); ok {
		if c.pretty && c.on.laid != nil {
			off = c.on.layout.ToSource(off)
		}
		return view.SelectTraceOffset{Ref: c.on.ref, Offset: off}
	}
	return nil
}

// Wheel implements pane.Pane.
func (c *Pane) Wheel(rows int) {
	if c.meta || c.on == nil {
		c.rows.Scroll(rows)
		return
	}
	c.on.view(c.pretty).Scroll(rows)
}

// Search implements pane.Searcher.
func (c *Pane) Search(query string, _ *view.View) {
	if c.meta || c.on == nil {
		c.rows.Search(query)
		return
	}
	c.on.view(c.pretty).Search(query)
}

// SearchState implements pane.Searcher.
func (c *Pane) SearchState() (widget.SearchState, bool) {
	if c.meta || c.on == nil {
		return c.rows.SearchState()
	}
	return c.on.view(c.pretty).SearchState()
}

// StepSearch implements pane.Searcher.
func (c *Pane) StepSearch(budget int) bool {
	return c.on != nil && c.on.view(c.pretty).StepSearch(budget)
}

// Goto implements pane.Goer.
func (c *Pane) Goto(where string, _ *view.View) bool {
	if c.on == nil {
		return false
	}
	where = strings.TrimSpace(where)
	if at, ok := strings.CutPrefix(where, "@"); ok {
		off, err := strconv.Atoi(at)
		if err != nil || off < 0 || off > len(c.on.output) {
			return false
		}
		c.show(off, off+1)
		return true
	}
	line, err := strconv.Atoi(where)
	return err == nil && c.on.view(c.pretty).GotoLine(line)
}

// statusPaint is the style of a call's outcome.
func (c *Pane) statusPaint(s trace.Status) pane.Paint {
	if s == trace.OK {
		return c.p.Done
	}
	return c.p.Warn
}
