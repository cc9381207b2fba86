package gate

import (
	"math/big"
	"strings"

	"claimscope/engine/grounding"
)

var shareUnits = func() []grounding.Unit {
	u := grounding.Quantities("1%")[0].Units[0]
	u.Factor = big.NewRat(1, 1)
	return []grounding.Unit{u}
}()

var multipleUnits = grounding.Quantities("1 倍")[0].Units

// pairs reads a number as sum, difference, ratio or share of two operands that measure
// the same thing: both stated in the sentence, both in the excerpts, or of one field.
func (c *carrier) pairs(q grounding.Quantity) (derivation, bool) {
	pool := c.pool()
	if q.Dim() == grounding.Ratio && citesPercent(pool) {
		// The excerpt gives its own percentages: others follow only from what is stated.
		pool = append([]operand{}, c.known...)
	}
	for i, a := range pool {
		if q.Dim() == grounding.Ratio {
			if d, ok := complement(q, a); ok {
				return d, true
			}
		}
		for j, b := range pool {
			if i == j || a.q.Value.Sign() == 0 && b.q.Value.Sign() == 0 || sameNumber(a, b) {
				continue
			}
			if d, ok := pair(q, c.sentence, a, b, j > i); ok {
				return d, true
			}
		}
	}
	return derivation{}, false
}

func citesPercent(pool []operand) bool {
	for _, o := range pool {
		if !o.known && o.q.Units[0].Name == "%" {
			return true
		}
	}
	return false
}

func sameNumber(a, b operand) bool {
	return a.ev == b.ev && a.q.Span == b.q.Span && !a.known && !b.known
}

func complement(q grounding.Quantity, a operand) (derivation, bool) {
	if a.q.Fraction && a.q.Of != nil && a.q.Of.Sign() > 0 {
		e := grounding.Quantity{Value: new(big.Rat).Quo(a.q.Value, a.q.Of), Ulp: big.NewRat(1, 1_000_000_000), Units: shareUnits}
		if grounding.Matches(q, e, false) {
			return derivation{ev: a.ev, how: a.q.Text, operands: operandSpans(a)}, a.ev != nil
		}
	}
	for _, u := range a.q.Units {
		if u.Dim != grounding.Ratio {
			continue
		}
		e := grounding.Quantity{Value: new(big.Rat).Sub(big.NewRat(1, 1), a.q.Base(u)), Ulp: big.NewRat(1, 1_000_000_000), Units: shareUnits}
		if e.Value.Sign() > 0 && grounding.Matches(q, e, false) {
			return derivation{ev: a.ev, how: "100% − " + a.q.Text, operands: operandSpans(a)}, a.ev != nil
		}
	}
	return derivation{}, false
}

func operandSpans(ops ...operand) []grounding.Span {
	out := []grounding.Span{}
	for _, o := range ops {
		if o.ev != nil && o.here {
			out = append(out, o.q.Span)
		}
	}
	return out
}

// pair tries one ordered pair. Units decide: a ratio needs two numbers of one
// dimension, a difference or sum gives that dimension.
func pair(q grounding.Quantity, sentence string, a, b operand, first bool) (derivation, bool) {
	tiny := big.NewRat(1, 1_000_000_000)
	a.q, b.q = alike(q, a.q, b.q)
	if q.Dim() == grounding.Multiple && a.known && b.known && !a.q.HasUnit() {
		b.q.Units = a.q.Units // 16 个线程是 3 核的 5 倍多: compared by their numbers
	}
	for _, ua := range a.q.Units {
		for _, ub := range b.q.Units {
			x, y := a.q.Base(ua), b.q.Base(ub)
			if ua.Dim == grounding.Count && ub.Dim == grounding.Time && y.Sign() > 0 && everySecond.MatchString(sentence) && (q.Dim() == grounding.Count || q.Dim() == grounding.Rate) {
				e := grounding.Quantity{Value: new(big.Rat).Quo(x, y), Ulp: tiny, Units: q.Units[:1]}
				if q.Digits() >= 2 && grounding.Matches(q, e, false) && a.ev != nil {
					return derivation{ev: a.ev, how: a.q.Text + " ÷ " + b.q.Text, operands: operandSpans(a, b)}, true
				}
			}
			if q.Dim() == grounding.Ratio && ua.Dim == grounding.Ratio && ub.Dim == grounding.Count && ub.Name == "" && differenceCue.MatchString(sentence) && a.ev != nil {
				// A threshold printed without its sign beside a percentage.
				e := grounding.Quantity{Value: new(big.Rat).Sub(x, new(big.Rat).Mul(y, big.NewRat(1, 100))), Ulp: tiny, Units: shareUnits}
				if e.Value.Sign() > 0 && grounding.Matches(q, e, false) {
					return derivation{ev: a.ev, how: a.q.Text + " − " + b.q.Text, operands: operandSpans(a, b)}, true
				}
			}
			if ua.Dim != ub.Dim {
				if d, ok := product(q, a, b, ua, ub); ok {
					return d, true
				}
				continue
			}
			try := func(v *big.Rat, units []grounding.Unit, op string) (derivation, bool) {
				e := grounding.Quantity{Value: v, Ulp: tiny, Units: units}
				if !grounding.Matches(q, e, false) {
					return derivation{}, false
				}
				ev := a.ev
				if ev == nil {
					ev = b.ev
				}
				return derivation{ev: ev, how: a.q.Text + " " + op + " " + b.q.Text, operands: operandSpans(a, b)}, ev != nil
			}
			base := []grounding.Unit{{Dim: ua.Dim, Factor: big.NewRat(1, 1), Explicit: ua.Explicit}}
			switch q.Dim() {
			case grounding.Ratio, grounding.Multiple, grounding.CPU:
				units := shareUnits
				switch {
				case q.Dim() == grounding.Multiple:
					units = multipleUnits
				case q.Dim() == grounding.CPU:
					if !strings.Contains(strings.ToLower(a.field), "quota") && !(a.known && b.known) {
						continue
					}
					units = coreUnits // quota ÷ period
				}
				if y.Sign() != 0 {
					r := new(big.Rat).Quo(x, y)
					if d, ok := try(r, units, "÷"); ok {
						return d, true
					}
					if q.Dim() == grounding.Ratio && differenceCue.MatchString(sentence) {
						if d, ok := try(new(big.Rat).Abs(new(big.Rat).Sub(r, big.NewRat(1, 1))), units, "− 1 ÷"); ok && related(a, b) {
							return d, true
						}
					}
				}
				if s := new(big.Rat).Add(x, y); s.Sign() != 0 && q.Dim() == grounding.Ratio && a.field != b.field && (sharesWord(a, b) || complementary(a.field, b.field)) {
					if d, ok := try(new(big.Rat).Quo(x, s), units, "share with"); ok {
						return d, true
					}
				}
				if q.Dim() == grounding.Ratio && ua.Dim == grounding.Count && differenceCue.MatchString(sentence) && related(a, b) {
					// Percentages printed without their sign.
					points := new(big.Rat).Mul(new(big.Rat).Sub(x, y), big.NewRat(1, 100))
					if d, ok := try(points, units, "−"); ok && points.Sign() > 0 {
						return d, true
					}
				}
				if q.Dim() == grounding.Ratio && ua.Dim == grounding.Ratio {
					if d, ok := try(new(big.Rat).Sub(x, y), units, "−"); ok {
						return d, true
					}
				}
			default:
				if first && a.known && b.known && averageCue.MatchString(sentence) {
					mean := new(big.Rat).Mul(new(big.Rat).Add(x, y), big.NewRat(1, 2))
					if d, ok := try(mean, base, "average with"); ok {
						return d, true
					}
				}
				stated := a.known && b.known && q.Value.IsInt() && !q.Words
				if first && stated && q.Dim() == grounding.Count {
					// 78 个：67 个 …，11 个 …: the sentence lists the parts itself.
					if d, ok := try(new(big.Rat).Add(x, y), base, "+"); ok {
						return d, true
					}
				}
				if q.Dim() == grounding.Count && !q.HasUnit() && !differenceCue.MatchString(sentence) && !sumCue.MatchString(sentence) && (q.Digits() < 3 || !oneField(a, b)) {
					continue
				}
				if d, ok := try(new(big.Rat).Sub(x, y), base, "−"); ok && (related(a, b) || q.Digits() >= 3) {
					return d, true
				}
				if first {
					if d, ok := try(new(big.Rat).Add(x, y), base, "+"); ok && (related(a, b) || q.Digits() >= 3) {
						return d, true
					}
				}
			}
		}
	}
	return derivation{}, false
}

// alike drops a unit that is only likely where the other operand has another one, or
// where the result has none.
func alike(q, a, b grounding.Quantity) (grounding.Quantity, grounding.Quantity) {
	if a.Soft && b.Soft && q.Dim() == grounding.Count {
		a.Units, b.Units = bareUnits, bareUnits
	}
	if a.Soft != b.Soft && a.Dim() != b.Dim() {
		if a.Soft {
			a.Units = bareUnits
		} else {
			b.Units = bareUnits
		}
	}
	return a, b
}

var (
	bareUnits = grounding.Quantities("1")[0].Units
	coreUnits = grounding.Quantities("1 核")[0].Units
)

// product reads a size or a duration as a count of equal parts: 1048576 页，每页 8kB.
func product(q grounding.Quantity, a, b operand, ua, ub grounding.Unit) (derivation, bool) {
	if ua.Dim != grounding.Count || ub.Dim != q.Dim() || ub.Dim != grounding.Bytes && ub.Dim != grounding.Time || !a.q.Value.IsInt() || a.ev != b.ev && !(a.known && b.known) {
		return derivation{}, false
	}
	e := grounding.Quantity{
		Value: new(big.Rat).Mul(a.q.Base(ua), b.q.Base(ub)), Ulp: big.NewRat(1, 1_000_000_000),
		Units: []grounding.Unit{{Dim: ub.Dim, Factor: big.NewRat(1, 1), Explicit: true}},
	}
	if a.ev == nil || !grounding.Matches(q, e, false) {
		return derivation{}, false
	}
	return derivation{ev: a.ev, how: a.q.Text + " × " + b.q.Text, operands: operandSpans(a, b)}, true
}

// oneField reports operands of the same output that measure the same thing.
func oneField(a, b operand) bool {
	return a.ev == b.ev && (a.field == b.field || sharesWord(a, b))
}

// related reports operands of one field, of fields that share a word, or both stated in
// the sentence.
func related(a, b operand) bool {
	return a.known || b.known || a.field == b.field || sharesWord(a, b)
}

// sharesWord reports fields whose names have a word in common: used_memory, maxmemory.
func sharesWord(a, b operand) bool {
	for _, w := range grounding.NameWords(a.field) {
		for _, v := range grounding.NameWords(b.field) {
			if len(w) > 2 && (w == v || strings.Contains(w, v) && len(v) > 3 || strings.Contains(v, w) && len(w) > 3) {
				return true
			}
		}
	}
	return false
}

// wholes are pairs of field names that make up a whole: a share may be of their sum.
var wholes = [][2]string{{"hit", "miss"}, {"succ", "fail"}, {"ok", "err"}, {"used", "free"}, {"used", "avail"}, {"成功", "失败"}, {"命中", "未命中"}}

func complementary(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	for _, w := range wholes {
		if strings.Contains(a, w[0]) && strings.Contains(b, w[1]) || strings.Contains(a, w[1]) && strings.Contains(b, w[0]) {
			return true
		}
	}
	return false
}
