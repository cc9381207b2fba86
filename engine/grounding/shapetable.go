package grounding

import (
	"bytes"
	"slices"
)

// table is a header line with aligned rows, or rows cut by '|', tabs or commas.
type table struct {
	span    Span
	headers []Span
	names   []string
	rows    []tableRow
}

type tableRow struct {
	span  Span
	cells []Span
	cols  []int // header index of each cell, -1 for none
}

// headerOf names the column of cell c of its row; set by cellAt's row.
func (t *table) headerOf(col int) string {
	if col < 0 || col >= len(t.names) {
		return ""
	}
	return t.names[col]
}

// cellAt returns the column of the cell at offset in row r.
func (t *table) cellAt(r, offset int) (col int, ok bool) {
	for i, c := range t.rows[r].cells {
		if c.Start <= offset && offset < c.End {
			return t.rows[r].cols[i], true
		}
	}
	return 0, false
}

// cellOf returns the cell of row r in column col.
func (t *table) cellOf(r, col int) (Span, bool) {
	for i, c := range t.rows[r].cols {
		if c == col {
			return t.rows[r].cells[i], true
		}
	}
	return Span{}, false
}

const (
	maxTableCols = 64
	maxLineBytes = 4096 // longer lines are no table rows
)

// findTables finds the tables of a text, in order.
func findTables(text *Text) []table {
	raw := text.Raw()
	var out []table
	lines := splitLines(raw)
	for i := 0; i < len(lines); {
		t, next := tableAt(raw, lines, i)
		if next == i && len(raw) <= maxBareBytes {
			t, next = bareTableAt(raw, lines, i)
		}
		if next > i {
			if k := len(out) - 1; k >= 0 && slices.Equal(out[k].names, t.names) && len(t.names) > 1 {
				out[k].rows, out[k].span.End = append(out[k].rows, t.rows...), t.span.End // the header again, for the next group
			} else {
				out = append(out, t)
			}
			i = next
			continue
		}
		i++
	}
	return out
}

func splitLines(raw []byte) []Span {
	out := make([]Span, 0, bytes.Count(raw, []byte{'\n'})+1)
	for i := 0; i <= len(raw); {
		j := bytes.IndexByte(raw[i:], '\n')
		end := len(raw)
		if j >= 0 {
			end = i + j
		}
		e := end
		if e > i && raw[e-1] == '\r' {
			e--
		}
		out = append(out, Span{i, e})
		if j < 0 {
			break
		}
		i = end + 1
	}
	return out
}

// tableAt reads a table whose header is line i; next is i when there is none.
func tableAt(raw []byte, lines []Span, i int) (table, int) {
	if isRule(raw[lines[i].Start:lines[i].End]) && i+1 < len(lines) && bytes.Contains(raw[lines[i].Start:lines[i].End], []byte("─")) {
		return boxTable(raw, lines, i)
	}
	head := lines[i]
	if !mayHead(raw[head.Start:head.End]) {
		return table{}, i
	}
	sep, ok := separatorOf(raw[head.Start:head.End])
	if !ok {
		return table{}, i
	}
	t := table{span: head, headers: cells(raw, head, sep)}
	if sep == ' ' {
		t.headers = spacedHeaders(raw, lines, i, t.headers)
		if i+1 < len(lines) {
			t.headers = ruledHeaders(raw, head, lines[i+1], t.headers)
		}
	}
	if len(t.headers) < 2 || len(t.headers) > maxTableCols || !isHeader(raw, t.headers, sep) {
		return table{}, i
	}
	for _, h := range t.headers {
		t.names = append(t.names, string(raw[h.Start:h.End]))
	}
	indent := leading(raw, head)
	shift := 0
	if sep == ' ' && i+1 < len(lines) {
		shift = headerShift(raw, head, lines[i+1], t.headers)
	}
	j := i + 1
	for ; j < len(lines); j++ {
		l := lines[j]
		body := raw[l.Start:l.End]
		if len(bytes.TrimSpace(body)) == 0 || len(body) > maxLineBytes {
			break
		}
		if isRule(body) {
			continue
		}
		if sep == ' ' && j > i+1 && upperHeader(body) {
			break // the next command's table
		}
		if sep == ' ' && j == i+1 && indent > 2 {
			if names := indexNames(raw, l, indent); len(names) > 0 && len(names)+len(t.headers) <= maxTableCols {
				t.headers = append(names, t.headers...)
				for k := len(names) - 1; k >= 0; k-- {
					t.names = append([]string{string(raw[names[k].Start:names[k].End])}, t.names...)
				}
				indent = 0
				continue
			}
		}
		if sep == ' ' && leading(raw, l) < indent && leading(raw, l) == 0 && indent > 0 {
			if t.names[0] == "Type" || indent > 2 && !isDataIndex(raw, l) {
				break
			}
		}
		row := tableRow{span: l}
		if sep == ' ' {
			row.cells, row.cols = alignRow(raw, l, t.headers, shift)
		} else {
			row.cells = cells(raw, l, sep)
			for k := range row.cells {
				row.cols = append(row.cols, k)
			}
			if len(row.cells) != len(t.headers) {
				break
			}
		}
		if len(row.cells) < 2 || sep == ' ' && len(gapCells(raw, l, 2)) < 2 && len(row.cells) != len(t.headers) {
			break
		}
		t.rows = append(t.rows, row)
		t.span.End = l.End
	}
	if t.rows == nil || sep == ',' && len(t.rows) < 2 {
		return table{}, i
	}
	return t, j
}

func leading(raw []byte, l Span) int {
	n := 0
	for l.Start+n < l.End && (raw[l.Start+n] == ' ' || raw[l.Start+n] == '\t') {
		n++
	}
	return n
}

// isDataIndex reports a row that starts with a bare number: the index of a data frame.
func isDataIndex(raw []byte, l Span) bool {
	i := l.Start
	for i < l.End && isNum(raw[i]) {
		i++
	}
	return i > l.Start && i < l.End && raw[i] == ' '
}

// separatorOf tells how a header line is cut.
func separatorOf(line []byte) (byte, bool) {
	if len(line) > maxLineBytes || len(line) < 3 {
		return 0, false
	}
	switch {
	case bytes.Count(line, []byte("|")) >= 1 && !bytes.Contains(line, []byte("||")):
		return '|', true
	case bytes.IndexByte(line, '\t') > 0 && len(bytes.TrimSpace(line)) > 0 && bytes.IndexByte(bytes.TrimSpace(line), '\t') > 0:
		return '\t', true
	case bytes.Count(line, []byte(",")) >= 1 && bytes.IndexByte(bytes.TrimPrefix(line, []byte("# ")), ' ') < 0:
		return ',', true
	case bytes.IndexByte(bytes.TrimSpace(line), ' ') > 0:
		return ' ', true
	}
	return 0, false
}

// isRule reports separator lines of dashes, or of box drawing characters with or without
// the column names between (┌─name─┬─value─┐).
func isRule(line []byte) bool {
	if bytes.HasPrefix(line, []byte("┌")) || bytes.HasPrefix(line, []byte("└")) || bytes.HasPrefix(line, []byte("├")) || bytes.HasPrefix(line, []byte("┏")) || bytes.HasPrefix(line, []byte("┡")) {
		return true
	}
	dash := false
	for _, c := range line {
		switch c {
		case '-', '=', '+':
			dash = true
		case ' ', '|', '\t', ':':
		default:
			return false
		}
	}
	return dash
}

// cells cuts a line at sep and trims the pieces. For ' ' it cuts at two or more spaces.
func cells(raw []byte, l Span, sep byte) []Span {
	if sep == ' ' {
		return gapCells(raw, l, 2)
	}
	var out []Span
	start := l.Start
	for i := l.Start; i <= l.End; i++ {
		if i < l.End && raw[i] != sep {
			continue
		}
		out = append(out, trimBytes(raw, Span{start, i}))
		start = i + 1
	}
	if sep == '|' && len(out) > 1 {
		// A border has nothing beyond it; an empty cell of psql has a bar before it only.
		if bytes.HasPrefix(bytes.TrimLeft(raw[l.Start:l.End], " \t"), []byte{'|'}) {
			out = out[1:]
			if last := out[len(out)-1]; len(out) > 1 && last.Start == last.End {
				out = out[:len(out)-1]
			}
		}
	}
	return out
}

func trimBytes(raw []byte, s Span) Span {
	for s.Start < s.End && (raw[s.Start] == ' ' || raw[s.Start] == '\t') {
		s.Start++
	}
	for s.End > s.Start && (raw[s.End-1] == ' ' || raw[s.End-1] == '\t') {
		s.End--
	}
	return s
}

// gapCells cuts a line at runs of at least gap blanks.
func gapCells(raw []byte, l Span, gap int) []Span {
	var out []Span
	for i := l.Start; i < l.End; {
		for i < l.End && (raw[i] == ' ' || raw[i] == '\t') {
			i++
		}
		if i == l.End {
			break
		}
		start := i
		for i < l.End {
			n := 0
			for i+n < l.End && (raw[i+n] == ' ' || raw[i+n] == '\t') {
				n++
			}
			if n >= gap || n > 0 && i+n == l.End {
				break
			}
			i += max(n, 1)
		}
		out = append(out, Span{start, i})
	}
	return out
}

func (t *table) has(name string) bool {
	for _, n := range t.names {
		if n == name {
			return true
		}
	}
	return false
}
