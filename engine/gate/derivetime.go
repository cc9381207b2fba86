package gate

import (
	"math/big"
	"time"

	"claimscope/engine/grounding"
)

// citedTimes lists the times with a clock in the cited records, with the first of the cited
// outputs; at most 4·maxPool of them.
func (c *carrier) citedTimes() ([]grounding.TimePoint, *evidence) {
	var out []grounding.TimePoint
	var ev *evidence
	for _, g := range c.grounds {
		for _, s := range g.cited {
			if rec := g.ev.record(s); rec.End-rec.Start < 4096 {
				s = rec
			}
			for _, t := range g.ev.facts.TimesIn(s) {
				if len(out) < 4*maxPool && t.HasClock {
					out = append(out, t)
				}
			}
		}
		if ev == nil {
			ev = g.ev
		}
	}
	return out, ev
}

// between reads a duration as the difference of two times.
func (c *carrier) between(q grounding.Quantity) (derivation, bool) {
	ts, ev := c.citedTimes()
	n := len(ts)
	ts = append(ts, c.knownTimes...)
	for i := range ts[:n] {
		// An interval printed as a clock: 00:38:52.41.
		if t := ts[i]; !t.HasDate && !t.Zoned {
			d := t.Wall.Sub(t.Wall.Truncate(24 * time.Hour))
			if grounding.Matches(q, secondsQuantity(d, max(t.Precision, time.Microsecond)), true) {
				return derivation{ev: ev, operands: []grounding.Span{t.Span}}, true // the same value in another form
			}
		}
	}
	// The stretch that a short log covers.
	for _, g := range c.grounds {
		if all := g.ev.facts.Times(); len(g.ev.Output) < 1<<16 && len(all) >= 2 && len(ts) < 8*maxPool {
			ts = append(ts, all[0], all[len(all)-1])
			if len(all) <= maxPool {
				ts = append(ts, all...)
			}
		}
	}
	// The stretch of the rows of what the sentence names.
	c.eachNamed(func(op operand, series []grounding.Number) {
		if len(ts) >= 8*maxPool || len(series) > maxGroup {
			return
		}
		var rows []grounding.TimePoint
		for _, n := range series {
			if rec := op.ev.record(n.Span); rec.End-rec.Start < 4096 {
				if at := op.ev.facts.TimesIn(rec); len(at) > 0 {
					rows = append(rows, at[0])
				}
			}
		}
		if len(rows) < 2 {
			return
		}
		ts = append(ts, rows[0], rows[len(rows)-1])
		if step, ok := difference(rows[0], rows[1]); ok {
			end := rows[len(rows)-1] // the last sample stands for its own step too
			end.Wall = end.Wall.Add(step)
			ts = append(ts, end)
		}
	})
	if d, ok := buckets(q, ts[:n]); ok {
		d.ev = ev
		return d, true
	}
	for i := range ts {
		for j := i + 1; j < len(ts); j++ {
			d, ok := difference(ts[i], ts[j])
			if !ok || d <= 0 {
				continue
			}
			ulp := int64(max(min(ts[i].Precision, ts[j].Precision), time.Millisecond))
			e := secondsQuantity(d, time.Duration(ulp))
			found := grounding.Matches(q, e, true) || grounding.Matches(loosened(q, ts[i], ts[j]), e, false) || cutDown(q, e)
			if !found && ts[i].Zoned != ts[j].Zoned {
				// A log in local time beside one with a zone.
				found = grounding.Matches(loosened(q, ts[i], ts[j]), secondsQuantity((d-shanghai).Abs(), time.Duration(ulp)), true)
			}
			if found {
				var spans []grounding.Span
				if i < n {
					spans = append(spans, ts[i].Span)
				}
				if j < n {
					spans = append(spans, ts[j].Span)
				}
				return derivation{ev: ev, how: ts[j].Text + " − " + ts[i].Text, operands: spans}, true
			}
		}
	}
	return derivation{}, false
}

// shifted reads a time as another one moved by a duration that the sentence states: the
// end of a call that began then and took so long.
func (c *carrier) shifted(at grounding.TimePoint) (derivation, bool) {
	if at.Precision > time.Second {
		return derivation{}, false
	}
	ts, ev := c.citedTimes()
	for _, k := range c.known {
		if k.q.Dim() != grounding.Time {
			continue
		}
		s, _ := k.q.Base(k.q.Units[0]).Float64()
		d := time.Duration(s * float64(time.Second))
		if d <= 0 || d > 24*time.Hour {
			continue
		}
		for _, t := range ts {
			for _, by := range []struct {
				op string
				d  time.Duration
			}{{"+", d}, {"−", -d}} {
				moved := t
				moved.Wall = t.Wall.Add(by.d)
				if grounding.SameTime(at, moved) {
					return derivation{ev: ev, how: t.Text + " " + by.op + " " + k.q.Text, operands: []grounding.Span{t.Span}}, true
				}
			}
		}
	}
	return derivation{}, false
}

// buckets reads a duration as that of evenly spaced samples, the last one included: six
// values a minute apart cover six minutes.
func buckets(q grounding.Quantity, ts []grounding.TimePoint) (derivation, bool) {
	if len(ts) < 3 {
		return derivation{}, false
	}
	step, ok := difference(ts[0], ts[1])
	if !ok || step <= 0 {
		return derivation{}, false
	}
	for i := 2; i < len(ts); i++ {
		if d, ok := difference(ts[i-1], ts[i]); !ok || d != step {
			return derivation{}, false
		}
	}
	e := secondsQuantity(step*time.Duration(len(ts)), time.Second)
	if !grounding.Matches(q, e, false) {
		return derivation{}, false
	}
	last := ts[len(ts)-1]
	return derivation{how: ts[0].Text + " … " + last.Text, operands: []grounding.Span{ts[0].Span, last.Span}}, true
}

// shanghai is the zone that a wall time without one is most often in, besides UTC.
const shanghai = 8 * time.Hour

// cutDown reports a duration with its smaller units left off: 12 分钟 of 12 min 24 s.
func cutDown(q, e grounding.Quantity) bool {
	u := q.Units[0]
	over := new(big.Rat).Sub(e.Value, q.Base(u))
	return q.Digits() >= 2 && over.Sign() > 0 && over.Cmp(q.BaseUlp(u)) < 0
}

// loosened lets a whole-second duration differ by the fractions that its two times drop.
func loosened(q grounding.Quantity, a, b grounding.TimePoint) grounding.Quantity {
	if q.Cmp == grounding.Exactly && (a.Precision < time.Second || b.Precision < time.Second) {
		q.Cmp = grounding.About
	}
	return q
}

func difference(a, b grounding.TimePoint) (time.Duration, bool) {
	if !a.HasClock || !b.HasClock {
		return 0, false
	}
	x, y := a.Wall, b.Wall
	if a.Zoned && b.Zoned {
		x, y = x.Add(-a.Zone), y.Add(-b.Zone)
	}
	if a.HasDate && b.HasDate && a.HasYear != b.HasYear {
		// One of them leaves the year out: it is the other's.
		if a.HasYear {
			y = y.AddDate(x.Year()-y.Year(), 0, 0)
		} else {
			x = x.AddDate(y.Year()-x.Year(), 0, 0)
		}
	} else if a.HasDate != b.HasDate {
		const day = 24 * time.Hour
		d := (y.Sub(y.Truncate(day)) - x.Sub(x.Truncate(day)) + day) % day
		return d, true
	}
	return y.Sub(x).Abs(), true
}

func secondsQuantity(d, ulp time.Duration) grounding.Quantity {
	return grounding.Quantity{
		Value: big.NewRat(int64(d), int64(time.Second)), Ulp: big.NewRat(int64(ulp), int64(time.Second)), Units: secondUnits, Text: d.String(),
	}
}

var secondUnits = grounding.Quantities("1s")[0].Units
