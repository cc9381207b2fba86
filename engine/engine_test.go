package engine_test

import (
	"context"
	"crypto/rand"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/engine/config"
	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/model/openaitest"
	"claimscope/engine/tool/incident"
	"claimscope/engine/verdict"
	"claimscope/sessions"
)

// open gives an engine over the bundled files with a home of its own.
func open(t *testing.T, flags map[string]string, env ...string) *engine.Engine {
	t.Helper()
	vars := map[string]string{"HOME": t.TempDir()}
	for i := 0; i+1 < len(env); i += 2 {
		vars[env[i]] = env[i+1]
	}
	e, err := engine.Open(engine.Environment{
		Getenv: func(k string) string { return vars[k] }, Flags: flags, Bundled: sessions.FS(), Now: time.Now, Random: rand.Reader,
	})
	require.NoError(t, err)
	return e
}

func TestBundledRunWithoutAnyEndpoint(t *testing.T) {
	e := open(t, nil)
	run, notes, err := e.Run(context.Background(), engine.Request{Incident: "payment-pool"})
	require.NoError(t, err)
	out := run.Wait()
	require.NoError(t, out.Err)
	assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
	require.NotEmpty(t, notes)
	assert.Contains(t, notes[0].EN, "no endpoint is configured")
	saved, err := e.Sessions().Open(run.ID())
	require.NoError(t, err)
	assert.Equal(t, "incident:payment-pool", saved.Header.Tools)
}

func TestReplayOfTheFaultyRecording(t *testing.T) {
	run, _, err := open(t, nil).Run(context.Background(), engine.Request{Replay: "bundled-payment-pool-lowconfid"})
	require.NoError(t, err)
	out := run.Wait()
	assert.Equal(t, verdict.LowConfid, out.Evaluation.Decision)
	causes := map[verdict.Cause]bool{}
	for _, c := range out.Evaluation.Causes {
		causes[c.Cause] = true
	}
	assert.True(t, causes[verdict.MissingRef], "%+v", out.Evaluation.Causes)
	assert.True(t, causes[verdict.KnowledgeAsFact], "%+v", out.Evaluation.Causes)
}

func TestAFlagChangesTheRecordedPolicy(t *testing.T) {
	run, _, err := open(t, map[string]string{"retries": "0"}).Run(context.Background(), engine.Request{Replay: "bundled-cert-expiry-retry"})
	require.NoError(t, err)
	out := run.Wait()
	assert.Equal(t, 1, out.Evaluation.Attempt)
	assert.Equal(t, verdict.LowConfid, out.Evaluation.Decision)
}

func TestUnsavedIsSaid(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	run, notes, err := open(t, map[string]string{"sessions": filepath.Join(file, "below")}).Run(context.Background(), engine.Request{})
	require.NoError(t, err)
	run.Wait()
	assert.Contains(t, notes[len(notes)-1].EN, "the session is unsaved")
}

func TestLiveRunAgainstAnEndpoint(t *testing.T) {
	srv := httptest.NewServer(openaitest.New(
		openaitest.OK("1. 看日志"),
		openaitest.OK(`{"answer_version":"executor_evidence_v2","claims":[],"hypotheses":[],"recommended_actions":[],"missing_info":["没有查询"]}`),
		openaitest.OK(`{"claim_checks":[],"extra_facts":[],"decision":"PASS","summary":"无结论"}`),
	))
	defer srv.Close()
	e := open(t, map[string]string{"retries": "0"}, "OPENAI_BASE_URL", srv.URL, "CLAIMSCOPE_MODEL", "stub")
	run, _, err := e.Run(context.Background(), engine.Request{})
	require.NoError(t, err)
	out := run.Wait()
	require.NoError(t, out.Err)
	assert.Equal(t, verdict.LowConfid, out.Evaluation.Decision)
	assert.Equal(t, verdict.NoConfirmedClaims, out.Evaluation.Causes[0].Cause)
	assert.Positive(t, out.Evaluation.Tokens)
}

func TestWhatCannotRun(t *testing.T) {
	e := open(t, nil)
	_, _, err := e.Run(context.Background(), engine.Request{Incident: t.TempDir()})
	assert.ErrorIs(t, err, engine.ErrNothingToRun)
	_, _, err = e.Run(context.Background(), engine.Request{Replay: "no-such-session"})
	assert.Error(t, err)
	_, _, err = e.Run(context.Background(), engine.Request{Incident: "cert-expiry", Replay: "bundled-payment-pool-pass"})
	assert.ErrorIs(t, err, engine.ErrNothingToRun)
	_, err = e.Incident("../etc")
	assert.ErrorIs(t, err, incident.ErrInvalid)
	incidents, err := e.Incidents()
	require.NoError(t, err)
	assert.Len(t, incidents, 2)
	_, err = engine.Open(engine.Environment{Getenv: func(string) string { return "" }, Flags: map[string]string{"gate": "x"}, Bundled: sessions.FS()})
	assert.ErrorIs(t, err, config.ErrInvalid)
}

// A key of any form, and secrets of the question, stay out of the session.
func TestTheKeyAndSecretsOfTheQuestionAreNeverWritten(t *testing.T) {
	const key = "corp.Gateway.Key.42"
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, fstest.MapFS{
		incident.FileName: {Data: []byte("title: t\nquery: q\nwindow:\n  start: 2026-03-02T10:00:00Z\n  end: 2026-03-02T11:00:00Z\n")},
		"logs/cart.log":   {Data: []byte("2026-03-02T10:30:00Z ERROR gateway refused " + key + "\n")},
	}))
	srv := httptest.NewServer(openaitest.New(
		openaitest.OK("1. 看日志"),
		openaitest.Calls(model.ToolCall{ID: "a", Name: "query_logs", Arguments: `{}`}),
		openaitest.OK("没有结论"), openaitest.OK("{}"), openaitest.OK("{}"),
	))
	defer srv.Close()
	e := open(t, map[string]string{"retries": "0"}, "OPENAI_BASE_URL", srv.URL, "CLAIMSCOPE_MODEL", "stub", "OPENAI_API_KEY", key)
	run, _, err := e.Run(context.Background(), engine.Request{Incident: folder, Query: "为什么？password=Hunter2xyz"})
	require.NoError(t, err)
	require.NoError(t, run.Wait().Err)
	saved, err := e.Open(run.ID())
	require.NoError(t, err)
	st := saved.State()
	require.Len(t, st.Attempts[0].Calls, 1)
	assert.Contains(t, string(st.Attempts[0].Calls[0].Trace.Output), "gateway refused ‹masked:pattern›")
	file, err := os.ReadFile(saved.Path)
	require.NoError(t, err)
	assert.NotContains(t, string(file), key)
	assert.NotContains(t, string(file), "Hunter2xyz")
}

func TestAPlaceholderForAKeyMasksNothing(t *testing.T) {
	e := open(t, nil, "OPENAI_API_KEY", "x")
	id, _, err := e.Import([]byte(`{"case_version":"claimscope_case_v1","id":"c","original_query":"nginx 为什么 502？","traces":[],"executor_final_answer":"x"}`), engine.ImportRequest{Name: "c"})
	require.NoError(t, err)
	rec, err := e.Open(id)
	require.NoError(t, err)
	assert.Equal(t, "nginx 为什么 502？", rec.Header.Query)
}

// promptsNow gives the times that the prompts of a run name.
func promptsNow(t *testing.T, e *engine.Engine, id string) map[string]bool {
	t.Helper()
	rec, err := e.Open(id)
	require.NoError(t, err)
	out := map[string]bool{}
	for _, ev := range rec.Events {
		if b, ok := ev.Body.(event.ModelRequest); ok {
			for _, m := range regexp.MustCompile(`当前时间：(\S+)`).FindAllStringSubmatch(b.Request.Messages[0].Content, -1) {
				out[m[1]] = true
			}
		}
	}
	return out
}

func TestNowIsTheRecordingsNow(t *testing.T) {
	e := open(t, nil)
	const id = "bundled-payment-pool-pass"
	want := promptsNow(t, e, id)
	require.Len(t, want, 1)
	run, _, err := e.Run(context.Background(), engine.Request{Replay: id})
	require.NoError(t, err)
	run.Wait()
	assert.Equal(t, want, promptsNow(t, e, run.ID()), "of a replay")
	for _, mode := range []string{engine.ForkExecutor, engine.ForkLive} {
		first, err := e.Fork(context.Background(), engine.Fork{Session: id, Mode: mode})
		require.NoError(t, err)
		first.Wait()
		assert.Equal(t, want, promptsNow(t, e, first.ID()), mode)
		again, err := e.Fork(context.Background(), engine.Fork{Session: first.ID(), Mode: engine.ForkLive})
		require.NoError(t, err, "a live fork of a fork has its incident's tools")
		assert.Equal(t, verdict.Pass, again.Wait().Evaluation.Decision)
		assert.Equal(t, want, promptsNow(t, e, again.ID()), "of a fork of it")
		assert.Equal(t, "incident:payment-pool", again.State().Header.Tools)
	}
}

func TestAFlagChangesThePolicyOfAFork(t *testing.T) {
	e := open(t, map[string]string{"gate": "off"})
	run, err := e.Fork(context.Background(), engine.Fork{Session: "bundled-payment-pool-lowconfid", Mode: engine.ForkVerifier})
	require.NoError(t, err)
	out := run.Wait()
	assert.Nil(t, out.Evaluation.GateReport)
	assert.Equal(t, verdict.GateOff, run.State().Header.Policy.Gate)
}

func TestWhatAReplayCannotFollowIsSaid(t *testing.T) {
	e := open(t, map[string]string{"contract": "v1", "composer": "true"})
	run, notes, err := e.Run(context.Background(), engine.Request{Replay: "bundled-payment-pool-pass"})
	require.NoError(t, err)
	run.Wait()
	require.Len(t, notes, 2)
	assert.Contains(t, notes[0].EN, "executor_evidence_v2")
	assert.Contains(t, notes[1].EN, "Composer")
}

// TestTheQuestionCountsAlike: words of the question are no extra facts of an answer,
// in a run as in a later check of its session.
func TestTheQuestionCountsAlike(t *testing.T) {
	const query = "订单 ORD-20260302-7781 为什么失败？"
	output := `{"answer_version":"executor_evidence_v1","diagnosis_summary":"订单 ORD-20260302-7781 的支付失败了。","claims":[],"hypotheses":[],"recommended_actions":[],"missing_info":["没有日志"]}`
	srv := httptest.NewServer(openaitest.New(openaitest.OK("1. 看日志"), openaitest.OK(output), openaitest.OK(`{"claim_checks":[],"extra_facts":[],"decision":"PASS","summary":""}`)))
	defer srv.Close()
	e := open(t, map[string]string{"retries": "0"}, "OPENAI_BASE_URL", srv.URL, "CLAIMSCOPE_MODEL", "stub")
	run, _, err := e.Run(context.Background(), engine.Request{Query: query})
	require.NoError(t, err)
	out := run.Wait()
	rec, err := e.Open(run.ID())
	require.NoError(t, err)
	data, err := os.ReadFile(rec.Path)
	require.NoError(t, err)
	v, err := e.Verify(rec.Path, data)
	require.NoError(t, err)
	assert.Equal(t, v.Report.Findings, out.Evaluation.GateReport.Findings)
	assert.Equal(t, v.Report.ExtraFacts, out.Evaluation.GateReport.ExtraFacts)
}

// TestAnInterruptedSessionGoesOn: twice interrupted, by a stop and by the end of the
// program, a session comes to its verdict in its own file.
func TestAnInterruptedSessionGoesOn(t *testing.T) {
	recorded, err := open(t, nil).Open("bundled-cert-expiry-retry")
	require.NoError(t, err)
	var script []openaitest.Reply
	for _, x := range recorded.Replies() {
		script = append(script, openaitest.Reply{Response: x.Response})
	}
	srv := httptest.NewServer(openaitest.New(script...))
	defer srv.Close()
	e := open(t, nil, "OPENAI_BASE_URL", srv.URL, "CLAIMSCOPE_MODEL", "stub")
	at, err := engine.ParseBreakpoint("verdict==retry")
	require.NoError(t, err)
	run, _, err := e.Run(context.Background(), engine.Request{Incident: "cert-expiry", Debug: engine.Debug{Breakpoints: []engine.Breakpoint{at}}})
	require.NoError(t, err)
	untilPaused(t, run.Next)
	run.Cancel("a break")
	require.Equal(t, event.TypeCancelled, run.Wait().End)

	again, _, err := e.Run(context.Background(), engine.Request{Resume: run.ID(), Debug: engine.Debug{Paused: true}})
	require.NoError(t, err)
	assert.Equal(t, run.ID(), again.ID())
	before := len(again.Before())
	untilPaused(t, func(ctx context.Context, after int) (event.Event, error) { return again.Next(ctx, max(after, before)) })
	again.Cancel("another break")
	require.Equal(t, event.TypeCancelled, again.Wait().End)
	again, _, err = e.Run(context.Background(), engine.Request{Resume: run.ID()})
	require.NoError(t, err)
	out := again.Wait()
	require.NoError(t, out.Err)
	assert.Equal(t, verdict.Pass, out.Evaluation.Decision, "%+v", out.Evaluation.Causes)
	assert.Equal(t, 2, out.Evaluation.Attempt)

	_, _, err = e.Run(context.Background(), engine.Request{Resume: run.ID()})
	require.ErrorIs(t, err, engine.ErrDecided)
	_, _, err = e.Run(context.Background(), engine.Request{Resume: "bundled-payment-pool-pass"})
	require.ErrorIs(t, err, engine.ErrDecided)
}

// untilPaused follows a run to its next pause.
func untilPaused(t *testing.T, next func(context.Context, int) (event.Event, error)) {
	t.Helper()
	for after := 0; ; {
		ev, err := next(context.Background(), after)
		require.NoError(t, err)
		if ev.Body.Type() == event.TypePaused {
			return
		}
		after = ev.Seq
	}
}
