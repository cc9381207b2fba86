package gate

import (
	"math"
	"math/big"
	"slices"

	"claimscope/engine/grounding"
)

// From enough numbers any value follows somehow, so a result that no rule expects counts
// only where it is no chance. The numbers near a stated one are taken as spread evenly: with
// n different results between a third and three times the stated value, and a stated value
// that w covers, about n·w / (3 − 1/3)·value of them hit it by accident. Where the sentence
// speaks of the operation itself (合计, 比……少, 倍) more of it is accepted.
const (
	chanceUncued = 0.03
	chanceCued   = 0.2
	maxShort     = 1500 // bytes of an output that can be read at a glance
	maxWide      = 40   // operands of one kind of operation
)

// wide reads a number as the result of one operation on what the sentence states and its
// excerpts hold, whatever the fields are called, by how unlikely that is to be chance.
func (c *carrier) wide(q grounding.Quantity) (derivation, bool) {
	if q.Value.Sign() <= 0 || q.Fraction {
		return derivation{}, false
	}
	pool := c.pool()
	stated := c.known
	if q.Dim() == grounding.Ratio || q.Dim() == grounding.Multiple {
		stated = append(slices.Clone(stated), c.counted...) // 14 条里有 9 条，约 64%
	}
	for _, ops := range [][]operand{stated, pool, append(pool, c.extremes()...)} {
		ops = sameMeasure(q, ops)
		if len(ops) > maxWide {
			continue
		}
		for _, try := range []func(grounding.Quantity, []operand) (guess, float64){c.wideSum, c.wideDifference, c.wideQuotient, c.wideShare, c.wideSumShare, c.widePace} {
			g, most := try(q, ops)
			if g.hit.ev != nil && g.chance() <= most {
				return g.hit, true
			}
		}
	}
	return derivation{}, false
}

// sameMeasure keeps the operands that can be of the dimension of q, in its base unit; for a
// share or a multiple, all. Repeated values count once.
func sameMeasure(q grounding.Quantity, ops []operand) []operand {
	relative := q.Dim() == grounding.Ratio || q.Dim() == grounding.Multiple
	type key struct {
		value string
		field string
	}
	seen := map[key]bool{}
	var out []operand
	for _, o := range ops {
		if o.q.Key || o.said.Key || o.q.Value.Sign() == 0 {
			continue
		}
		if o.q.HasUnit() && !o.q.Soft {
			o.written = o.q.Units[0].Name
		}
		if !relative {
			u, ok := readAs(o.q, q)
			if !ok {
				continue
			}
			o.q.Units = []grounding.Unit{u}
		}
		k := key{o.q.Base(o.q.Units[0]).RatString(), o.field}
		if seen[k] {
			continue
		}
		seen[k] = true
		out = append(out, o)
	}
	return out
}

// readAs is the unit in which an operand measures what q does: its own, or for a bare
// number that of q.
func readAs(o, q grounding.Quantity) (grounding.Unit, bool) {
	for _, u := range o.Units {
		if u.Dim == q.Dim() {
			return u, true
		}
	}
	if o.HasUnit() && !o.Soft {
		return grounding.Unit{}, false
	}
	return q.Units[0], true
}

// guess counts the results of one kind of operation near a stated number.
type guess struct {
	q     grounding.Quantity
	goal  float64
	units []grounding.Unit
	near  map[float64]bool
	hit   derivation
}

func newGuess(q grounding.Quantity, units []grounding.Unit) guess {
	goal, _ := q.Base(q.Units[0]).Float64()
	return guess{q: q, goal: goal, units: units, near: map[float64]bool{}}
}

// add takes one result, in base units.
func (g *guess) add(v *big.Rat, how func() string, ops ...operand) {
	f, _ := v.Float64()
	if f < g.goal/3 || f > g.goal*3 {
		return
	}
	g.near[f] = true
	if g.hit.ev != nil || f < g.goal*0.8 || f > g.goal*1.2 {
		return
	}
	if !grounding.Matches(g.q, grounding.Quantity{Value: v, Ulp: tiny, Units: g.units}, false) {
		return
	}
	for _, o := range ops {
		if o.ev != nil {
			g.hit = derivation{ev: o.ev, how: how(), operands: clip(operandSpans(ops...), 16)}
			return
		}
	}
}

// chance is how many of the results would hit the stated number by accident.
func (g *guess) chance() float64 {
	width, _ := g.q.BaseUlp(g.q.Units[0]).Float64()
	if g.q.Cmp == grounding.MoreThan || g.q.Cmp == grounding.LessThan {
		width = math.Max(width, g.goal/10)
	}
	return float64(len(g.near)) * width / (g.goal * (3 - 1.0/3))
}

func most(cued bool) float64 {
	if cued {
		return chanceCued
	}
	return chanceUncued
}

// noChance keeps the places of a number whose unit the output tells, where so few numbers
// are near it that it is no chance.
func noChance(q grounding.Quantity, e *evidence, places []grounding.Span) []grounding.Span {
	ns := e.facts.Numbers()
	if !q.HasUnit() || q.Dim() == grounding.Ratio || q.Value.Sign() <= 0 || len(places) == 0 || len(ns) > maxBoundScan {
		return nil
	}
	g := newGuess(q, q.Units)
	for _, n := range ns {
		v := e.facts.Quantity(n)
		if !v.HasUnit() {
			continue
		}
		if r, ok := grounding.Side(q, v); ok && r > 1.0/3 && r < 3 {
			g.near[r] = true
		}
	}
	if g.chance() > most(len(e.Output) <= maxShort) { // a few settings
		return nil
	}
	var out []grounding.Span
	for _, s := range places {
		if n, ok := e.facts.FirstNumber(s); ok && e.facts.Quantity(n).HasUnit() {
			out = append(out, s)
		}
	}
	return out
}
