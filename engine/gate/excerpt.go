package gate

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"claimscope/engine/grounding"
)

const (
	// minExcerptRunes is the shortest excerpt that can be evidence by itself.
	minExcerptRunes = 4
	// maxCitedSpans bounds the occurrences that facts are looked up near.
	maxCitedSpans = 64
)

// locate finds the excerpt in its trace (B005, B006, B008, B009, B010).
func (w *claimWork) locate(ref *boundRef, rep *BindingReport) {
	e, excerpt := ref.ev, ref.binding.EvidenceExcerpt
	ptr := ref.ptr + "/evidence_excerpt"
	if strings.TrimSpace(excerpt) == "" {
		if len(strings.TrimSpace(string(e.Output))) > 0 {
			w.add(CodeTooCommon, ptr, msgEmptyExcerpt)
		}
		rep.Tier = grounding.CannotCheck
		ref.tier = grounding.CannotCheck
		return
	}
	loc := e.text.Locate(excerpt)
	rep.Tier, rep.Score, rep.Total, rep.Diff = loc.Tier, loc.Score, loc.Total, loc.Diff
	for _, o := range loc.Occurrences {
		rep.Occurrences = append(rep.Occurrences, o)
		if len(ref.spans) < maxCitedSpans {
			ref.spans = append(ref.spans, o.Spans...)
		}
	}
	if len(loc.Occurrences) > 0 {
		rep.Spans = loc.Occurrences[0].Spans
	}
	switch loc.Tier {
	case grounding.Exact, grounding.Folded, grounding.Fragments:
		w.tooCommon(ptr, excerpt, loc)
	case grounding.Near:
		w.add(CodeNear, ptr, nearMessage(e, loc), Place{TraceRef: e.Ref, Span: loc.Occurrences[0].Spans[0], Role: "nearest"})
	case grounding.Paraphrase, grounding.Absent, grounding.CannotCheck:
		w.absent(ref, rep, ptr)
	}
	if loc.Ambiguous {
		w.add(CodeAmbiguous, ptr, ambiguousMessage(loc))
	}
	ref.tier = rep.Tier
}

func (w *claimWork) tooCommon(ptr, excerpt string, loc grounding.Location) {
	if loc.Weakness(excerpt) != grounding.NotWeak {
		w.add(CodeTooCommon, ptr, commonMessage(loc.Total))
	}
}

// absent decides what an excerpt that stands nowhere in its trace is: unchecked, an
// echo of the arguments, misattributed, a summary, or fabricated.
func (w *claimWork) absent(ref *boundRef, rep *BindingReport, ptr string) {
	e, excerpt := ref.ev, ref.binding.EvidenceExcerpt
	rep.Tier = grounding.Absent
	if e.Unavailable {
		rep.Tier = grounding.CannotCheck
		w.unverifiable()
		return
	}
	if utf8.RuneCountInString(strings.TrimSpace(excerpt)) >= minExcerptRunes {
		switch e.args.Text().Locate(excerpt).Tier {
		case grounding.Exact, grounding.Folded, grounding.Fragments, grounding.Near:
			w.add(CodeArgumentEcho, ptr, echoMessage(e))
			return
		case grounding.Paraphrase, grounding.Absent, grounding.CannotCheck:
		}
	}
	if places := w.holders(excerpt, e); len(places) > 0 {
		w.add(CodeAbsent, ptr, elsewhereMessage(e, places), places...)
		return
	}
	sum := summaryOf(excerpt, e)
	if sum.ok {
		rep.Tier, rep.Spans = grounding.Paraphrase, sum.spans
		rep.Score = sum.score
		rep.Occurrences, rep.Total = []grounding.Occurrence{{Spans: sum.spans}}, 1
		ref.spans = sum.spans
		w.add(CodeNear, ptr, paraphraseMessage(e), placesOf(e, sum.spans, "facts")...)
		return
	}
	w.add(CodeAbsent, ptr, absentMessage(e, sum), sum.places(e)...)
}

func placesOf(e *evidence, spans []grounding.Span, role string) []Place {
	out := make([]Place, 0, len(spans))
	for _, s := range spans {
		out = append(out, Place{TraceRef: e.Ref, Span: s, Role: role})
	}
	return out
}

// summary is what became of an absent excerpt.
type summary struct {
	ok      bool
	score   float64
	spans   []grounding.Span
	missing string         // the first fact or word that is not there
	nearest grounding.Span // where the excerpt comes nearest; empty for nowhere
	carrier *carrier       // of the excerpt, at its window
}

func (s summary) places(e *evidence) []Place {
	if s.nearest.End <= s.nearest.Start {
		return nil
	}
	return []Place{{TraceRef: e.Ref, Span: s.nearest, Role: "nearest"}}
}

// wordsNeeded is the share of an excerpt's Latin words that a summary must share with
// its source: nearly all where the excerpt reads as a quote, most where it is Chinese
// prose around terms.
const (
	wordsOfQuote   = 0.85
	wordsOfSummary = 0.6
)

// chineseShare is the share of Chinese runes from which an excerpt is prose, no quote.
const chineseShare = 0.15

// summaryOf tries to read an absent excerpt as a summary of the trace (spec G2): every
// hard fact in it stands in the trace, close together, or counts what stands there; its
// words, or their translations, do too.
func summaryOf(excerpt string, e *evidence) summary {
	facts := factsOf(excerpt)
	words := contentWords(excerpt)
	chinese := cjkShare(excerpt)
	known := 0 // ordinary words that do stand there: they prove little, but something
	if telling := withoutOrdinary(words); chinese >= chineseShare || len(facts) >= 3 {
		for _, w := range words {
			if grounding.Ordinary(w) && e.facts.Contains(w) {
				known++
			}
		}
		words = telling
	}
	win, spans, hit := bestWindow(excerpt, facts, words, e)
	sum := summary{nearest: win.core, spans: spans}
	sum.carrier = newCarrier([]ground{{ev: e, cited: win.cited(), excerpts: []string{excerpt}}}, excerpt, nil)
	for _, f := range facts {
		if !win.found[f.span.Start] && !sum.carries(f, win, excerpt, e, chinese >= chineseShare) {
			if chinese >= chineseShare && f.kind == numberFact && looseCount(f.num) && f.num.Units[0].Name != "" && len(facts) > 1 {
				continue // a count of a summary is the reader's
			}
			sum.missing = f.text
			return sum
		}
	}
	if f, ok := strayFact(excerpt, facts, e); ok {
		sum.missing = f.text
		return sum
	}
	share := 1.0
	if len(words) > 0 && !factual(facts, win, len(words)-hit, chinese >= chineseShare) {
		share = float64(hit) / float64(len(words))
	}
	need := wordsOfSummary
	if chinese < chineseShare && len(facts) < 3 {
		need = wordsOfQuote
	}
	if share < need {
		sum.missing = win.missingWord
		return sum
	}
	if chinese < chineseShare && len(facts) > 0 && alteredQuote(excerpt, e, win.core, win.foundTokens(facts)) {
		return sum
	}
	if len(facts) == 0 || len(words)+len(facts)+known < 2 && chinese >= chineseShare {
		// Translated prose without a hard fact: its terms must stand in the trace.
		if chinese >= chineseShare && !termsCovered(excerpt, e) {
			return sum
		}
		if chinese < chineseShare && len(words) < 3 {
			return sum
		}
	}
	sum.ok, sum.score = true, share
	sum.spans = mergeSpans(sum.spans)
	if len(sum.spans) == 0 && win.core.End > win.core.Start {
		sum.spans = []grounding.Span{win.core}
	}
	if len(sum.spans) > 32 {
		sum.spans = sum.spans[:32]
	}
	return sum
}

// carries adds the places of a fact that does not stand beside most others. win learns
// of it where it stands in a record of its own.
func (s *summary) carries(f fact, win window, excerpt string, e *evidence, chinese bool) bool {
	if namedBy(f, win.span, e) {
		return true
	}
	if name := listedName(excerpt[:f.span.Start], f.name); f.kind == numberFact && len(e.facts.Ident(name, 1)) > 0 {
		return true // shard-0、1、2
	}
	if f.kind == numberFact && strings.Contains(f.name, ".") {
		if at := inSpans(e.facts.Ident(f.name, 0), []grounding.Span{win.span}, 1); len(at) > 0 {
			s.spans = append(s.spans, at...)
			return true // a cell beside another: 14,182.4 in a row is no thousand
		}
	}
	if f.kind == numberFact && f.num.Fraction && len(e.facts.FindIn(wholeOf(f.num, f.num.Value), win.span, false, 1)) > 0 && len(e.facts.FindIn(wholeOf(f.num, f.num.Of), win.span, false, 1)) > 0 {
		return true // 57120/58004 lists two
	}
	if at := partSpans(excerpt, f, e); len(at) > 0 {
		s.spans = append(s.spans, at...)
		win.found[f.span.Start] = true
		return true
	}
	m, ok := s.carrier.carry(f)
	if f.kind != numberFact && ok {
		return true // the call's own scope
	}
	counts := strings.Contains(m.Derived, "lines") || strings.Contains(m.Derived, "cells") || strings.Contains(m.Derived, "rows")
	if !ok || m.Derived != "" && (!chinese || !counts) {
		return false // a quote holds its numbers; a summary may count
	}
	s.spans = append(s.spans, m.Spans...)
	return true
}

// wholeOf is one number of a fraction.
func wholeOf(q grounding.Quantity, v *big.Rat) grounding.Quantity {
	return grounding.Quantity{Value: v, Ulp: one, Units: counterUnits, Text: v.RatString(), Span: q.Span}
}

// factual reports a summary that its facts make, whatever its own words are (spec G2):
// labels and connecting words are no facts. absent is how many of its Latin words are not
// there; a quote of words that nobody wrote is none.
func factual(facts []fact, win window, absent int, chinese bool) bool {
	telling := 0
	for _, f := range facts {
		if win.found[f.span.Start] && (f.kind != numberFact || f.num.Digits() >= 3) {
			telling++
		}
	}
	return telling > 0 && 2*absent <= len(win.found) || chinese && telling >= 3 && absent <= telling/2
}

// namedBy reports a number that names a thing by its place in a name: 02 节点 for
// settle-02, 3 号队列 for rx_queue_3.
func namedBy(f fact, within grounding.Span, e *evidence) bool {
	if f.kind != numberFact || f.num.HasUnit() || f.num.Fraction || f.num.Decimals > 0 {
		return false
	}
	digits := strings.TrimRight(f.name, " ")
	if i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = digits[:i]
	}
	if digits == "" || !f.num.Key && digits[0] != '0' {
		return false
	}
	return len(inSpans(e.facts.Ident(digits, 0), []grounding.Span{within}, 1)) > 0
}

// partSpans finds a fact that stands apart from most of a summary, in the row or object of
// the part of it that names the fact: all facts of that part then stand together.
func partSpans(excerpt string, f fact, e *evidence) []grounding.Span {
	from, to := 0, len(excerpt)
	if i := strings.LastIndexAny(excerpt[:f.span.Start], partEnds); i >= 0 {
		_, n := utf8.DecodeRuneInString(excerpt[i:])
		from = i + n
	}
	if i := strings.IndexAny(excerpt[f.span.End:], partEnds); i >= 0 {
		to = f.span.End + i
	}
	if from == 0 && to == len(excerpt) {
		return nil
	}
	part := excerpt[from:to]
	facts := factsOf(part)
	win, spans, _ := bestWindow(part, facts, nil, e)
	for _, x := range facts {
		if !win.found[x.span.Start] && !namedBy(x, win.span, e) {
			return nil
		}
	}
	return spans
}

// partEnds part a summary into what it says of one thing after another.
const partEnds = "；;。…\n"

// contentWords are the distinct Latin words of an excerpt that carry meaning, lower
// case; identifiers are facts and not among them.
func contentWords(s string) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range grounding.Words(s) {
		if len(w) < 3 || stopWords[w] || seen[w] {
			continue
		}
		seen[w] = true
		out = append(out, w)
	}
	return out
}

var stopWords = map[string]bool{"the": true, "and": true, "for": true, "was": true, "were": true, "are": true, "has": true, "had": true, "have": true, "with": true, "from": true, "that": true, "this": true, "not": true, "but": true, "its": true, "into": true, "than": true, "over": true, "been": true, "which": true, "all": true, "you": true,
	"highest": true, "lowest": true, "peak": true, "average": true, "about": true, "first": true, "last": true, "each": true, "both": true, "respectively": true, "between": true, "while": true}

func withoutOrdinary(words []string) []string {
	var out []string
	for _, w := range words {
		if !grounding.Ordinary(w) {
			out = append(out, w)
		}
	}
	return out
}

// cjkShare is the share of Han characters and full-width marks among those and the Latin
// words of s.
func cjkShare(s string) float64 {
	han := 0
	for _, r := range s {
		if unicode.Is(unicode.Han, r) || strings.ContainsRune("：；、，（）", r) {
			han++ // no tool punctuates so
		}
	}
	all := han + len(grounding.Tokens(s))
	if all == 0 {
		return 0
	}
	return float64(han) / float64(all)
}

// termsCovered reports whether the Chinese terms of a text stand in the trace, as they
// are or translated: at least half of them, and one at the least.
func termsCovered(text string, e *evidence) bool {
	terms := grounding.Terms(text)
	n := 0
	for _, t := range terms {
		for _, w := range t {
			if e.facts.Contains(w) {
				n++
				break
			}
		}
	}
	return n > 0 && 2*n >= len(terms)
}

// strayFact finds a small number of a summary that does not stand in the record of what
// the summary says with it: x1 beside 7m39s, where the source has x5 over 7m39s. A
// segment of the summary is held against the records of its telling facts.
func strayFact(excerpt string, facts []fact, e *evidence) (fact, bool) {
	for _, seg := range grounding.Segments(excerpt) {
		var small []fact
		var records []grounding.Span
		samples := false // telling facts are samples: each is a record of its own
		for _, f := range facts {
			if f.span.Start < seg.Start || f.span.End > seg.End || f.kind == numberFact && f.num.Key {
				continue
			}
			if f.kind == numberFact && !f.num.Fraction && !telling(f.num) && f.num.Units[0].Name == "" && !f.num.Words && f.num.Cmp == grounding.Exactly {
				small = append(small, f)
				continue
			}
			for _, s := range directSpans(f, e, nil, nil, 64) {
				if rec := e.record(s); !slices.Contains(records, rec) {
					records = append(records, rec)
				}
				if field := e.facts.Shape().FieldAt(s.Start); field == "values" {
					samples = true
				}
			}
		}
		if len(records) == 0 || samples {
			continue
		}
		for _, f := range small {
			if strings.ContainsAny(around(excerpt, f.span), "/") || fieldNamed(f, excerpt[seg.Start:seg.End], e) {
				continue
			}
			if len(directSpans(f, e, records, nil, 1)) == 0 && len(directSpans(f, e, nil, nil, 1)) > 0 {
				return f, true
			}
		}
	}
	return fact{}, false
}

// record is the record around s with its whole lines.
func (e *evidence) record(s grounding.Span) grounding.Span {
	l, r := e.lines(s), e.facts.Shape().ItemAt(s.Start)
	return grounding.Span{Start: min(l.Start, r.Start), End: max(l.End, r.End)}
}

// around is the byte before and the byte behind a span.
func around(text string, s grounding.Span) string {
	return text[max(0, s.Start-1):s.Start] + text[s.End:min(len(text), s.End+1)]
}

// fieldNamed reports that a number stands in a field that the segment names:
// insert_err_rate=0.66, where the column has that header.
func fieldNamed(f fact, segment string, e *evidence) bool {
	lower := strings.ToLower(segment)
	for _, s := range directSpans(f, e, nil, nil, 64) {
		if field := strings.ToLower(e.facts.Shape().FieldAt(s.Start)); len(field) > 2 && strings.Contains(lower, field) {
			return true
		}
	}
	return false
}
