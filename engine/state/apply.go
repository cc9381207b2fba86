package state

import (
	"slices"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/model"
)

// Apply folds one more event. It never fails: an event out of place is shown where
// it says it belongs. Whoever reads a file has its order checked by event.Reader.
func (s *Session) Apply(e event.Event) {
	s.Marks = append(s.Marks, Mark{Seq: e.Seq, Time: e.Time, Attempt: e.Attempt, Stage: e.Stage, Type: e.Body.Type()})
	s.Updated = e.Time
	if e.Stage != "" {
		s.Stage = e.Stage
	}
	if _, ok := e.Body.(event.Paused); !ok && s.Status == Paused {
		s.Status, s.Pause = Running, nil
	}
	switch b := e.Body.(type) {
	case event.Paused:
		s.Status, s.Pause = Paused, &Pause{Paused: b, Seq: e.Seq, Stage: e.Stage}
		s.Pauses++
	case event.Reviewed:
		s.Reviews = append(s.Reviews, Review{Reviewed: b, Seq: e.Seq, Time: e.Time})
	case event.Resumed:
		s.Status, s.Error, s.Ended, s.Evaluation = Running, "", time.Time{}, nil
		s.TornBytes = b.Dropped
		s.breakOff()
	case event.Finished:
		s.end(e, Finished)
		s.Evaluation = &b.Evaluation
	case event.Failed:
		s.end(e, Failed)
		s.Error, s.Evaluation = b.Error, b.Evaluation
	case event.Cancelled:
		s.end(e, Cancelled)
		s.Error, s.Evaluation = b.Why, b.Evaluation
	default:
		s.applyToAttempt(e)
	}
}

// end closes the session and whatever still runs in it.
func (s *Session) end(e event.Event, status Status) {
	s.Status, s.Ended, s.Error = status, e.Time, ""
	if len(s.Attempts) == 0 {
		return
	}
	a := s.touch(s.Current().Number)
	left := StageDone
	if status != Finished {
		left = StageFailed
	}
	for i := range a.Stages {
		if a.Stages[i].Status == StageRunning {
			a.Stages[i].Status = left
			a.Stages[i].Duration = e.Time.Sub(a.Stages[i].Started)
		}
	}
}

// breakOff closes what was at work when the program ended: it is done anew. How long it
// took is known up to its last event.
func (s *Session) breakOff() {
	if len(s.Attempts) == 0 {
		return
	}
	a := s.touch(s.Current().Number)
	for i := range a.Stages {
		if a.Stages[i].Status == StageRunning {
			a.Stages[i].Status = StageFailed
		}
	}
}

// touch gives the attempt of that number for writing, opening it if need be. The
// lists whose elements change in place are copied first, so that snapshots keep theirs.
func (s *Session) touch(number int) *Attempt {
	s.Attempts = slices.Clone(s.Attempts)
	i := slices.IndexFunc(s.Attempts, func(a Attempt) bool { return a.Number == number })
	if i < 0 {
		i = len(s.Attempts)
		s.Attempts = append(s.Attempts, Attempt{Number: number})
	}
	a := &s.Attempts[i]
	a.Stages = slices.Clone(a.Stages)
	return a
}

// applyToAttempt folds an event that belongs to an attempt; one that names none
// belongs to the current one.
func (s *Session) applyToAttempt(e event.Event) {
	number := e.Attempt
	if number == 0 {
		number = max(s.Current().Number, 1)
	}
	a := s.touch(number)
	switch b := e.Body.(type) {
	case event.RetryStarted:
		a.Retry = &b.Context
	case event.StageStarted:
		a.begin(e)
	case event.ModelRequest:
		a.request(e, &b.Request)
	case event.ModelResponse:
		a.respond(e, b)
		s.Usage = s.Usage.Add(b.Response.Usage)
		s.Cost += b.Cost
		s.Stages = Spend(s.Stages, e.Stage, b.Response.Usage.Total(), b.Cost)
	case event.ToolCalled:
		a.Calls = append(a.Calls, Call{
			Ref: b.Ref, CallID: b.CallID, ToolName: b.ToolName, Arguments: b.Arguments,
			InvocationID: b.InvocationID, Seq: e.Seq, Started: e.Time,
		})
	case event.ToolReturned:
		a.returned(e, b)
	case event.ExecutorOutput:
		a.output(b.Message)
		a.FinishReason = b.Finish
		a.finish(event.Executor, e.Time)
	case event.Parsed:
		a.Parsed = &b
		a.finish(event.Parse, e.Time)
	case event.Gated:
		a.Gate = &b.Report
		a.finish(event.Gatekeeper, e.Time)
	case event.VerifierPayload:
		a.Payload = b.Payload
	case event.Verified:
		a.Verified = &b.Result
		a.finish(event.Verifier, e.Time)
	case event.Routed:
		a.Routing = &b.Routing
		a.finish(event.Route, e.Time)
	case event.Answered:
		a.Answer = &b
		a.finish(event.Answer, e.Time)
	case event.Edited:
		s.edit(a, e, b)
	case event.StageFailed:
		a.fail(e, b)
		s.Failures = append(s.Failures, Failure{StageFailed: b, Seq: e.Seq, Time: e.Time, Attempt: number, Stage: e.Stage})
	}
}

func (s *Session) edit(a *Attempt, e event.Event, b event.Edited) {
	s.Edits = append(s.Edits, Edit{Edited: b, Seq: e.Seq, Time: e.Time, Attempt: a.Number, Stage: e.Stage})
	switch b.Target {
	case event.EditExecutorOutput:
		a.output(b.After)
	case event.EditSkip:
		if run := a.run(e.Stage); run != nil {
			run.Status, run.Duration = StageSkipped, e.Time.Sub(run.Started)
		} else if e.Stage != "" {
			a.Stages = append(a.Stages, StageRun{Stage: e.Stage, Status: StageSkipped, Seq: e.Seq, Started: e.Time})
		}
	}
}

// run gives the stage's latest run for writing, or nil.
func (a *Attempt) run(stage event.Stage) *StageRun {
	for i := len(a.Stages) - 1; i >= 0; i-- {
		if a.Stages[i].Stage == stage {
			return &a.Stages[i]
		}
	}
	return nil
}

// begin opens a stage and closes the ones before it.
func (a *Attempt) begin(e event.Event) {
	for i := range a.Stages {
		if a.Stages[i].Status == StageRunning {
			a.Stages[i].Status = StageDone
			a.Stages[i].Duration = e.Time.Sub(a.Stages[i].Started)
		}
	}
	a.Stages = append(a.Stages, StageRun{Stage: e.Stage, Status: StageRunning, Seq: e.Seq, Started: e.Time})
}

// finish closes a stage that has given its result.
func (a *Attempt) finish(stage event.Stage, at time.Time) {
	if run := a.run(stage); run != nil && run.Status == StageRunning {
		run.Status, run.Duration = StageDone, at.Sub(run.Started)
	}
}

func (a *Attempt) fail(e event.Event, b event.StageFailed) {
	run := a.run(e.Stage)
	if run == nil {
		return
	}
	run.Error, run.Duration = b.Error, e.Time.Sub(run.Started)
	if b.Final {
		run.Status = StageFailed
	}
}

func (a *Attempt) request(e event.Event, req *model.Request) {
	a.Exchanges = append(a.Exchanges, Exchange{Stage: e.Stage, Seq: e.Seq, Request: req})
	if run := a.run(e.Stage); run != nil {
		run.Calls++
		run.Duration = e.Time.Sub(run.Started)
		if run.Model == "" {
			run.Model = req.Params.Model
		}
	}
}

// respond closes the stage's latest open exchange. The Planner has no event for its
// result: its reply is the plan.
func (a *Attempt) respond(e event.Event, b event.ModelResponse) {
	a.Exchanges = slices.Clone(a.Exchanges)
	for i := len(a.Exchanges) - 1; i >= 0; i-- {
		x := &a.Exchanges[i]
		if x.Stage == e.Stage && x.Response == nil {
			x.Response, x.Cost = &b.Response, b.Cost
			x.Duration = time.Duration(b.DurationMS * float64(time.Millisecond))
			break
		}
	}
	if run := a.run(e.Stage); run != nil {
		run.Usage = run.Usage.Add(b.Response.Usage)
		run.Cost += b.Cost
		run.Duration = e.Time.Sub(run.Started)
		if b.Response.Model != "" {
			run.Model = b.Response.Model
		}
	}
	if e.Stage == event.Planner {
		a.Plan = b.Response.Message.Content
		a.finish(event.Planner, e.Time)
	}
}

// returned ties a trace to its call; a trace that no call announced (an import) is
// a call of its own.
func (a *Attempt) returned(e event.Event, b event.ToolReturned) {
	a.Calls = slices.Clone(a.Calls)
	for i := range a.Calls {
		if a.Calls[i].Ref == b.Trace.Ref {
			a.Calls[i].Trace = &b.Trace
			return
		}
	}
	a.Calls = append(a.Calls, Call{
		Ref: b.Trace.Ref, ToolName: b.Trace.ToolName, Arguments: b.Trace.Arguments, Seq: e.Seq, Started: e.Time, Trace: &b.Trace,
	})
}

func (a *Attempt) output(message string) {
	a.HasOutput, a.Message, a.reading = true, message, &reading{message: message}
}
