package pipeline_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/pipeline"
	"claimscope/engine/session"
	"claimscope/engine/tool"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

func TestCancelledAtEveryBoundary(t *testing.T) {
	for _, b := range pipeline.Boundaries() {
		t.Run(string(b), func(t *testing.T) {
			cfg, log, _ := scenario(t, "pass-first-try").Config()
			cfg.Breakpoints = []pipeline.Breakpoint{{Kind: pipeline.BreakStage, Value: string(b)}}
			run := begin(t, cfg)
			r := reader{t: t, run: run}
			p, ok := r.paused()
			require.True(t, ok)
			require.Equal(t, b, p.Boundary)
			run.Cancel("ctrl-c")
			cancelled(t, run, log)
			_, ok = run.Pending()
			assert.False(t, ok)
			require.ErrorIs(t, run.Skip(), pipeline.ErrNotPaused)
			run.Step()
			run.Continue()
			run.Pause()
		})
	}
}

func cancelled(t *testing.T, run *pipeline.Run, log *session.Log) {
	t.Helper()
	out := run.Wait()
	require.NoError(t, out.Err)
	assert.Equal(t, event.TypeCancelled, out.End)
	require.NotNil(t, out.Evaluation)
	require.Len(t, out.Evaluation.Causes, 1)
	assert.Equal(t, verdict.Cancelled, out.Evaluation.Causes[0].Cause)
	assert.Equal(t, verdict.LowConfid, out.Evaluation.Decision)
	events := log.Events()
	assert.Equal(t, event.Cancelled{Why: "ctrl-c", Evaluation: out.Evaluation}, events[len(events)-1].Body)
}

func TestCancelledWhileAModelAnswers(t *testing.T) {
	for _, stage := range []string{"planner", "executor", "verifier", "composer"} {
		t.Run(stage, func(t *testing.T) {
			cfg, log, _ := scenario(t, "composer").Config()
			m := &hangs{stage: stage, Model: cfg.Model, reached: make(chan struct{})}
			cfg.Model = m
			run := begin(t, cfg)
			<-m.reached
			run.Cancel("ctrl-c")
			cancelled(t, run, log)
		})
	}
}

// hangs waits for the context in one stage.
type hangs struct {
	model.Model
	stage   string
	reached chan struct{}
}

func (h *hangs) Chat(ctx context.Context, req model.Request, on func(model.Delta)) (model.Response, error) {
	if req.Stage != h.stage {
		return h.Model.Chat(ctx, req, on)
	}
	close(h.reached)
	<-ctx.Done()
	return model.Response{}, ctx.Err()
}

// deaf is a tool that does not listen to its context.
type deaf struct{ began, release chan struct{} }

func (d deaf) Spec() tool.Spec {
	return tool.Spec{Name: "query_logs", Kind: trace.Observation, Parameters: json.RawMessage(`{"type":"object"}`)}
}

func (d deaf) Call(context.Context, json.RawMessage) (tool.Result, error) {
	close(d.began)
	<-d.release
	return tool.Result{Status: trace.OK, Output: []byte("late")}, nil
}

func TestCancelDoesNotWaitForATool(t *testing.T) {
	cfg, log, _ := scenario(t, "pass-first-try").Config()
	d := deaf{make(chan struct{}), make(chan struct{})}
	cfg.Tools = tool.NewRegistry(nil, tool.Limits{}, d)
	run := begin(t, cfg)
	<-d.began
	run.Cancel("ctrl-c")
	cancelled(t, run, log) // the tool still runs
	close(d.release)
}

func TestCancelDoesNotWaitForTheGate(t *testing.T) {
	cfg, log, _ := scenario(t, "pass-first-try").Config()
	began, release := make(chan struct{}), make(chan struct{})
	cfg.Gate = func(gate.Input) gate.Report { close(began); <-release; return gate.Report{} }
	run := begin(t, cfg)
	<-began
	run.Cancel("ctrl-c")
	cancelled(t, run, log)
	close(release)
}

func TestContextEndsTheRun(t *testing.T) {
	cfg, _, _ := scenario(t, "pass-first-try").Config()
	cfg.Paused = true
	ctx, cancel := context.WithCancel(context.Background())
	run, err := pipeline.Begin(ctx, cfg)
	require.NoError(t, err)
	r := reader{t: t, run: run}
	_, ok := r.paused()
	require.True(t, ok)
	cancel()
	assert.Equal(t, event.TypeCancelled, run.Wait().End)
}

func TestABrokenGateIsAStageError(t *testing.T) {
	cfg, _, _ := scenario(t, "pass-first-try").Config()
	cfg.Gate = func(gate.Input) gate.Report { panic("boom") }
	run := begin(t, cfg)
	out := run.Wait()
	assert.Equal(t, event.TypeFailed, out.End)
	require.Len(t, out.Evaluation.Causes, 1)
	assert.Equal(t, verdict.StageError, out.Evaluation.Causes[0].Cause)
	assert.Contains(t, out.Evaluation.Causes[0].Message, "gatekeeper")
	assert.NotEmpty(t, out.Evaluation.Answer)
}
