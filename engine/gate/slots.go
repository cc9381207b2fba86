package gate

import (
	"bytes"
	"strings"

	"claimscope/engine/grounding"
)

// slotsOf lists the slots that an entity fills alone: cells and values that are one
// token, no prose.
func slotsOf(o entity, e *evidence) []grounding.Slot {
	shape := e.facts.Shape()
	raw := e.text.Raw()
	spans := o.places(e, maxPlaces)
	seen := map[grounding.Slot]bool{}
	var out []grounding.Slot
	for _, s := range spans {
		rec, slot, ok := shape.SlotOf(s)
		if !ok || seen[slot] {
			continue
		}
		whole, ok := shape.InSlot(s.Start, slot)
		if !ok || isProse(raw[whole.Start:whole.End]) || rec.Span.End-rec.Span.Start >= len(raw) {
			continue
		}
		if o.whole && whole.End-whole.Start != s.End-s.Start {
			continue
		}
		if o.f.kind == numberFact && (whole.End-whole.Start != s.End-s.Start || !keyColumn(shape.ColumnName(slot))) {
			continue
		}
		seen[slot] = true
		out = append(out, slot)
	}
	return out
}

// isProse reports cells that are texts, not names: SQL, messages.
func isProse(cell []byte) bool {
	spaces := bytes.Count(cell, []byte(" "))
	return spaces > 2 || spaces > 0 && len(cell) > 48 || len(cell) > 256
}

// keyColumn reports a column that can hold the key that a number names: its name
// translates the noun beside the number, or is an id.
func keyColumn(name string) bool {
	n := strings.ToLower(name)
	if n == "" {
		return false
	}
	for _, w := range grounding.NameWords(n) {
		switch strings.Trim(w, "#") {
		case "qid", "tid", "id", "pid", "key", "no", "index", "num", "number", "port", "partition", "shard", "session", "thread", "subtask", "task", "slot":
			return true
		}
	}
	return false
}

type placeVerdict uint8

const (
	placeNeutral placeVerdict = iota
	placeFine
	placeOther
)

// judgePlace says whose a place is.
func judgePlace(p grounding.Span, e *evidence, order []grounding.Slot, slots map[grounding.Slot][]entity) (placeVerdict, grounding.Span, entity) {
	shape := e.facts.Shape()
	raw := e.text.Raw()
	verdict := placeNeutral
	var other grounding.Span
	var who entity
	for _, slot := range order {
		owner, ok := shape.InSlot(p.Start, slot)
		if !ok {
			continue
		}
		text := raw[owner.Start:owner.End]
		mine := false
		for _, o := range slots[slot] {
			if holdsEntity(text, o) || o.f.kind == identFact && lineHolds(e, p, o) {
				mine = true
			}
		}
		if mine {
			if verdict == placeNeutral {
				verdict = placeFine
			}
			continue
		}
		if isProse(text) || owner.Start <= p.Start && p.End <= owner.End || len(grounding.FindIdent(text, string(raw[p.Start:p.End]), 1)) > 0 {
			continue
		}
		verdict, other, who = placeOther, owner, slots[slot][0]
	}
	return verdict, other, who
}

func holdsEntity(text []byte, o entity) bool {
	switch o.f.kind {
	case timeFact:
		ts := grounding.TimePoints(string(text))
		return len(timeSpans(o.f.at, ts, 1)) > 0 || len(ts) == 0 // no time there: nothing refuted
	case identFact:
	case numberFact:
		return strings.Trim(string(text), `"' `) == o.f.num.Value.RatString()
	}
	if stem, number, ok := numbered(o.f.name); ok && stem != "" && string(text) == number {
		return true // the row 21 of osd.21
	}
	if level := strings.ReplaceAll(strings.ToLower(o.f.name), "-", "_"); len(level) >= 8 && strings.Contains(strings.ReplaceAll(strings.ToLower(string(text)), "-", "_"), level) {
		return true // home-timeline in read_home_timeline_client
	}
	return len(grounding.FindIdent([]byte(strings.ToLower(string(text))), strings.ToLower(o.f.name), 1)) > 0 || len(grounding.FindCamelPart(text, o.f.name, 1)) > 0
}

// lineHolds reports that the record of p names the entity elsewhere.
func lineHolds(e *evidence, p grounding.Span, o entity) bool {
	rec := e.facts.Shape().RecordAt(p.Start).Span
	if rec.End-rec.Start > 1<<16 {
		return false
	}
	lower := e.facts.Lower()[rec.Start:rec.End]
	return len(grounding.FindIdent(lower, strings.ToLower(o.f.name), 1)) > 0
}
