package gate

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"claimscope/engine/grounding"
)

var (
	nameBefore = grounding.NewPattern(`([A-Za-z][A-Za-z_.-]*)[ #:]{0,2}$`)
	statuses   = grounding.NewPattern(`^([1-5]\d\d)s?$`)
	loadWindow = grounding.NewPattern(`(?i)(load|负载)`)
)

// asName finds a number that names a thing: GPU 4, Xid 79, Build 1187, the status 504. It
// stands in a line, in the arguments or inside a longer name with the word before it; a
// status may stand alone.
func (c *carrier) asName(f fact, e *evidence) ([]grounding.Span, bool) {
	q := f.num
	if m := statuses.FindStringSubmatch(f.name); m != nil {
		if s := inNames(m[1], e); s != nil {
			return s, true
		}
	}
	if q.Dim() == grounding.Time && q.Units[0].Name == "min" && loadWindow.MatchString(c.sentence) {
		// The three load averages are those of 1, 5 and 15 minutes.
		if v := q.Value; v.IsInt() && (v.Num().Int64() == 1 || v.Num().Int64() == 5 || v.Num().Int64() == 15) {
			return nil, true
		}
	}
	if !q.Value.IsInt() || q.HasUnit() || q.Fraction || q.Words || q.Cmp != grounding.Exactly {
		return nil, false
	}
	digits := strings.TrimRight(f.name, " 号")
	if !allDigits(digits) {
		return nil, false
	}
	if q.Key || len(digits) > 1 && digits[0] == '0' {
		// 3 号队列 of rx_queue_3_packets, 01 of settle-core-01, row 3 of a list.
		if s := partOfName(digits, e); s != nil {
			return s, true
		}
		if s := e.facts.Ident(listedName(c.sentence[:f.span.Start], digits), 4); len(s) > 0 {
			return s, true
		}
	}
	m := nameBefore.FindStringSubmatch(c.sentence[:f.span.Start])
	if m == nil {
		return nil, false
	}
	word := []byte(strings.ToLower(m[1]))
	if s := besideWord(e.facts, word, digits, 400); s != nil {
		return s, true
	}
	if besideWord(e.args, word, digits, 400) != nil {
		return nil, true
	}
	// What the session calls so elsewhere, word and number side by side.
	if c.session != nil {
		for _, x := range c.session.traces {
			if besideWord(x.facts, word, digits, len(word)+8) != nil || besideWord(x.args, word, digits, len(word)+8) != nil {
				return nil, true
			}
		}
	}
	return nil, false
}

// listedName is the name that digits stand for in a list: Tomcat03 in Tomcat01、03.
func listedName(before, digits string) string {
	ids := grounding.Identifiers(before)
	if len(ids) == 0 {
		return ""
	}
	last := ids[len(ids)-1].Text
	stem := strings.TrimRight(last, "0123456789")
	if stem == "" || stem == last {
		return ""
	}
	return stem + digits
}

// besideWord finds digits on a line with the word at most so many bytes before.
func besideWord(facts *grounding.Facts, word []byte, digits string, before int) []grounding.Span {
	lower := facts.Lower()
	for _, s := range delimited(lower, digits, maxNumbered) {
		_, line := facts.Text().Line(s.Start)
		if bytes.Contains(lower[max(line.Start, s.Start-before):min(line.End, s.End+100)], word) {
			return []grounding.Span{s}
		}
	}
	return nil
}

const maxNumbered = 400 // places of one number that its word is looked for at

// partOfName finds digits that open a line or a cell, or follow a joint of a name.
func partOfName(digits string, e *evidence) []grounding.Span {
	raw := e.text.Raw()
	for _, s := range delimited(raw, digits, maxNumbered) {
		_, line := e.text.Line(s.Start)
		head := strings.Trim(string(raw[line.Start:s.Start]), " |\t") == ""
		joint := s.Start > 1 && strings.IndexByte("-_.", raw[s.Start-1]) >= 0 && isNameByte(raw[s.Start-2])
		if head || joint {
			return []grounding.Span{s}
		}
	}
	return nil
}

// cronLine is a schedule of five fields with plain minutes and hours, as crontab(5) has it.
var cronLine = grounding.NewPattern(`(?:^|[\s"'=:：])(\d{1,2}) (\d{1,2}) (?:\*|\?|[\d,/-]+) (?:\*|\?|[\d,/-]+) (?:\*|\?|[\d,/-]+)(?:[\s"']|$)`)

// cronSpans finds the schedule that fires at the clock t, in UTC, in Beijing time or in the
// zone of t.
func cronSpans(t grounding.TimePoint, e *evidence) []grounding.Span {
	if !t.HasClock || t.HasDate || t.Precision != time.Minute || len(e.Output) > maxCronBytes {
		return nil
	}
	if e.crons == nil {
		e.crons = append([][]int{}, cronLine.FindAllSubmatchIndex(e.text.Raw(), maxPlaces)...)
	}
	var out []grounding.Span
	raw := e.text.Raw()
	for _, m := range e.crons {
		minute, hour := atoi(raw[m[2]:m[3]]), atoi(raw[m[4]:m[5]])
		for _, zone := range []time.Duration{0, shanghai, -shanghai} {
			w := t.Wall.Add(zone)
			if w.Minute() == minute && w.Hour() == hour && (zone == 0 || t.Zoned) {
				out = append(out, grounding.Span{Start: m[2], End: m[5]})
				break
			}
		}
	}
	return out
}

const maxCronBytes = 1 << 20

func atoi(b []byte) int {
	n, _ := strconv.Atoi(string(b))
	return n
}

// inNames finds digits as a part of names or values of the output or the arguments:
// HTTPCode_ELB_504_Count.
func inNames(digits string, e *evidence) []grounding.Span {
	if s := delimited(e.facts.Lower(), digits, 1); len(s) > 0 {
		return s
	}
	if len(delimited(e.args.Lower(), digits, 1)) > 0 {
		return []grounding.Span{}
	}
	return nil
}

// delimited lists the places of digits that no digit or point continues, at most limit.
func delimited(text []byte, digits string, limit int) []grounding.Span {
	var out []grounding.Span
	for from := 0; len(out) < limit; {
		i := bytes.Index(text[from:], []byte(digits))
		if i < 0 {
			return out
		}
		s := from + i
		e := s + len(digits)
		from = e
		if !digitBeside(text, s-1, -1) && !digitBeside(text, e, 1) {
			out = append(out, grounding.Span{Start: s, End: e})
		}
	}
	return out
}

// digitBeside reports a digit at i, or a point with a digit behind it in direction step.
func digitBeside(text []byte, i, step int) bool {
	isDigit := func(k int) bool { return k >= 0 && k < len(text) && text[k] >= '0' && text[k] <= '9' }
	return isDigit(i) || i >= 0 && i < len(text) && text[i] == '.' && isDigit(i+step)
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

const (
	maxColumns = 48 // series of one output whose ends are looked at
	fewValues  = 40 // values of one unit among which one more is no chance hit
)

// outstanding finds a number that sticks out of the output: the least, the greatest, the
// first or the last of a series or column, or one of few that write the very unit.
func outstanding(q grounding.Quantity, e *evidence) []grounding.Span {
	if q.Fraction || q.Words || q.Cmp == grounding.About {
		return nil
	}
	for _, v := range e.columnEnds() {
		if sameDigits(q, v) && grounding.Matches(q, v, false) {
			return []grounding.Span{v.Span}
		}
	}
	if !q.HasUnit() {
		return nil
	}
	var out []grounding.Span
	distinct := map[string]bool{}
	for _, v := range e.ofUnit(q.Units[0].Name) {
		distinct[v.Value.RatString()] = true
		if sameDigits(q, v) && len(out) < 4 {
			out = append(out, v.Span)
		}
	}
	if len(distinct) > fewValues {
		return nil
	}
	return out
}

// columnEnds lists the least, the greatest, the first and the last number of each series
// and column. They are read once.
func (e *evidence) columnEnds() []grounding.Quantity {
	if e.ends != nil {
		return e.ends
	}
	e.ends = []grounding.Quantity{}
	for _, series := range e.facts.Columns(maxColumns) {
		for _, n := range endsOf(series) {
			e.ends = append(e.ends, e.facts.Quantity(n))
		}
	}
	return e.ends
}

// ofUnit lists the numbers of an output of few that write the unit. They are read once.
func (e *evidence) ofUnit(name string) []grounding.Quantity {
	if e.units == nil {
		e.units = map[string][]grounding.Quantity{}
		if ns := e.facts.Numbers(); len(ns) <= maxUnitScan {
			for _, n := range ns {
				if v := e.facts.Quantity(n); !v.Soft {
					e.units[v.Units[0].Name] = append(e.units[v.Units[0].Name], v)
				}
			}
		}
	}
	return e.units[name]
}

const maxUnitScan = 4000 // numbers of one output that are read for their unit

// sameDigits reports equal values as written.
func sameDigits(a, b grounding.Quantity) bool {
	return a.Value.Cmp(b.Value) == 0 && a.Decimals <= b.Decimals
}

// inQuestion reports a number or time that the user's question states.
func (c *carrier) inQuestion(f fact) bool {
	if c.session == nil || c.session.query == "" {
		return false
	}
	for _, k := range factsOf(c.session.query) {
		switch {
		case k.kind != f.kind:
		case f.kind == numberFact && (k.name == f.name || grounding.Matches(f.num, k.num, false)):
			return true
		case f.kind == timeFact && grounding.SameTime(f.at, k.at):
			return true
		}
	}
	return false
}
