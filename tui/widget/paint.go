package widget

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Paint is a style taken apart into the sequences before and after a text, so
// that a row is painted without a call of Lip Gloss for each piece.
type Paint struct{ open, close string }

// NewPaint takes a style apart. It must only colour (no padding, width or
// border), as the styles of claimscope/tui/theme do.
func NewPaint(s lipgloss.Style) Paint {
	open, end, _ := strings.Cut(s.Render("x"), "x")
	return Paint{open: open, close: end}
}

// Render paints s, which must be free of styles.
func (p Paint) Render(s string) string {
	if p.open == "" || s == "" {
		return s
	}
	return p.open + s + p.close
}

// line builds one row out of painted pieces.
type line struct {
	buf   []byte
	with  Paint // open at the end of buf
	cells int   // drawn so far; counted by the callers of put
}

// put appends s in a paint.
func (l *line) put(p Paint, s string) {
	if s == "" {
		return
	}
	if l.with != p {
		l.end()
		l.buf = append(l.buf, p.open...)
		l.with = p
	}
	l.buf = append(l.buf, s...)
}

// end closes the open paint.
func (l *line) end() {
	l.buf = append(l.buf, l.with.close...)
	l.with = Paint{}
}

// take returns the row and starts a new one.
func (l *line) take() string {
	l.end()
	s := string(l.buf)
	l.buf, l.cells = l.buf[:0], 0
	return s
}
