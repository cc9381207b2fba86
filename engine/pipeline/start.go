package pipeline

import (
	"encoding/json"
	"slices"

	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/stage/planner"
	"claimscope/engine/trace"
)

// StartAt says where a run that goes on from recorded events begins, when it is to do
// stage (of the attempt that the last event belongs to) anew. Keep is the number of
// the last event that stays true then: a fork leaves its parent there. Stage ""
// means the stage that the events end in.
//
// A stage that never began, such as the Verifier of a run that failed before it,
// starts at the latest stage that can be done: the Executor needs nothing, what comes
// after it needs its message.
func StartAt(events []event.Event, stage event.Stage) (start Start, keep int) {
	attempt := 1
	last := event.Planner
	events = events[:lastEnd(events)]
	for _, e := range events {
		if e.Attempt > 0 {
			attempt = e.Attempt
		}
		if e.Stage != "" {
			last = e.Stage
		}
	}
	if stage == "" {
		stage = last
	}
	switch stage {
	case event.Planner:
		attempt = 1
	case event.Executor:
	case event.Parse, event.Gatekeeper, event.Verifier, event.Route, event.Answer:
		stage = event.Parse
	}
	start = Start{Stage: stage, Attempt: attempt}
	cut := cutBefore(events, stage, attempt)
	if stage == event.Parse && !hasOutput(events, attempt) {
		start.Stage = event.Executor
		cut = cutBefore(events, event.Executor, attempt)
	}
	for _, e := range events[:cut] {
		start.take(e)
	}
	if cut > 0 {
		keep = events[cut-1].Seq
	}
	return start, keep
}

// lastEnd gives the number of events before the terminal one, unless the session was
// resumed after it.
func lastEnd(events []event.Event) int {
	for i := len(events) - 1; i >= 0; i-- {
		switch t := events[i].Body.Type(); {
		case t.Terminal():
			return i
		case t == event.TypeResumed:
			return len(events)
		}
	}
	return len(events)
}

// Resume says where a run goes on in the same log: the stage that the events end in
// is done anew, and every trace in the log stays citable.
func Resume(events []event.Event) Start {
	start, _ := StartAt(events, "")
	start.Traces = After(events, 0)
	for _, e := range events {
		if b, ok := e.Body.(event.ToolCalled); ok {
			start.LastRef = max(start.LastRef, refNumber(b.Ref))
			start.LastID = max(start.LastID, b.InvocationID)
		}
	}
	return start
}

// cutBefore gives the number of events that come before the stage begins in the
// attempt: before its first event.
func cutBefore(events []event.Event, stage event.Stage, attempt int) int {
	for i, e := range events {
		if e.Attempt != attempt {
			continue
		}
		switch stage {
		case event.Planner:
			return 0
		case event.Executor:
			if e.Stage == event.Executor {
				return i
			}
		case event.Parse, event.Gatekeeper, event.Verifier, event.Route, event.Answer:
			if e.Stage == event.Parse || e.Stage == event.Gatekeeper || e.Stage == event.Verifier {
				return i
			}
		}
	}
	return len(events)
}

func hasOutput(events []event.Event, attempt int) bool {
	for _, e := range events {
		if _, ok := e.Body.(event.ExecutorOutput); ok && e.Attempt == attempt {
			return true
		}
	}
	return false
}

// take folds what a run starts with.
func (s *Start) take(e event.Event) {
	switch b := e.Body.(type) {
	case event.ModelResponse:
		if e.Stage == event.Planner {
			s.Plan = planner.Plan(b.Response.Message.Content)
		}
	case event.ToolReturned:
		s.Traces = append(s.Traces, b.Trace)
	case event.RetryStarted:
		s.Retry = &b.Context
	case event.ExecutorOutput:
		s.Message, s.Finish = b.Message, b.Finish
	case event.Edited:
		if b.Target == event.EditExecutorOutput {
			s.Message = b.After
		}
	}
}

// After lists the traces of events after number seq, in call order: what a frozen run
// that starts there answers from.
func After(events []event.Event, seq int) []trace.Trace {
	var out []trace.Trace
	for _, e := range events {
		if b, ok := e.Body.(event.ToolReturned); ok && e.Seq > seq {
			out = append(out, b.Trace)
		}
	}
	return out
}

// SpecsOf gives the tools that the recorded Executor was offered, for a re-run
// without them. Where no request is recorded (an import), they are made up from the
// recorded calls.
func SpecsOf(events []event.Event) []model.ToolSpec {
	var named []model.ToolSpec
	for _, e := range events {
		switch b := e.Body.(type) {
		case event.ModelRequest:
			if e.Stage == event.Executor && len(b.Request.Tools) > 0 {
				return b.Request.Tools
			}
		case event.ToolReturned:
			is := func(s model.ToolSpec) bool { return s.Name == b.Trace.ToolName }
			if !slices.ContainsFunc(named, is) {
				named = append(named, model.ToolSpec{Name: b.Trace.ToolName, Description: "录制中用过的工具", Parameters: json.RawMessage(`{"type":"object"}`)})
			}
		}
	}
	return named
}
