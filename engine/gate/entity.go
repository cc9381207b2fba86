package gate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"claimscope/engine/grounding"
)

// maxPlaces bounds the places of a name or number that are compared.
const maxPlaces = 256

// entity is a name of the claim, or a number that names a thing (3 号分区).
type entity struct {
	f     fact
	label string
	whole bool // a plain word, which names something only where it fills a cell
}

// entities raises C004: the number stands in the evidence, but in the row, object or
// block of another thing than the claim says.
func (w *claimWork) entities() {
	g := w.grounds()
	if len(g) == 0 || w.statuses(g, false) {
		return
	}
	text := w.claim.ClaimText
	facts := factsOf(text)
	for i, f := range facts {
		m, found := w.foundDirectly(f)
		if !found || f.kind == timeFact || f.kind == numberFact && (f.num.Key || f.num.Fraction) || f.kind == identFact && !f.id.IsValue() {
			continue
		}
		if other, ok := w.otherResource(f, m, g); ok {
			fd := w.finding(CodeOtherEntity, w.ptr+"/claim_text", resourceMessage(f, other))
			fd.Quote, fd.Places = f.text, []Place{{TraceRef: other.ev.Ref, Span: other.span, Role: "number"}}
			w.rep.Findings = append(w.rep.Findings, fd)
			return
		}
		owners := slices.DeleteFunc(ownersOf(text, facts, i), w.unfoundTime)
		if len(owners) == 0 {
			continue
		}
		c, ok := conflictOf(f, m, owners, g)
		if ok && (f.kind == numberFact && w.alsoSpokenOf(f, c) || w.saysOwn(facts, i, c)) {
			continue
		}
		if !ok && f.kind == numberFact {
			c, ok = w.siblingSwap(f, owners, g)
		}
		if ok {
			if f.kind == numberFact && f.num.Digits() <= 2 && things[f.num.Units[0].Name] && !citesOwn(c, g) && !spokenField(w.claim.ClaimText, c) {
				continue // 2 个 counts what the claim speaks of; a cell with a 2 is no such count
			}
			if f.kind == numberFact && f.num.Digits() <= 2 && f.num.Units[0].Name != "" && (f.num.Words || !citesOwn(c, g)) && w.counted(g, f) {
				continue
			}
			fd := w.finding(CodeOtherEntity, w.ptr+"/claim_text", c.message(f))
			fd.Quote = f.text
			fd.Places = c.places()
			w.rep.Findings = append(w.rep.Findings, fd)
			return
		}
	}
}

// alsoSpokenOf reports that the clause of a number, or where its own names nothing the
// claim up to it, speaks of the thing whose number it is: / is at 48% and /data at 60%.
func (w *claimWork) alsoSpokenOf(f fact, c conflict) bool {
	text := w.claim.ClaimText
	seg := grounding.SegmentAt(text, f.span.Start)
	owner := string(c.ev.text.Raw()[c.owner.Start:c.owner.End])
	if len(grounding.FindIdent([]byte(text[seg.Start:seg.End]), c.entity.label, 1)) == 0 {
		seg.Start = 0 // its thing was named before
	}
	return mentions(text[seg.Start:seg.End], owner) || seg.Start == 0 && translatesName(w.claim.ClaimText, f.span.Start, owner)
}

// translatesName reports that the clause at offset says a name in Chinese: 会话使用率 for
// Sess_Used_Pct.
func translatesName(claim string, offset int, name string) bool {
	clause := claim
	for _, c := range grounding.Clauses(claim) {
		if offset >= c.Start && offset < c.End {
			clause = claim[c.Start:c.End]
		}
	}
	terms := grounding.Terms(clause)
	hits := 0
	for _, w := range grounding.NameWords(name) {
		if len(w) >= 3 && translates(terms, w) {
			hits++
		}
	}
	return hits >= 2
}

// citesOwn reports that an excerpt holds the entity's own sample of a query's result.
func citesOwn(c conflict, g []ground) bool {
	for _, x := range g {
		if x.ev == c.ev && c.own.End > c.own.Start && within(c.own, x.exact) {
			own := strings.Trim(string(x.ev.text.Raw()[c.own.Start:c.own.End]), `"' `)
			return x.ev.facts.Shape().FieldAt(c.own.Start) == "value" && own != "" && strings.Trim(own, "0123456789") == ""
		}
	}
	return false
}

// things are counter words for things rather than happenings.
var things = map[string]bool{"个": true, "台": true, "项": true, "只": true, "种": true, "类": true, "组": true, "套": true}

// spokenField reports that a claim says the column or field that it stands in.
func spokenField(claim string, c conflict) bool {
	_, words := topicsOf(claim)
	for _, w := range grounding.NameWords(c.ev.facts.Shape().FieldAt(c.number.Start)) {
		for _, said := range words {
			if len(w) >= 3 && (strings.HasPrefix(w, said) || strings.HasPrefix(said, w)) {
				return true
			}
		}
	}
	return false
}

// unfoundTime reports a time that does not stand in the evidence as such: it is no row's.
func (w *claimWork) unfoundTime(o entity) bool {
	if o.f.kind != timeFact {
		return false
	}
	_, ok := w.foundDirectly(o.f)
	return !ok
}

// saysOwn reports that the claim tells the entity's own value too: in its clause, or as a
// number of its own. The number in question is then meant of something else: A 读了 112 笔，
// 约为 B 的 421 笔的 27%.
func (w *claimWork) saysOwn(facts []fact, i int, c conflict) bool {
	if c.own.End <= c.own.Start {
		return false
	}
	text := w.claim.ClaimText
	own := strings.ToLower(strings.Trim(string(c.ev.text.Raw()[c.own.Start:c.own.End]), "\"'` "))
	seg := grounding.SegmentAt(text, c.entity.f.span.Start)
	if inSeg := facts[i].span.Start >= seg.Start && facts[i].span.Start < seg.End; len(own) > 1 && own[0] >= 'a' && !inSeg && strings.Contains(strings.ToLower(text[seg.Start:seg.End]), own) {
		return true
	}
	ns := c.ev.facts.NumbersIn(c.own)
	if len(ns) != 1 {
		return false
	}
	value := c.ev.facts.Quantity(ns[0])
	for j, k := range facts {
		if j == i || k.kind != numberFact || !grounding.Matches(k.num, value, true) {
			continue
		}
		for _, o := range ownersOf(text, facts, j) {
			if o.label == c.entity.label {
				return true
			}
		}
	}
	return false
}

// foundDirectly returns the mark of a fact that stands in the evidence as such.
func (w *claimWork) foundDirectly(f fact) (FactMark, bool) {
	for _, m := range w.rep.Facts {
		if m.Start == f.span.Start && m.Kind == f.kind.String() {
			return m, m.Found && m.Derived == ""
		}
	}
	return FactMark{}, false
}

// maxTimedBytes bounds the outputs in which a time can be the key of a row.
const maxTimedBytes = 1 << 20

// places lists where the entity stands, at most limit.
func (o entity) places(e *evidence, limit int) []grounding.Span {
	switch o.f.kind {
	case numberFact:
		return spansOf(e.facts.Find(o.f.num, false, limit))
	case timeFact:
		if len(e.Output) > maxTimedBytes {
			return nil
		}
		return timeSpans(o.f.at, e.facts.Times(), limit)
	case identFact:
	}
	return clip(findName(e.facts, o.f.name, limit), limit)
}

// conflict is a number that belongs to another entity.
type conflict struct {
	ev     *evidence
	number grounding.Span // the number, in the other's record
	owner  grounding.Span // what stands where the claim's entity should
	entity entity
	own    grounding.Span // the entity's own value, when its record has one; may be empty
}

// conflictOf compares the records of a number with those of its entities. Entities of
// one slot (two pods of one column) are alternatives; those of different slots (topic
// and partition) must all agree.
func conflictOf(f fact, m FactMark, owners []entity, g []ground) (conflict, bool) {
	var found conflict
	for _, x := range g {
		slots := map[grounding.Slot][]entity{}
		var order []grounding.Slot
		for _, o := range owners {
			for _, s := range slotsOf(o, x.ev) {
				if len(slots[s]) == 0 {
					order = append(order, s)
				}
				slots[s] = append(slots[s], o)
			}
		}
		if len(order) == 0 {
			c, ok := plainConflict(f, owners, x)
			if !ok {
				if f.kind == numberFact && len(x.ev.facts.FindIn(f.num, firstSpan(x.cited), true, 1)) > 0 {
					return conflict{}, false // carried where nothing tells the entities apart
				}
				continue
			}
			found = c
			continue
		}
		if fineAt(f, x, order, slots) {
			return conflict{}, false
		}
		places := valuePlaces(f, x.ev)
		if len(places) == 0 && m.TraceRef == x.ev.Ref {
			places = sameValues(m.Spans, x.ev) // found in another form, such as an interval printed as a clock
		}
		places = citedColumn(places, x)
		bad, c := 0, conflict{}
		for _, p := range places {
			verdict, owner, e := judgePlace(p, x.ev, order, slots)
			if verdict == placeFine {
				return conflict{}, false
			}
			if verdict == placeOther {
				own, ok := ownValue(e, p, x.ev)
				if !ok {
					continue
				}
				if own.End > own.Start && holdsFact(f, x.ev, own) {
					return conflict{}, false // both have it
				}
				if f.kind == numberFact && own.End > own.Start && !isNumber(x.ev, own) {
					continue // 0/1 or a name in its place: another column
				}
				bad++
				if bad == 1 || within(p, x.exact) {
					c = conflict{ev: x.ev, number: p, owner: owner, entity: e, own: own}
				}
			} else if f.kind == identFact || f.num.Digits() >= 3 || within(p, x.cited) {
				return conflict{}, false
			}
		}
		if bad == 0 {
			c, _ = plainConflict(f, owners, x)
		}
		if c.ev != nil {
			found = c
		}
	}
	return found, found.ev != nil
}

// isNumber reports a value that is one number with at most a unit.
func isNumber(e *evidence, s grounding.Span) bool {
	if i := bytes.Index(e.text.Raw()[s.Start:s.End], []byte(" (")); i > 0 {
		s.End = s.Start + i // 2510 (18s ago)
	}
	ns := e.facts.NumbersIn(s)
	if len(ns) == 0 {
		return false
	}
	q := e.facts.Quantity(ns[0])
	return !q.Fraction && q.Span.Start-s.Start <= 1 && s.End-max(q.Span.End, ns[0].Span.End) <= 2 && len(ns) == 1
}

// sameValues adds to the places of a number those of its column or field with its value.
func sameValues(places []grounding.Span, e *evidence) []grounding.Span {
	out := slices.Clone(places)
	for _, p := range places[:min(1, len(places))] {
		ns := e.facts.NumbersIn(p)
		if len(ns) == 0 {
			continue
		}
		for _, series := range e.facts.Series(ns[0].Span.Start) {
			for _, n := range series {
				if n.Float == ns[0].Float && n.Span != ns[0].Span && len(out) < maxPlaces {
					out = append(out, n.Span)
				}
			}
		}
	}
	return out
}

// holdsFact reports that the value at s is what the fact says.
func holdsFact(f fact, e *evidence, s grounding.Span) bool {
	return len(directSpans(f, e, []grounding.Span{s}, []grounding.Span{s}, 1)) > 0
}

// fineAt reports that a cited place of the number is in a record of its entities, which
// spares looking at all places.
func fineAt(f fact, x ground, order []grounding.Slot, slots map[grounding.Slot][]entity) bool {
	var places []grounding.Span
	if f.kind == identFact {
		places = inSpans(valuePlaces(f, x.ev), x.cited, 8)
	}
	for _, s := range x.cited {
		if f.kind == numberFact {
			places = append(places, spansOf(x.ev.facts.FindIn(f.num, s, true, 8))...)
		}
	}
	for _, p := range places {
		if v, _, _ := judgePlace(p, x.ev, order, slots); v == placeFine {
			return true
		}
	}
	return false
}

// valuePlaces lists where a number stands, or a name that fills its cell alone.
func valuePlaces(f fact, e *evidence) []grounding.Span {
	if f.kind == numberFact {
		return spansOf(e.facts.Find(f.num, true, maxPlaces))
	}
	var out []grounding.Span
	for _, s := range clip(findName(e.facts, f.name, maxPlaces), maxPlaces) {
		if wholeCell(e, s) {
			out = append(out, s)
		}
	}
	return out
}

// citedColumn keeps the places in the columns and fields of the cited ones: those are what
// the claim speaks of. Without a cited place all stay.
func citedColumn(places []grounding.Span, x ground) []grounding.Span {
	shape := x.ev.facts.Shape()
	slots := map[grounding.Slot]bool{}
	for _, p := range places {
		if !within(p, x.cited) {
			continue
		}
		_, slot, ok := shape.SlotOf(p)
		if !ok {
			return places
		}
		slots[slot] = true
	}
	if len(slots) == 0 {
		return places
	}
	var out []grounding.Span
	for _, p := range places {
		if _, slot, ok := shape.SlotOf(p); ok && slots[slot] {
			out = append(out, p)
		}
	}
	return out
}

// plainConflict compares the lines of one form, where there is no table or object: all
// cited places of the number must be on lines of another name.
func plainConflict(f fact, owners []entity, x ground) (conflict, bool) {
	var c conflict
	if f.kind != numberFact || len(owners) != 1 || owners[0].f.span.End == 0 || owners[0].f.span.Start > f.span.Start || f.span.Start-owners[0].f.span.End > 40 {
		return c, false
	}
	for _, s := range x.cited {
		for _, q := range x.ev.facts.FindIn(f.num, s, true, 8) {
			other, own, ok := alikeLines(q.Span, owners[0], x.ev)
			if !ok || own.End > own.Start && !isNumber(x.ev, own) {
				return conflict{}, false
			}
			c = conflict{ev: x.ev, number: q.Span, owner: other, entity: owners[0], own: own}
		}
	}
	return c, c.ev != nil
}

func firstSpan(spans []grounding.Span) grounding.Span {
	if len(spans) == 0 {
		return grounding.Span{}
	}
	return spans[0]
}

func within(s grounding.Span, spans []grounding.Span) bool {
	for _, x := range spans {
		if s.Start >= x.Start && s.End <= x.End {
			return true
		}
	}
	return false
}

// ownValue finds what stands in the entity's own record where the number stands in the
// other's: the same column, path or key. Without one nothing contradicts.
func ownValue(o entity, p grounding.Span, e *evidence) (grounding.Span, bool) {
	shape := e.facts.Shape()
	_, slot, ok := shape.SlotOf(p)
	if !ok {
		return grounding.Span{}, blockOwner(shape, p)
	}
	if slot.Sample() {
		return grounding.Span{}, true // a series of its own has samples of its own
	}
	spans := o.places(e, maxPlaces)
	for _, s := range spans {
		if v, ok := shape.InSlot(s.Start, slot); ok && v != p && v.Start != s.Start {
			return v, true
		}
	}
	return grounding.Span{}, false
}

// blockOwner reports values of indented blocks, whose keys are slots of their own.
func blockOwner(shape *grounding.Shape, p grounding.Span) bool {
	return shape.FieldAt(p.Start) != ""
}

func (c conflict) message(f fact) Message {
	raw := c.ev.text.Raw()
	owner := string(raw[c.owner.Start:c.owner.End])
	m := Message{
		ZH: fmt.Sprintf("%s 在 %s 第 %d 行属于 %s，不属于 %s", quoteShort(f.text), c.ev.Ref, c.ev.lineNo(c.number), quoteShort(owner), quoteShort(c.entity.label)),
		EN: fmt.Sprintf("%s in line %d of %s belongs to %s, not to %s", quoteShort(f.text), c.ev.lineNo(c.number), c.ev.Ref, quoteShort(owner), quoteShort(c.entity.label)),
	}
	if c.own.End > c.own.Start {
		own := quoteShort(string(raw[c.own.Start:c.own.End]))
		m.ZH += fmt.Sprintf("，后者是 %s", own)
		m.EN += fmt.Sprintf(", which has %s", own)
	}
	return m
}

func (c conflict) places() []Place {
	out := []Place{{TraceRef: c.ev.Ref, Span: c.number, Role: "number"}, {TraceRef: c.ev.Ref, Span: c.owner, Role: "owner"}}
	if c.own.End > c.own.Start {
		out = append(out, Place{TraceRef: c.ev.Ref, Span: c.own, Role: "own"})
	}
	return out
}

// counted reports a small number with a counter word that counts something in the
// evidence: 其余 4 个 is then no cell of another's row.
func (w *claimWork) counted(g []ground, f fact) bool {
	c := newCarrier(g, w.claim.ClaimText, w.session)
	for _, m := range w.rep.Facts {
		for _, k := range factsOf(w.claim.ClaimText) {
			if k.kind == numberFact && k.span.Start == m.Start && m.Found && k.span != f.span {
				c.note(k, m)
			}
		}
	}
	_, ok := c.count(f.num, f.span)
	return ok && f.num.Dim() == grounding.Count && !f.num.HasUnit()
}
