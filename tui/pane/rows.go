package pane

import (
	"strings"

	"claimscope/tui/keymap"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/widget"
)

// Rows is a list of drawn lines with a cursor over items: a row belongs to an item
// or to none, and an item may have several rows. Its first column is the cursor's.
type Rows struct {
	lines  []string
	items  []int // of each line; -1 for none
	first  []int // first line of each item
	last   []int // last line of each item
	top    int
	cursor int // item, or -1
	head   int // item that is kept on screen with the cursor
	h      int
	follow bool // the cursor has moved: bring it on screen when drawn

	// Decorate, if set, changes a line that is on screen and gives the mark of its first
	// column.
	Decorate func(line int, s string) (mark, decorated string)

	query string
	hits  []int // lines
	hit   int   // index into hits, or -1
	out   []string
}

// NewRows returns an empty list.
func NewRows() *Rows { return &Rows{cursor: -1, hit: -1} }

// Reset empties the list and keeps its place.
func (r *Rows) Reset() {
	r.lines, r.items, r.first, r.last = r.lines[:0], r.items[:0], r.first[:0], r.last[:0]
}

// Add adds a line that belongs to an item, or to none (-1). Items are numbered from
// 0 in order.
func (r *Rows) Add(item int, line string) {
	for item >= len(r.first) {
		r.first, r.last = append(r.first, len(r.lines)), append(r.last, len(r.lines))
	}
	if item >= 0 {
		r.last[item] = len(r.lines)
	}
	r.lines, r.items = append(r.lines, line), append(r.items, item)
}

// Wrap adds text in as many lines of w cells as it needs: indented, the later lines
// by hang cells more.
func (r *Rows) Wrap(item, w, indent, hang int, styled string) {
	if indent > w/2 {
		indent = w / 2
	}
	for _, l := range text.WrapStyled(styled, max(w-1-indent, 1), hang) {
		r.Add(item, text.Spaces(indent)+l)
	}
}

// Finish is called after the last Add. It searches the new lines.
func (r *Rows) Finish() {
	if r.cursor >= len(r.first) {
		r.cursor = len(r.first) - 1
	}
	r.find()
}

// Count is the number of lines so far.
func (r *Rows) Count() int { return len(r.lines) }

// SetHeight tells the height before the list is drawn.
func (r *Rows) SetHeight(h int) { r.h = h }

// Len is the number of items.
func (r *Rows) Len() int { return len(r.first) }

// Cursor is the item under the cursor, or -1.
func (r *Rows) Cursor() int { return r.cursor }

// SetCursor moves the cursor and, if it is another item, brings it on screen.
func (r *Rows) SetCursor(item int) {
	if item != r.cursor {
		r.cursor = item
		r.follow = true
	}
}

// Around keeps the head of a group on screen with its item, where both fit: head is an
// item at or before the cursor.
func (r *Rows) Around(head int) { r.head = head }

// Scroll moves the list without the cursor.
func (r *Rows) Scroll(rows int) { r.top = max(min(r.top+rows, len(r.lines)-r.h), 0) }

// Page scrolls without a cursor as a key says. ok is false for other keys.
func (r *Rows) Page(a keymap.Action) (ok bool) {
	switch a {
	case keymap.Up:
		r.Scroll(-1)
	case keymap.Down:
		r.Scroll(1)
	case keymap.PageUp, keymap.HalfUp:
		r.Scroll(-r.step(a == keymap.PageUp))
	case keymap.PageDown, keymap.HalfDown:
		r.Scroll(r.step(a == keymap.PageDown))
	case keymap.Home:
		r.top = 0
	case keymap.End:
		r.Scroll(len(r.lines))
	default:
		return false
	}
	return true
}

// Move moves the cursor as a key says. ok is false for a key that moves nothing.
func (r *Rows) Move(a keymap.Action) (item int, ok bool) {
	n := len(r.first)
	if n == 0 {
		return -1, false
	}
	at := r.cursor
	switch a {
	case keymap.Up:
		at--
	case keymap.Down:
		at++
	case keymap.Home:
		at = 0
	case keymap.End:
		at = n - 1
	case keymap.PageUp, keymap.HalfUp:
		at = r.far(-r.step(a == keymap.PageUp))
	case keymap.PageDown, keymap.HalfDown:
		at = r.far(r.step(a == keymap.PageDown))
	default:
		return 0, false
	}
	r.SetCursor(max(min(at, n-1), 0))
	return r.cursor, true
}

func (r *Rows) step(page bool) int {
	if page {
		return max(r.h-1, 1)
	}
	return max(r.h/2, 1)
}

// far gives the item that is about so many rows away, at least the next one.
func (r *Rows) far(rows int) int {
	if r.cursor < 0 {
		return 0
	}
	line := max(min(r.first[r.cursor]+rows, len(r.lines)-1), 0)
	for line > 0 && r.items[line] < 0 {
		line--
	}
	at := r.items[line]
	if at == r.cursor {
		if rows < 0 {
			return at - 1
		}
		return at + 1
	}
	return at
}

// At gives the item in a row of the screen.
func (r *Rows) At(y int) (item int, ok bool) {
	line := r.top + y
	if y < 0 || y >= r.h || line >= len(r.lines) || r.items[line] < 0 {
		return 0, false
	}
	return r.items[line], true
}

// Line gives the number of the line in a row of the screen, and whether there is one.
func (r *Rows) Line(y int) (line int, ok bool) {
	line = r.top + y
	return line, y >= 0 && line < len(r.lines)
}

// Search looks for text, case ignored, and moves the cursor to the first hit from the
// cursor on.
func (r *Rows) Search(query string) {
	r.query, r.hit = strings.ToLower(query), -1
	r.find()
	from := 0
	if r.cursor >= 0 && r.cursor < len(r.first) {
		from = r.first[r.cursor]
	}
	for i, line := range r.hits {
		if line >= from {
			r.toHit(i)
			return
		}
	}
	if len(r.hits) > 0 {
		r.toHit(0)
	}
}

func (r *Rows) find() {
	r.hits = r.hits[:0]
	if r.query == "" {
		return
	}
	for i, l := range r.lines {
		if strings.Contains(strings.ToLower(text.Unstyle(l)), r.query) {
			r.hits = append(r.hits, i)
		}
	}
	if r.hit >= len(r.hits) {
		r.hit = len(r.hits) - 1
	}
}

// NextHit goes to the next hit, or the previous one, round the end. ok is false when
// there is none.
func (r *Rows) NextHit(back bool) (item int, ok bool) {
	n := len(r.hits)
	if n == 0 {
		return 0, false
	}
	step := 1
	if back {
		step = n - 1
	}
	r.toHit((max(r.hit, 0) + step) % n)
	return r.cursor, true
}

func (r *Rows) toHit(i int) {
	r.hit = i
	line := r.hits[i]
	if item := r.items[line]; item >= 0 {
		r.cursor = item
	}
	r.Show(line, line)
}

// SearchState says how the search stands.
func (r *Rows) SearchState() (widget.SearchState, bool) {
	return widget.SearchState{Query: r.query, Count: len(r.hits), Number: r.hit + 1, Done: true, Progress: 1}, r.query != ""
}

// Show brings lines on screen, the first of them above all.
func (r *Rows) Show(from, to int) {
	if to >= r.top+r.h {
		r.top = to - r.h + 1
	}
	if from < r.top {
		r.top = from
	}
}

// Room is the width of rows in w cells: the last column is the scroll bar's.
func Room(w int) int { return max(w-1, 1) }

// Draw draws h lines of w cells, the last of which is the scroll bar's.
func (r *Rows) Draw(w, h int, p *Paints, focused bool) []string {
	r.h = h
	if r.follow && r.cursor >= 0 && r.cursor < len(r.first) {
		if r.head >= 0 && r.head < r.cursor && r.last[r.cursor]-r.first[r.head] < h {
			r.Show(r.first[r.head], r.last[r.cursor])
		}
		r.Show(r.first[r.cursor], r.last[r.cursor])
	}
	r.follow = false
	r.Scroll(0)
	r.out = r.out[:0]
	room := Room(w)
	bar := widget.Bar(r.top, h, len(r.lines), p.Thumb)
	for y := range h {
		line := text.Spaces(room)
		if i := r.top + y; i < len(r.lines) {
			line = r.row(i, room, p, focused)
		}
		if w > room {
			line += bar[y]
		}
		r.out = append(r.out, line)
	}
	return r.out
}

func (r *Rows) row(i, w int, p *Paints, focused bool) string {
	line, mark := r.lines[i], " "
	on := r.cursor >= 0 && r.items[i] == r.cursor
	if on && i == r.first[r.cursor] {
		mark = theme.MarkCursor
	}
	if r.Decorate != nil {
		mark, line = r.Decorate(i, line)
	}
	line = r.lit(line, i, p)
	line = text.Fit(mark+line, w, "…")
	if !on {
		return line
	}
	if focused {
		return p.Cursor.Over(line)
	}
	return line
}

// lit lights the search hits of a line up.
func (r *Rows) lit(line string, i int, p *Paints) string {
	if r.query == "" {
		return line
	}
	plain := text.Unstyle(line)
	low := strings.ToLower(plain)
	if len(low) != len(plain) {
		return line // a letter whose cases differ in length
	}
	paint := p.Hit
	if r.hit >= 0 && r.hit < len(r.hits) && r.hits[r.hit] == i {
		paint = p.HitCurrent
	}
	var b strings.Builder
	done, at := 0, 0
	for {
		k := strings.Index(low[at:], r.query)
		if k < 0 {
			break
		}
		k += at
		from, to := text.Width(plain[:k]), text.Width(plain[:k+len(r.query)])
		b.WriteString(text.Cut(line, done, from))
		b.WriteString(paint.Raw(plain[k : k+len(r.query)]))
		done, at = to, k+len(r.query)
	}
	if done == 0 {
		return line
	}
	b.WriteString(text.Cut(line, done, text.Width(plain)))
	return b.String()
}
