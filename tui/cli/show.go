package cli

import (
	"context"
	"fmt"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// showCommand shows a session: what ran, each claim with its evidence, the answer.
func (a *App) showCommand(_ context.Context, in *input) error {
	if in.on("why") && in.on("json") {
		return in.usage("--why 与 --json 不能同时用", "--why and --json exclude each other")
	}
	e, err := in.open(0)
	if err != nil {
		return err
	}
	rec, err := e.Open(in.args[0])
	if err != nil {
		return asUsage(err)
	}
	st := rec.State()
	if in.on("json") {
		if st.Evaluation == nil {
			return in.usage("会话 %s 没有评估记录（%s）", "session %s has no evaluation record (%s)", rec.Header.ID, statusWord(st.Status).In(a.lang))
		}
		return writeJSON(a.Stdout, st.Evaluation)
	}
	p := a.printer(a.Stdout)
	p.know(st.Traces(0))
	if in.on("why") {
		p.why(&st)
	} else {
		p.session(&st)
	}
	if rec.Torn > 0 {
		a.complain(a.torn(rec.Header.ID, rec.Torn))
	}
	return p.err
}

// sessionHead names the session and its decision.
func (p *printer) sessionHead(st *state.Session) {
	h := st.Header
	mark, word := badge(st.Summary().Decision, st.Status)
	p.put(0, depthText, p.mark(mark), " ", p.paint(bold, clean(word.In(p.lang))), "  ", p.paint(bold, clean(h.ID)))
	if h.Query != "" {
		p.put(depthText, 0, clean(h.Query))
	}
}

func (p *printer) session(st *state.Session) {
	p.sessionHead(st)
	p.about(st)
	for i := range st.Attempts {
		p.raw("")
		p.attempt(&st.Attempts[i], len(st.Attempts))
	}
	last := st.Current()
	if last.Routing != nil && len(last.Routing.Causes) > 0 {
		p.raw("")
		for _, c := range last.Routing.Causes {
			p.cause(c, last.Claims())
		}
	}
	p.raw("")
	p.claims(last)
	for _, f := range st.Failures {
		p.put(0, 2, p.mark(markBad), " ", safe(f.Stage.Title()), "  ", clean(f.Error))
	}
	if a := last.Answer; a != nil {
		p.raw("")
		p.block(0, a.Markdown)
	}
	for _, r := range st.Reviews {
		p.line("%s %s %s %s %s", p.say("复核", "review"), r.By, r.Action, r.ClaimID, r.Reason)
	}
}

// about tells how the session was made.
func (p *printer) about(st *state.Session) {
	h := st.Header
	row := func(zh, en, value string) {
		if value != "" {
			p.put(depthText, 10, p.paint(dim, safe(text.Pad(p.say(zh, en), 10))), clean(value))
		}
	}
	row("时间", "time", h.Time.Format("2006-01-02 15:04:05Z07:00"))
	row("契约", "contract", string(h.ContractVersion))
	row("模型回复", "replies", h.Model)
	row("工具", "tools", h.Tools)
	if h.Parent != nil {
		row("分叉自", "fork of", fmt.Sprintf("%s #%d %s", h.Parent.ID, h.Parent.Seq, h.Parent.Mode))
	}
	row("用量", "used", fmt.Sprintf("%.1fs  %s", st.Duration().Seconds(), spent(st.Usage.Total(), st.Cost)))
	if st.Unsaved {
		row("保存", "saved", p.say("未保存，只在内存里", "unsaved, in memory only"))
	}
}

// attempt prints the stages and calls of one attempt.
func (p *printer) attempt(a *state.Attempt, of int) {
	if of > 1 {
		p.put(0, 0, p.paint(bold, safe(fmt.Sprintf(p.say("第 %d/%d 次", "attempt %d of %d"), a.Number, of))))
	}
	for _, s := range a.Stages {
		mark := markGood
		switch s.Status {
		case state.StageFailed:
			mark = markBad
		case state.StageRunning, state.StageSkipped:
			mark = markInfo
		case state.StageDone:
		}
		line := fmt.Sprintf("%s %6.1fs", text.Pad(s.Stage.Title(), 10), s.Duration.Seconds())
		if n := s.Usage.Total(); n > 0 {
			line += fmt.Sprintf("  %6s tok", text.Count(n))
		}
		if s.Cost > 0 {
			line += fmt.Sprintf("  ¤%.4f", s.Cost)
		}
		p.put(depthText, 2, p.mark(mark), " ", clean(line), clean(prefixed("  ", s.Error)))
	}
	for _, c := range a.Calls {
		p.call(c)
	}
}

// call prints a tool call on one line.
func (p *printer) call(c state.Call) {
	mark, rest := markInfo, p.say("未返回", "no reply")
	if t := c.Trace; t != nil {
		mark, rest = markGood, fmt.Sprintf("%s  %s", t.Status, text.Size(len(t.Output)))
		if t.Status != trace.OK {
			mark = markWarn
		}
	}
	head := clean(fmt.Sprintf("%s #%d  %s  %s  ", c.Ref, c.InvocationID, c.ToolName, rest))
	args := text.Truncate(text.SanitiseLine(string(c.Arguments)), max(p.width-depthText-2-text.Width(string(head)), 20), "…")
	p.put(depthText, 4, p.mark(mark), " ", head, p.paint(dim, safe(args)))
}

// cause prints a cause: its meaning, the claim concerned, the message, the code.
func (p *printer) cause(c verdict.CauseItem, claims []verdict.FinalClaim) {
	parts := []safe{p.mark(markBad), " ", p.paint(bold, clean(p.causeName(c.Cause)))}
	if f, ok := claimOf(claims, c.Pointer); ok {
		parts = append(parts, "  ", clean(f.ClaimID))
	}
	p.put(0, 2, append(parts, clean(prefixed("  ", p.say(c.MessageZH, c.Message))), p.paint(dim, clean(prefixed("  ", c.Code))))...)
}

// claims prints the claims with the gate's findings and the Verifier's word.
func (p *printer) claims(a *state.Attempt) {
	final, structured := a.Claims(), a.Structured()
	if len(final) == 0 && structured != nil { // not routed
		for i, c := range structured.Claims {
			final = append(final, verdict.FinalClaim{ClaimID: c.ClaimID, Text: c.ClaimText, Pointer: claimPointer(i), Verdict: verdict.NotChecked})
		}
	}
	width := 0
	for _, f := range final {
		width = max(width, text.Width(text.SanitiseLine(f.ClaimID)))
	}
	for _, f := range final {
		p.shown = map[place]bool{}
		mark, word := checkWord(f.Verdict)
		head := claimHead{mark: mark, id: f.ClaimID, idWidth: min(width, 24), word: word.In(p.lang), text: f.Text}
		report, source := gateReport(a.Gate, structured, f.Pointer)
		if source != nil {
			head.kind, head.support, head.repaired = source.ClaimType, string(source.SupportLevel), source.Repaired
		}
		p.claimHead(0, head)
		p.check(a.Verified, f)
		if report != nil {
			p.gateClaim(*report, source)
		}
	}
	if a.Gate != nil {
		p.shown = map[place]bool{}
		for _, x := range a.Gate.Findings {
			p.finding(0, x)
		}
	}
	if a.Parsed != nil && a.Parsed.Status != contract.StatusOK {
		p.put(0, 2, p.mark(map[bool]string{true: markBad, false: markInfo}[a.Parsed.Status.Malformed()]), " ",
			safe(p.say("解析 ", "parse ")), clean(string(a.Parsed.Status)), clean(prefixed(p.say("：", ": "), p.say(a.Parsed.ReasonZH, a.Parsed.Reason))))
	}
}

func claimPointer(i int) string { return fmt.Sprintf("/claims/%d", i) }

// check prints the Verifier's word on a claim.
func (p *printer) check(r *verdict.Result, f verdict.FinalClaim) {
	if r == nil {
		return
	}
	for _, c := range r.ClaimChecks {
		if c.ClaimID == f.ClaimID {
			mark, word := checkWord(c.Verdict)
			p.put(depthText, 2, p.paint(dim, "Verifier "), p.mark(mark), " ", clean(word.In(p.lang)), p.paint(dim, clean(prefixed("  ", c.Reason))))
			return
		}
	}
}

// gateReport finds the gate's report on the claim at a pointer, and the claim itself.
func gateReport(g *gate.Report, c *contract.Contract, pointer string) (*gate.ClaimReport, *contract.Claim) {
	if g == nil || pointer == "" {
		return nil, nil
	}
	for i := range g.Claims {
		if g.Claims[i].Pointer == pointer {
			return &g.Claims[i], claimAt(c, i)
		}
	}
	return nil, nil
}
