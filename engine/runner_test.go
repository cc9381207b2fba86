package engine_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"claimscope/engine"
	"claimscope/engine/enginetest"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/session"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// The knowledge index starts its workers for the whole process.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

func scenario(t *testing.T, name string) *enginetest.Scenario {
	t.Helper()
	text, err := os.ReadFile("pipeline/testdata/scenarios/" + name + ".scenario")
	require.NoError(t, err)
	s, err := enginetest.Parse(name, string(text))
	require.NoError(t, err)
	return s
}

// house is a Runner over a folder of its own, with a session recorded by a scenario.
func house(t *testing.T, s *enginetest.Scenario) (*engine.Runner, *session.Store, string) {
	t.Helper()
	return houseAt(t, t.TempDir(), s)
}

// houseAt is the same over a folder; "" keeps the sessions in memory.
func houseAt(t *testing.T, dir string, s *enginetest.Scenario) (*engine.Runner, *session.Store, string) {
	t.Helper()
	clock := enginetest.Clock()
	store := session.NewStore(dir, session.Options{Now: clock, Random: rand.Reader})
	r := engine.NewRunner(engine.Options{
		Store: store, Prompts: prompts.Embedded(), Model: s.Model(), Policy: s.Policy, Version: s.Version, Composer: s.Composer, Clock: clock,
		Gate: func(in gate.Input) gate.Report { return gate.Verify(in, gate.Policy{}) }, Program: "test",
	})
	run, err := r.Start(context.Background(), engine.Start{Query: s.Query, Title: "标题", Tools: s.Tools(), ToolsFrom: "incident:test"})
	require.NoError(t, err)
	out := run.Wait()
	require.NoError(t, out.Err)
	return r, store, run.ID()
}

// offline takes the live model away.
func offline(o *engine.Options) { o.Model = nil }

// essence is what a replay must reproduce, as it is printed: all but the id.
func essence(t *testing.T, e *verdict.Evaluation) string {
	t.Helper()
	require.NotNil(t, e)
	out := *e
	out.SessionID = ""
	raw, err := json.Marshal(out)
	require.NoError(t, err)
	return string(raw)
}

func TestReplayYieldsTheSameRecord(t *testing.T) {
	files, err := os.ReadDir("pipeline/testdata/scenarios")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".scenario")
		t.Run(name, func(t *testing.T) {
			r, store, id := houseAt(t, "", scenario(t, name))
			rec, err := store.Open(id)
			require.NoError(t, err)
			parent := rec.State()
			run, err := r.With(offline).Replay(context.Background(), id, engine.Debug{}, nil)
			require.NoError(t, err)
			out := run.Wait()
			assert.JSONEq(t, essence(t, parent.Evaluation), essence(t, out.Evaluation))
			assert.Equal(t, "replay", run.State().Header.Model)
			assert.Equal(t, id, run.State().Header.Parent.ID)
		})
	}
}

func TestForkVerifierJudgesTheSameOutputAgain(t *testing.T) {
	r, store, id := house(t, scenario(t, "pass-first-try"))
	verifier := modeltest.New().On("verifier", modeltest.Text(`{"claim_checks":[{"claim_id":"claim-1","verdict":"contradicted","reason":"反了"}],"decision":"RETRY"}`))
	run, err := r.With(func(o *engine.Options) { o.Model = verifier }).Fork(context.Background(), engine.Fork{Session: id, Mode: session.ForkVerifier})
	require.NoError(t, err)
	out := run.Wait()
	assert.Equal(t, verdict.LowConfid, out.Evaluation.Decision, "there is no Executor to retry with")
	assert.Equal(t, verdict.CauseContradicted, out.Evaluation.Causes[0].Cause)
	assert.Empty(t, verifier.To("executor"))

	fork, err := store.Open(run.ID())
	require.NoError(t, err)
	assert.Equal(t, "verifier", fork.Header.Parent.Mode)
	parent, err := store.Open(id)
	require.NoError(t, err)
	keep := fork.Header.Parent.Seq
	assert.Equal(t, event.TypeExecutorOutput, parent.Events[keep-1].Body.Type())
	assert.Equal(t, parent.Events[:keep], fork.Events[:keep])
	assert.Equal(t, parent.Events[:keep], run.Before())
	st := parent.State()
	assert.Equal(t, verdict.Pass, st.Evaluation.Decision, "the parent is not changed")
}

func TestForkExecutorOnFrozenTools(t *testing.T) {
	r, store, id := house(t, scenario(t, "pass-first-try"))
	parent, err := store.Open(id)
	require.NoError(t, err)
	output := parent.State().Attempts[0].Message
	live := modeltest.New().
		On("executor", modeltest.Reply{Calls: []model.ToolCall{
			{Name: "query_logs", Arguments: `{"service":"payment"}`}, // never recorded
			{Name: "query_logs", Arguments: `{ "service" : "order" }`},
		}}, modeltest.Text(output)).
		On("verifier", modeltest.Text(`{"claim_checks":[{"claim_id":"claim-1","verdict":"supported"}],"decision":"PASS"}`))
	run, err := r.With(func(o *engine.Options) { o.Model = live }).Fork(context.Background(), engine.Fork{Session: id, Mode: session.ForkExecutor})
	require.NoError(t, err)
	out := run.Wait()
	assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
	fork, err := store.Open(run.ID())
	require.NoError(t, err)
	calls := fork.State().Attempts[0].Calls
	require.Len(t, calls, 2)
	assert.Equal(t, trace.NotRecorded, calls[0].Trace.Status)
	assert.Equal(t, "trace-2", calls[0].Ref, "a new ref lies beyond the recorded ones")
	assert.Equal(t, "trace-1", calls[1].Ref, "the recorded call keeps its ref")
	assert.Equal(t, []int64{101}, calls[1].Trace.InvocationIDs)
	recorded := parent.State().Attempts[0].Calls[0].Trace
	assert.Equal(t, recorded.Output, calls[1].Trace.Output)
	now := parent.Header.Time.Format("2006-01-02T15:04:05Z07:00")
	assert.Contains(t, live.To("executor")[0].Messages[0].Content, now, "now is the recording's now")
}

func TestForkLiveNeedsTools(t *testing.T) {
	s := scenario(t, "pass-first-try")
	r, _, id := house(t, s)
	_, err := r.Fork(context.Background(), engine.Fork{Session: id, Mode: session.ForkLive})
	require.ErrorIs(t, err, engine.ErrNoTools)
	_, err = r.Fork(context.Background(), engine.Fork{Session: id, Mode: "sideways"})
	require.ErrorIs(t, err, engine.ErrMode)
	run, err := r.With(func(o *engine.Options) { o.Model = s.Model() }).Fork(context.Background(), engine.Fork{Session: id, Mode: session.ForkLive, Tools: s.Tools()})
	require.NoError(t, err)
	assert.Equal(t, verdict.Pass, run.Wait().Evaluation.Decision)
}

func TestForkOfARetriedSession(t *testing.T) {
	r, store, id := house(t, scenario(t, "retry-then-pass"))
	r = r.With(offline)
	// The Executor mode begins at the first attempt, and the recorded replies lead
	// through both.
	run, err := r.Fork(context.Background(), engine.Fork{Session: id, Mode: session.ForkExecutor})
	require.NoError(t, err)
	out := run.Wait()
	assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
	assert.Equal(t, 2, out.Evaluation.Attempt)
	// Forked at the second attempt's Verifier, only that is done anew.
	rec, err := store.Open(id)
	require.NoError(t, err)
	run, err = r.Fork(context.Background(), engine.Fork{Session: id, Mode: session.ForkVerifier, Seq: len(rec.Events)})
	require.NoError(t, err)
	out = run.Wait()
	assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
	assert.Equal(t, 2, out.Evaluation.Attempt)
}

func TestRepeatCountsVerdicts(t *testing.T) {
	r, _, id := house(t, scenario(t, "pass-first-try"))
	verifier := modeltest.New().On("verifier",
		modeltest.Text(`{"claim_checks":[{"claim_id":"claim-1","verdict":"supported"}],"decision":"PASS"}`),
		modeltest.Text(`{"claim_checks":[{"claim_id":"claim-1","verdict":"unsupported"}],"decision":"LOW_CONFID"}`),
		modeltest.Text(`{"claim_checks":[{"claim_id":"claim-1","verdict":"supported"}],"decision":"PASS"}`))
	var order []int
	got, err := r.With(func(o *engine.Options) { o.Model = verifier }).Repeat(context.Background(),
		engine.Fork{Session: id, Mode: session.ForkVerifier}, 3, func(i int, _ *engine.Run) { order = append(order, i) })
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 3}, order)
	assert.Len(t, got.Sessions, 3)
	assert.Equal(t, map[verdict.Decision]int{verdict.Pass: 2, verdict.LowConfid: 1}, got.Decisions)
	assert.Equal(t, map[verdict.Cause]int{verdict.UnsupportedClaim: 1}, got.Causes)
	require.Len(t, got.Claims, 1)
	assert.Equal(t, map[verdict.CheckVerdict]int{verdict.Supported: 2, verdict.Unsupported: 1}, got.Claims[0].Verdicts)
}

// A session whose program died at any event can be taken up, and comes to the same
// decision.
func TestResumeAfterTheProgramDied(t *testing.T) {
	s := scenario(t, "retry-then-pass")
	r, store, id := house(t, s)
	rec, err := store.Open(id)
	require.NoError(t, err)
	for cut := range len(rec.Events) {
		log, err := store.Fork(id, cut, "test", nil)
		require.NoError(t, err)
		torn := log.Header().ID
		require.NoError(t, log.Close())
		run, err := r.With(func(o *engine.Options) { o.Model = goesOn{rec} }).Resume(context.Background(), torn, s.Tools(), engine.Debug{})
		require.NoError(t, err)
		out := run.Wait()
		require.NoError(t, out.Err)
		require.Equal(t, verdict.Pass, out.Evaluation.Decision, "cut after event %d: %+v", cut, out.Evaluation.Causes)
		refs := map[string]int{}
		again, err := store.Open(torn)
		require.NoError(t, err)
		for _, e := range again.Events {
			if b, ok := e.Body.(event.ToolCalled); ok {
				refs[b.Ref]++
				require.Equal(t, 1, refs[b.Ref], "cut after event %d: %s is used twice", cut, b.Ref)
			}
		}
	}
	_, err = r.With(offline).Resume(context.Background(), id, s.Tools(), engine.Debug{})
	require.ErrorIs(t, err, engine.ErrNoModel)
}

// A replay whose program died at any event is taken up without a model, and comes to
// the decision of its parent.
func TestResumeAReplay(t *testing.T) {
	s, dir := scenario(t, "retry-then-pass"), t.TempDir()
	r, store, id := houseAt(t, dir, s)
	r = r.With(offline)
	for cut := 0; ; cut++ {
		run, err := r.Replay(context.Background(), id, engine.Debug{}, nil)
		require.NoError(t, err)
		require.NoError(t, run.Wait().Err)
		file := filepath.Join(dir, run.ID()+session.Ext)
		whole, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := bytes.SplitAfter(whole, []byte("\n"))
		if cut+3 > len(lines) { // the header, and the event that ends the run
			break
		}
		require.NoError(t, os.WriteFile(file, bytes.Join(lines[:1+cut], nil), 0o600))
		again, err := r.Resume(context.Background(), run.ID(), nil, engine.Debug{})
		require.NoError(t, err)
		out := again.Wait()
		require.NoError(t, out.Err)
		require.Equal(t, verdict.Pass, out.Evaluation.Decision, "cut after event %d: %+v", cut, out.Evaluation.Causes)
		rec, err := store.Open(run.ID())
		require.NoError(t, err)
		called := map[string]int{}
		for _, e := range rec.Events {
			if b, ok := e.Body.(event.ToolReturned); ok {
				called[b.Trace.Ref]++
				require.Equal(t, 1, called[b.Trace.Ref], "cut after event %d: %s is used twice", cut, b.Trace.Ref)
			}
		}
	}
}

// goesOn answers as recorded, however often it is asked; the Executor cites the trace
// that it was shown.
type goesOn struct{ rec *session.Recording }

func (g goesOn) Chat(_ context.Context, req model.Request, _ func(model.Delta)) (model.Response, error) {
	last := req.Messages[len(req.Messages)-1]
	for _, x := range g.rec.Replies() {
		calls := len(x.Response.Message.ToolCalls) > 0
		if x.Request.Stage != req.Stage || x.Attempt != req.Attempt || calls && last.Role == model.ToolRole {
			continue
		}
		resp := x.Response
		if i := strings.LastIndex(last.Content, "[trace_ref="); i >= 0 && req.Stage == "executor" {
			n := strings.TrimPrefix(strings.Fields(last.Content[i:])[0], "[trace_ref=trace-")
			resp.Message.Content = strings.NewReplacer(`trace-1"`, "trace-"+n+`"`, "[101]", "[10"+n+"]").Replace(resp.Message.Content)
		}
		return resp, nil
	}
	return model.Response{}, &model.Fault{Kind: model.FaultExhausted, Text: "nothing recorded"}
}

// An import without an endpoint has nothing to answer with; no session is made of it.
func TestForkOfAnImportWithoutAModel(t *testing.T) {
	r, store, _ := house(t, scenario(t, "retry-then-pass"))
	log, err := store.Create(event.Header{Query: "q", Model: "import", ContractVersion: "executor_evidence_v2"})
	require.NoError(t, err)
	_, err = log.Append(1, event.Executor, event.ExecutorOutput{Message: "{}"})
	require.NoError(t, err)
	id := log.Header().ID
	require.NoError(t, log.Close())
	before, err := store.List()
	require.NoError(t, err)
	_, err = r.With(offline).Fork(context.Background(), engine.Fork{Session: id, Mode: session.ForkExecutor})
	require.ErrorIs(t, err, engine.ErrNoModel)
	after, err := store.List()
	require.NoError(t, err)
	assert.Len(t, after, len(before))
}

func TestStartWithoutAModel(t *testing.T) {
	r := engine.NewRunner(engine.Options{Prompts: prompts.Embedded()})
	assert.False(t, r.Live())
	_, err := r.Start(context.Background(), engine.Start{Query: "q"})
	require.ErrorIs(t, err, engine.ErrNoModel)
}
