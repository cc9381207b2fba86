// Package state is the only fold: events in, state out (spec E3). Live views,
// replay, time travel, comparison and the headless commands all show what it gives,
// so they cannot disagree.
//
// The package is pure and deterministic.
package state

import (
	"encoding/json"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// Status is where a session stands.
type Status string

// The statuses. Running is also what a session looks like whose program was killed:
// its file has no terminal event. Torn is such a file with a cut last line.
const (
	Running   Status = "running"
	Paused    Status = "paused"
	Finished  Status = "finished"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
	Torn      Status = "torn"
)

// Session is the state after some prefix of a session's events.
//
// A copy of the value is a snapshot: Apply never changes what an earlier copy can
// reach, so a view may hold one while events arrive, on any goroutine. Copies are
// for reading; only the one value that Apply was called on so far may be folded
// further (fold a prefix anew to branch off).
type Session struct {
	Header event.Header
	Status Status
	// Stage is the stage at work, or the last one that was.
	Stage    event.Stage
	Attempts []Attempt
	Marks    []Mark // one per event, in order: the slider's notches
	Pause    *Pause // while Status is Paused
	Pauses   int    // how often the run has paused so far
	Edits    []Edit
	Reviews  []Review
	Failures []Failure
	Usage    model.Usage
	Cost     float64     // in the currency of the configured prices
	Stages   []StageCost // what each stage that asked a model used, in order of the first reply
	// Evaluation is the record of the terminal event; nil before it, and where there is none.
	Evaluation *verdict.Evaluation
	// Error says why the session failed or was cancelled.
	Error string
	// Updated is the time of the last event, Ended that of the terminal one.
	Updated, Ended time.Time
	// TornBytes is the length of a last line that was cut and left out, or was cut
	// off when the session was resumed.
	TornBytes int
	// Unsaved is true for a session that lives in memory only; Bundled for one that
	// ships with the program. Both are set by the store, not by events.
	Unsaved, Bundled bool
}

// Mark is one event as the slider shows it.
type Mark struct {
	Seq     int
	Time    time.Time
	Attempt int
	Stage   event.Stage
	Type    event.Type
}

// Pause is a run that waits for a person.
type Pause struct {
	event.Paused
	Seq   int
	Stage event.Stage
}

// Edit is a person's change, with its place.
type Edit struct {
	event.Edited
	Seq     int
	Time    time.Time
	Attempt int
	Stage   event.Stage
}

// Review is a person's word, with its place.
type Review struct {
	event.Reviewed
	Seq  int
	Time time.Time
}

// Failure is a stage_failed event, with its place.
type Failure struct {
	event.StageFailed
	Seq     int
	Time    time.Time
	Attempt int
	Stage   event.Stage
}

// RunStatus is where a stage of an attempt stands.
type RunStatus string

// The statuses of a stage. A stage that has not begun is not in the list.
const (
	StageRunning RunStatus = "running"
	StageDone    RunStatus = "done"
	StageFailed  RunStatus = "failed"
	StageSkipped RunStatus = "skipped"
)

// StageRun is one stage of one attempt.
type StageRun struct {
	Stage    event.Stage
	Status   RunStatus
	Seq      int // of the event that opened it
	Started  time.Time
	Duration time.Duration // so far, while it runs
	Model    string        // as the endpoint names it, or as asked for
	Calls    int           // model requests
	Usage    model.Usage
	Cost     float64
	Error    string // of the last failure
}

// Exchange is one model request with its reply.
type Exchange struct {
	Stage    event.Stage
	Seq      int // of the request
	Request  *model.Request
	Response *model.Response // nil until it came
	Duration time.Duration
	Cost     float64
}

// Call is one tool call. Trace is nil while it runs.
type Call struct {
	Ref          string
	CallID       string
	ToolName     string
	Arguments    json.RawMessage
	InvocationID int64
	Seq          int // of tool_called
	Started      time.Time
	Trace        *trace.Trace
}

// Attempt is one pass through the pipeline.
type Attempt struct {
	Number       int
	Retry        *verdict.RetryContext // what opened it; nil for the first
	Stages       []StageRun
	Exchanges    []Exchange
	Plan         string
	Calls        []Call // in call order
	HasOutput    bool   // the Executor has given its last message
	Message      string // that message as it came, or as a person edited it
	FinishReason model.FinishReason
	Parsed       *event.Parsed // as recorded
	Gate         *gate.Report
	Payload      json.RawMessage // what the Verifier was shown
	Verified     *verdict.Result
	Routing      *verdict.Routing
	Answer       *event.Answered

	reading *reading
}

// Fold gives the state after events.
func Fold(h event.Header, events []event.Event) Session {
	s := New(h)
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

// FoldPrefix gives the state after the events up to and including number seq.
func FoldPrefix(h event.Header, events []event.Event, seq int) Session {
	s := New(h)
	for _, e := range events {
		if e.Seq > seq {
			break
		}
		s.Apply(e)
	}
	return s
}

// New gives the state before the first event.
func New(h event.Header) Session {
	return Session{Header: h, Status: Running, Updated: h.Time}
}

// Current is the last attempt, or an empty one before the first.
func (s *Session) Current() *Attempt {
	if len(s.Attempts) == 0 {
		return &Attempt{}
	}
	return &s.Attempts[len(s.Attempts)-1]
}

// Attempt gives the attempt of that number, or false.
func (s *Session) Attempt(number int) (*Attempt, bool) {
	for i := range s.Attempts {
		if s.Attempts[i].Number == number {
			return &s.Attempts[i], true
		}
	}
	return nil, false
}

// Traces lists the traces of every attempt up to and including that number, in call
// order: what a citation of that attempt may name (spec P12). Zero means all.
func (s *Session) Traces(upTo int) []trace.Trace {
	var all []trace.Trace
	for i := range s.Attempts {
		if upTo > 0 && s.Attempts[i].Number > upTo {
			break
		}
		for _, c := range s.Attempts[i].Calls {
			if c.Trace != nil {
				all = append(all, *c.Trace)
			}
		}
	}
	return all
}

// Seq is the number of the last event.
func (s *Session) Seq() int {
	if len(s.Marks) == 0 {
		return 0
	}
	return s.Marks[len(s.Marks)-1].Seq
}

// Done reports whether the session has ended.
func (s *Session) Done() bool {
	return s.Status == Finished || s.Status == Failed || s.Status == Cancelled
}

// Duration is the time from the header to the end, or to the last event; see Lasted.
func (s *Session) Duration() time.Duration {
	end, first := s.Updated, time.Time{}
	if s.Done() {
		end = s.Ended
	}
	if len(s.Marks) > 0 {
		first = s.Marks[0].Time
	}
	return Lasted(s.Header.Time, first, end)
}

// Lasted is how long a session took, from its header and first event to its end. A fork
// that nothing ran in, such as a review, has the time of the events that it holds.
func Lasted(header, first, end time.Time) time.Duration {
	if end.Before(header) && !first.IsZero() {
		header = first
	}
	return max(end.Sub(header), 0)
}

// Run gives the stage's latest run in this attempt, or false when it has not begun.
func (a *Attempt) Run(stage event.Stage) (StageRun, bool) {
	for i := len(a.Stages) - 1; i >= 0; i-- {
		if a.Stages[i].Stage == stage {
			return a.Stages[i], true
		}
	}
	return StageRun{}, false
}

// Decision is the decision on this attempt, or "".
func (a *Attempt) Decision() verdict.Decision {
	if a.Routing == nil {
		return ""
	}
	return a.Routing.Decision
}

// Claims lists the claims with their final verdicts, or nil before routing.
func (a *Attempt) Claims() []verdict.FinalClaim {
	if a.Routing == nil {
		return nil
	}
	return a.Routing.Claims
}

// Structured is the recorded contract, or nil.
func (a *Attempt) Structured() *contract.Contract {
	if a.Parsed == nil {
		return nil
	}
	return a.Parsed.Structured
}

// MarkTorn notes that the last line of the file was cut and left out. Without a
// terminal event before it the session is torn; it can be resumed.
func (s *Session) MarkTorn(bytes int) {
	s.TornBytes = bytes
	if bytes > 0 && !s.Done() {
		s.Status = Torn
	}
}

// LastReview is the last word of a person on the verdict, or nil: marks of single claims
// are none.
func (s *Session) LastReview() *Review {
	for i := len(s.Reviews) - 1; i >= 0; i-- {
		if a := s.Reviews[i].Action; a == event.ReviewAccept || a == event.ReviewOverride {
			return &s.Reviews[i]
		}
	}
	return nil
}
