package cli

import (
	"context"
	"errors"
	"fmt"

	"claimscope/engine"
	"claimscope/engine/event"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// runCommand runs the pipeline: the answer goes to stdout, progress to stderr.
func (a *App) runCommand(ctx context.Context, in *input) error {
	e, err := in.open(0)
	if err != nil {
		return err
	}
	run, notes, err := e.Run(ctx, engine.Request{Incident: in.text("incident"), Query: in.text("query"), Replay: in.text("replay"), Resume: in.text("resume")})
	if err != nil {
		return asUsage(err)
	}
	p := in.progress()
	for _, n := range notes {
		p.note(n)
	}
	p.follow(ctx, run)
	return a.conclude(ctx, run, in.on("json"))
}

// conclude prints the outcome of a run and finds the exit code.
func (a *App) conclude(ctx context.Context, run *engine.Run, asJSON bool) error {
	out := run.Wait()
	if out.Err != nil {
		return fmt.Errorf("the session could not be written: %w", out.Err)
	}
	eval := out.Evaluation
	if eval == nil {
		return errors.New("the run ended without an evaluation record")
	}
	if asJSON {
		if err := writeJSON(a.Stdout, eval); err != nil {
			return err
		}
	} else {
		if err := a.print(text.Sanitise(eval.Answer) + "\n"); err != nil {
			return err
		}
		a.outcome(run, eval)
	}
	return exitOf(ctx, out.End, eval)
}

// exitOf is the exit code of a run that ended.
func exitOf(ctx context.Context, end event.Type, eval *verdict.Evaluation) error {
	switch {
	case end == event.TypeCancelled && ctx.Err() != nil:
		return silent(ExitInterrupted)
	case eval.Decision == verdict.Pass:
		return nil
	}
	for _, c := range eval.Causes {
		if c.Cause == verdict.StageError || c.Cause == verdict.VerifierError {
			return silent(ExitStage)
		}
	}
	return silent(ExitFindings)
}

// outcome tells on stderr why a run ended as it did, and where it is kept.
func (a *App) outcome(run *engine.Run, eval *verdict.Evaluation) {
	p := a.printer(a.Stderr)
	p.colour = a.StderrIsTerminal && a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
	st := run.State()
	for _, c := range eval.Causes {
		p.cause(c, st.Current().Claims())
	}
	mark, word := badge(eval.Decision, "")
	p.put(0, 2, p.mark(mark), " ", p.paint(bold, clean(word.In(p.lang))), "  ", safe(spent(eval.Tokens, eval.Cost)), "  ", safe(p.say("会话 ", "session ")), clean(run.ID()))
}
