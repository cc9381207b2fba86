package grounding

import (
	"math/big"
	"strings"
)

var cmpBefore = []struct {
	word string
	cmp  Comparator
}{
	{"大约", About}, {"约为", About}, {"约", About}, {"接近", About}, {"将近", About}, {"近", About}, {"大概", About}, {"左右", About}, {"~", About}, {"≈", About}, {"about", About}, {"around", About}, {"nearly", About}, {"roughly", About}, {"approximately", About}, {"almost", About}, {"逼近", About}, {"差不多", About},
	{"超过", MoreThan}, {"超", MoreThan}, {"大于", MoreThan}, {"高于", MoreThan}, {"多于", MoreThan}, {"至少", MoreThan}, {"不少于", MoreThan}, {"不低于", MoreThan}, {"突破", MoreThan}, {">=", MoreThan}, {">", MoreThan}, {"≥", MoreThan}, {"more than", MoreThan}, {"over", MoreThan}, {"at least", MoreThan}, {"above", MoreThan}, {"exceeds", MoreThan}, {"exceeded", MoreThan}, {"逾", MoreThan}, {"越过", MoreThan}, {"冲破", MoreThan}, {"不止", MoreThan}, {"不小于", MoreThan}, {"不下", MoreThan}, {"exceed", MoreThan}, {"exceeding", MoreThan}, {"beyond", MoreThan},
	{"不足", LessThan}, {"不到", LessThan}, {"小于", LessThan}, {"低于", LessThan}, {"少于", LessThan}, {"至多", LessThan}, {"最多", LessThan}, {"不超过", LessThan}, {"没有超过", LessThan}, {"没超过", LessThan}, {"未超过", LessThan}, {"未曾超过", LessThan}, {"不超", LessThan}, {"不高于", LessThan}, {"不大于", LessThan}, {"不多于", LessThan}, {"未达", LessThan}, {"没到", LessThan}, {"未到", LessThan}, {"no more than", LessThan}, {"not more than", LessThan}, {"not exceed", LessThan}, {"within", LessThan}, {"up to", LessThan}, {"fewer than", LessThan}, {"<=", LessThan}, {"<", LessThan}, {"≤", LessThan}, {"less than", LessThan}, {"under", LessThan}, {"below", LessThan}, {"at most", LessThan},
}

var cmpAfter = []struct {
	word string
	cmp  Comparator
}{
	{"左右", About}, {"上下", About}, {"前后", About}, {"以上", MoreThan}, {"以下", LessThan}, {"以内", LessThan}, {"之内", LessThan}, {"之下", LessThan}, {"之上", MoreThan}, {"or more", MoreThan}, {"or less", LessThan}, {"多", MoreThan}, {"余", MoreThan}, {"有余", MoreThan}, {"+", MoreThan}, {"不到", LessThan}, {"出头", MoreThan}, {"还多", MoreThan}, {"还要多", MoreThan}, {"不止", MoreThan},
}

// comparatorAround reads the comparator next to a quantity.
func comparatorAround(s string, sp Span, cur Comparator) Comparator {
	if cur != Exactly {
		return cur
	}
	before := strings.ToLower(strings.TrimRight(s[max(0, sp.Start-24):sp.Start], " "))
	best := 0
	for _, c := range cmpBefore {
		if strings.HasSuffix(before, c.word) && len(c.word) > best {
			if c.word == "近" && strings.HasSuffix(before, "最近") {
				continue
			}
			if rest := strings.TrimSuffix(before, c.word); c.word == "~" && rest != "" && strings.IndexByte(" ,;:(", rest[len(rest)-1]) < 0 {
				continue // 30~40 is a range
			}
			if i := len(before) - len(c.word) - 1; c.word[0] < 0x80 && isWordByte(c.word[0]) && i >= 0 && isWordByte(before[i]) {
				continue
			}
			cur, best = c.cmp, len(c.word)
		}
	}
	if best > 0 {
		return cur
	}
	after := strings.TrimLeft(s[sp.End:], " ")
	for _, c := range cmpAfter {
		if strings.HasPrefix(after, c.word) {
			return c.cmp
		}
	}
	return cur
}

// joinDurations joins 5h43m, 1 小时 43 分钟, 4 分 23 秒, 7m39s into one quantity.
func joinDurations(s string, qs []Quantity) []Quantity {
	var out []Quantity
	for i := 0; i < len(qs); i++ {
		q := qs[i]
		for i+1 < len(qs) {
			n := qs[i+1]
			a, b, ok := timeUnits(q, n)
			if !ok || !durationGap(s[q.Span.End:n.Span.Start]) {
				break
			}
			// In the unit of the smaller part.
			scale := new(big.Rat).Quo(a.Factor, b.Factor)
			q.Value = new(big.Rat).Add(new(big.Rat).Mul(q.Value, scale), n.Value)
			q.Ulp, q.Units, q.Decimals = n.Ulp, []Unit{b}, n.Decimals
			q.Span.End = n.Span.End
			if q.Cmp == Exactly {
				q.Cmp = n.Cmp
			}
			i++
		}
		if len(q.Units) > 0 && q.Units[0].Dim == Time && !q.Words {
			end := q.Span.End
			q.half(s, &end)
		}
		out = append(out, q)
	}
	return out
}

// durationGap reports what may stand between the parts of one duration.
func durationGap(s string) bool {
	switch strings.Trim(s, " 零又") {
	case "", "and", ", and":
		return true
	}
	return false
}

// timeUnits returns time readings of two neighbours when the first is the larger.
func timeUnits(a, b Quantity) (Unit, Unit, bool) {
	for _, x := range a.Units {
		for _, y := range b.Units {
			if x.Dim == Time && y.Dim == Time && x.Factor.Cmp(y.Factor) > 0 {
				return x, y, true
			}
		}
	}
	return Unit{}, Unit{}, false
}

// joinRanges gives the first number of a range (30~40 ms, 87～94 个, 2.7 to 3.1 s) the unit of the second.
// In a list of keys (4、5 号分区) the last noun is that of all.
func joinRanges(s string, qs []Quantity) []Quantity {
	for i := len(qs) - 2; i >= 0; i-- {
		a, b := &qs[i], qs[i+1]
		if b.Key && a.Units[0].Name == "" && a.Decimals == 0 && !a.Fraction && rangeGap(s[a.Span.End:b.Span.Start]) {
			a.Key = true
		}
	}
	for i := 0; i+1 < len(qs); i++ {
		// 分片 4 和 5: the noun stands before the first.
		a, b := qs[i], &qs[i+1]
		if a.Key && b.Units[0].Name == "" && b.Decimals == 0 && !b.Fraction && listGap(s[a.Span.End:b.Span.Start]) {
			b.Key = true
		}
	}
	for i := len(qs) - 2; i >= 0; i-- {
		a, b := &qs[i], qs[i+1]
		if a.Units[0].Name == "" && b.Units[0].Name != "" && !a.Fraction && !b.Fraction && rangeGap(s[a.Span.End:b.Span.Start]) {
			a.Units = b.Units
			// 1-2 万 shares the magnitude too when the second is much larger.
		}
	}
	return qs
}

// listGap reports what stands between the members of a list.
func listGap(s string) bool {
	switch strings.Trim(s, " ") {
	case "、", "和", "与", "及", "and":
		return true
	}
	return false
}
