// Package viewtest makes sessions for the tests of the views: hand-made states with
// Chinese data, each by folding events as a real run would record them.
package viewtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/model"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
	"claimscope/tui/view"
)

// Start is when every session begins.
var Start = time.Date(2026, 11, 30, 15, 45, 0, 0, time.UTC)

// Script collects events: one every 400 ms.
type Script struct {
	Header event.Header
	Events []event.Event
}

// NewScript returns an empty session.
func NewScript(id, title string, version contract.Version) *Script {
	return &Script{Header: event.Header{
		Schema: event.SchemaVersion, ID: id, Time: Start, Title: title, Query: "支付服务为什么超时？", ContractVersion: version,
		Model: "scripted", Policy: verdict.DefaultPolicy(), Tools: "incident:payment-pool",
	}}
}

// Add appends an event.
func (s *Script) Add(attempt int, stage event.Stage, body event.Body) *Script {
	n := len(s.Events) + 1
	s.Events = append(s.Events, event.Event{Seq: n, Time: Start.Add(time.Duration(n) * 400 * time.Millisecond), Attempt: attempt, Stage: stage, Body: body})
	return s
}

// State folds the events.
func (s *Script) State() *state.Session {
	folded := state.Fold(s.Header, s.Events)
	return &folded
}

// View is a view of the folded session.
func (s *Script) View(lang text.Lang) *view.View { return view.New(s.State(), lang) }

// Plan runs the Planner.
func (s *Script) Plan(attempt int, plan string) *Script {
	s.Add(attempt, event.Planner, event.StageStarted{})
	return s.Chat(attempt, event.Planner, plan, "先看指标，再看日志。")
}

// Chat is a model request with its reply.
func (s *Script) Chat(attempt int, stage event.Stage, content, reasoning string) *Script {
	s.Add(attempt, stage, event.ModelRequest{Request: model.Request{Stage: string(stage), Attempt: attempt, Params: model.Params{Model: "qwen-max"}}})
	return s.Add(attempt, stage, event.ModelResponse{
		Response: model.Response{
			Message: model.Message{Role: model.Assistant, Content: content, Reasoning: reasoning}, Finish: model.FinishStop,
			Usage: model.Usage{PromptTokens: 900, CompletionTokens: 140}, Model: "qwen-max",
		}, DurationMS: 350,
	})
}

// Call is a tool call with its reply.
func (s *Script) Call(attempt int, t trace.Trace) *Script {
	s.Add(attempt, event.Executor, event.ToolCalled{Ref: t.Ref, CallID: "c-" + t.Ref, ToolName: t.ToolName, Arguments: t.Arguments, InvocationID: first(t.InvocationIDs)})
	return s.Add(attempt, event.Executor, event.ToolReturned{Trace: t})
}

func first(ids []int64) int64 {
	if len(ids) == 0 {
		return 0
	}
	return ids[0]
}

// Output is the Executor's last message with what was parsed of it.
func (s *Script) Output(attempt int, message string) *Script {
	s.Add(attempt, event.Executor, event.ExecutorOutput{Message: message, Finish: model.FinishStop})
	s.Add(attempt, event.Parse, event.StageStarted{})
	p := contract.Parse([]byte(message))
	return s.Add(attempt, event.Parse, event.Parsed{
		Status: p.Status, Step: p.Step, Edits: p.Edits, Coercions: p.Coercions, Structured: p.Contract, Reason: p.Reason, ReasonZH: p.ReasonZH,
	})
}

// Gate is the gate's report.
func (s *Script) Gate(attempt int, r gate.Report) *Script {
	return s.Add(attempt, event.Gatekeeper, event.StageStarted{}).Add(attempt, event.Gatekeeper, event.Gated{Report: r})
}

// Verify is the Verifier's result.
func (s *Script) Verify(attempt int, r verdict.Result) *Script {
	s.Add(attempt, event.Verifier, event.StageStarted{})
	s.Add(attempt, event.Verifier, event.VerifierPayload{Payload: json.RawMessage(
		`{"original_query":"支付服务为什么超时？","executor_final_answer":"{\"answer_version\":\"…\"}","tool_trace_summary":[{"trace_ref":"trace-1","extract":"a < b & c"}],` +
			`"retry_context":null,"executor_structured_output":{"claims":[]},"executor_output_parse_status":"ok"}`)})
	s.Chat(attempt, event.Verifier, "{}", "")
	return s.Add(attempt, event.Verifier, event.Verified{Result: r})
}

// Route is the decision.
func (s *Script) Route(attempt int, r verdict.Routing) *Script {
	return s.Add(attempt, event.Route, event.StageStarted{}).Add(attempt, event.Route, event.Routed{Routing: r})
}

// Answer is the answer.
func (s *Script) Answer(attempt int, a event.Answered) *Script {
	return s.Add(attempt, event.Answer, event.StageStarted{}).Add(attempt, event.Answer, a)
}

// Finish ends the session.
func (s *Script) Finish(d verdict.Decision) *Script {
	return s.Add(0, "", event.Finished{Evaluation: verdict.Evaluation{SessionID: s.Header.ID, Decision: d}})
}

// At is the n-th place (from 0) of a needle in a text; it must be there.
func At(output []byte, needle string, n int) grounding.Span {
	at := 0
	for ; ; n-- {
		i := bytes.Index(output[at:], []byte(needle))
		if i < 0 {
			panic(fmt.Sprintf("viewtest: %q is not in the output", needle))
		}
		if n == 0 {
			return grounding.Span{Start: at + i, End: at + i + len(needle)}
		}
		at += i + len(needle)
	}
}

// Places are all places of a needle, each an occurrence.
func Places(output []byte, needle string) []grounding.Occurrence {
	var out []grounding.Occurrence
	for n := range bytes.Count(output, []byte(needle)) {
		out = append(out, grounding.Occurrence{Spans: []grounding.Span{At(output, needle, n)}})
	}
	return out
}

// Sentence finds a sentence of a Markdown text for its sources.
func Sentence(markdown, sentence string, sources ...string) gate.SentenceSource {
	s := At([]byte(markdown), sentence, 0)
	return gate.SentenceSource{Field: view.FieldAnswer, Start: s.Start, End: s.End, Sources: sources}
}
