package cli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"claimscope/engine"
	"claimscope/engine/verdict"
)

// forkCommand re-runs a recorded session, once or several times.
func (a *App) forkCommand(ctx context.Context, args []string) error {
	fs := a.flags("fork")
	mode := fs.String("mode", engine.ForkVerifier, "verifier, executor or live")
	repeat := fs.Int("repeat", 1, "how often; then the verdicts are counted")
	asJSON := fs.Bool("json", false, "print the evaluation record, or the counts")
	loud := a.progressFlags(fs)
	setup := a.runFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return usagef("fork: want one session; see claimscope list")
	}
	if *repeat < 1 || *repeat > 1000 {
		return usagef("fork: --repeat %d: from 1 to 1000", *repeat)
	}
	e, err := setup(0)
	if err != nil {
		return err
	}
	f := engine.Fork{Session: fs.Arg(0), Mode: *mode}
	p := loud()
	if *repeat == 1 {
		run, err := e.Fork(ctx, f)
		if err != nil {
			return asUsage(err)
		}
		p.follow(ctx, run)
		return a.conclude(ctx, run, *asJSON)
	}
	counts, err := e.Repeat(ctx, f, *repeat, func(_ int, run *engine.Run) {
		p.line("— " + run.ID())
		p.follow(ctx, run)
	})
	if err != nil {
		return asUsage(err)
	}
	if *asJSON {
		return writeJSON(a.Stdout, counts)
	}
	out := printer{w: a.Stdout, lang: a.lang}
	out.counts(counts)
	return out.err
}

// counts prints how often each verdict came up.
func (p *printer) counts(r engine.Repeats) {
	for _, d := range slices.Sorted(maps.Keys(r.Decisions)) {
		p.line(0, "%s ×%d", badge(d, ""), r.Decisions[d])
	}
	if r.Unfinished > 0 {
		p.line(0, "%s %s ×%d", markUnknown, p.say("未完成", "unfinished"), r.Unfinished)
	}
	for _, c := range r.Claims {
		var words []string
		for _, v := range slices.Sorted(maps.Keys(c.Verdicts)) {
			words = append(words, verdictCount(v, c.Verdicts[v]))
		}
		p.line(1, "%s  %s  %s", c.ClaimID, strings.Join(words, " "), c.Text)
	}
}

func verdictCount(v verdict.CheckVerdict, n int) string {
	return finalMark(string(v)) + string(v) + "×" + compact(n)
}
