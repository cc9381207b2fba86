package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"claimscope/engine/model"
	"claimscope/engine/model/openai"
	"claimscope/engine/model/openaitest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-test-0123456789"

// start serves the script and returns a client whose waits are recorded, not slept.
func start(t *testing.T, o openai.Options, script ...openaitest.Reply) (*openai.Client, *openaitest.Server, *[]time.Duration) {
	t.Helper()
	stub := openaitest.New(script...)
	srv := httptest.NewServer(stub)
	transport := &http.Transport{}
	t.Cleanup(func() { transport.CloseIdleConnections(); srv.CloseClientConnections(); srv.Close() })
	var waits []time.Duration
	o.BaseURL, o.Key, o.HTTP = srv.URL+"/v1/", key, &http.Client{Transport: transport}
	o.Jitter = func() float64 { return 1 }
	if o.Wait == nil {
		o.Wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	}
	return openai.New(o), stub, &waits
}

func request() model.Request {
	return model.Request{
		Stage: "executor", Params: model.Params{Model: "stub"},
		Messages: []model.Message{{Role: model.User, Content: "为什么超时"}},
	}
}

func TestStreamedReply(t *testing.T) {
	want := model.Response{
		Message: model.Message{
			Role: model.Assistant, Content: "先看日志，再看指标。然后下结论：连接池耗尽。", Reasoning: "想一想连接池与慢查询的关系",
			ToolCalls: []model.ToolCall{
				{ID: "a", Name: "query_logs", Arguments: `{"contains":"超时","limit":5}`},
				{ID: "b", Name: "query_metrics", Arguments: `{"promql":"up"}`},
			},
		},
		Finish: model.FinishToolCalls, Model: "stub",
		Usage: model.Usage{PromptTokens: 12, CompletionTokens: 34},
	}
	client, _, _ := start(t, openai.Options{}, openaitest.Reply{Response: want})
	var content, reasoning, names, args strings.Builder
	got, err := client.Chat(context.Background(), request(), func(d model.Delta) {
		content.WriteString(d.Content)
		reasoning.WriteString(d.Reasoning)
		names.WriteString(d.ToolName)
		args.WriteString(d.ToolArguments)
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Equal(t, want.Message.Content, content.String())
	assert.Equal(t, want.Message.Reasoning, reasoning.String())
	assert.Equal(t, "query_logsquery_metrics", names.String())
	assert.Equal(t, want.Message.ToolCalls[0].Arguments+want.Message.ToolCalls[1].Arguments, args.String())
}

func TestRequestOnTheWire(t *testing.T) {
	client, stub, _ := start(t, openai.Options{}, openaitest.OK("好"))
	zero, seed := 0.0, 7
	req := request()
	req.Params = model.Params{Model: "stub", Temperature: &zero, Seed: &seed, MaxTokens: 99, JSONMode: model.JSONSchema,
		Extra: json.RawMessage(`{"enable_thinking":false}`)}
	req.Schema = json.RawMessage(`{"type":"object"}`)
	req.Tools = []model.ToolSpec{{Name: "query_logs", Description: "查日志", Parameters: json.RawMessage(`{"type":"object"}`)}}
	req.Messages = append(req.Messages,
		model.Message{Role: model.Assistant, Reasoning: "CANARY", ToolCalls: []model.ToolCall{{ID: "a", Name: "query_logs", Arguments: "{broken"}}},
		model.Message{Role: model.ToolRole, ToolCallID: "a", Content: "error: malformed arguments"})
	_, err := client.Chat(context.Background(), req, nil)
	require.NoError(t, err)
	body := string(stub.Requests()[0])
	assert.NotContains(t, body, "CANARY", "reasoning is never sent on")
	assert.NotContains(t, body, key)
	assert.Contains(t, body, `"enable_thinking":false`)
	var wire struct {
		Temperature    *float64 `json:"temperature"`
		Seed           int      `json:"seed"`
		MaxTokens      int      `json:"max_tokens"`
		Stream         bool     `json:"stream"`
		ResponseFormat struct {
			Type       string `json:"type"`
			JSONSchema struct {
				Strict bool            `json:"strict"`
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
		Messages []struct {
			ToolCalls []struct {
				Function struct{ Arguments string }
			} `json:"tool_calls"`
		} `json:"messages"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &wire))
	require.NotNil(t, wire.Temperature, "an explicit zero stays on the wire")
	assert.Zero(t, *wire.Temperature)
	assert.Equal(t, 7, wire.Seed)
	assert.Equal(t, 99, wire.MaxTokens)
	assert.True(t, wire.Stream)
	assert.Equal(t, "json_schema", wire.ResponseFormat.Type)
	assert.JSONEq(t, `{"type":"object"}`, string(wire.ResponseFormat.JSONSchema.Schema))
	assert.Equal(t, "{}", wire.Messages[1].ToolCalls[0].Function.Arguments)
}

func status(code int, body string, header ...string) openaitest.Reply {
	r := openaitest.Reply{Fault: openaitest.StatusFault, Status: code, Body: body, Header: map[string]string{}}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header[header[i]] = header[i+1]
	}
	return r
}

func TestFaults(t *testing.T) {
	fault := func(f openaitest.Fault) openaitest.Reply { return openaitest.Reply{Fault: f} }
	for _, tt := range []struct {
		name  string
		reply openaitest.Reply
		kind  model.FaultKind
		want  string
		tries int
	}{
		{"rate limit", status(429, `{"error":{"message":"slow down"}}`), model.FaultRateLimit, "HTTP 429 Too Many Requests: slow down (gave up after 3 tries)", 3},
		{"server error", status(500, "boom"), model.FaultServer, "HTTP 500 Internal Server Error: boom", 3},
		{"bad gateway page", status(502, "<html><body>Bad\ngateway</body></html>"), model.FaultServer, "<html><body>Bad gateway", 3},
		{"wrong key", status(401, `{"error":{"message":"Incorrect API key `+key+`"}}`), model.FaultAuth, "Incorrect API key ‹key›", 1},
		{"bad request", status(400, `{"error":{"message":"unknown model"}}`), model.FaultRequest, "unknown model", 1},
		{"unknown path", fault(openaitest.NotFound), model.FaultRequest, "HTTP 404", 1},
		{"web page", fault(openaitest.HTML), model.FaultProtocol, "got text/html instead of a chat completion stream: <html><head><title>Sign in", 1},
		{"reset", fault(openaitest.Reset), model.FaultNetwork, "EOF", 3},
		{"stall", fault(openaitest.Stall), model.FaultStalled, "stood still", 3},
		{"endless", fault(openaitest.Endless), model.FaultTooLarge, "larger than 200000 bytes", 1},
		{"invalid event", fault(openaitest.InvalidSSE), model.FaultProtocol, "no chat completion", 3},
		{"no choice", fault(openaitest.EmptyChoices), model.FaultProtocol, "without a choice", 3},
		{"not UTF-8", fault(openaitest.BadUTF8), model.FaultProtocol, "not UTF-8", 3},
		{"unfinished", fault(openaitest.Unfinished), model.FaultProtocol, "before the reply did", 3},
		{"error event", fault(openaitest.ErrorEvent), model.FaultServer, "overloaded", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stall := 30 * time.Second
			if tt.kind == model.FaultStalled {
				stall = 50 * time.Millisecond
			}
			client, stub, _ := start(t, openai.Options{Tries: 3, Stall: stall, MaxBytes: 200000}, tt.reply, tt.reply, tt.reply)
			_, err := client.Chat(context.Background(), request(), nil)
			var f *model.Fault
			require.ErrorAs(t, err, &f)
			assert.Equal(t, tt.kind, f.Kind, f.Text)
			assert.Contains(t, f.Text, tt.want)
			assert.NotContains(t, err.Error(), key)
			assert.NotContains(t, f.Text, "\n")
			assert.Len(t, stub.Requests(), tt.tries)
		})
	}
}

func TestTriesAgain(t *testing.T) {
	client, _, waits := start(t, openai.Options{},
		status(429, "{}", "Retry-After", "7"), openaitest.Reply{Fault: openaitest.Reset}, status(503, "busy"), openaitest.OK("终于"))
	restarts := 0
	res, err := client.Chat(context.Background(), request(), func(d model.Delta) {
		if d.Restart {
			restarts++
		}
	})
	require.NoError(t, err)
	assert.Equal(t, "终于", res.Message.Content)
	assert.Equal(t, []time.Duration{7 * time.Second, 2 * time.Second, 4 * time.Second}, *waits)
	assert.Equal(t, 3, restarts)
	require.Len(t, res.Notes, 3)
	assert.Contains(t, res.Notes[0], "HTTP 429")
}

func TestJSONModeFallsBack(t *testing.T) {
	client, stub, waits := start(t, openai.Options{},
		status(400, `{"error":{"message":"Unrecognized request argument: stream_options"}}`),
		status(400, `{"error":{"message":"response_format json_schema is not supported"}}`),
		status(422, `{"error":{"message":"'response_format' is unavailable now"}}`), openaitest.OK("{}"), openaitest.OK("{}"))
	req := request()
	req.Params.JSONMode, req.Schema = model.JSONSchema, json.RawMessage(`{}`)
	res, err := client.Chat(context.Background(), req, nil)
	require.NoError(t, err)
	assert.Empty(t, *waits)
	notes := []string{"the endpoint refused JSON mode schema: fell back to off", "the endpoint refused stream_options: token counts may be unknown"}
	assert.Equal(t, notes, res.Notes)
	assert.Contains(t, string(stub.Requests()[2]), "json_object")
	assert.NotContains(t, string(stub.Requests()[3]), "response_format")
	res, err = client.Chat(context.Background(), req, nil)
	require.NoError(t, err)
	assert.Len(t, stub.Requests(), 5, "what was refused is not asked for again")
	assert.Equal(t, notes, res.Notes, "but every reply says so")
}

// TestWhatEndpointsRefuse goes through refusals in the words of real endpoints.
func TestWhatEndpointsRefuse(t *testing.T) {
	loop := []model.Message{
		{Role: model.User, Content: "问"},
		{Role: model.Assistant, Reasoning: "想过", ToolCalls: []model.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}}},
		{Role: model.ToolRole, ToolCallID: "a", Content: "答"},
		{Role: model.Assistant, ToolCalls: []model.ToolCall{{ID: "b", Name: "f", Arguments: "{}"}}},
		{Role: model.ToolRole, ToolCallID: "b", Content: "答"},
	}
	temperature := 0.5
	for _, tt := range []struct {
		name, refusal string
		has, hasNot   []string
		note          string
	}{
		{"DeepSeek thinks", "The reasoning_content in the thinking mode must be passed back to the API.",
			[]string{`"reasoning_content":"想过"`, `"reasoning_content":""`}, nil, "reasoning back"},
		{"new OpenAI models", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
			[]string{`"max_completion_tokens":9`}, []string{`"max_tokens"`}, ""},
		{"fixed sampling", "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
			nil, []string{`"temperature"`}, "refused temperature"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refusal, err := json.Marshal(map[string]any{"error": map[string]any{"message": tt.refusal}})
			require.NoError(t, err)
			client, stub, _ := start(t, openai.Options{}, status(400, string(refusal)), openaitest.OK("好"))
			req := request()
			req.Messages, req.Params.MaxTokens, req.Params.Temperature = loop, 9, &temperature
			res, err := client.Chat(context.Background(), req, nil)
			require.NoError(t, err)
			require.Len(t, stub.Requests(), 2)
			first, second := string(stub.Requests()[0]), string(stub.Requests()[1])
			assert.NotContains(t, first, "想过", "reasoning stays here unless it is demanded")
			assert.Equal(t, 5, strings.Count(second, `"content":"`), "every message has the field: %s", second)
			for _, s := range tt.has {
				assert.Contains(t, second, s)
			}
			for _, s := range tt.hasNot {
				assert.Contains(t, first, s)
				assert.NotContains(t, second, s)
			}
			if tt.note != "" {
				require.Len(t, res.Notes, 1)
				assert.Contains(t, res.Notes[0], tt.note)
			}
		})
	}
}

func TestReasoningModelsOfOpenAI(t *testing.T) {
	client, stub, _ := start(t, openai.Options{}, openaitest.OK("好"))
	zero, req := 0.0, request()
	req.Params = model.Params{Model: "gpt-5-mini", Temperature: &zero, TopP: &zero, MaxTokens: 9}
	_, err := client.Chat(context.Background(), req, nil)
	require.NoError(t, err)
	body := string(stub.Requests()[0])
	assert.Contains(t, body, `"max_completion_tokens":9`)
	assert.NotContains(t, body, "temperature")
	assert.NotContains(t, body, "top_p")
}

func TestCancelAndTimeout(t *testing.T) {
	client, _, _ := start(t, openai.Options{}, openaitest.Reply{Fault: openaitest.Stall}, openaitest.Reply{Fault: openaitest.Stall})
	ctx, cancel := context.WithCancel(context.Background())
	_, err := client.Chat(ctx, request(), func(model.Delta) { cancel() })
	assert.ErrorIs(t, err, context.Canceled)

	req := request()
	req.Params.TimeoutMS = 50
	_, err = client.Chat(context.Background(), req, nil)
	var f *model.Fault
	require.ErrorAs(t, err, &f)
	assert.Equal(t, model.FaultTimeout, f.Kind)
	assert.Contains(t, f.Text, "50ms")
}

func TestCancelWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	client, _, _ := start(t, openai.Options{Wait: func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	}}, status(500, "x"))
	_, err := client.Chat(ctx, request(), nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestNothingListens(t *testing.T) {
	client := openai.New(openai.Options{BaseURL: "http://127.0.0.1:1/v1", Tries: 1, HTTP: &http.Client{Transport: &http.Transport{}}})
	_, err := client.Chat(context.Background(), request(), nil)
	var f *model.Fault
	require.ErrorAs(t, err, &f)
	assert.Equal(t, model.FaultNetwork, f.Kind)
}

// rawServer answers every request with one body, for shapes that other servers send.
func rawServer(t *testing.T, contentType, body string) *openai.Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{contentType}
		fmt.Fprint(w, body)
	}))
	transport := &http.Transport{}
	t.Cleanup(func() { transport.CloseIdleConnections(); srv.Close() })
	return openai.New(openai.Options{BaseURL: srv.URL, Tries: 1, HTTP: &http.Client{Transport: transport}})
}

func TestOtherServers(t *testing.T) {
	whole := `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"y","type":"function","function":{"name":"g","arguments":"{\"a\":"}}]}}]}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"type":"function","function":{"arguments":"1}"}}]},"finish_reason":"stop"}]}` + "\n\n" +
		"data: [DONE]\n\n"
	for _, contentType := range []string{"text/event-stream; charset=utf-8", ""} {
		res, err := rawServer(t, contentType, whole).Chat(context.Background(), request(), nil)
		require.NoError(t, err)
		assert.Equal(t, model.FinishToolCalls, res.Finish)
		assert.Equal(t, []model.ToolCall{{ID: "x", Name: "f", Arguments: "{}"}, {ID: "y", Name: "g", Arguments: `{"a":1}`}}, res.Message.ToolCalls)
	}
}

// TestOtherStreams are shapes of honest streams that the library alone would not take.
func TestOtherStreams(t *testing.T) {
	end := `data: {"choices":[{"index":0,"delta":{"content":"好"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	for name, tt := range map[string]struct{ head, reasoning string }{
		"reasoning as vLLM and Ollama name it": {`data: {"choices":[{"index":0,"delta":{"reasoning":"想"}}]}` + "\n\n", "想"},
		"both names":                           {`data: {"choices":[{"index":0,"delta":{"reasoning":"想","reasoning_content":"想"}}]}` + "\n\n", "想"},
		"reasoning of another shape":           {`data: {"choices":[{"index":0,"delta":{"reasoning":{"a":1}}}]}` + "\n\n", ""},
		"a long wait":                          {strings.Repeat(": keep-alive\n\n", 2000), ""},
		"events without data":                  {"data:\n\ndata: \n\n", ""},
		"carriage returns":                     {"event: message\r\nid: 1\r\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := rawServer(t, "text/event-stream", tt.head+end).Chat(context.Background(), request(), nil)
			require.NoError(t, err)
			assert.Equal(t, "好", res.Message.Content)
			assert.Equal(t, tt.reasoning, res.Message.Reasoning)
		})
	}
}

func TestModels(t *testing.T) {
	client, _, _ := start(t, openai.Options{})
	ids, err := client.Models(context.Background())
	require.NoError(t, err)
	assert.Equal(t, []string{"stub"}, ids)
}

func FuzzStream(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"好\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-5}]}}]}\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		res, err := rawServer(t, "text/event-stream", string(body)).Chat(context.Background(), request(), nil)
		if err == nil && res.Finish == "" {
			t.Fatal("a reply without an end")
		}
	})
}
