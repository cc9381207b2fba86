package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"claimscope/engine"
	"claimscope/engine/event"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// runCommand runs the pipeline: the answer goes to stdout, progress to stderr.
func (a *App) runCommand(ctx context.Context, args []string) error {
	fs := a.flags("run")
	incident := fs.String("incident", "", "bundled incident by name, or an incident folder")
	query := fs.String("query", "", "what to ask; by default the incident's question")
	replay := fs.String("replay", "", "session whose recorded model replies answer")
	asJSON := fs.Bool("json", false, "print the evaluation record")
	quiet := fs.BoolP("quiet", "q", false, "no progress on stderr")
	setup := a.runFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return usagef("run takes no argument, got %q; write --incident %s or --query …", fs.Arg(0), fs.Arg(0))
	}
	e, err := setup(0)
	if err != nil {
		return err
	}
	run, notes, err := e.Run(ctx, engine.Request{Incident: *incident, Query: *query, Replay: *replay})
	if err != nil {
		return asUsage(err)
	}
	p := progress{w: a.Stderr, lang: a.lang, terminal: a.StderrIsTerminal, quiet: *quiet, now: a.Now}
	for _, n := range notes {
		p.note(n)
	}
	p.follow(ctx, run)
	return a.conclude(ctx, run, *asJSON)
}

// conclude prints the outcome of a run and finds the exit code.
func (a *App) conclude(ctx context.Context, run *engine.Run, asJSON bool) error {
	out := run.Wait()
	if out.Err != nil {
		return fmt.Errorf("the session could not be written: %w", out.Err)
	}
	eval := out.Evaluation
	if eval == nil {
		return errors.New("the run ended without an evaluation record")
	}
	if asJSON {
		if err := writeJSON(a.Stdout, eval); err != nil {
			return err
		}
	} else {
		if _, err := fmt.Fprintln(a.Stdout, text.Sanitise(eval.Answer)); err != nil {
			return err
		}
		p := printer{w: a.Stderr, lang: a.lang}
		p.causes(eval)
		p.line(0, "%s %s  %s %s", badge(eval.Decision, ""), p.tokens(eval), p.say("会话", "session"), run.ID())
	}
	return exitOf(ctx, out.End, eval)
}

// exitOf is the exit code of a run that ended.
func exitOf(ctx context.Context, end event.Type, eval *verdict.Evaluation) error {
	switch {
	case end == event.TypeCancelled && ctx.Err() != nil:
		return silent(ExitInterrupted)
	case eval.Decision == verdict.Pass:
		return nil
	}
	for _, c := range eval.Causes {
		if c.Cause == verdict.StageError || c.Cause == verdict.VerifierError {
			return silent(ExitStage)
		}
	}
	return silent(ExitFindings)
}

// causes prints why a run is no PASS.
func (p *printer) causes(eval *verdict.Evaluation) {
	for _, c := range eval.Causes {
		where := c.Pointer
		if c.Code != "" {
			where += " " + c.Code
		}
		p.line(0, "%s %s  %s  (%s)", markBad, c.Cause, p.say(c.MessageZH, c.Message), where)
	}
}

func (p *printer) tokens(eval *verdict.Evaluation) string {
	s := compact(eval.Tokens) + " tok"
	if eval.Cost > 0 {
		s += fmt.Sprintf("  ¤%.4f", eval.Cost)
	}
	return s
}

// progress tells on stderr what a run does. On a terminal the running stage is drawn
// over with its tokens and seconds; elsewhere only finished steps and notes are told.
type progress struct {
	w        io.Writer
	lang     text.Lang
	terminal bool
	quiet    bool
	now      func() time.Time
	open     bool // a line without an end is on the screen
}

func (p *progress) note(n engine.Note) {
	p.line("· " + text.Label{ZH: n.ZH, EN: n.EN}.In(p.lang))
}

func (p *progress) line(s string) {
	if p.quiet {
		return
	}
	if p.open {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.open = false
	}
	fmt.Fprintln(p.w, text.SanitiseLine(s))
}

// status draws over the last line; nothing where the output is no terminal.
func (p *progress) status(s string) {
	if p.quiet || !p.terminal {
		return
	}
	fmt.Fprint(p.w, "\r\x1b[K"+text.Truncate(text.SanitiseLine(s), 78, "…"))
	p.open = true
}

// follow tells the run's events until it ends.
func (p *progress) follow(ctx context.Context, run *engine.Run) {
	events := make(chan event.Event)
	go func() {
		defer close(events)
		for after := lastSeq(run.Before()); ; {
			e, err := run.Next(context.WithoutCancel(ctx), after) // a cancelled run still ends with an event
			if err != nil {
				return
			}
			after = e.Seq
			events <- e
		}
	}()
	deltas := run.Deltas()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	stage, began, runes := event.Stage(""), p.now(), 0
	for {
		select {
		case e, ok := <-events:
			if !ok {
				if p.open {
					fmt.Fprint(p.w, "\r\x1b[K")
				}
				return
			}
			if e.Body.Type() == event.TypeStageStarted {
				stage, began, runes = e.Stage, e.Time, 0
			}
			p.event(e)
		case d, ok := <-deltas:
			if !ok {
				deltas = nil
				continue
			}
			runes += len([]rune(d.Content + d.Reasoning + d.ToolArguments))
		case <-tick.C:
		}
		if stage != "" {
			p.status(fmt.Sprintf("● %s  %.1fs  %d %s", stage, p.now().Sub(began).Seconds(), runes, text.Label{ZH: "字", EN: "characters"}.In(p.lang)))
		}
	}
}

func lastSeq(events []event.Event) int {
	if len(events) == 0 {
		return 0
	}
	return events[len(events)-1].Seq
}

// event tells one event in a line, or nothing.
func (p *progress) event(e event.Event) {
	switch b := e.Body.(type) {
	case event.ModelResponse:
		p.line(fmt.Sprintf("✓ %s  %.1fs  %d tok", e.Stage, b.DurationMS/1000, b.Response.Usage.Total()))
		for _, n := range b.Response.Notes {
			p.line("  · " + n)
		}
	case event.ToolReturned:
		mark := "✓"
		if b.Trace.Status != trace.OK {
			mark = "∅"
		}
		p.line(fmt.Sprintf("  %s %s %s  %s  %d B  %s", mark, b.Trace.Ref, b.Trace.ToolName, b.Trace.Status, len(b.Trace.Output), b.Trace.Arguments))
	case event.Parsed:
		p.line(fmt.Sprintf("✓ %s  %s", e.Stage, b.Status))
	case event.Gated:
		p.line(fmt.Sprintf("✓ %s  %s", e.Stage, b.Report.Decision))
	case event.Routed:
		p.line(fmt.Sprintf("→ %s", b.Routing.Decision))
	case event.StageFailed:
		p.line(fmt.Sprintf("✗ %s  %s", e.Stage, b.Error))
	}
}
