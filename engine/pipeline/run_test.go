package pipeline_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/enginetest"
	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/pipeline"
	"claimscope/engine/session"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

func scenario(t *testing.T, name string) *enginetest.Scenario {
	t.Helper()
	text, err := os.ReadFile("testdata/scenarios/" + name + ".scenario")
	require.NoError(t, err)
	s, err := enginetest.Parse(name, string(text))
	require.NoError(t, err)
	return s
}

func begin(t *testing.T, cfg pipeline.Config) *pipeline.Run {
	t.Helper()
	r, err := pipeline.Begin(context.Background(), cfg)
	require.NoError(t, err)
	return r
}

// reader walks a run's events.
type reader struct {
	t    *testing.T
	run  *pipeline.Run
	last int
}

// until reads up to the next event of a type; false at the end of the run.
func (r *reader) until(typ event.Type) (event.Event, bool) {
	r.t.Helper()
	for {
		e, err := r.run.Next(context.Background(), r.last)
		if errors.Is(err, io.EOF) {
			return event.Event{}, false
		}
		require.NoError(r.t, err)
		r.last = e.Seq
		if e.Body.Type() == typ {
			return e, true
		}
	}
}

// paused waits for the next pause.
func (r *reader) paused() (pipeline.Pending, bool) {
	r.t.Helper()
	e, ok := r.until(event.TypePaused)
	if !ok {
		return pipeline.Pending{}, false
	}
	p, ok := r.run.Pending()
	require.True(r.t, ok)
	assert.Equal(r.t, e.Body.(event.Paused).Boundary, string(p.Boundary))
	assert.Equal(r.t, e.Body.(event.Paused).Why, p.Why)
	return p, true
}

func TestStepStopsAtEveryBoundary(t *testing.T) {
	cfg, log, _ := scenario(t, "pass-first-try").Config()
	cfg.Paused = true
	run := begin(t, cfg)
	r := reader{t: t, run: run}
	var got []pipeline.Boundary
	for {
		p, ok := r.paused()
		if !ok {
			break
		}
		got = append(got, p.Boundary)
		run.Step()
	}
	assert.Equal(t, pipeline.Boundaries(), got, "each one once: there is one tool call")
	out := run.Wait()
	require.NoError(t, out.Err)
	assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
	assert.Equal(t, 8, log.State().Pauses)
}

func TestPendingShowsExactlyWhatIsSent(t *testing.T) {
	cfg, _, m := scenario(t, "pass-first-try").Config()
	cfg.Paused = true
	run := begin(t, cfg)
	r := reader{t: t, run: run}
	shown := map[string]model.Request{}
	for {
		p, ok := r.paused()
		if !ok {
			break
		}
		if p.Request != nil {
			shown[p.Request.Stage] = *p.Request
		}
		if p.Boundary == pipeline.BeforeTool {
			require.NotNil(t, p.Call)
			assert.Equal(t, "query_logs", p.Call.Name)
		}
		if p.Boundary == pipeline.BeforeOutput {
			require.NotNil(t, p.Output)
			assert.Contains(t, *p.Output, "answer_version")
		}
		run.Step()
	}
	for _, stage := range []string{"planner", "executor", "verifier"} {
		assert.Equal(t, m.To(stage)[0], shown[stage])
	}
}

func TestPauseAndContinue(t *testing.T) {
	cfg, log, _ := scenario(t, "pass-first-try").Config()
	cfg.Paused = true
	run := begin(t, cfg)
	r := reader{t: t, run: run}
	_, ok := r.paused()
	require.True(t, ok)
	run.Pause() // it is paused already
	run.Continue()
	assert.Equal(t, event.TypeFinished, run.Wait().End)
	assert.Equal(t, 1, log.State().Pauses)
	require.ErrorIs(t, run.SetBreakpoints([]pipeline.Breakpoint{{Kind: "luck"}}), pipeline.ErrBreakpoint)
}

func TestBreakpointsAreSetAndCounted(t *testing.T) {
	cfg, _, _ := scenario(t, "retry-then-low-confid").Config()
	cfg.Breakpoints = []pipeline.Breakpoint{{Kind: pipeline.BreakStage, Value: "gatekeeper"}}
	run := begin(t, cfg)
	r := reader{t: t, run: run}
	_, ok := r.paused()
	require.True(t, ok)
	require.NoError(t, run.SetBreakpoints([]pipeline.Breakpoint{{Kind: pipeline.BreakCode, Value: "B002", Nth: 2}, {Kind: pipeline.BreakStage, Value: "gatekeeper"}}))
	assert.Equal(t, 1, run.Breakpoints()[1].Hits, "one that was there keeps its hits")
	run.Continue()
	_, ok = r.paused()
	require.True(t, ok)
	run.Continue()
	p, ok := r.paused()
	require.True(t, ok)
	assert.Equal(t, pipeline.BeforeVerifier, p.Boundary)
	assert.Equal(t, "code:B002 x2", p.Why)
	assert.Equal(t, 2, p.Attempt)
	run.Continue()
	run.Wait()
	assert.Equal(t, 2, run.Breakpoints()[0].Hits)
	assert.Equal(t, 2, run.Breakpoints()[1].Hits)
}

func TestBreakpoints(t *testing.T) {
	tests := []struct {
		scenario, breakpoint string
		at                   []pipeline.Boundary
	}{
		{"retry-then-low-confid", "stage:verifier", []pipeline.Boundary{pipeline.BeforeVerifier, pipeline.BeforeVerifier}},
		{"retry-then-low-confid", "verifier x2", []pipeline.Boundary{pipeline.BeforeVerifier}},
		{"retry-then-low-confid", "tool:query_logs", []pipeline.Boundary{pipeline.BeforeTool}},
		{"retry-then-low-confid", "tool:query_metrics", nil},
		{"retry-then-low-confid", "code:B002", []pipeline.Boundary{pipeline.BeforeVerifier, pipeline.BeforeVerifier}},
		{"retry-then-low-confid", "code:C007", nil},
		{"retry-then-low-confid", "verdict==low_confid", []pipeline.Boundary{pipeline.BeforeAnswer}},
		{"retry-then-low-confid", "verdict==retry", []pipeline.Boundary{pipeline.BeforeExecutor}},
		{"retry-then-low-confid", "claim:unsupported x2", []pipeline.Boundary{pipeline.BeforeAnswer}},
		{"pass-first-try", "verdict==low_confid", nil},
		{"pass-first-try", "claim:unsupported", nil},
		{"tool-faults", "tool:query_logs x3", []pipeline.Boundary{pipeline.BeforeTool}},
	}
	for _, tt := range tests {
		t.Run(tt.scenario+" "+tt.breakpoint, func(t *testing.T) {
			b, err := pipeline.ParseBreakpoint(tt.breakpoint)
			require.NoError(t, err)
			cfg, _, _ := scenario(t, tt.scenario).Config()
			cfg.Breakpoints = []pipeline.Breakpoint{b}
			run := begin(t, cfg)
			r := reader{t: t, run: run}
			var at []pipeline.Boundary
			for {
				p, ok := r.paused()
				if !ok {
					break
				}
				assert.Equal(t, b.String(), p.Why)
				at = append(at, p.Boundary)
				run.Continue()
			}
			run.Wait()
			assert.Equal(t, tt.at, at)
		})
	}
}

func TestParseBreakpoint(t *testing.T) {
	for text, want := range map[string]string{
		"stage:verifier": "stage:verifier", "B005": "code:B005", "code:b005": "code:B005", "gatekeeper": "stage:gatekeeper",
		"query_logs": "tool:query_logs", "verdict==LOW_CONFID": "verdict==low_confid", "verdict:pass": "verdict==pass",
		"claim:unsupported x3": "claim:unsupported x3", "tool:x x1": "tool:x",
	} {
		b, err := pipeline.ParseBreakpoint(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, b.String())
		again, err := pipeline.ParseBreakpoint(b.String())
		require.NoError(t, err)
		assert.Equal(t, want, again.String())
	}
	for _, text := range []string{"", "stage:nowhere", "code:X9", "verdict==maybe", "claim:fine", "tool:", "foo:bar", "a b", "B005 x0", "B005 y"} {
		_, err := pipeline.ParseBreakpoint(text)
		require.ErrorIs(t, err, pipeline.ErrBreakpoint, "%q", text)
	}
}

func TestEditOfTheExecutorsOutput(t *testing.T) {
	s := scenario(t, "retry-then-pass")
	cfg, log, m := s.Config()
	cfg.Breakpoints = []pipeline.Breakpoint{{Kind: pipeline.BreakStage, Value: "executor_output"}}
	run := begin(t, cfg)
	r := reader{t: t, run: run}
	p, ok := r.paused()
	require.True(t, ok)
	text, err := p.EditText(event.EditExecutorOutput, run.Prompts())
	require.NoError(t, err)
	edited := strings.ReplaceAll(strings.ReplaceAll(text, "trace-9", "trace-1"), "109", "101")
	require.NotEqual(t, text, edited)
	require.NoError(t, run.Edit(pipeline.Edit{Target: event.EditExecutorOutput, Text: edited}))
	now, _ := run.Pending()
	assert.Equal(t, edited, *now.Output)
	require.ErrorIs(t, run.Edit(pipeline.Edit{Target: event.EditRequest, Text: "{}"}), pipeline.ErrCannot)
	require.ErrorIs(t, run.Skip(), pipeline.ErrCannot)
	require.NoError(t, run.SetBreakpoints(nil))
	run.Continue()
	run.Wait()
	assert.Equal(t, edited, log.State().Attempts[0].Message)
	assert.Contains(t, m.To("verifier")[0].Messages[1].Content, `\"source_id\":\"trace-1\"`)
	require.Len(t, log.State().Edits, 1)
	assert.Equal(t, text, log.State().Edits[0].Before)
}

func TestEditOfARequestAndAPrompt(t *testing.T) {
	cfg, _, m := scenario(t, "pass-first-try").Config()
	cfg.Paused = true
	run := begin(t, cfg)
	r := reader{t: t, run: run}
	p, _ := r.paused()
	target := event.EditPrompt + string(prompts.Planner)
	text, err := p.EditText(target, run.Prompts())
	require.NoError(t, err)
	require.ErrorIs(t, run.Edit(pipeline.Edit{Target: target, Text: "no front matter"}), prompts.ErrFrontMatter)
	require.NoError(t, run.Edit(pipeline.Edit{Target: target, Text: strings.Replace(text, "你是线上故障诊断的规划者", "你是谨慎的规划者", 1)}))
	p, _ = run.Pending()
	assert.Contains(t, p.Request.Messages[0].Content, "你是谨慎的规划者", "the request is built anew")

	text, err = p.EditText(event.EditRequest, run.Prompts())
	require.NoError(t, err)
	require.Error(t, run.Edit(pipeline.Edit{Target: event.EditRequest, Text: "{"}))
	require.Error(t, run.Edit(pipeline.Edit{Target: event.EditRequest, Text: `{"nonsense":1}`}))
	require.NoError(t, run.Edit(pipeline.Edit{Target: event.EditRequest, Text: strings.Replace(text, "订单服务为什么", "订单服务究竟为什么", 1)}))
	run.Continue()
	run.Wait()
	sent := m.To("planner")[0]
	assert.Contains(t, sent.Messages[0].Content, "你是谨慎的规划者")
	assert.Contains(t, sent.Messages[1].Content, "究竟为什么")
	assert.Equal(t, "planner", sent.Stage)
	require.ErrorIs(t, run.Edit(pipeline.Edit{Target: event.EditRequest}), pipeline.ErrNotPaused)
	require.ErrorIs(t, run.Skip(), pipeline.ErrNotPaused)
}

func TestEditOfAToolCall(t *testing.T) {
	cfg, log, _ := scenario(t, "pass-first-try").Config()
	cfg.Breakpoints = []pipeline.Breakpoint{{Kind: pipeline.BreakTool, Value: "query_logs"}}
	run := begin(t, cfg)
	r := reader{t: t, run: run}
	_, ok := r.paused()
	require.True(t, ok)
	require.NoError(t, run.Edit(pipeline.Edit{Target: event.EditRequest, Text: `{"service":"payment"}`}))
	run.Continue()
	run.Wait()
	assert.JSONEq(t, `{"service":"payment"}`, string(log.State().Attempts[0].Calls[0].Trace.Arguments))
}

func TestSkip(t *testing.T) {
	for _, tt := range []struct {
		at    string
		check func(*testing.T, *pipeline.Run, *session.Log, *modeltest.Model)
	}{
		{"planner", func(t *testing.T, _ *pipeline.Run, _ *session.Log, m *modeltest.Model) {
			assert.Empty(t, m.To("planner"))
			assert.NotContains(t, m.To("executor")[0].Messages[1].Content, "计划")
		}},
		{"tool", func(t *testing.T, _ *pipeline.Run, log *session.Log, _ *modeltest.Model) {
			assert.Equal(t, trace.Error, log.State().Attempts[0].Calls[0].Trace.Status)
		}},
		{"gatekeeper", func(t *testing.T, _ *pipeline.Run, log *session.Log, _ *modeltest.Model) {
			assert.Nil(t, log.State().Attempts[0].Gate)
		}},
		{"verifier", func(t *testing.T, run *pipeline.Run, _ *session.Log, m *modeltest.Model) {
			assert.Empty(t, m.To("verifier"))
			assert.Equal(t, verdict.VerifierError, run.Wait().Evaluation.Causes[0].Cause)
		}},
	} {
		t.Run(tt.at, func(t *testing.T) {
			cfg, log, m := scenario(t, "pass-first-try").Config()
			cfg.Policy.Retries = 0
			cfg.Breakpoints = []pipeline.Breakpoint{{Kind: pipeline.BreakStage, Value: tt.at}}
			run := begin(t, cfg)
			r := reader{t: t, run: run}
			_, ok := r.paused()
			require.True(t, ok)
			require.NoError(t, run.Skip())
			run.Wait()
			tt.check(t, run, log, m)
			assert.Equal(t, event.EditSkip, log.State().Edits[0].Target)
		})
	}
}

// fullDisk refuses events from the n-th on.
type fullDisk struct {
	pipeline.Sink
	left int
}

var errFull = errors.New("no space left")

func (f *fullDisk) Append(attempt int, stage event.Stage, body event.Body) (event.Event, error) {
	if f.left == 0 {
		return event.Event{}, errFull
	}
	f.left--
	return f.Sink.Append(attempt, stage, body)
}

func TestNothingIsShownThatIsNotRecorded(t *testing.T) {
	for left := range 25 {
		cfg, log, _ := scenario(t, "pass-first-try").Config()
		cfg.Sink = &fullDisk{Sink: log, left: left}
		run := begin(t, cfg)
		r := reader{t: t, run: run}
		_, ok := r.until(event.TypeFinished)
		assert.False(t, ok)
		assert.Equal(t, left, r.last)
		out := run.Wait()
		require.ErrorIs(t, out.Err, errFull)
		assert.Empty(t, out.End)
	}
}

func TestDeltasAreDroppedNotWaitedFor(t *testing.T) {
	cfg, _, _ := scenario(t, "pass-first-try").Config()
	cfg.Model = chatty{cfg.Model}
	run := begin(t, cfg)
	assert.Equal(t, event.TypeFinished, run.Wait().End, "nobody reads, and nothing waits")
	n := 0
	for d := range run.Deltas() {
		assert.NotEmpty(t, d.Stage)
		n++
	}
	assert.Equal(t, 1024, n)
}

type chatty struct{ model.Model }

func (c chatty) Chat(ctx context.Context, req model.Request, on func(model.Delta)) (model.Response, error) {
	for range 2000 {
		on(model.Delta{Content: "x"})
	}
	return c.Model.Chat(ctx, req, on)
}

func TestManyReadersSeeTheSameEvents(t *testing.T) {
	cfg, log, _ := scenario(t, "retry-then-pass").Config()
	run := begin(t, cfg)
	var wg sync.WaitGroup
	got := make([][]event.Event, 4)
	for i := range got {
		wg.Go(func() {
			last := 0
			for {
				e, err := run.Next(context.Background(), last)
				if err != nil {
					return
				}
				last = e.Seq
				got[i] = append(got[i], e)
			}
		})
	}
	wg.Wait()
	for i := range got {
		assert.Equal(t, log.Events(), got[i])
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := run.Next(ctx, 1)
	require.NoError(t, err, "what is there needs no waiting")
}

func TestIncompleteConfig(t *testing.T) {
	_, err := pipeline.Begin(context.Background(), pipeline.Config{})
	require.ErrorIs(t, err, pipeline.ErrConfig)
}
