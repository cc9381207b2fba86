package gate

import (
	"fmt"
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
	if said.sum && q.Digits() >= 2 {
		c.eachEvent(func(op operand, series []grounding.Number) {
			n := len(series)
			u, ok := readAs(op.q, q)
			if !ok {
				return
			}
			g.add(new(big.Rat).Mul(op.ev.facts.Sum(series), u.Factor), func() string { return fmt.Sprintf("sum of %d lines", n) }, op)
		})
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
		g.add(new(big.Rat).Quo(x, new(big.Rat).Add(x, y)), func() string { return a.q.Text + " share with " + b.q.Text }, a, b)
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
	most := chanceUncued
	if len(e.Output) <= maxShort {
		most = chanceCued // a few settings
	}
	if g.chance() > most {
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
				if sum := op.ev.facts.Sum(part); len(part) > 1 && len(part) <= maxGroup && sum.Sign() > 0 {
					g.add(new(big.Rat).Quo(op.ev.facts.Quantity(grounding.Number{Span: op.q.Span}).Value, sum), func() string { return fmt.Sprintf("%s ÷ sum of %d values", op.q.Text, len(part)) }, op)
				}
			}
		}
	}
	c.eachSum(ops, func(sum *big.Rat, part []operand) {
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

// eachEvent calls f for the numbers at one place of the lines of one form, over the cited
// outputs: what a repeated entry of a log counts.
func (c *carrier) eachEvent(f func(op operand, series []grounding.Number)) {
	for _, g := range c.grounds {
		ns := g.ev.facts.Numbers()
		if len(ns) > maxBoundScan {
			continue
		}
		seen := map[int]bool{}
		for _, n := range ns {
			for _, series := range g.ev.facts.Series(n.Span.Start) {
				if len(series) < 3 || seen[series[0].Span.Start] {
					continue
				}
				seen[series[0].Span.Start] = true
				f(operand{ev: g.ev, q: g.ev.facts.Quantity(series[0]), here: true}, series)
			}
		}
	}
}

// extremes are the least, greatest, first and last numbers of the columns and fields that
// are cited: 约为峰值的 6%.
func (c *carrier) extremes() []operand {
	var out []operand
	c.eachNamed(func(op operand, series []grounding.Number) {
		lo, hi := series[0], series[0]
		for _, n := range series {
			if n.Float < lo.Float {
				lo = n
			}
			if n.Float > hi.Float {
				hi = n
			}
		}
		for _, n := range []grounding.Number{lo, hi, series[0], series[len(series)-1]} {
			out = append(out, operand{ev: op.ev, q: op.ev.facts.Quantity(n), field: op.field, here: true, row: true})
		}
	})
	return out
}

// eachNamed calls f for the columns and fields of cited numbers, as far as they are of what
// the sentence names.
func (c *carrier) eachNamed(f func(op operand, series []grounding.Number)) {
	if c.named == nil {
		c.named = c.namedSeries()
	}
	for _, s := range c.named {
		f(s.op, s.numbers)
	}
}

// namedSeries is a column or field of a cited number.
type namedSeries struct {
	op      operand
	numbers []grounding.Number
}

func (c *carrier) namedSeries() []namedSeries {
	out := []namedSeries{}
	seen := map[int]bool{}
	c.pool()
	for _, op := range c.pooled {
		if op.ev == nil || !op.here || op.row || len(seen) > 8 {
			continue
		}
		for _, series := range op.ev.facts.Series(op.q.Span.Start) {
			series = c.ofNamed(op.ev, series)
			if len(series) < 3 || seen[series[0].Span.Start] {
				continue
			}
			seen[series[0].Span.Start] = true
			out = append(out, namedSeries{op, series})
		}
	}
	return out
}

// ofNamed keeps the numbers in records of what the sentence names, if there are any.
func (c *carrier) ofNamed(e *evidence, series []grounding.Number) []grounding.Number {
	names := c.names()
	if len(series) > maxGroup || len(names) == 0 {
		return series
	}
	for _, name := range names {
		var out []grounding.Number
		for _, n := range series {
			if rec := e.facts.Shape().RecordAt(n.Span.Start).Span; rec.End-rec.Start < maxGroupBytes && c.recordNames(e, rec, name) {
				out = append(out, n)
			}
		}
		if len(out) > 0 && len(out) < len(series) {
			series = out
		}
	}
	return series
}

// names are the names that the sentence speaks of, in lower case.
func (c *carrier) names() []string {
	if c.topics == nil {
		names, _ := topicsOf(c.sentence)
		c.topics = append(append([]string{}, names...), plainNames(c.sentence)...)
	}
	return c.topics
}

// recordName is a name that a record may hold.
type recordName struct {
	ev   *evidence
	rec  grounding.Span
	name string
}

// recordNames reports that a record holds a name of the sentence. All columns of a table
// ask it of the same rows.
func (c *carrier) recordNames(e *evidence, rec grounding.Span, name string) bool {
	key := recordName{e, rec, name}
	holds, known := c.holds[key]
	if !known {
		holds = len(grounding.FindIdent(e.facts.Lower()[rec.Start:rec.End], name, 1)) > 0
		if c.holds == nil {
			c.holds = map[recordName]bool{}
		}
		c.holds[key] = holds
	}
	return holds
}
