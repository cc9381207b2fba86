package grounding

import (
	"math"
	"slices"
)

// numberIndex finds the numbers of a text by their value: they are sorted into buckets
// by the first bits of their floats, 64 to each power of two.
type numberIndex struct {
	order []int32 // indexes of the numbers, bucket by bucket
	start []int32 // where each bucket begins in order, and the end of the last
	// compound and wide are numbers whose floats do not tell their value: the first parts of
	// durations, and those with a word of another writing behind them.
	compound, wide []int32
}

const (
	bucketBits = 18
	// indexedNumbers is how many numbers a text must have that an index of them is worth it.
	indexedNumbers = 4096
)

// bucketOf is monotonic in v.
func bucketOf(v float64) int {
	b := math.Float64bits(v)
	if b>>63 == 1 {
		b = ^b
	} else {
		b |= 1 << 63
	}
	return int(b >> (64 - bucketBits))
}

func newNumberIndex(raw []byte, ns []Number) *numberIndex {
	x := &numberIndex{order: make([]int32, len(ns)), start: make([]int32, 1<<bucketBits+1)}
	for i, n := range ns {
		x.start[bucketOf(n.Float)+1]++
		if compoundAt(raw, n.Span.End) {
			x.compound = append(x.compound, int32(i))
		}
		if magnitudeAt(raw, n.Span.End) {
			x.wide = append(x.wide, int32(i))
		}
	}
	for b := range 1 << bucketBits {
		x.start[b+1] += x.start[b]
	}
	next := slices.Clone(x.start)
	for i, n := range ns {
		b := bucketOf(n.Float)
		x.order[next[b]] = int32(i)
		next[b]++
	}
	return x
}

// lookup lists, in the order of the text, the numbers that can carry a quantity; ok is
// false where they are so many that the text is better read through.
func (x *numberIndex) lookup(ns []Number, want ranges, duration bool) (found []int32, ok bool) {
	n := len(x.wide)
	for _, r := range want {
		n += int(x.start[bucketOf(r[1])+1] - x.start[bucketOf(r[0])])
	}
	if n > len(ns)/4 {
		return nil, false
	}
	found = append(make([]int32, 0, n), x.wide...)
	if duration {
		found = append(found, x.compound...)
	}
	for _, r := range want {
		for _, i := range x.order[x.start[bucketOf(r[0])]:x.start[bucketOf(r[1])+1]] {
			if v := ns[i].Float; v >= r[0] && v <= r[1] {
				found = append(found, i)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found), true
}
