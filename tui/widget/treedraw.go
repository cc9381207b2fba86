package widget

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"claimscope/tui/text"
)

// TreeStyles are the styles of a [Tree].
type TreeStyles struct {
	Key, String, Number, Literal, Punct, Text lipgloss.Style
	// Cursor is the row of the cursor, CursorAway the same without the keyboard,
	// Match a row that a search found.
	Cursor, CursorAway, Match lipgloss.Style
	ScrollThumb               lipgloss.Style
}

type treePaints struct{ key, str, number, literal, punct, text, cursor, away, match, thumb Paint }

// SetStyles sets the styles.
func (t *Tree) SetStyles(s TreeStyles) {
	t.styles = treePaints{
		key: NewPaint(s.Key), str: NewPaint(s.String), number: NewPaint(s.Number), literal: NewPaint(s.Literal), punct: NewPaint(s.Punct),
		text: NewPaint(s.Text), cursor: NewPaint(s.Cursor), away: NewPaint(s.CursorAway), match: NewPaint(s.Match), thumb: NewPaint(s.ScrollThumb),
	}
}

// maxPreview bounds what is drawn of a value, in bytes.
const maxPreview = 2000

// Lines draws the tree: as many lines as it is high, each exactly as wide.
func (t *Tree) Lines() []string {
	lines := make([]string, 0, t.win.h)
	from, to := t.win.Range()
	for i := from; i < to; i++ {
		lines = append(lines, t.row(t.rows[i], i == t.cursor))
	}
	for len(lines) < t.win.h {
		lines = append(lines, text.Spaces(t.w))
	}
	if t.bar {
		return Beside(lines, Bar(t.win.top, t.win.h, t.win.total, t.styles.thumb))
	}
	return lines
}

// row draws a row. That of the cursor has one style from end to end.
func (t *Tree) row(r treeRow, cursor bool) string {
	n := r.node
	badge := ""
	if n.Badge != "" {
		badge = " " + text.Truncate(text.SanitiseLine(n.Badge), max(t.w/2, 0), "…")
	}
	room := t.w - text.Width(badge)
	plain := cursor || n.found
	paint := func(p Paint, s string) string {
		if plain {
			return s
		}
		return p.Render(s)
	}
	var b strings.Builder
	b.WriteString(text.Spaces(2 * r.depth))
	sign := "  "
	if len(n.Children) > 0 {
		if sign = "▸ "; n.Open {
			sign = "▾ "
		}
	}
	b.WriteString(paint(t.styles.punct, sign))
	if n.Label != "" {
		b.WriteString(paint(t.styles.key, text.SanitiseLine(n.Label)))
		b.WriteByte(' ')
	}
	if size := n.size(); size != "" {
		b.WriteString(paint(t.styles.punct, size))
		b.WriteByte(' ')
	}
	if value := n.preview(); value != "" {
		b.WriteString(paint(t.valuePaint(n.Kind), value))
	}
	line := text.Fit(b.String(), room, "…")
	switch {
	case cursor && t.focused:
		return t.styles.cursor.Render(line + badge)
	case cursor:
		return t.styles.away.Render(line + badge)
	case n.found:
		return t.styles.match.Render(line) + n.BadgePaint.Render(badge)
	}
	return line + n.BadgePaint.Render(badge)
}

// size is the number of children in the brackets of their kind.
func (n *Node) size() string {
	switch n.Kind {
	case KindObject:
		return "{" + strconv.Itoa(len(n.Children)) + "}"
	case KindArray:
		return "[" + strconv.Itoa(len(n.Children)) + "]"
	case KindText, KindString, KindNumber, KindLiteral:
	}
	return ""
}

// preview is what a row shows of a value; of a folded node it is the first plain
// value inside.
func (n *Node) preview() string {
	v := n.Value
	if v == "" && !n.Open {
		for _, c := range n.Children {
			if len(c.Children) == 0 && c.Value != "" {
				v = c.Value + " …"
				break
			}
		}
	}
	if len(v) > maxPreview {
		v = v[:text.Boundary(v, maxPreview)] + "…"
	}
	return text.SanitiseLine(v)
}

func (t *Tree) valuePaint(k NodeKind) Paint {
	switch k {
	case KindString:
		return t.styles.str
	case KindNumber:
		return t.styles.number
	case KindLiteral:
		return t.styles.literal
	case KindObject, KindArray:
		return t.styles.punct
	case KindText:
	}
	return t.styles.text
}
