package gate

import (
	"bytes"
	"regexp"
	"strings"

	"claimscope/engine/grounding"
)

var (
	nameBefore = regexp.MustCompile(`([A-Za-z][A-Za-z_.-]*)[ #:]{0,2}$`)
	statuses   = regexp.MustCompile(`^([1-5]\d\d)s?$`)
	loadWindow = regexp.MustCompile(`(?i)(load|负载)`)
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
	m := nameBefore.FindStringSubmatch(c.sentence[:min(f.span.Start, len(c.sentence))])
	if m == nil {
		return nil, false
	}
	word := strings.ToLower(m[1])
	for _, facts := range []*grounding.Facts{e.facts, e.args} {
		lower := facts.Lower()
		for _, s := range delimited(lower, digits, maxPlaces) {
			_, line := facts.Text().Line(s.Start)
			if line.Start = max(line.Start, s.Start-400); bytes.Contains(lower[line.Start:min(line.End, s.End+100)], []byte(word)) {
				if facts == e.args {
					return nil, true
				}
				return []grounding.Span{s}, true
			}
		}
	}
	return nil, false
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
	for _, series := range e.facts.Columns(maxColumns) {
		lo, hi := series[0], series[0]
		for _, n := range series {
			if n.Float < lo.Float {
				lo = n
			}
			if n.Float > hi.Float {
				hi = n
			}
		}
		for _, n := range []grounding.Number{lo, hi, series[0], series[len(series)-1]} {
			if v := e.facts.Quantity(n); sameDigits(q, v) && grounding.Matches(q, v, false) {
				return []grounding.Span{v.Span}
			}
		}
	}
	if !q.HasUnit() || len(e.facts.Numbers()) > maxUnitScan {
		return nil
	}
	var out []grounding.Span
	distinct := map[string]bool{}
	for _, n := range e.facts.Numbers() {
		v := e.facts.Quantity(n)
		if v.Soft || v.Units[0].Name != q.Units[0].Name {
			continue
		}
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
