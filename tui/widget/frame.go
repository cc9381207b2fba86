package widget

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"claimscope/tui/text"
)

// FrameStyles are the styles of a [Frame].
type FrameStyles struct {
	Border, BorderFocused, Title, TitleFocused, Status lipgloss.Style
}

// Frame is a box with a title at the left of its upper border and a status at
// the right, and a footer in the lower border. The texts must be sanitised; they
// may be styled, then the styles of the frame are not used for them.
type Frame struct {
	Title, Status, Footer string
	// Focused frames have heavy lines, so that the focus is seen without colour.
	Focused bool

	border, borderFocused, title, titleFocused, status Paint
}

// SetStyles sets the styles.
func (f *Frame) SetStyles(s FrameStyles) {
	f.border, f.borderFocused = NewPaint(s.Border), NewPaint(s.BorderFocused)
	f.title, f.titleFocused, f.status = NewPaint(s.Title), NewPaint(s.TitleFocused), NewPaint(s.Status)
}

// Inner returns the size inside a frame of a given size, in cells; at least 1×1.
func (f *Frame) Inner(w, h int) (innerW, innerH int) { return max(w-2, 1), max(h-2, 1) }

// Lines draws the frame around lines: h lines of exactly w cells. Lines too many
// or too wide are cut, missing ones blank. Below 3×3 cells there is no frame.
func (f *Frame) Lines(lines []string, w, h int) []string {
	if w < 3 || h < 3 {
		return Block(lines, w, h)
	}
	border, title, edge := f.border, f.title, "┌─┐│└┘"
	if f.Focused {
		border, title, edge = f.borderFocused, f.titleFocused, "┏━┓┃┗┛"
	}
	e := strings.Split(edge, "")
	side := border.Render(e[3])
	out := make([]string, 0, h)
	out = append(out, f.bar(e[0], e[1], e[2], w, border, title, f.Title, f.Status))
	for i := range h - 2 {
		l := ""
		if i < len(lines) {
			l = lines[i]
		}
		out = append(out, side+text.Fit(l, w-2, "…")+side)
	}
	return append(out, f.bar(e[4], e[1], e[5], w, border, f.status, "", f.Footer))
}

// bar draws an upper or lower border with texts at its left and right. The left
// one has the right of way.
func (f *Frame) bar(left, rule, right string, w int, border, paint Paint, start, end string) string {
	room := w - 2
	label := func(s string, p Paint, cells int) (string, int) {
		if s == "" || cells < 4 {
			return "", 0
		}
		s = " " + text.Truncate(s, cells-2, "…") + " "
		n := text.Width(s)
		if strings.IndexByte(s, 0x1b) < 0 {
			s = p.Render(s)
		}
		return s, n
	}
	a, aw := label(start, paint, room)
	b, bw := label(end, f.status, room-aw)
	return border.Render(left) + a + border.Render(strings.Repeat(rule, max(room-aw-bw, 0))) + b + border.Render(right)
}

// Block returns lines as exactly h lines of exactly w cells, cut and filled.
func Block(lines []string, w, h int) []string {
	out := make([]string, max(h, 0))
	for i := range out {
		if i < len(lines) {
			out[i] = text.Fit(lines[i], w, "…")
		} else {
			out[i] = text.Spaces(w)
		}
	}
	return out
}

// Beside puts blocks of the same height side by side.
func Beside(blocks ...[]string) []string {
	if len(blocks) == 0 {
		return nil
	}
	out := make([]string, len(blocks[0]))
	var b strings.Builder
	for i := range out {
		b.Reset()
		for _, block := range blocks {
			if i < len(block) {
				b.WriteString(block[i])
			}
		}
		out[i] = b.String()
	}
	return out
}

// Below puts blocks one below the other.
func Below(blocks ...[]string) []string {
	var out []string
	for _, b := range blocks {
		out = append(out, b...)
	}
	return out
}

// Over puts a block over the middle of a screen of w cells a line, for dialogs.
// It returns where its corner is.
func Over(screen, block []string, w int) (lines []string, x, y int) {
	lines = append([]string(nil), screen...)
	if len(block) == 0 {
		return lines, 0, 0
	}
	bw := text.Width(block[0])
	x, y = max((w-bw)/2, 0), max((len(screen)-len(block))/2, 0)
	for i, b := range block {
		if y+i < len(lines) {
			l := lines[y+i]
			lines[y+i] = text.Fit(text.Cut(l, 0, x), x, "") + b + text.Cut(l, x+bw, w)
		}
	}
	return lines, x, y
}
