package gate

import (
	"math"
	"math/big"
	"strings"

	"claimscope/engine/grounding"
)

var shareUnits = func() []grounding.Unit {
	u := grounding.Quantities("1%")[0].Units[0]
	u.Factor = one
	return []grounding.Unit{u}
}()

var multipleUnits = grounding.Quantities("1 倍")[0].Units

// pairs reads a number as sum, difference, ratio or share of two operands that measure
// the same thing: both stated in the sentence, both in the excerpts, or of one field.
func (c *carrier) pairs(q grounding.Quantity) (derivation, bool) {
	pool, said := c.pool(), *c.said()
	if q.Dim() == grounding.Ratio && citesPercent(pool) {
		// The excerpt gives its own percentages: others follow only from what is stated.
		pool = append([]operand{}, c.known...)
	}
	for i := range pool {
		pool[i].readings = readingsOf(pool[i].q)
	}
	reach := grounding.ReachOf(q)
	for i, a := range pool {
		if q.Dim() == grounding.Ratio {
			if d, ok := complement(q, a); ok {
				return d, true
			}
		}
		for j, b := range pool {
			if i == j || a.q.Value.Sign() == 0 && b.q.Value.Sign() == 0 || sameNumber(a, b) || (a.row || b.row) && !natural(a, b) {
				continue
			}
			if d, ok := newPairing(q, reach, said, a, b, j > i).read(); ok {
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
		e := grounding.Quantity{Value: new(big.Rat).Quo(a.q.Value, a.q.Of), Ulp: tiny, Units: shareUnits}
		if grounding.Matches(q, e, false) {
			return derivation{ev: a.ev, how: a.q.Text, operands: operandSpans(a)}, a.ev != nil
		}
	}
	units := a.q.Units
	if a.q.Dim() == grounding.Count && !a.q.HasUnit() && a.q.Decimals >= 2 && a.q.Value.Cmp(one) < 0 {
		units = shareUnits // a rate of 0.8186
	}
	for _, u := range units {
		if u.Dim != grounding.Ratio {
			continue
		}
		e := grounding.Quantity{Value: new(big.Rat).Sub(one, a.q.Base(u)), Ulp: tiny, Units: shareUnits}
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

// pairing reads a number as following from two operands in their order. Units decide: a
// ratio needs two numbers of one dimension, a difference or sum gives that dimension.
type pairing struct {
	q     grounding.Quantity
	reach grounding.Reach // of q
	cues  cues
	a, b  operand
	first bool // a is the earlier of the two: what does not depend on the order is tried once

	ua, ub grounding.Unit // the units that the operands are read in
	x, y   *big.Rat       // the operands in the base units of those
	fx, fy float64        // x and y, for a test before exact arithmetic
}

// reading is an operand in one of its units.
type reading struct {
	unit  grounding.Unit
	value *big.Rat // in the base unit
	float float64
}

func readingsOf(q grounding.Quantity) []reading {
	out := make([]reading, 0, len(q.Units))
	for _, u := range q.Units {
		v := q.Base(u)
		f, _ := v.Float64()
		out = append(out, reading{u, v, f})
	}
	return out
}

// newPairing prepares an ordered pair.
func newPairing(q grounding.Quantity, reach grounding.Reach, said cues, a, b operand, first bool) *pairing {
	qa, qb := alike(q, a.q, b.q)
	if q.Dim() == grounding.Multiple && a.known && b.known && !qa.HasUnit() {
		qb.Units = qa.Units // 16 个线程是 3 核的 5 倍多: compared by their numbers
	}
	a.in(qa)
	b.in(qb)
	return &pairing{q: q, reach: reach, cues: said, a: a, b: b, first: first}
}

// in reads an operand in the units of q.
func (o *operand) in(q grounding.Quantity) {
	if &q.Units[0] != &o.q.Units[0] {
		o.q, o.readings = q, readingsOf(q)
	}
}

// read tries the pair in all units that the operands may have.
func (p *pairing) read() (derivation, bool) {
	for _, a := range p.a.readings {
		for _, b := range p.b.readings {
			p.ua, p.x, p.fx = a.unit, a.value, a.float
			p.ub, p.y, p.fy = b.unit, b.value, b.float
			if d, ok := p.inUnits(); ok {
				return d, true
			}
		}
	}
	return derivation{}, false
}

func (p *pairing) inUnits() (derivation, bool) {
	if d, ok := p.perSecond(); ok {
		return d, true
	}
	if d, ok := p.overThreshold(); ok {
		return d, true
	}
	if p.ua.Dim != p.ub.Dim {
		return p.product()
	}
	switch p.q.Dim() {
	case grounding.Ratio:
		return p.ratio()
	case grounding.Multiple:
		return p.quotient(multipleUnits)
	case grounding.CPU:
		return p.cores()
	default:
		return p.total()
	}
}

// far reports that a result of about v cannot be the number. Where operands all but cancel
// each other, floats are too uncertain to tell.
func (p *pairing) far(v float64) bool {
	return math.Abs(math.Abs(p.fx)-math.Abs(p.fy)) > 1e-6*math.Abs(p.fx) && !p.reach.Holds(v)
}

// gives reports whether the number is v in units, which how op joins the operands to.
func (p *pairing) gives(v *big.Rat, units []grounding.Unit, op string) (derivation, bool) {
	e := grounding.Quantity{Value: v, Ulp: tiny, Units: units}
	if !grounding.Matches(p.q, e, false) {
		return derivation{}, false
	}
	ev := p.a.ev
	if ev == nil {
		ev = p.b.ev
	}
	return derivation{ev: ev, how: p.a.q.Text + " " + op + " " + p.b.q.Text, operands: operandSpans(p.a, p.b)}, ev != nil
}

// perSecond reads a rate: a count over a time.
func (p *pairing) perSecond() (derivation, bool) {
	if p.ua.Dim != grounding.Count || p.ub.Dim != grounding.Time || p.y.Sign() <= 0 || p.a.ev == nil || p.q.Digits() < 2 ||
		p.q.Dim() != grounding.Count && p.q.Dim() != grounding.Rate || !p.cues.everySecond || p.far(p.fx/p.fy) {
		return derivation{}, false
	}
	return p.gives(new(big.Rat).Quo(p.x, p.y), p.q.Units[:1], "÷")
}

// overThreshold reads percentage points over a threshold that is printed without its sign.
func (p *pairing) overThreshold() (derivation, bool) {
	if p.q.Dim() != grounding.Ratio || p.ua.Dim != grounding.Ratio || p.ub.Dim != grounding.Count || p.ub.Name != "" || p.a.ev == nil || !p.cues.difference {
		return derivation{}, false
	}
	points := new(big.Rat).Sub(p.x, percent(p.y))
	if points.Sign() <= 0 {
		return derivation{}, false
	}
	return p.gives(points, shareUnits, "−")
}

// product reads a size or a duration as a count of equal parts: 1048576 页，每页 8kB.
func (p *pairing) product() (derivation, bool) {
	dim := p.ub.Dim
	if p.ua.Dim != grounding.Count || dim != p.q.Dim() || dim != grounding.Bytes && dim != grounding.Time || p.a.ev == nil ||
		!p.a.q.Value.IsInt() || p.a.ev != p.b.ev && !(p.a.known && p.b.known) || p.far(p.fx*p.fy) {
		return derivation{}, false
	}
	return p.gives(new(big.Rat).Mul(p.x, p.y), baseUnits(dim, true), "×")
}

// quotient reads a over b.
func (p *pairing) quotient(units []grounding.Unit) (derivation, bool) {
	if p.y.Sign() == 0 || p.far(p.fx/p.fy) {
		return derivation{}, false
	}
	return p.gives(new(big.Rat).Quo(p.x, p.y), units, "÷")
}

// cores reads a CPU limit: quota ÷ period.
func (p *pairing) cores() (derivation, bool) {
	if !strings.Contains(strings.ToLower(p.a.field), "quota") && !(p.a.known && p.b.known) {
		return derivation{}, false
	}
	return p.quotient(coreUnits)
}

// ratio reads a share: of b, of both together, as a change against b, or in points.
func (p *pairing) ratio() (derivation, bool) {
	if d, ok := p.quotient(shareUnits); ok {
		return d, true
	}
	if p.y.Sign() != 0 && p.cues.difference && !p.far(math.Abs(p.fx/p.fy-1)) {
		change := new(big.Rat).Quo(p.x, p.y)
		change.Abs(change.Sub(change, one))
		if d, ok := p.gives(change, shareUnits, "− 1 ÷"); ok && related(p.a, p.b) {
			return d, true
		}
	}
	if p.a.field != p.b.field && !p.far(p.fx/(p.fx+p.fy)) && (sharesWord(p.a, p.b) || complementary(p.a.field, p.b.field)) {
		if sum := new(big.Rat).Add(p.x, p.y); sum.Sign() != 0 {
			if d, ok := p.gives(sum.Quo(p.x, sum), shareUnits, "share with"); ok {
				return d, true
			}
		}
	}
	switch points := p.fx - p.fy; {
	case p.ua.Dim == grounding.Ratio && !p.far(points):
		return p.gives(new(big.Rat).Sub(p.x, p.y), shareUnits, "−")
	case p.ua.Dim == grounding.Count && p.x.Cmp(p.y) > 0 && !p.far(points/100) && p.cues.difference && related(p.a, p.b):
		return p.gives(percent(new(big.Rat).Sub(p.x, p.y)), shareUnits, "−") // percentages printed without their sign
	}
	return derivation{}, false
}

// total reads a mean, a sum or a difference, which have the dimension of the operands.
func (p *pairing) total() (derivation, bool) {
	stated := p.a.known && p.b.known
	farSum := p.far(p.fx + p.fy)
	if p.first && stated && p.cues.average && !p.far((p.fx+p.fy)/2) {
		if d, ok := p.gives(new(big.Rat).Quo(p.sum(), two), p.units(), "average with"); ok {
			return d, true
		}
	}
	count := p.q.Dim() == grounding.Count
	if p.first && stated && count && !farSum && p.q.Value.IsInt() && !p.q.Words {
		// 78 个：67 个 …，11 个 …: the sentence lists the parts itself.
		if d, ok := p.gives(p.sum(), p.units(), "+"); ok {
			return d, true
		}
	}
	long := p.q.Digits() >= 3
	if count && !p.q.HasUnit() && !p.cues.difference && !p.cues.sum && (!long || !oneField(p.a, p.b)) {
		return derivation{}, false
	}
	if !p.far(p.fx - p.fy) {
		if d, ok := p.gives(new(big.Rat).Sub(p.x, p.y), p.units(), "−"); ok && (long || related(p.a, p.b)) {
			return d, true
		}
	}
	if !p.first || farSum {
		return derivation{}, false
	}
	d, ok := p.gives(p.sum(), p.units(), "+")
	return d, ok && (long || related(p.a, p.b))
}

// units is the base unit of the operands.
func (p *pairing) units() []grounding.Unit { return baseUnits(p.ua.Dim, p.ua.Explicit) }

func (p *pairing) sum() *big.Rat { return new(big.Rat).Add(p.x, p.y) }

var (
	one         = big.NewRat(1, 1)
	two         = big.NewRat(2, 1)
	tenThousand = big.NewRat(10_000, 1)
	tiny        = big.NewRat(1, 1_000_000_000) // the written precision of an exact result
)

// percent is v hundredths.
func percent(v *big.Rat) *big.Rat { return new(big.Rat).Mul(v, big.NewRat(1, 100)) }

// baseUnits is the base unit of a dimension.
func baseUnits(dim grounding.Dimension, explicit bool) []grounding.Unit {
	return []grounding.Unit{{Dim: dim, Factor: one, Explicit: explicit}}
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
