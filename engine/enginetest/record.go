package enginetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sync"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/pipeline"
	"claimscope/engine/session"
	"claimscope/engine/tool"
	"claimscope/engine/tool/incident"
	"claimscope/prompts"
	"claimscope/sessions"
)

// errNoID says that a scenario cannot be recorded.
var errNoID = errors.New("a scenario to record needs an id and an incident")

// Record runs a scenario over its incident and writes the session into a folder. The
// model's replies are the scenario's, and the header says so (model: scripted); the
// tools and their outputs are real. The same scenario gives the same bytes.
func (s *Scenario) Record(ctx context.Context, dir string) (*Result, error) {
	if s.ID == "" || s.Incident == "" {
		return nil, fmt.Errorf("%s: %w", s.Name, errNoID)
	}
	folder, err := fs.Sub(sessions.FS(), "incidents/"+s.Incident)
	if err != nil {
		return nil, err
	}
	inc, err := incident.Load(s.Incident, folder)
	if err != nil {
		return nil, err
	}
	clock := newScriptClock(inc.Window.End.Add(4 * time.Minute))
	params := map[event.Stage]model.Params{}
	for _, stage := range []event.Stage{event.Planner, event.Executor, event.Verifier} {
		params[stage] = model.Params{Model: "scripted"}
	}
	sources := map[string]event.PromptSource{}
	for _, p := range prompts.Embedded().Sources() {
		sources[string(p.Name)] = event.PromptSource{Name: string(p.Name), Version: p.Version, SHA256: p.SHA256, From: p.From}
	}
	store := session.NewStore(dir, session.Options{Now: clock.Now, Random: rand.NewChaCha8([32]byte{})})
	log, err := store.Create(event.Header{
		ID: s.ID, Time: clock.Now(), Program: "bundled", Title: s.Title, Query: s.Query, ContractVersion: s.Version,
		Model: "scripted", Params: params, Prompts: sources, Policy: s.Policy, Composer: s.Composer, Tools: "incident:" + s.Incident,
		Now: inc.Window.End,
	})
	if err != nil {
		return nil, err
	}
	m := s.Model()
	run, err := pipeline.Begin(ctx, pipeline.Config{
		SessionID: s.ID, Query: s.Query, Version: s.Version, Policy: s.Policy, Composer: s.Composer, Params: params,
		Prompts: prompts.Embedded(), Model: &slowModel{m, clock}, Sink: slowSink{log, clock}, Clock: clock.Now, Now: inc.Window.End,
		Tools: tool.NewRegistry(nil, tool.DefaultLimits(), inc.Tools()...),
		Gate:  func(in gate.Input) gate.Report { return gate.Verify(in, gate.Policy{}) },
	})
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	out := run.Wait()
	return &Result{Scenario: s, Outcome: out, Log: log, Model: m, State: log.State()}, log.Close()
}

// scriptClock stands still but for what scripted work takes.
type scriptClock struct {
	mu  sync.Mutex
	now time.Time
}

func newScriptClock(at time.Time) *scriptClock { return &scriptClock{now: at} }

// Now reads the clock.
func (c *scriptClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *scriptClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// slowModel takes the time that a live model would: one to begin, and some per token.
type slowModel struct {
	model.Model
	clock *scriptClock
}

// Chat implements model.Model.
func (m *slowModel) Chat(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Response, error) {
	res, err := m.Model.Chat(ctx, req, onDelta)
	m.clock.advance(400*time.Millisecond + time.Duration(res.Usage.CompletionTokens)*12*time.Millisecond)
	return res, err
}

// slowSink lets a millisecond pass at each event, and gives tool calls a duration by
// the size of their output: they run at the same time, but return in call order.
type slowSink struct {
	*session.Log
	clock *scriptClock
}

// Append implements pipeline.Sink.
func (s slowSink) Append(attempt int, stage event.Stage, body event.Body) (event.Event, error) {
	s.clock.advance(time.Millisecond)
	if r, ok := body.(event.ToolReturned); ok {
		r.Trace.Duration = 8*time.Millisecond + time.Duration(len(r.Trace.Output))*5*time.Microsecond
		s.clock.advance(r.Trace.Duration)
		body = r
	}
	return s.Log.Append(attempt, stage, body)
}
