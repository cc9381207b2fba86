// Package cli holds the headless commands, one file each. They are the second
// consumer of the engine's façade, beside the console.
package cli

import (
	"context"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"claimscope/engine"
	"claimscope/tui/text"
)

// The exit codes of the program (spec section 7).
const (
	ExitOK          = 0
	ExitInternal    = 1
	ExitUsage       = 2 // usage, or input that cannot be read
	ExitFindings    = 3 // LOW_CONFID, findings, or differences
	ExitStage       = 4 // a stage failed for good
	ExitInterrupted = 130
)

// App is the program's surroundings, injected so that tests hold all of it.
type App struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Now    func() time.Time
	Random io.Reader // for session ids
	// Bundled holds incidents/ and recordings/ as shipped.
	Bundled fs.FS
	// StdoutIsTerminal allows colour; StderrIsTerminal says whether progress on Stderr
	// may be drawn over.
	StdoutIsTerminal, StderrIsTerminal bool
	// Width is the width of the terminal in cells, 0 where there is none; nil for none.
	Width func() int
	// Console opens the console and returns when it is closed.
	Console func(ctx context.Context, o ConsoleOptions) error

	lang text.Lang
}

// ConsoleOptions say where the console opens.
type ConsoleOptions struct {
	Engine  *engine.Engine
	Lang    text.Lang
	Session string // id, prefix or path; "" for the session list
	Claim   string // claim id, or ""
}

// Main runs the program and returns its exit code.
func (a *App) Main(ctx context.Context, args []string) int {
	a.lang = text.LangFromEnv(a.Getenv)
	args, err := a.takeLang(args)
	if err == nil {
		err = a.dispatch(ctx, args)
	}
	return a.report(ctx, err)
}

// takeLang removes --lang, which every command takes, from the arguments.
func (a *App) takeLang(args []string) ([]string, error) {
	var rest []string
	for i := 0; i < len(args); i++ {
		value, isLang := strings.CutPrefix(args[i], "--lang=")
		switch {
		case args[i] == "--":
			return append(rest, args[i:]...), nil
		case args[i] == "--lang":
			i++
			if i == len(args) {
				return nil, a.usage("--lang 需要一个值：zh 或 en", "--lang needs a value: zh or en")
			}
			value = args[i]
		case !isLang:
			rest = append(rest, args[i])
			continue
		}
		lang, ok := text.ParseLang(value)
		if !ok {
			return nil, a.usage("--lang %q：只能是 zh 或 en", "--lang %q: want zh or en", value)
		}
		a.lang = lang
	}
	return rest, nil
}

func (a *App) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return a.invoke(ctx, consoleEntry(), nil)
	}
	switch args[0] {
	case "--help", "-h":
		return a.help(a.Stdout)
	case "--version":
		args = append([]string{"version"}, args[1:]...)
	}
	if c, ok := find(args[0]); ok {
		return a.invoke(ctx, c, args[1:])
	}
	return a.invoke(ctx, consoleEntry(), args)
}

// invoke reads a command's arguments and runs it.
func (a *App) invoke(ctx context.Context, c command, args []string) error {
	in, err := a.parse(c, args)
	if err != nil || in == nil {
		return err
	}
	return c.run(a, ctx, in)
}

func find(name string) (command, bool) {
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 0 {
		return command{}, false
	}
	return all[i], true
}
