package grounding

import (
	"bytes"
	"sort"
)

// markEvery is how many folded bytes lie between two marks. The map from folded to
// raw offsets is kept as marks only and is worked out again from the nearest mark
// where it is needed: 32 bytes of memory for each KiB of text, a few microseconds
// for each place that is reported.
const markEvery = 1 << 10

// mark is the state of a folder at one folded offset.
type mark struct {
	fold, raw int
	gapStart  int
	gap       bool
	swallow   bool
	line      bool
}

func (f *folder) mark(at int) {
	f.marks = append(f.marks, mark{at, f.pos, f.gapStart, f.gap, f.swallow, f.line})
	f.markNext = at + markEvery
}

// folded is the folded form of a text with the map back to its raw bytes.
type folded struct {
	raw   []byte
	text  []byte
	marks []mark
	// absent holds bytes that text has not, as far as known.
	absent *byteSet
}

func newFolded(raw []byte) folded {
	f := folder{
		raw:   raw,
		line:  true,
		out:   make([]byte, 0, len(raw)+len(raw)/64+16),
		marks: make([]mark, 0, len(raw)/markEvery+1),
	}
	f.run(noStop)
	return folded{raw: raw, text: f.out, marks: f.marks, absent: new(byteSet)}
}

// tracer maps folded offsets back to raw spans. It keeps the stretch it worked out
// last, so that many places in the order of the text cost one more fold at most.
type tracer struct {
	*folded
	atoms  []atom // of the folded bytes [lo, hi)
	lo, hi int
	out    []byte // scratch
}

// cover works out the atoms of the folded bytes [from, to).
func (t *tracer) cover(from, to int) {
	if t.lo <= from && to <= t.hi {
		return
	}
	i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].fold > from }) - 1
	m := t.marks[i]
	if i+1 < len(t.marks) {
		to = max(to, t.marks[i+1].fold)
	}
	seed := max(m.fold-2, 0) // the rule about digits looks two bytes back
	again := folder{
		raw: t.raw, pos: m.raw,
		out: append(t.out[:0], t.text[seed:m.fold]...), base: seed,
		gap: m.gap, gapStart: m.gapStart, swallow: m.swallow, line: m.line,
		trace: true, atoms: t.atoms[:0],
	}
	again.run(to)
	t.out, t.atoms = again.out, again.atoms
	t.lo, t.hi = m.fold, seed+len(again.out)
}

// span gives the raw bytes that the folded bytes [from, to) come from, from < to.
// When one of these ends inside of an atom, the span holds all of it and whole is
// false.
func (t *tracer) span(from, to int) (span Span, whole bool) {
	t.cover(from, to)
	after := func(offset int) int {
		return sort.Search(len(t.atoms), func(i int) bool { return t.atoms[i].foldEnd > offset })
	}
	first, last := t.atoms[after(from)], t.atoms[after(to-1)]
	span, whole = Span{first.raw, last.rawEnd}, true
	if first.copy {
		span.Start += from - first.fold
	} else if first.fold != from {
		whole = false
	}
	if last.copy {
		span.End -= last.foldEnd - to
	} else if last.foldEnd != to {
		whole = false
	}
	return span, whole
}

// holds reports whether the raw bytes of a span fold to what.
func (f *folded) holds(s Span, what []byte) bool {
	again := folder{raw: f.raw[s.Start:s.End], line: true, out: make([]byte, 0, len(what)+16)}
	again.run(noStop)
	return bytes.Equal(again.out, what)
}
