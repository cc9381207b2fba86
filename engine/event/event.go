// Package event is the closed set of things that happen in a session, their
// envelope, and the strict codec of the session file (spec E1). Events are
// immutable; whatever is shown is a fold of them.
package event

import (
	"encoding/json"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// SchemaVersion is the version of the session file that this program writes. It
// reads this and every older one.
const SchemaVersion = 1

// Stage is a step of the pipeline.
type Stage string

// The stages, in the order of a run. Tools run inside the Executor.
const (
	Planner    Stage = "planner"
	Executor   Stage = "executor"
	Parse      Stage = "parse"
	Gatekeeper Stage = "gatekeeper"
	Verifier   Stage = "verifier"
	Route      Stage = "route"
	Answer     Stage = "answer"
)

// Stages lists the stages in the order of a run.
func Stages() []Stage {
	return []Stage{Planner, Executor, Parse, Gatekeeper, Verifier, Route, Answer}
}

// Title names a stage for people. The names are those of the pipeline and are not
// translated; a stage that is none of [Stages] is given as it is written.
func (s Stage) Title() string {
	switch s {
	case Planner:
		return "Planner"
	case Executor:
		return "Executor"
	case Parse:
		return "Parse"
	case Gatekeeper:
		return "Gatekeeper"
	case Verifier:
		return "Verifier"
	case Route:
		return "Route"
	case Answer:
		return "Answer"
	}
	return string(s)
}

// Header is the first line of a session file.
type Header struct {
	Schema int       `json:"schema"`
	ID     string    `json:"id"`
	Time   time.Time `json:"time"`
	// Now is what the run took for the present, where that was not the clock: the end of
	// an incident folder's time window. A re-run on recorded tools keeps it.
	Now             time.Time               `json:"now,omitzero"`
	Program         string                  `json:"program"` // version of the program that wrote it
	Title           string                  `json:"title,omitempty"`
	Query           string                  `json:"query"`
	ContractVersion contract.Version        `json:"contract_version"`
	Model           string                  `json:"model"` // "live", "replay" or "scripted": where the replies came from
	Params          map[Stage]model.Params  `json:"params,omitempty"`
	Prompts         map[string]PromptSource `json:"prompts,omitempty"`
	Policy          verdict.Policy          `json:"policy"`
	Composer        bool                    `json:"composer,omitempty"`
	Limits          *Limits                 `json:"limits,omitempty"` // nil where none are recorded
	// Tools says where tool replies come from: "incident:payment-pool",
	// "recording:ID", "live", "import".
	Tools  string  `json:"tools"`
	Parent *Parent `json:"parent,omitempty"`
}

// Limits are the bounds of an Executor run; 0 means none. A replay keeps them: where a
// loop was ended is part of what was recorded.
type Limits struct {
	Rounds int `json:"rounds"` // messages with tool calls
	Calls  int `json:"calls"`  // tool calls
	Tokens int `json:"tokens"` // as the model counts them
}

// Parent names where a fork left its parent session.
type Parent struct {
	ID   string `json:"id"`
	Seq  int    `json:"seq"`  // the last event taken from the parent
	Mode string `json:"mode"` // verifier, executor, live, review
}

// PromptSource identifies the prompt that a stage used.
type PromptSource struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
	From    string `json:"from"` // "embedded" or the file's base name
}

// Event is one line of a session file after the header.
type Event struct {
	Seq     int       // 1, 2, 3 … without gaps
	Time    time.Time // when it was recorded
	Attempt int       // 1 for the first; 0 outside any attempt
	Stage   Stage     // "" outside any stage
	Body    Body
}

// Body is the content of an event. The set is closed: it is implemented in this
// package only.
type Body interface{ Type() Type }

// Type is the discriminator of an event in the file.
type Type string

// The event types (spec E1).
const (
	TypeStageStarted    Type = "stage_started"
	TypeModelRequest    Type = "model_request"
	TypeModelResponse   Type = "model_response"
	TypeToolCalled      Type = "tool_called"
	TypeToolReturned    Type = "tool_returned"
	TypeExecutorOutput  Type = "executor_output"
	TypeParsed          Type = "parsed"
	TypeGated           Type = "gated"
	TypeVerifierPayload Type = "verifier_payload"
	TypeVerified        Type = "verified"
	TypeRouted          Type = "routed"
	TypeRetryStarted    Type = "retry_started"
	TypeAnswered        Type = "answered"
	TypePaused          Type = "paused"
	TypeEdited          Type = "edited"
	TypeStageFailed     Type = "stage_failed"
	TypeFinished        Type = "finished"
	TypeFailed          Type = "failed"
	TypeCancelled       Type = "cancelled"
	TypeResumed         Type = "resumed"
	TypeReviewed        Type = "reviewed"
)

// StageStarted opens a stage.
type StageStarted struct{}

// ModelRequest is a request about to be sent, whole.
type ModelRequest struct {
	Request model.Request `json:"request"`
}

// ModelResponse is the reply to the latest ModelRequest of its stage.
type ModelResponse struct {
	Response   model.Response `json:"response"`
	DurationMS float64        `json:"duration_ms"`
	Cost       float64        `json:"cost,omitempty"` // in the currency of the configured prices
}

// ToolCalled is a tool call about to run.
type ToolCalled struct {
	Ref          string          `json:"trace_ref"`
	CallID       string          `json:"call_id"` // the model's id of the call
	ToolName     string          `json:"tool_name"`
	Arguments    json.RawMessage `json:"arguments"`
	InvocationID int64           `json:"invocation_id"`
}

// ToolReturned is a finished tool call.
type ToolReturned struct {
	Trace trace.Trace `json:"trace"`
}

// ExecutorOutput is the Executor's last message as it came.
type ExecutorOutput struct {
	Message string             `json:"message"` // reasoning blocks included
	Finish  model.FinishReason `json:"finish_reason,omitempty"`
}

// Parsed is what the message yielded. The positions are not stored: they follow
// from the message.
type Parsed struct {
	Status     contract.ParseStatus `json:"parse_status"`
	Step       contract.Step        `json:"step"`
	Edits      []contract.Edit      `json:"edits"`
	Coercions  []contract.Coercion  `json:"coercions"`
	Structured *contract.Contract   `json:"executor_structured_output,omitempty"`
	Reason     string               `json:"reason,omitempty"`
	ReasonZH   string               `json:"reason_zh,omitempty"`
}

// Gated is the Gatekeeper's report.
type Gated struct {
	Report gate.Report `json:"report"`
}

// VerifierPayload is exactly what the Verifier is shown (spec P7): a JSON object
// of six fields, byte for byte as sent.
type VerifierPayload struct {
	Payload json.RawMessage `json:"payload"`
}

// Verified is the Verifier's output as read.
type Verified struct {
	Result verdict.Result `json:"result"`
}

// Routed is the decision on an attempt.
type Routed struct {
	Routing verdict.Routing `json:"routing"`
}

// RetryStarted opens another attempt.
type RetryStarted struct {
	Context verdict.RetryContext `json:"retry_context"`
}

// AnswerStyle says how an answer came to be.
type AnswerStyle string

// The answer styles.
const (
	StyleUserFacing AnswerStyle = "user_facing" // the contract's own answer, audited
	StyleRendered   AnswerStyle = "rendered"    // rendered from the structure
	StyleComposed   AnswerStyle = "composed"    // written by the Composer, audited
	StyleDegraded   AnswerStyle = "degraded"    // LOW_CONFID
	StyleFixed      AnswerStyle = "fixed"       // rendering failed
)

// Answered is the answer.
type Answered struct {
	Markdown  string                `json:"markdown"` // Chinese Markdown
	Style     AnswerStyle           `json:"style"`
	Sentences []gate.SentenceSource `json:"sentences"` // offsets into Markdown
	// Reason says why a preferred style was not used, or is "".
	Reason string `json:"reason,omitempty"`
}

// Paused says that the run waits for a person.
type Paused struct {
	Boundary string `json:"boundary"`
	Why      string `json:"why"` // "step", "pause", or the breakpoint that hit
}

// What can be edited. A prompt is named behind EditPrompt.
const (
	EditRequest        = "request"
	EditPrompt         = "prompt:"
	EditExecutorOutput = "executor_output"
	EditSkip           = "skip"
)

// Edited is a person's change of what was about to be used.
type Edited struct {
	Target string `json:"target"` // EditRequest, EditPrompt plus its name, EditExecutorOutput, EditSkip
	Before string `json:"before"`
	After  string `json:"after"`
}

// StageFailed is a stage that could not do its work.
type StageFailed struct {
	Kind  string `json:"kind"` // a model.FaultKind, "tool", "verifier_error", "internal"
	Error string `json:"error"`
	Final bool   `json:"final"` // false when it is tried again
}

// Finished ends a session that reached a decision.
type Finished struct {
	Evaluation verdict.Evaluation `json:"verifier_evaluation"`
}

// Failed ends a session that could not reach a decision.
type Failed struct {
	Error      string              `json:"error"`
	Evaluation *verdict.Evaluation `json:"verifier_evaluation,omitempty"`
}

// Cancelled ends a session that a person stopped.
type Cancelled struct {
	Why        string              `json:"why"`
	Evaluation *verdict.Evaluation `json:"verifier_evaluation,omitempty"`
}

// Resumed says that the session was taken up again after it had ended.
type Resumed struct {
	// Dropped is the number of bytes of a torn last line that were cut off.
	Dropped int `json:"dropped_bytes,omitempty"`
}

// ReviewAction is what a reviewer did.
type ReviewAction string

// The review actions.
const (
	ReviewAccept     ReviewAction = "accept"
	ReviewOverride   ReviewAction = "override"
	ReviewClaimRight ReviewAction = "claim_right"
	ReviewClaimWrong ReviewAction = "claim_wrong"
)

// Reviewed is a person's word on the session or on one claim.
type Reviewed struct {
	Action  ReviewAction `json:"action"`
	ClaimID string       `json:"claim_id,omitempty"`
	Reason  string       `json:"reason,omitempty"`
	By      string       `json:"by"`
}
