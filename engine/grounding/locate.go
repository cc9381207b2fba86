package grounding

import "unicode/utf8"

// MaxOccurrences is the most places that a [Location] lists.
const MaxOccurrences = 1000

// Location is the result of looking for an excerpt in one text.
type Location struct {
	Tier Tier
	// Score is the share of the excerpt's folded runes that stand in the text:
	// 1 in the exact, folded and fragments tiers, 1 - edits/runes in the near
	// tier, 0 when absent.
	Score float64
	// Occurrences are the places, at most MaxOccurrences of them, in the order of
	// the text; in the fragments tier the tightest come first.
	Occurrences []Occurrence
	// Total counts all places, also those beyond the list's cap.
	Total int
	// Ambiguous is set when several equally good places hold different texts.
	Ambiguous bool
	// Diff leads from the excerpt to the first occurrence, in the near tier only.
	Diff []DiffOp
}

const (
	// longQuote is the length, in folded runes, from which a quote speaks for itself:
	// shorter ones are never matched approximately, nor inside of an identifier.
	longQuote = 20
	// boundedQuote is the length from which a quote may have been cut off at a bound,
	// and thus end anywhere.
	boundedQuote = 200
)

// quote is an excerpt, as it is and folded.
type quote struct {
	raw    []byte
	folded []byte
	runes  int // of the folded form
}

func newQuote(excerpt string) quote {
	folded := []byte(Fold(excerpt))
	return quote{[]byte(excerpt), folded, utf8.RuneCount(folded)}
}

func (q quote) long() bool { return q.runes >= longQuote }

// admits reports whether the quote may end like this within the words of a text,
// byte for byte: a short one not inside of a number or identifier, a long one inside
// of a hash but not of a number, one of a bounded length anywhere at its end.
func (q quote) admits(left, right cut) bool {
	if max(left, right) < cutFact {
		return true
	}
	return q.long() && (left < cutFact || trimmed(q.folded, true)) &&
		(right < cutFact || trimmed(q.folded, false) || q.runes >= boundedQuote)
}

// Locate finds excerpt in the text, in the strongest tier that finds it: exact,
// folded, fragments, near; else the tier is [Absent]. An excerpt that folds to
// nothing is absent.
func (t *Text) Locate(excerpt string) Location {
	if l := t.LocateQuote(excerpt); l.Total > 0 {
		return l
	}
	return t.near(excerpt)
}

// LocateQuote is [Text.Locate] without the near tier.
func (t *Text) LocateQuote(excerpt string) Location {
	q := newQuote(excerpt)
	if q.runes == 0 || len(t.raw) == 0 {
		return Location{Tier: Absent}
	}
	if l := t.exact(q); l.Total > 0 {
		return l
	}
	if l := t.foldedPlaces(q); l.Total > 0 {
		return l
	}
	return t.fragments(excerpt)
}

// places collects occurrences up to the cap.
type places struct {
	list  []Occurrence
	total int
}

func (p *places) add(s Span) {
	if p.total++; len(p.list) < MaxOccurrences {
		p.list = append(p.list, Occurrence{Spans: []Span{s}})
	}
}

func (p *places) location(tier Tier) Location {
	if p.total == 0 {
		return Location{Tier: Absent}
	}
	return Location{Tier: tier, Score: 1, Occurrences: p.list, Total: p.total}
}

// exact finds the quote byte for byte. Places that cut no word win over those that
// do.
func (t *Text) exact(q quote) Location {
	var by [cutFact + 1]places
	find := newFinder(t.raw, q.raw, &t.absent)
	for at := 0; ; {
		i := find.next(at)
		if i < 0 {
			break
		}
		s := Span{i, i + len(q.raw)}
		at = s.Start + 1
		if splitsRune(t.raw, s.Start) || splitsRune(t.raw, s.End) {
			continue
		}
		left, right := rawCuts(t.raw, s)
		c := max(left, right)
		if c == cutJoin && q.long() {
			c = cutNone
		}
		if q.admits(left, right) {
			by[c].add(s)
		}
		if c <= cutJoin {
			at = s.End
		} else {
			at = max(at, wordEnd(t.raw, s.Start))
		}
	}
	for _, p := range by {
		if p.total > 0 {
			return p.location(Exact)
		}
	}
	return Location{Tier: Absent}
}

// foldedPlaces finds the places that fold to the same as the quote and cut no word.
func (t *Text) foldedPlaces(q quote) Location {
	var p places
	f := tracer{folded: t.folded()}
	find := newFinder(f.text, q.folded, f.absent)
	for at := 0; ; {
		from := find.next(at)
		if from < 0 {
			return p.location(Folded)
		}
		to := from + len(q.folded)
		at = from + 1
		if cutsIn(f.text, from, to) > cutJoin {
			at = max(at, wordEnd(f.text, from))
			continue
		}
		var s Span
		if p.total < MaxOccurrences {
			var ok bool
			if s, ok = f.place(from, to, q.folded); !ok || !q.long() && rawCut(t.raw, s) == cutJoin {
				continue
			}
		}
		p.add(s)
		at = to
	}
}

// place gives the raw span of the folded bytes [from, to) and whether it cuts no
// character and folds to what.
func (t *tracer) place(from, to int, what []byte) (Span, bool) {
	s, whole := t.span(from, to)
	return s, whole && !splitsRune(t.raw, s.Start) && !splitsRune(t.raw, s.End) && t.holds(s, what)
}

// wordEnd gives the end of the word that goes on at text[i].
func wordEnd(text []byte, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRune(text[i:])
		if !isWord(r) {
			break
		}
		i += n
	}
	return i
}
