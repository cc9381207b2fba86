package widget

import (
	"sort"

	"claimscope/tui/text"
)

// Class is the kind of a highlight. Where highlights overlap, the greater class
// is seen.
type Class uint8

// The classes, from weakest to strongest.
const (
	ClassNone          Class = iota
	ClassSearch              // a search hit
	ClassOther               // an occurrence of the evidence that is not looked at
	ClassFact                // a fact of a paraphrase
	ClassRepair              // text that the repair of JSON touched
	ClassInsert              // only in this text, of two compared
	ClassDelete              // only in the other text
	ClassSearchCurrent       // the search hit looked at
	ClassCurrent             // the occurrence looked at
	classCount
)

// Mark highlights raw bytes [Start, End).
type Mark struct {
	Start, End int
	Class      Class
}

// MapMarks moves marks from a source text to the text shown for it, such as
// pretty-printed JSON.
func MapMarks(marks []Mark, m *text.OffsetMap) []Mark {
	out := make([]Mark, 0, len(marks))
	for _, k := range marks {
		k.Start, k.End = m.Span(k.Start, k.End)
		out = append(out, k)
	}
	return out
}

// span is a half-open range of raw bytes.
type span struct{ start, end int }

// spans are disjoint and sorted.
type spans []span

// markSet holds the marks of each class apart, so that those in a row are found
// by bisection however many there are.
type markSet [classCount]spans

func newMarkSet(marks []Mark) markSet {
	var set markSet
	for _, m := range marks {
		if m.End > m.Start && m.Class > ClassNone && m.Class < classCount {
			set[m.Class] = append(set[m.Class], span{m.Start, m.End})
		}
	}
	for c, all := range set {
		sort.Slice(all, func(i, j int) bool { return all[i].start < all[j].start })
		merged := all[:0]
		for _, s := range all {
			if n := len(merged); n > 0 && s.start < merged[n-1].end {
				merged[n-1].end = max(merged[n-1].end, s.end)
			} else {
				merged = append(merged, s)
			}
		}
		set[c] = merged
	}
	return set
}

// in returns those that reach into [from, to).
func (s spans) in(from, to int) spans {
	i := sort.Search(len(s), func(i int) bool { return s[i].end > from })
	j := i
	for j < len(s) && s[j].start < to {
		j++
	}
	return s[i:j]
}

// strongest returns the greatest class with a mark in [from, to), of those that
// are no search hits.
func (m *markSet) strongest(from, to int) Class {
	for c := classCount - 1; c > ClassNone; c-- {
		if c != ClassSearch && c != ClassSearchCurrent && len(m[c].in(from, max(to, from+1))) > 0 {
			return c
		}
	}
	return ClassNone
}
