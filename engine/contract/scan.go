package contract

import (
	"strings"
)

// candidate is one JSON value that stands in a text.
type candidate struct {
	root  *Node
	edits []Edit // repairs inside it
}

// scanned is what a look over a whole text finds.
type scanned struct {
	candidates []candidate
	reasoning  []Span
	err        error // a limit that was met
}

// scanner goes over a text once, from its start. Outside of JSON values it knows
// reasoning blocks and prose; a value is read strictly and, when it looks like
// what is expected, with repairs.
type scanner struct {
	s       string
	pos     int
	role    *role        // of the objects to expect
	any     bool         // repair any object, not just what is expected
	doom    map[int]bool // containers that were open where a strict reading failed
	escapes int          // regions of escaped JSON that were tried
	arena   arena
	scanned
}

// maxEscapes bounds how many regions of escaped JSON are looked into, each at
// the cost of the rest of the text.
const maxEscapes = 2

// scan looks for values of the role. When there is none it looks again and
// repairs whatever looks like an object.
func scan(s string, r *role) scanned {
	first := scanOnce(s, r, false)
	if first.err != nil || first.fits(s, r) {
		return first
	}
	if second := scanOnce(s, r, true); second.err == nil && second.fits(s, r) {
		return second
	}
	return first
}

func scanOnce(s string, r *role, anyObject bool) scanned {
	sc := &scanner{s: s, role: r, any: anyObject, doom: map[int]bool{}}
	for sc.pos < len(s) && sc.err == nil {
		sc.step()
	}
	return sc.scanned
}

// fits reports whether some value is what was looked for.
func (s *scanned) fits(text string, r *role) bool {
	for _, cand := range s.candidates {
		if len(find(text, cand.root, r)) > 0 {
			return true
		}
	}
	return false
}

func (sc *scanner) step() {
	switch sc.s[sc.pos] {
	case '{', '[', '"', '<', "｛"[0], "◁"[0]:
	default:
		sc.pos++
		return
	}
	if t := tagAt(sc.s, sc.pos); t.size > 0 {
		sc.tag(t)
		return
	}
	switch sc.s[sc.pos] {
	case '"':
		sc.quoted()
	case '[':
		if next := skipBlanks(sc.s, sc.pos+1); next >= len(sc.s) || sc.s[next] != '{' || !sc.strictly() {
			sc.pos++
		}
	default:
		sc.object()
	}
}

// tag passes over a reasoning block. A closing tag without an opening one means
// that all before it was reasoning, unless nothing follows it.
func (sc *scanner) tag(t tag) {
	if !t.close {
		end := blockEnd(sc.s, sc.pos, t)
		sc.reasoning = append(sc.reasoning, Span{sc.pos, end})
		sc.pos = end
		return
	}
	end := sc.pos + t.size
	sc.pos = end
	if skipBlanks(sc.s, end) < len(sc.s) {
		sc.reasoning = []Span{{0, end}}
		sc.candidates = nil
	}
}

// strictly reads the value at pos as it stands.
func (sc *scanner) strictly() bool {
	if sc.doom[sc.pos] {
		delete(sc.doom, sc.pos)
		return false
	}
	r := strict{s: sc.s, pos: sc.pos, start: sc.pos, arena: &sc.arena}
	mark := r.mark()
	n := r.value(0)
	if n == nil {
		r.rollback(mark)
		if r.err != ErrSyntax { //nolint:errorlint // a sentinel, never wrapped here
			sc.err = r.failure()
		}
		for _, at := range r.open {
			sc.doom[at] = true
		}
		return false
	}
	if n.Kind == ObjectNode && sc.closedEarly(r.pos) {
		return false
	}
	sc.pos = r.pos
	if !sc.add(candidate{root: n}) {
		r.rollback(mark)
	}
	return true
}

// maxCandidates bounds how many values of a text are kept.
const maxCandidates = 64

// add keeps a value. A value whose text is that of the one before, as in a loop
// of repetitions, is passed over, and so are more values than are compared: of
// those that look like what is expected the last ones count, of others the first.
func (sc *scanner) add(c candidate) bool {
	n := len(sc.candidates)
	if n > 0 {
		a, b := sc.candidates[n-1].root.Span, c.root.Span
		if sc.s[a.Start:a.End] == sc.s[b.Start:b.End] {
			return false
		}
	}
	if n >= maxCandidates {
		if !sc.wanted(c.root) {
			return false
		}
		drop := 0
		for i := range sc.candidates {
			if !sc.wanted(sc.candidates[i].root) {
				drop = i
				break
			}
		}
		sc.candidates = append(sc.candidates[:drop], sc.candidates[drop+1:]...)
	}
	sc.candidates = append(sc.candidates, c)
	return true
}

// wanted reports whether a value holds what is expected.
func (sc *scanner) wanted(n *Node) bool { return len(find(sc.s, n, sc.role)) > 0 }

// closedEarly reports whether more members follow at i behind an object.
func (sc *scanner) closedEarly(i int) bool {
	i = ahead(sc.s, i)
	if i >= len(sc.s) {
		return false
	}
	if p, _ := punctAt(sc.s, i); p != comma {
		return false
	}
	k := firstName(sc.s, i, sc.role)
	f, _ := sc.role.lookup(k.text)
	return k.named() && f != nil
}

// object reads the object at pos, or passes over its brace.
func (sc *scanner) object() {
	p, size := punctAt(sc.s, sc.pos)
	if p != openObject {
		sc.pos += max(size, 1)
		return
	}
	next := skipBlanks(sc.s, sc.pos+size)
	if next < len(sc.s) && (sc.s[next] == '\\' || sc.s[next] == '&') {
		if !sc.encoded(sc.pos) {
			sc.pos += size
		}
		return
	}
	if next < len(sc.s) && size == 1 && (sc.s[next] == '"' || sc.s[next] == '}') && sc.strictly() || sc.err != nil {
		return
	}
	if !sc.expected(next) {
		sc.pos += size
		return
	}
	sc.repair()
}

// expected reports whether a known member name stands at i: behind the brace of
// an object that is worth repairing.
func (sc *scanner) expected(i int) bool {
	k := firstName(sc.s, i, sc.role)
	if k.end == 0 {
		return false
	}
	if sc.any && k.colon && k.start < k.end && !isIdentStart(sc.s[k.start]) {
		return true
	}
	f, _ := sc.role.lookup(k.text)
	return f != nil
}

// repair reads the object at pos with repairs.
func (sc *scanner) repair() {
	f := newFixer(sc.s, sc.role, &sc.arena)
	n := f.read(sc.pos)
	if n == nil {
		sc.err = f.err
		return
	}
	sc.add(candidate{root: n, edits: f.edits})
	sc.reasoning = append(sc.reasoning, f.reasoning...)
	sc.pos = max(f.end, sc.pos+1)
}

// quoted reads JSON that was written into a string, at its opening quote.
func (sc *scanner) quoted() {
	if sc.any {
		// An object whose first bracket is missing, as when it was given to the
		// model as the start of its reply.
		k := peekKey(sc.s, sc.pos)
		if f := sc.role.exact[k.text]; k.colon && f != nil && (sc.role.loose || f.kind == versionField || f.role == claimRole) {
			sc.repair()
			return
		}
	}
	next := skipEscapedBlanks(sc.s, sc.pos+1)
	if next+1 >= len(sc.s) || sc.s[next] != '{' {
		sc.pos++
		return
	}
	r := strict{s: sc.s, pos: sc.pos, arena: &sc.arena}
	if text, _, ok := r.str(); ok && holdsJSON(text) {
		n := &Node{Kind: StringNode, Span: Span{sc.pos, r.pos}, Text: text}
		if nested, _ := readNested(sc.s, n); nested != nil {
			sc.add(candidate{root: n})
			sc.pos = r.pos
			return
		}
	}
	sc.pos = next
}

// skipEscapedBlanks passes over blanks and escaped line breaks.
func skipEscapedBlanks(s string, i int) int {
	for i < len(s) {
		if n := blankAt(s, i); n > 0 {
			i += n
			continue
		}
		if strings.HasPrefix(s[i:], `\n`) || strings.HasPrefix(s[i:], `\r`) || strings.HasPrefix(s[i:], `\t`) {
			i += 2
			continue
		}
		break
	}
	return i
}

// encoded reads an object whose quotes are all written another way: escaped, as
// inside a string whose own quotes were lost, or as HTML entities. It reports
// false when there is none at pos.
func (sc *scanner) encoded(pos int) bool {
	next := skipEscapedBlanks(sc.s, pos+1)
	decode, why, size := unescapeMapped, WhyEscapedQuotes, 2
	if !strings.HasPrefix(sc.s[next:], `\"`) {
		if size = entityQuote(sc.s, next); size == 0 {
			return false
		}
		decode, why = entitiesMapped, WhyEntities
	}
	name := word(sc.s, next+size)
	if f, _ := sc.role.lookup(name); f == nil && !sc.any {
		return false
	}
	if sc.escapes++; sc.escapes > maxEscapes {
		return false
	}
	end := len(sc.s)
	if why == WhyEscapedQuotes {
		for end = pos; end < len(sc.s) && sc.s[end] != '"'; end++ {
			if sc.s[end] == '\\' {
				end++
			}
		}
		end = min(end, len(sc.s))
	}
	text, o := decode(sc.s, Span{pos, end})
	inner := &scanner{s: text, role: sc.role, any: sc.any, doom: map[int]bool{}}
	inner.object()
	if sc.err = inner.err; sc.err != nil || len(inner.candidates) != 1 {
		return false
	}
	got := inner.candidates[0]
	whole := got.root.Span
	raw := Span{o.at(whole.Start), o.at(whole.End)}
	fixed := apply(text, whole, got.edits)
	move(got.root, func(s Span) Span { return Span{o.at(s.Start), o.at(s.End)} }, 0)
	sc.add(candidate{
		root:  got.root,
		edits: []Edit{{Offset: raw.Start, Removed: sc.s[raw.Start:raw.End], Inserted: fixed, Why: why}},
	})
	sc.pos = raw.End
	return true
}

// repairNested reads JSON inside a string with repairs; nil when there is none.
func repairNested(s string, r *role) (*Node, []Edit) {
	sc := scan(s, r)
	for _, cand := range sc.candidates {
		if cand.root.Kind >= ArrayNode {
			return cand.root, cand.edits
		}
	}
	return nil, nil
}
