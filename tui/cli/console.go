package cli

import (
	"context"
	"errors"
	"strings"

	"claimscope/engine/session"
)

// replaySpeed is how fast recorded replies stream in the console, in tokens a second:
// about what a live model writes.
const replaySpeed = 90

// consoleCommand opens the console: on the session list, on a session, on a claim.
func (a *App) consoleCommand(ctx context.Context, in *input) error {
	name, claim := "", ""
	if len(in.args) > 0 {
		name, claim, _ = strings.Cut(in.args[0], "#")
	}
	e, err := in.open(replaySpeed)
	if err != nil {
		return err
	}
	if name != "" {
		err := e.Check(name)                                                                 // the console reads it, when its first frame is there
		if errors.Is(err, session.ErrNotFound) && !strings.ContainsAny(name, "0123456789") { // it looks like a command
			return a.unknownCommand(name)
		}
		if err != nil {
			return asUsage(err)
		}
	}
	return a.Console(ctx, ConsoleOptions{Engine: e, Lang: a.lang, Session: name, Claim: claim})
}
