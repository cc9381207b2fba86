// Package pipeline runs the stages in order, with retries, stepping and
// breakpoints, and records everything as events (spec section 1 and P14).
package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/stage/executor"
	"claimscope/engine/tool"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// Sink records events. Append gives the event its number and time and returns only
// once it is on disk: nothing is shown before (spec E2).
type Sink interface {
	Append(attempt int, stage event.Stage, body event.Body) (event.Event, error)
}

// Tools are the tools that the Executor may call. Call always gives a result:
// whatever is wrong with a call is told by its status and output.
type Tools interface {
	Specs() []tool.Spec
	Kind(name string) trace.Kind
	Call(ctx context.Context, name string, arguments json.RawMessage) tool.Result
}

// Config is what a run depends on. Sink, Model and Prompts are required.
type Config struct {
	SessionID string
	Query     string
	Version   contract.Version // "" means version 2
	Policy    verdict.Policy
	Params    map[event.Stage]model.Params // by stage; the Composer's under event.Answer
	Prompts   *prompts.Set
	Model     model.Model
	Tools     Tools                         // nil: no tools
	Frozen    *Frozen                       // when set, tool replies come from a recording (spec E4)
	Specs     []model.ToolSpec              // overrides the specs of Tools, for a re-run without them
	Gate      func(gate.Input) gate.Report  // nil: as with Policy.Gate off
	Schema    func(contract.Version) []byte // JSON Schema of the contract, for JSON modes; nil: none
	// Cost is the price of a reply, by the model's name as asked and as answered; nil: none.
	Cost     func(asked, answered string, u model.Usage) float64
	Sink     Sink
	Clock    func() time.Time // nil means time.Now
	Now      time.Time        // "now" as the prompts show it; zero means the clock's (spec E4)
	Limits   executor.Limits  // zero means the defaults
	Composer bool
	From     Start // where to begin; zero means at the Planner

	// Breakpoints are set from the beginning; with Paused the run stops at its first
	// boundary.
	Breakpoints []Breakpoint
	Paused      bool
}

// Start is where a run begins: what an earlier one has reached already. The zero
// value begins at the Planner with nothing.
type Start struct {
	Stage   event.Stage // "", Planner, Executor or Parse (which stands for all after it)
	Attempt int         // 0 means 1
	Plan    string
	Message string // the Executor's last message, for Parse
	Finish  model.FinishReason
	Retry   *verdict.RetryContext // of that attempt
	Traces  []trace.Trace         // all so far, which stay citable
	// LastRef and LastID are numbers of traces and invocations that are in use though
	// no trace here has them.
	LastRef int
	LastID  int64
}

// Errors of a run's control.
var (
	ErrConfig    = errors.New("pipeline: incomplete configuration")
	ErrNotPaused = errors.New("pipeline: the run is not paused")
	ErrCannot    = errors.New("pipeline: not possible here")
)

// check fills in defaults.
func (c *Config) check() error {
	switch {
	case c.Sink == nil:
		return fmt.Errorf("%w: no sink", ErrConfig)
	case c.Model == nil:
		return fmt.Errorf("%w: no model", ErrConfig)
	case c.Prompts == nil:
		return fmt.Errorf("%w: no prompts", ErrConfig)
	}
	if c.Version == "" {
		c.Version = contract.V2
	}
	if c.Policy.Gate == "" {
		c.Policy.Gate = verdict.GateEnforce
	}
	if c.Policy.Malformed == "" {
		c.Policy.Malformed = verdict.Cap
	}
	if c.Gate == nil {
		c.Policy.Gate = verdict.GateOff
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Limits == (executor.Limits{}) {
		c.Limits = executor.DefaultLimits()
	}
	if c.From.Attempt == 0 {
		c.From.Attempt = 1
	}
	if c.From.Stage == "" {
		c.From.Stage = event.Planner
	}
	switch c.From.Stage {
	case event.Planner, event.Executor, event.Parse:
	case event.Gatekeeper, event.Verifier, event.Route, event.Answer:
		// What lies between is a function of the message: it is done anew.
		c.From.Stage = event.Parse
	}
	return nil
}

// now is the time that the prompts show.
func (c *Config) now() string {
	t := c.Now
	if t.IsZero() {
		t = c.Clock()
	}
	return t.Format(time.RFC3339)
}

// Outcome is how a run ended.
type Outcome struct {
	// Evaluation is the record; nil only when nothing could be recorded any more.
	Evaluation *verdict.Evaluation
	// End is the type of the terminal event, or "" when it could not be written.
	End event.Type
	// Err is set when the log failed; what a stage or a model did wrong is told by
	// the evaluation's causes.
	Err error
}
