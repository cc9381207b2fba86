package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"claimscope/engine/session"
)

// rmCommand deletes sessions.
func (a *App) rmCommand(ctx context.Context, in *input) error {
	e, err := in.open(0)
	if err != nil {
		return err
	}
	code := ExitOK
	for _, name := range in.args { // one that cannot be removed spares the others nothing
		if err := e.Sessions().Remove(name); err != nil {
			code = max(code, a.report(ctx, asUsage(err)))
		}
	}
	return ended(code)
}

// pruneCommand deletes old sessions, or tells which it would.
func (a *App) pruneCommand(_ context.Context, in *input) error {
	keep, yes := in.count("keep"), in.on("yes")
	age, err := parseAge(in.text("older-than"))
	if err != nil {
		return in.usage("--older-than %q：应形如 30d 或 12h", "--older-than %q: want 30d or 12h", in.text("older-than"))
	}
	if keep < 0 || keep == 0 && age == 0 {
		return in.usage("请说明保留什么：--keep N、--older-than 30d，或两者", "say what to keep: --keep N, --older-than 30d, or both")
	}
	e, err := in.open(0)
	if err != nil {
		return err
	}
	gone, err := e.Sessions().Prune(session.PruneRule{Age: age, Keep: keep, DryRun: !yes})
	p := a.printer(a.Stdout)
	p.sessionTable(gone)
	switch {
	case len(gone) == 0:
		p.line("%s", p.say("没有要清理的会话", "there is nothing to remove"))
	case yes:
		p.line(p.say("已删除 %d 个会话", "%d sessions removed"), len(gone))
	default:
		p.line(p.say("以上 %d 个会话将被删除；加 --yes 执行", "%d sessions would be removed; add --yes to do it"), len(gone))
	}
	if err != nil {
		return asUsage(err)
	}
	return p.err
}

// parseAge reads a duration that may be in days.
func parseAge(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || n <= 0 || n > 36500 {
			return 0, fmt.Errorf("%q; want 30d or 12h", s)
		}
		return time.Duration(n * 24 * float64(time.Hour)), nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q; want 30d or 12h", s)
	}
	return d, nil
}
