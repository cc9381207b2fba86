package tui

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/sessions"
	"claimscope/tui/bridge"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view/viewtest"
)

// emulated is the console in a Bubble Tea program on an emulated terminal.
type emulated struct {
	t       *testing.T
	p       *tea.Program
	mu      sync.Mutex
	screen  *vt.Emulator
	all     bytes.Buffer
	changed chan struct{}
	ended   chan error
}

// patience bounds a wait; only a test that fails ever waits so long.
const patience = 30 * time.Second

func emulate(t *testing.T, o Options, e bridge.Engine, w, h int) *emulated {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	x := &emulated{t: t, screen: vt.NewEmulator(w, h), changed: make(chan struct{}, 1), ended: make(chan error, 1)}
	if f, ok := e.(*fakeEngine); ok {
		go func() {
			for {
				select {
				case <-f.parked:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	o.Bridge, o.Now, o.Zone = bridge.New(ctx, e), func() time.Time { return noon }, time.UTC
	input, hold := io.Pipe()
	t.Cleanup(func() {
		cancel()
		_ = hold.Close()
	})
	go func() { _, _ = io.Copy(io.Discard, x.screen) }() // its answers
	x.p = tea.NewProgram(Guard(New(o)), tea.WithContext(ctx), tea.WithInput(input), tea.WithOutput(x), tea.WithAltScreen(), tea.WithMouseCellMotion(),
		tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	go func() {
		_, err := x.p.Run()
		x.ended <- err
	}()
	x.p.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return x
}

// Write takes what the program writes.
func (x *emulated) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.all.Write(p)
	n, err := x.screen.Write(p)
	select {
	case x.changed <- struct{}{}:
	default:
	}
	return n, err
}

func (x *emulated) bytes() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.all.String()
}

func (x *emulated) resize(w, h int) {
	x.mu.Lock()
	x.screen.Resize(w, h)
	x.mu.Unlock()
	x.p.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// plain is the screen as text, without blanks at the end of lines.
func (x *emulated) plain() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	lines := strings.Split(x.screen.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Join(lines, "\n") + "\n"
}

// wait waits until the screen is as it should be.
func (x *emulated) wait(what string, ok func(screen string) bool) {
	x.t.Helper()
	deadline := time.After(patience)
	for !ok(x.plain()) {
		select {
		case <-x.changed:
		case err := <-x.ended:
			require.Failf(x.t, "it has ended", "%s did not come: %v\n%s", what, err, x.plain())
		case <-deadline:
			require.Failf(x.t, "too long", "%s did not come:\n%s", what, x.plain())
		}
	}
}

// stop quits and waits for the end.
func (x *emulated) stop() {
	x.t.Helper()
	x.p.Quit()
	select {
	case err := <-x.ended:
		require.NoError(x.t, err)
	case <-time.After(patience):
		require.Fail(x.t, "it does not end")
	}
	require.False(x.t, x.screen.IsAltScreen())
}

// TestAWholeRun drives the real engine on a shipped recording to its verdict.
func TestAWholeRun(t *testing.T) {
	dir := t.TempDir()
	real, err := engine.Open(engine.Environment{
		Getenv:  func(name string) string { return map[string]string{"HOME": dir}[name] },
		Bundled: sessions.FS(), Now: func() time.Time { return viewtest.Start }, Random: strings.NewReader(strings.Repeat("seed of the ids ", 64)),
	})
	require.NoError(t, err)
	e := emulate(t, Options{Lang: text.EN, Theme: theme.Dark, Session: "bundled-payment-pool-lowconfid"}, bridge.Of(real), 120, 40)
	shows := func(words ...string) func(string) bool {
		return func(screen string) bool {
			for _, w := range words {
				if !strings.Contains(screen, w) {
					return false
				}
			}
			return true
		}
	}
	e.wait("the session", shows("LOW_CONFID", "1/3 claims"))
	e.p.Send(key("s"))
	e.wait("the first boundary", shows("‖ paused before planner"))
	e.p.Send(key("i"))
	e.wait("the request", shows("[request]", "chat-planner-prompt"))
	e.p.Send(key("esc"))
	e.p.Send(key("s"))
	e.wait("the next boundary", shows("‖ paused before executor"))
	e.p.Send(key("c"))
	e.wait("the verdict", shows("the run has ended: LOW_CONFID", "1/3 claims"))
	e.p.Send(key("d"))
	e.wait("the comparison", shows("two sessions", "forked from bundled-payment-pool-lowconfid (replay)", "= the same  3"))
	e.stop()
}
