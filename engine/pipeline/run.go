package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// Run is one run of the pipeline, in its own goroutine. All methods are safe for
// concurrent use.
type Run struct {
	cfg    Config
	feed   *feed
	ctl    *control
	cancel context.CancelCauseFunc
	done   chan struct{}

	mu      sync.Mutex
	prompts *prompts.Set
	outcome Outcome

	// What follows belongs to the run's goroutine.
	attempt int
	plan    string
	traces  []trace.Trace
	calls   callBook
	tokens  model.Usage
	cost    float64
	sinkErr error
}

// errSink marks that an event could not be recorded: nothing can be shown any more.
var errSink = errors.New("pipeline: an event could not be recorded")

// errCancelled is the cause of a context that Cancel ended.
type errCancelled struct{ why string }

func (e errCancelled) Error() string { return e.why }

// Begin starts a run. It ends by itself, by Cancel, or with ctx; Wait tells how. An
// error is an incomplete configuration.
func Begin(ctx context.Context, cfg Config) (*Run, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r := &Run{
		cfg: cfg, feed: newFeed(), ctl: newControl(cfg), cancel: cancel, done: make(chan struct{}),
		prompts: cfg.Prompts, attempt: cfg.From.Attempt, plan: cfg.From.Plan, traces: cfg.From.Traces,
	}
	r.calls = newCallBook(cfg.From, cfg.Frozen)
	go func() {
		defer close(r.done)
		defer cancel(nil)
		defer r.feed.end()
		out := r.drive(ctx)
		r.mu.Lock()
		r.outcome = out
		r.mu.Unlock()
	}()
	return r, nil
}

// Next gives the first event of this run whose number is greater than after,
// waiting for it. io.EOF says that the run has ended and there is none; otherwise an
// error is ctx's. Readers do not hold up the run.
func (r *Run) Next(ctx context.Context, after int) (event.Event, error) {
	return r.feed.next(ctx, after)
}

// Deltas carries the pieces of replies as they arrive. What nobody reads in time is
// dropped. It is closed when the run ends.
func (r *Run) Deltas() <-chan Delta { return r.feed.deltas }

// Done is closed when the run has ended and everything was published.
func (r *Run) Done() <-chan struct{} { return r.done }

// Wait waits for the end of the run.
func (r *Run) Wait() Outcome {
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outcome
}

// Step runs to the next boundary. While the run is not paused, it pauses there.
func (r *Run) Step() {
	if r.ctl.send(order{kind: orderStep}) != nil {
		r.ctl.change(func() { r.ctl.stepping = true })
	}
}

// Continue runs to the next breakpoint or the end, and takes back a Step or a Pause
// that has not happened yet.
func (r *Run) Continue() {
	if r.ctl.send(order{kind: orderContinue}) != nil {
		r.ctl.change(func() { r.ctl.stepping, r.ctl.asked = false, false })
	}
}

// Pause stops the run at the next boundary; it does nothing while the run is paused.
func (r *Run) Pause() { r.ctl.change(func() { r.ctl.asked = r.ctl.pause == nil }) }

// Skip leaves out what a paused run is about to do. Errors: ErrNotPaused, ErrCannot.
func (r *Run) Skip() error { return r.ctl.send(order{kind: orderSkip}) }

// Edit changes what a paused run is about to use, and records it. Errors:
// ErrNotPaused, ErrCannot, or what is wrong with the text; nothing has changed then.
func (r *Run) Edit(e Edit) error { return r.ctl.send(order{kind: orderEdit, edit: e}) }

// Cancel ends the run wherever it is, paused or not. Why is recorded.
func (r *Run) Cancel(why string) { r.cancel(errCancelled{why}) }

// Pending tells what a paused run is about to use; false when it is not paused. The
// lists in it are shared and must not be changed.
func (r *Run) Pending() (Pending, bool) { return r.ctl.snapshot() }

// Breakpoints lists the breakpoints with their hits.
func (r *Run) Breakpoints() []Breakpoint {
	var out []Breakpoint
	r.ctl.change(func() { out = append(out, r.ctl.breakpoints...) })
	return out
}

// SetBreakpoints replaces the breakpoints. One that was there keeps its hits.
func (r *Run) SetBreakpoints(list []Breakpoint) error {
	next := append([]Breakpoint(nil), list...)
	for i := range next {
		if err := next[i].check(); err != nil {
			return err
		}
	}
	r.ctl.change(func() {
		for i := range next {
			for _, old := range r.ctl.breakpoints {
				if old.String() == next[i].String() {
					next[i].Hits = max(next[i].Hits, old.Hits)
				}
			}
		}
		r.ctl.breakpoints = next
	})
	return nil
}

// Prompts gives the prompts in force, edits included.
func (r *Run) Prompts() *prompts.Set {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.prompts
}

func (r *Run) setPrompts(s *prompts.Set) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.prompts = s
}

// emit records an event, then publishes it.
func (r *Run) emit(stage event.Stage, body event.Body) error {
	if r.sinkErr != nil {
		return r.sinkErr
	}
	e, err := r.cfg.Sink.Append(r.attempt, stage, body)
	if err != nil {
		r.sinkErr = fmt.Errorf("%w: %w", errSink, err)
		return r.sinkErr
	}
	r.ctl.note(e)
	r.feed.publish(e)
	return nil
}

// drive runs everything and turns every end into a terminal event.
func (r *Run) drive(ctx context.Context) (out Outcome) {
	var w work
	end, err := func() (end event.Body, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = &stageError{kind: kindInternal, err: fmt.Errorf("the pipeline broke: %v", p)}
			}
		}()
		return r.attempts(ctx, &w)
	}()
	if err != nil {
		end = r.broken(ctx, &w, err)
	}
	if r.sinkErr != nil {
		return Outcome{Evaluation: w.evaluation, Err: r.sinkErr}
	}
	if err := r.emit("", end); err != nil {
		return Outcome{Evaluation: w.evaluation, Err: err}
	}
	return Outcome{Evaluation: w.evaluation, End: end.Type()}
}

// broken gives the terminal event of a run that did not reach its decision.
func (r *Run) broken(ctx context.Context, w *work, err error) event.Body {
	if ctx.Err() != nil && r.sinkErr == nil {
		why, zh := "interrupted", "被中断"
		var by errCancelled
		if errors.As(context.Cause(ctx), &by) {
			why, zh = by.why, by.why
		}
		stop := &verdict.CauseItem{Cause: verdict.Cancelled, Message: "the run was cancelled: " + why, MessageZH: "运行已取消：" + zh}
		w.routing = verdict.Route(w.input(r, stop))
		w.evaluation = r.evaluate(w)
		return event.Cancelled{Why: why, Evaluation: w.evaluation}
	}
	var failed *stageError
	if !errors.As(err, &failed) {
		failed = &stageError{kind: kindInternal, err: err}
	}
	stop := &verdict.CauseItem{Cause: verdict.StageError, Message: failed.message(), MessageZH: failed.messageZH()}
	w.routing = verdict.Route(w.input(r, stop))
	// The log may be what broke; then emit does nothing and drive reports it.
	r.try(failed.stage, event.StageFailed{Kind: failed.kind, Error: failed.text(), Final: true})
	r.try(event.Route, event.StageStarted{})
	r.try(event.Route, event.Routed{Routing: w.routing})
	r.try(event.Answer, event.StageStarted{})
	w.answered = w.render()
	r.try(event.Answer, w.answered)
	w.evaluation = r.evaluate(w)
	return event.Failed{Error: failed.message(), Evaluation: w.evaluation}
}

// try emits; a failure stays in sinkErr.
func (r *Run) try(stage event.Stage, body event.Body) {
	if err := r.emit(stage, body); err != nil {
		r.sinkErr = err
	}
}
