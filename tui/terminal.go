package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"claimscope/tui/theme"
)

// Screen is the terminal that the console draws on. It keeps Bubble Tea's frames and
// our own sequences from mixing, and wraps each frame so that terminals which know
// synchronised output (mode 2026) show it at once.
type Screen struct {
	*os.File
	mu   sync.Mutex
	sync bool
}

// NewScreen wraps the terminal's output.
func NewScreen(f *os.File, getenv func(string) string) *Screen {
	return &Screen{File: f, sync: synchronises(getenv)}
}

// synchronises reports whether the terminal is known to take mode 2026. Others ignore
// it by the standard, but very old ones print it.
func synchronises(getenv func(string) string) bool {
	term := getenv("TERM")
	return term != "dumb" && term != "linux" && !strings.HasPrefix(term, "vt") && getenv("TERM_PROGRAM") != "Apple_Terminal"
}

// Write writes one frame.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.sync || len(p) < 64 { // a cursor movement needs no frame
		return s.File.Write(p)
	}
	frame := make([]byte, 0, len(p)+16)
	frame = append(frame, ansi.SetModeSynchronizedOutput...)
	frame = append(frame, p...)
	frame = append(frame, ansi.ResetModeSynchronizedOutput...)
	if _, err := s.File.Write(frame); err != nil {
		return 0, err
	}
	return len(p), nil
}

// maxCopy bounds what is sent to the clipboard, in bytes: many terminals take no more.
const maxCopy = 74994

// ErrTooLong says that the clipboard of a terminal would not take a text.
var ErrTooLong = errors.New("too long for the clipboard of a terminal")

// Copy puts a text on the clipboard of the terminal (OSC 52), which works over SSH.
// The error is ErrTooLong, or one of writing.
func (s *Screen) Copy(text string) error {
	if len(text) > maxCopy {
		return ErrTooLong
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := io.WriteString(s.File, ansi.SetSystemClipboard(text))
	return err
}

// AskBackground asks the terminal for its background colour. The answer comes as
// input; see Input.OnBackground.
func (s *Screen) AskBackground() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = io.WriteString(s.File, theme.BackgroundQuery)
}

// Input is the terminal's input without its answers to AskBackground.
type Input struct {
	*os.File
	mu     sync.Mutex
	filter theme.ReplyFilter
	rest   []byte // read and not given yet
}

// NewInput wraps the terminal's input.
func NewInput(f *os.File) *Input { return &Input{File: f} }

// OnBackground sets who is told of the answer.
func (i *Input) OnBackground(found func(dark bool)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.filter.Found = func(dark bool) { go found(dark) } // the reader must not wait for the program
}

// Read reads keys.
func (i *Input) Read(p []byte) (int, error) {
	for len(i.rest) == 0 {
		n, err := i.File.Read(p)
		if n == 0 || err != nil {
			return n, err
		}
		i.mu.Lock()
		i.rest = i.filter.Filter(p[:n])
		i.mu.Unlock()
	}
	n := copy(p, i.rest)
	i.rest = append([]byte(nil), i.rest[n:]...)
	return n, nil
}

// Terminal is a terminal's both sides.
type Terminal struct {
	*Screen
	input *Input
}

// NewTerminal wraps the files of a terminal.
func NewTerminal(in, out *os.File, getenv func(string) string) *Terminal {
	return &Terminal{NewScreen(out, getenv), NewInput(in)}
}

// Run shows a model until it quits or ctx ends; then the terminal is as it was. With
// ask, the terminal is asked for its background colour, and the model is told
// ([Background]) if it answers: nothing waits for that. The error is a *Crash when
// the model, or Bubble Tea itself, has panicked; ctx's when ctx has ended.
func (t *Terminal) Run(ctx context.Context, m tea.Model, ask bool) (err error) {
	guarded := Guard(m)
	program := tea.NewProgram(guarded, tea.WithContext(ctx), tea.WithAltScreen(), tea.WithMouseCellMotion(),
		tea.WithInput(t.input), tea.WithOutput(t.Screen), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	guarded.wake = func(c *Crash) { program.Send(c) }
	if ask {
		t.input.OnBackground(func(dark bool) { program.Send(Background{Dark: dark}) })
		t.AskBackground()
	}
	defer func() {
		if p := recover(); p != nil {
			program.Kill()
			_ = program.ReleaseTerminal()
			err = &Crash{p, debug.Stack()}
		}
	}()
	_, err = program.Run()
	switch c := guarded.Crashed(); {
	case c != nil:
		return c
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}
