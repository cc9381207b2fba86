// Package grounding locates excerpts and compares facts: text in, spans out. It
// is pure and imports nothing of ours.
package grounding

// Span is a half-open range of byte offsets into a raw text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Tier says how an excerpt was found (spec G1, G2).
type Tier string

// The tiers, from best to worst. Paraphrase and CannotCheck are given by callers
// who also know the facts and whether the raw output is there.
const (
	Exact       Tier = "exact"
	Folded      Tier = "folded"
	Fragments   Tier = "fragments"
	Near        Tier = "near"
	Paraphrase  Tier = "paraphrase"
	Absent      Tier = "absent"
	CannotCheck Tier = "cannot_check"
)

// Occurrence is one place of an excerpt: one span, or several for fragments.
type Occurrence struct {
	Spans []Span `json:"spans"`
}

// DiffKind is the kind of one step of a difference.
type DiffKind string

// The kinds of difference.
const (
	DiffEqual   DiffKind = "equal"
	DiffInsert  DiffKind = "insert"  // in the excerpt only
	DiffDelete  DiffKind = "delete"  // in the source only
	DiffReplace DiffKind = "replace" // different in both
)

// DiffOp is one step from the excerpt to the source.
type DiffOp struct {
	Kind    DiffKind `json:"kind"`
	Excerpt string   `json:"excerpt"`
	Source  Span     `json:"source"`
}

// Len is the length of the span in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Found reports whether the quote itself stands in the text. A paraphrase is
// legal, but it is no quote.
func (t Tier) Found() bool {
	switch t {
	case Exact, Folded, Fragments, Near:
		return true
	case Paraphrase, Absent, CannotCheck:
		return false
	}
	return false
}

// Extent is the smallest span that holds the whole occurrence.
func (o Occurrence) Extent() Span {
	if len(o.Spans) == 0 {
		return Span{}
	}
	return Span{Start: o.Spans[0].Start, End: o.Spans[len(o.Spans)-1].End}
}
