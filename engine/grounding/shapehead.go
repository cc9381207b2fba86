package grounding

import (
	"bytes"
	"strings"
)

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
			return cs, cols
		}
	}
	cs := gapCells(raw, l, 2)
	if len(cs) < 2 {
		cs = gapCells(raw, l, 1)
	}
	cols := make([]int, len(cs))
	for i, c := range cs {
		cols[i] = nearestHeader(raw, c.Start-l.Start, c.End-l.Start, headers, shift)
	}
	return cs, cols
}

// ruledHeaders cuts a header where the dashes of the line below it begin, as kubectl
// describe prints them.
func ruledHeaders(raw []byte, head, rule Span, wide []Span) []Span {
	body := raw[rule.Start:rule.End]
	if !isRule(body) || bytes.ContainsAny(body, "|+") {
		return wide
	}
	dashes := gapCells(raw, rule, 1)
	if len(dashes) < 2 || len(dashes) == len(wide) {
		return wide
	}
	out := make([]Span, 0, len(dashes))
	for i, d := range dashes {
		from, to := head.Start+d.Start-rule.Start, head.End
		if i+1 < len(dashes) {
			to = head.Start + dashes[i+1].Start - rule.Start
		}
		if from >= head.End || from > head.Start && raw[from-1] != ' ' {
			return wide
		}
		cell := Span{from, min(to, head.End)}
		for cell.End > cell.Start && raw[cell.End-1] == ' ' {
			cell.End--
		}
		if cell.End == cell.Start {
			return wide
		}
		out = append(out, cell)
	}
	return out
}

// indexNames are the words of a line below a header that name the index of a data frame:
// they end before the first column begins. Nil for any other line.
func indexNames(raw []byte, l Span, indent int) []Span {
	body := bytes.TrimRight(raw[l.Start:l.End], " \t")
	if len(body) == 0 || len(body) > indent || body[0] == ' ' || bytes.ContainsAny(body, "0123456789:=|") {
		return nil
	}
	return gapCells(raw, l, 1)
}

// headerShift finds how far the header of a data frame was moved left, when the blanks
// that it began with were trimmed: in a frame cells end where their header ends. 0 when
// the header stands right, or when it is unclear.
func headerShift(raw []byte, head, row Span, headers []Span) int {
	if leading(raw, head) > 0 || !isDataIndex(raw, row) && len(gapCells(raw, row, 1)) != len(headers)+1 {
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

// nearestHeader finds the header whose columns overlap [from,to) most; a cell that ends
// where a header ends (right-aligned numbers) counts as under it. -1 for none.
func nearestHeader(raw []byte, from, to int, headers []Span, shift int) int {
	best, bestOverlap := -1, 0
	for i, h := range headers {
		hs := headOffset(raw, h) + shift
		he := hs + h.End - h.Start
		o := min(to, he) - max(from, hs)
		if o > bestOverlap {
			best, bestOverlap = i, o
		}
	}
	return best
}

// isHeader reports cells that look like column names: words, no values.
func isHeader(raw []byte, hs []Span, sep byte) bool {
	wordy, times := 0, 0
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
		if sep == '|' && wordy > 0 && isClock(s) {
			times++ // metric | instance | 11:05 | 11:10
			continue
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
		if digits == 0 || digits*3 <= letters || sep != ' ' && digits <= 3 {
			wordy++ // p99 and c429 head columns too, where a sign parts them
		}
	}
	return wordy*4 >= (len(hs)-times)*3
}

// isClock reports a header that is a time: 11:05, 2025-08-28 11:05.
func isClock(s string) bool {
	ts := TimePoints(s)
	return len(ts) == 1 && ts[0].HasClock && ts[0].Span.End-ts[0].Span.Start == len(strings.TrimSpace(s))
}

func titled(c byte) bool { return c >= 'A' && c <= 'Z' }

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

// upperHeader reports a line of three or more names in capitals set apart by wide gaps:
// IMAGE   TAG   IMAGE ID   SIZE.
func upperHeader(line []byte) bool {
	letters := 0
	for _, c := range line {
		switch {
		case c >= 'A' && c <= 'Z':
			letters++
		case c == ' ', c == '_', c == '-', c == '%', c == '(', c == ')', c == '/':
		default:
			return false
		}
	}
	return letters >= 6 && bytes.Count(bytes.TrimSpace(line), []byte("  ")) >= 2
}
