package replay_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/model"
	"claimscope/engine/model/replay"
)

func reply(stage string, attempt int, content string) replay.Reply {
	return replay.Reply{Stage: stage, Attempt: attempt, Response: model.Response{
		Message: model.Message{Role: model.Assistant, Content: content}, Usage: model.Usage{PromptTokens: 7, CompletionTokens: 3}}}
}

func ask(m model.Model, stage string, attempt int) (string, error) {
	r, err := m.Chat(context.Background(), model.Request{Stage: stage, Attempt: attempt}, nil)
	return r.Message.Content, err
}

func TestRepliesByStageAttemptAndTurn(t *testing.T) {
	m := replay.New([]replay.Reply{reply("executor", 1, "a"), reply("planner", 1, "p"), reply("executor", 2, "c"), reply("executor", 1, "b")}, replay.Speed{})
	for _, want := range []struct {
		stage   string
		attempt int
		content string
	}{{"executor", 2, "c"}, {"executor", 1, "a"}, {"planner", 1, "p"}, {"executor", 1, "b"}} {
		got, err := ask(m, want.stage, want.attempt)
		require.NoError(t, err)
		assert.Equal(t, want.content, got)
	}
	_, err := ask(m, "executor", 1)
	var fault *model.Fault
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, model.FaultExhausted, fault.Kind)
	assert.Contains(t, fault.Error(), "executor of attempt 1")
}

func TestRecordedFaultComesBack(t *testing.T) {
	m := replay.New([]replay.Reply{{Stage: "verifier", Attempt: 1, Fault: &model.Fault{Kind: model.FaultServer, Text: "502"}}, reply("verifier", 1, "ok")}, replay.Speed{})
	_, err := ask(m, "verifier", 1)
	var fault *model.Fault
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, model.FaultServer, fault.Kind)
	got, err := ask(m, "verifier", 1)
	require.NoError(t, err)
	assert.Equal(t, "ok", got)
}

func TestStreamIsPacedAndWhole(t *testing.T) {
	var waited time.Duration
	pace := func(_ context.Context, d time.Duration) error { waited += d; return nil }
	msg := model.Message{Reasoning: "先想一想", Content: "连接池 HikariPool-1 已满\n", ToolCalls: []model.ToolCall{
		{Name: "query_logs", Arguments: `{"service":"payment"}`}, {Name: "query_metrics", Arguments: `{}`}}}
	m := replay.New([]replay.Reply{{Stage: "executor", Attempt: 1, Response: model.Response{Message: msg}}},
		replay.Speed{TokensPerSecond: 100, FirstToken: time.Second, Pace: pace})
	var reasoning, content strings.Builder
	args := map[int]string{}
	pieces := 0
	_, err := m.Chat(context.Background(), model.Request{Stage: "executor", Attempt: 1}, func(d model.Delta) {
		reasoning.WriteString(d.Reasoning)
		content.WriteString(d.Content)
		args[d.ToolIndex] += d.ToolArguments
		if d.ToolName == "" {
			pieces++
		}
	})
	require.NoError(t, err)
	assert.Equal(t, msg.Reasoning, reasoning.String())
	assert.Equal(t, msg.Content, content.String())
	assert.Equal(t, msg.ToolCalls[0].Arguments, args[0])
	assert.Equal(t, msg.ToolCalls[1].Arguments, args[1])
	assert.Equal(t, time.Second+time.Duration(pieces)*10*time.Millisecond, waited)
}

func TestCancelledInMidStream(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := replay.New([]replay.Reply{reply("planner", 1, strings.Repeat("字", 100))}, replay.Speed{})
	n := 0
	_, err := m.Chat(ctx, model.Request{Stage: "planner", Attempt: 1}, func(model.Delta) {
		if n++; n == 3 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 3, n)
}

func TestWaitObeysTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, replay.Wait(ctx, time.Hour), context.Canceled)
	require.NoError(t, replay.Wait(context.Background(), 0))
}

func FuzzTokens(f *testing.F) {
	f.Add("连接池 HikariPool-1 active=50\n")
	f.Add("\xff\xfe bad\xe4\xb8")
	f.Fuzz(func(t *testing.T, text string) {
		pieces := replay.Tokens(text)
		require.Equal(t, text, strings.Join(pieces, ""))
		for _, p := range pieces {
			require.NotEmpty(t, p)
		}
	})
}
