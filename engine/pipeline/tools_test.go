package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/pipeline"
	"claimscope/engine/session"
	"claimscope/engine/tool"
	"claimscope/engine/trace"
)

// relay is a tool whose calls finish in the reverse of their order: each waits for
// the one after it.
type relay struct{ done []chan struct{} }

func (r *relay) Spec() tool.Spec {
	return tool.Spec{Name: "query_logs", Kind: trace.Observation, Parameters: json.RawMessage(`{"type":"object"}`)}
}

func (r *relay) Call(ctx context.Context, raw json.RawMessage) (tool.Result, error) {
	var args struct{ N int }
	if err := json.Unmarshal(raw, &args); err != nil {
		return tool.Result{}, err
	}
	if args.N+1 < len(r.done) {
		select {
		case <-r.done[args.N+1]:
		case <-ctx.Done():
			return tool.Result{}, ctx.Err()
		}
	}
	close(r.done[args.N])
	return tool.Result{Status: trace.OK, Output: fmt.Appendf(nil, "reply %d", args.N)}, nil
}

func TestParallelCallsAreRecordedInCallOrder(t *testing.T) {
	cfg, log, m := scenario(t, "pass-first-try").Config()
	const n = 5
	r := &relay{}
	var calls []model.ToolCall
	for i := range n {
		r.done = append(r.done, make(chan struct{}))
		calls = append(calls, model.ToolCall{Name: "query_logs", Arguments: fmt.Sprintf(`{"n":%d}`, i)})
	}
	cfg.Tools = tool.NewRegistry(nil, tool.Limits{}, r)
	m2 := modeltest.New().On("planner", modeltest.Text("计划")).On("executor", modeltest.Reply{Calls: calls}, modeltest.Text("{}"))
	cfg.Model = m2
	begin(t, cfg).Wait()
	assert.NotNil(t, m)
	var order []string
	for _, e := range log.Events() {
		switch b := e.Body.(type) {
		case event.ToolCalled:
			order = append(order, fmt.Sprintf("called %s %d", b.Ref, b.InvocationID))
		case event.ToolReturned:
			order = append(order, fmt.Sprintf("returned %s %s", b.Trace.Ref, b.Trace.Output))
		}
	}
	assert.Equal(t, []string{"called trace-1 101", "called trace-2 102", "called trace-3 103", "called trace-4 104", "called trace-5 105",
		"returned trace-1 reply 0", "returned trace-2 reply 1", "returned trace-3 reply 2", "returned trace-4 reply 3", "returned trace-5 reply 4"}, order)
	messages := m2.To("executor")[1].Messages
	for i := range n {
		msg := messages[3+i]
		assert.Equal(t, model.ToolRole, msg.Role)
		assert.Equal(t, messages[2].ToolCalls[i].ID, msg.ToolCallID)
		assert.Contains(t, msg.Content, fmt.Sprintf("trace_ref=trace-%d", i+1))
	}
}

func TestFrozenRepliesAreUsedInTurn(t *testing.T) {
	cfg, log, _ := scenario(t, "pass-first-try").Config()
	tr := func(ref string, id int64, args, out string) trace.Trace {
		return trace.Trace{Ref: ref, ToolName: "query_logs", Arguments: json.RawMessage(args), InvocationIDs: []int64{id}, Status: trace.OK, Kind: trace.Observation, Output: []byte(out)}
	}
	cfg.Tools = nil
	cfg.Frozen = pipeline.NewFrozen([]trace.Trace{tr("trace-1", 101, `{"a":1,"b":2}`, "first"), tr("trace-7", 107, `{"a":1,"b":2}`, "second")})
	cfg.Specs = []model.ToolSpec{{Name: "query_logs"}}
	call := modeltest.Call("query_logs", `{"b": 2, "a": 1.0}`)
	cfg.Model = modeltest.New().On("planner", modeltest.Text("p")).On("executor", call, call, call, modeltest.Text("{}"))
	begin(t, cfg).Wait()
	var got []string
	for _, c := range log.State().Attempts[0].Calls {
		got = append(got, fmt.Sprintf("%s %v %s %s", c.Ref, c.Trace.InvocationIDs, c.Trace.Status, c.Trace.Output))
	}
	assert.Equal(t, []string{"trace-1 [101] ok first", "trace-7 [107] ok second", "trace-8 [108] not_recorded "}, got)
}

func TestSpecsOf(t *testing.T) {
	cfg, log, _ := scenario(t, "tool-faults").Config()
	begin(t, cfg).Wait()
	var names []string
	for _, s := range pipeline.SpecsOf(log.Events()) {
		names = append(names, s.Name)
	}
	assert.Equal(t, []string{"lookup_knowledge", "query_logs"}, names)
	var calls []event.Event
	for _, e := range log.Events() {
		if e.Body.Type() == event.TypeToolReturned {
			calls = append(calls, e)
		}
	}
	names = nil
	for _, s := range pipeline.SpecsOf(calls) {
		names = append(names, s.Name)
	}
	assert.Equal(t, []string{"query_logs", "no_such_tool"}, names, "an import knows only its calls")
}

func TestStartAt(t *testing.T) {
	cfg, log, _ := scenario(t, "retry-then-pass").Config()
	begin(t, cfg).Wait()
	events := log.Events()
	types := func(keep int) (last event.Type, attempt int) {
		if keep == 0 {
			return "", 0
		}
		return events[keep-1].Body.Type(), events[keep-1].Attempt
	}
	for _, tt := range []struct {
		stage   event.Stage
		start   event.Stage
		attempt int
		last    event.Type
		traces  int
	}{
		{event.Planner, event.Planner, 1, "", 0},
		{event.Executor, event.Executor, 2, event.TypeRetryStarted, 1},
		{event.Verifier, event.Parse, 2, event.TypeExecutorOutput, 1},
		{event.Answer, event.Parse, 2, event.TypeExecutorOutput, 1},
	} {
		start, keep := pipeline.StartAt(events, tt.stage)
		last, _ := types(keep)
		assert.Equal(t, tt.start, start.Stage, tt.stage)
		assert.Equal(t, tt.attempt, start.Attempt, tt.stage)
		assert.Equal(t, tt.last, last, tt.stage)
		assert.Len(t, start.Traces, tt.traces)
		if tt.stage != event.Planner {
			assert.NotEmpty(t, start.Plan)
			require.NotNil(t, start.Retry)
		}
	}
	start, keep := pipeline.StartAt(nil, event.Verifier)
	assert.Equal(t, event.Executor, start.Stage, "without an output there is nothing to verify")
	assert.Zero(t, keep)
}

func TestLogsOfARunReadBack(t *testing.T) {
	for _, name := range []string{"retry-then-low-confid", "tool-faults", "malformed-is-capped"} {
		cfg, log, _ := scenario(t, name).Config()
		begin(t, cfg).Wait()
		var file bytes.Buffer
		line, err := event.EncodeHeader(log.Header())
		require.NoError(t, err)
		file.Write(append(bytes.TrimRight(line, "\n"), '\n'))
		for _, e := range log.Events() {
			line, err := event.Encode(e, nil)
			require.NoError(t, err)
			file.Write(append(bytes.TrimRight(line, "\n"), '\n'))
		}
		rec, err := session.Read(&file)
		require.NoError(t, err)
		require.Len(t, rec.Events, len(log.Events()))
	}
}
