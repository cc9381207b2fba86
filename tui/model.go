// Package tui is the console: the Bubble Tea root that routes messages, keeps the
// focus and lays panes out. Panes draw; the view holds the selection; the bridge calls
// the engine. Nothing here does I/O.
package tui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/pane/sessionlist"
	"claimscope/tui/text"
	"claimscope/tui/theme"
)

// Options are what the console needs from outside.
type Options struct {
	Bridge   *bridge.Bridge
	Lang     text.Lang
	Theme    theme.Kind
	Renderer *lipgloss.Renderer // decides how many colours are used
	Session  string             // opens on this session; "" for the list
	Claim    string             // and on this claim of it
	Now      func() time.Time
	Zone     *time.Location // of the times shown
	User     string         // signs reviews
	// After gives a message later; tea.Tick, but for tests.
	After func(d time.Duration, msg tea.Msg) tea.Cmd
	// Copy puts text on the clipboard and into a file, whose path it gives; it is called
	// from a command.
	Copy func(s string) (path string, err error)
	// Edit opens text in the person's editor; ext is the extension of its file. The
	// command gives what done makes of the edited text.
	Edit func(text, ext string, done func(text string, err error) tea.Msg) tea.Cmd
}

// screen is what fills the terminal.
type screen uint8

const (
	screenSessions screen = iota
	screenDebugger
	screenCompare
)

// The smallest terminal that the console is drawn in, in cells.
const (
	minWidth  = 60
	minHeight = 16
)

// Model is the root model. It belongs to Bubble Tea's goroutine.
type Model struct {
	o      Options
	w, h   int
	lang   text.Lang
	theme  theme.Theme
	paints *pane.Paints

	screen  screen
	list    *sessionlist.List
	loaded  bool // the sessions have been listed once
	listed  int  // generation of the newest list shown
	listGen int  // and of the newest list asked for
	listing bool // a list is under way
	relists bool // and another is wanted after it
	older   int  // sessions that are there and not read yet
	debug   *debugger
	running []*debugger // those with a run under way; the one on screen may be among them
	compare *comparing
	repeat  *repeating // nil when none is under way
	draft   *edited    // an edit that the run has not taken, or not yet; nil for none
	chosen  string     // session chosen for a comparison; "" for none
	dialog  dialog     // over the screen; nil for none
	history map[string][]string

	gen      int // of the session asked for last; late messages carry another
	waiting  int // generation that keys wait for, waitList, or 0
	early    []tea.KeyMsg
	toast    string
	toastBad bool
	armed    bool // ctrl+c was pressed once during a run
	quitting bool
}

// waitList is Model.waiting until the sessions have been listed.
const waitList = -1

// New makes the console.
func New(o Options) *Model {
	if o.After == nil {
		o.After = func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) }
	}
	m := &Model{o: o, lang: o.Lang, waiting: waitList, history: map[string][]string{}}
	m.setTheme(o.Theme)
	m.list = sessionlist.New(m.theme, o.Zone)
	return m
}

func (m *Model) setTheme(k theme.Kind) {
	m.theme = theme.New(k, m.o.Renderer)
	m.paints = pane.NewPaints(m.theme)
	if m.list != nil {
		m.list.SetTheme(m.theme)
	}
	for _, d := range m.debuggers() {
		d.setTheme(m.theme)
	}
	if m.compare != nil {
		m.compare.pane.SetTheme(m.theme)
	}
	if d, ok := m.dialog.(interface{ setTheme(theme.Theme) }); ok {
		d.setTheme(m.theme)
	}
}

// debuggers are the session on screen and those that run behind it.
func (m *Model) debuggers() []*debugger {
	out := m.running
	if m.debug != nil && !slices.Contains(out, m.debug) {
		out = append(slices.Clip(out), m.debug)
	}
	return out
}

// of finds the debugger of a generation, or nil: the message came too late.
func (m *Model) of(gen int) *debugger {
	for _, d := range m.debuggers() {
		if d.gen == gen {
			return d
		}
	}
	return nil
}

// say chooses the language of a label.
func (m *Model) say(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(m.lang) }

// firstSessions is how many sessions are listed before the others are read: some screens
// full.
const firstSessions = 200

// Init lists the sessions, and opens the one asked for.
func (m *Model) Init() tea.Cmd {
	m.listing = true
	m.listGen++
	cmds := []tea.Cmd{m.o.Bridge.Newest(m.listGen, firstSessions), m.o.After(pollEvery, poll{})}
	if m.o.Session != "" {
		cmds = append(cmds, m.open(m.o.Session))
	}
	return tea.Batch(cmds...)
}

// Background is a terminal's answer to the question for its background colour.
type Background struct{ Dark bool }

// Update routes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		return m, nil
	case tea.KeyMsg:
		return m, m.keys(msg)
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case Background:
		if m.theme.Kind != theme.None {
			m.setTheme(map[bool]theme.Kind{true: theme.Dark, false: theme.Light}[msg.Dark])
		}
		return m, nil
	case tick:
		return m, m.onTick(msg)
	case poll:
		return m, m.onPoll()
	case searchStep:
		return m, m.stepSearch()
	case edited:
		return m, m.onEdited(msg)
	}
	return m, m.fromEngine(msg)
}

// fromEngine takes what came of an engine call.
func (m *Model) fromEngine(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case bridge.Listed:
		return m.onListed(msg)
	case bridge.Opened:
		return m.onOpened(msg)
	case bridge.Shown:
		return m.onShown(msg)
	case bridge.Started:
		return m.onStarted(msg)
	case bridge.Happened:
		return m.onHappened(msg)
	case bridge.Streamed:
		return m.onStreamed(msg)
	case bridge.Looked:
		return m.onLooked(msg)
	case bridge.Compared:
		return m.onCompared(msg)
	case bridge.Begun:
		return m.onBegun(msg)
	case bridge.Repeated:
		return m.onRepeated(msg)
	case bridge.Done:
		return m.onDone(msg)
	}
	return nil
}

func (m *Model) onDone(msg bridge.Done) tea.Cmd {
	if msg.Err != nil {
		m.complain(msg.Err)
		return nil
	}
	m.tell(m.say(msg.Note.ZH, msg.Note.EN))
	if msg.Session == "" {
		return nil
	}
	cmds := []tea.Cmd{m.relist()}
	if d := m.debug; m.screen == screenDebugger && d != nil && d.run == nil {
		d.becomes = msg.Session
		cmds = append(cmds, m.o.Bridge.Open(d.gen, msg.Session))
	}
	return tea.Batch(cmds...)
}

// tell shows one line at the bottom until the next key.
func (m *Model) tell(line string) { m.toast, m.toastBad = text.SanitiseLine(line), false }

// warn tells what cannot be done.
func (m *Model) warn(zh, en string) { m.toast, m.toastBad = text.SanitiseLine(m.say(zh, en)), true }

// complain shows what went wrong.
func (m *Model) complain(err error) {
	why := bridge.Reason(err)
	m.warn(why.ZH, why.EN)
}

// scope is the part of the key table that holds now.
func (m *Model) scope() keymap.Scope {
	switch {
	case m.dialog != nil:
		return m.dialog.scope()
	case m.screen == screenDebugger && m.debug != nil:
		return m.debug.scope()
	case m.screen == screenCompare && m.compare != nil:
		return keymap.Comparing
	}
	return keymap.Sessions
}
