// Command claimscope is a terminal debugging console for incident-diagnosis agents
// whose answers must be provable. Here is only the wiring: see package cli for the
// commands and package tui for the console.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/sessions"
	"claimscope/tui"
	"claimscope/tui/bridge"
	"claimscope/tui/cli"
	"claimscope/tui/theme"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup wants it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	app := &cli.App{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Now: time.Now, Bundled: sessions.FS(),
		StderrIsTerminal: isatty.IsTerminal(os.Stderr.Fd()),
		Console:          console,
	}
	code := app.Main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// errNoTerminal says that the console has nothing to draw on.
var errNoTerminal = errors.New("the console needs a terminal; see claimscope help for the headless commands")

// console runs the console until it is closed. Whatever happens, the terminal is
// restored; a crash leaves a readable line and a crash file.
func console(ctx context.Context, o cli.ConsoleOptions) (err error) {
	if !isatty.IsTerminal(os.Stdin.Fd()) || !isatty.IsTerminal(os.Stdout.Fd()) {
		return cli.Usage(errNoTerminal)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends every run
	kind, sure := theme.Start(os.Getenv)
	screen := tui.NewScreen(os.Stdout, os.Getenv)
	model := tui.New(tui.Options{
		Bridge: bridge.New(ctx, bridge.Of(o.Engine)), Lang: o.Lang, Theme: kind,
		Renderer: theme.NewRenderer(os.Stdout, os.Getenv, true),
		Session:  o.Session, Claim: o.Claim,
		Now: time.Now, Zone: time.Local, User: userName(), Copy: copier(screen), Edit: edit,
	})
	guarded := tui.Guard(model)
	input := tui.NewInput(os.Stdin)
	program := tea.NewProgram(guarded, tea.WithContext(ctx), tea.WithAltScreen(), tea.WithMouseCellMotion(),
		tea.WithInput(input), tea.WithOutput(screen), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	if !sure {
		input.OnBackground(func(dark bool) { program.Send(tui.Background{Dark: dark}) })
		screen.AskBackground()
	}
	defer func() {
		if p := recover(); p != nil { // Bubble Tea itself broke
			err = crash(program, p, debug.Stack())
		}
	}()
	_, err = program.Run()
	if c := guarded.Crashed(); c != nil {
		return crash(program, c.Value, c.Stack)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// crash restores the terminal, writes a crash file and says so in one line.
func crash(program *tea.Program, value any, stack []byte) error {
	program.Kill()
	_ = program.ReleaseTerminal()
	name := filepath.Join(os.TempDir(), fmt.Sprintf("claimscope-crash-%s.txt", time.Now().Format("20060102-150405")))
	report := fmt.Sprintf("claimscope crashed: %v\n\n%s", value, stack)
	if err := os.WriteFile(name, []byte(report), 0o600); err != nil {
		return fmt.Errorf("the console crashed: %v (no crash file: %w)", value, err)
	}
	return fmt.Errorf("the console crashed: %v; the details are in %s; every session is saved", value, name)
}

// copier copies to the terminal's clipboard, and into one file that is kept up to date
// for terminals without one.
func copier(screen *tui.Screen) func(string) (string, error) {
	var mu sync.Mutex
	name := ""
	return func(s string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if name == "" {
			f, err := os.CreateTemp("", "claimscope-copy-*.txt")
			if err != nil {
				return "", errors.Join(err, screen.Copy(s))
			}
			name = f.Name()
			if err := f.Close(); err != nil {
				return "", err
			}
		}
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			return "", errors.Join(err, screen.Copy(s))
		}
		if err := screen.Copy(s); err != nil && !errors.Is(err, tui.ErrTooLong) {
			return "", err
		}
		return name, nil
	}
}

// edit opens text in $VISUAL or $EDITOR, in a file of its own that is removed after.
func edit(text, ext string, done func(string, error) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		f, err := os.CreateTemp("", "claimscope-edit-*"+ext)
		if err != nil {
			return done("", err)
		}
		name := f.Name()
		_, err = f.WriteString(text)
		if err := errors.Join(err, f.Close()); err != nil {
			return done("", errors.Join(err, os.Remove(name)))
		}
		editor := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi")
		// The variable may hold arguments and quotes, so a shell reads it, as git does.
		cmd := exec.Command("sh", "-c", editor+` "$@"`, editor, name)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		return tea.ExecProcess(cmd, func(err error) tea.Msg {
			var after []byte
			if err == nil {
				after, err = os.ReadFile(name)
			} else {
				err = fmt.Errorf("the editor %s: %w", editor, err)
			}
			return done(string(after), errors.Join(err, os.Remove(name)))
		})()
	}
}

// userName signs reviews.
func userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return os.Getenv("USER")
}
