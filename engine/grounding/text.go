package grounding

import (
	"bytes"
	"sort"
	"sync"
)

// Text is a raw tool output prepared for search. What a search needs beyond
// the raw bytes (the folded form, the index of lines) is built once, when first
// needed. A Text is safe for concurrent use; its raw bytes must not change.
type Text struct {
	raw    []byte
	absent byteSet // bytes that raw has not, as far as known

	foldOnce sync.Once
	fold     folded

	lineOnce sync.Once
	newlines []int // offset of each '\n'
}

// NewText prepares raw for search. It costs nothing until the first search.
func NewText(raw []byte) *Text { return &Text{raw: raw} }

// Raw is the text as it came. Callers must not change it.
func (t *Text) Raw() []byte { return t.raw }

// Line gives the line that holds the byte at offset: its number, counted from
// 1, and its span without the line break ("\n" or "\r\n"). An offset outside
// the text is moved to its nearest end. A line break belongs to the line it ends.
func (t *Text) Line(offset int) (number int, span Span) {
	t.lineOnce.Do(func() {
		t.newlines = make([]int, 0, bytes.Count(t.raw, []byte{'\n'}))
		for i := 0; ; i++ {
			n := bytes.IndexByte(t.raw[i:], '\n')
			if n < 0 {
				return
			}
			i += n
			t.newlines = append(t.newlines, i)
		}
	})
	offset = min(max(offset, 0), len(t.raw))
	i := sort.SearchInts(t.newlines, offset)
	span = Span{Start: 0, End: len(t.raw)}
	if i > 0 {
		span.Start = t.newlines[i-1] + 1
	}
	if i < len(t.newlines) {
		span.End = t.newlines[i]
		if span.End > span.Start && t.raw[span.End-1] == '\r' {
			span.End--
		}
	}
	return i + 1, span
}

func (t *Text) folded() *folded {
	t.foldOnce.Do(func() { t.fold = newFolded(t.raw) })
	return &t.fold
}
