package grounding

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"sync"
	"unicode/utf8"
)

// numberIndex finds the numbers of a text by their value: they are sorted into buckets
// by the first bits of their floats, 64 to each power of two.
type numberIndex struct {
	order []int32 // indexes of the numbers, bucket by bucket
	start []int32 // where each bucket begins in order, and the end of the last
	// Numbers whose floats do not tell their value: those that a word behind them changes,
	// and the first parts of durations, which only durations ask for.
	worded   []wordedNumber
	compound func() []wordedNumber
}

// wordedNumber is number n with what it amounts to.
type wordedNumber struct {
	n     int32
	value float64
	bases []float64 // in the base units of its readings
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

func (f *Facts) newNumberIndex(ns []Number) *numberIndex {
	x := &numberIndex{order: make([]int32, len(ns)), start: make([]int32, 1<<bucketBits+1)}
	raw := f.text.Raw()
	var compound []int
	for i, n := range ns {
		x.start[bucketOf(n.Float)+1]++
		if compoundAt(raw, n.Span.End) {
			compound = append(compound, i)
		}
		if wordedAt(raw, n.Span.End) {
			x.worded = append(x.worded, f.worded(i, n))
		}
	}
	x.compound = sync.OnceValue(func() []wordedNumber {
		out := make([]wordedNumber, 0, len(compound))
		for _, i := range compound {
			out = append(out, f.worded(i, ns[i]))
		}
		return out
	})
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

func (f *Facts) worded(i int, n Number) wordedNumber {
	q := f.Quantity(n)
	w := wordedNumber{n: int32(i)}
	w.value, _ = q.Value.Float64()
	for _, u := range q.Units {
		b, _ := q.Base(u).Float64()
		w.bases = append(w.bases, b)
	}
	return w
}

// lookup lists, in the order of the text, the numbers that can carry q; ok is false where
// they are so many that the text is better read through.
func (x *numberIndex) lookup(ns []Number, q Quantity) (found []int32, ok bool) {
	want, bases := candidates(q), baseRanges(q)
	n := 0
	for _, r := range want {
		n += int(x.start[bucketOf(r[1])+1] - x.start[bucketOf(r[0])])
	}
	if n > len(ns)/4 {
		return nil, false
	}
	found = make([]int32, 0, n)
	for _, r := range want {
		for _, i := range x.order[x.start[bucketOf(r[0])]:x.start[bucketOf(r[1])+1]] {
			if v := ns[i].Float; v >= r[0] && v <= r[1] {
				found = append(found, i)
			}
		}
	}
	add := func(w wordedNumber) {
		if want.near(w.value) || slices.ContainsFunc(w.bases, bases.near) {
			found = append(found, w.n)
		}
	}
	for _, w := range x.worded {
		add(w)
	}
	if q.Units[0].Dim == Time {
		for _, w := range x.compound() {
			add(w)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), true
}

// baseRanges are the values in base units that can carry a quantity, one range for each
// of its readings.
func baseRanges(q Quantity) ranges {
	v, reach := reachOf(q)
	var out ranges
	for _, u := range q.Units {
		f, _ := u.Factor.Float64()
		out = append(out, rangeAround(v, reach, f))
	}
	return out
}

// wordedAt reports a word behind a number that changes its value, or whose unit is none
// of those that candidateFactors tries: 12万, 300余, 2周.
func wordedAt(raw []byte, i int) bool {
	if i == len(raw) || raw[i] < 0x80 {
		return false
	}
	r, _ := utf8.DecodeRune(raw[i:])
	if _, magnitude := magnitudes[r]; magnitude || r == '余' || r == '多' {
		return true
	}
	for _, u := range rareUnits() {
		if bytes.HasPrefix(raw[i:], u) {
			return true
		}
	}
	return false
}

// rareUnits are the units of Chinese words whose factors candidateFactors does not try.
var rareUnits = sync.OnceValue(func() [][]byte {
	var out [][]byte
	for word, units := range unitTable {
		if word[0] < 0x80 {
			continue
		}
		for _, u := range units {
			one := Quantity{Value: one, Units: []Unit{{Dim: u.Dim, Factor: one}}}
			if f, _ := new(big.Rat).Inv(u.Factor).Float64(); !slices.Contains(candidateFactors(one), f) {
				out = append(out, []byte(word))
				break
			}
		}
	}
	return out
})
