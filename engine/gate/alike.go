package gate

import (
	"strings"

	"claimscope/engine/grounding"
)

// alikeLines looks for a number in plain lines of one form (hops of a traceroute, log
// lines of one statement): the line of the number has another name where the entity's own
// line has the entity. It gives that other name and the entity's own number.
func alikeLines(p grounding.Span, o entity, e *evidence) (other, own grounding.Span, ok bool) {
	if o.f.kind != identFact || o.whole {
		return other, own, false
	}
	line := lineOf(e, p)
	words, form := formOf(e, line)
	if len(words) < 3 || len(words) > 64 {
		return other, own, false
	}
	for _, s := range clip(findName(e.facts, o.f.name, 16), 16) {
		mine := lineOf(e, s)
		if mine == line {
			return other, own, false
		}
		theirs, f := formOf(e, mine)
		if f != form {
			continue
		}
		for i, x := range theirs {
			if s.Start < x.Start || s.End > x.End || i >= len(words) {
				continue
			}
			raw := e.text.Raw()
			if string(raw[words[i].Start:words[i].End]) == string(raw[x.Start:x.End]) {
				continue
			}
			for j, y := range words {
				if p.Start >= y.Start && p.Start < y.End && string(raw[y.Start:y.End]) != string(raw[theirs[j].Start:theirs[j].End]) {
					other, own, ok = words[i], theirs[j], true
				}
			}
		}
	}
	return other, own, ok
}

func lineOf(e *evidence, s grounding.Span) grounding.Span {
	_, l := e.text.Line(s.Start)
	return l
}

// formOf cuts a line at blanks and gives its form: what has digits is a place holder, the
// words in between must agree.
func formOf(e *evidence, l grounding.Span) ([]grounding.Span, string) {
	raw := e.text.Raw()
	if l.End-l.Start > 600 {
		return nil, ""
	}
	var words []grounding.Span
	var form strings.Builder
	for i := l.Start; i < l.End; {
		for i < l.End && (raw[i] == ' ' || raw[i] == '\t') {
			i++
		}
		start := i
		for i < l.End && raw[i] != ' ' && raw[i] != '\t' {
			i++
		}
		if i == start {
			continue
		}
		w := string(raw[start:i])
		words = append(words, grounding.Span{Start: start, End: i})
		if hasDigit(w) || strings.ContainsAny(w, "-_./@") {
			w = "#"
		}
		form.WriteString(w)
		form.WriteByte(' ')
	}
	return words, form.String()
}
