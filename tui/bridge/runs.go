package bridge

import (
	"context"
	"errors"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/event"
	"claimscope/engine/state"
)

// Started is a run that has begun.
type Started struct {
	Gen   int
	Run   Run
	State state.Session
	Notes []Note
	Err   error
}

func (b *Bridge) started(gen int, run Run, notes []Note, err error) Started {
	if err != nil {
		return Started{Gen: gen, Notes: notes, Err: err}
	}
	b.follow(run, false)
	return Started{Gen: gen, Run: run, State: warm(run.State()), Notes: notes}
}

// Start begins a run.
func (b *Bridge) Start(gen int, req Request) tea.Cmd {
	return func() tea.Msg {
		run, notes, err := b.engine.Run(b.ctx, req)
		return b.started(gen, run, notes, err)
	}
}

// Fork begins a re-run of a session from a place in it.
func (b *Bridge) Fork(gen int, f Fork) tea.Cmd {
	return func() tea.Msg {
		run, err := b.engine.Fork(b.ctx, f)
		return b.started(gen, run, nil, err)
	}
}

// Happened is a newer state of a run. Ended says that no more comes.
type Happened struct {
	Gen   int
	State state.Session
	Ended bool
	Err   error
}

// Watch waits for an event after number after. Events that came meanwhile are folded
// into one message. Ask again after each.
func (b *Bridge) Watch(gen int, run Run, after int) tea.Cmd {
	return func() tea.Msg {
		_, err := run.Next(b.ctx, after)
		b.follow(run, errors.Is(err, io.EOF))
		switch {
		case errors.Is(err, io.EOF):
			return Happened{Gen: gen, State: warm(run.State()), Ended: true}
		case err != nil:
			return Happened{Gen: gen, State: warm(run.State()), Ended: true, Err: err}
		}
		return Happened{Gen: gen, State: warm(run.State())}
	}
}

// Streamed are pieces of replies as they arrive. Ended says that no more comes.
type Streamed struct {
	Gen    int
	Deltas []Delta
	Ended  bool
}

// maxDeltas bounds the pieces of one message.
const maxDeltas = 256

// Stream waits for pieces and takes along what has arrived. Ask again after each.
func (b *Bridge) Stream(gen int, run Run) tea.Cmd {
	return func() tea.Msg {
		var out []Delta
		select {
		case d, ok := <-run.Deltas():
			if !ok {
				return Streamed{Gen: gen, Ended: true}
			}
			out = append(out, d)
		case <-b.ctx.Done():
			return Streamed{Gen: gen, Ended: true}
		}
		for len(out) < maxDeltas {
			select {
			case d, ok := <-run.Deltas():
				if !ok {
					return Streamed{Gen: gen, Deltas: out, Ended: true}
				}
				out = append(out, d)
			default:
				return Streamed{Gen: gen, Deltas: out}
			}
		}
		return Streamed{Gen: gen, Deltas: out}
	}
}

// Part is something that a paused run is about to use and that can be edited.
type Part struct {
	Target string // of event.Edited
	Text   string
}

// Looked is what a paused run is about to use. OK is false when it is not paused.
type Looked struct {
	Gen         int
	OK          bool
	Pending     Pending
	Parts       []Part
	Breakpoints []Breakpoint
	Only        bool // nothing but the breakpoints was asked for
	Edited      bool // it was edited, unless Err says why not
	Err         error
}

// Breakpoints asks for the breakpoints of a run with their hits.
func (b *Bridge) Breakpoints(gen int, run Run) tea.Cmd {
	return func() tea.Msg { return Looked{Gen: gen, Only: true, Breakpoints: run.Breakpoints()} }
}

// Look looks at what a paused run is about to use: its request, call or output, and
// the prompts named.
func (b *Bridge) Look(gen int, run Run, prompts ...string) tea.Cmd {
	return func() tea.Msg { return look(gen, run, prompts) }
}

func look(gen int, run Run, prompts []string) Looked {
	p, ok := run.Pending()
	out := Looked{Gen: gen, OK: ok, Pending: p, Breakpoints: run.Breakpoints()}
	targets := []string{event.EditRequest, event.EditExecutorOutput}
	for _, name := range prompts {
		targets = append(targets, event.EditPrompt+name)
	}
	for _, target := range targets {
		if text, err := run.EditText(target); err == nil {
			out.Parts = append(out.Parts, Part{target, text})
		}
	}
	return out
}

// Edit changes what a paused run is about to use, and looks at it again.
func (b *Bridge) Edit(gen int, run Run, e Edit, prompts ...string) tea.Cmd {
	return func() tea.Msg {
		err := run.Edit(e)
		out := look(gen, run, prompts)
		out.Edited, out.Err = true, err
		return out
	}
}

// Skip leaves out what a paused run is about to do.
func (b *Bridge) Skip(run Run) tea.Cmd {
	return b.Control(run.Skip)
}

// Repetition is a fork that is run several times. It is made by Repetition and driven
// by Repeat and Progress.
type Repetition struct {
	ctx   context.Context
	stop  context.CancelFunc
	begun chan int
}

// Repetition prepares n runs.
func (b *Bridge) Repetition(n int) *Repetition {
	ctx, stop := context.WithCancel(b.repeats)
	return &Repetition{ctx, stop, make(chan int, n)}
}

// Stop ends the repetition: the run under way is cancelled, the counts so far come.
func (r *Repetition) Stop() { r.stop() }

// Repeated are the counts of a repetition. Err may come with counts.
type Repeated struct {
	Gen     int
	Repeats Repeats
	Err     error
}

// Repeat runs a fork n times, one after another.
func (b *Bridge) Repeat(gen int, r *Repetition, f Fork, n int) tea.Cmd {
	return func() tea.Msg {
		defer r.stop()
		defer close(r.begun)
		var before Run
		counts, err := b.engine.Repeat(r.ctx, f, n, func(i int, run Run) {
			if before != nil {
				b.follow(before, true)
			}
			before = run
			b.follow(run, false)
			r.begun <- i
		})
		return Repeated{gen, counts, err}
	}
}

// Begun says that another run of a repetition has begun.
type Begun struct {
	Gen, Run int // from 1
}

// Progress waits until the next run of a repetition begins. Ask again after each; at
// the end there is no message.
func (b *Bridge) Progress(gen int, r *Repetition) tea.Cmd {
	return func() tea.Msg {
		if i, ok := <-r.begun; ok {
			return Begun{gen, i}
		}
		return nil
	}
}
