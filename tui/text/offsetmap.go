package text

import "sort"

// OffsetMap is a monotone mapping between byte offsets of a source text and of a
// text shown for it, which is a copy except for replaced pieces. The zero value
// with no pieces is the identity. Offsets must be below 4 GiB.
//
// It is built front to back with [OffsetMap.Copy] and [OffsetMap.Replace] and
// read-only afterwards.
type OffsetMap struct {
	runs           []mapRun // copied runs; the gaps between them were replaced
	srcLen, outLen uint32
	gap            bool // the last piece added was a replacement
}

// mapRun is n bytes copied unchanged from src to out.
type mapRun struct{ src, out, n uint32 }

// Copy records that the next n source bytes stand in the shown text unchanged.
func (m *OffsetMap) Copy(n int) {
	if n <= 0 {
		return
	}
	if last := len(m.runs) - 1; last >= 0 && !m.gap {
		m.runs[last].n += uint32(n)
	} else {
		m.runs = append(m.runs, mapRun{m.srcLen, m.outLen, uint32(n)})
	}
	m.srcLen += uint32(n)
	m.outLen += uint32(n)
	m.gap = false
}

// Replace records that the next src source bytes are shown as out bytes. Each
// call is one unit: an offset inside it maps to its start or end.
func (m *OffsetMap) Replace(src, out int) {
	if src <= 0 && out <= 0 {
		return
	}
	if m.gap || len(m.runs) == 0 {
		// An empty run keeps this unit apart from the one before it.
		m.runs = append(m.runs, mapRun{m.srcLen, m.outLen, 0})
	}
	m.srcLen += uint32(src)
	m.outLen += uint32(out)
	m.gap = true
}

// SourceLen is the length in bytes of the source text.
func (m *OffsetMap) SourceLen() int { return int(m.srcLen) }

// end returns where the gap after run i ends: the start of the next run.
func (m *OffsetMap) end(i int) (src, out uint32) {
	if i+1 < len(m.runs) {
		return m.runs[i+1].src, m.runs[i+1].out
	}
	return m.srcLen, m.outLen
}

// ToShown maps a source offset to the shown text. An offset inside a replaced
// piece maps to the start of its replacement. Offsets out of range are clamped.
func (m *OffsetMap) ToShown(src int) int {
	at := clamp32(src, m.srcLen)
	i := sort.Search(len(m.runs), func(i int) bool { return m.runs[i].src > at }) - 1
	if i < 0 {
		return int(at)
	}
	r := m.runs[i]
	if end, out := m.end(i); at >= end {
		return int(out)
	}
	return int(r.out + min(at-r.src, r.n))
}

// ToShownEnd maps an exclusive source end to the shown text: inside a replaced
// piece it is the end of the replacement, so a span never cuts one in half.
func (m *OffsetMap) ToShownEnd(src int) int {
	at := clamp32(src, m.srcLen)
	if at == 0 {
		return 0
	}
	// The byte before the end decides.
	i := sort.Search(len(m.runs), func(i int) bool { return m.runs[i].src > at-1 }) - 1
	if i < 0 {
		return int(at)
	}
	r := m.runs[i]
	if at-r.src <= r.n {
		return int(r.out + at - r.src)
	}
	_, out := m.end(i)
	return int(out)
}

// ToSource maps a shown offset back to the source. An offset inside a
// replacement maps to the start of what it replaced.
func (m *OffsetMap) ToSource(shown int) int {
	at := clamp32(shown, m.outLen)
	i := sort.Search(len(m.runs), func(i int) bool { return m.runs[i].out > at }) - 1
	if i < 0 {
		return int(at)
	}
	r := m.runs[i]
	if src, end := m.end(i); at >= end {
		return int(src)
	}
	return int(r.src + min(at-r.out, r.n))
}

// Span maps a source span to the shown text, widened to whole replacements.
func (m *OffsetMap) Span(start, end int) (shownStart, shownEnd int) {
	if end <= start {
		p := m.ToShown(start)
		return p, p
	}
	return m.ToShown(start), m.ToShownEnd(end)
}

// Replaced reports whether the shown byte at the offset belongs to a
// replacement, and the offset at which that run or replacement ends.
func (m *OffsetMap) Replaced(shown int) (replaced bool, end int) {
	if len(m.runs) == 0 {
		return false, int(m.outLen)
	}
	at := clamp32(shown, m.outLen)
	i := sort.Search(len(m.runs), func(i int) bool { return m.runs[i].out > at }) - 1
	if i < 0 {
		return false, int(m.runs[0].out)
	}
	if r := m.runs[i]; at-r.out < r.n {
		return false, int(r.out + r.n)
	}
	_, out := m.end(i)
	return true, int(out)
}

func clamp32(v int, top uint32) uint32 {
	if v < 0 {
		return 0
	}
	if uint64(v) > uint64(top) {
		return top
	}
	return uint32(v)
}
