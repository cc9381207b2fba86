// Package bridge is the one place where the console calls the engine. Each method
// gives a command: the call happens when Bubble Tea runs it, never in Update or View,
// and what came of it arrives as a message. Messages carry the generation they were
// asked in, so that late ones can be dropped.
package bridge

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

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
	// Repeats counts what several runs came to.
	Repeats = engine.Repeats
	// Edit changes what a paused run is about to use.
	Edit = engine.Edit
)

// The modes of a fork.
const (
	ForkVerifier = engine.ForkVerifier
	ForkExecutor = engine.ForkExecutor
	ForkLive     = engine.ForkLive
)

// ParseBreakpoint reads a breakpoint as a person writes it. It is pure.
func ParseBreakpoint(text string) (Breakpoint, error) { return engine.ParseBreakpoint(text) }

// Engine is what the console asks of the engine.
type Engine interface {
	List() ([]Entry, error)
	Newest(n int) (newest []Entry, more int, err error)
	Open(name string) (*Recording, error)
	Run(ctx context.Context, req Request) (Run, []Note, error)
	Fork(ctx context.Context, f Fork) (Run, error)
	Repeat(ctx context.Context, f Fork, n int, each func(i int, run Run)) (Repeats, error)
	Review(name string, r event.Reviewed) (id string, err error)
	SaveOutput(name, ref string) (path string, err error)
	ExportFile(name, format, lang string) (path string, err error)
	SavePrompt(name, text string) (path string, err error)
}

// Run is a run under way.
type Run interface {
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
	// EditText is the text that a person would edit for a target of event.Edited.
	EditText(target string) (string, error)
	Edit(e Edit) error
	Skip() error
}

// Of gives the console's view of the façade.
func Of(e *engine.Engine) Engine { return facade{e} }

type facade struct{ *engine.Engine }

// run is a run as the console controls it.
type run struct{ *engine.Run }

// EditText implements Run.
func (r run) EditText(target string) (string, error) {
	p, ok := r.Pending()
	if !ok {
		return "", engine.ErrNotPaused
	}
	return p.EditText(target, r.Prompts())
}

// Run implements Engine.
func (f facade) Run(ctx context.Context, req Request) (Run, []Note, error) {
	r, notes, err := f.Engine.Run(ctx, req)
	if err != nil {
		return nil, notes, err
	}
	return run{r}, notes, nil
}

// Fork implements Engine.
func (f facade) Fork(ctx context.Context, fk Fork) (Run, error) {
	r, err := f.Engine.Fork(ctx, fk)
	if err != nil {
		return nil, err
	}
	return run{r}, nil
}

// Repeat implements Engine.
func (f facade) Repeat(ctx context.Context, fk Fork, n int, each func(i int, r Run)) (Repeats, error) {
	return f.Engine.Repeat(ctx, fk, n, func(i int, r *engine.Run) { each(i, run{r}) })
}

// Bridge makes commands. Its context ends every run and every wait.
type Bridge struct {
	ctx    context.Context
	engine Engine

	repeats    context.Context // of repetitions
	endRepeats context.CancelFunc

	mu   sync.Mutex
	runs map[Run]bool // under way
}

// New makes a bridge. Runs end with ctx.
func New(ctx context.Context, e Engine) *Bridge {
	b := &Bridge{ctx: ctx, engine: e, runs: map[Run]bool{}}
	b.repeats, b.endRepeats = context.WithCancel(ctx)
	return b
}

// End cancels what is under way and waits until the sessions say so, for so long at
// most.
func (b *Bridge) End(why string, patience time.Duration) {
	b.endRepeats()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), patience)
	defer cancel()
	b.mu.Lock()
	runs := slices.Collect(maps.Keys(b.runs))
	b.mu.Unlock()
	for _, run := range runs {
		run.Cancel(why)
	}
	for _, run := range runs {
		for after := run.State(); ; after = run.State() {
			if _, err := run.Next(ctx, after.Seq()); err != nil {
				break
			}
		}
	}
}

// follow keeps account of a run that began or ended.
func (b *Bridge) follow(run Run, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ended {
		delete(b.runs, run)
	} else {
		b.runs[run] = true
	}
}

// Listed are the sessions there are, the newest first. Err may come with a list.
type Listed struct {
	Gen     int
	Entries []Entry
	More    int // older ones that were not read
	Err     error
}

// List lists the sessions.
func (b *Bridge) List(gen int) tea.Cmd {
	return func() tea.Msg {
		entries, err := b.engine.List()
		return Listed{Gen: gen, Entries: entries, Err: err}
	}
}

// Newest lists the n newest sessions.
func (b *Bridge) Newest(gen, n int) tea.Cmd {
	return func() tea.Msg {
		entries, more, err := b.engine.Newest(n)
		return Listed{gen, entries, more, err}
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
		return Opened{Gen: gen, Name: name, Recording: rec, State: warm(rec.State())}
	}
}

// warm parses the message of the attempt that is shown, so that no frame has to.
func warm(s state.Session) state.Session {
	s.Current().Reading()
	return s
}

// Compared are two sessions, read whole.
type Compared struct {
	Gen  int
	A, B state.Session
	Err  error
}

// Compare reads two sessions.
func (b *Bridge) Compare(gen int, nameA, nameB string) tea.Cmd {
	return func() tea.Msg {
		recA, err := b.engine.Open(nameA)
		if err != nil {
			return Compared{Gen: gen, Err: err}
		}
		recB, err := b.engine.Open(nameB)
		if err != nil {
			return Compared{Gen: gen, Err: err}
		}
		return Compared{Gen: gen, A: recA.State(), B: recB.State()}
	}
}

// Shown is an earlier state of the session on screen.
type Shown struct {
	Gen   int
	State state.Session
}

// At folds the recording's events up to number seq.
func (b *Bridge) At(gen int, rec *Recording, seq int) tea.Cmd {
	return func() tea.Msg { return Shown{gen, warm(rec.StateAt(seq))} }
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

// SavePrompt writes a prompt into the folder of prompts.
func (b *Bridge) SavePrompt(name, text string) tea.Cmd {
	return func() tea.Msg {
		path, err := b.engine.SavePrompt(name, text)
		return Done{Note: Note{ZH: "提示词已保存到 " + path, EN: "the prompt is saved to " + path}, Err: err}
	}
}
