package tui

import (
	"cmp"
	"context"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/state"
	"claimscope/tui/bridge"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view/viewtest"
)

// fakeEngine answers from memory and counts its calls. Its runs wait for the test.
type fakeEngine struct {
	mu      sync.Mutex
	calls   int
	log     []string
	order   []string // ids, newest first
	scripts map[string]*viewtest.Script
	entries []bridge.Entry // instead of what the scripts give, if any
	fail    error          // of every call
	refuse  error          // of edits
	run     *fakeRun
	parked  chan struct{} // a call waits for the test
}

func newFakeEngine(scripts ...*viewtest.Script) *fakeEngine {
	e := &fakeEngine{scripts: map[string]*viewtest.Script{}, parked: make(chan struct{})}
	for _, s := range scripts {
		e.order = append(e.order, s.Header.ID)
		e.scripts[s.Header.ID] = s
	}
	return e
}

// called counts a call.
func (e *fakeEngine) called(what string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls++
	e.log = append(e.log, what)
	return e.fail
}

func (e *fakeEngine) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.calls
}

// did reports whether there was such a call, and forgets all calls.
func (e *fakeEngine) did(what string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := strings.Join(e.log, "\n")
	e.log = nil
	return strings.Contains(all, what)
}

func (e *fakeEngine) List() ([]bridge.Entry, error) {
	err := e.called("list")
	if e.entries != nil {
		return e.entries, err
	}
	var out []bridge.Entry
	for _, id := range e.order {
		out = append(out, bridge.Entry{Summary: e.scripts[id].State().Summary()})
	}
	return out, err
}

func (e *fakeEngine) Newest(n int) ([]bridge.Entry, int, error) {
	all, err := e.List()
	return all[:min(n, len(all))], max(len(all)-n, 0), err
}

func (e *fakeEngine) Open(name string) (*bridge.Recording, error) {
	if err := e.called("open " + name); err != nil {
		return nil, err
	}
	s := e.scripts[name]
	if s == nil {
		return nil, errNoSession
	}
	return &bridge.Recording{Header: s.Header, Events: s.Events}, nil
}

func (e *fakeEngine) begin(what, id string, s *viewtest.Script) (bridge.Run, error) {
	if err := e.called(what); err != nil {
		return nil, err
	}
	h := s.Header
	h.ID = id
	e.run = &fakeRun{engine: e, id: id, header: h, wake: make(chan struct{}, 1)}
	e.order = append([]string{id}, e.order...)
	e.scripts[id] = &viewtest.Script{Header: h}
	return e.run, nil
}

func (e *fakeEngine) Run(_ context.Context, req bridge.Request) (bridge.Run, []bridge.Note, error) {
	if req.Resume != "" {
		s := e.scripts[req.Resume]
		r, err := e.begin("resume "+req.Resume, req.Resume, s)
		e.run.events = s.Events
		return r, nil, err
	}
	r, err := e.begin("run "+req.Replay, "run-1", e.scripts[req.Replay])
	return r, nil, err
}

func (e *fakeEngine) Fork(_ context.Context, f bridge.Fork) (bridge.Run, error) {
	return e.begin("fork "+f.Session+" "+f.Mode+" "+string(f.Stage), "fork-1", e.scripts[f.Session])
}

func (e *fakeEngine) Repeat(_ context.Context, f bridge.Fork, n int, each func(int, bridge.Run)) (bridge.Repeats, error) {
	err := e.called("repeat " + f.Session)
	var out bridge.Repeats
	for i := range n {
		each(i+1, nil)
		out.Sessions = append(out.Sessions, "again")
	}
	return out, err
}

func (e *fakeEngine) Review(name string, r event.Reviewed) (string, error) {
	return name, e.called("review " + name + " " + string(r.Action) + " " + r.ClaimID + " " + r.Reason + " " + r.By)
}

func (e *fakeEngine) SaveOutput(name, ref string) (string, error) {
	return ref + ".txt", e.called("save " + name + " " + ref)
}

func (e *fakeEngine) ExportFile(name, format, lang string) (string, error) {
	return name + "." + format, e.called("export " + name + " " + format + " " + lang)
}

func (e *fakeEngine) SavePrompt(name, _ string) (string, error) {
	return name + ".md", e.called("prompt " + name)
}

// fakeRun is a run whose events the test pushes.
type fakeRun struct {
	engine *fakeEngine
	id     string
	header event.Header
	mu     sync.Mutex
	events []event.Event
	ended  bool
	wake   chan struct{}
}

func (r *fakeRun) State() state.Session {
	_ = r.engine.called("state")
	r.mu.Lock()
	defer r.mu.Unlock()
	return state.Fold(r.header, r.events)
}

func (r *fakeRun) Next(ctx context.Context, after int) (event.Event, error) {
	_ = r.engine.called("next")
	for {
		r.mu.Lock()
		n, ended := len(r.events), r.ended
		r.mu.Unlock()
		switch {
		case after < n:
			return r.events[after], nil
		case ended:
			return event.Event{}, io.EOF
		}
		r.engine.parked <- struct{}{}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return event.Event{}, ctx.Err()
		}
	}
}

var noDeltas = func() chan bridge.Delta { c := make(chan bridge.Delta); close(c); return c }()

func (r *fakeRun) Deltas() <-chan bridge.Delta { return noDeltas }
func (r *fakeRun) Step()                       { _ = r.engine.called("step") }
func (r *fakeRun) Continue()                   { _ = r.engine.called("continue") }
func (r *fakeRun) Pause()                      { _ = r.engine.called("pause") }
func (r *fakeRun) Cancel(why string)           { _ = r.engine.called("cancel " + why) }
func (r *fakeRun) Skip() error                 { return r.engine.called("skip") }
func (r *fakeRun) Edit(x bridge.Edit) error {
	return cmp.Or(r.engine.called("edit "+x.Target+" "+x.Text), r.engine.refuse)
}

func (r *fakeRun) SetBreakpoints(list []bridge.Breakpoint) error {
	what := "breakpoints"
	for _, b := range list {
		what += " " + b.String()
	}
	return r.engine.called(what)
}

func (r *fakeRun) Breakpoints() []bridge.Breakpoint { _ = r.engine.called("breakpoints?"); return nil }
func (r *fakeRun) Pending() (bridge.Pending, bool) {
	_ = r.engine.called("pending")
	return bridge.Pending{Boundary: "verifier"}, true
}

func (r *fakeRun) EditText(target string) (string, error) {
	if err := r.engine.called("text " + target); err != nil {
		return "", err
	}
	if target == event.EditExecutorOutput {
		return "", errNoSession
	}
	return `{"what":"` + target + `"}`, nil
}

// console drives a model as Bubble Tea does: messages in order, commands after the
// update that gave them, one at a time. It asserts that neither Update nor View calls
// the engine.
type console struct {
	t       *testing.T
	m       *Model
	engine  *fakeEngine
	waiting []chan tea.Msg // commands that wait for a run
	later   []tea.Msg      // what the model wants to be given later
	copied  string
	editing func(string) string // the external editor
	quit    bool

	suspended bool
}

// noon is when every test happens.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func newConsole(t *testing.T, o Options, e *fakeEngine) *console {
	t.Helper()
	c := &console{t: t, engine: e, editing: func(s string) string { return s }}
	if o.Bridge == nil {
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		o.Bridge = bridge.New(ctx, e)
	}
	o.Now = func() time.Time { return noon }
	o.Zone, o.User = time.UTC, "张三"
	o.After = func(_ time.Duration, msg tea.Msg) tea.Cmd { c.later = append(c.later, msg); return nil }
	o.Copy = func(s string) (string, error) { c.copied = s; return "copy.txt", nil }
	o.Edit = func(s, _ string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done(c.editing(s), nil) }
	}
	c.m = New(o)
	c.size(120, 40)
	c.do(c.m.Init())
	return c
}

// pure runs Update or View and asserts that the engine was not called.
func (c *console) pure(what string, f func()) {
	before := c.engine.count()
	f()
	require.Equal(c.t, before, c.engine.count(), "%s called the engine", what)
}

func (c *console) send(msg tea.Msg) {
	c.t.Helper()
	var cmd tea.Cmd
	c.pure("Update", func() { _, cmd = c.m.Update(msg) })
	c.do(cmd)
}

// do runs a command, and what it brings about, as far as nothing waits for a run.
func (c *console) do(cmd tea.Cmd) {
	c.t.Helper()
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		c.got(msg)
	case <-c.engine.parked:
		c.waiting = append(c.waiting, done)
	}
}

func (c *console) got(msg tea.Msg) {
	c.t.Helper()
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			c.do(cmd)
		}
	case tea.QuitMsg:
		c.quit = true
	case tea.SuspendMsg:
		c.suspended = true
	default:
		require.NotEqual(c.t, "sequenceMsg", reflect.TypeOf(msg).Name(), "a sequence is not guarded against panics")
		c.send(msg)
	}
}

// push adds events to the run under way, those of another script after the ones that
// it has, and lets the console see them.
func (c *console) push(s *viewtest.Script, upTo int, ended bool) {
	c.t.Helper()
	r := c.engine.run
	r.mu.Lock()
	r.events, r.ended = s.Events[:upTo], ended
	r.mu.Unlock()
	c.engine.scripts[r.id].Events = s.Events[:upTo]
	waiting := c.waiting
	c.waiting = nil
	r.wake <- struct{}{}
	for _, done := range waiting {
		select {
		case msg := <-done:
			c.got(msg)
		case <-c.engine.parked: // nothing new for this one
			c.waiting = append(c.waiting, done)
		}
	}
}

// press presses keys, named as Bubble Tea prints them; several letters in one word are
// several keys.
func (c *console) press(keys ...string) *console {
	c.t.Helper()
	for _, k := range keys {
		c.send(key(k))
	}
	return c
}

// typed types a text in one burst.
func (c *console) typed(s string) *console {
	c.t.Helper()
	c.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)})
	return c
}

var named = func() map[string]tea.KeyType {
	out := map[string]tea.KeyType{}
	for k := tea.KeyType(-150); k < 150; k++ {
		if name := (tea.Key{Type: k}).String(); name != "" && k != tea.KeyRunes {
			out[name] = k
		}
	}
	return out
}()

func key(name string) tea.KeyMsg {
	if k, ok := named[name]; ok && len([]rune(name)) > 1 {
		return tea.KeyMsg{Type: k}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

func (c *console) size(w, h int) *console {
	c.send(tea.WindowSizeMsg{Width: w, Height: h})
	return c
}

// lines draws the screen and asserts that it is h lines of w cells, and safe.
func (c *console) lines() []string {
	c.t.Helper()
	var s string
	c.pure("View", func() { s = c.m.View() })
	lines := strings.Split(s, "\n")
	require.Len(c.t, lines, c.m.h)
	for i, l := range lines {
		if w := text.Width(l); w != c.m.w {
			require.Equal(c.t, c.m.w, w, "line %d of %d×%d: %q", i, c.m.w, c.m.h, l)
		}
	}
	return lines
}

// plain is the screen without styles.
func (c *console) plain() string {
	c.t.Helper()
	lines := c.lines()
	for i := range lines {
		lines[i] = strings.TrimRight(text.Unstyle(lines[i]), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// last is the last line of the screen.
func (c *console) last() string {
	c.t.Helper()
	lines := c.lines()
	return strings.TrimSpace(text.Unstyle(lines[len(lines)-1]))
}

func (c *console) shows(words ...string) *console {
	c.t.Helper()
	s := c.plain()
	for _, w := range words {
		if !strings.Contains(s, w) {
			c.t.Fatalf("%q is not on screen:\n%s", w, s)
		}
	}
	return c
}

func english() Options { return Options{Lang: text.EN, Theme: theme.Dark} }

type textError string

func (e textError) Error() string { return string(e) }

const errNoSession = textError("no such session")
