package grounding

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

const (
	// nearPercent is the most edits, in percent of the excerpt's folded runes.
	nearPercent = 12
	// longestNear is the longest excerpt that is searched approximately, in runes:
	// twice what the contract allows.
	longestNear = 1000
	// maxHits bounds the places that are looked at, the best first.
	maxHits = 1 << 14
	// longestWord is how far a place is moved out to the end of a word, in runes.
	longestWord = 32
	// maxNearWork bounds the work on all of them, in steps of one block.
	maxNearWork = 1 << 24
	// maxAligned bounds the different texts that are aligned with the excerpt.
	maxAligned = 2000
)

// hit is the end of a stretch of folded text that is within the edits of a quote.
type hit struct{ end, edits int }

// nearPlace is a stretch of folded text that may be what a quote was made from.
type nearPlace struct{ from, to, edits int }

// near finds the places that differ from the excerpt by the fewest edits over folded
// runes, at most [nearPercent] of them, and in no number, unit, identifier or negation.
func (t *Text) near(excerpt string) Location {
	said := newFolded([]byte(excerpt))
	runes := []rune(string(said.text))
	if len(runes) < longQuote || len(runes) > longestNear {
		return Location{Tier: Absent}
	}
	edits := len(runes) * nearPercent / 100
	s := nearSearch{
		source:   tracer{folded: t.folded()},
		quote:    newView(&tracer{folded: &said}, 0, len(said.text)),
		forward:  newPattern(runes),
		backward: newPattern(reversed(runes)),
		verdicts: map[string]bool{},
	}
	facts := s.quote.hardTexts()
	best := s.best(scan(s.forward, s.source.text, edits, longest(facts)), facts, edits)
	if len(best) == 0 {
		return Location{Tier: Absent}
	}
	l := Location{Tier: Near, Score: 1 - float64(best[0].edits)/float64(len(runes)), Total: len(best)}
	for _, p := range best {
		l.Ambiguous = l.Ambiguous || !bytes.Equal(s.source.text[p.from:p.to], s.source.text[best[0].from:best[0].to])
		if len(l.Occurrences) < MaxOccurrences {
			span, _ := s.source.span(p.from, p.to)
			l.Occurrences = append(l.Occurrences, Occurrence{Spans: []Span{span}})
		}
	}
	l.Diff = diff(s.quote, newView(&s.source, best[0].from, best[0].to))
	return l
}

func reversed(runes []rune) []rune {
	r := slices.Clone(runes)
	slices.Reverse(r)
	return r
}

// scan finds the ends of all stretches of text within the given edits of the pattern
// that no neighbour undercuts; only such that may have anchor within them, when it is
// not empty. Of very many only the best are kept.
func scan(p *pattern, text []byte, edits int, anchor []byte) []hit {
	filter := newGramFilter(p.runes, edits)
	stretches, few := filter.around(text, anchor)
	if !few {
		stretches = filter.candidates(text)
	}
	v := valleys{column: p.newColumn(edits, true)}
	for _, s := range stretches {
		v.enter()
		for i := s.Start; i < s.End; {
			if n := v.skim(text[i:s.End]); n > 0 {
				i += n
				v.add(i, v.limit+1)
				continue
			}
			r, n := utf8.DecodeRune(text[i:])
			i += n
			v.add(i, v.step(r))
		}
		v.leave()
	}
	return v.hits
}

// valleys collects where the edits are less than at the neighbours.
type valleys struct {
	*column
	hits    []hit
	lowest  hit  // of the valley that it is in
	falling bool // it is in one
	before  int
}

// enter begins a stretch of text.
func (v *valleys) enter() {
	v.reset(v.limit)
	v.falling, v.before = false, v.limit+1
}

// add takes the edits at the next end. Of ends with the same edits the last one counts,
// so that a changed last word is seen as changed and not as missing.
func (v *valleys) add(end, edits int) {
	switch {
	case edits < v.before:
		v.lowest, v.falling = hit{end, edits}, true
	case edits == v.before && v.falling:
		v.lowest.end = end
	case edits > v.before:
		v.leave()
	}
	v.before = min(edits, v.limit+1)
}

// leave ends a valley. When there are too many the limit goes down until there are not.
func (v *valleys) leave() {
	if !v.falling {
		return
	}
	v.falling = false
	if len(v.hits) < 2*maxHits {
		v.hits = append(v.hits, v.lowest)
	}
	for len(v.hits) >= 2*maxHits && v.limit > 0 {
		v.limit--
		v.hits = slices.DeleteFunc(v.hits, func(h hit) bool { return h.edits > v.limit })
	}
}

// nearSearch is the state of one approximate search.
type nearSearch struct {
	source            tracer
	quote             view
	forward, backward *pattern
	verdicts          map[string]bool // of [faithful], by folded text
}

// best gives, in the order of the text, the places with the fewest edits among
// those that change no fact.
func (s *nearSearch) best(hits []hit, facts [][]byte, edits int) []nearPlace {
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(a.end, b.end))
	})
	back := s.backward.newColumn(edits, false)
	whole := s.forward.newColumn(edits, false)
	cost := 2 * (len(s.forward.runes) + edits) * s.forward.blocks
	var found []nearPlace
	for _, h := range hits[:min(len(hits), maxNearWork/cost)] {
		if h.edits > edits || len(s.verdicts) > maxAligned {
			break
		}
		if n := len(found); n > 0 && found[n-1].edits == h.edits && h.end-len(s.forward.runes)+h.edits < found[n-1].to {
			continue // it overlaps the last one and is no better
		}
		p := s.place(h, back)
		if !containsAll(s.source.text[p.from:p.to], facts) {
			continue
		}
		whole.reset(edits)
		p.edits = edits + 1
		for _, r := range string(s.source.text[p.from:p.to]) {
			p.edits = whole.step(r)
		}
		if p.edits > edits || !s.faithful(p) {
			continue
		}
		if p.edits < edits {
			found = found[:0]
		}
		edits = p.edits
		found = append(found, p)
	}
	slices.SortFunc(found, func(a, b nearPlace) int { return cmp.Compare(a.from, b.from) })
	apart := found[:0]
	for _, p := range found {
		if n := len(apart); n == 0 || apart[n-1].to <= p.from {
			apart = append(apart, p)
		}
	}
	return apart
}

// place finds where the stretch that ends at a hit begins: the farthest place back
// with the same edits, so that a changed first word is seen as changed and not as
// missing. Both ends are then moved out to where words and identifiers end.
func (s *nearSearch) place(h hit, back *column) nearPlace {
	text := s.source.text
	back.reset(h.edits)
	from, at := h.end, h.end
	for n := len(s.forward.runes) + h.edits; n > 0 && at > 0; n-- {
		r, w := utf8.DecodeLastRune(text[:at])
		at -= w
		if back.step(r) == h.edits {
			from = at
		}
	}
	to := h.end
	for n := 0; n < longestWord && extends(cutAt(around(text, from)), text, from); n++ {
		_, w := utf8.DecodeLastRune(text[:from])
		from -= w
	}
	for n := 0; n < longestWord && extends(cutAt(around(text, to)), text, to); n++ {
		_, w := utf8.DecodeRune(text[to:])
		to += w
	}
	for from < to && text[from] == ' ' {
		from++
	}
	for to > from && text[to-1] == ' ' {
		to--
	}
	return nearPlace{from, to, h.edits}
}

// extends reports whether a place that ends at i must be moved on. A dot is no joint
// here: in folded text it may have lost the space that made it the end of a sentence.
func extends(c cut, text []byte, i int) bool {
	return c > cutJoin || c == cutJoin && text[i] != '.' && text[i-1] != '.'
}

// longest gives the longest of all, or nil.
func longest(all [][]byte) []byte {
	var found []byte
	for _, one := range all {
		if len(one) > len(found) {
			found = one
		}
	}
	return found
}

func containsAll(text []byte, all [][]byte) bool {
	for _, one := range all {
		if !bytes.Contains(text, one) {
			return false
		}
	}
	return true
}

// faithful reports whether a place says the same as the quote in all hard tokens and
// has no word replaced by another one.
func (s *nearSearch) faithful(p nearPlace) bool {
	text := string(s.source.text[p.from:p.to])
	verdict, known := s.verdicts[text]
	if !known {
		verdict = faithful(s.quote, newView(&s.source, p.from, p.to))
		s.verdicts[text] = verdict
	}
	return verdict
}
