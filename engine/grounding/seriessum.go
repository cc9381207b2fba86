package grounding

import "math/big"

// sumKey names a series whose sum is known: parts of one column may share their ends and
// their length, so all starts are hashed.
type sumKey struct {
	start, end, n int
	hash          uint64
}

// fnvPrime is the prime of 64-bit FNV-1a.
const fnvPrime = 1099511628211

// maxSums bounds the sums that one text remembers.
const maxSums = 4096

// Sum adds the values of a series exactly, each as Quantity reads it. The result is
// shared: read only.
func (f *Facts) Sum(ns []Number) *big.Rat {
	if len(ns) == 0 {
		return new(big.Rat)
	}
	key := sumKey{start: ns[0].Span.Start, end: ns[len(ns)-1].Span.End, n: len(ns)}
	for _, n := range ns {
		key.hash = (key.hash ^ uint64(n.Span.Start)) * fnvPrime
	}
	f.seriesMu.Lock()
	sum, ok := f.sums[key]
	f.seriesMu.Unlock()
	if ok {
		return sum
	}
	sum = f.sum(ns)
	f.seriesMu.Lock()
	defer f.seriesMu.Unlock()
	if f.sums == nil {
		f.sums = map[sumKey]*big.Rat{}
	}
	if len(f.sums) < maxSums {
		f.sums[key] = sum
	}
	return sum
}

func (f *Facts) sum(ns []Number) *big.Rat {
	sum := new(big.Rat)
	var parts [plainDigits]int64 // by the number of decimals
	for i, n := range ns {
		if m, decimals, ok := f.plain(n); ok && i < maxSeries {
			parts[decimals] += m
		} else {
			sum.Add(sum, f.Quantity(n).Value)
		}
	}
	for decimals, m := range parts {
		if m != 0 {
			sum.Add(sum, new(big.Rat).Mul(rat(m, 1), powerOfTen(-decimals)))
		}
	}
	return sum
}

// CountAbove counts the numbers of a series that are greater than bound, each as Quantity
// reads it.
func (f *Facts) CountAbove(ns []Number, bound *big.Rat) int {
	above := 0
	for _, n := range ns {
		if f.Quantity(n).Value.Cmp(bound) > 0 {
			above++
		}
	}
	return above
}

// plainDigits bounds the digits of a plain number: maxSeries of them add up in 63 bits.
const plainDigits = 14

// plain reads a number of digits and at most one point whose value no word behind it
// changes, as m/10^decimals; ok is false for all others.
func (f *Facts) plain(n Number) (m int64, decimals int, ok bool) {
	raw := f.text.Raw()
	b := raw[n.Span.Start:n.Span.End]
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		b = b[1:]
	}
	point := -1
	for i, c := range b {
		switch {
		case isNum(c):
			m = m*10 + int64(c-'0')
		case c == '.' && point < 0 && i > 0:
			point = i
		default:
			return 0, 0, false
		}
	}
	if len(b) == 0 || len(b) > plainDigits || point == len(b)-1 || wordChanges(raw, n.Span.End) {
		return 0, 0, false
	}
	if point >= 0 {
		decimals = len(b) - point - 1
	}
	if neg {
		m = -m
	}
	return m, decimals, true
}

// wordChanges reports that what follows a number at end may be part of it or change its
// value: more digits, a magnitude, a further part of a duration.
func wordChanges(raw []byte, end int) bool {
	if end == len(raw) {
		return false
	}
	switch c := raw[end]; {
	case c == '.' || c == '-' || isNum(c):
		return true
	case c == ',':
		return end+1 < len(raw) && isNum(raw[end+1])
	}
	i := end
	for i < len(raw) && raw[i] == ' ' {
		i++
	}
	word := i
	for i < len(raw) && (raw[i] >= 'a' && raw[i] <= 'z' || raw[i] >= 'A' && raw[i] <= 'Z') {
		i++
	}
	if i == len(raw) {
		return i > word
	}
	glued := word == end && (isNum(raw[i]) || raw[end] == 'e' || raw[end] == 'E')
	return raw[i] >= 0x80 || i > word && (glued || string(raw[word:i]) == "and")
}
