package tui

import (
	"bytes"
	"io"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// faulty panics in one of its methods.
type faulty struct{ in string }

type poke struct{}

func (f faulty) boom(in string) {
	if f.in == in {
		panic("boom in " + in + "\n\x1b[31m")
	}
}

func (f faulty) Init() tea.Cmd {
	f.boom("init")
	switch f.in {
	case "command":
		return func() tea.Msg { f.boom("command"); return nil }
	case "batch":
		return tea.Batch(func() tea.Msg { return nil }, tea.Batch(func() tea.Msg { return nil }, func() tea.Msg { f.boom("batch"); return nil }))
	}
	return func() tea.Msg { return poke{} }
}

func (f faulty) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(poke); ok {
		f.boom("update")
		if f.in == "later view" {
			f.in = "view"
		}
		if f.in == "later command" {
			return f, func() tea.Msg { panic("boom in later command") }
		}
	}
	return f, nil
}

func (f faulty) View() string { f.boom("view"); return "ok" }

func TestPanicsEndInGoodOrder(t *testing.T) {
	for _, in := range []string{"update", "view", "later view", "command", "later command", "batch"} {
		t.Run(in, func(t *testing.T) {
			var out bytes.Buffer
			g := Guard(faulty{in})
			input, hold := io.Pipe()
			defer func() { _ = hold.Close() }()
			p := tea.NewProgram(g, tea.WithInput(input), tea.WithOutput(&out), tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
			g.wake = func(c *Crash) { p.Send(c) }
			_, err := p.Run()
			require.NoError(t, err)
			c := g.Crashed()
			require.NotNil(t, c)
			require.Contains(t, c.Error(), "the console crashed: boom in ")
			require.NotContains(t, c.Error(), "\n")
			require.NotContains(t, c.Error(), "\x1b")
			require.Contains(t, string(c.Stack), "guard_test.go")
			for _, restored := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?1002l", "\x1b[?2004l"} {
				require.Contains(t, out.String(), restored)
			}
		})
	}
}

func TestGuardPassesMessagesOn(t *testing.T) {
	g := Guard(faulty{})
	require.Equal(t, poke{}, g.Init()())
	m, cmd := g.Update(poke{})
	require.Same(t, g, m)
	require.Nil(t, cmd)
	require.Equal(t, "ok", g.View())
	require.Nil(t, g.Crashed())
}
