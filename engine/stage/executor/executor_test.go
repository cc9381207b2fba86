package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/stage/executor"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// counter answers every call and counts them.
type counter struct {
	calls int
	err   error
}

func (c *counter) Call(_ context.Context, calls []model.ToolCall) ([]trace.Trace, error) {
	var out []trace.Trace
	for _, call := range calls {
		c.calls++
		out = append(out, trace.Trace{Ref: fmt.Sprintf("trace-%d", c.calls), ToolName: call.Name, InvocationIDs: []int64{int64(100 + c.calls)},
			Status: trace.OK, Kind: trace.Observation, Output: []byte("输出")})
	}
	return out, c.err
}

func input(limits executor.Limits) executor.Input {
	return executor.Input{Query: "为什么超时？", Plan: "1. 查日志", Now: "2026-03-01T10:00:00Z", Version: contract.V2,
		Tools: []model.ToolSpec{{Name: "query_logs", Parameters: json.RawMessage(`{}`)}}, Limits: limits, Attempt: 1}
}

func run(t *testing.T, m model.Model, tools executor.Tools, limits executor.Limits) (executor.Output, error) {
	t.Helper()
	req, err := executor.Request(prompts.Embedded(), input(limits))
	require.NoError(t, err)
	return executor.Run(context.Background(), m, tools, req, limits)
}

func calls(n int) modeltest.Reply {
	r := modeltest.Reply{Content: "<think>想</think>我再查一下", Reasoning: "想", Usage: model.Usage{PromptTokens: 100}}
	for range n {
		r.Calls = append(r.Calls, model.ToolCall{Name: "query_logs", Arguments: "{}"})
	}
	return r
}

// An endless caller of tools is brought to an end by each limit alone.
func TestLimitsEndTheLoop(t *testing.T) {
	for name, tt := range map[string]struct {
		limits executor.Limits
		calls  int
		rounds int
	}{
		"calls":  {executor.Limits{Calls: 5}, 5, 3},
		"rounds": {executor.Limits{Rounds: 2}, 4, 2},
		"tokens": {executor.Limits{Tokens: 250}, 6, 3},
	} {
		t.Run(name, func(t *testing.T) {
			m := modeltest.New()
			for range tt.rounds {
				m.On("executor", calls(2))
			}
			// It goes on calling though there are no tools any more, then answers.
			m.On("executor", modeltest.Reply{Calls: calls(1).Calls}, modeltest.Text("{}"))
			tools := &counter{}
			out, err := run(t, m, tools, tt.limits)
			require.NoError(t, err)
			assert.Equal(t, tt.calls, tools.calls)
			assert.Equal(t, tt.rounds, out.Rounds)
			assert.Equal(t, "{}", out.Message)
			assert.Contains(t, out.Bound, strings.TrimPrefix(name, "rounds"))
			assert.Empty(t, m.Left())
			last := m.Requests()[tt.rounds]
			assert.Empty(t, last.Tools, "no tools are on offer any more")
			assert.Contains(t, last.Messages[len(last.Messages)-1].Content, "不要再调用工具")
			// Every call has its reply, those that were refused too: endpoints insist on it.
			assertEveryCallIsAnswered(t, last.Messages)
		})
	}
}

func assertEveryCallIsAnswered(t *testing.T, messages []model.Message) {
	t.Helper()
	open := map[string]bool{}
	for _, m := range messages {
		if m.Role == model.Assistant {
			assert.Equal(t, "我再查一下", m.Content, "reasoning blocks are no part of what was said")
		}
		for _, c := range m.ToolCalls {
			open[c.ID] = true
		}
		if m.Role == model.ToolRole {
			assert.True(t, open[m.ToolCallID])
			delete(open, m.ToolCallID)
		}
	}
	assert.Empty(t, open)
}

func TestRequestsDoNotShareMemory(t *testing.T) {
	m := modeltest.New().On("executor", calls(1), calls(1), modeltest.Text("{}"))
	_, err := run(t, m, &counter{}, executor.Limits{})
	require.NoError(t, err)
	for i, want := range []int{2, 4, 6} {
		assert.Len(t, m.Requests()[i].Messages, want)
	}
	assert.Contains(t, m.Requests()[1].Messages[3].Content, "trace_ref=trace-1")
}

func TestOnlyReasoningIsEmpty(t *testing.T) {
	out, err := run(t, modeltest.New().On("executor", modeltest.Text("<think>想了很久"), modeltest.Text("{}")), &counter{}, executor.Limits{})
	require.NoError(t, err)
	assert.Equal(t, "{}", out.Message)
}

func TestEmptyTwiceIsEmpty(t *testing.T) {
	out, err := run(t, modeltest.New().On("executor", modeltest.Text(""), modeltest.Text(" \n")), &counter{}, executor.Limits{})
	require.NoError(t, err)
	assert.Equal(t, " \n", out.Message, "it is kept as it came")
}

func TestErrorsComeBackAsTheyAre(t *testing.T) {
	_, err := run(t, modeltest.New(), &counter{}, executor.Limits{})
	var fault *model.Fault
	require.ErrorAs(t, err, &fault)
	broken := errors.New("log")
	_, err = run(t, modeltest.New().On("executor", calls(1)), &counter{err: broken}, executor.Limits{})
	require.ErrorIs(t, err, broken)
}

func TestFirstRequest(t *testing.T) {
	in := input(executor.DefaultLimits())
	req, err := executor.Request(prompts.Embedded(), in)
	require.NoError(t, err)
	assert.Equal(t, "## 用户问题\n\n为什么超时？\n\n## 计划（仅供参考，不是证据）\n\n1. 查日志\n", req.Messages[1].Content)
	assert.Equal(t, in.Tools, req.Tools)

	in.Attempt = 2
	in.Retry = &verdict.RetryContext{Attempt: 2, FailedClaims: []verdict.FailedClaim{{ClaimID: "claim-1", Reasons: []string{"<原因>"}}}}
	in.Earlier = []trace.Trace{{Ref: "trace-1", ToolName: "query_logs", InvocationIDs: []int64{101}, Status: trace.OK, Output: []byte("旧的输出")}}
	req, err = executor.Request(prompts.Embedded(), in)
	require.NoError(t, err)
	assert.Contains(t, req.Messages[1].Content, "<原因>")
	assert.Contains(t, req.Messages[1].Content, "[trace_ref=trace-1 tool=query_logs invocation_id=101")
	assert.Contains(t, req.Messages[1].Content, "旧的输出")
	assert.Contains(t, req.Messages[0].Content, "第 2 次尝试")
}

func TestShow(t *testing.T) {
	tr := trace.Trace{Ref: "trace-2", ToolName: "lookup_knowledge", InvocationIDs: []int64{102}, Status: trace.OK, Kind: trace.Knowledge,
		Output: []byte("一二三四五六七八九十\n"), Repeats: "trace-1", Blocks: []trace.Block{{BlockID: "kb-1", Document: "d.md", Heading: "h"}}}
	assert.Equal(t, "[trace_ref=trace-2 tool=lookup_knowledge invocation_id=102 status=ok bytes=31 evidence_kind=knowledge]\n"+
		"[与 trace-1 的调用完全相同：没有新的证据]\n[证据块] kb-1（d.md › h）\n一二三四五六七八九十\n", executor.Show(tr, 0))
	tr.Repeats, tr.Blocks = "", nil
	assert.True(t, strings.HasSuffix(executor.Show(tr, 8), "\n一二三四五六\n…（略 9 字节）…\n十\n"), executor.Show(tr, 8))
	tr.ToolName = "x]\n[trace_ref=trace-9 " + strings.Repeat("长", 200)
	assert.Equal(t, 1, strings.Count(executor.Show(tr, 0), "["), "a name cannot forge a header line")
	assert.Less(t, utf8.RuneCountInString(strings.SplitN(executor.Show(tr, 0), "\n", 2)[0]), 200)
	tr.Status, tr.Output = trace.Empty, nil
	assert.Contains(t, executor.Show(tr, 8), "没有查到任何内容")
	tr.Output = []byte("\xff\xfe坏")
	assert.True(t, utf8.ValidString(executor.Show(tr, 0)))
}

// The prompt and the contract are kept in step: every field that the version has is
// named, and no field that it lost is asked for.
func TestPromptNamesEveryFieldOfTheContract(t *testing.T) {
	for _, v := range []contract.Version{contract.V1, contract.V2} {
		in := input(executor.DefaultLimits())
		in.Version = v
		req, err := executor.Request(prompts.Embedded(), in)
		require.NoError(t, err)
		for _, field := range schemaFields(t, v) {
			assert.Contains(t, req.Messages[0].Content, "`"+field+"`", "%s", v)
			assert.Contains(t, req.Messages[0].Content, `"`+field+`":`, "%s: in the sketch", v)
		}
	}
}
