package answer

import (
	"strings"

	astext "github.com/yuin/goldmark/extension/ast"
	gtext "github.com/yuin/goldmark/text"

	"claimscope/tui/text"
)

func segment(from, to int) gtext.Segment { return gtext.NewSegment(from, to) }

// Limits of a table.
const (
	maxColumns = 32
	minColumn  = 6 // cells; with less for a column, rows are written as lists
)

// table draws a table whose cells wrap by the same rules as all text; where columns
// would get too narrow, each row becomes a list of "head: cell".
func (d *document) table(n *astext.Table, w int) []string {
	var rows [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil && len(cells) < maxColumns; cell = cell.NextSibling() {
			cells = append(cells, d.leaf(cell, 0))
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil
	}
	widths := columns(rows, w-3*(len(rows[0])-1))
	if widths == nil {
		return d.records(rows, w)
	}
	var out []string
	for i, row := range rows {
		out = append(out, d.tableRow(row, widths, n.Alignments)...)
		if i == 0 {
			bars := make([]string, 0, len(widths))
			for _, c := range widths {
				bars = append(bars, strings.Repeat("─", c))
			}
			out = append(out, d.p.Faint.Raw(strings.Join(bars, "─┼─")))
		}
	}
	return out
}

// columns shares the room out: every column its natural width if they fit, else the
// wide ones an equal share of what the narrow ones leave. nil if that is too little.
func columns(rows [][]string, room int) []int {
	n := len(rows[0])
	natural := make([]int, n)
	for _, row := range rows {
		for i := range min(len(row), n) {
			for line := range strings.SplitSeq(row[i], "\n") {
				natural[i] = max(natural[i], text.Width(line), 1)
			}
		}
	}
	widths := make([]int, n)
	open := n
	for open > 0 {
		share, settled := room/open, false
		for i := range n {
			if widths[i] == 0 && natural[i] <= share {
				widths[i], settled = natural[i], true
				room -= natural[i]
				open--
			}
		}
		if settled {
			continue
		}
		if share < minColumn {
			return nil
		}
		for i := range n {
			if widths[i] == 0 {
				widths[i] = room / open
				room -= widths[i]
				open--
			}
		}
	}
	return widths
}

func (d *document) tableRow(row []string, widths []int, align []astext.Alignment) []string {
	cells := make([][]string, len(widths))
	height := 1
	for i := range widths {
		if i < len(row) {
			cells[i] = text.WrapStyled(row[i], widths[i], 0)
			height = max(height, len(cells[i]))
		}
	}
	out := make([]string, 0, height)
	for y := range height {
		var b strings.Builder
		for i, w := range widths {
			if i > 0 {
				b.WriteString(d.p.Faint.Raw(" │ "))
			}
			cell := ""
			if y < len(cells[i]) {
				cell = cells[i][y]
			}
			room := max(w-text.Width(cell), 0)
			left := 0
			if i < len(align) {
				switch align[i] {
				case astext.AlignRight:
					left = room
				case astext.AlignCenter:
					left = room / 2
				case astext.AlignLeft, astext.AlignNone:
				}
			}
			b.WriteString(text.Spaces(left) + cell + sentinel(0) + text.Spaces(room-left))
		}
		out = append(out, b.String())
	}
	return out
}

// records writes each row of a table as a list of its cells.
func (d *document) records(rows [][]string, w int) []string {
	var out []string
	for i, row := range rows[1:] {
		if i > 0 {
			out = append(out, "")
		}
		for k, cell := range row {
			head := ""
			if k < len(rows[0]) {
				head = rows[0][k] + sentinel(0) + d.p.Faint.Raw("：")
			}
			out = append(out, text.WrapStyled(head+cell, w, 2)...)
		}
	}
	return out
}
