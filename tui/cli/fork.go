package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"claimscope/engine"
)

// maxRepeat bounds fork --repeat.
const maxRepeat = 1000

// forkCommand re-runs a recorded session, once or several times.
func (a *App) forkCommand(ctx context.Context, in *input) error {
	repeat, mode := in.count("repeat"), in.text("mode")
	if repeat < 1 || repeat > maxRepeat {
		return in.usage("--repeat %d：应为 1 到 %d", "--repeat %d: from 1 to %d", repeat, maxRepeat)
	}
	if modes := []string{engine.ForkVerifier, engine.ForkExecutor, engine.ForkLive}; !slices.Contains(modes, mode) {
		return in.usage("--mode %q：只能是 %s", "--mode %q: want one of %s", mode, strings.Join(modes, ", "))
	}
	e, err := in.open(0)
	if err != nil {
		return err
	}
	f := engine.Fork{Session: in.args[0], Mode: mode}
	p := in.progress()
	if repeat == 1 {
		run, err := e.Fork(ctx, f)
		if err != nil {
			return asUsage(err)
		}
		p.follow(ctx, run)
		return a.conclude(ctx, run, in.on("json"))
	}
	counts, err := e.Repeat(ctx, f, repeat, func(_ int, run *engine.Run) {
		p.line("— " + run.ID())
		p.follow(ctx, run)
	})
	if err != nil {
		return asUsage(err)
	}
	if in.on("json") {
		return writeJSON(a.Stdout, counts)
	}
	out := a.printer(a.Stdout)
	out.counts(counts)
	return out.err
}

// counts prints how often each verdict came up.
func (p *printer) counts(r engine.Repeats) {
	for _, d := range slices.Sorted(maps.Keys(r.Decisions)) {
		mark, word := badge(d, "")
		p.put(0, 2, p.mark(mark), " ", clean(word.In(p.lang)), safe(fmt.Sprintf(" ×%d", r.Decisions[d])))
	}
	if r.Unfinished > 0 {
		p.put(0, 2, p.mark(markUnknown), " ", safe(fmt.Sprintf(p.say("未完成 ×%d", "unfinished ×%d"), r.Unfinished)))
	}
	for _, c := range r.Claims {
		parts := []safe{p.paint(bold, clean(c.ClaimID))}
		for _, v := range slices.Sorted(maps.Keys(c.Verdicts)) {
			mark, word := checkWord(v)
			parts = append(parts, "  ", p.mark(mark), " ", clean(word.In(p.lang)), safe(fmt.Sprintf(" ×%d", c.Verdicts[v])))
		}
		p.put(0, 2, parts...)
		p.put(depthText, 0, clean(c.Text))
	}
}
