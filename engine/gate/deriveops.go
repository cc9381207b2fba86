package gate

import (
	"fmt"
	"math/big"
	"slices"

	"claimscope/engine/grounding"
)

// wideSum adds up or averages the operands of one field, in a row from any to any other.
func (c *carrier) wideSum(q grounding.Quantity, ops []operand) (guess, float64) {
	g := newGuess(q, baseUnits(q.Dim(), q.HasUnit()))
	said := c.said()
	if q.Dim() == grounding.Ratio && !said.average || q.Dim() == grounding.Multiple || !said.sum && !said.average && q.Digits() < 3 {
		return g, 0
	}
	if q.Dim() == grounding.Ratio {
		ops = slices.DeleteFunc(slices.Clone(ops), func(o operand) bool { return o.q.Dim() != grounding.Ratio })
	}
	add := func(sum *big.Rat, part []operand) {
		n := len(part)
		if !said.average || said.sum {
			g.add(sum, func() string { return fmt.Sprintf("sum of %d values", n) }, part...)
		}
		if said.average {
			g.add(new(big.Rat).Quo(sum, big.NewRat(int64(n), 1)), func() string { return fmt.Sprintf("average of %d values", n) }, part...)
		}
	}
	c.eachSum(ops, add)
	c.eachPair(ops, func(a, b operand, x, y *big.Rat) {
		if a.q.Span.Start < b.q.Span.Start && (said.sum || weighty(q, x, y)) {
			add(new(big.Rat).Add(x, y), []operand{a, b})
		}
	})
	whole := func(of string) func(operand, []grounding.Number) {
		return func(op operand, series []grounding.Number) {
			if u, ok := readAs(op.q, q); ok {
				g.add(new(big.Rat).Mul(op.ev.facts.Sum(series), u.Factor), func() string { return fmt.Sprintf("sum of %d %s", len(series), of) }, op)
			}
		}
	}
	if said.sum && q.Digits() >= 2 {
		c.eachEvent(whole("lines"))
	}
	if said.sum {
		c.eachMoment(whole("values of one time"))
	}
	c.eachNamed(func(op operand, series []grounding.Number) {
		if len(series) > maxWide || !said.sum && !said.average {
			return
		}
		part := make([]operand, 0, len(series))
		for _, n := range series {
			part = append(part, operand{ev: op.ev, q: op.ev.facts.Quantity(n), field: op.field, here: true})
		}
		c.eachSum(sameMeasure(q, part), add) // a stretch of the column: 14 点到 17 点累计
	})
	return g, most(said.sum || said.average)
}

// wideDifference subtracts each operand from each other.
func (c *carrier) wideDifference(q grounding.Quantity, ops []operand) (guess, float64) {
	g := newGuess(q, baseUnits(q.Dim(), q.HasUnit()))
	if q.Dim() == grounding.Multiple {
		return g, 0
	}
	c.eachPair(ops, func(a, b operand, x, y *big.Rat) {
		if q.Dim() == grounding.Ratio && a.q.Dim() != grounding.Ratio {
			return
		}
		if !c.said().difference && !weighty(q, x, y) {
			return
		}
		g.add(new(big.Rat).Sub(x, y), func() string { return a.q.Text + " − " + b.q.Text }, a, b)
	})
	return g, most(c.said().difference)
}

// weighty reports operands of which none is small beside the result: 257 + 1 is a wrong 257.
func weighty(q grounding.Quantity, operands ...*big.Rat) bool {
	least := new(big.Rat).Mul(q.Base(q.Units[0]), big.NewRat(1, 50))
	for _, x := range operands {
		if x.Cmp(least) < 0 {
			return false
		}
	}
	return true
}

// wideQuotient divides each operand by each other: a share or a multiple.
func (c *carrier) wideQuotient(q grounding.Quantity, ops []operand) (guess, float64) {
	g := newGuess(q, shareUnits)
	switch q.Dim() {
	case grounding.Multiple:
		g.units = multipleUnits
	case grounding.Ratio:
	default:
		return g, 0
	}
	c.eachPair(ops, func(a, b operand, x, y *big.Rat) {
		g.add(new(big.Rat).Quo(x, y), func() string { return a.q.Text + " ÷ " + b.q.Text }, a, b)
	})
	if usual.MatchString(c.sentence) {
		c.eachSum(c.known, func(sum *big.Rat, part []operand) {
			mean := new(big.Rat).Quo(sum, big.NewRat(int64(len(part)), 1))
			for _, k := range c.known {
				if k.q.Dim() == part[0].q.Dim() && mean.Sign() > 0 && !slices.ContainsFunc(part, func(o operand) bool { return o.q.Span == k.q.Span }) {
					g.add(new(big.Rat).Quo(k.q.Base(k.q.Units[0]), mean), func() string { return fmt.Sprintf("%s ÷ mean of %d values", k.q.Text, len(part)) }, append(part, k)...)
				}
			}
		})
	}
	return g, chanceCued
}

var usual = grounding.NewPattern(`(?i)(平时|平常|往常|通常|此前|之前|以往|前[两二三几]次|平均|均值|usual|average)`)

// wideShare reads a share of two parts that make up a whole, or a change against the
// earlier value.
func (c *carrier) wideShare(q grounding.Quantity, ops []operand) (guess, float64) {
	g := newGuess(q, shareUnits)
	if q.Dim() != grounding.Ratio {
		return g, 0
	}
	changed := c.said().difference
	c.eachPair(ops, func(a, b operand, x, y *big.Rat) {
		if changed {
			change := new(big.Rat).Quo(x, y)
			g.add(change.Abs(change.Sub(change, one)), func() string { return a.q.Text + " ÷ " + b.q.Text + " − 1" }, a, b)
			return
		}
		if sum := new(big.Rat).Add(x, y); sum.Sign() != 0 {
			g.add(sum.Quo(x, sum), func() string { return a.q.Text + " share with " + b.q.Text }, a, b)
		}
	})
	return g, chanceCued
}

// eachPair calls f for all ordered pairs of one dimension, values in base units.
func (c *carrier) eachPair(ops []operand, f func(a, b operand, x, y *big.Rat)) {
	for i, a := range ops {
		for j, b := range ops {
			if i == j || sameNumber(a, b) || !natural(a, b) {
				continue
			}
			x, y := alike(grounding.Quantity{Units: bareUnits}, a.q, b.q)
			if x.Dim() != y.Dim() && a.ev == b.ev && sharesWord(a, b) {
				x, y = inBase(x, y), inBase(y, x) // mem_used is said in GiB, mem_limit is not
			}
			if x.Dim() != y.Dim() {
				continue
			}
			f(a, b, x.Base(x.Units[0]), y.Base(y.Units[0]))
		}
	}
}

// natural reports two numbers that one compares: of one field, of one record, of two
// outputs, or one that the sentence states.
func natural(a, b operand) bool {
	if a.known && (b.known || !a.here) || b.known && !b.here || a.field == b.field || a.ev != b.ev {
		return true
	}
	shape := a.ev.facts.Shape()
	return shape.RecordAt(a.q.Span.Start).Span == shape.RecordAt(b.q.Span.Start).Span
}

// wideSumShare reads a share that several cited numbers of one field have of a stated one.
func (c *carrier) wideSumShare(q grounding.Quantity, ops []operand) (guess, float64) {
	g := newGuess(q, shareUnits)
	if q.Dim() != grounding.Ratio || !shareCue.MatchString(c.sentence) {
		return g, 0
	}
	for _, op := range c.pooled {
		if op.ev == nil || !op.here || op.row {
			continue
		}
		for _, series := range op.ev.facts.Series(op.q.Span.Start) {
			for _, part := range [][]grounding.Number{series, c.ofNamed(op.ev, series)} {
				if len(part) < 2 || len(part) > maxGroup {
					continue
				}
				if sum := op.ev.facts.Sum(part); sum.Sign() > 0 {
					g.add(new(big.Rat).Quo(op.ev.facts.Quantity(grounding.Number{Span: op.q.Span}).Value, sum), func() string { return fmt.Sprintf("%s ÷ sum of %d values", op.q.Text, len(part)) }, op)
				}
			}
		}
	}
	c.eachSum(ops, func(sum *big.Rat, part []operand) {
		if sum.Sign() <= 0 {
			return
		}
		for _, k := range c.known {
			if k.q.Dim() == grounding.Count && !k.said.Key && k.q.Value.Cmp(sum) > 0 {
				g.add(new(big.Rat).Quo(sum, k.q.Value), func() string { return fmt.Sprintf("sum of %d values ÷ %s", len(part), k.q.Text) }, append(part, k)...)
			}
		}
	})
	return g, chanceCued
}

var shareCue = grounding.NewPattern(`(?i)(占|比例|share|account)`)

// eachSum calls f for the sums of operands of one field, or written with one unit, from any
// to any later one.
func (c *carrier) eachSum(ops []operand, f func(sum *big.Rat, part []operand)) {
	groups := map[string][]operand{}
	var order []string
	add := func(name string, o operand) {
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], o)
	}
	for _, o := range ops {
		add(o.field, o)
		if o.written != "" {
			add("unit "+o.written, o)
		}
	}
	for _, name := range order {
		part := groups[name]
		for i := range part {
			sum := new(big.Rat)
			for j := i; j < len(part); j++ {
				sum.Add(sum, part[j].q.Base(part[j].q.Units[0]))
				if j > i {
					f(new(big.Rat).Set(sum), part[i:j+1:j+1])
				}
			}
		}
	}
}

// inBase reads a bare number in the base unit of another.
func inBase(q, other grounding.Quantity) grounding.Quantity {
	if q.Dim() == grounding.Count && !q.HasUnit() && q.Units[0].Name == "" {
		q.Units = baseUnits(other.Dim(), true)
	}
	return q
}

// widePace reads a duration as a stretch divided by how often something happened in it
// (每 12 秒一次), or a count as a change per stated step (平均每小时多出 3047 个).
func (c *carrier) widePace(q grounding.Quantity, _ []operand) (guess, float64) {
	g := newGuess(q, baseUnits(q.Dim(), q.HasUnit()))
	if !paceCue.MatchString(c.sentence) {
		return g, 0
	}
	switch q.Dim() {
	case grounding.Time:
		for _, a := range c.known {
			for _, b := range c.known {
				if a.q.Dim() == grounding.Time && b.q.Dim() == grounding.Count && b.q.Value.Cmp(one) > 0 {
					g.add(new(big.Rat).Quo(a.q.Base(a.q.Units[0]), b.q.Value), func() string { return a.q.Text + " ÷ " + b.q.Text }, a, b)
				}
			}
		}
	case grounding.Count:
		for _, t := range c.known {
			if t.q.Dim() != grounding.Time || t.q.Value.Cmp(one) <= 0 {
				continue
			}
			for _, a := range c.known {
				for _, b := range c.known {
					if a.q.Dim() == grounding.Count && b.q.Dim() == grounding.Count && a.q.Value.Cmp(b.q.Value) > 0 {
						change := new(big.Rat).Sub(a.q.Value, b.q.Value)
						g.add(change.Quo(change, t.q.Value), func() string { return "(" + a.q.Text + " − " + b.q.Text + ") ÷ " + t.q.Text }, a, b, t)
					}
				}
			}
		}
	default:
	}
	return g, chanceCued
}

var paceCue = grounding.NewPattern(`(?i)(每|per |every )`)
