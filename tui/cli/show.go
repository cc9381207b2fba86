package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"claimscope/engine"
	"claimscope/engine/contract"
	"claimscope/engine/session"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/tui/text"
)

// showCommand shows a session: what ran, each claim with its evidence, the answer.
func (a *App) showCommand(_ context.Context, args []string) error {
	fs := a.flags("show")
	why := fs.Bool("why", false, "only the path from the verdict to its cause")
	asJSON := fs.Bool("json", false, "print the evaluation record")
	setup := a.setupFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return usagef("show: want one session: an id, the beginning of one, or a file; see claimscope list")
	}
	e, err := setup()
	if err != nil {
		return err
	}
	rec, err := e.Open(fs.Arg(0))
	if err != nil {
		return usagef("%w", err)
	}
	st := rec.State()
	if *asJSON {
		if st.Evaluation == nil {
			return usagef("%s: the session ended without an evaluation record", rec.Header.ID)
		}
		return writeJSON(a.Stdout, st.Evaluation)
	}
	p := printer{w: a.Stdout, lang: a.lang, traces: map[string]trace.Trace{}}
	for _, t := range st.Traces(len(st.Attempts)) {
		p.traces[t.Ref] = t
	}
	p.session(&st, *why)
	if rec.Torn > 0 {
		p.line(0, "%s %s", markWarn, p.say(fmt.Sprintf("文件末尾 %d 字节没有写完，已略过", rec.Torn), fmt.Sprintf("the last %d bytes of the file were cut and are left out", rec.Torn)))
	}
	return p.err
}

func (p *printer) session(st *state.Session, why bool) {
	h := st.Header
	a := st.Current()
	p.line(0, "%s  %s  %s", badge(a.Decision(), st.Status), h.ID, h.Query)
	if !why {
		p.line(0, "%s  %s %s  %s %s  %s %s", h.Time.Format("2006-01-02 15:04:05 -07:00"), p.say("契约", "contract"), h.ContractVersion,
			p.say("模型回复", "replies"), h.Model, p.say("工具", "tools"), h.Tools)
		for i := range st.Attempts {
			p.attempt(&st.Attempts[i], len(st.Attempts))
		}
		p.line(1, "%s  %.1fs  %s", p.say("合计", "in all"), st.Duration().Seconds(), spent(st.Usage.Total(), st.Cost))
	}
	if a.Routing != nil {
		for _, c := range a.Routing.Causes {
			p.line(0, "%s %s  %s  (%s %s)", markBad, c.Cause, p.say(c.MessageZH, c.Message), c.Pointer, c.Code)
		}
	}
	p.claims(a, why)
	for _, f := range st.Failures {
		p.line(0, "%s %s  %s", markBad, f.Stage, f.Error)
	}
	if why || a.Answer == nil {
		return
	}
	p.line(0, "")
	for _, l := range strings.Split(a.Answer.Markdown, "\n") {
		p.line(0, "%s", l)
	}
	for _, r := range st.Reviews {
		p.line(0, "%s %s %s %s %s", p.say("复核", "review"), r.By, r.Action, r.ClaimID, r.Reason)
	}
}

func (p *printer) attempt(a *state.Attempt, of int) {
	if of > 1 {
		p.line(0, "%s %d/%d", p.say("第", "attempt"), a.Number, of)
	}
	for _, s := range a.Stages {
		line := fmt.Sprintf("%s  %.1fs", s.Stage, s.Duration.Seconds())
		if s.Usage.Total() > 0 {
			line += "  " + spent(s.Usage.Total(), s.Cost)
		}
		p.line(1, "%s", line)
	}
	for _, c := range a.Calls {
		if c.Trace != nil {
			p.line(1, "%s %s #%d  %s  %d B  %s", c.Ref, c.ToolName, c.InvocationID, c.Trace.Status, len(c.Trace.Output), c.Arguments)
		}
	}
}

// spent is tokens, and money where prices are configured.
func spent(tokens int, cost float64) string {
	s := compact(tokens) + " tok"
	if cost > 0 {
		s += fmt.Sprintf("  ¤%.4f", cost)
	}
	return s
}

// claims prints the claims with the gate's findings and the Verifier's word; with why,
// only those that did not hold.
func (p *printer) claims(a *state.Attempt, why bool) {
	finals := a.Claims()
	structured := a.Structured()
	checks := map[string]string{}
	if a.Verified != nil {
		for _, c := range a.Verified.ClaimChecks {
			checks[c.ClaimID] = string(c.Verdict) + "  " + c.Reason
		}
	}
	for i, f := range finals {
		if why && f.Verdict == "supported" {
			continue
		}
		p.line(1, "%s %s  %s  %s", finalMark(string(f.Verdict)), f.ClaimID, f.Verdict, f.Text)
		if c := checks[f.ClaimID]; c != "" {
			p.line(2, "Verifier: %s", c)
		}
		if a.Gate != nil && i < len(a.Gate.Claims) {
			for _, b := range a.Gate.Claims[i].Bindings {
				p.binding(b)
			}
			for _, x := range a.Gate.Claims[i].Findings {
				p.finding(3, x)
			}
		}
	}
	if a.Gate != nil {
		for _, x := range a.Gate.Findings {
			p.finding(1, x)
		}
	}
	if structured == nil && a.Parsed != nil && a.Parsed.Status != contract.StatusOK {
		p.line(1, "%s %s: %s", markBad, a.Parsed.Status, p.say(a.Parsed.ReasonZH, a.Parsed.Reason))
	}
}

func finalMark(v string) string {
	switch v {
	case "supported":
		return markGood
	case "not_checked":
		return markUnknown
	}
	return markBad
}

// exportCommand writes a session in another form to stdout.
func (a *App) exportCommand(_ context.Context, args []string) error {
	fs := a.flags("export")
	format := fs.String("format", "md", "md, html, json or case")
	setup := a.setupFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return usagef("export: want one session; see claimscope list")
	}
	if _, err := session.ParseExportFormat(*format); err != nil {
		return usagef("export: %w", err)
	}
	e, err := setup()
	if err != nil {
		return err
	}
	return asUsage(e.Export(a.Stdout, fs.Arg(0), *format, a.lang.String()))
}

// importCommand brings a session in and prints its id.
func (a *App) importCommand(_ context.Context, args []string) error {
	fs := a.flags("import")
	format := fs.String("format", "", "case or snapshot; found out when left out")
	traces := fs.String("traces", "", "folder of raw outputs named by trace ref")
	setup := a.setupFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return usagef("import: want one file, or - for standard input")
	}
	e, err := setup()
	if err != nil {
		return err
	}
	data, err := a.readInput(fs.Arg(0))
	if err != nil {
		return usagef("%w", err)
	}
	in := engine.ImportRequest{Name: fs.Arg(0), Format: *format}
	if *traces != "" {
		if info, err := os.Stat(*traces); err != nil || !info.IsDir() {
			return usagef("import: --traces %s: no such folder", *traces)
		}
		in.Traces = os.DirFS(*traces)
	}
	id, unsaved, err := e.Import(data, in)
	if err != nil {
		return asUsage(err)
	}
	if unsaved != "" {
		fmt.Fprintf(a.Stderr, "claimscope: %s\n", text.SanitiseLine(text.Label{ZH: "会话未保存：", EN: "the session is unsaved: "}.In(a.lang)+unsaved))
	}
	_, err = fmt.Fprintln(a.Stdout, id)
	return err
}
