package cli

import (
	"context"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"claimscope/engine"
	"claimscope/engine/event"
	"claimscope/engine/trace"
	"claimscope/tui/text"
)

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

// progress makes the progress that a command line asks for.
func (in *input) progress() *progress {
	a := in.app
	return &progress{
		w: a.Stderr, lang: a.lang, terminal: a.StderrIsTerminal, steps: a.StderrIsTerminal || in.on("verbose"),
		quiet: in.on("quiet"), now: a.Now, told: map[string]bool{},
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
		s += "  " + text.Count(p.tokens) + " tok"
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
