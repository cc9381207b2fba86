package engine_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/model/openai"
	"claimscope/engine/model/openaitest"
	"claimscope/engine/verdict"
)

func repeat(r openaitest.Reply, n int) []openaitest.Reply {
	out := make([]openaitest.Reply, n)
	for i := range out {
		out[i] = r
	}
	return out
}

func failures(rec *engine.Recording) []event.Event {
	var out []event.Event
	for _, e := range rec.Events {
		if e.Body.Type() == event.TypeStageFailed {
			out = append(out, e)
		}
	}
	return out
}

// faultTable lists every fault of spec H3 with its kind, a part of its text, and the
// tries that it is worth.
func faultTable() map[string]struct {
	reply openaitest.Reply
	kind  model.FaultKind
	text  string
	tries int
} {
	busy := status(429, `{"error":{"message":"slow down"}}`)
	busy.Header = map[string]string{"Retry-After": "7"}
	of := func(f openaitest.Fault) openaitest.Reply { return openaitest.Reply{Fault: f} }
	return map[string]struct {
		reply openaitest.Reply
		kind  model.FaultKind
		text  string
		tries int
	}{
		"429 with Retry-After": {busy, model.FaultRateLimit, "slow down (gave up after 3 tries)", 3},
		"500":                  {status(500, "boom"), model.FaultServer, "HTTP 500 Internal Server Error: boom", 3},
		"502 page":             {status(502, "<html><h1>Bad gateway</h1></html>"), model.FaultServer, "HTTP 502 Bad Gateway: <html>", 3},
		"401":                  {status(401, `{"error":{"message":"bad key `+liveKey+`"}}`), model.FaultAuth, "bad key ‹key›", 1},
		"unknown path":         {of(openaitest.NotFound), model.FaultRequest, "HTTP 404", 1},
		"reset":                {of(openaitest.Reset), model.FaultNetwork, "EOF", 3},
		"stall":                {of(openaitest.Stall), model.FaultStalled, "the stream stood still for 300ms", 3},
		"endless":              {of(openaitest.Endless), model.FaultTooLarge, "larger than 1048576 bytes", 1},
		"web page":             {of(openaitest.HTML), model.FaultProtocol, "got text/html instead of a chat completion stream", 1},
		"invalid event":        {of(openaitest.InvalidSSE), model.FaultProtocol, "no chat completion", 3},
		"no choice":            {of(openaitest.EmptyChoices), model.FaultProtocol, "without a choice", 3},
		"not UTF-8":            {of(openaitest.BadUTF8), model.FaultProtocol, "not UTF-8", 3},
		"unfinished":           {of(openaitest.Unfinished), model.FaultProtocol, "ended before the reply did", 3},
		"error in the stream":  {of(openaitest.ErrorEvent), model.FaultServer, "overloaded", 3},
	}
}

// stallOf is how long a stream may stand still: short where it will.
func stallOf(kind model.FaultKind) time.Duration {
	if kind == model.FaultStalled {
		return 300 * time.Millisecond
	}
	return 30 * time.Second
}

// TestEveryFaultInEveryStage: whatever an endpoint does, and whenever, ends in a
// recorded event with a readable cause, bounded tries and a routed session.
func TestEveryFaultInEveryStage(t *testing.T) {
	replies, incident := small(t)
	last := len(replies) - 1
	for _, at := range []struct {
		name   string
		stage  event.Stage
		before int // honest replies before the fault
		asked  int // how often the stage asks
		end    event.Type
		cause  verdict.Cause // "" for a run that passes all the same
	}{
		{"planner", event.Planner, 0, 1, event.TypeFailed, verdict.StageError},
		{"executor", event.Executor, 1, 1, event.TypeFailed, verdict.StageError},
		{"executor at the end", event.Executor, last - 1, 1, event.TypeFailed, verdict.StageError},
		{"verifier", event.Verifier, last, 2, event.TypeFinished, verdict.VerifierError},
		{"composer", event.Answer, last + 1, 1, event.TypeFinished, ""},
	} {
		for name, tt := range faultTable() {
			t.Run(at.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				settings := map[string]string{"retries": "0", "composer": "true"}
				s := impatient(t, stallOf(tt.kind), settings, append(append([]openaitest.Reply{}, replies[:at.before]...), repeat(tt.reply, 6)...)...)
				out, rec := s.run(t, incident)

				assert.Equal(t, at.end, out.End)
				assert.Equal(t, at.end, rec.Events[len(rec.Events)-1].Body.Type())
				assert.Len(t, s.stub.Requests(), at.before+at.asked*tt.tries)
				assert.Len(t, s.waits, at.asked*(tt.tries-1))
				for i, d := range s.waits {
					want := []time.Duration{time.Second, 2 * time.Second}[i%2] // exponential, at full jitter
					if name == "429 with Retry-After" {
						want = 7 * time.Second
					}
					assert.Equal(t, want, d)
				}
				failed := failures(rec)
				require.Len(t, failed, at.asked)
				for _, e := range failed {
					b := e.Body.(event.StageFailed)
					assert.Equal(t, at.stage, e.Stage)
					assert.Equal(t, string(tt.kind), b.Kind)
					assert.Contains(t, b.Error, tt.text)
					assert.NotContains(t, b.Error, "\n")
				}
				assert.NotEmpty(t, out.Evaluation.Answer)
				if at.cause == "" {
					assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
				} else {
					assert.Equal(t, verdict.LowConfid, out.Evaluation.Decision)
					assert.Contains(t, causes(out.Evaluation), at.cause)
					assert.Contains(t, out.Evaluation.Causes[len(out.Evaluation.Causes)-1].Message+out.Evaluation.Causes[0].Message, tt.text)
				}
				s.replaysTheSame(t, settings, rec, out.Evaluation)
			})
		}
	}
}

// TestFaultsThatPass: a fault before each reply of a run delays it and changes nothing.
func TestFaultsThatPass(t *testing.T) {
	for name, tt := range faultTable() {
		if tt.tries == 1 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var script []openaitest.Reply
			replies, incident := small(t)
			for _, r := range replies {
				script = append(script, tt.reply, r)
			}
			s := impatient(t, stallOf(tt.kind), nil, script...)
			out, rec := s.run(t, incident)
			assert.Equal(t, verdict.Pass, out.Evaluation.Decision)
			assert.Empty(t, failures(rec))
			notes := 0
			for _, e := range rec.Events {
				if b, ok := e.Body.(event.ModelResponse); ok {
					require.Len(t, b.Response.Notes, 1)
					assert.Contains(t, b.Response.Notes[0], "try 1: ")
					notes++
				}
			}
			assert.Equal(t, len(script)/2, notes, "what it took stands on record")
		})
	}
}

// TestCancelEndsARunAtOnce: the waits here are real, and longer than any test.
func TestCancelEndsARunAtOnce(t *testing.T) {
	busy := status(429, "{}")
	busy.Header = map[string]string{"Retry-After": "110"}
	for name, reply := range map[string]openaitest.Reply{"while it waits for Retry-After": busy, "in a stream that stalls": {Fault: openaitest.Stall}} {
		t.Run(name, func(t *testing.T) {
			s := &stubbed{home: t.TempDir()}
			srv := httptest.NewServer(openaitest.New(reply))
			transport := &http.Transport{}
			t.Cleanup(func() { transport.CloseIdleConnections(); srv.CloseClientConnections(); srv.Close() })
			s.Engine = s.open(t, nil, srv.URL, openai.Options{HTTP: &http.Client{Transport: transport}}) // the real waits
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			run, _, err := s.Run(ctx, engine.Request{})
			require.NoError(t, err)
			<-run.Deltas() // the wait was told, or the stream began
			cancel()
			out, rec := s.end(t, run)
			assert.Equal(t, event.TypeCancelled, out.End)
			assert.Equal(t, []verdict.Cause{verdict.Cancelled}, causes(out.Evaluation))
			assert.Equal(t, event.TypeCancelled, rec.Events[len(rec.Events)-1].Body.Type(), "the session is kept")
		})
	}
}
