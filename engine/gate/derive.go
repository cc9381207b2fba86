package gate

import (
	"fmt"
	"math/big"
	"sort"
	"strings"

	"claimscope/engine/grounding"
)

// A sum, an average or a difference of counts is looked for only where the sentence
// speaks of one: from enough numbers some pair gives any result.
var (
	sumCue        = grounding.NewPattern(`(?i)(合计|总共|一共|共|总计|总和|总|加起来|累计|之和|合并|\b(sum|total|together|combined|plus|altogether)\b|\+)`)
	averageCue    = grounding.NewPattern(`(?i)(平均|均值|均为|各用了|\b(average|avg|mean)\b)`)
	differenceCue = grounding.NewPattern(`(?i)(差|多了|多出|少了|低了|高了|[多少]\s*\d|增|减|降|升|涨|跌|高出|低于|高于|超出|新增|期间|缩|扩|剩|余量|余下|落后|滞后|释放|回收|隔|其余|另|丢|缺|\b(difference|more|less|fewer|increase[ds]?|decrease[ds]?|grew|rose|fell|dropped|gap|between|behind|remaining|rest|lag|lags|freed|reclaimed|left|headroom)\b)`)
)

var everySecond = grounding.NewPattern(`(?i)(每秒|/s\b|/秒|per second)`)

// cues are the operations that a sentence speaks of.
type cues struct{ sum, average, difference, everySecond bool }

// said tells the operations that the sentence speaks of.
func (c *carrier) said() *cues {
	if c.cues == nil {
		c.cues = &cues{
			sum:         sumCue.MatchString(c.sentence),
			average:     averageCue.MatchString(c.sentence),
			difference:  differenceCue.MatchString(c.sentence),
			everySecond: everySecond.MatchString(c.sentence),
		}
	}
	return c.cues
}

var (
	samples = grounding.NewPattern(`(?i)(采样|样本|数据点|个点|samples?|points)`)
	beyond  = grounding.NewPattern(`(?i)(超过|高于|大于|超|以上|above|over|more than|exceed)`)
)

// derivation is how a number follows from what is cited, one operation deep.
type derivation struct {
	ev       *evidence
	how      string
	operands []grounding.Span
}

// operand is a number of the evidence that a derivation may use.
type operand struct {
	ev       *evidence
	q        grounding.Quantity
	said     grounding.Quantity // as the sentence states it
	field    string
	readings []reading // q in each of its units, once pairs are formed
	known    bool      // stated in the sentence too
	here     bool      // q.Span lies in the output of ev; otherwise in the sentence
	written  string    // the name of the unit that stands with it
	row      bool      // of another record than the cited ones, which the sentence names
}

// note keeps a fact of the sentence that was found, as an operand for others.
func (c *carrier) note(f fact, m FactMark) {
	var ev *evidence
	for _, g := range c.grounds {
		if g.ev.Ref == m.TraceRef {
			ev = g.ev
		}
	}
	switch f.kind {
	case numberFact:
		op := operand{ev: ev, q: f.num, said: f.num, known: true}
		if m.Derived == "" && ev != nil && len(m.Spans) > 0 {
			// The evidence's own value is exact where the claim rounds.
			for _, q := range ev.facts.FindIn(f.num, m.Spans[0], true, 1) {
				op.q, op.here = q, true
				if (q.Soft || !q.HasUnit()) && f.num.HasUnit() {
					op.q = f.num // a bare 85899 measures what the sentence says it does
					op.q.Span = q.Span
				} else if q.Soft && !f.num.HasUnit() {
					op.q.Units, op.q.Soft = f.num.Units, false
				}
				op.field = ev.facts.Shape().FieldAt(q.Span.Start)
			}
		}
		c.known = append(c.known, op)
	case timeFact:
		c.knownTimes = append(c.knownTimes, f.at)
	case identFact:
	}
}

// numbersIn counts the numbers of spans, as far as it matters.
func (e *evidence) numbersIn(spans []grounding.Span) int {
	n := 0
	for _, s := range spans {
		if n += len(e.facts.NumbersIn(s)); n > maxPool {
			break
		}
	}
	return n
}

// maxPool bounds the numbers that pairs are formed of: more than that and any value
// would follow from some pair.
const maxPool = 24

// pool lists operands: numbers of the sentence already found, and numbers inside the
// excerpts.
func (c *carrier) pool() []operand {
	if c.pooled != nil {
		return append(append([]operand{}, c.known...), c.pooled...)
	}
	c.pooled = make([]operand, 0, maxPool)
	for _, g := range c.grounds {
		spans := g.exact
		if len(spans) == 0 || len(spans) == 1 && g.ev.numbersIn(spans) < 2 {
			spans = g.cited // an excerpt of one number stands for its line
		}
		for _, s := range spans {
			ns := g.ev.facts.NumbersIn(s)
			if len(ns) == 0 {
				ns = g.ev.facts.NumbersIn(g.ev.lines(s)) // a name alone stands for its line
			}
			for _, n := range ns {
				if len(c.pooled) >= maxPool {
					break
				}
				q := g.ev.facts.Quantity(n)
				// Prometheus quotes its values and not their times.
				if quoted := n.Span.Start > 0 && g.ev.text.Raw()[n.Span.Start-1] == '"'; !quoted && isEpoch(q) {
					continue
				}
				c.pooled = append(c.pooled, operand{ev: g.ev, q: q, field: g.ev.fieldAt(n.Span.Start), here: true})
			}
		}
	}
	c.pooled = append(c.pooled, c.partners()...)
	return append(append([]operand{}, c.known...), c.pooled...)
}

// fieldAt names the field of a number; a number names none.
func (e *evidence) fieldAt(offset int) string {
	if field := e.facts.Shape().FieldAt(offset); !allDigits(field) {
		return field
	}
	return ""
}

// partners are numbers of the columns or fields that the excerpts cite, in the records
// of the other things that the sentence names: 约为 16 号子任务的 40 倍.
func (c *carrier) partners() []operand {
	var out []operand
	facts := factsOf(c.sentence)
	sort.SliceStable(facts, func(i, j int) bool { return facts[i].num.Key && !facts[j].num.Key })
	for _, w := range plainNames(c.sentence) {
		facts = append(facts, fact{kind: identFact, text: w, name: w})
	}
	for _, g := range c.grounds {
		shape := g.ev.facts.Shape()
		for _, f := range facts {
			if f.kind == numberFact && !f.num.Key {
				continue
			}
			o := entity{f: f, label: f.text}
			if f.kind == numberFact {
				if name := listedName(c.sentence[:f.span.Start], strings.TrimRight(f.name, " 号")); name != "" && len(g.ev.facts.Ident(name, 1)) > 0 {
					o.f = fact{kind: identFact, text: name, name: name} // gw-03 of gw-01、02、03
				}
			}
			for _, op := range c.pooled {
				if op.ev != g.ev || len(out) >= maxPool {
					continue
				}
				_, slot, ok := shape.SlotOf(op.q.Span)
				if !ok {
					continue
				}
				for _, at := range o.places(g.ev, 4) {
					v, ok := shape.InSlot(at.Start, slot)
					if !ok || v == op.q.Span {
						continue
					}
					if n, ok := g.ev.facts.FirstNumber(v); ok {
						out = append(out, operand{ev: g.ev, q: g.ev.facts.Quantity(n), field: op.field, here: true, row: true})
					}
				}
			}
		}
	}
	return out
}

func isEpoch(q grounding.Quantity) bool {
	t := grounding.TimePoints(q.Text)
	return len(t) == 1 && t[0].Epoch
}

// derive tries, in order: the same value in another unit, counts, differences of times,
// aggregates of a series, pairs, bounds, and last what no rule expects but is no chance.
func (c *carrier) derive(q grounding.Quantity, at grounding.Span) (derivation, bool) {
	if q.Key {
		return derivation{}, false
	}
	if q.Fraction {
		return c.fraction(q)
	}
	// 11872 ms，接近 12 秒: the same value in another unit.
	for _, k := range c.known {
		if k.ev != nil && k.said.HasUnit() && q.HasUnit() && k.said.Text != q.Text && grounding.Matches(q, k.said, true) {
			return derivation{ev: k.ev, how: "= " + k.said.Text, operands: operandSpans(k)}, true
		}
	}
	if q.Dim() == grounding.Count {
		if d, ok := c.count(q, at); ok {
			return d, true
		}
	}
	if q.Dim() == grounding.Time {
		if d, ok := c.between(q); ok {
			return d, true
		}
	}
	if d, ok := c.aggregate(q); ok {
		return d, true
	}
	if d, ok := c.pairs(q); ok {
		return d, true
	}
	if d, ok := c.bound(q); ok {
		return d, true
	}
	return c.wide(q)
}

// fraction reads n/d from two counts or two numbers that are there.
func (c *carrier) fraction(q grounding.Quantity) (derivation, bool) {
	num := grounding.Quantity{Value: q.Value, Ulp: big.NewRat(1, 1), Units: counterUnits, Text: q.Value.RatString(), Span: q.Span}
	den := num
	den.Value, den.Text = q.Of, q.Of.RatString()
	carried := func(x grounding.Quantity) (derivation, bool) {
		for _, k := range c.known {
			if k.q.Value.Cmp(x.Value) == 0 {
				return derivation{ev: k.ev, operands: []grounding.Span{}}, true
			}
		}
		for i, a := range c.known {
			for _, b := range c.known[i+1:] {
				if new(big.Rat).Add(a.q.Value, b.q.Value).Cmp(x.Value) == 0 {
					return derivation{ev: a.ev, operands: []grounding.Span{}}, true
				}
			}
		}
		for _, g := range c.grounds {
			for _, s := range g.cited {
				if f := g.ev.facts.FindIn(x, s, false, 1); len(f) > 0 {
					return derivation{ev: g.ev, operands: spansOf(f)}, true
				}
			}
		}
		return c.count(x, q.Span)
	}
	if d, ok := c.together(num, den); ok {
		return d, true
	}
	a, okA := carried(num)
	b, okB := carried(den)
	if !okA || !okB {
		return derivation{}, false
	}
	a.how = fmt.Sprintf("%s of %s", num.Text, den.Text)
	a.operands = append(a.operands, b.operands...)
	if a.ev == nil {
		a.ev = b.ev
	}
	return a, a.ev != nil
}

// together finds the two numbers of a fraction side by side in one record: pods  11  40.
func (c *carrier) together(num, den grounding.Quantity) (derivation, bool) {
	for _, g := range c.grounds {
		for _, a := range g.ev.facts.Find(den, false, 16) {
			rec := g.ev.facts.Shape().RecordAt(a.Span.Start).Span
			if rec.End-rec.Start > maxRowBytes {
				continue
			}
			for _, b := range g.ev.facts.FindIn(num, rec, false, 4) {
				if b.Span != a.Span {
					return derivation{ev: g.ev, how: num.Text + " of " + den.Text, operands: []grounding.Span{b.Span, a.Span}}, true
				}
			}
		}
	}
	return derivation{}, false
}

var counterUnits = grounding.Quantities("1 个")[0].Units
