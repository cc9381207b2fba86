// Package tui is the console: the Bubble Tea root that routes messages, keeps the
// focus and lays panes out. Panes draw; the view holds the selection; the bridge calls
// the engine. Nothing here does I/O.
package tui

import (
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
	// Copy puts text on the clipboard; it is called from a command.
	Copy func(s string) error
}

// screen is what fills the terminal.
type screen uint8

const (
	screenSessions screen = iota
	screenDebugger
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

	screen screen
	list   *sessionlist.List
	loaded bool // the sessions have been listed once
	debug  *debugger
	dialog dialog // over the screen; nil for none

	gen      int // of the session on screen; late messages carry another
	toast    string
	toastBad bool
	armed    bool // ctrl+c was pressed once during a run
	quitting bool
}

// New makes the console.
func New(o Options) *Model {
	m := &Model{o: o, lang: o.Lang}
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
	if m.debug != nil {
		m.debug.setTheme(m.theme)
	}
}

// say chooses the language of a label.
func (m *Model) say(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(m.lang) }

// Init lists the sessions, and opens the one asked for.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.o.Bridge.List()}
	if m.o.Session != "" {
		m.gen++
		cmds = append(cmds, m.o.Bridge.Open(m.gen, m.o.Session))
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
	case searchStep:
		return m, m.stepSearch()
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
	case bridge.Done:
		return m.onDone(msg)
	}
	return nil
}

func (m *Model) onListed(msg bridge.Listed) tea.Cmd {
	m.loaded = true
	rows := make([]sessionlist.Row, len(msg.Entries))
	for i, e := range msg.Entries {
		rows[i] = sessionlist.Row{Summary: e.Summary, Err: e.Err}
	}
	m.list.SetRows(rows)
	if msg.Err != nil {
		m.complain(msg.Err)
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
	cmds := []tea.Cmd{m.o.Bridge.List()}
	if m.debug != nil && m.debug.run == nil {
		m.gen++
		cmds = append(cmds, m.o.Bridge.Open(m.gen, msg.Session))
	}
	return tea.Batch(cmds...)
}

// tell shows one line at the bottom until the next key.
func (m *Model) tell(line string) { m.toast, m.toastBad = text.SanitiseLine(line), false }

// complain shows what went wrong.
func (m *Model) complain(err error) { m.toast, m.toastBad = text.SanitiseLine(err.Error()), true }

// scope is the part of the key table that holds now.
func (m *Model) scope() keymap.Scope {
	switch {
	case m.dialog != nil:
		return m.dialog.scope()
	case m.screen == screenDebugger && m.debug != nil:
		return m.debug.scope()
	}
	return keymap.Sessions
}
