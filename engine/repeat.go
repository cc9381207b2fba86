package engine

import (
	"context"

	"claimscope/engine/event"
	"claimscope/engine/verdict"
)

// Repeats counts what several runs of the same fork came to (spec E4).
type Repeats struct {
	Sessions   []string                 `json:"sessions"` // in order
	Decisions  map[verdict.Decision]int `json:"decisions"`
	Causes     map[verdict.Cause]int    `json:"causes"`     // runs that had the cause
	Claims     []ClaimCount             `json:"claims"`     // in order of first appearance
	Unfinished int                      `json:"unfinished"` // runs that failed or were cancelled
}

// ClaimCount counts the final verdicts on one claim, over the runs that had it.
type ClaimCount struct {
	ClaimID  string                       `json:"claim_id"`
	Text     string                       `json:"claim_text"` // of its first appearance
	Verdicts map[verdict.CheckVerdict]int `json:"verdicts"`
}

// Repeat runs a fork n times, one after another, each in a session of its own. Each
// is called with the number of the run (from 1) when it begins; it may be nil. When
// ctx ends, what was reached is returned with its error.
func (r *Runner) Repeat(ctx context.Context, f Fork, n int, each func(i int, run *Run)) (Repeats, error) {
	out := Repeats{Decisions: map[verdict.Decision]int{}, Causes: map[verdict.Cause]int{}, Sessions: []string{}, Claims: []ClaimCount{}}
	for i := 1; i <= n; i++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		run, err := r.Fork(ctx, f)
		if err != nil {
			return out, err
		}
		if each != nil {
			each(i, run)
		}
		end := run.Wait()
		out.Sessions = append(out.Sessions, run.ID())
		if end.Err != nil {
			return out, end.Err
		}
		if end.End != event.TypeFinished {
			out.Unfinished++
			continue
		}
		state := run.log.State()
		out.add(end.Evaluation, state.Current().Routing)
	}
	return out, ctx.Err()
}

func (r *Repeats) add(e *verdict.Evaluation, routing *verdict.Routing) {
	r.Decisions[e.Decision]++
	seen := map[verdict.Cause]bool{}
	for _, c := range e.Causes {
		if !seen[c.Cause] {
			seen[c.Cause] = true
			r.Causes[c.Cause]++
		}
	}
	if routing == nil {
		return
	}
	for _, c := range routing.Claims {
		r.claim(c).Verdicts[c.Verdict]++
	}
}

func (r *Repeats) claim(c verdict.FinalClaim) *ClaimCount {
	for i := range r.Claims {
		if r.Claims[i].ClaimID == c.ClaimID {
			return &r.Claims[i]
		}
	}
	r.Claims = append(r.Claims, ClaimCount{ClaimID: c.ClaimID, Text: c.Text, Verdicts: map[verdict.CheckVerdict]int{}})
	return &r.Claims[len(r.Claims)-1]
}
