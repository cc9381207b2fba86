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
func (a *App) rmCommand(_ context.Context, args []string) error {
	fs := a.flags("rm")
	setup := a.setupFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return usagef("rm: no session given; see claimscope list")
	}
	e, err := setup()
	if err != nil {
		return err
	}
	for _, name := range fs.Args() {
		if err := e.Sessions().Remove(name); err != nil {
			return usagef("%w", err)
		}
	}
	return nil
}

// pruneCommand deletes old sessions, or tells which it would.
func (a *App) pruneCommand(_ context.Context, args []string) error {
	fs := a.flags("prune")
	keep := fs.Int("keep", 0, "keep the newest N")
	older := fs.String("older-than", "", "delete those older than this: 30d, 12h")
	yes := fs.Bool("yes", false, "delete; without it, only tell")
	setup := a.setupFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	age, err := parseAge(*older)
	if err != nil {
		return usagef("prune: --older-than: %w", err)
	}
	if *keep < 0 || *keep == 0 && age == 0 {
		return usagef("prune: say what to keep: --keep N, --older-than 30d, or both")
	}
	e, err := setup()
	if err != nil {
		return err
	}
	gone, err := e.Sessions().Prune(session.PruneRule{Age: age, Keep: *keep, DryRun: !*yes})
	p := printer{w: a.Stdout, lang: a.lang}
	for _, entry := range gone {
		p.sessionRow(entry)
	}
	if !*yes {
		p.line(0, p.say("以上 %d 个会话将被删除；加 --yes 执行", "%d sessions would be deleted; add --yes to do it"), len(gone))
	}
	if err != nil {
		return err
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
