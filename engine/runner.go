package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/model/replay"
	"claimscope/engine/pipeline"
	"claimscope/engine/session"
	"claimscope/engine/stage/executor"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// The types that a run is controlled with are those of package pipeline.
type (
	// Pending is what a paused run is about to use.
	Pending = pipeline.Pending
	// Breakpoint pauses a run.
	Breakpoint = pipeline.Breakpoint
	// Edit changes what a paused run is about to use.
	Edit = pipeline.Edit
	// Delta is a piece of a reply as it arrives.
	Delta = pipeline.Delta
	// Outcome is how a run ended.
	Outcome = pipeline.Outcome
	// Tools are the tools that the Executor may call.
	Tools = pipeline.Tools
)

// ErrNotPaused says that a run is not paused, or not any more.
var ErrNotPaused = pipeline.ErrNotPaused

// ParseBreakpoint reads a breakpoint as a person writes it, such as code:B005 x3.
func ParseBreakpoint(text string) (Breakpoint, error) { return pipeline.ParseBreakpoint(text) }

// Errors of starting runs.
var (
	// ErrNoModel says that there is no model to ask: no endpoint, or no name of a model.
	ErrNoModel = errors.New("no model")
	// ErrNoTools says that a live fork needs tools and has none.
	ErrNoTools = errors.New("no tools: a live run needs an incident folder or backends")
	// ErrDecided says that there is nothing to take up: the session came to its end.
	ErrDecided = errors.New("has come to its end; fork it to run it anew")
	// ErrMode is an unknown mode of a fork.
	ErrMode = errors.New("no such fork mode")
)

// ForkReplay is the mode of a session that replays another as a whole.
const ForkReplay = "replay"

// Options are what every run of a Runner shares. Store and Prompts are required.
type Options struct {
	Store    *session.Store
	Prompts  *prompts.Set
	Model    model.Model // the live model; nil when no endpoint is configured
	Params   map[event.Stage]model.Params
	Policy   verdict.Policy
	Version  contract.Version
	Composer bool
	Limits   executor.Limits
	Gate     func(gate.Input) gate.Report
	Schema   func(contract.Version) []byte
	// Cost is the price of a reply, by the model's name as asked and as answered.
	Cost    func(asked, answered string, u model.Usage) float64
	Clock   func() time.Time
	Program string       // version of the program, for the header
	Speed   replay.Speed // how fast recorded replies stream
}

// Runner starts runs of the pipeline. It is safe for concurrent use.
type Runner struct{ o Options }

// NewRunner makes a Runner.
func NewRunner(o Options) *Runner {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Policy == (verdict.Policy{}) {
		o.Policy = verdict.DefaultPolicy()
	}
	if o.Version == "" {
		o.Version = contract.V2
	}
	if o.Limits == (executor.Limits{}) {
		o.Limits = executor.DefaultLimits()
	}
	return &Runner{o: o}
}

// With gives a Runner with changed options, such as another prompt set.
func (r *Runner) With(change func(*Options)) *Runner {
	o := r.o
	change(&o)
	return NewRunner(o)
}

// Live reports whether a live model is configured.
func (r *Runner) Live() bool { return r.o.Model != nil }

// Debug is how a run is watched from its beginning.
type Debug struct {
	Paused      bool // stop at the first boundary
	Breakpoints []Breakpoint
}

// Start is a new run.
type Start struct {
	Query, Title string
	Tools        Tools
	ToolsFrom    string    // for the header: "incident:payment-pool", "live"
	Now          time.Time // "now" as the prompts show it; zero means the clock's
	Debug
}

// Run is a run under way and its session.
type Run struct {
	*pipeline.Run
	log    *session.Log
	before []event.Event
	closed chan struct{}
}

// Wait waits until the run has ended and its session is closed.
func (r *Run) Wait() Outcome {
	out := r.Run.Wait()
	<-r.closed
	return out
}

// ID is the session's id.
func (r *Run) ID() string { return r.log.Header().ID }

// State is a snapshot of the session so far.
func (r *Run) State() state.Session { return r.log.State() }

// Before are the events that the session holds from before this run: of the parent,
// for a fork. The slice must not be changed.
func (r *Run) Before() []event.Event { return r.before }

// Unsaved reports whether the session lives in memory only, and why.
func (r *Run) Unsaved() (bool, string) { return r.log.Unsaved() }

// Start begins a live run in a new session. Errors: ErrNoModel, and those of the store.
func (r *Runner) Start(ctx context.Context, s Start) (*Run, error) {
	if r.o.Model == nil {
		return nil, fmt.Errorf("%w: no endpoint is configured", ErrNoModel)
	}
	log, err := r.o.Store.Create(event.Header{
		Program: r.o.Program, Title: s.Title, Query: s.Query, ContractVersion: r.o.Version, Model: "live",
		Params: maps.Clone(r.o.Params), Prompts: r.sources(), Policy: r.o.Policy, Composer: r.o.Composer, Tools: s.ToolsFrom,
		Now: s.Now, Limits: r.limits(),
	})
	if err != nil {
		return nil, err
	}
	cfg := r.config(log, s.Debug)
	cfg.Tools, cfg.Model = s.Tools, r.o.Model
	return r.begin(ctx, log, cfg)
}

// Replay runs a recorded session anew, without any network: its replies answer, its
// tools answer, its policy and contract version hold, and "now" is its now (spec E5).
// Change may alter the header's policy (nil for not).
func (r *Runner) Replay(ctx context.Context, name string, d Debug, change func(*event.Header)) (*Run, error) {
	rec, err := r.o.Store.Open(name)
	if err != nil {
		return nil, err
	}
	log, err := r.o.Store.Fork(name, 0, ForkReplay, func(h *event.Header) {
		h.Program, h.Model, h.Prompts, h.Now = r.o.Program, "replay", r.sources(), nowOf(rec.Header)
		if change != nil {
			change(h)
		}
	})
	if err != nil {
		return nil, err
	}
	cfg := r.config(log, d)
	cfg.Model, cfg.Cost = replay.New(replies(rec), r.o.Speed), recordedCost(rec, r.o.Cost)
	r.freeze(&cfg, rec, 0)
	return r.begin(ctx, log, cfg)
}

// Fork says what to run anew of a session.
type Fork struct {
	Session string
	Mode    string // session.ForkVerifier, ForkExecutor or ForkLive
	// Seq is the last event to look at; 0 means all. The attempt that this event
	// belongs to is run anew.
	Seq int
	// Stage is where to begin; "" means the mode's own: the Verifier's attempt for
	// verifier, the first Executor for the others.
	Stage event.Stage
	Tools Tools // for mode live
	// ToolsFrom names them for the header, as in Start; "" is "live".
	ToolsFrom string
	// Change may alter the header's policy, contract version and Composer; nil for not.
	Change func(*event.Header)
	Debug
}

// Fork begins a run that goes on from a place in a recorded session, in a session of
// its own; the parent is not changed (spec E4). The live model answers; without one
// the parent's recorded replies do. Errors: ErrMode, ErrNoTools, ErrNoModel, and those of
// the store.
func (r *Runner) Fork(ctx context.Context, f Fork) (*Run, error) {
	rec, err := r.o.Store.Open(f.Session)
	if err != nil {
		return nil, err
	}
	events := rec.Events
	if f.Seq > 0 {
		events = slices.DeleteFunc(slices.Clone(events), func(e event.Event) bool { return e.Seq > f.Seq })
	}
	stage := f.Stage
	switch f.Mode {
	case session.ForkVerifier:
		stage = event.Verifier
	case session.ForkExecutor, session.ForkLive:
		if stage == "" {
			stage = event.Executor
		}
		if f.Mode == session.ForkLive && f.Tools == nil {
			return nil, ErrNoTools
		}
		if f.Seq == 0 && stage == event.Executor {
			events = firstAttempt(events)
		}
	default:
		return nil, fmt.Errorf("%w: %q; modes: %s, %s, %s", ErrMode, f.Mode, session.ForkVerifier, session.ForkExecutor, session.ForkLive)
	}
	recorded := replies(rec)
	if r.o.Model == nil && len(recorded) == 0 { // an import
		return nil, fmt.Errorf("%w: session %s has no recorded replies, and no endpoint is configured", ErrNoModel, rec.Header.ID)
	}
	start, keep := pipeline.StartAt(events, stage)
	log, err := r.o.Store.Fork(f.Session, keep, f.Mode, func(h *event.Header) { r.forkHeader(h, f, rec.Header) })
	if err != nil {
		return nil, err
	}
	cfg := r.config(log, f.Debug)
	cfg.From = start
	cfg.Model = r.o.Model
	if cfg.Model == nil {
		cfg.Model = replay.New(recorded, r.o.Speed)
	}
	if f.Mode == session.ForkLive {
		cfg.Tools = f.Tools
	} else {
		r.freeze(&cfg, rec, keep)
	}
	if f.Mode == session.ForkVerifier {
		// The same output is judged again: there is no Executor to retry with.
		cfg.Policy.Retries = min(cfg.Policy.Retries, start.Attempt-1)
	}
	return r.begin(ctx, log, cfg)
}

func (r *Runner) forkHeader(h *event.Header, f Fork, rec event.Header) {
	h.Program, h.Prompts = r.o.Program, r.sources()
	h.Model = "replay"
	if r.o.Model != nil {
		h.Model, h.Params, h.Limits = "live", maps.Clone(r.o.Params), r.limits()
	}
	if f.Change != nil {
		f.Change(h)
	}
	if f.Mode == session.ForkLive {
		// The tools look at the same incident; then its now is theirs too.
		h.Tools = cmp.Or(f.ToolsFrom, "live")
		return
	}
	h.Tools, h.Now = "recording:"+rec.ID, nowOf(rec)
}

// nowOf is the present of a recording: what it says, else the time that it began.
func nowOf(rec event.Header) time.Time {
	if rec.Now.IsZero() {
		return rec.Time
	}
	return rec.Now
}

// firstAttempt cuts the events before the first retry.
func firstAttempt(events []event.Event) []event.Event {
	for i, e := range events {
		if e.Body.Type() == event.TypeRetryStarted {
			return events[:i]
		}
	}
	return events
}

// Resume takes up a session that ended without a decision: the stage that it ended in
// is done anew. What answered before answers again: for a replay the parent's recorded
// replies, else the live model; for a run on recorded tools the parent's tools, else the
// given ones. Errors: ErrNoModel, ErrDecided, and those of the store.
func (r *Runner) Resume(ctx context.Context, name string, tools Tools, d Debug) (*Run, error) {
	rec, err := r.o.Store.Open(name)
	if err != nil {
		return nil, err
	}
	if r.o.Model == nil && !replays(rec.Header) {
		return nil, fmt.Errorf("%w: no endpoint is configured", ErrNoModel)
	}
	if st := rec.State(); st.Status == state.Finished {
		return nil, fmt.Errorf("session %s %w", rec.Header.ID, ErrDecided)
	}
	var parent *session.Recording
	if replays(rec.Header) || onRecording(rec.Header) {
		if parent, err = r.o.Store.Open(rec.Header.Parent.ID); err != nil {
			return nil, err
		}
	}
	log, err := r.o.Store.Resume(name)
	if err != nil {
		return nil, err
	}
	cfg := r.config(log, d)
	cfg.From, cfg.Model, cfg.Tools = pipeline.Resume(rec.Events), r.o.Model, tools
	if replays(rec.Header) {
		cfg.Model = replay.New(replies(parent), r.o.Speed)
	}
	if onRecording(rec.Header) {
		cfg.Tools = nil
		r.freeze(&cfg, parent, rec.Header.Parent.Seq)
	}
	if onlyVerifies(rec.Header) {
		cfg.Policy.Retries = min(cfg.Policy.Retries, cfg.From.Attempt-1)
	}
	return r.begin(ctx, log, cfg)
}

// replays reports whether the replies of a session's parent answer in it.
func replays(h event.Header) bool { return h.Model == "replay" && h.Parent != nil }

// onRecording reports whether the tools of a session's parent answer in it.
func onRecording(h event.Header) bool {
	if h.Parent == nil {
		return false
	}
	return h.Parent.Mode == ForkReplay || h.Parent.Mode == session.ForkVerifier || h.Parent.Mode == session.ForkExecutor
}

func onlyVerifies(h event.Header) bool {
	return h.Parent != nil && h.Parent.Mode == session.ForkVerifier
}

// config takes what the header says and what all runs share.
func (r *Runner) config(log *session.Log, d Debug) pipeline.Config {
	h := log.Header()
	limits := r.o.Limits
	if h.Limits != nil {
		limits.Rounds, limits.Calls, limits.Tokens = h.Limits.Rounds, h.Limits.Calls, h.Limits.Tokens
	}
	return pipeline.Config{
		SessionID: h.ID, Query: h.Query, Version: h.ContractVersion, Policy: h.Policy, Params: h.Params, Composer: h.Composer,
		Prompts: r.o.Prompts, Gate: r.o.Gate, Schema: r.o.Schema, Cost: r.o.Cost, Sink: log, Clock: r.o.Clock, Limits: limits,
		Now: h.Now, Paused: d.Paused, Breakpoints: d.Breakpoints,
	}
}

// limits are the Executor's bounds for the header.
func (r *Runner) limits() *event.Limits {
	return &event.Limits{Rounds: r.o.Limits.Rounds, Calls: r.o.Limits.Calls, Tokens: r.o.Limits.Tokens}
}

// freeze makes the recording's tools answer what was called after event keep.
func (r *Runner) freeze(cfg *pipeline.Config, rec *session.Recording, keep int) {
	cfg.Frozen = pipeline.NewFrozen(pipeline.After(rec.Events, keep))
	cfg.Specs = pipeline.SpecsOf(rec.Events)
}

// begin starts the run; the log is closed when it ends.
func (r *Runner) begin(ctx context.Context, log *session.Log, cfg pipeline.Config) (*Run, error) {
	before := log.Events()
	run, err := pipeline.Begin(ctx, cfg)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		<-run.Done()
		_ = log.Close() // every event was flushed when it was appended
	}()
	return &Run{Run: run, log: log, before: before, closed: closed}, nil
}

// sources names the prompts for the header.
func (r *Runner) sources() map[string]event.PromptSource {
	out := map[string]event.PromptSource{}
	for _, s := range r.o.Prompts.Sources() {
		out[string(s.Name)] = event.PromptSource{Name: string(s.Name), Version: s.Version, SHA256: s.SHA256, From: s.From}
	}
	return out
}

// replies turns a recording into what a replay model answers from.
func replies(rec *session.Recording) []replay.Reply {
	var out []replay.Reply
	for _, x := range rec.Replies() {
		stage := x.Request.Stage
		if stage == "" {
			stage = string(x.Stage)
		}
		out = append(out, replay.Reply{Stage: stage, Attempt: x.Attempt, Response: x.Response, Fault: x.Fault})
	}
	return out
}

// recordedCost prices the replies of a whole replay, which come in the order that they
// were recorded in, as they were priced then; what had no price takes today's.
func recordedCost(rec *session.Recording, today func(asked, answered string, u model.Usage) float64) func(asked, answered string, u model.Usage) float64 {
	var then []float64
	for _, e := range rec.Events {
		if b, ok := e.Body.(event.ModelResponse); ok {
			then = append(then, b.Cost)
		}
	}
	n := 0
	return func(asked, answered string, u model.Usage) float64 {
		n++
		switch {
		case n <= len(then) && then[n-1] > 0:
			return then[n-1]
		case today != nil:
			return today(asked, answered, u)
		}
		return 0
	}
}

// The modes of a fork, see package session.
const (
	ForkVerifier = session.ForkVerifier
	ForkExecutor = session.ForkExecutor
	ForkLive     = session.ForkLive
)
