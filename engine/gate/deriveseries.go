package gate

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strings"

	"claimscope/engine/grounding"
)

// aggregate reads a number as minimum, maximum, sum, average or size of a series that
// a cited number belongs to.
func (c *carrier) aggregate(q grounding.Quantity) (derivation, bool) {
	seen := map[int]bool{}
	for _, op := range c.pool() {
		if op.ev == nil || !op.here || len(seen) > 12 {
			continue
		}
		for _, series := range append(op.ev.facts.Series(op.q.Span.Start), c.citedSeries(op)) {
			if len(series) < 2 || seen[series[0].Span.Start<<20+len(series)] {
				continue
			}
			seen[series[0].Span.Start<<20+len(series)] = true
			if d, ok := c.ofSeries(q, op, series); ok {
				return d, true
			}
			if d, ok := c.ofGroup(q, op, series); ok {
				return d, true
			}
			if others := c.others(op.ev, series); len(others) >= 2 && len(others) < len(series) {
				if d, ok := c.ofSeries(q, op, others); ok {
					return d, true
				}
			}
			if named := c.ofNamed(op.ev, series); len(named) >= 2 && len(named) < len(series) {
				if d, ok := c.ofSeries(q, op, named); ok {
					return d, true
				}
			}
		}
	}
	return derivation{}, false
}

// others are the numbers of a series without the cited ones, where the sentence speaks of
// the rest: 其余三台均值.
func (c *carrier) others(e *evidence, series []grounding.Number) []grounding.Number {
	if !theRest.MatchString(c.sentence) || len(series) > maxGroup {
		return nil
	}
	var out []grounding.Number
	for _, n := range series {
		cited := false
		for _, g := range c.grounds {
			cited = cited || g.ev == e && within(n.Span, g.exact)
		}
		if !cited {
			out = append(out, n)
		}
	}
	// Those of the same make: of Tomcat02, the other Tomcats.
	for _, name := range c.names() {
		stem := strings.TrimRight(name, "0123456789")
		if stem == name || len(stem) < 3 {
			continue
		}
		kin := slices.DeleteFunc(slices.Clone(out), func(n grounding.Number) bool {
			rec := e.facts.Shape().RecordAt(n.Span.Start).Span
			return rec.End-rec.Start > maxGroupBytes || !bytes.Contains(e.facts.Lower()[rec.Start:rec.End], []byte(stem))
		})
		if len(kin) >= 2 {
			return kin
		}
	}
	return out
}

var theRest = grounding.NewPattern(`(?i)(其余|其他|其它|另外|剩下|the (others?|rest))`)

// citedSeries lists the numbers of op's field inside the excerpts.
func (c *carrier) citedSeries(op operand) []grounding.Number {
	var out []grounding.Number
	for _, o := range c.pooled {
		same := o.field != "" || o.q.HasUnit() && o.q.Units[0].Name == op.q.Units[0].Name
		if o.ev == op.ev && o.here && !o.row && same && o.field == op.field {
			out = append(out, grounding.Number{Span: o.q.Span})
		}
	}
	if len(out) < 3 {
		return nil
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Span.Start < out[j].Span.Start })
	return out
}

// ofGroup sums the numbers of a series in the lines of one thing that the sentence
// names: the queues of one broker, the images of one repository.
func (c *carrier) ofGroup(q grounding.Quantity, op operand, series []grounding.Number) (derivation, bool) {
	if q.Digits() < 2 || len(series) > maxGroup || !c.said().sum {
		return derivation{}, false
	}
	for _, id := range grounding.Identifiers(c.sentence) {
		name := strings.ToLower(grounding.Narrow(id.Text))
		sum := new(big.Rat)
		var spans []grounding.Span
		for _, n := range series {
			rec := op.ev.facts.Shape().RecordAt(n.Span.Start).Span
			if rec.End-rec.Start < maxGroupBytes && (holdsName(op.ev.facts.Lower()[rec.Start:rec.End], name) || beginsName(op.ev.facts.Lower()[rec.Start:rec.End], name)) {
				sum.Add(sum, op.ev.facts.Quantity(n).Value)
				spans = append(spans, n.Span)
			}
		}
		if len(spans) < 2 {
			continue
		}
		e := grounding.Quantity{Value: sum, Ulp: tiny, Units: op.ev.facts.Quantity(series[0]).Units}
		if grounding.Matches(q, e, false) {
			return derivation{ev: op.ev, how: fmt.Sprintf("sum of %d values of %s", len(spans), id.Text), operands: clip(spans, 16)}, true
		}
	}
	return derivation{}, false
}

// holdsName reports a name in a text, a path also behind others: bi/render in
// reg.local/bi/render.
func holdsName(text []byte, name string) bool {
	return len(grounding.FindIdent(text, name, 1)) > 0 || strings.Contains(name, "/") && endOf(text, name) > 0
}

// beginsName reports a name that goes on behind a hyphen: risk-batch in risk-batch-3.
func beginsName(text []byte, name string) bool {
	i := bytes.Index(text, []byte(name+"-"))
	return i >= 0 && (i == 0 || !isNameByte(text[i-1]))
}

// endOf is where a name that ends a word first ends, 0 for nowhere.
func endOf(text []byte, name string) int {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(name))
		if i < 0 {
			return 0
		}
		from += i + len(name)
		if from == len(text) || !isNameByte(text[from]) {
			return from
		}
	}
}

const (
	maxGroup      = 2000 // numbers of a series that groups are looked for in
	maxGroupBytes = 4096
)

func (c *carrier) ofSeries(q grounding.Quantity, op operand, series []grounding.Number) (derivation, bool) {
	facts, size := op.ev.facts, big.NewRat(int64(len(series)), 1)
	span := []grounding.Span{{Start: series[0].Span.Start, End: series[len(series)-1].Span.End}}
	for _, x := range []struct {
		how  string
		said bool
		of   *big.Rat
	}{{"sum", c.said().sum, one}, {"average", c.said().average, size}} {
		if !x.said || q.Digits() < 2 {
			continue
		}
		e := facts.Quantity(series[0])
		e.Value, e.Ulp, e.Cited = new(big.Rat).Quo(facts.Sum(series), x.of), tiny, true
		if grounding.Matches(q, e, false) {
			return derivation{ev: op.ev, how: fmt.Sprintf("%s of %d values", x.how, len(series)), operands: span}, true
		}
	}
	if q.Dim() == grounding.Count && q.Value.IsInt() && !q.HasUnit() {
		if q.Units[0].Name != "" && samples.MatchString(c.sentence) && q.Value.Cmp(size) == 0 {
			return derivation{ev: op.ev, how: fmt.Sprintf("%d values", len(series)), operands: span}, true
		}
		// How many of the series lie beyond a bound that the sentence states.
		for _, k := range c.known {
			if q.Units[0].Name == "" || !beyond.MatchString(c.sentence) {
				break
			}
			above := facts.CountAbove(series, k.q.Value)
			if q.Value.Cmp(big.NewRat(int64(above), 1)) == 0 && above > 0 && above < len(series) {
				return derivation{ev: op.ev, how: fmt.Sprintf("%d of %d values above %s", above, len(series), k.q.Value.RatString()), operands: span}, true
			}
		}
	}
	if q.Dim() == grounding.Ratio && len(c.known) > 0 && c.said().sum && facts.Sum(series).Sign() > 0 {
		sum := facts.Sum(series)
		share := grounding.Quantity{Ulp: tiny, Units: shareUnits}
		for _, k := range c.known {
			share.Value = new(big.Rat).Quo(k.q.Value, sum)
			if k.q.Dim() == grounding.Count && (inSeries(k, series) || !k.here) && grounding.Matches(q, share, false) {
				return derivation{ev: op.ev, how: fmt.Sprintf("%s of the sum of %d values", k.q.Text, len(series)), operands: span}, true
			}
		}
	}
	return derivation{}, false
}

// inSeries reports an operand that is one of a series.
func inSeries(o operand, series []grounding.Number) bool {
	for _, n := range series {
		if o.here && n.Span.Start == o.q.Span.Start {
			return true
		}
	}
	return false
}
