package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"

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
	loud := a.progressFlags(fs)
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
	p := loud()
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
		p.line(0, "%s %s  %s %s", badge(eval.Decision, ""), spent(eval.Tokens, eval.Cost), p.say("会话", "session"), run.ID())
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

// progress tells on stderr what a run does. On a terminal each finished step is a line
// and the running stage is drawn over below; elsewhere only notes and failures are told,
// so that a script's error output stays short.
type progress struct {
	w        io.Writer
	lang     text.Lang
	terminal bool // lines may be drawn over
	steps    bool // finished steps are told
	quiet    bool // nothing is told
	now      func() time.Time
	open     bool // a line without an end is on the screen

	// What the running stage has done so far.
	stage  event.Stage
	began  time.Time
	calls  int             // of tools
	tokens int             // of finished replies
	runes  int             // of the reply under way
	told   map[string]bool // notes of the reply under way that are on the screen
}

// progressFlags adds the flags of progress, and returns what makes one.
func (a *App) progressFlags(fs *pflag.FlagSet) func() *progress {
	quiet := fs.BoolP("quiet", "q", false, "no progress on stderr")
	verbose := fs.BoolP("verbose", "v", false, "each step on stderr, also where that is no terminal")
	return func() *progress {
		return &progress{w: a.Stderr, lang: a.lang, terminal: a.StderrIsTerminal, steps: a.StderrIsTerminal || *verbose, quiet: *quiet, now: a.Now, told: map[string]bool{}}
	}
}

func (p *progress) say(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(p.lang) }

func (p *progress) note(n engine.Note) { p.line("· " + p.say(n.ZH, n.EN)) }

func (p *progress) line(s string) {
	if p.quiet {
		return
	}
	p.clear()
	fmt.Fprintln(p.w, text.SanitiseLine(s))
}

// step is a line about what went as it should.
func (p *progress) step(format string, args ...any) {
	if p.steps {
		p.line(fmt.Sprintf(format, args...))
	}
}

// clear takes the line that is drawn over off the screen.
func (p *progress) clear() {
	if p.open {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.open = false
	}
}

// status draws the running stage over the last line; nothing where the output is no
// terminal.
func (p *progress) status() {
	if p.quiet || !p.terminal || p.stage == "" {
		return
	}
	s := fmt.Sprintf("● %s  %.1fs", p.stage, p.now().Sub(p.began).Seconds())
	if p.calls > 0 {
		s += fmt.Sprintf("  %d %s", p.calls, p.say("次工具调用", "tool calls"))
	}
	if p.tokens > 0 {
		s += "  " + compact(p.tokens) + " tok"
	}
	s += fmt.Sprintf("  %d %s", p.runes, p.say("字", "characters"))
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
	defer p.clear()
	deltas := run.Deltas()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return
			}
			p.event(e)
		case d, ok := <-deltas:
			if !ok {
				deltas = nil
				continue
			}
			p.delta(d)
		case <-tick.C:
		}
		p.status()
	}
}

// delta counts a piece of a reply. A try that failed is told at once: the wait before
// the next one may be long.
func (p *progress) delta(d engine.Delta) {
	if d.Restart {
		p.runes = 0
	}
	if d.Note != "" {
		p.line("  · " + d.Note)
		p.told[d.Note] = true
	}
	p.runes += utf8.RuneCountInString(d.Content) + utf8.RuneCountInString(d.Reasoning) + utf8.RuneCountInString(d.ToolArguments)
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
	case event.StageStarted:
		p.stage, p.began, p.calls, p.tokens, p.runes = e.Stage, e.Time, 0, 0, 0
	case event.ModelResponse:
		p.tokens += b.Response.Usage.Total()
		p.runes = 0
		p.step("✓ %s  %.1fs  %d tok", e.Stage, b.DurationMS/1000, b.Response.Usage.Total())
		for _, n := range b.Response.Notes {
			if !p.told[n] {
				p.step("  · %s", n)
			}
		}
	case event.ToolReturned:
		p.calls++
		mark := "✓"
		if b.Trace.Status != trace.OK {
			mark = "∅"
		}
		p.step("  %s %s %s  %s  %d B  %s", mark, b.Trace.Ref, b.Trace.ToolName, b.Trace.Status, len(b.Trace.Output), b.Trace.Arguments)
	case event.Parsed:
		p.step("✓ %s  %s", e.Stage, b.Status)
	case event.Gated:
		p.step("✓ %s  %s", e.Stage, b.Report.Decision)
	case event.Routed:
		p.step("→ %s", b.Routing.Decision)
	case event.RetryStarted:
		p.step("↻ %s %d", p.say("重试，第", "retry, attempt"), b.Context.Attempt)
	case event.StageFailed:
		p.line(fmt.Sprintf("✗ %s  %s", e.Stage, b.Error))
	}
}
