package widget

import (
	"sort"
	"strconv"
	"strings"
)

// NodeKind is what a node of a [Tree] holds; it decides the style of its value.
type NodeKind uint8

// The kinds there are.
const (
	KindText NodeKind = iota
	KindObject
	KindArray
	KindString
	KindNumber
	KindLiteral
)

// Node is a node of a [Tree]. Label and Value are raw; they are sanitised when
// drawn.
type Node struct {
	Kind  NodeKind
	Label string // key of an object, index in an array
	Value string // of a plain value: its text, possibly cut; of others a remark

	Children []*Node
	Open     bool // the children are shown
	// Badge is shown at the right end of the row, in its paint.
	Badge      string
	BadgePaint Paint

	parent *Node
	order  int  // front to back, set when the tree is shown
	found  bool // by the search
}

// Add appends a child.
func (n *Node) Add(child *Node) {
	child.parent = n
	n.Children = append(n.Children, child)
}

// Pointer returns the JSON pointer of the node (RFC 6901); the root's is "".
func (n *Node) Pointer() string {
	if n == nil || n.parent == nil {
		return ""
	}
	return n.parent.Pointer() + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(n.Label)
}

// Find returns the node that a JSON pointer names below n, or nil.
func (n *Node) Find(pointer string) *Node {
	for n != nil && pointer != "" {
		part, rest, more := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		if more {
			rest = "/" + rest
		}
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		n, pointer = n.child(part), rest
	}
	return n
}

func (n *Node) child(label string) *Node {
	if i, err := strconv.Atoi(label); n.Kind == KindArray && err == nil && i >= 0 && i < len(n.Children) {
		return n.Children[i]
	}
	for _, c := range n.Children {
		if c.Label == label {
			return c
		}
	}
	return nil
}

// each calls f for n and all below it, front to back, until f returns false.
func (n *Node) each(f func(*Node) bool) bool {
	if n == nil || !f(n) {
		return false
	}
	for _, c := range n.Children {
		if !c.each(f) {
			return false
		}
	}
	return true
}

// treeRow is a node that is shown.
type treeRow struct {
	node  *Node
	depth int
}

// Tree shows nodes that fold, with a cursor. It is not safe for concurrent use.
type Tree struct {
	root   *Node
	rows   []treeRow
	cursor int
	win    Window
	w      int  // of the rows
	bar    bool // beside them

	styles  treePaints
	focused bool
	query   string
	hits    []*Node
}

// NewTree returns an empty tree.
func NewTree() *Tree { return &Tree{w: 1, focused: true} }

// SetRoot shows another tree. What is open, and the cursor, carry over to nodes
// with the same pointers; so a tree may be built anew for each change.
func (t *Tree) SetRoot(root *Node) {
	var open []string
	cursor := ""
	if t.root != nil {
		cursor = t.Selected().Pointer()
		t.root.each(func(n *Node) bool {
			if n.Open {
				open = append(open, n.Pointer())
			}
			return len(open) < 10000
		})
	}
	t.root = root
	if root != nil {
		n := 0
		root.each(func(c *Node) bool { c.order = n; n++; return true })
		root.Open = true
		for _, p := range open {
			if n := root.Find(p); n != nil {
				n.Open = true
			}
		}
	}
	t.layout()
	if n := root.Find(cursor); n != nil {
		t.selectRow(n)
	}
	t.find()
}

// Root returns the tree that is shown, or nil.
func (t *Tree) Root() *Node { return t.root }

// layout lists the rows anew and keeps the cursor on its node, or on the nearest
// one around it that is shown.
func (t *Tree) layout() {
	selected := t.Selected()
	t.rows = t.rows[:0]
	var walk func(n *Node, depth int)
	walk = func(n *Node, depth int) {
		t.rows = append(t.rows, treeRow{n, depth})
		if n.Open {
			for _, c := range n.Children {
				walk(c, depth+1)
			}
		}
	}
	if t.root != nil {
		walk(t.root, 0)
	}
	t.win.SetTotal(len(t.rows))
	t.cursor = min(t.cursor, max(len(t.rows)-1, 0))
	for n := selected; n != nil; n = n.parent {
		if t.selectRow(n) {
			return
		}
	}
	t.win.Reveal(t.cursor, t.cursor+1)
}

func (t *Tree) selectRow(n *Node) bool {
	for i, r := range t.rows {
		if r.node == n {
			t.moveTo(i)
			return true
		}
	}
	return false
}

func (t *Tree) moveTo(row int) {
	t.cursor = min(max(row, 0), max(len(t.rows)-1, 0))
	t.win.Reveal(t.cursor, t.cursor+1)
}

// Selected returns the node under the cursor, or nil.
func (t *Tree) Selected() *Node {
	if t.cursor < 0 || t.cursor >= len(t.rows) {
		return nil
	}
	return t.rows[t.cursor].node
}

// Select puts the cursor on a node of the tree and opens what is around it.
func (t *Tree) Select(n *Node) {
	if n == nil {
		return
	}
	for p := n.parent; p != nil; p = p.parent {
		p.Open = true
	}
	t.layout()
	if t.selectRow(n) {
		t.around()
	}
}

// around shows the cursor with some of what is around it.
func (t *Tree) around() {
	t.win.Reveal(t.cursor-t.win.h/3, t.cursor+t.win.h/3)
	t.win.Reveal(t.cursor, t.cursor+1)
}

// SelectPointer puts the cursor on the node that a JSON pointer names, and
// returns it, or nil.
func (t *Tree) SelectPointer(pointer string) *Node {
	n := t.root.Find(pointer)
	t.Select(n)
	return n
}

// Do moves the cursor. Left folds a node or goes to the one around it, right
// unfolds it or goes into it.
func (t *Tree) Do(m Move) {
	n := t.Selected()
	if n == nil {
		return
	}
	switch m {
	case MoveLeft:
		switch {
		case n.Open && len(n.Children) > 0 && n.parent != nil:
			t.Toggle()
		case n.parent != nil:
			t.selectRow(n.parent)
		}
	case MoveRight:
		switch {
		case len(n.Children) > 0 && !n.Open:
			t.Toggle()
		case len(n.Children) > 0:
			t.moveTo(t.cursor + 1)
		}
	case MoveUp, MoveDown, MovePageUp, MovePageDown, MoveHalfUp, MoveHalfDown, MoveHome, MoveEnd:
		t.moveTo(m.from(t.cursor, t.win.h, len(t.rows)))
	}
}

// Toggle folds or unfolds the node under the cursor.
func (t *Tree) Toggle() {
	if n := t.Selected(); n != nil && len(n.Children) > 0 {
		n.Open = !n.Open
		t.layout()
	}
}

// ExpandAll unfolds every node.
func (t *Tree) ExpandAll() { t.setAll(true) }

// CollapseAll folds every node but the root.
func (t *Tree) CollapseAll() { t.setAll(false) }

func (t *Tree) setAll(open bool) {
	t.root.each(func(n *Node) bool {
		n.Open = open || n == t.root
		return true
	})
	t.layout()
}

// OpenTo unfolds the nodes down to a depth, the root having depth 0, and folds
// those below.
func (t *Tree) OpenTo(depth int) {
	var walk func(n *Node, d int)
	walk = func(n *Node, d int) {
		n.Open = d < depth
		for _, c := range n.Children {
			walk(c, d+1)
		}
	}
	if t.root != nil {
		walk(t.root, 0)
	}
	t.layout()
}

// Search finds the nodes whose label or value holds the query, ASCII case
// ignored, and goes to the first at or after the cursor. It returns their
// number. An empty query ends the search.
func (t *Tree) Search(query string) int {
	t.query = query
	t.find()
	if n := t.Selected(); n != nil && !n.found {
		t.SearchNext()
	}
	return len(t.hits)
}

func (t *Tree) find() {
	for _, n := range t.hits {
		n.found = false
	}
	t.hits = nil
	if t.query == "" {
		return
	}
	q := string(appendLower(nil, []byte(t.query)))
	contains := func(s string) bool { return strings.Contains(string(appendLower(nil, []byte(s))), q) }
	t.root.each(func(n *Node) bool {
		if n.found = contains(n.Label) || contains(n.Value); n.found {
			t.hits = append(t.hits, n)
		}
		return true
	})
}

// SearchNext goes to the next hit, from the last one to the first. It returns
// the number of the hit, from 1, or 0 without any.
func (t *Tree) SearchNext() int { return t.jump(1) }

// SearchPrev goes to the hit before, from the first one to the last.
func (t *Tree) SearchPrev() int { return t.jump(-1) }

func (t *Tree) jump(by int) int {
	n := t.Selected()
	if len(t.hits) == 0 || n == nil {
		return 0
	}
	// The first hit after the cursor, or the last one before it.
	i := sort.Search(len(t.hits), func(i int) bool { return t.hits[i].order > n.order })
	if by < 0 {
		i = sort.Search(len(t.hits), func(i int) bool { return t.hits[i].order >= n.order }) - 1
	}
	i = (i + len(t.hits)) % len(t.hits)
	t.Select(t.hits[i])
	return i + 1
}

// SetSize sets the size in cells. The last column is the scroll bar's.
func (t *Tree) SetSize(w, h int) {
	t.w, t.bar = max(w-1, 1), w > 1
	first := t.win.h == 0
	t.win.SetHeight(h)
	if first {
		t.around()
	}
	t.win.Reveal(t.cursor, t.cursor+1)
}

// SetFocused tells whether the tree has the keyboard; the cursor shows it.
func (t *Tree) SetFocused(on bool) { t.focused = on }

// Scroll moves what is shown by rows, down if positive, without the cursor.
func (t *Tree) Scroll(rows int) { t.win.Scroll(rows) }

// Click puts the cursor on the row of a click and returns its node, or nil. A
// click on the sign of a node folds it.
func (t *Tree) Click(x, y int) *Node {
	from, to := t.win.Range()
	if y < 0 || from+y >= to {
		return nil
	}
	t.moveTo(from + y)
	r := t.rows[t.cursor]
	if sign := 2 * r.depth; x >= sign && x < sign+2 {
		t.Toggle()
	}
	return r.node
}
