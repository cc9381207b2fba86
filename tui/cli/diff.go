package cli

import (
	"context"
	"fmt"

	"claimscope/engine"
	"claimscope/engine/contract"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// diffCommand compares two sessions.
func (a *App) diffCommand(_ context.Context, in *input) error {
	e, err := in.open(0)
	if err != nil {
		return err
	}
	var states [2]state.Session
	for i := range states {
		if states[i], err = openState(e, in.args[i]); err != nil {
			return asUsage(err)
		}
	}
	c := differenceOf(&states[0], &states[1])
	if in.on("json") {
		err = writeJSON(a.Stdout, c)
	} else {
		p := a.printer(a.Stdout)
		p.sessionDiff(&c)
		err = p.err
	}
	if err != nil {
		return err
	}
	if !c.Same {
		return silent(ExitFindings)
	}
	return nil
}

func openState(e *engine.Engine, name string) (state.Session, error) {
	rec, err := e.Open(name)
	if err != nil {
		return state.Session{}, err
	}
	return rec.State(), nil
}

// sessionDiff is what diff prints, as JSON with --json.
type sessionDiff struct {
	Same     bool            `json:"same"` // the outcome: claims, bindings, verdicts, decision, causes
	A        diffRun         `json:"a"`
	B        diffRun         `json:"b"`
	Claims   []diffClaim     `json:"claims"` // flipped first, then lost, gained, reworded, rebound, same
	Settings []state.Setting `json:"settings"`
}

// diffRun is one of the sessions as a whole.
type diffRun struct {
	ID        string           `json:"id"`
	Decision  verdict.Decision `json:"decision"`
	Status    state.Status     `json:"status"`
	Causes    []verdict.Cause  `json:"causes"`
	Supported int              `json:"claims_supported"`
	Total     int              `json:"claims_total"`
	Attempts  int              `json:"attempts"`
	Tokens    int              `json:"tokens"`
	Cost      float64          `json:"cost"`
}

// diffClaim is a claim of either session or of both.
type diffClaim struct {
	Change   string        `json:"change"`
	A        *diffSide     `json:"a"` // null when gained
	B        *diffSide     `json:"b"` // null when lost
	Flipped  bool          `json:"flipped"`
	Reworded bool          `json:"reworded"`
	Gained   []diffBinding `json:"bindings_gained"`
	Lost     []diffBinding `json:"bindings_lost"`
}

// diffSide is a claim as one session has it.
type diffSide struct {
	ClaimID  string               `json:"claim_id"`
	Text     string               `json:"claim_text"`
	Verdict  verdict.CheckVerdict `json:"verdict"`
	Reason   string               `json:"reason"`
	ReasonZH string               `json:"reason_zh"`
}

type diffBinding struct {
	SourceID string `json:"source_id"`
	ToolName string `json:"tool_name"`
	Excerpt  string `json:"evidence_excerpt"`
}

func differenceOf(a, b *state.Session) sessionDiff {
	c := state.Compare(a, b)
	out := sessionDiff{Same: c.SameOutcome(a, b), A: diffRunOf(a), B: diffRunOf(b), Claims: []diffClaim{}, Settings: state.Settings(a.Header, b.Header)}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		gained, lost := p.Bindings()
		out.Claims = append(out.Claims, diffClaim{
			Change: changeName(p.Change), A: diffSideOf(p.A), B: diffSideOf(p.B), Flipped: p.Flipped(), Reworded: p.Reworded(),
			Gained: diffBindings(gained), Lost: diffBindings(lost),
		})
	}
	return out
}

func diffRunOf(s *state.Session) diffRun {
	sum := s.Summary()
	r := diffRun{
		ID: sum.ID, Decision: sum.Decision, Status: sum.Status, Causes: []verdict.Cause{}, Supported: sum.Supported, Total: sum.Total,
		Attempts: len(s.Attempts), Tokens: sum.Tokens, Cost: sum.Cost,
	}
	r.Causes = append(r.Causes, sum.Causes...)
	return r
}

func diffSideOf(c *state.ComparedClaim) *diffSide {
	if c == nil {
		return nil
	}
	return &diffSide{ClaimID: c.ClaimID, Text: c.ClaimText, Verdict: c.Verdict, Reason: c.Reason, ReasonZH: c.ReasonZH}
}

func diffBindings(list []contract.Binding) []diffBinding {
	out := []diffBinding{}
	for _, b := range list {
		out = append(out, diffBinding{b.SourceID, b.ToolName, b.EvidenceExcerpt})
	}
	return out
}

// changeName is a change as the JSON has it.
func changeName(c state.Change) string {
	switch c {
	case state.Flipped:
		return "flipped"
	case state.Lost:
		return "lost"
	case state.Gained:
		return "gained"
	case state.Reworded:
		return "reworded"
	case state.Rebound:
		return "rebound"
	case state.Same:
	}
	return "same"
}

// sessionDiff prints what differs, and how much is the same.
func (p *printer) sessionDiff(c *sessionDiff) {
	width := max(text.Width(c.A.ID), text.Width(c.B.ID))
	p.side("A", c.A, width)
	p.side("B", c.B, width)
	if len(c.Settings) > 0 {
		p.raw("")
	}
	for _, s := range c.Settings {
		p.put(0, 4, p.mark(markInfo), " ", clean(s.Name), "  ", p.paint(dim, clean(orNone(s.A)+" → "+orNone(s.B))))
	}
	p.raw("")
	counts := map[string]int{}
	for i := range c.Claims {
		x := &c.Claims[i]
		counts[x.Change]++
		if x.Reworded && x.Change != "reworded" {
			counts["reworded"]++
		}
		if len(x.Gained)+len(x.Lost) > 0 && x.Change != "rebound" {
			counts["rebound"]++
		}
		if x.Change != "same" {
			p.changedClaim(x)
		}
	}
	if c.Same {
		p.put(0, 2, p.mark(markGood), " ", safe(fmt.Sprintf(p.say("结果相同：%d 条结论的文字、证据与判定都没有变化", "the same outcome: %d claims, their evidence and their verdicts"), counts["same"])))
		return
	}
	if counts["same"] < len(c.Claims) {
		p.raw("")
	}
	p.put(0, 2, p.mark(markWarn), " ", safe(fmt.Sprintf(
		p.say("新增 %d、消失 %d、改写 %d、证据变化 %d、判定翻转 %d；没有变化的 %d 条", "gained %d, lost %d, reworded %d, with other evidence %d, flipped %d; the same %d"),
		counts["gained"], counts["lost"], counts["reworded"], counts["rebound"], counts["flipped"], counts["same"])))
}

// side prints one of the sessions.
func (p *printer) side(name string, r diffRun, width int) {
	mark, word := badge(r.Decision, r.Status)
	line := fmt.Sprintf("  %d/%d", r.Supported, r.Total)
	line += fmt.Sprintf(p.say("  尝试 %d 次  %s", "  attempts %d  %s"), r.Attempts, spent(r.Tokens, r.Cost))
	parts := []safe{p.paint(bold, safe(name)), "  ", clean(text.Pad(text.SanitiseLine(r.ID), width)), "  ", p.mark(mark), " ", p.paint(bold, clean(word.In(p.lang))), safe(line)}
	for _, c := range r.Causes {
		parts = append(parts, p.paint(dim, clean("  "+p.say(causeWord(c), string(c)))))
	}
	p.put(0, 3, parts...)
}

func orNone(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

// changedClaim prints a claim that is not the same in both.
func (p *printer) changedClaim(c *diffClaim) {
	switch {
	case c.A == nil:
		p.wholeClaim(p.paint(green, "+"), p.say("新增", "gained"), c.B)
		return
	case c.B == nil:
		p.wholeClaim(p.paint(red, "-"), p.say("消失", "lost"), c.A)
		return
	}
	id := c.A.ClaimID
	if c.B.ClaimID != id {
		id += " → " + c.B.ClaimID
	}
	head := []safe{p.paint(yellow, "~"), " ", p.paint(bold, clean(id))}
	if c.Flipped {
		ma, wa := checkWord(c.A.Verdict)
		mb, wb := checkWord(c.B.Verdict)
		head = append(head, "  ", safe(p.say("判定翻转 ", "flipped ")), p.mark(ma), " ", clean(wa.In(p.lang)), " → ", p.mark(mb), " ", clean(wb.In(p.lang)))
	}
	if c.Reworded {
		head = append(head, "  ", safe(p.say("改写", "reworded")))
	}
	if len(c.Gained)+len(c.Lost) > 0 {
		head = append(head, "  ", safe(p.say("证据变化", "other evidence")))
	}
	p.put(0, depthText, head...)
	if c.Reworded {
		a, b := textDifference(c.A.Text, c.B.Text)
		p.marked(depthText, "A │ ", a)
		p.marked(depthText, "B │ ", b)
	} else {
		p.put(depthText, 0, clean(c.A.Text))
	}
	for _, b := range c.Lost {
		p.boundTo(p.paint(red, "-"), b)
	}
	for _, b := range c.Gained {
		p.boundTo(p.paint(green, "+"), b)
	}
	if c.Flipped {
		p.reason("A", c.A)
		p.reason("B", c.B)
	}
}

func (p *printer) wholeClaim(mark safe, what string, s *diffSide) {
	m, word := checkWord(s.Verdict)
	p.put(0, depthText, mark, " ", p.paint(bold, clean(s.ClaimID)), "  ", safe(what), "  ", p.mark(m), " ", clean(word.In(p.lang)))
	p.put(depthText, 0, clean(s.Text))
}

// reason prints why a verdict is what it is.
func (p *printer) reason(side string, s *diffSide) {
	if r := p.say(s.ReasonZH, s.Reason); r != "" {
		p.put(depthText, 4, safe(side), ": ", p.paint(dim, clean(r)))
	}
}

func (p *printer) boundTo(mark safe, b diffBinding) {
	p.segments(depthText, mark+clean(" "+b.SourceID+" "+b.ToolName+" │ "), []segment{{b.Excerpt, false}})
}

// marked prints a text whole, wrapped, with the marked parts between ▌ and ▐.
func (p *printer) marked(indent int, lead safe, list []segment) {
	parts := []safe{p.paint(dim, lead)}
	for _, s := range list {
		t := clean(s.text)
		if s.marked {
			t = p.paint(bold, markStart+t+markEnd)
		}
		parts = append(parts, t)
	}
	p.put(indent, text.Width(string(lead)), parts...)
}

// textDifference parts two texts into what they begin and end with in common and what
// differs in between.
func textDifference(a, b string) (x, y []segment) {
	ra, rb := []rune(a), []rune(b)
	head := 0
	for head < min(len(ra), len(rb)) && ra[head] == rb[head] {
		head++
	}
	tail := 0
	for tail < min(len(ra), len(rb))-head && ra[len(ra)-1-tail] == rb[len(rb)-1-tail] {
		tail++
	}
	cut := func(r []rune) []segment {
		var out []segment
		for _, s := range []segment{{string(r[:head]), false}, {string(r[head : len(r)-tail]), true}, {string(r[len(r)-tail:]), false}} {
			if s.text != "" {
				out = append(out, s)
			}
		}
		return out
	}
	return cut(ra), cut(rb)
}
