package gate

import (
	"math/big"
	"strings"

	"claimscope/engine/grounding"
)

// checkFacts looks for every hard fact of the claim in its evidence (C001, C002, C003).
func (w *claimWork) checkFacts() {
	g := w.grounds()
	if len(g) == 0 {
		return
	}
	unavailable := true
	for _, x := range g {
		unavailable = unavailable && x.ev.Unavailable
	}
	facts := factsOf(w.claim.ClaimText)
	c := newCarrier(g, w.claim.ClaimText, w.session)
	var missing []fact
	for _, f := range facts {
		m, ok := c.carry(f)
		if ok && f.kind == identFact && w.otherValue(f, g) {
			ok, m.Found, m.Spans = false, false, []grounding.Span{}
		}
		w.rep.Facts = append(w.rep.Facts, m)
		if ok {
			c.note(f, m)
		} else {
			missing = append(missing, f)
			if f.kind == numberFact && looseCount(f.num) && !f.num.Key {
				c.counted = append(c.counted, operand{ev: g[0].ev, q: f.num, said: f.num, known: true})
			}
		}
	}
	// A second pass: what is derived from other facts of the claim needs those first.
	for _, f := range missing {
		if f.kind != identFact {
			if m, ok := c.carry(f); ok {
				w.setMark(m)
				continue
			}
		}
		if f.kind == identFact && denies(w.claim.ClaimText, f.span) && !w.slip(f, g) {
			w.absentAsSaid(f)
			continue
		}
		if unavailable || anyUnavailable(g) {
			w.unverifiable()
			continue
		}
		w.missingFact(f, g)
	}
}

// misspelt finds a name of the evidence, or of the calls' arguments, that differs little
// from f: then f is no absent thing but a wrong name.
func (w *claimWork) misspelt(f fact, g []ground) nearest {
	if n := nearestName(f, g); n.ev != nil {
		return n
	}
	for _, x := range g {
		if d := editDistance(strings.ToLower(f.name), strings.ToLower(x.ev.ToolName), 3); d > 0 && d < 3 {
			return nearest{ev: x.ev}
		}
		args := &evidence{Trace: x.ev.Trace, text: x.ev.args.Text(), facts: x.ev.args}
		if n := nearestName(f, []ground{{ev: args}}); n.ev != nil {
			return n
		}
	}
	return nearest{}
}

// slip reports a name that is one of the evidence but for a slip of one or two characters.
func (w *claimWork) slip(f fact, g []ground) bool {
	near := w.misspelt(f, g)
	return near.ev != nil && (near.text == "" || editDistance(strings.ToLower(f.name), strings.ToLower(near.text), 3) < 3)
}

// denies reports whether a claim says that what stands at s is not there: its absence
// from the evidence is then what the claim says.
func denies(claim string, s grounding.Span) bool {
	if grounding.Negated(claim, s.Start) {
		return true
	}
	c := grounding.SegmentAt(claim, s.Start)
	return absence.MatchString(claim[s.End:max(s.End, c.End)])
}

var absence = grounding.NewPattern(`(?i)^[^，。；,;]{0,16}(不存在|未出现|没有出现|未发现|没有发现|为空|未找到|没有|找不到|not found|absent|missing|does not exist)`)

// absentAsSaid marks a name whose absence the claim states.
func (w *claimWork) absentAsSaid(f fact) {
	w.setMark(FactMark{Text: f.text, Kind: f.kind.String(), Start: f.span.Start, End: f.span.End, Found: true, Derived: "absent, as the claim says", Spans: []grounding.Span{}})
}

// otherValue reports a name that the claim gives to a key (app=web) of which the excerpts
// show another value, while the name stands in no cited line.
func (w *claimWork) otherValue(f fact, g []ground) bool {
	m := keyBefore.FindStringSubmatch(w.claim.ClaimText[:f.span.Start])
	if m == nil {
		return false
	}
	other := false
	for _, x := range g {
		raw := x.ev.text.Raw()
		if len(inSpans(findName(x.ev.facts, f.name, 0), x.cited, 1)) > 0 {
			return false
		}
		for _, s := range x.exact {
			for _, at := range inSpans(x.ev.facts.Ident(m[1], maxPlaces), []grounding.Span{s}, 4) {
				v := valueBehind.FindString(string(raw[at.End:min(s.End, at.End+len(f.name)+64)]))
				other = other || v != ""
			}
		}
	}
	return other
}

var (
	keyBefore   = grounding.NewPattern(`([A-Za-z_][\w./-]*)\s*(=|:|：)\s*["'“]?$`)
	valueBehind = grounding.NewPattern(`^["']?\s*[:=]\s*["']?[\w./-]+`)
)

func anyUnavailable(g []ground) bool {
	for _, x := range g {
		if x.ev.Unavailable {
			return true
		}
	}
	return false
}

func (w *claimWork) setMark(m FactMark) {
	for i := range w.rep.Facts {
		if w.rep.Facts[i].Start == m.Start && w.rep.Facts[i].Kind == m.Kind {
			w.rep.Facts[i] = m
		}
	}
}

func (w *claimWork) missingFact(f fact, g []ground) {
	code := CodeNumber
	var near nearest
	switch f.kind {
	case numberFact:
		near = nearestNumber(f, g)
	case timeFact:
		code = CodeTime
		near = nearestTime(f, g)
	case identFact:
		code = CodeIdentifier
		near = nearestName(f, g)
	}
	fd := w.finding(code, w.ptr+"/claim_text", missingMessage(code, f, near))
	fd.Quote = f.text
	if f.kind == numberFact && fd.Severity == Block && looseCount(f.num) && !valued(w.claim.ClaimText, f) {
		fd.Severity = Warn
	}
	if f.kind == identFact && fd.Severity == Block && !w.mustStand(f, g) && !w.otherValue(f, g) {
		fd.Severity = Warn
	}
	if near.ev != nil {
		fd.Places = []Place{{TraceRef: near.ev.Ref, Span: near.span, Role: "nearest"}}
	}
	w.rep.Findings = append(w.rep.Findings, fd)
}

// looseCount tells a number that code cannot hold against a claim: 两台, 其余 4 个. Things up
// to two digits are counted by reading, and what was counted no output says; a wrong excerpt
// beside it still blocks. Larger counts, and numbers with a unit, must be found or derived.
func looseCount(q grounding.Quantity) bool {
	if q.Words && q.Cmp == grounding.About && q.Dim() == grounding.Ratio {
		return true // 一半
	}
	if q.Words && q.Dim() == grounding.Time {
		return true // 一分钟后, 三分钟前
	}
	return q.Dim() == grounding.Count && !q.Fraction && !q.HasUnit() && (q.Words || q.Decimals == 0 && q.Value.Cmp(aFew) <= 0)
}

// valued reports a number that is the value or the number of something named: Xid 48, exit
// code 为 8, 17 号队列, 上限是 80 个. A few with a counter are counted all the same.
func valued(claim string, f fact) bool {
	before := claim[:f.span.Start]
	switch {
	case f.num.Key:
		return true
	case f.num.Words:
		return false
	case f.num.Units[0].Name == "":
		return named.MatchString(before) || valueOf.MatchString(before)
	}
	return f.num.Value.Cmp(glance) > 0 && valueOf.MatchString(before)
}

var (
	named   = grounding.NewPattern(`[A-Za-z_][\w.-]*\s*$`)
	valueOf = grounding.NewPattern(`(为|是|达|到|[=:：])\s*$`)
	glance  = big.NewRat(20, 1) // what is counted at a glance
)

// aFew is how many things are counted by reading.
var aFew = big.NewRat(99, 1)

// nearest is what evidence has instead of a missing fact.
type nearest struct {
	ev   *evidence
	span grounding.Span
	text string
	line int
}

func (e *evidence) near(s grounding.Span) nearest {
	n, _ := e.text.Line(s.Start)
	return nearest{ev: e, span: s, text: string(e.text.Raw()[s.Start:s.End]), line: n}
}
