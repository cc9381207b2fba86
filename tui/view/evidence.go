package view

import (
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
)

// Role says what stands at a place of a trace.
type Role uint8

// The roles. Quote is an occurrence of the excerpt; Near one that was edited; Fact a
// fact of a paraphrase or of the claim; the others are what findings point at: of a
// number in the wrong hands (C004) the number, whose it is, and where the claim's own
// entity stands.
const (
	RoleQuote Role = iota
	RoleNear
	RoleFact
	RoleNearest
	RoleNumber
	RoleOwner
	RoleOwn
	RoleElsewhere
	RoleContrary
	RoleArguments
	RoleFailure
	RoleOther
)

func roleOf(word string) Role {
	switch word {
	case "nearest":
		return RoleNearest
	case "number":
		return RoleNumber
	case "owner":
		return RoleOwner
	case "own":
		return RoleOwn
	case "elsewhere":
		return RoleElsewhere
	case "contrary":
		return RoleContrary
	case "arguments":
		return RoleArguments
	case "failure":
		return RoleFailure
	case "facts":
		return RoleFact
	}
	return RoleOther
}

// Spot is one place that the occurrence keys walk.
type Spot struct {
	Ref     string           // the trace
	Spans   []grounding.Span // one, or several for a quote with parts left out and for facts
	Role    Role
	Binding int // index into the claim's bindings, or -1
}

// Extent is the smallest span that holds the whole spot.
func (s *Spot) Extent() grounding.Span { return grounding.Occurrence{Spans: s.Spans}.Extent() }

// MarkKind says why bytes of a trace are marked.
type MarkKind uint8

// The kinds, from weakest to strongest.
const (
	MarkOther   MarkKind = iota // a spot that is not looked at
	MarkFact                    // a fact of the claim
	MarkCurrent                 // the spot looked at
	MarkEdited                  // bytes of the tool that the model's quote words otherwise or leaves out
)

// Mark marks bytes of the trace shown.
type Mark struct {
	Span grounding.Span
	Kind MarkKind
}

// Evidence is what the selection points at in the traces.
type Evidence struct {
	Spots   []Spot
	Current int    // the one looked at; -1 when there are none
	Marks   []Mark // in the trace of the current spot, or the one shown
	// Diff is the difference between the model's quote and the tool's words, when the
	// binding of the current spot was found near only; Ref is its trace.
	Diff []grounding.DiffOp
	Ref  string
	// Absent is set when the excerpt of the selected binding stands nowhere.
	Absent *Absence

	facts  []gate.FactMark
	shown  string
	report func(binding int) *gate.BindingReport
}

// Absence is an excerpt that stands nowhere in what may be cited.
type Absence struct {
	Excerpt string
	Ref     string // the trace cited
	Missing bool   // there is no such trace
	Traces  int    // how many were searched
	Bytes   int    // and how many bytes
}

// evidence derives what the selection points at.
func (v *View) evidence() Evidence {
	e := Evidence{Current: -1, shown: v.Sel.Trace}
	c := v.Claim()
	e.report = func(i int) *gate.BindingReport {
		if c == nil || i < 0 || i >= len(c.Bindings) {
			return nil
		}
		return c.Bindings[i].Report
	}
	if f := v.Finding(); f != nil {
		for _, p := range f.Places {
			e.Spots = append(e.Spots, Spot{Ref: p.TraceRef, Spans: []grounding.Span{p.Span}, Role: roleOf(p.Role), Binding: f.Binding})
		}
	}
	if c == nil {
		return e
	}
	if b := v.Binding(); b != nil {
		e.quotes(b)
		e.Absent = v.absence(b)
	} else {
		for i := range c.Bindings {
			e.quotes(&c.Bindings[i])
		}
		if len(c.Bindings) == 1 {
			e.Absent = v.absence(&c.Bindings[0])
		}
	}
	if c.Gate != nil {
		e.facts = c.Gate.Facts
	}
	return e
}

// quotes adds the occurrences of a binding's excerpt.
func (e *Evidence) quotes(b *Binding) {
	if b.Report == nil {
		return
	}
	role := RoleQuote
	switch b.Report.Tier {
	case grounding.Near:
		role = RoleNear
	case grounding.Paraphrase:
		role = RoleFact
	case grounding.Exact, grounding.Folded, grounding.Fragments, grounding.CannotCheck:
	case grounding.Absent:
		return
	}
	for _, o := range b.Report.Occurrences {
		if len(o.Spans) > 0 && !e.has(b.TraceRef, o.Spans[0]) {
			e.Spots = append(e.Spots, Spot{Ref: b.TraceRef, Spans: o.Spans, Role: role, Binding: b.Index})
		}
	}
}

// has reports whether a spot starts with that very span.
func (e *Evidence) has(ref string, s grounding.Span) bool {
	for i := range e.Spots {
		if e.Spots[i].Ref == ref && e.Spots[i].Spans[0] == s {
			return true
		}
	}
	return false
}

// absence tells that an excerpt stands nowhere, or nil when it does somewhere.
func (v *View) absence(b *Binding) *Absence {
	if !b.Missing && b.Tier() != grounding.Absent {
		return nil
	}
	for _, i := range b.Findings {
		for _, p := range v.Findings[i].Places {
			if roleOf(p.Role) == RoleElsewhere {
				return nil
			}
		}
	}
	a := &Absence{Excerpt: b.Source.EvidenceExcerpt, Ref: b.TraceRef, Missing: b.Missing}
	a.Traces, a.Bytes = v.TracesSize()
	return a
}

// finish chooses the current spot and derives its marks.
func (e *Evidence) finish(current int) {
	e.Current = -1
	if len(e.Spots) > 0 {
		e.Current = current
	}
	for i := range e.Spots {
		s := &e.Spots[i]
		if s.Ref != e.shown {
			continue
		}
		kind := MarkOther
		switch {
		case i == e.Current:
			kind = MarkCurrent
		case s.Role == RoleFact:
			kind = MarkFact
		}
		for _, span := range s.Spans {
			e.Marks = append(e.Marks, Mark{span, kind})
		}
	}
	for _, f := range e.facts {
		if f.Found && f.TraceRef == e.shown {
			for _, span := range f.Spans {
				e.Marks = append(e.Marks, Mark{span, MarkFact})
			}
		}
	}
	if e.Current < 0 {
		return
	}
	s := &e.Spots[e.Current]
	r := e.report(s.Binding)
	if r == nil || r.Tier != grounding.Near || len(r.Occurrences) == 0 || len(r.Occurrences[0].Spans) == 0 || r.Occurrences[0].Spans[0] != s.Spans[0] {
		return
	}
	e.Diff, e.Ref = r.Diff, s.Ref
	for _, op := range r.Diff {
		if op.Kind != grounding.DiffEqual && op.Source.Len() > 0 && s.Ref == e.shown {
			e.Marks = append(e.Marks, Mark{op.Source, MarkEdited})
		}
	}
}
