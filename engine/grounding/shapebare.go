package grounding

import (
	"bytes"
	"strings"
)

// boxTable reads a table that ClickHouse draws: the names stand in the top rule, cells
// between │.
func boxTable(raw []byte, lines []Span, i int) (table, int) {
	t := table{span: lines[i], headers: boxCells(raw, lines[i], "┌┬┐─ ")}
	if len(t.headers) < 2 || len(t.headers) > maxTableCols {
		return table{}, i
	}
	for _, h := range t.headers {
		t.names = append(t.names, string(raw[h.Start:h.End]))
	}
	j := i + 1
	for ; j < len(lines) && bytes.HasPrefix(raw[lines[j].Start:lines[j].End], []byte("│")); j++ {
		row := tableRow{span: lines[j], cells: boxCells(raw, lines[j], "│")}
		if len(row.cells) != len(t.headers) {
			break
		}
		for k := range row.cells {
			row.cols = append(row.cols, k)
		}
		t.rows = append(t.rows, row)
		t.span.End = lines[j].End
	}
	if len(t.rows) == 0 {
		return table{}, i
	}
	return t, j
}

// boxCells cuts a line at the runes of seps and trims the pieces; empty ones are left out.
func boxCells(raw []byte, l Span, seps string) []Span {
	var out []Span
	start := -1
	line := string(raw[l.Start:l.End])
	flush := func(end int) {
		if start >= 0 {
			if s := trimBytes(raw, Span{l.Start + start, l.Start + end}); s.End > s.Start {
				out = append(out, s)
			}
			start = -1
		}
	}
	for i, r := range line {
		if strings.ContainsRune(seps, r) {
			flush(i)
		} else if start < 0 {
			start = i
		}
	}
	flush(len(line))
	return out
}

const (
	maxBareBytes = 256 << 10 // outputs in which rows without a header are looked for
	maxBareCols  = 12
)

// bareTableAt reads rows without a header, as sort | uniq -c and awk print them: at least
// two lines with as many words, the same column being a number in each. Lines with keys
// (a:, a=b), dates or quotes are none.
func bareTableAt(raw []byte, lines []Span, i int) (table, int) {
	t := table{span: lines[i]}
	var numeric []bool
	j := i
	for ; j < len(lines); j++ {
		cs := bareCells(raw, lines[j])
		if len(cs) < 2 || len(cs) > maxBareCols || j > i && len(cs) != len(numeric) {
			break
		}
		if j == i {
			numeric = make([]bool, len(cs))
		}
		some := false
		for k, c := range cs {
			is := allNumeric(raw[c.Start:c.End])
			if j > i && is != numeric[k] {
				return table{}, i
			}
			numeric[k] = is
			some = some || is
		}
		if !some {
			break
		}
		row := tableRow{span: lines[j], cells: cs}
		for k := range cs {
			row.cols = append(row.cols, k)
		}
		t.rows = append(t.rows, row)
		t.span.End = lines[j].End
	}
	if len(t.rows) < 2 {
		return table{}, i
	}
	return t, j
}

// bareCells cuts a line at blanks; nil for lines that are prose, logs or key-value pairs.
func bareCells(raw []byte, l Span) []Span {
	body := raw[l.Start:l.End]
	if len(body) > 400 || bytes.ContainsAny(body, "=\"'{}[]();,") || bytes.Contains(body, []byte(": ")) {
		return nil
	}
	return gapCells(raw, l, 1)
}

func allNumeric(cell []byte) bool {
	for _, c := range cell {
		if !isNum(c) && c != '.' && c != '%' {
			return false
		}
	}
	return true
}
