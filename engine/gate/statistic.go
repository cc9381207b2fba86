package gate

import (
	"slices"

	"claimscope/engine/grounding"
)

// statistics are the words by which a sentence says which statistic a number is, and those
// that name it in columns and fields.
var statistics = []struct {
	said   *grounding.Pattern
	fields map[string]bool
}{
	{grounding.NewPattern(`(?i)(平均|均值|\b(average|avg|mean)\b)[^，。；,;]{0,16}$`), map[string]bool{"avg": true, "mean": true, "average": true, "平均": true}},
	{grounding.NewPattern(`(?i)(最大|最高|峰值|\b(max|maximum|peak)\b)[^，。；,;]{0,16}$`), map[string]bool{"max": true, "maximum": true, "peak": true, "最大": true}},
	{grounding.NewPattern(`(?i)(最小|最低|谷值|\b(min|minimum)\b)[^，。；,;]{0,16}$`), map[string]bool{"min": true, "minimum": true, "最小": true}},
}

// rightStatistic drops the places of a number whose column or field is another statistic
// than the sentence says: a max that is called an average.
func (c *carrier) rightStatistic(f fact, e *evidence, spans []grounding.Span) []grounding.Span {
	if f.kind != numberFact || len(spans) == 0 {
		return spans
	}
	before := c.sentence[:f.span.Start]
	said := -1
	for i, s := range statistics {
		if s.said.MatchString(before) {
			if said >= 0 {
				return spans // 平均 and 最大 together: which is which is not told
			}
			said = i
		}
	}
	if said < 0 {
		return spans
	}
	out := spans[:0:0]
	for _, s := range spans {
		if is := statisticOf(e.facts.Shape().FieldAt(s.Start)); is < 0 || is == said || extreme(e, s, said) {
			out = append(out, s)
		}
	}
	return out
}

// extreme reports the greatest or least number of its column: the peak of the averages.
func extreme(e *evidence, s grounding.Span, said int) bool {
	ns := e.facts.NumbersIn(s)
	if len(ns) == 0 || said == 0 {
		return false
	}
	for _, series := range e.facts.Series(s.Start) {
		most := len(series) > 1
		for _, n := range series {
			most = most && (said == 1 && n.Float <= ns[0].Float || said == 2 && n.Float >= ns[0].Float)
		}
		if most {
			return true
		}
	}
	return false
}

// statisticOf is the index in statistics that a field names, -1 for none.
func statisticOf(field string) int {
	for _, w := range grounding.NameWords(field) {
		for i, s := range statistics {
			if s.fields[w] {
				return i
			}
		}
	}
	return -1
}

// ownTime drops the times of another record where the sentence tells one time only and the
// cited record, which it names, has a time of its own in that place.
func (c *carrier) ownTime(f fact, g ground, spans []grounding.Span) []grounding.Span {
	if f.kind != timeFact || len(spans) == 0 || len(grounding.TimePoints(c.sentence)) != 1 {
		return spans
	}
	out := spans[:0:0]
	for _, s := range spans {
		if !c.foreign(f, g, s) {
			out = append(out, s)
		}
	}
	return out
}

func (c *carrier) foreign(f fact, g ground, s grounding.Span) bool {
	shape := g.ev.facts.Shape()
	rec, slot, ok := shape.SlotOf(s)
	if !ok || c.namesIn(g.ev, rec.Span) {
		return false
	}
	for _, x := range g.exact {
		own, ok := shape.InSlot(x.Start, slot)
		if !ok || own == s || !c.namesIn(g.ev, shape.RecordAt(x.Start).Span) {
			continue
		}
		if ts := g.ev.facts.TimesIn(own); len(ts) == 1 && !grounding.SameTime(f.at, ts[0]) {
			return true
		}
	}
	return false
}

// namesIn reports that a record holds a name of the sentence; true for one that is too
// long to tell.
func (c *carrier) namesIn(e *evidence, rec grounding.Span) bool {
	if rec.End-rec.Start > maxGroupBytes {
		return true
	}
	return slices.ContainsFunc(c.names(), func(name string) bool { return c.recordNames(e, rec, name) })
}
