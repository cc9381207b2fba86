package gate

import (
	"bytes"
	"strings"

	"claimscope/engine/grounding"
)

// carrier looks up the facts of one sentence in the traces that it cites.
type carrier struct {
	grounds  []ground
	sentence string
	session  *session // nil when an excerpt is looked up, not a claim

	known      []operand // numbers of the sentence that were found
	knownTimes []grounding.TimePoint
	counted    []operand // counts of the sentence that code cannot check
	pooled     []operand
	cues       *cues                  // nil until they are asked for
	topics     []string               // see names
	named      []namedSeries          // see eachNamed; nil until they are asked for
	events     []namedSeries          // see eachEvent; likewise
	moments    []namedSeries          // see eachMoment; likewise
	holds      map[recordName]bool    // see recordNames
	siblings   map[grounding.Span]int // places in the columns and fields of cited numbers, how many each has
}

func newCarrier(g []ground, sentence string, s *session) *carrier {
	return &carrier{grounds: g, sentence: sentence, session: s}
}

// directSpans lists places where a fact stands as such: within the given spans, or
// anywhere when within is nil. cited are excerpts, in which a bare number may take the
// unit that the fact gives it.
func directSpans(f fact, e *evidence, within, cited []grounding.Span, limit int) []grounding.Span {
	var out []grounding.Span
	switch f.kind {
	case numberFact:
		if f.num.Fraction {
			return inSpans(e.facts.Ident(f.name, 0), within, limit)
		}
		if within == nil {
			return spansOf(e.facts.Find(f.num, true, limit))
		}
		for _, s := range within {
			out = append(out, spansOf(e.facts.FindIn(f.num, s, true, limit))...)
		}
		if len(out) == 0 {
			for _, s := range cited {
				out = append(out, spansOf(e.facts.FindCited(f.num, s, limit))...)
			}
		}
	case timeFact:
		if within == nil {
			out = append(timeSpans(f.at, e.facts.Times(), limit), cronSpans(f.at, e)...)
		}
		for _, s := range within {
			out = append(out, timeSpans(f.at, e.facts.TimesIn(s), limit)...)
		}
	case identFact:
		out = inSpans(findName(e.facts, f.name, 0), within, limit)
	}
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out
}

func spansOf(qs []grounding.Quantity) []grounding.Span {
	out := make([]grounding.Span, 0, len(qs))
	for _, q := range qs {
		out = append(out, q.Span)
	}
	return out
}

func timeSpans(t grounding.TimePoint, among []grounding.TimePoint, limit int) []grounding.Span {
	var out []grounding.Span
	for _, x := range among {
		if grounding.SameTime(t, x) {
			out = append(out, x.Span)
			if limit > 0 && len(out) >= limit {
				break
			}
		}
	}
	return out
}

// inSpans keeps the spans that lie in one of within; all when within is nil.
func inSpans(spans, within []grounding.Span, limit int) []grounding.Span {
	var out []grounding.Span
	for _, s := range spans {
		ok := within == nil
		for _, w := range within {
			if s.Start >= w.Start && s.End <= w.End {
				ok = true
				break
			}
		}
		if ok {
			out = append(out, s)
			if limit > 0 && len(out) >= limit {
				break
			}
		}
	}
	return out
}

// carry looks for a fact in the cited traces: in the cited lines first, then in the
// whole output, then derived from what is cited. The mark holds the bytes.
func (c *carrier) carry(f fact) (FactMark, bool) {
	mark := FactMark{Text: f.text, Kind: f.kind.String(), Start: f.span.Start, End: f.span.End, Spans: []grounding.Span{}}
	for _, g := range c.grounds {
		if len(g.cited) == 0 {
			continue
		}
		if s := c.rightStatistic(f, g.ev, directSpans(f, g.ev, g.exact, g.exact, 4)); len(s) > 0 {
			return mark.at(g.ev, s, ""), true
		}
	}
	for _, g := range c.grounds {
		if s := c.rightStatistic(f, g.ev, directSpans(f, g.ev, g.cited, nil, 16)); len(s) > 0 {
			if s = c.ownTime(f, g, c.fitting(f, g, s)); len(s) > 0 {
				return mark.at(g.ev, clip(s, 4), ""), true
			}
		}
	}
	for _, g := range c.grounds {
		if s := c.elsewhere(f, g); len(s) > 0 {
			return mark.at(g.ev, s, ""), true
		}
	}
	switch f.kind {
	case numberFact:
		if d, ok := c.derive(f.num, f.span); ok {
			return mark.at(d.ev, d.operands, d.how), true
		}
	case timeFact:
		if d, ok := c.shifted(f.at); ok {
			return mark.at(d.ev, d.operands, d.how), true
		}
	case identFact:
	}
	for _, g := range c.grounds {
		if c.inArguments(f, g.ev) {
			return mark.at(g.ev, nil, "arguments of "+g.ev.Ref), true
		}
	}
	if f.kind == numberFact {
		for _, g := range c.grounds {
			if s, ok := c.asName(f, g.ev); ok {
				return mark.at(g.ev, s, ""), true
			}
		}
		for _, g := range c.grounds {
			if s := c.rightStatistic(f, g.ev, outstanding(f.num, g.ev)); len(s) > 0 {
				return mark.at(g.ev, s, ""), true
			}
		}
	}
	if f.kind != identFact && len(c.grounds) > 0 && c.inQuestion(f) {
		return mark.at(c.grounds[0].ev, nil, "the question"), true
	}
	return mark, false
}

func (m FactMark) at(e *evidence, spans []grounding.Span, how string) FactMark {
	m.Found, m.TraceRef, m.Derived = true, e.Ref, how
	if spans != nil {
		m.Spans = spans
	}
	return m
}

// elsewhere finds a fact outside the cited lines. A name or a time may stand anywhere
// in the output. A number must be telling (three digits or more), or stand in a record
// that the sentence is about: in 15 KB of digits every small number occurs somewhere.
func (c *carrier) elsewhere(f fact, g ground) []grounding.Span {
	spans := c.rightStatistic(f, g.ev, directSpans(f, g.ev, nil, nil, 256))
	if f.kind != numberFact {
		return clip(c.ownTime(f, g, spans), 4)
	}
	if out := c.fitting(f, g, spans); len(out) > 0 {
		return clip(out, 4)
	}
	if out := noChance(f.num, g.ev, spans); len(out) > 0 {
		return clip(out, 4)
	}
	return clip(spanName(f.num, g.ev.facts), 4)
}

// fitting keeps the places that a number may stand for: all of a telling one, of a small
// one those in a field or record that its clause speaks of.
func (c *carrier) fitting(f fact, g ground, spans []grounding.Span) []grounding.Span {
	if f.kind != numberFact || f.num.Fraction || telling(f.num) {
		return spans
	}
	var out []grounding.Span
	for _, s := range spans {
		n := c.sibling(g, s)
		beside := n > 0 && (n <= fewSiblings && (f.num.Cmp == grounding.Exactly || f.num.HasUnit() && anotherThing.MatchString(c.sentence[:f.span.Start])) || c.namesRow(f, g, s) || c.endsRange(f))
		if f.num.Key && wholeCell(g.ev, s) || beside || c.beside(f, g, s) || within(s, g.cited) && f.num.HasUnit() || c.about(f, g, s) {
			out = append(out, s)
		}
	}
	return out
}

// sibling reports a place in the column or field of a cited number: another row of what
// the sentence cites. It gives the length of the column, 0 for another place. Whose row it
// is, is for the entity check.
func (c *carrier) sibling(g ground, s grounding.Span) int {
	if c.siblings == nil {
		c.siblings = map[grounding.Span]int{}
		for _, x := range c.grounds {
			n := 0
			for _, e := range x.exact {
				for _, num := range x.ev.facts.NumbersIn(e) {
					if n++; n > maxPool {
						break
					}
					for _, series := range x.ev.facts.Series(num.Span.Start) {
						for _, y := range series {
							c.siblings[y.Span] = len(series)
						}
					}
				}
			}
		}
	}
	if n := c.siblings[s]; n > 0 {
		return n
	}
	// A place may include its unit: compare the number alone.
	if n, ok := g.ev.facts.FirstNumber(s); ok {
		return c.siblings[n.Span]
	}
	return 0
}

// beside reports a number with its unit on a line next to a cited one, when the sentence
// points to another thing: 上一跳的 1.2 ms.
func (c *carrier) beside(f fact, g ground, s grounding.Span) bool {
	if !f.num.HasUnit() || !anotherThing.MatchString(c.sentence[max(0, f.span.Start-40):f.span.Start]) {
		return false
	}
	n := g.ev.lineNo(s)
	for _, x := range g.cited {
		if d := g.ev.lineNo(x) - n; d >= -3 && d <= 3 {
			return true
		}
	}
	return false
}

// endsRange reports an end of a range (2～3 ms): the values of a column lie between its ends.
func (c *carrier) endsRange(f fact) bool {
	before, after := c.sentence[:f.span.Start], c.sentence[f.span.End:]
	return rangeBefore.MatchString(before) || rangeAfter.MatchString(after)
}

var (
	rangeBefore = grounding.NewPattern(`\d\s*[%\pL]{0,4}\s*([~～–—-]|到|至)\s*$`)
	rangeAfter  = grounding.NewPattern(`^\s*([~～–—-]|到|至)\s*\d`)
)

// fewSiblings is the length of a column in which a further number stands by no chance.
const fewSiblings = 16

// namesRow reports that the sentence names the record of a place, by a name, key or time
// that the cited records lack, or points to it: 前一天（41 个）.
func (c *carrier) namesRow(f fact, g ground, s grounding.Span) bool {
	if anotherThing.MatchString(c.sentence[max(0, f.span.Start-40):f.span.Start]) {
		return true
	}
	rec := g.ev.record(s)
	for _, o := range factsOf(c.sentence) {
		if o.span == f.span || o.kind == numberFact && !o.num.Key {
			continue
		}
		if len(directSpans(o, g.ev, []grounding.Span{rec}, nil, 1)) > 0 && len(directSpans(o, g.ev, g.cited, nil, 1)) == 0 {
			return true
		}
	}
	return false
}

// wholeCell reports a place that fills its cell or value alone.
func wholeCell(e *evidence, s grounding.Span) bool {
	shape := e.facts.Shape()
	_, slot, ok := shape.SlotOf(s)
	if !ok {
		return false
	}
	whole, ok := shape.InSlot(s.Start, slot)
	return ok && whole == s
}

func clip(s []grounding.Span, n int) []grounding.Span {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// telling reports numbers that do not occur by chance.
func telling(q grounding.Quantity) bool {
	if q.Cmp == grounding.About && q.Digits() < 4 && !q.HasUnit() {
		return false
	}
	if q.Dim() == grounding.Ratio {
		return q.Digits() >= 4
	}
	return q.Digits() >= 3
}

// about reports whether the field or the record of a place is what the clause of the
// number speaks of: the field name shares a word or a translated term, or the line names
// a thing of the clause. A number without a field needs such a line.
func (c *carrier) about(f fact, g ground, s grounding.Span) bool {
	clause := c.clauseAt(f.span.Start)
	names, words := topicsOf(clause)
	if len(names)+len(words) == 0 {
		clause = c.sentence // 次数从 14 到 18 不等
		names, words = topicsOf(clause)
	}
	names = append(names, plainNames(clause)...)
	for _, q := range grounding.Quantities(clause) {
		if q.Key {
			names = append(names, q.Value.RatString())
		}
	}
	path := strings.ToLower(g.ev.facts.Shape().PathAt(s.Start))
	for _, t := range append(words, names...) {
		if path != "" && strings.Contains(path, t) {
			return true
		}
	}
	near := g.ev.lines(s)
	line := g.ev.facts.Lower()[near.Start:near.End]
	for _, n := range names {
		if len(grounding.FindIdent(line, n, 1)) > 0 {
			return true
		}
	}
	if path != "" && !c.explicit(g, s) {
		return false // a bare number is its field's, whatever else the line says
	}
	for _, t := range words {
		if strings.Contains(string(line), t) {
			return true
		}
	}
	return false
}

// explicit reports a place whose number has its unit written.
func (c *carrier) explicit(g ground, s grounding.Span) bool {
	n, ok := g.ev.facts.FirstNumber(s)
	return ok && g.ev.facts.Quantity(n).HasUnit()
}

// topicsOf lists, in lower case, the names that a clause speaks of, and its words with
// the English stems of its Chinese terms.
func topicsOf(clause string) (names, words []string) {
	for _, id := range grounding.Identifiers(clause) {
		names = append(names, strings.ToLower(grounding.Narrow(id.Text)))
	}
	for _, w := range grounding.Words(clause) {
		if len(w) >= 3 && !stopWords[w] && !vague[w] {
			words = append(words, stem(w))
		}
	}
	for _, t := range grounding.Terms(clause) {
		for _, w := range t {
			if len(w) >= 3 {
				words = append(words, w)
			}
		}
	}
	return names, words
}

// vague words stand in too many lines to tie a number to one.
var vague = map[string]bool{"time": true, "times": true, "last": true, "code": true, "about": true, "reason": true, "state": true, "status": true, "total": true, "count": true, "only": true, "then": true, "type": true, "name": true}

// inArguments reports a fact that scopes the call: the pod that was asked for, the
// time window of a query. A measured number is never taken from a question.
func (c *carrier) inArguments(f fact, e *evidence) bool {
	switch f.kind {
	case identFact:
		return len(findName(e.args, f.name, 1)) > 0 || strings.EqualFold(f.name, e.ToolName)
	case timeFact:
		return len(timeSpans(f.at, e.args.Times(), 1)) > 0
	case numberFact:
		q := f.num
		if len(spanName(q, e.args)) > 0 {
			return true // rate(…[5m])
		}
		if q.Dim() == grounding.Time && q.Value.IsInt() && len(e.args.FindCited(q, grounding.Span{End: len(e.args.Text().Raw())}, 1)) > 0 {
			return true // 五分钟 of --period 300, 近三天 of since=3d
		}
		whole := q.Value.IsInt() && !q.HasUnit() && q.Units[0].Name == ""
		return (q.Key || whole && (q.Digits() >= 3 || q.Value.Cmp(tenThousand) >= 0)) && len(e.args.Find(q, false, 1)) > 0
	}
	return false
}

// spanName finds a duration that is part of a name: records_in_5m, rate[5m], rate5m.
// An underscore may follow it, no other letter.
func spanName(q grounding.Quantity, facts *grounding.Facts) []grounding.Span {
	if q.Dim() != grounding.Time || !q.Value.IsInt() {
		return nil
	}
	short := map[string]string{"s": "s", "min": "m", "h": "h", "d": "d", "ms": "ms"}[q.Units[0].Name]
	if short == "" {
		return nil
	}
	lower, name := facts.Lower(), []byte(q.Value.Num().String()+short)
	var out []grounding.Span
	for from := 0; len(out) < maxPlaces; {
		i := bytes.Index(lower[from:], name)
		if i < 0 {
			break
		}
		at := grounding.Span{Start: from + i, End: from + i + len(name)}
		from = at.End
		if at.Start == 0 || at.End < len(lower) && (isNameByte(lower[at.End]) && lower[at.End] != '_') {
			continue
		}
		if p := lower[at.Start-1]; p == '_' || p == '[' || p >= 'a' && p <= 'z' {
			out = append(out, at)
		}
	}
	return out
}
