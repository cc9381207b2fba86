package cli

import (
	"context"
	"strings"
)

// replaySpeed is how fast recorded replies stream in the console, in tokens a second:
// about what a live model writes.
const replaySpeed = 90

// consoleCommand opens the console: on the session list, on a session, on a claim.
func (a *App) consoleCommand(ctx context.Context, args []string) error {
	fs := a.flags("claimscope")
	setup := a.runFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 1 {
		return usagef("no command %q; see claimscope help", fs.Arg(0))
	}
	name, claim, _ := strings.Cut(fs.Arg(0), "#")
	e, err := setup(replaySpeed)
	if err != nil {
		return err
	}
	if name != "" {
		if _, err := e.Open(name); err != nil {
			if !strings.ContainsAny(name, "/.-0123456789") { // it looks like a command
				return usagef("no command and no session %q; see claimscope help", name)
			}
			return asUsage(err)
		}
	}
	return a.Console(ctx, ConsoleOptions{Engine: e, Lang: a.lang, Session: name, Claim: claim})
}
