package view

import (
	"strings"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
)

// Progress is where a stage stands.
type Progress uint8

// The values of Progress.
const (
	Waiting Progress = iota
	Running
	Paused
	Done
	Failed
	Skipped
)

// Stage is one row of the pipeline.
type Stage struct {
	Attempt  int
	Stage    event.Stage
	Progress Progress
	Started  time.Time
	Duration time.Duration // so far, at the last event
	Tokens   int
	Cost     float64
	Calls    int // model requests
	Model    string
	Error    string // of the last failure
	Outcome  string // one word of result: a parse status, a decision, "3/5"
	Bad      bool   // the outcome is a bad one
	Traces   []int  // tool calls, by index into View.Traces
}

// Elapsed is the duration at a time, which counts only while the stage runs; a zero
// time is that of the last event.
func (s *Stage) Elapsed(now time.Time) time.Duration {
	if s.Progress == Running && now.After(s.Started) {
		return now.Sub(s.Started)
	}
	return s.Duration
}

// stageRows lists the stages of every attempt; those of the last one that have not
// begun wait at the end.
func (v *View) stageRows() []Stage {
	var rows []Stage
	if len(v.State.Attempts) == 0 {
		return v.waiting(nil, &state.Attempt{Number: 1})
	}
	for i := range v.State.Attempts {
		a := &v.State.Attempts[i]
		for j := range a.Stages {
			rows = append(rows, v.stageRow(a, &a.Stages[j]))
		}
		if i == len(v.State.Attempts)-1 {
			rows = v.waiting(rows, a)
		}
	}
	return rows
}

func (v *View) stageRow(a *state.Attempt, r *state.StageRun) Stage {
	s := Stage{
		Attempt: a.Number, Stage: r.Stage, Started: r.Started, Duration: r.Duration, Tokens: r.Usage.Total(), Cost: r.Cost,
		Calls: r.Calls, Model: r.Model, Error: r.Error,
	}
	switch r.Status {
	case state.StageRunning:
		s.Progress = Running
		if p := v.State.Pause; p != nil && a == v.State.Current() {
			s.Progress = Paused
		}
	case state.StageDone:
		s.Progress = Done
	case state.StageFailed:
		s.Progress = Failed
	case state.StageSkipped:
		s.Progress = Skipped
	}
	if s.Progress == Done {
		s.Outcome, s.Bad = outcome(a, r.Stage)
	}
	if r.Stage == event.Executor {
		for i := range v.Traces {
			if t := &v.Traces[i]; t.Attempt == a.Number && runOf(a, t.seq) == r.Seq {
				s.Traces = append(s.Traces, i)
			}
		}
	}
	return s
}

// runOf is the run of the Executor that made a call: the last that began before it. An
// attempt has several when it was taken up after an interruption.
func runOf(a *state.Attempt, call int) (seq int) {
	for i := range a.Stages {
		if r := &a.Stages[i]; r.Stage == event.Executor && (r.Seq <= call || seq == 0) {
			seq = r.Seq
		}
	}
	return seq
}

// waiting adds the stages that are still to come. A retry has no plan of its own, and
// an attempt that is retried no answer.
func (v *View) waiting(rows []Stage, a *state.Attempt) []Stage {
	if v.State.Status == state.Finished || a.Decision() == verdict.Retry {
		return rows
	}
	for _, stage := range event.Stages() {
		if _, begun := a.Run(stage); begun || stage == event.Planner && a.Number > 1 {
			continue
		}
		s := Stage{Attempt: max(a.Number, 1), Stage: stage}
		if p := v.State.Pause; p != nil && p.Stage == stage {
			s.Progress = Paused
		}
		rows = append(rows, s)
	}
	return rows
}

// outcome is what came out of a stage, in one word.
func outcome(a *state.Attempt, stage event.Stage) (word string, bad bool) {
	switch stage {
	case event.Planner, event.Executor:
	case event.Answer:
		if a.Answer != nil {
			return string(a.Answer.Style), a.Answer.Style == event.StyleFixed
		}
	case event.Parse:
		if a.Parsed != nil {
			return string(a.Parsed.Status), a.Parsed.Status.Malformed()
		}
	case event.Gatekeeper:
		if a.Gate != nil {
			return strings.ToLower(string(a.Gate.Decision)), a.Gate.Decision == gate.Blocked
		}
	case event.Verifier:
		if a.Verified != nil && a.Verified.Err != "" {
			return string(verdict.VerifierError), true
		}
		if a.Verified != nil {
			return string(a.Verified.Decision), a.Verified.Decision != verdict.Pass
		}
	case event.Route:
		return string(a.Decision()), a.Decision() != verdict.Pass
	}
	return "", false
}
