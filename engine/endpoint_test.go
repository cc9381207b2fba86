package engine_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/engine/event"
	"claimscope/engine/model/openai"
	"claimscope/engine/model/openaitest"
	"claimscope/engine/verdict"
)

// TestTheEndpointsOnlyModel: an address and a key are enough where there is no choice.
func TestTheEndpointsOnlyModel(t *testing.T) {
	script, incident := small(t)
	s := unnamed(t, []string{"only-one"}, append(append([]openaitest.Reply{}, script...), script[3])...)
	run, notes, err := s.Run(context.Background(), engine.Request{Incident: incident})
	require.NoError(t, err)
	require.Len(t, notes, 1)
	assert.Contains(t, notes[0].EN, "the endpoint's only one, only-one, is used")
	out, rec := s.end(t, run)
	assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
	assert.Equal(t, "only-one", rec.Header.Params[event.Verifier].Model, "what was used stands in the header")
	for _, body := range s.stub.Requests() {
		assert.Contains(t, string(body), `"model":"only-one"`)
	}
	fork, err := s.Fork(context.Background(), engine.Fork{Session: run.ID(), Mode: engine.ForkVerifier})
	require.NoError(t, err)
	out, rec = s.end(t, fork)
	assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
	assert.Equal(t, "only-one", rec.Header.Params[event.Executor].Model)
}

// unnamed is a stub for which no model is configured.
func unnamed(t *testing.T, models []string, script ...openaitest.Reply) *stubbed {
	t.Helper()
	s := against(t, map[string]string{"model": ""}, script...)
	s.stub.Models = models
	return s
}

func TestAChoiceOfModelsIsSaidInOneLine(t *testing.T) {
	for _, tt := range []struct {
		models []string
		want   string
	}{
		{[]string{"a", "b"}, "the endpoint offers 2 models (a, b); set CLAIMSCOPE_MODEL"},
		{strings.Split("a b c d e f g", " "), "7 models (a, b, c, d, e …)"},
		{[]string{}, "the endpoint offers none"},
	} {
		_, _, err := unnamed(t, tt.models).Run(context.Background(), engine.Request{})
		require.ErrorIs(t, err, engine.ErrNoModel)
		assert.ErrorContains(t, err, tt.want)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// TestAnEndpointThatListsNothing is asked all the same: what is wrong with it comes on
// record.
func TestAnEndpointThatListsNothing(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	transport := &http.Transport{}
	t.Cleanup(func() { transport.CloseIdleConnections(); srv.Close() })
	s := &stubbed{home: t.TempDir()}
	s.Engine = s.open(t, map[string]string{"model": ""}, srv.URL, openai.Options{HTTP: &http.Client{Transport: transport}})
	run, notes, err := s.Run(context.Background(), engine.Request{})
	require.NoError(t, err)
	require.Len(t, notes, 1)
	assert.Contains(t, notes[0].EN, "set CLAIMSCOPE_MODEL")
	out, rec := s.end(t, run)
	assert.Equal(t, event.TypeFailed, out.End)
	assert.Contains(t, failures(rec)[0].Body.(event.StageFailed).Error, "HTTP 404 Not Found: 404 page not found (the address of most endpoints ends in /v1)")
}

// TestNothingIsSentUnlessConfigured runs all that an engine without an endpoint can do
// over a transport that fails the test.
func TestNothingIsSentUnlessConfigured(t *testing.T) {
	for name, key := range map[string]string{"nothing at all": "", "a key alone": liveKey} {
		t.Run(name, func(t *testing.T) {
			vars := map[string]string{"HOME": t.TempDir(), "OPENAI_API_KEY": key}
			before := http.DefaultTransport
			http.DefaultTransport = noNetwork{t}
			defer func() { http.DefaultTransport = before }()
			e, err := engine.Open(environment(vars, openai.Options{HTTP: &http.Client{Transport: noNetwork{t}}}))
			require.NoError(t, err)
			run, notes, err := e.Run(context.Background(), engine.Request{Incident: "payment-pool"})
			require.NoError(t, err)
			assert.Equal(t, verdict.Pass, run.Wait().Evaluation.Decision)
			assert.Contains(t, notes[0].EN, "no endpoint is configured")
			assert.Equal(t, key != "", strings.Contains(notes[0].EN, "a key is set"))
			fork, err := e.Fork(context.Background(), engine.Fork{Session: run.ID(), Mode: engine.ForkVerifier})
			require.NoError(t, err)
			assert.Equal(t, verdict.Pass, fork.Wait().Evaluation.Decision)
			for _, c := range e.Checkup(context.Background()) {
				assert.NoError(t, c.Err)
				assert.NotContains(t, c.Detail+c.Note, liveKey)
			}
		})
	}
}

// checks gives a checkup's lines by their English names.
func checks(t *testing.T, e *engine.Engine) map[string]engine.Check {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out := map[string]engine.Check{}
	for _, c := range e.Checkup(ctx) {
		out[c.What.EN] = c
		if c.Err != nil {
			assert.NotContains(t, c.Err.Error(), liveKey)
			assert.NotContains(t, c.Err.Error(), "\n")
		}
	}
	return out
}

func TestCheckup(t *testing.T) {
	const list, call = "models of the endpoint", "a call of one token"
	got := checks(t, against(t, nil, openaitest.OK("好")).Engine)
	assert.Equal(t, "1 model (stub)", got[list].Detail)
	assert.Contains(t, got[call].Detail, "stub answered")
	assert.NoError(t, got[call].Err)

	got = checks(t, against(t, map[string]string{"model": "other"}, openaitest.OK("好")).Engine)
	assert.Contains(t, got[list].Note, `"other" is not among them`)

	got = checks(t, unnamed(t, []string{"one"}, openaitest.OK("好")).Engine)
	assert.Contains(t, got[list].Note, "the only one is taken")
	assert.NoError(t, got[call].Err)

	got = checks(t, unnamed(t, []string{"one", "two"}).Engine)
	assert.ErrorIs(t, got[call].Err, engine.ErrNoModel)

	refused := against(t, nil, status(401, `{"error":{"message":"wrong key `+liveKey+`"}}`))
	got = checks(t, refused.Engine)
	assert.ErrorContains(t, got[call].Err, "HTTP 401 Unauthorized: wrong key ‹key›")
	assert.Len(t, refused.stub.Requests(), 1, "a checkup tries once")

	s := &stubbed{home: t.TempDir()}
	got = checks(t, s.open(t, nil, "http://127.0.0.1:1/v1", openai.Options{HTTP: &http.Client{Transport: &http.Transport{}}}))
	assert.ErrorContains(t, got[list].Err, "connection refused")
	assert.ErrorContains(t, got[call].Err, "connection refused")
	got = checks(t, s.open(t, map[string]string{"model": ""}, "http://127.0.0.1:1/v1", openai.Options{HTTP: &http.Client{Transport: &http.Transport{}}}))
	assert.ErrorContains(t, got[list].Err, "connection refused")
	assert.Contains(t, got[call].Note, "not tried")
}
