// Package verifier is the stage that judges the Executor's output on the evidence.
// It is shown exactly six fields and nothing else (spec P7).
package verifier

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"claimscope/engine/contract"
	"claimscope/engine/model"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// Stage is the stage's name in model requests.
const Stage = "verifier"

// Payload is all that the Verifier sees. There is no field for a plan, for
// reasoning, for intermediate messages or for chat history.
type Payload struct {
	OriginalQuery       string                `json:"original_query"`
	ExecutorFinalAnswer string                `json:"executor_final_answer"`
	ToolTraceSummary    trace.Summary         `json:"tool_trace_summary"`
	RetryContext        *verdict.RetryContext `json:"retry_context"`
	StructuredOutput    json.RawMessage       `json:"executor_structured_output"` // null when nothing parsed
	ParseStatus         contract.ParseStatus  `json:"executor_output_parse_status"`
}

// Input is what a payload is made of.
type Input struct {
	Query   string
	Message string // the Executor's last message as it came
	Parsed  contract.Parsed
	Traces  []trace.Trace
	Cites   []trace.Cite // what the bindings cite, in binding order
	Retry   *verdict.RetryContext
}

// NewPayload makes the payload. Reasoning blocks are taken out of the message, and out of
// the strings of its JSON.
func NewPayload(in Input) (Payload, error) {
	answer, _ := contract.FinalAnswer([]byte(in.Message))
	structured, err := structuredOutput(in)
	if err != nil {
		return Payload{}, err
	}
	return Payload{
		OriginalQuery:       in.Query,
		ExecutorFinalAnswer: string(contract.WithholdReasoning(answer)),
		ToolTraceSummary:    trace.Summarise(in.Traces, in.Cites),
		RetryContext:        in.Retry,
		StructuredOutput:    contract.WithholdReasoning(structured),
		ParseStatus:         in.Parsed.Status,
	}, nil
}

// structuredOutput gives the very bytes of the message when they were plain JSON,
// else the contract as it was read; nil when no object was read.
func structuredOutput(in Input) (json.RawMessage, error) {
	if in.Parsed.Contract == nil {
		return nil, nil
	}
	if in.Parsed.Status == contract.StatusOK && json.Valid([]byte(in.Message)) {
		return json.RawMessage(in.Message), nil
	}
	raw, err := json.Marshal(in.Parsed.Contract)
	if err != nil {
		return nil, fmt.Errorf("verifier: structured output: %w", err)
	}
	return raw, nil
}

// Encode gives the payload's bytes, compact and without HTML escapes.
func (p Payload) Encode() (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(p); err != nil {
		return nil, fmt.Errorf("verifier: payload: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Request builds the request: the prompt, and the payload byte for byte. There are
// no tools.
func Request(set *prompts.Set, payload json.RawMessage, params model.Params, attempt int) (model.Request, error) {
	system, err := set.Verifier(prompts.VerifierData{})
	if err != nil {
		return model.Request{}, err
	}
	return model.Request{Stage: Stage, Attempt: attempt, Params: params, Schema: Schema(), Messages: []model.Message{
		{Role: model.System, Content: system},
		{Role: model.User, Content: string(payload)},
	}}, nil
}

// Run asks once and reads the reply. Claims and fallback are as in
// verdict.ParseVerifier; what could not be read is told by the result's Err. An
// error is the model's.
func Run(ctx context.Context, m model.Model, req model.Request, claims []contract.Claim, fallback bool) (verdict.Result, error) {
	resp, err := m.Chat(ctx, req, nil)
	if err != nil {
		return verdict.Result{}, err
	}
	return verdict.ParseVerifier(resp.Message.Content, claims, fallback), nil
}
