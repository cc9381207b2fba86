package grounding

import (
	"bytes"
	"strconv"
	"strings"
)

const maxSeries = 20_000 // numbers of one series

// Series lists the runs of numbers that the number at offset belongs to: its column, its
// JSON field in the records of one array, its place in a list of samples, or the
// values of its key=… over the lines. Each has at least two numbers.
func (f *Facts) Series(offset int) [][]Number {
	s := f.Shape()
	var out [][]Number
	add := func(ns []Number) {
		if len(ns) >= 2 {
			out = append(out, ns)
		}
	}
	if s.tree != nil {
		if sc, ok := s.tree.scalarAt(offset); ok {
			key := s.tree.seriesKey(sc)
			add(f.remembered("samples "+key, func() []Number { return s.tree.samples(sc) }))
			// In a list under a key, siblings are told apart by their position too.
			add(f.remembered("fields "+key+" "+strconv.Itoa(int(s.tree.scalars[sc].idx)), func() []Number { return s.tree.siblings(sc) }))
		}
		return out
	}
	if t, r, ok := s.rowAt(offset); ok {
		if c, ok := s.tables[t].cellAt(r, offset); ok && c >= 0 {
			add(f.remembered("column "+strconv.Itoa(t)+" "+strconv.Itoa(c), func() []Number { return f.column(&s.tables[t], c) }))
		}
	}
	_, line := f.text.Line(offset)
	if key := inlineKey(f.text.Raw(), offset, line.Start); key != "" {
		sep := f.text.Raw()[offset-1]
		add(f.remembered("key "+key+string(rune(sep)), func() []Number { return f.keyed(key, sep) }))
	}
	add(f.alike(offset, line))
	return out
}

// column lists the first numbers of the cells of a column.
func (f *Facts) column(t *table, c int) []Number {
	var ns []Number
	for i := range t.rows {
		if len(ns) == maxSeries {
			break
		}
		if cell, ok := t.cellOf(i, c); ok {
			if n, ok := f.FirstNumber(cell); ok {
				ns = append(ns, n)
			}
		}
	}
	return ns
}

// remembered reads a series once: each of its numbers asks anew.
func (f *Facts) remembered(key string, read func() []Number) []Number {
	f.seriesMu.Lock()
	defer f.seriesMu.Unlock()
	if out, ok := f.series[key]; ok {
		return out
	}
	out := read()
	if f.series == nil {
		f.series = map[string][]Number{}
	}
	if len(f.series) < maxCachedSeries && f.held < maxCachedNumbers {
		f.series[key] = out
		f.held += len(out)
	}
	return out
}

const (
	maxCachedSeries  = 4096
	maxCachedNumbers = 2_000_000 // 24 bytes each
)

// maxAlike bounds the lines that alike looks at, on each side of the first.
const maxAlike = 2000

// alike lists the numbers at the same place of the lines that differ from the one at
// offset only in digits and labels: counters of an exposition, entries of one log event.
func (f *Facts) alike(offset int, line Span) []Number {
	if line.End-line.Start > maxLineBytes {
		return nil
	}
	own := f.NumbersIn(line)
	for nth, n := range own {
		if n.Span.Start == offset {
			return f.alikeNumbers(line, len(own))[nth]
		}
	}
	return nil
}

// alikeNumbers lists, for each of the n numbers of a line, those in its place in the lines
// that have its form. The result is remembered: each number of a line asks anew.
func (f *Facts) alikeNumbers(line Span, n int) [][]Number {
	f.seriesMu.Lock()
	defer f.seriesMu.Unlock()
	if out, ok := f.alikes[line.Start]; ok {
		return out
	}
	out := make([][]Number, n)
	held := 0
	for _, l := range f.alikeLines(line) {
		for i, number := range f.NumbersIn(l) {
			if i < n {
				out[i] = append(out[i], number)
				held++
			}
		}
	}
	if f.alikes == nil || f.alikesHeld+held > maxCachedNumbers {
		f.alikes, f.alikesHeld = map[int][][]Number{}, 0
	}
	f.alikes[line.Start] = out
	f.alikesHeld += held
	return out
}

// alikeLines lists the lines around one that have its form, itself included.
func (f *Facts) alikeLines(line Span) []Span {
	raw := f.text.Raw()
	want := lineForm(raw[line.Start:line.End])
	var out []Span
	first := line
	for i := 0; i < maxAlike && first.Start > 0; i++ {
		_, first = f.text.Line(first.Start - 1)
	}
	for i := 0; i < 2*maxAlike; i++ {
		if first.End-first.Start <= maxLineBytes && bytes.Equal(lineForm(raw[first.Start:first.End]), want) {
			out = append(out, first)
		}
		next := first.End + breakWidth(raw, first.End)
		if next >= len(raw) {
			break
		}
		_, l := f.text.Line(next)
		if l.Start <= first.Start {
			break
		}
		first = l
	}
	return out
}

// lineForm is a line without spaces, words that hold a digit (numbers, ids) and what braces
// and quotes hold.
func lineForm(line []byte) []byte {
	out := make([]byte, 0, len(line))
	var closer byte
	word, digit := 0, false // where the word under way begins in out, and whether it has a digit
	for _, c := range line {
		if closer != 0 {
			if c == closer {
				closer = 0
			}
			continue
		}
		if isWordByte(c) || c == '.' {
			digit = digit || isNum(c)
			if c != '.' {
				out = append(out, c)
			}
			continue
		}
		if digit {
			out = out[:word]
		}
		switch c {
		case '{':
			closer = '}'
		case '"':
			closer = '"'
		case ' ', '\t':
		default:
			out = append(out, c)
		}
		word, digit = len(out), false
	}
	if digit {
		out = out[:word]
	}
	return out
}

// maxColumnBytes bounds the texts that Columns reads as a whole.
const maxColumnBytes = 1 << 20

// Columns lists the series of a text as a whole: the numeric columns of its tables and the
// sample lists and record fields of its JSON, at most limit of them.
func (f *Facts) Columns(limit int) [][]Number {
	if len(f.text.Raw()) > maxColumnBytes {
		return nil
	}
	s := f.Shape()
	var out [][]Number
	if s.tree != nil {
		seen := map[string]bool{} // the lists and fields that are done
		for i, sc := range s.tree.scalars {
			if len(out) >= limit || len(seen) > 4*limit {
				break
			}
			if _, ok := s.tree.number(i); !ok {
				continue
			}
			key, read := s.tree.seriesKey(i), s.tree.siblings
			if s.tree.nodes[sc.node].array {
				read = s.tree.samples
			}
			if seen[key] {
				continue
			}
			seen[key] = true
			if ns := read(i); len(ns) >= 2 {
				out = append(out, ns)
			}
		}
		return out
	}
	for t := range s.tables {
		for c := range s.tables[t].names {
			ns := f.column(&s.tables[t], c)
			if len(ns) >= 2 && len(out) < limit {
				out = append(out, ns)
			}
		}
	}
	return out
}

// keyed lists the numbers behind every key= of the text.
func (f *Facts) keyed(key string, sep byte) []Number {
	if sep != '=' && sep != ':' && sep != ' ' {
		return nil
	}
	raw := f.text.Raw()
	pattern := []byte(key + "=")
	if sep != '=' {
		pattern = []byte(key + ":")
	}
	var out []Number
	for from := 0; len(out) < maxSeries; {
		i := bytes.Index(raw[from:], pattern)
		if i < 0 {
			break
		}
		at := from + i + len(pattern)
		from = at
		if n, ok := f.FirstNumber(Span{at, min(at+24, len(raw))}); ok && strings.Trim(string(raw[at:n.Span.Start]), " \"") == "" {
			out = append(out, n)
		}
	}
	return out
}

// number reads a scalar as a number, which begins with a digit: ParseFloat reads NaN too.
func (t *jsonTree) number(i int) (Number, bool) {
	sp := t.scalars[i].at.span()
	text := string(t.raw[sp.Start:sp.End])
	digits := strings.TrimLeft(text, "+-")
	if len(text) >= maxNumberDigits || digits == "" || !isNum(digits[0]) {
		return Number{}, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return Number{sp, v}, err == nil
}

// samples lists the numbers at the same place of the sample lists around scalar sc:
// [[t, v], [t, v] …] gives the v's, [v, v …] all of them.
func (t *jsonTree) samples(sc int) []Number {
	inner := t.scalars[sc].node
	if !t.nodes[inner].array {
		return nil
	}
	outer := inner
	pairs := false
	if p := t.nodes[inner].parent; p >= 0 && t.nodes[p].array {
		outer, pairs = p, true
	}
	var out []Number
	lo, hi := t.scalarsIn(outer)
	for i := lo; i < hi && len(out) < maxSeries; i++ {
		if pairs && t.scalars[i].idx != t.scalars[sc].idx {
			continue
		}
		if n, ok := t.number(i); ok {
			out = append(out, n)
		}
	}
	return out
}

// seriesKey names the series of scalar sc: the list of samples and the place in a sample,
// or the array of records and the path in a record.
func (t *jsonTree) seriesKey(sc int) string {
	node := t.scalars[sc].node
	if t.nodes[node].array {
		if p := t.nodes[node].parent; p >= 0 && t.nodes[p].array {
			return strconv.Itoa(int(p)) + ":" + strconv.Itoa(int(t.scalars[sc].idx))
		}
		return strconv.Itoa(int(node))
	}
	rec := t.recordOf(node)
	return strconv.Itoa(int(t.nodes[rec].parent)) + "/" + t.pathOf(sc, rec)
}

// siblings lists the numbers of the same field in the other records of the array.
func (t *jsonTree) siblings(sc int) []Number {
	rec := t.recordOf(t.scalars[sc].node)
	parent := t.nodes[rec].parent
	if parent < 0 {
		return nil
	}
	path := t.pathOf(sc, rec)
	var out []Number
	lo, hi := t.scalarsIn(parent)
	for i := lo; i < hi && len(out) < maxSeries; i++ {
		r := t.recordOf(t.scalars[i].node)
		if t.nodes[r].parent != parent || t.scalars[i].idx != t.scalars[sc].idx && t.nodes[t.scalars[i].node].array || !t.hasPath(i, r, path) {
			continue
		}
		if n, ok := t.number(i); ok {
			out = append(out, n)
		}
	}
	return out
}

// CountLines counts the lines that hold every one of the lower-case words, as far as limit.
// It returns the first of them too.
func (f *Facts) CountLines(words []string, limit int) (int, []Span) {
	lower := f.Lower()
	rare := ""
	for _, w := range words {
		if len(w) > len(rare) {
			rare = w
		}
	}
	if rare == "" {
		return 0, nil
	}
	n := 0
	var lines []Span
	for from := 0; n <= limit; {
		i := bytes.Index(lower[from:], []byte(rare))
		if i < 0 {
			break
		}
		_, line := f.text.Line(from + i)
		ok := true
		for _, w := range words {
			if len(FindIdent(lower[line.Start:line.End], w, 1)) == 0 {
				ok = false
				break
			}
		}
		if ok {
			n++
			if len(lines) < 16 {
				lines = append(lines, line)
			}
		}
		from = max(line.End, from+i+1)
		if from >= len(lower) {
			break
		}
	}
	return n, lines
}

// Counts lists how many rows each table and how many items each array of the text has,
// with the place of the first. The result is shared: read only.
func (f *Facts) Counts() map[int]Span {
	f.countsOnce.Do(func() { f.counts = f.count() })
	return f.counts
}

func (f *Facts) count() map[int]Span {
	out := map[int]Span{}
	s := f.Shape()
	if s.tree != nil {
		for _, n := range s.tree.nodes {
			if n.array && n.count > 0 {
				if _, ok := out[int(n.count)]; !ok {
					out[int(n.count)] = n.at.span()
				}
			}
		}
	}
	for i := range s.tables {
		n := len(s.tables[i].rows)
		if _, ok := out[n]; !ok {
			out[n] = s.tables[i].span
		}
	}
	if n, all := f.lines(); s.tree == nil && len(s.tables) == 0 && n > 1 {
		if _, ok := out[n]; !ok {
			out[n] = all // entries of a log
		}
	}
	return out
}

// lines counts the lines that are not blank, of a text of at most maxLogBytes.
func (f *Facts) lines() (int, Span) {
	raw := f.text.Raw()
	if len(raw) > maxLogBytes {
		return 0, Span{}
	}
	n := 0
	for l := range bytes.Lines(raw) {
		if len(bytes.TrimSpace(l)) > 0 {
			n++
		}
	}
	return n, Span{0, len(raw)}
}

const maxLogBytes = 64 << 10

// CountCells counts, over each table and each array of records, the rows in which a cell
// or value equals the lower-case word; each table gives one number.
func (f *Facts) CountCells(word string) []int {
	s := f.Shape()
	raw := f.text.Raw()
	var out []int
	for i := range s.tables {
		n := 0
		for _, r := range s.tables[i].rows {
			for _, c := range r.cells {
				if strings.EqualFold(string(raw[c.Start:c.End]), word) {
					n++
					break
				}
			}
		}
		if n > 0 {
			out = append(out, n)
		}
	}
	if s.tree != nil {
		n := 0
		for _, sc := range s.tree.scalars {
			if int(sc.at.end-sc.at.start) == len(word) && strings.EqualFold(string(s.tree.bytes(sc.at)), word) {
				n++
			}
		}
		if n > 0 {
			out = append(out, n)
		}
	}
	return out
}
