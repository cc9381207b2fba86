package tui

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/tui/text"
)

// Crash is a panic in the console. It is an error of one line.
type Crash struct {
	Value any
	Stack []byte
}

// Error implements error.
func (c *Crash) Error() string {
	return "the console crashed: " + text.SanitiseLine(fmt.Sprint(c.Value))
}

// Guarded is a model whose panics end the program in good order: the terminal is
// restored by Bubble Tea's ordinary way out, and the panic is kept.
type Guarded struct {
	model tea.Model
	crash *Crash
	wake  func(*Crash) // gives a message to the program; View cannot
}

// Guard wraps a model.
func Guard(m tea.Model) *Guarded { return &Guarded{model: m} }

// Crashed is the panic that ended the program, or nil.
func (g *Guarded) Crashed() *Crash { return g.crash }

// Init implements tea.Model.
func (g *Guarded) Init() tea.Cmd { return g.guard(g.model.Init()) }

// Update implements tea.Model.
func (g *Guarded) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	m = g
	if g.crash != nil {
		return m, tea.Quit
	}
	if c, ok := msg.(*Crash); ok {
		g.crash = c
		return m, tea.Quit
	}
	defer func() {
		if p := recover(); p != nil {
			g.crash, cmd = &Crash{p, debug.Stack()}, tea.Quit
		}
	}()
	var next tea.Cmd
	g.model, next = g.model.Update(msg)
	return m, g.guard(next)
}

// View implements tea.Model. After a panic it shows nothing and the program quits.
func (g *Guarded) View() (s string) {
	if g.crash != nil {
		return ""
	}
	defer func() {
		if p := recover(); p != nil {
			g.crash, s = &Crash{p, debug.Stack()}, ""
			if g.wake != nil {
				go g.wake(g.crash)
			}
		}
	}()
	return g.model.View()
}

// guard turns a panic in a command into a message.
func (g *Guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = &Crash{p, debug.Stack()}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.guard(batch[i])
			}
		}
		return msg
	}
}
