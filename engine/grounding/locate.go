package grounding

import "bytes"

// MaxOccurrences is the most places that a [Location] lists.
const MaxOccurrences = 1000

// Location is the result of looking for an excerpt in one text.
type Location struct {
	Tier Tier
	// Score is the share of the excerpt's folded runes that stand in the text:
	// 1 in the exact, folded and fragments tiers, 1 - edits/runes in the near
	// tier, 0 when absent.
	Score float64
	// Occurrences are the places, in the order of the text, at most
	// MaxOccurrences of them.
	Occurrences []Occurrence
	// Total counts all places, also those beyond the list's cap.
	Total int
	// Ambiguous is set when several equally good places hold different texts.
	Ambiguous bool
	// Diff leads from the excerpt to the first occurrence, in the near tier only.
	Diff []DiffOp
}

// Locate finds excerpt in the text, in the strongest tier that finds it.
func (t *Text) Locate(excerpt string) Location {
	if len(bytes.TrimSpace([]byte(excerpt))) == 0 {
		return Location{Tier: Absent}
	}
	if l := collect(Exact, t.raw, []byte(excerpt), func(a, b int) Span { return Span{a, b} }); l.Total > 0 {
		return l
	}
	f := t.folded()
	return collect(Folded, f.text, []byte(Fold(excerpt)), func(a, b int) Span { return Span{f.start[a], f.end[b-1]} })
}

func collect(tier Tier, text, what []byte, span func(a, b int) Span) Location {
	l := Location{Tier: Absent}
	for at := 0; len(what) > 0; {
		i := bytes.Index(text[at:], what)
		if i < 0 {
			break
		}
		if l.Total++; l.Total <= MaxOccurrences {
			l.Occurrences = append(l.Occurrences, Occurrence{Spans: []Span{span(at+i, at+i+len(what))}})
		}
		at += i + len(what)
	}
	if l.Total > 0 {
		l.Tier, l.Score = tier, 1
	}
	return l
}
