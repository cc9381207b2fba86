// Package jsonpane is the pane of the Executor's last message: its value tree, and the
// raw text with repairs and the selection marked; side by side where there is room.
// Text that is no JSON is shown as the text it is.
package jsonpane

import (
	"strconv"
	"strings"

	"claimscope/engine/contract"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// beside is the width from which tree and raw text are shown side by side, in cells.
const beside = 110

// Pane implements pane.Pane, pane.Searcher and pane.Goer.
type Pane struct {
	p    *pane.Paints
	tree *widget.Tree
	text *widget.TextView

	raw     bool // the raw text has the keys
	hasTree bool
	message string
	content int // version of the tree
	synced  int
	pointer string
	hits    int // of the search in the tree
	hit     int
	query   string

	head  []string
	drawn drawn
}

// drawn is what the lines above were drawn of.
type drawn struct {
	content, w, h int
	raw           bool
}

// New returns the pane.
func New(t theme.Theme) *Pane {
	c := &Pane{tree: widget.NewTree(), text: widget.NewTextView(widget.NewSource(nil)), synced: -1}
	c.text.SetScrollBar(true)
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
	if p := v.Attempt.Parsed; p != nil && p.Status != contract.StatusOK {
		status = pane.ParseWord(p.Status).In(v.Lang)
	}
	return pane.Title(view.PaneJSON, v.Lang, status)
}

// SetTheme implements pane.Pane.
func (c *Pane) SetTheme(t theme.Theme) {
	c.p, c.synced, c.content, c.drawn = pane.NewPaints(t), -1, 0, drawn{}
	c.text.SetStyles(pane.TextStyles(t))
	c.tree.SetStyles(pane.TreeStyles(t))
}

// Sync implements pane.Pane.
func (c *Pane) Sync(v *view.View) {
	if c.synced == v.Version() {
		return
	}
	c.synced = v.Version()
	if c.content != v.ContentVersion() {
		c.content = v.ContentVersion()
		c.load(v)
	}
	n := v.Doc.Node(v.Sel.Pointer)
	c.text.SetMarks(marks(v, n))
	if c.pointer == v.Sel.Pointer {
		return
	}
	c.pointer = v.Sel.Pointer
	if c.hasTree {
		c.tree.SelectPointer(c.pointer)
	}
	if n != nil && c.pointer != "" {
		s := focus(v, n)
		c.text.Show(s.Start, s.End)
	}
}

// load shows another message.
func (c *Pane) load(v *view.View) {
	if c.message != v.Doc.Text {
		c.message, c.pointer = v.Doc.Text, ""
		c.text.SetSource(widget.NewSourceString(c.message))
		c.tree.SetRoot(nil)
	}
	first := c.tree.Root() == nil
	root, ok := build(c.p, v)
	c.hasTree = ok
	c.tree.SetRoot(root)
	if first {
		c.tree.OpenTo(2)
	}
}

// focus is what of a selected value matters most: a binding's excerpt, a claim's text.
func focus(v *view.View, n *contract.Node) contract.Span {
	for _, key := range []string{"evidence_excerpt", "claim_text", "hypothesis_text", "action_text"} {
		if k := n.Get(key); k != nil {
			n = k
			break
		}
	}
	if v.Sel.Finding >= 0 {
		if k := v.Doc.Node(v.Findings[v.Sel.Finding].Pointer); k != nil && len(k.Items) == 0 {
			n = k
		}
	}
	return n.Span
}

// marks are the repairs and the selection in the raw text.
func marks(v *view.View, n *contract.Node) []widget.Mark {
	var out []widget.Mark
	for _, e := range v.Doc.Reading.Edits {
		out = append(out, widget.Mark{Start: e.Offset, End: e.Offset + max(len(e.Removed), 1), Class: widget.ClassRepair})
	}
	if n == nil || v.Sel.Pointer == "" {
		return out
	}
	out = append(out, widget.Mark{Start: n.Span.Start, End: n.Span.End, Class: widget.ClassOther})
	s := focus(v, n)
	return append(out, widget.Mark{Start: s.Start, End: s.End, Class: widget.ClassCurrent})
}

// showsRaw reports whether the raw text is what the keys go to.
func (c *Pane) showsRaw() bool { return c.raw || !c.hasTree }

// Lines implements pane.Pane.
func (c *Pane) Lines(w, h int, v *view.View, focused bool) []string {
	c.Sync(v)
	if k := (drawn{c.content, w, h, c.raw}); k != c.drawn {
		c.drawn = k
		c.head = c.heading(v, w, h)
		rest := max(h-len(c.head), 1)
		c.tree.SetSize(c.treeWidth(w), rest)
		c.text.SetSize(max(w-c.textAt(w), 1), rest)
	}
	c.tree.SetFocused(focused && !c.raw)
	if !v.Doc.Has {
		return widget.Block(c.arriving(v, w, h), w, h)
	}
	body := c.body(w)
	return widget.Below(c.head, body)[:h]
}

func (c *Pane) body(w int) []string {
	switch {
	case c.hasTree && w >= beside:
		bar := make([]string, len(c.text.Lines()))
		for i := range bar {
			bar[i] = c.p.Faint.Raw("│")
		}
		return widget.Beside(c.tree.Lines(), bar, c.text.Lines())
	case c.showsRaw():
		return c.text.Lines()
	}
	return c.tree.Lines()
}

// treeWidth and textAt divide the width.
func (c *Pane) treeWidth(w int) int {
	if c.hasTree && w >= beside {
		return w / 2
	}
	return w
}

func (c *Pane) textAt(w int) int {
	if c.hasTree && w >= beside {
		return w/2 + 1
	}
	return 0
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, v *view.View) (view.Intent, bool) {
	switch a {
	case keymap.ToggleRaw:
		c.raw = !c.raw
		return nil, true
	case keymap.Copy:
		return view.CopyText{What: text.Label{ZH: "JSON 路径", EN: "the JSON path"}, Text: c.path(v)}, true
	case keymap.ToggleWrap:
		c.text.SetWrap(!c.text.Wrap())
		return nil, true
	case keymap.Confirm:
		if v.Sel.Claim >= 0 {
			return view.FocusPane{Pane: view.PaneTrace}, true
		}
		return nil, false
	default:
	}
	if c.showsRaw() {
		return nil, c.textKey(a)
	}
	return c.treeKey(a)
}

// path is the pointer under the cursor.
func (c *Pane) path(v *view.View) string {
	if !c.showsRaw() && c.tree.Selected() != nil {
		return c.tree.Selected().Pointer()
	}
	return v.Sel.Pointer
}

func (c *Pane) textKey(a keymap.Action) bool {
	switch a {
	case keymap.SearchNext:
		c.text.SearchNext()
	case keymap.SearchPrev:
		c.text.SearchPrev()
	default:
		m, ok := pane.Move(a)
		if ok {
			c.text.Do(m)
		}
		return ok
	}
	return true
}

func (c *Pane) treeKey(a keymap.Action) (view.Intent, bool) {
	switch a {
	case keymap.ToggleFold:
		c.tree.Toggle()
	case keymap.ExpandAll:
		c.tree.ExpandAll()
	case keymap.CollapseAll:
		c.tree.CollapseAll()
	case keymap.SearchNext:
		c.hit = c.tree.SearchNext()
	case keymap.SearchPrev:
		c.hit = c.tree.SearchPrev()
	default:
		m, ok := pane.Move(a)
		if !ok {
			return nil, false
		}
		c.tree.Do(m)
	}
	return c.selection(), true
}

// selection is the selection of the node under the cursor.
func (c *Pane) selection() view.Intent {
	n := c.tree.Selected()
	if n == nil {
		return nil
	}
	c.pointer = n.Pointer() // the cursor stays where it is
	return view.SelectPointer{Pointer: c.pointer}
}

// Click implements pane.Pane.
func (c *Pane) Click(x, y int, _ *view.View) view.Intent {
	y -= len(c.head)
	if y < 0 {
		return nil
	}
	if at := c.textAt(c.drawn.w); c.showsRaw() || at > 0 && x >= at {
		if off, ok := c.text.OffsetAt(x-at, y); ok {
			return view.SelectJSONOffset{Offset: off}
		}
		return nil
	}
	if c.tree.Click(x, y) == nil {
		return nil
	}
	return c.selection()
}

// Wheel implements pane.Pane.
func (c *Pane) Wheel(rows int) {
	if c.showsRaw() {
		c.text.Scroll(rows)
		return
	}
	c.tree.Scroll(rows)
}

// Search implements pane.Searcher.
func (c *Pane) Search(query string, _ *view.View) {
	c.query = query
	if c.showsRaw() {
		c.text.Search(query)
		return
	}
	c.hits, c.hit = c.tree.Search(query), 0
}

// SearchState implements pane.Searcher.
func (c *Pane) SearchState() (widget.SearchState, bool) {
	if c.showsRaw() {
		return c.text.SearchState()
	}
	return widget.SearchState{Query: c.query, Count: c.hits, Number: c.hit, Done: true, Progress: 1}, c.query != ""
}

// StepSearch implements pane.Searcher.
func (c *Pane) StepSearch(budget int) bool { return c.text.StepSearch(budget) }

// Goto implements pane.Goer: it goes to a line or a byte of the raw text.
func (c *Pane) Goto(where string, _ *view.View) bool {
	where = strings.TrimSpace(where)
	at, bytes := strings.CutPrefix(where, "@")
	n, err := strconv.Atoi(at)
	if err != nil || n < 0 || bytes && n > len(c.message) {
		return false
	}
	c.raw = true
	if bytes {
		c.text.Show(n, n+1)
		return true
	}
	return c.text.GotoLine(n)
}
