package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"
	"claimscope/tui/text"
)

const (
	// maxEvidenceLines bounds the lines shown of one piece of evidence.
	maxEvidenceLines = 4
	// maxMarks bounds the marks in one printed line.
	maxMarks = 6
	// minContext is what is shown at least around the marks, in cells, where there is more.
	minContext = 16

	markStart, markEnd = "▌", "▐"
)

// markedLine is a line of an output with the parts of it that count.
type markedLine struct {
	number     int // 1 for the first
	start, end int // in the output, without the line break
	marks      []grounding.Span
}

// markedLines gives the lines that the spans lie in, in order, at most limit; more
// counts the lines left out.
func markedLines(raw []byte, spans []grounding.Span, limit int) (lines []markedLine, more int) {
	number, counted := 1, 0
	for _, s := range merged(spans, len(raw)) {
		for at := s.Start; at < s.End || at == s.Start; {
			start, end := lineAround(raw, at)
			mark := grounding.Span{Start: at, End: min(s.End, end)}
			if n := len(lines); n > 0 && lines[n-1].start == start {
				lines[n-1].add(mark)
			} else if n == limit {
				more += bytes.Count(raw[at:s.End], []byte("\n")) + 1
				break
			} else {
				number, counted = number+bytes.Count(raw[counted:start], []byte("\n")), start
				l := markedLine{number: number, start: start, end: end}
				l.add(mark)
				lines = append(lines, l)
			}
			if end >= s.End {
				break
			}
			at = end + 1
		}
	}
	return lines, more
}

// merged gives the spans in order, inside a text of that length, those that overlap as one.
func merged(spans []grounding.Span, length int) []grounding.Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b grounding.Span) int { return a.Start - b.Start })
	var out []grounding.Span
	for _, s := range spans {
		s.Start, s.End = min(max(s.Start, 0), length), min(max(s.End, 0), length)
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// add adds a mark behind the others, or joins it with the last where they touch.
func (l *markedLine) add(s grounding.Span) {
	s.End = min(s.End, l.end)
	if n := len(l.marks); n > 0 && s.Start <= l.marks[n-1].End {
		l.marks[n-1].End = max(l.marks[n-1].End, s.End)
		return
	}
	if s.Start < s.End {
		l.marks = append(l.marks, s)
	}
}

// lineAround gives the line that byte at is in, without its break.
func lineAround(raw []byte, at int) (start, end int) {
	start = bytes.LastIndexByte(raw[:at], '\n') + 1
	end = len(raw)
	if i := bytes.IndexByte(raw[at:], '\n'); i >= 0 {
		end = at + i
	}
	return start, end
}

// segment is a piece of a printed line; a marked one stands between ▌ and ▐.
type segment struct {
	text   string // raw, not yet safe
	marked bool
}

// segments parts a line at its marks.
func (l *markedLine) segments(raw []byte) []segment {
	var out []segment
	at := l.start
	add := func(to int, marked bool) {
		if to > at {
			out = append(out, segment{string(raw[at:to]), marked})
			at = to
		}
	}
	for i, m := range l.marks {
		if i == maxMarks {
			break
		}
		add(m.Start, false)
		add(m.End, true)
	}
	end := l.end
	if end > at && raw[end-1] == '\r' {
		end--
	}
	add(end, false)
	return out
}

// evidence prints the lines that the spans of an output lie in, the spans marked.
func (p *printer) evidence(indent int, t trace.Trace, spans []grounding.Span) {
	lines, more := markedLines(t.Output, spans, maxEvidenceLines)
	width := 0
	for _, l := range lines {
		width = max(width, len(fmt.Sprint(l.number)))
	}
	for _, l := range lines {
		p.shown[place{t.Ref, l.number}] = true
		p.segments(indent, safe(fmt.Sprintf("%*d │ ", width, l.number)), l.segments(t.Output))
	}
	if more > 0 {
		p.put(indent, 0, safe(text.Spaces(width+1)), p.paint(dim, safe(fmt.Sprintf(p.say("… 还有 %d 行", "… %d more lines"), more))))
	}
}

// places prints the lines that a finding points at and that are not shown yet.
func (p *printer) places(indent int, list []gate.Place) {
	var refs []string
	spans := map[string][]grounding.Span{}
	for _, x := range list {
		if len(spans[x.TraceRef]) == 0 {
			refs = append(refs, x.TraceRef)
		}
		spans[x.TraceRef] = append(spans[x.TraceRef], x.Span)
	}
	for _, ref := range refs {
		t, ok := p.traces[ref]
		if !ok {
			continue
		}
		lines, _ := markedLines(t.Output, spans[ref], maxEvidenceLines)
		for _, l := range lines {
			at := place{ref, l.number}
			if p.shown[at] && len(l.marks) < 2 {
				continue
			}
			p.shown[at] = true
			p.segments(indent, cleanf("%s:%d │ ", ref, l.number), l.segments(t.Output))
		}
	}
}

// difference prints what the model wrote above what the tool said, the parts that
// differ marked.
func (p *printer) difference(indent int, t trace.Trace, ops []grounding.DiffOp) {
	var wrote, said []segment
	add := func(list []segment, s string, marked bool) []segment {
		switch n := len(list); {
		case s == "":
			return list
		case n > 0 && list[n-1].marked == marked:
			list[n-1].text += s
			return list
		}
		return append(list, segment{s, marked})
	}
	at := -1
	for _, op := range ops {
		marked := op.Kind != grounding.DiffEqual
		wrote = add(wrote, op.Excerpt, marked)
		if op.Source.End <= len(t.Output) && op.Source.Start >= 0 && op.Source.Start <= op.Source.End {
			said = add(said, string(t.Output[op.Source.Start:op.Source.End]), marked)
			if at < 0 {
				at = op.Source.Start
			}
		}
	}
	if at < 0 {
		return
	}
	p.shown[place{t.Ref, bytes.Count(t.Output[:at], []byte("\n")) + 1}] = true
	model, tool := p.say("模型写的", "the model wrote"), p.say("工具返回", "the tool said")
	width := max(text.Width(model), text.Width(tool))
	p.segments(indent, safe(text.Pad(model, width)+" │ "), wrote)
	p.segments(indent, safe(text.Pad(tool, width)+" │ "), said)
}

// segments prints one line, cut visibly to the width: first around the marks, then
// within them.
func (p *printer) segments(indent int, gutter safe, list []segment) {
	if text.Width(string(gutter)) > (p.width-indent)*2/3 { // it gets a line of its own
		p.put(indent, 2, p.paint(dim, gutter))
		indent, gutter = indent+2, ""
	}
	room := max(p.width-indent-text.Width(string(gutter)), 10)
	var needs, context []int // of the marked and the other segments
	shown := make([]safe, len(list))
	for i, s := range list {
		list[i].text = bounded(s.text, 4*room, i == 0 && !s.marked)
		shown[i] = clean(list[i].text)
		w := text.Width(string(shown[i]))
		if s.marked {
			room -= 2
			needs = append(needs, w)
		} else {
			context = append(context, w)
		}
	}
	rest := max(room-sum(needs), min(room/4, minContext))
	around := share(context, rest)
	inside := share(needs, room-sum(around))
	line := p.paint(dim, gutter)
	for i, s := range list {
		if s.marked {
			line += p.paint(bold, markStart+cutMiddle(shown[i], inside[0])+markEnd)
			inside = inside[1:]
			continue
		}
		switch cells := around[0]; {
		case i == 0 && len(list) > 1:
			line += cutLeft(shown[i], cells)
		case i == len(list)-1:
			line += safe(text.Truncate(string(shown[i]), cells, "…"))
		default:
			line += cutMiddle(shown[i], cells)
		}
		around = around[1:]
	}
	p.raw(safe(text.Spaces(indent)) + line)
}

// bounded leaves out the middle of a text of more than twice limit bytes, or its start,
// so that a line of megabytes is not looked at whole.
func bounded(s string, limit int, onlyEnd bool) string {
	if len(s) <= 2*limit {
		return s
	}
	tail := len(s) - limit
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	if onlyEnd {
		return "…" + s[tail:]
	}
	head := limit
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	return s[:head] + "…" + s[tail:]
}

func sum(list []int) int {
	n := 0
	for _, x := range list {
		n += x
	}
	return n
}

// share divides room among needs: none gets more than it needs, and those that get
// less get the same.
func share(needs []int, room int) []int {
	out := make([]int, len(needs))
	order := make([]int, len(needs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	room = max(room, 0)
	for k, i := range order {
		out[i] = min(needs[i], room/(len(order)-k))
		room -= out[i]
	}
	return out
}

func cutLeft(s safe, cells int) safe {
	w := text.Width(string(s))
	if w <= cells {
		return s
	}
	if cells < 2 {
		return safe(strings.Repeat("…", cells))
	}
	return safe("…" + text.Cut(string(s), w-cells+1, w))
}

func cutMiddle(s safe, cells int) safe {
	w := text.Width(string(s))
	if w <= cells {
		return s
	}
	if cells < 3 {
		return safe(strings.Repeat("…", min(max(cells, 0), 1)))
	}
	head := (cells - 1) * 2 / 3
	return safe(text.Truncate(string(s), head, "") + "…" + text.Cut(string(s), w-(cells-1-head), w))
}
