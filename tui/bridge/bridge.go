// Package bridge is the one place where the console calls the engine. Each method
// gives a command: the call happens when Bubble Tea runs it, never in Update or View,
// and what came of it arrives as a message. Messages carry the generation they were
// asked in, so that late ones can be dropped.
package bridge

import (
	"context"
	"errors"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine"
	"claimscope/engine/event"
	"claimscope/engine/state"
)

// The console knows the engine by these names.
type (
	// Entry is a session in a list.
	Entry = engine.Entry
	// Recording is a session as read.
	Recording = engine.Recording
	// Request says what to run.
	Request = engine.Request
	// Fork says what to run anew.
	Fork = engine.Fork
	// Debug is how a run is watched from its beginning.
	Debug = engine.Debug
	// Breakpoint pauses a run.
	Breakpoint = engine.Breakpoint
	// Delta is a piece of a reply as it arrives.
	Delta = engine.Delta
	// Pending is what a paused run is about to use.
	Pending = engine.Pending
	// Note is one line for a person.
	Note = engine.Note
)

// The modes of a fork.
const (
	ForkVerifier = engine.ForkVerifier
	ForkExecutor = engine.ForkExecutor
)

// ParseBreakpoint reads a breakpoint as a person writes it. It is pure.
func ParseBreakpoint(text string) (Breakpoint, error) { return engine.ParseBreakpoint(text) }

// Engine is what the console asks of the engine.
type Engine interface {
	List() ([]Entry, error)
	Open(name string) (*Recording, error)
	Run(ctx context.Context, req Request) (Run, []Note, error)
	Fork(ctx context.Context, f Fork) (Run, error)
	Review(name string, r event.Reviewed) (id string, err error)
	SaveOutput(name, ref string) (path string, err error)
	ExportFile(name, format, lang string) (path string, err error)
}

// Run is a run under way.
type Run interface {
	ID() string
	State() state.Session
	Next(ctx context.Context, after int) (event.Event, error)
	Deltas() <-chan Delta
	Step()
	Continue()
	Pause()
	Cancel(why string)
	SetBreakpoints(list []Breakpoint) error
	Breakpoints() []Breakpoint
	Pending() (Pending, bool)
	Skip() error
}

// Of gives the console's view of the façade.
func Of(e *engine.Engine) Engine { return facade{e} }

type facade struct{ *engine.Engine }

// Run implements Engine.
func (f facade) Run(ctx context.Context, req Request) (Run, []Note, error) {
	run, notes, err := f.Engine.Run(ctx, req)
	if err != nil {
		return nil, notes, err
	}
	return run, notes, nil
}

// Fork implements Engine.
func (f facade) Fork(ctx context.Context, fk Fork) (Run, error) {
	run, err := f.Engine.Fork(ctx, fk)
	if err != nil {
		return nil, err
	}
	return run, nil
}

// Bridge makes commands. Its context ends every run and every wait.
type Bridge struct {
	ctx    context.Context
	engine Engine
}

// New makes a bridge. Runs end with ctx.
func New(ctx context.Context, e Engine) *Bridge { return &Bridge{ctx: ctx, engine: e} }

// Listed are the sessions there are. Err may come with a list.
type Listed struct {
	Entries []Entry
	Err     error
}

// List lists the sessions.
func (b *Bridge) List() tea.Cmd {
	return func() tea.Msg {
		entries, err := b.engine.List()
		return Listed{entries, err}
	}
}

// Opened is a recorded session, read whole and folded.
type Opened struct {
	Gen       int
	Name      string
	Recording *Recording
	State     state.Session
	Err       error
}

// Open reads a session.
func (b *Bridge) Open(gen int, name string) tea.Cmd {
	return func() tea.Msg {
		rec, err := b.engine.Open(name)
		if err != nil {
			return Opened{Gen: gen, Name: name, Err: err}
		}
		return Opened{Gen: gen, Name: name, Recording: rec, State: rec.State()}
	}
}

// Shown is an earlier state of the session on screen.
type Shown struct {
	Gen   int
	State state.Session
}

// At folds the recording's events up to number seq.
func (b *Bridge) At(gen int, rec *Recording, seq int) tea.Cmd {
	return func() tea.Msg { return Shown{gen, rec.StateAt(seq)} }
}

// Started is a run that has begun.
type Started struct {
	Gen   int
	Run   Run
	Notes []Note
	Err   error
}

// Start begins a run.
func (b *Bridge) Start(gen int, req Request) tea.Cmd {
	return func() tea.Msg {
		run, notes, err := b.engine.Run(b.ctx, req)
		return Started{gen, run, notes, err}
	}
}

// Fork begins a re-run of a session from a place in it.
func (b *Bridge) Fork(gen int, f Fork) tea.Cmd {
	return func() tea.Msg {
		run, err := b.engine.Fork(b.ctx, f)
		return Started{gen, run, nil, err}
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
		switch {
		case errors.Is(err, io.EOF):
			return Happened{Gen: gen, State: run.State(), Ended: true}
		case err != nil:
			return Happened{Gen: gen, State: run.State(), Ended: true, Err: err}
		}
		return Happened{Gen: gen, State: run.State()}
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

// Done says how a small request went: Note is one line for the person.
type Done struct {
	Note Note
	Err  error
	// Session is the session that the request made or changed, or "".
	Session string
}

// Control does something to a run, such as Run.Step.
func (b *Bridge) Control(do func() error) tea.Cmd {
	return func() tea.Msg {
		if err := do(); err != nil {
			return Done{Err: err}
		}
		return nil
	}
}

// Review appends a person's word to a session.
func (b *Bridge) Review(name string, r event.Reviewed) tea.Cmd {
	return func() tea.Msg {
		id, err := b.engine.Review(name, r)
		return Done{Note: Note{ZH: "已记录复核", EN: "the review is recorded"}, Err: err, Session: id}
	}
}

// SaveOutput writes the raw output of a trace to a file.
func (b *Bridge) SaveOutput(name, ref string) tea.Cmd {
	return func() tea.Msg {
		path, err := b.engine.SaveOutput(name, ref)
		return Done{Note: Note{ZH: "已保存到 " + path, EN: "saved to " + path}, Err: err}
	}
}

// Export writes a report of a session to a file.
func (b *Bridge) Export(name, format, lang string) tea.Cmd {
	return func() tea.Msg {
		path, err := b.engine.ExportFile(name, format, lang)
		return Done{Note: Note{ZH: "已导出到 " + path, EN: "exported to " + path}, Err: err}
	}
}
