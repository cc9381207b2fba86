package gate

import (
	"claimscope/engine/grounding"
)

// eachEvent calls f for the numbers at one place of the lines of one form, over the cited
// outputs: what a repeated entry of a log counts.
func (c *carrier) eachEvent(f func(op operand, series []grounding.Number)) {
	if c.events == nil {
		c.events = c.eventSeries()
	}
	for _, s := range c.events {
		f(s.op, s.numbers)
	}
}

func (c *carrier) eventSeries() []namedSeries {
	out := []namedSeries{}
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
				out = append(out, namedSeries{operand{ev: g.ev, q: g.ev.facts.Quantity(series[0]), here: true}, series})
			}
		}
	}
	return out
}

// eachMoment calls f for the numbers of a cited column in the rows of the cited row's time:
// all partitions at one minute.
func (c *carrier) eachMoment(f func(op operand, series []grounding.Number)) {
	if c.moments == nil {
		c.moments = c.momentSeries()
	}
	for _, s := range c.moments {
		f(s.op, s.numbers)
	}
}

func (c *carrier) momentSeries() []namedSeries {
	out := []namedSeries{}
	c.pool()
	for _, op := range c.pooled[:min(8, len(c.pooled))] {
		if op.ev == nil || !op.here || op.row {
			continue
		}
		at, ok := op.ev.timeOfRow(op.q.Span.Start)
		if !ok {
			continue
		}
		for _, series := range op.ev.facts.Series(op.q.Span.Start) {
			if len(series) > maxBoundScan {
				continue
			}
			var same []grounding.Number
			for _, n := range series {
				if t, ok := op.ev.timeOfRow(n.Span.Start); ok && t.Wall.Equal(at.Wall) {
					same = append(same, n)
				}
			}
			if len(same) > 1 && len(same) < len(series) {
				out = append(out, namedSeries{op, same})
			}
		}
	}
	return out
}

// timeOfRow is the first time in the record at offset.
func (e *evidence) timeOfRow(offset int) (grounding.TimePoint, bool) {
	rec := e.facts.Shape().RecordAt(offset).Span
	if rec.End-rec.Start > maxGroupBytes {
		return grounding.TimePoint{}, false
	}
	ts := e.facts.TimesIn(rec)
	if len(ts) == 0 {
		return grounding.TimePoint{}, false
	}
	return ts[0], true
}

// extremes are the least, greatest, first and last numbers of the columns and fields that
// are cited: 约为峰值的 6%.
func (c *carrier) extremes() []operand {
	var out []operand
	c.eachNamed(func(op operand, series []grounding.Number) {
		for _, n := range endsOf(series) {
			out = append(out, operand{ev: op.ev, q: op.ev.facts.Quantity(n), field: op.field, here: true, row: true})
		}
	})
	return out
}

// endsOf are the least, the greatest, the first and the last number of a series that has
// any.
func endsOf(series []grounding.Number) [4]grounding.Number {
	lo, hi := series[0], series[0]
	for _, n := range series {
		if n.Float < lo.Float {
			lo = n
		}
		if n.Float > hi.Float {
			hi = n
		}
	}
	return [...]grounding.Number{lo, hi, series[0], series[len(series)-1]}
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
