package gate

import (
	"sort"

	"claimscope/engine/grounding"
)

// factKind is the kind of a hard fact.
type factKind uint8

const (
	numberFact factKind = iota
	timeFact
	identFact
)

func (k factKind) String() string {
	switch k {
	case numberFact:
		return "number"
	case timeFact:
		return "time"
	case identFact:
		return "identifier"
	}
	return ""
}

// fact is one hard fact of a sentence: what evidence must carry.
type fact struct {
	kind factKind
	span grounding.Span // bytes in the sentence
	text string
	name string // text in narrow forms, for look-up
	num  grounding.Quantity
	at   grounding.TimePoint
	id   grounding.Identifier
}

// factsOf lists the hard facts of a text in order.
func factsOf(text string) []fact {
	var out []fact
	for _, q := range grounding.Quantities(text) {
		out = append(out, fact{kind: numberFact, span: q.Span, text: q.Text, num: q})
	}
	for _, t := range grounding.TimePoints(text) {
		out = append(out, fact{kind: timeFact, span: t.Span, text: t.Text, at: t})
	}
	for _, id := range grounding.Identifiers(text) {
		out = append(out, fact{kind: identFact, span: id.Span, text: id.Text, id: id})
	}
	for i := range out {
		out[i].name = grounding.Narrow(out[i].text)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].span.Start < out[j].span.Start })
	return out
}

// ground is a trace that a claim may draw facts from, with the places it cites.
type ground struct {
	ev    *evidence
	cited []grounding.Span // the excerpts widened to whole lines; empty when nothing was located
	exact []grounding.Span // the excerpts themselves
	// excerpts are the words of the bindings, for what they name.
	excerpts []string
}

// grounds joins the resolved bindings of a claim by trace, in binding order.
func (w *claimWork) grounds() []ground {
	var out []ground
	index := map[*evidence]int{}
	for _, b := range w.bound {
		if b.ev == nil {
			continue
		}
		i, ok := index[b.ev]
		if !ok {
			i = len(out)
			index[b.ev] = i
			out = append(out, ground{ev: b.ev})
		}
		out[i].excerpts = append(out[i].excerpts, b.binding.EvidenceExcerpt)
		for _, s := range b.spans {
			out[i].exact = append(out[i].exact, s)
			out[i].cited = append(out[i].cited, b.ev.lines(s))
		}
	}
	for i := range out {
		out[i].cited = mergeSpans(out[i].cited)
	}
	return out
}

// lines widens s to whole lines; a very long line is cut around s.
func (e *evidence) lines(s grounding.Span) grounding.Span {
	const around = 600
	_, a := e.text.Line(s.Start)
	_, b := e.text.Line(max(s.End-1, s.Start))
	return grounding.Span{Start: max(a.Start, s.Start-around), End: min(b.End, s.End+around)}
}

func mergeSpans(in []grounding.Span) []grounding.Span {
	sort.Slice(in, func(i, j int) bool { return in[i].Start < in[j].Start })
	var out []grounding.Span
	for _, s := range in {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}
