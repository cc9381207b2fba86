package cli_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/model"
	"claimscope/engine/model/openaitest"
	"claimscope/sessions"
	"claimscope/tui/cli"
)

const liveKey = "sk-live-0123456789abcdef"

// small is a run in four replies that passes, and its incident folder.
func small(t *testing.T) (script []openaitest.Reply, incident string) {
	t.Helper()
	incident = filepath.Join(t.TempDir(), "cart")
	require.NoError(t, os.MkdirAll(filepath.Join(incident, "logs"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(incident, "incident.yaml"),
		[]byte("title: 测试\nquery: 连接池为什么满了\nservices: [cart]\nwindow: {start: \"2026-03-02T10:00:00Z\", end: \"2026-03-02T11:00:00Z\"}\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(incident, "logs", "cart.log"), []byte("2026-03-02 10:30:00 ERROR pool exhausted active=20 max=20\n"), 0o600))
	return []openaitest.Reply{
		openaitest.OK("查日志"),
		openaitest.Calls(model.ToolCall{ID: "a", Name: "query_logs", Arguments: `{"service":"cart"}`}),
		openaitest.OK(`{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"claim-1","claim_type":"symptom","claim_text":"连接池已满，active=20 max=20。","support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":"trace-1","tool_name":"query_logs","source_invocation_ids":[101],"evidence_excerpt":"pool exhausted active=20 max=20"}]}],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`),
		openaitest.OK(`{"claim_checks":[{"claim_id":"claim-1","verdict":"supported","evidence_refs":["trace-1"],"reason":"可见"}],"extra_facts":[],"decision":"PASS","summary":"好"}`),
	}, incident
}

// shell is a stranger's terminal with an endpoint configured as little as can be.
type shell struct {
	home     string
	url      string
	terminal bool
	out, err bytes.Buffer
}

// endpoint serves a script.
func endpoint(t *testing.T, h http.Handler) *shell {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return &shell{home: t.TempDir(), url: srv.URL + "/v1"}
}

// run runs the program and gives its exit code.
func (s *shell) run(t *testing.T, ctx context.Context, args ...string) int {
	t.Helper()
	s.out.Reset()
	s.err.Reset()
	vars := map[string]string{"HOME": s.home, "OPENAI_BASE_URL": s.url, "OPENAI_API_KEY": liveKey}
	app := &cli.App{
		Stdin: strings.NewReader(""), Stdout: &s.out, Stderr: &s.err, Getenv: func(k string) string { return vars[k] },
		Now: time.Now, Random: rand.Reader, Bundled: sessions.FS(), StderrIsTerminal: s.terminal,
	}
	code := app.Main(ctx, args)
	assert.NotContains(t, s.out.String()+s.err.String(), liveKey, "the key is never printed")
	return code
}

func TestALiveRun(t *testing.T) {
	ctx := context.Background()
	script, incident := small(t)
	server := openaitest.New(script...)
	server.Loop = true
	s := endpoint(t, server)
	require.Equal(t, cli.ExitOK, s.run(t, ctx, "run", "--incident", incident), s.err.String())
	assert.Contains(t, s.out.String(), "连接池已满")
	assert.Contains(t, s.err.String(), "the endpoint's only one, stub, is used")
	assert.NotContains(t, s.err.String(), "trace-1", "no steps where stderr is no terminal")

	require.Equal(t, cli.ExitOK, s.run(t, ctx, "run", "--incident", incident, "--verbose"))
	for _, step := range []string{"✓ planner  ", "  ✓ trace-1 query_logs  ok  ", "✓ executor  ", "✓ parse  ok", "✓ gatekeeper  CLEAN", "✓ verifier  ", "→ PASS"} {
		assert.Contains(t, s.err.String(), step)
	}

	s.terminal = true
	require.Equal(t, cli.ExitOK, s.run(t, ctx, "run", "--incident", incident))
	assert.Contains(t, s.err.String(), "\r\x1b[K● executor  ", "the running stage is drawn over")
	assert.Contains(t, s.err.String(), "  1 tool calls")
	require.Equal(t, cli.ExitOK, s.run(t, ctx, "run", "--incident", incident, "--quiet"))
	assert.NotContains(t, s.err.String(), "executor")

	s.terminal = false
	require.Equal(t, cli.ExitOK, s.run(t, ctx, "run", "--incident", incident, "--set", "executor.extra={\"enable_thinking\":false}"))
	bodies := server.Requests()
	assert.Contains(t, string(bodies[len(bodies)-2]), `"enable_thinking":false`)
	assert.NotContains(t, string(bodies[len(bodies)-1]), "enable_thinking", "the Verifier has settings of its own")
	require.Equal(t, cli.ExitUsage, s.run(t, ctx, "run", "--set", "executor.modle=x"))
	assert.Contains(t, s.err.String(), `no setting "executor.modle"`)
}

func TestCostByStage(t *testing.T) {
	ctx := context.Background()
	script, incident := small(t)
	s := endpoint(t, openaitest.New(script...))
	config := filepath.Join(s.home, ".config", "claimscope")
	require.NoError(t, os.MkdirAll(config, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(config, "config.yaml"), []byte("prices: {stub: {input: 1000, output: 0}}\n"), 0o600))
	require.Equal(t, cli.ExitOK, s.run(t, ctx, "run", "--incident", incident), s.err.String())
	assert.Contains(t, s.err.String(), "¤0.4000", "four replies of 100 tokens")
	require.Equal(t, cli.ExitOK, s.run(t, ctx, "list", "--json", "--limit", "1"))
	assert.Contains(t, s.out.String(), `"cost":0.4,"stages":[{"stage":"planner","tokens":`)
	assert.Contains(t, s.out.String(), `{"stage":"executor","tokens":`)
	id := strings.Split(strings.Split(s.out.String(), `"id":"`)[1], `"`)[0]
	require.Equal(t, cli.ExitOK, s.run(t, ctx, "show", id))
	for _, money := range []string{"¤0.1000", "¤0.2000", "¤0.4000"} {
		assert.Contains(t, s.out.String(), money)
	}
}

// TestAStageThatFailsForGood: exit code 4, the cause on stderr, an answer all the same.
func TestAStageThatFailsForGood(t *testing.T) {
	refused := openaitest.Reply{Fault: openaitest.StatusFault, Status: http.StatusUnauthorized, Body: `{"error":{"message":"wrong key ` + liveKey + `"}}`}
	script, incident := small(t)
	for name, n := range map[string]int{"planner": 0, "executor": 1, "verifier": 3} {
		t.Run(name, func(t *testing.T) {
			s := endpoint(t, openaitest.New(append(append([]openaitest.Reply{}, script[:n]...), refused, refused)...))
			assert.Equal(t, cli.ExitStage, s.run(t, context.Background(), "run", "--incident", incident, "--retries", "0"))
			assert.Contains(t, s.err.String(), "✗ "+name+"  HTTP 401 Unauthorized: wrong key")
			assert.Contains(t, s.out.String(), "低置信度")
		})
	}
}

func TestAChoiceOfModels(t *testing.T) {
	server := openaitest.New()
	server.Models = []string{"a", "b"}
	s := endpoint(t, server)
	assert.Equal(t, cli.ExitUsage, s.run(t, context.Background(), "run", "--incident", "payment-pool"))
	assert.Equal(t, 1, strings.Count(s.err.String(), "\n"))
	assert.Contains(t, s.err.String(), "the endpoint offers 2 models (a, b); set CLAIMSCOPE_MODEL")
	assert.Empty(t, s.out.String())
}

// TestInterrupted: exit code 130, and the session is kept.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	script, incident := small(t)
	stub := openaitest.New(script[0], openaitest.Reply{Fault: openaitest.Stall})
	s := endpoint(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(stub.Requests()) == 1 {
			cancel() // the second request is on its way
		}
		stub.ServeHTTP(w, r)
	}))
	assert.Equal(t, cli.ExitInterrupted, s.run(t, ctx, "run", "--incident", incident))
	require.Equal(t, cli.ExitOK, s.run(t, context.Background(), "list", "--json", "--limit", "1"))
	assert.Contains(t, s.out.String(), `"status":"cancelled"`)
}

func TestDoctorWithAnEndpoint(t *testing.T) {
	s := endpoint(t, openaitest.New(openaitest.OK("好")))
	assert.Equal(t, cli.ExitOK, s.run(t, context.Background(), "doctor", "--lang", "en"))
	assert.Contains(t, s.out.String(), "1 model (stub); none is configured: the only one is taken")
	assert.Contains(t, s.out.String(), "stub answered in ")
	assert.Contains(t, s.out.String(), "set (24 characters)")
	s = endpoint(t, openaitest.New(openaitest.Reply{Fault: openaitest.HTML}))
	assert.Equal(t, cli.ExitFindings, s.run(t, context.Background(), "doctor"))
	assert.Contains(t, s.out.String(), "got text/html instead of a chat completion stream")
}
