package engine_test

import (
	"context"
	"crypto/rand"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/engine/config"
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
