package grounding

import (
	"bytes"
	"strings"
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
			out = append(out, t)
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

// spacedHeaders cuts a header at single spaces when its rows have that many words, as
// df prints them ("Mounted on" is one column there).
func spacedHeaders(raw []byte, lines []Span, i int, wide []Span) []Span {
	words := gapCells(raw, lines[i], 1)
	if len(words) == len(wide) || i+1 >= len(lines) {
		return wide
	}
	n := len(gapCells(raw, lines[i+1], 1))
	if len(wide) > 1 && len(gapCells(raw, lines[i+1], 2)) == len(wide) {
		return wide
	}
	switch n {
	case len(words):
		return words
	case len(words) - 1:
		last := len(words) - 1
		words[last-1].End = words[last].End
		return words[:last]
	}
	return wide
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
	case bytes.Count(line, []byte(",")) >= 1 && bytes.IndexByte(line, ' ') < 0:
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
		if out[0].Start == out[0].End {
			out = out[1:]
		}
		if last := out[len(out)-1]; last.Start == last.End {
			out = out[:len(out)-1]
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

// alignRow assigns the words of a row to the header columns: by count when the counts
// agree, else by where they stand.
func alignRow(raw []byte, l Span, headers []Span, shift int) ([]Span, []int) {
	for _, gap := range []int{2, 1} {
		if shift > 0 {
			break
		}
		cs := gapCells(raw, l, gap)
		if len(cs) == len(headers) {
			cols := make([]int, len(cs))
			for i := range cols {
				cols[i] = i
			}
			if gap == 2 || aligned(cs, l, headers) {
				return cs, cols
			}
		}
	}
	cs := gapCells(raw, l, 2)
	if len(cs) < 2 {
		cs = gapCells(raw, l, 1)
	}
	cols := make([]int, len(cs))
	base := headers[0].Start - headOffset(raw, headers[0]) - shift
	for i, c := range cs {
		cols[i] = nearestHeader(c.Start-l.Start, c.End-l.Start, headers, base)
	}
	return cs, cols
}

// headerShift finds how far the header of a data frame was moved left, when the blanks
// that it began with were trimmed: in a frame cells end where their header ends. 0 when
// the header stands right, or when it is unclear.
func headerShift(raw []byte, head, row Span, headers []Span) int {
	if leading(raw, head) > 0 || !isDataIndex(raw, row) {
		return 0
	}
	ends := map[int]bool{}
	for _, c := range gapCells(raw, row, 1) {
		ends[c.End-row.Start] = true
	}
	best, bestHits := 0, 0
	for shift := range maxHeaderShift {
		hits := 0
		for _, h := range headers {
			if ends[h.End-head.Start+shift] {
				hits++
			}
		}
		if hits > bestHits {
			best, bestHits = shift, hits
		}
	}
	if bestHits < 3 {
		return 0
	}
	return best
}

// maxHeaderShift bounds the blanks that a header may have lost.
const maxHeaderShift = 48

// headOffset is the column of a header's first byte in its line.
func headOffset(raw []byte, h Span) int {
	return h.Start - lineStart(raw, h)
}

func lineStart(raw []byte, s Span) int { return bytes.LastIndexByte(raw[:s.Start], '\n') + 1 }

// aligned reports that rows cut at single spaces still stand under their headers.
func aligned(cs []Span, l Span, headers []Span) bool {
	return len(cs) >= 2 && l.End > l.Start && len(headers) >= 2
}

// nearestHeader finds the header whose columns overlap [from,to) most; a cell that ends
// where a header ends (right-aligned numbers) counts as under it. -1 for none.
func nearestHeader(from, to int, headers []Span, base int) int {
	best, bestOverlap := -1, 0
	for i, h := range headers {
		hs, he := h.Start-base, h.End-base
		o := min(to, he) - max(from, hs)
		if o > bestOverlap {
			best, bestOverlap = i, o
		}
	}
	return best
}

// isHeader reports cells that look like column names: words, no values.
func isHeader(raw []byte, hs []Span, sep byte) bool {
	wordy := 0
	if len(hs) == 2 && sep == ' ' && bytes.IndexByte(raw[hs[0].Start:hs[1].End], '_') < 0 && !titled(raw[hs[0].Start]) && leading(raw, Span{lineStart(raw, hs[0]), hs[0].End}) == 0 {
		return false // two words of prose
	}
	for _, h := range hs {
		s := string(raw[h.Start:h.End])
		if s == "" || len(s) > 48 {
			return false
		}
		letters, digits := 0, 0
		for i := 0; i < len(s); i++ {
			c := s[i]
			switch {
			case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80:
				letters++
			case isNum(c):
				digits++
			case c == '=' || c == '{' || c == '"' || c == '<' || c == ';' || c == '>':
				return false
			}
		}
		if letters == 0 {
			return false
		}
		if strings.HasSuffix(s, ":") || isNum(s[0]) {
			return false
		}
		if strings.Count(s, " ") > 3 {
			return false
		}
		if digits == 0 || !isNum(s[0]) && digits*3 <= letters {
			wordy++
		}
	}
	return wordy*4 >= len(hs)*3
}

func titled(c byte) bool { return c >= 'A' && c <= 'Z' }

func (t *table) has(name string) bool {
	for _, n := range t.names {
		if n == name {
			return true
		}
	}
	return false
}

// mayHead is a cheap test that spares most log lines the cutting into cells.
func mayHead(line []byte) bool {
	if len(line) < 3 || len(line) > maxLineBytes {
		return false
	}
	first := true
	for _, c := range line {
		switch {
		case c == '=' || c == '{' || c == '"' || c == '<' || c == ';' || c == '>':
			return false
		case first && isNum(c):
			return false
		case c != ' ' && c != '\t' && c != '|':
			first = false
		}
	}
	return true
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
