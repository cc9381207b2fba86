package text

import "strings"

// Line is one line of wrapped text.
type Line struct {
	// Text is the line without its indent, trailing spaces and line break.
	Text string
	// Start and End are the byte range of Text in the wrapped string.
	Start, End int
	// Indent is the number of cells to leave blank before Text.
	Indent int
}

// String returns the line with its indent.
func (l Line) String() string { return Spaces(l.Indent) + l.Text }

// Wrap breaks s, which must have been sanitised, into lines of at most the given
// cells: at newlines, and else where UAX #14 allows a break, with the refinements
// of [breaker]. A piece without such a place that is wider than a line is broken
// between grapheme clusters. Only where a single cluster is wider than a line is
// a line wider than cells. An empty s gives one empty line.
func Wrap(s string, cells int) []Line { return WrapHanging(s, cells, 0) }

// WrapHanging is [Wrap] with all lines of a paragraph but its first indented by
// hang cells, at most half the line.
func WrapHanging(s string, cells, hang int) []Line {
	cells = max(cells, 1)
	w := wrapper{s: s, cells: cells, hang: min(max(hang, 0), cells/2)}
	start := 0
	for {
		i := strings.IndexByte(s[start:], '\n')
		if i < 0 {
			w.paragraph(start, len(s))
			return w.lines
		}
		w.paragraph(start, start+i)
		start += i + 1
	}
}

// wrapper fills lines greedily.
type wrapper struct {
	s           string
	cells, hang int
	lines       []Line

	// The line being filled.
	start, end int // byte range without trailing spaces
	width      int // cells, trailing spaces included
	empty      bool
	indent     int
}

func (w *wrapper) room() int { return w.cells - w.indent }

// paragraph wraps s[start:end], which holds no newline.
func (w *wrapper) paragraph(start, end int) {
	w.indent = 0
	w.begin(start)
	// No character is wider in cells than it is long in bytes.
	if end-start <= w.cells || Width(w.s[start:end]) <= w.cells {
		w.end = start + len(strings.TrimRight(w.s[start:end], " "))
		w.flush()
		return
	}
	b := newBreaker(w.s[start:end])
	for {
		from, to, ok := b.next()
		if !ok {
			break
		}
		w.add(start+from, start+to)
	}
	w.flush()
}

func (w *wrapper) begin(at int) {
	w.start, w.end, w.width, w.empty = at, at, 0, true
}

// flush ends the line; the next one of the paragraph hangs.
func (w *wrapper) flush() {
	w.lines = append(w.lines, Line{Text: w.s[w.start:w.end], Start: w.start, End: w.end, Indent: w.indent})
	w.indent = w.hang
}

// add puts the piece s[from:to], spaces at its end included, on this line or the
// next.
func (w *wrapper) add(from, to int) {
	piece := w.s[from:to]
	visible := strings.TrimRight(piece, " ")
	cells := Width(visible)
	if w.width+cells > w.room() {
		if !w.empty {
			w.flush()
			w.begin(from)
		}
		if cells > w.room() {
			w.force(from, from+len(visible))
			w.width += to - from - len(visible)
			return
		}
	}
	if len(visible) > 0 || w.empty {
		w.end = from + len(visible)
	}
	w.width += cells + to - from - len(visible)
	w.empty = false
}

// force breaks s[from:to] between clusters, from the start of a line, and leaves
// the rest on the line being filled.
func (w *wrapper) force(from, to int) {
	w.begin(from)
	at := from
	last := from // start of the cluster before at
	for at < to {
		cluster, cells := FirstCluster(w.s[at:to])
		if w.width+cells > w.room() && at > w.start {
			cut := at
			if last > w.start && (noStart(w.s[at:]) || noEnd(w.s[last:at])) {
				cut = last
			}
			w.end = cut
			w.flush()
			w.begin(cut)
			at, last = cut, cut
			continue
		}
		last = at
		at += len(cluster)
		w.width += cells
		w.end = at
		w.empty = false
	}
}

// WrapStyled is [WrapHanging] for text with styling sequences: each line opens
// the styles in force where it starts and closes them at its end. Indents are
// part of the lines.
func WrapStyled(s string, cells, hang int) []string {
	if strings.IndexByte(s, 0x1b) < 0 {
		var out []string
		for _, l := range WrapHanging(s, cells, hang) {
			out = append(out, l.String())
		}
		return out
	}
	plain, seqs := unstyle(s)
	var (
		out    []string
		active string // sequences in force since the last reset
		k      int
		apply  = func(seq string) {
			if isReset(seq) {
				active = ""
			} else {
				active += seq
			}
		}
	)
	for _, l := range WrapHanging(plain, cells, hang) {
		for ; k < len(seqs) && seqs[k].at <= l.Start; k++ {
			apply(seqs[k].seq)
		}
		var b strings.Builder
		b.WriteString(Spaces(l.Indent))
		b.WriteString(active)
		at := l.Start
		for ; k < len(seqs) && seqs[k].at < l.End; k++ {
			b.WriteString(plain[at:seqs[k].at])
			b.WriteString(seqs[k].seq)
			at = seqs[k].at
			apply(seqs[k].seq)
		}
		b.WriteString(plain[at:l.End])
		if active != "" {
			b.WriteString(reset)
		}
		out = append(out, b.String())
	}
	return out
}

// placed is a control sequence and its offset in the text without sequences.
type placed struct {
	at  int
	seq string
}

// unstyle takes the control sequences out of s.
func unstyle(s string) (plain string, seqs []placed) {
	var b strings.Builder
	for len(s) > 0 {
		i := strings.IndexByte(s, 0x1b)
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		n := sequence(s[i:])
		seqs = append(seqs, placed{b.Len(), s[i : i+n]})
		s = s[i+n:]
	}
	return b.String(), seqs
}

// Unstyle returns s without its styling sequences. It is for our own output
// (measuring, goldens, copying); outside text goes through [Sanitise].
func Unstyle(s string) string {
	plain, _ := unstyle(s)
	return plain
}
