package gate

import (
	"math"
	"strings"

	"claimscope/engine/grounding"
)

// nearestNumber is the number of the cited lines (else of the outputs) that is closest
// to the claimed one in value, of a unit that could be compared.
func nearestNumber(f fact, g []ground) nearest {
	var best nearest
	bestD := math.Inf(1)
	want, _ := f.num.Base(f.num.Units[0]).Float64()
	look := func(e *evidence, ns []grounding.Number) {
		for _, n := range ns {
			// A cheap bound first: only numbers of a like size are read with their unit.
			q := e.facts.Quantity(n)
			for _, u := range q.Units {
				if u.Dim != f.num.Dim() {
					continue
				}
				v, _ := q.Base(u).Float64()
				if d := math.Abs(v-want) / math.Max(math.Abs(want), 1e-12); d < bestD {
					bestD, best = d, e.near(q.Span)
				}
			}
		}
	}
	for _, x := range g {
		for _, s := range x.cited {
			look(x.ev, x.ev.facts.NumbersIn(s))
		}
	}
	if best.ev != nil {
		return best
	}
	for _, x := range g {
		if ns := x.ev.facts.Numbers(); len(ns) <= 2000 {
			look(x.ev, ns)
		}
	}
	return best
}

// nearestTime is the time of the evidence closest to the claimed one.
func nearestTime(f fact, g []ground) nearest {
	var best nearest
	bestD := int64(math.MaxInt64)
	want, ok := f.at.Instant()
	if !ok {
		return best
	}
	for _, x := range g {
		ts := x.ev.facts.Times()
		for _, t := range ts {
			at, ok := t.Instant()
			if !ok {
				continue
			}
			d := int64(want.Sub(at).Abs())
			if !f.at.HasDate || !t.HasDate {
				d = int64(math.Abs(float64(want.Hour()*3600+want.Minute()*60+want.Second()-at.Hour()*3600-at.Minute()*60-at.Second())) * 1e9)
			}
			if d < bestD {
				bestD, best = d, x.ev.near(t.Span)
			}
		}
	}
	return best
}

// nearestName is a name of the evidence that differs little from the claimed one.
func nearestName(f fact, g []ground) nearest {
	want := strings.ToLower(f.name)
	limit := max(1, len(want)/5)
	var best nearest
	bestD := limit + 1
	for _, x := range g {
		raw := x.ev.text.Raw()
		tries := 0
		for i := 0; i < len(raw) && tries < 20_000; {
			if !isNameByte(raw[i]) {
				i++
				continue
			}
			j := i
			for j < len(raw) && isNameByte(raw[j]) {
				j++
			}
			if d := j - i - len(want); d >= -limit && d <= limit {
				tries++
				if e := editDistance(want, strings.ToLower(string(raw[i:j])), bestD); e < bestD && e > 0 {
					bestD, best = e, x.ev.near(grounding.Span{Start: i, End: j})
				}
			}
			i = j
		}
	}
	return best
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

// editDistance is Levenshtein's distance, limit when it is at least that.
func editDistance(a, b string, limit int) int {
	if len(a) > 256 || len(b) > 256 {
		return limit
	}
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		low := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			low = min(low, cur[j])
		}
		if low >= limit {
			return limit
		}
		prev, cur = cur, prev
	}
	return min(prev[len(b)], limit)
}
