// Command claimscope is a terminal debugging console for incident-diagnosis agents
// whose answers must be provable. Here is only the wiring: see package cli for the
// commands and package tui for the console.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"os/user"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine"
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
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	app := &cli.App{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Now: time.Now, Bundled: sessions.FS(),
		Random: rand.Reader, Width: terminalWidth,
		StdoutIsTerminal: isatty.IsTerminal(os.Stdout.Fd()), StderrIsTerminal: isatty.IsTerminal(os.Stderr.Fd()),
		Console: console,
	}
	code := app.Main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// terminalWidth is the width in cells of the terminal that stdout is, or 0.
func terminalWidth() int {
	w, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return w
}

// errNoTerminal says that the console has nothing to draw on.
var errNoTerminal = errors.New("the console needs a terminal; see claimscope help for the headless commands")

// errEnded says why the console closed by itself.
var errEnded = errors.New("ended by a signal; every session is saved")

// farewell bounds how long the program waits at its end until the runs that were under
// way are recorded as cancelled.
const farewell = 2 * time.Second

// console runs the console until it is closed. Whatever happens, the terminal is
// restored; a crash leaves a readable line and a crash file.
func console(ctx context.Context, o cli.ConsoleOptions) error {
	if !isatty.IsTerminal(os.Stdin.Fd()) || !isatty.IsTerminal(os.Stdout.Fd()) {
		return cli.Usage(errNoTerminal)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends every run
	kind, sure := theme.Start(os.Getenv)
	terminal := tui.NewTerminal(os.Stdin, os.Stdout, os.Getenv)
	calls := bridge.New(ctx, bridge.Of(o.Engine))
	err := terminal.Run(ctx, tui.New(tui.Options{
		Bridge: calls, Lang: o.Lang, Theme: kind,
		Renderer: theme.NewRenderer(os.Stdout, os.Getenv, true),
		Session:  o.Session, Claim: o.Claim,
		Now: time.Now, Zone: time.Local, User: userName(), Copy: copier(terminal.Copy), Edit: edit,
	}), !sure)
	calls.End("the console was closed", farewell)
	var crash *tui.Crash
	switch {
	case errors.As(err, &crash):
		return report(crash)
	case ctx.Err() != nil:
		return errEnded
	}
	return err
}

// report writes a crash file and says so in one line.
func report(crash *tui.Crash) error {
	f, err := os.CreateTemp("", "claimscope-crash-*.txt")
	if err != nil {
		return fmt.Errorf("%w (no crash file: %w)", crash, err)
	}
	_, err = fmt.Fprintf(f, "claimscope %s %s/%s %s\n%v\n\n%s", engine.Version, runtime.GOOS, runtime.GOARCH, time.Now().Format(time.RFC3339), crash.Value, crash.Stack)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%w (no crash file: %w)", crash, err)
	}
	return fmt.Errorf("%w; the details are in %s; every session is saved", crash, f.Name())
}

// copier copies to the terminal's clipboard, and into one file that is kept up to date
// for terminals without one.
func copier(clipboard func(string) error) func(string) (string, error) {
	var mu sync.Mutex
	name := ""
	return func(s string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if name == "" {
			f, err := os.CreateTemp("", "claimscope-copy-*.txt")
			if err != nil {
				return "", errors.Join(err, clipboard(s))
			}
			name = f.Name()
			if err := f.Close(); err != nil {
				return "", err
			}
		}
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			return "", errors.Join(err, clipboard(s))
		}
		if err := clipboard(s); err != nil && !errors.Is(err, tui.ErrTooLong) {
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
