package widget

import (
	"github.com/charmbracelet/lipgloss"
)

// Limits of the layout, in bytes.
const (
	// segment is the longest part of a line that is laid out in one go. In a
	// longer line, wrapping starts afresh at each multiple of it, so that any
	// place of a line of any length is laid out without what is before it. The
	// price is one short row in eight thousand bytes.
	segment = 8 << 10
	// maxSideways is the longest line that is scrolled sideways; longer ones are
	// always wrapped, since their columns would have to be counted from the start.
	maxSideways = 1 << 20
)

// TextStyles are the styles of a [TextView].
type TextStyles struct {
	Text, LineNumber, Escape, ScrollBar, ScrollThumb lipgloss.Style
	// Classes are the styles of highlights, by class.
	Classes map[Class]lipgloss.Style
	// Brackets puts ▌ and ▐ around highlights of ClassCurrent, for terminals in
	// which styles cannot be seen.
	Brackets bool
}

// TextView shows part of a [Source]: wrapped or scrolled sideways, with line
// numbers, highlights and search. What a method costs depends on the size of the
// view, not of the text. It is not safe for concurrent use.
type TextView struct {
	src  *Source
	w, h int

	wrap, numbers, bar, follow bool

	plain, number, escape, barPaint, thumb Paint
	classes                                [classCount]Paint
	brackets                               bool

	top   int // offset of the first row shown
	x     int // first column shown when scrolled sideways
	focus int // start of the span last shown, or -1
	fspan int // its length

	marks  markSet
	search *Search
	hit    int // offset of the search hit looked at, or -1
	want   seek

	digits  int           // of the line numbers; grows only
	columns map[int][]int // of long lines by start: cells before each segment
	rows    []row         // the rows on screen, until the layout or the place changes
	drawn   []string      // as drawn, until anything changes
	out     line
	cls     []Class
}

// NewTextView returns a view of src at its start, wrapped, with line numbers.
func NewTextView(src *Source) *TextView {
	return &TextView{src: src, wrap: true, numbers: true, focus: -1, hit: -1, digits: 3, columns: map[int][]int{}, w: 1, h: 1}
}

// Source returns what is shown.
func (v *TextView) Source() *Source { return v.src }

// SetSource shows another text from its start. Marks and search are dropped;
// size, styles and settings stay.
func (v *TextView) SetSource(src *Source) {
	v.src = src
	v.top, v.x, v.focus, v.fspan, v.hit, v.want = 0, 0, -1, 0, -1, seekNone
	v.marks, v.search, v.digits = markSet{}, nil, 3
	clear(v.columns)
	v.moved()
}

// SetStyles sets the styles.
func (v *TextView) SetStyles(s TextStyles) {
	v.plain, v.number, v.escape = NewPaint(s.Text), NewPaint(s.LineNumber), NewPaint(s.Escape)
	v.barPaint, v.thumb = NewPaint(s.ScrollBar), NewPaint(s.ScrollThumb)
	v.classes = [classCount]Paint{ClassNone: v.plain}
	for c, style := range s.Classes {
		if c > ClassNone && c < classCount {
			v.classes[c] = NewPaint(style)
		}
	}
	v.change(func() { v.brackets = s.Brackets })
}

// SetSize sets the size in cells, gutter and scroll bar included. The place is
// kept: what was last shown by [TextView.Show], if still on screen, else the top.
func (v *TextView) SetSize(w, h int) {
	w, h = max(w, 1), max(h, 1)
	if w != v.w || h != v.h {
		v.change(func() { v.w, v.h = w, h })
	}
}

// SetWrap wraps lines, or scrolls sideways.
func (v *TextView) SetWrap(on bool) { v.change(func() { v.wrap, v.x = on, 0 }) }

// Wrap reports whether lines are wrapped.
func (v *TextView) Wrap() bool { return v.wrap }

// SetNumbers shows line numbers.
func (v *TextView) SetNumbers(on bool) { v.change(func() { v.numbers = on }) }

// SetScrollBar shows a scroll bar in the last column.
func (v *TextView) SetScrollBar(on bool) { v.change(func() { v.bar = on }) }

// SetMarks replaces the highlights.
func (v *TextView) SetMarks(marks []Mark) {
	if v.brackets {
		v.change(func() { v.marks = newMarkSet(marks) })
		return
	}
	v.marks = newMarkSet(marks)
	v.drawn = nil
}

// Append adds to the end of the text; a view that follows shows the end.
func (v *TextView) Append(p []byte) {
	v.src.Append(p)
	v.moved()
	if v.follow {
		v.end()
	}
}

// SetFollow follows the end of a text that grows. Scrolling up ends it.
func (v *TextView) SetFollow(on bool) {
	v.follow = on
	if on {
		v.end()
	}
}

// Following reports whether the view follows the end.
func (v *TextView) Following() bool { return v.follow }

// change does something that moves row borders and keeps the place.
func (v *TextView) change(do func()) {
	shown := v.focus >= 0 && v.visible(v.focus)
	do()
	v.moved()
	v.top = v.rowContaining(v.top).start
	switch {
	case v.follow:
		v.end()
	case shown:
		v.centre(v.focus, v.fspan)
	default:
		v.settle()
	}
}

// moved forgets what was laid out and drawn.
func (v *TextView) moved() { v.rows, v.drawn = nil, nil }

// gutter returns the cells of the line numbers and the column after them.
func (v *TextView) gutter() int {
	if !v.numbers || v.w < 16 {
		return 0
	}
	return min(v.digits+1, v.w/2)
}

// fitNumbers makes room for the line numbers. It never takes room back, so that
// rows do not jump while a text is indexed.
func (v *TextView) fitNumbers() {
	v.src.Index(sampleLines - v.src.indexed())
	n, exact := v.src.Lines()
	if !exact {
		// As many lines for each byte in the rest as in what was indexed.
		n = int(float64(n+1) / float64(max(v.src.indexed(), 1)) * float64(v.src.Len()))
	}
	digits := 1
	for ; n >= 10; n /= 10 {
		digits++
	}
	if digits > v.digits {
		v.digits = digits
		v.top = v.rowContaining(v.top).start
	}
}

// sampleLines is how much of a text is indexed before its lines are estimated.
const sampleLines = 64 << 10

// room returns the cells for text in a row.
func (v *TextView) room() int {
	w := v.w - v.gutter()
	if v.bar && w > 1 {
		w--
	}
	return w
}
