package gate

import (
	"fmt"

	"claimscope/engine/grounding"
)

// A stated bound lies near a value of the evidence: 都不到 40 ms is said of values up to
// 37 ms, not of values around 4 ms. roundReach and plainReach are how far, as a share of
// the bound; a round one reaches farther.
const (
	roundReach = 0.25
	plainReach = 0.1
)

// bound accepts a limit that the evidence itself does not write (均未超过 38 ms, 首次越过
// 90%): the values beside a cited number lie on the stated side, the nearest of them close
// to it.
func (c *carrier) bound(q grounding.Quantity) (derivation, bool) {
	if q.Cmp != grounding.MoreThan && q.Cmp != grounding.LessThan {
		return derivation{}, false
	}
	tried := 0
	for _, op := range c.pool() {
		if op.ev == nil || !op.here {
			continue
		}
		if d, ok := boundOf(q, op, []grounding.Number{{Span: op.q.Span}}); ok {
			return d, true
		}
		if tried++; tried > 12 {
			continue
		}
		for _, series := range op.ev.facts.Series(op.q.Span.Start) {
			if d, ok := boundOf(q, op, series); ok {
				return d, true
			}
		}
	}
	if !q.HasUnit() {
		return derivation{}, false
	}
	// The samples of the other results of one query: 其余都在 7 ms 以内.
	type samplesOf struct {
		ev    *evidence
		field string
	}
	tested := map[samplesOf]bool{}
	for _, op := range c.pool() {
		if op.ev == nil || !op.here || op.field != "value" && op.field != "values" {
			continue
		}
		of := samplesOf{op.ev, op.field}
		if tested[of] {
			continue
		}
		tested[of] = true
		ns := op.ev.facts.Numbers()
		if len(ns) > 4*maxBoundScan {
			continue
		}
		var same []grounding.Number
		for _, n := range ns {
			if op.ev.facts.Shape().FieldAt(n.Span.Start) == op.field {
				same = append(same, n)
			}
		}
		if d, ok := boundOf(q, op, same); ok {
			return d, true
		}
	}
	if !q.Round() {
		return derivation{}, false
	}
	// A round limit among the values that a short output writes in the same dimension.
	for _, g := range c.grounds {
		var few []grounding.Number
		if ns := g.ev.facts.Numbers(); len(ns) <= maxBoundScan {
			for _, n := range ns {
				if v := g.ev.facts.Quantity(n); v.HasUnit() && !v.Soft && v.Dim() == q.Dim() {
					few = append(few, n)
				}
			}
		}
		if d, ok := boundOf(q, operand{ev: g.ev}, few); ok {
			return d, true
		}
	}
	return derivation{}, false
}

const maxBoundScan = 500 // numbers of one output that a limit is held against

func boundOf(q grounding.Quantity, op operand, series []grounding.Number) (derivation, bool) {
	reach := plainReach
	if q.Round() {
		reach = roundReach
	}
	for _, n := range series {
		v := op.ev.facts.Quantity(n)
		v.Cited = true
		ratio, ok := grounding.Side(q, v)
		if !ok {
			continue
		}
		if q.Cmp == grounding.MoreThan && ratio >= 1 && ratio <= 1+reach || q.Cmp == grounding.LessThan && ratio <= 1 && ratio >= 1-reach {
			return derivation{ev: op.ev, how: fmt.Sprintf("bound beside %s", v.Text), operands: []grounding.Span{n.Span}}, true
		}
	}
	return derivation{}, false
}
