package gate

import (
	"bytes"
	"strings"

	"claimscope/engine/grounding"
)

// siblingSwap finds a number of the claim that is cited from a sibling of the thing which
// the claim names: es-1's row for es-2, another host's part of an output, another node's
// column. The claim must not speak of the sibling, its own thing must have a row, part or
// column there, and the number must not stand in it.
func (w *claimWork) siblingSwap(f fact, owners []entity, g []ground) (conflict, bool) {
	for _, o := range owners {
		if o.f.kind != identFact || !hasDigit(o.f.name) || len(o.f.name) < 4 {
			continue
		}
		for _, x := range g {
			for _, s := range x.exact {
				for _, n := range x.ev.facts.FindIn(f.num, s, true, 4) {
					if c, ok := w.siblingAt(f, n.Span, o, x.ev); ok {
						return c, true
					}
				}
			}
		}
	}
	return conflict{}, false
}

func (w *claimWork) siblingAt(f fact, at grounding.Span, o entity, e *evidence) (conflict, bool) {
	raw := e.text.Raw()
	_, line := e.text.Line(at.Start)
	if line.End-line.Start > maxRowBytes {
		return conflict{}, false
	}
	lower := bytes.ToLower(raw[line.Start:line.End])
	name := strings.ToLower(o.f.name)
	if len(grounding.FindIdent(lower, name, 1)) > 0 {
		return conflict{}, false
	}
	owner, ok := siblingIn(raw, line, name)
	part := false
	if !ok {
		if owner, ok = columnSibling(e, at, name); !ok {
			owner, ok = headingSibling(e, line, name)
			part = true
		}
	}
	if !ok {
		return conflict{}, false
	}
	label := string(raw[owner.Start:owner.End])
	asked := func(n string) bool { return len(e.args.Ident(n, 1)) > 0 }
	if mentions(w.claim.ClaimText, label) || asked(name) && !asked(label) {
		return conflict{}, false // the output is the entity's own, which names others
	}
	own, ok := ownPlace(f, o, e, part, raw[line.Start:line.End])
	if !ok {
		return conflict{}, false
	}
	return conflict{ev: e, number: at, owner: owner, entity: o, own: own}, true
}

// maxRowBytes bounds a row whose names are compared.
const maxRowBytes = 2000

// ownPlace finds the entity's own row, heading or column, in whose row the number must
// not stand. Of a part with a heading, the same line must not stand in the own part.
func ownPlace(f fact, o entity, e *evidence, part bool, line []byte) (grounding.Span, bool) {
	raw := e.text.Raw()
	var own grounding.Span
	for _, s := range o.places(e, maxPlaces) {
		_, l := e.text.Line(s.Start)
		if part {
			if !isHeading(raw[l.Start:l.End]) {
				continue
			}
			end := min(len(raw), l.End+maxPartBytes)
			if bytes.Contains(raw[l.End:partEnd(e, l, end, o.f.name)], bytes.TrimSpace(line)) {
				return own, false
			}
		} else if len(e.facts.FindIn(f.num, l, true, 1)) > 0 {
			return own, false
		}
		own = s
	}
	return grounding.Span{}, own.End > own.Start
}

// maxPartBytes bounds the part of an output below one heading.
const maxPartBytes = 64 << 10

// partEnd is where the part below a heading ends: at the next heading with a sibling.
func partEnd(e *evidence, heading grounding.Span, limit int, name string) int {
	raw := e.text.Raw()
	for at := heading.End; at < limit; {
		_, l := e.text.Line(min(at+1, limit-1))
		if l.End <= at {
			break
		}
		if isHeading(raw[l.Start:l.End]) {
			if _, ok := siblingIn(raw, l, strings.ToLower(name)); ok {
				return l.Start
			}
		}
		at = l.End
	}
	return limit
}

var nameToken = grounding.NewPattern(`[A-Za-z0-9][A-Za-z0-9._-]*`)

// siblingIn finds a sibling of name among the names of a line.
func siblingIn(raw []byte, line grounding.Span, name string) (grounding.Span, bool) {
	for _, m := range nameToken.FindAllIndex(raw[line.Start:line.End], 64) {
		if siblings(strings.ToLower(string(raw[line.Start+m[0]:line.Start+m[1]])), name) {
			return grounding.Span{Start: line.Start + m[0], End: line.Start + m[1]}, true
		}
	}
	return grounding.Span{}, false
}

// siblings reports two names of one make: the same up to a part with a digit, which both
// have (db-07 and db-08, gpu-k7p2x and gpu-k7p2z). Addresses are written everywhere and
// make none.
func siblings(a, b string) bool {
	if a == b || len(a) != len(b) || strings.Trim(a, "0123456789.") == "" {
		return false
	}
	i, j := 0, len(a)
	for i < len(a) && a[i] == b[i] {
		i++
	}
	for j > i && a[j-1] == b[j-1] {
		j--
	}
	// What differs lies within one part of the names.
	if strings.ContainsAny(a[i:j], "._-") || strings.ContainsAny(b[i:j], "._-") {
		return false
	}
	from := strings.LastIndexAny(a[:i], "._-") + 1
	to := len(a)
	if k := strings.IndexAny(a[j:], "._-"); k >= 0 {
		to = j + k
	}
	return i >= 2 && strings.Trim(a[:i], "0123456789._-") != "" && hasDigit(a[from:to]) && hasDigit(b[from:to])
}

// columnSibling finds a sibling that heads the column of a place: the nearest line above
// that names both the entity and a sibling, and of its names the one that is aligned with
// the place.
func columnSibling(e *evidence, at grounding.Span, name string) (grounding.Span, bool) {
	raw := e.text.Raw()
	_, line := e.text.Line(at.Start)
	left, right := at.Start-line.Start, at.End-line.Start
	for range maxHeadingLines {
		if line.Start == 0 {
			break
		}
		_, line = e.text.Line(line.Start - 1)
		if line.End-line.Start > maxRowBytes || len(grounding.FindIdent(bytes.ToLower(raw[line.Start:line.End]), name, 1)) == 0 {
			continue
		}
		for _, m := range nameToken.FindAllIndex(raw[line.Start:line.End], 64) {
			if m[0] != left && m[1] != right {
				continue
			}
			s := grounding.Span{Start: line.Start + m[0], End: line.Start + m[1]}
			return s, siblings(strings.ToLower(string(raw[s.Start:s.End])), name)
		}
		break
	}
	return grounding.Span{}, false
}

// maxHeadingLines bounds how far above a line its heading is looked for.
const maxHeadingLines = 400

// headingSibling finds the nearest heading above a line that names the entity or a sibling
// of it; ok is false when that is the entity itself.
func headingSibling(e *evidence, line grounding.Span, name string) (grounding.Span, bool) {
	raw := e.text.Raw()
	for range maxHeadingLines {
		if line.Start == 0 {
			break
		}
		_, line = e.text.Line(line.Start - 1)
		text := raw[line.Start:line.End]
		if !isHeading(text) {
			continue
		}
		if len(grounding.FindIdent(bytes.ToLower(text), name, 1)) > 0 {
			return grounding.Span{}, false
		}
		if s, ok := siblingIn(raw, line, name); ok {
			return s, true
		}
	}
	return grounding.Span{}, false
}

// isHeading reports a line that names what stands below it: Name: web-1, == db-07 ==,
// db-07 | CHANGED | rc=0 >>, $ ssh db-07 df.
func isHeading(line []byte) bool {
	const longest = 80 // bytes
	if len(line) == 0 || len(line) > longest || line[0] == ' ' || line[0] == '\t' || line[0] == '{' || line[0] == '"' {
		return false
	}
	return headingLine.Match(line)
}

var headingLine = grounding.NewPattern(`^(=+|-{2,}|#+|\*+|>+|\[|\$ |\+ )|[:>]+\s*$|^(?i)(name|host|hostname|node|instance|pod|container|device|broker|server|member)\s*[:=]|\| *(changed|success)`)

// mentions reports that a text names a thing, in full or by its last number: 01 for
// core-01.
func mentions(text, label string) bool {
	lower := strings.ToLower(text)
	if label = strings.ToLower(label); strings.Trim(label, "/.-") == "" {
		return strings.Contains(" "+lower, " "+label+" ")
	}
	if len(grounding.FindIdent([]byte(lower), label, 1)) > 0 {
		return true
	}
	for _, id := range grounding.Identifiers(text) {
		if holdsEntity([]byte(label), entity{f: fact{kind: identFact, name: id.Text}}) {
			return true
		}
	}
	_, number, ok := numbered(label)
	return ok && len(number) > 1 && len(grounding.FindIdent([]byte(lower), number, 1)) > 0
}
