package state

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

var start = time.Date(2026, 11, 30, 15, 45, 0, 0, time.UTC)

// script numbers and times bodies: one a second.
type script struct{ events []event.Event }

func (s *script) add(attempt int, stage event.Stage, body event.Body) *script {
	n := len(s.events) + 1
	s.events = append(s.events, event.Event{
		Seq: n, Time: start.Add(time.Duration(n) * time.Second), Attempt: attempt, Stage: stage, Body: body,
	})
	return s
}

func reply(text string) event.ModelResponse {
	return event.ModelResponse{Response: model.Response{
		Message: model.Message{Role: model.Assistant, Content: text},
		Usage:   model.Usage{PromptTokens: 10, CompletionTokens: 5}, Model: "qwen",
	}, DurationMS: 500, Cost: 0.5}
}

func request(m string) event.ModelRequest {
	return event.ModelRequest{Request: model.Request{Params: model.Params{Model: m}}}
}

const message = `<think>先想想</think>{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"claim-1","claim_type":"symptom",` +
	`"claim_text":"连接池已满","support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":"trace-1",` +
	`"evidence_excerpt":"pool is full"}]}],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`

// run is a session of two attempts with parallel tool calls that return in another order.
func run() []event.Event {
	s := &script{}
	called := func(ref string) event.ToolCalled {
		return event.ToolCalled{Ref: ref, CallID: "c", ToolName: "query_logs", Arguments: json.RawMessage(`{}`), InvocationID: 101}
	}
	returned := func(ref string) event.ToolReturned {
		return event.ToolReturned{Trace: trace.Trace{Ref: ref, ToolName: "query_logs", Status: trace.OK, Output: []byte("pool is full")}}
	}
	s.add(1, event.Planner, event.StageStarted{}).add(1, event.Planner, request("planner-model")).add(1, event.Planner, reply("1. 查日志"))
	s.add(1, event.Executor, event.StageStarted{}).add(1, event.Executor, request("m")).add(1, event.Executor, reply(""))
	s.add(1, event.Executor, called("trace-1")).add(1, event.Executor, called("trace-2"))
	s.add(1, event.Executor, event.Paused{Boundary: "tool", Why: "step"})
	s.add(1, event.Executor, returned("trace-2")).add(1, event.Executor, returned("trace-1"))
	s.add(1, event.Executor, event.ExecutorOutput{Message: message, Finish: model.FinishStop})
	s.add(1, event.Parse, event.StageStarted{}).add(1, event.Parse, event.Parsed{Status: contract.StatusOK, Structured: &contract.Contract{AnswerVersion: contract.V2}})
	s.add(1, event.Gatekeeper, event.StageStarted{}).add(1, event.Gatekeeper, event.Gated{Report: gate.Report{Decision: gate.Blocked}})
	s.add(1, event.Verifier, event.StageStarted{}).add(1, event.Verifier, event.VerifierPayload{Payload: json.RawMessage(`{"original_query":"q"}`)})
	s.add(1, event.Verifier, request("m")).add(1, event.Verifier, event.StageFailed{Kind: "server", Error: "502"})
	s.add(1, event.Verifier, reply("{}")).add(1, event.Verifier, event.Verified{Result: verdict.Result{Decision: verdict.Pass}})
	s.add(1, event.Route, event.Routed{Routing: verdict.Routing{Decision: verdict.Retry, Causes: []verdict.CauseItem{{Cause: verdict.MissingRef}},
		Claims: []verdict.FinalClaim{{ClaimID: "claim-1", Verdict: verdict.Unsupported}}}})
	s.add(2, "", event.RetryStarted{Context: verdict.RetryContext{Attempt: 2, FactsToProve: []string{"f"}}})
	s.add(2, event.Executor, event.StageStarted{}).add(2, event.Executor, called("trace-3")).add(2, event.Executor, returned("trace-3"))
	s.add(2, event.Executor, event.Edited{Target: event.EditExecutorOutput, After: message})
	s.add(2, event.Verifier, event.Edited{Target: event.EditSkip})
	s.add(2, event.Route, event.Routed{Routing: verdict.Routing{Decision: verdict.LowConfid,
		Claims: []verdict.FinalClaim{{ClaimID: "claim-1", Verdict: verdict.Supported}, {ClaimID: "claim-2", Verdict: verdict.NotChecked}}}})
	s.add(2, event.Answer, event.StageStarted{}).add(2, event.Answer, event.Answered{Markdown: "低置信度", Style: event.StyleDegraded})
	s.add(0, "", event.Finished{Evaluation: verdict.Evaluation{Decision: verdict.LowConfid, Tokens: 45, Cost: 1.5,
		Causes: []verdict.CauseItem{{Cause: verdict.UnsupportedClaim}, {Cause: verdict.UnsupportedClaim}, {Cause: verdict.MissingRef}}}})
	s.add(0, "", event.Reviewed{Action: event.ReviewClaimRight, ClaimID: "claim-1", By: "li"})
	s.add(0, "", event.Reviewed{Action: event.ReviewAccept, By: "li"})
	return s.events
}

func head() event.Header {
	return event.Header{Schema: 1, ID: "s", Time: start, Query: "q", ContractVersion: contract.V2, Model: "scripted"}
}

func TestFoldOfAWholeRun(t *testing.T) {
	s := Fold(head(), run())
	require.Equal(t, Finished, s.Status)
	require.Len(t, s.Attempts, 2)
	first, ok := s.Attempt(1)
	require.True(t, ok)
	require.Equal(t, "1. 查日志", first.Plan)
	planner, ok := first.Run(event.Planner)
	require.True(t, ok)
	require.Equal(t, StageRun{Stage: event.Planner, Status: StageDone, Seq: 1, Started: start.Add(time.Second), Duration: 2 * time.Second,
		Model: "qwen", Calls: 1, Usage: model.Usage{PromptTokens: 10, CompletionTokens: 5}, Cost: 0.5}, planner)
	verifier, _ := first.Run(event.Verifier)
	require.Equal(t, StageDone, verifier.Status, "a failure that was not final")
	require.Equal(t, "502", verifier.Error)
	require.Equal(t, "trace-1", first.Calls[0].Trace.Ref, "in call order, not in the order of return")
	require.Equal(t, []string{"trace-1", "trace-2"}, refs(s.Traces(1)))
	require.Equal(t, []string{"trace-1", "trace-2", "trace-3"}, refs(s.Traces(2)))
	require.Len(t, first.Exchanges, 3)
	require.Equal(t, 500*time.Millisecond, first.Exchanges[2].Duration)
	require.NotNil(t, first.Gate)
	require.Equal(t, verdict.Retry, first.Decision())
	require.JSONEq(t, `{"original_query":"q"}`, string(first.Payload))
	require.Equal(t, 45, s.Usage.Total())
	require.Len(t, s.Failures, 1)

	second := s.Current()
	require.Equal(t, 2, second.Retry.Attempt)
	require.Equal(t, message, second.Message, "as edited")
	skipped, _ := second.Run(event.Verifier)
	require.Equal(t, StageSkipped, skipped.Status)
	require.Equal(t, "低置信度", second.Answer.Markdown)
	require.Len(t, s.Reviews, 2)
	require.Equal(t, 1, s.Pauses)
	require.Len(t, s.Edits, 2)
	require.Equal(t, len(run()), s.Seq())
}

func refs(traces []trace.Trace) (all []string) {
	for _, t := range traces {
		all = append(all, t.Ref)
	}
	return all
}

func TestSummaryOfAWholeRun(t *testing.T) {
	s := Fold(head(), run())
	require.Equal(t, Summary{
		ID: "s", Time: start, Query: "q", Version: contract.V2, Status: Finished, Decision: verdict.LowConfid,
		Supported: 1, Total: 2, Causes: []verdict.Cause{verdict.UnsupportedClaim, verdict.MissingRef},
		Tools: []string{"query_logs"}, Tokens: 45, Cost: 1.5, Duration: 33 * time.Second, Model: "scripted",
		Reviews: 2, Reviewed: event.ReviewAccept,
		Stages: []StageCost{{event.Planner, 15, 0.5}, {event.Executor, 15, 0.5}, {event.Verifier, 15, 0.5}},
	}, s.Summary())
}

func TestSnapshotsDoNotMove(t *testing.T) {
	events := run()
	live := New(head())
	var shots []Session
	for _, e := range events {
		live.Apply(e)
		shots = append(shots, live)
	}
	for i, shot := range shots {
		want := FoldPrefix(head(), events, i+1)
		require.Equal(t, want, shot, "after event %d", i+1)
	}
	require.Equal(t, New(head()), FoldPrefix(head(), events, 0))
}

func TestStatusFollowsTheEvents(t *testing.T) {
	s := New(head())
	next := func(attempt int, stage event.Stage, body event.Body) {
		n := s.Seq() + 1
		s.Apply(event.Event{Seq: n, Time: start.Add(time.Duration(n) * time.Second), Attempt: attempt, Stage: stage, Body: body})
	}
	require.Equal(t, Running, s.Status)
	next(1, event.Executor, event.StageStarted{})
	next(1, event.Executor, event.Paused{Boundary: "executor", Why: "pause"})
	require.Equal(t, Paused, s.Status)
	require.Equal(t, event.Executor, s.Pause.Stage)
	next(1, event.Executor, event.StageFailed{Kind: "auth", Error: "401", Final: true})
	require.Equal(t, Running, s.Status)
	require.Nil(t, s.Pause)
	run, _ := s.Current().Run(event.Executor)
	require.Equal(t, StageFailed, run.Status)
	next(0, "", event.Failed{Error: "401"})
	require.Equal(t, Failed, s.Status)
	require.Equal(t, "401", s.Error)
	s.MarkTorn(3)
	require.Equal(t, Failed, s.Status, "only the line after the end is torn")
	next(0, "", event.Resumed{Dropped: 3})
	require.Equal(t, Running, s.Status)
	require.Empty(t, s.Error)
	next(1, event.Verifier, event.StageStarted{})
	next(0, "", event.Cancelled{Why: "ctrl-c"})
	require.Equal(t, Cancelled, s.Status)
	run, _ = s.Current().Run(event.Verifier)
	require.Equal(t, StageFailed, run.Status, "it never gave its result")

	torn := New(head())
	torn.MarkTorn(9)
	require.Equal(t, Torn, torn.Status)
	require.Equal(t, 9, torn.TornBytes)
}

func TestReadingKnowsPositions(t *testing.T) {
	events := run()
	s := Fold(head(), events)
	a, _ := s.Attempt(1)
	p := a.Reading()
	require.NotNil(t, p.Root)
	require.Equal(t, "连接池已满", p.Contract.Claims[0].ClaimText)

	early := FoldPrefix(head(), events, 3)
	require.Equal(t, contract.StatusEmpty, early.Current().Reading().Status)
	none := New(head())
	require.Empty(t, none.Current().Claims())
}

func TestImportedTracesNeedNoCall(t *testing.T) {
	s := Fold(head(), (&script{}).add(1, event.Executor, event.ToolReturned{Trace: trace.Trace{Ref: "trace-9", ToolName: "t"}}).events)
	require.Equal(t, []string{"trace-9"}, refs(s.Traces(0)))
}

func TestFoldNeverFails(t *testing.T) {
	// Each type alone, without the events that would come before it.
	bodies := map[event.Type]event.Body{}
	for _, e := range run() {
		bodies[e.Body.Type()] = e.Body
	}
	bodies[event.TypeResumed], bodies[event.TypeFailed], bodies[event.TypeCancelled] = event.Resumed{}, event.Failed{}, event.Cancelled{}
	require.Len(t, bodies, len(event.Types()))
	for typ, body := range bodies {
		s := Fold(head(), []event.Event{{Seq: 1, Body: body}})
		assert.Len(t, s.Marks, 1, typ)
		s.Summary()
	}
}

func BenchmarkFold(b *testing.B) {
	s := &script{}
	for i := range 1000 {
		s.add(1, event.Executor, request("m")).add(1, event.Executor, reply(""))
		ref := fmt.Sprintf("trace-%d", i)
		s.add(1, event.Executor, event.ToolCalled{Ref: ref}).add(1, event.Executor, event.ToolReturned{Trace: trace.Trace{Ref: ref}})
	}
	for _, n := range []int{100, 1000, 4000} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			for b.Loop() {
				Fold(head(), s.events[:n])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/event")
		})
	}
}

func TestAReviewTakesTheTimeOfWhatItReviews(t *testing.T) {
	s := New(event.Header{Time: start.Add(time.Hour)})
	require.Zero(t, s.Duration())
	for n := 1; n <= 3; n++ {
		s.Apply(event.Event{Seq: n, Time: start.Add(time.Duration(n) * time.Second), Attempt: 1, Stage: event.Planner, Body: event.StageStarted{}})
	}
	require.Equal(t, 2*time.Second, s.Duration())
}

func TestAStageThatBrokeOffIsNotDone(t *testing.T) {
	s := New(event.Header{Time: start})
	for n, body := range []event.Body{event.StageStarted{}, event.ModelRequest{}, event.Resumed{}, event.StageStarted{}, event.ExecutorOutput{}} {
		e := event.Event{Seq: n + 1, Time: start.Add(time.Duration(n) * time.Hour), Attempt: 1, Stage: event.Executor, Body: body}
		if body.Type() == event.TypeResumed {
			e.Attempt, e.Stage = 0, ""
		}
		s.Apply(e)
	}
	runs := s.Current().Stages
	require.Len(t, runs, 2)
	require.Equal(t, StageFailed, runs[0].Status)
	require.Equal(t, time.Hour, runs[0].Duration, "until its last event")
	require.Equal(t, StageDone, runs[1].Status)
}
