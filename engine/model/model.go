// Package model is the chat model as the pipeline sees it: one method. Adapters
// live in the packages below it (openai, replay).
//
// The root package is pure: types and an interface.
package model

import (
	"context"
	"encoding/json"
)

// Model answers one chat request. Implementations are safe for concurrent use.
type Model interface {
	// Chat sends the request and returns the whole reply. While the reply
	// arrives, onDelta (which may be nil) gets its pieces, in order, from the
	// calling goroutine. An error is a *Fault, or the context's error.
	Chat(ctx context.Context, req Request, onDelta func(Delta)) (Response, error)
}

// Role is the author of a message.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"`
	// Reasoning is reasoning_content. It is recorded, and sent back only within the tool
	// loop that it came from, to an endpoint that demands it.
	Reasoning  string     `json:"reasoning,omitempty"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// ToolCall is a model's wish to call a tool. Arguments is the text as the model
// wrote it; it may be no JSON at all.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// ToolSpec describes a tool to a model. Parameters is a JSON Schema.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// JSONMode says how a reply is held to JSON.
type JSONMode string

// The JSON modes.
const (
	JSONOff    JSONMode = "off"
	JSONObject JSONMode = "object"
	JSONSchema JSONMode = "schema"
)

// Params are the sampling parameters of a stage. Nil and zero mean the endpoint's default.
type Params struct {
	Model       string   `json:"model"`
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	Seed        *int     `json:"seed,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
	JSONMode    JSONMode `json:"json_mode,omitempty"`
	TimeoutMS   int64    `json:"timeout_ms,omitempty"` // for the whole reply, in milliseconds
	// Extra is a JSON object of members of the request beyond these, such as enable_thinking.
	Extra json.RawMessage `json:"extra,omitempty"`
}

// Request is one chat request.
type Request struct {
	Stage    string          `json:"stage"`   // which stage asks; adapters use it for their settings
	Attempt  int             `json:"attempt"` // 1 for the first
	Params   Params          `json:"params"`
	Messages []Message       `json:"messages"`
	Tools    []ToolSpec      `json:"tools,omitempty"`
	Schema   json.RawMessage `json:"schema,omitempty"` // for JSONSchema
}

// FinishReason says why a reply ended.
type FinishReason string

// The finish reasons.
const (
	FinishStop          FinishReason = "stop"
	FinishToolCalls     FinishReason = "tool_calls"
	FinishLength        FinishReason = "length"
	FinishContentFilter FinishReason = "content_filter"
	FinishUnknown       FinishReason = "unknown"
)

// Usage counts tokens.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	ReasoningTokens  int `json:"reasoning_tokens,omitempty"`
	CachedTokens     int `json:"cached_tokens,omitempty"`
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		PromptTokens:     u.PromptTokens + v.PromptTokens,
		CompletionTokens: u.CompletionTokens + v.CompletionTokens,
		ReasoningTokens:  u.ReasoningTokens + v.ReasoningTokens,
		CachedTokens:     u.CachedTokens + v.CachedTokens,
	}
}

// Total is prompt plus completion tokens.
func (u Usage) Total() int { return u.PromptTokens + u.CompletionTokens }

// Response is a whole reply.
type Response struct {
	Message Message      `json:"message"`
	Finish  FinishReason `json:"finish_reason"`
	Usage   Usage        `json:"usage"`
	Model   string       `json:"model"` // as the endpoint names it
	// Notes say what the adapter did to get the reply (retries, a JSON mode it
	// fell back from), one line each.
	Notes []string `json:"notes,omitempty"`
}

// Delta is a piece of a reply as it arrives.
type Delta struct {
	// Restart says that the reply broke off and starts anew: forget what came.
	Restart bool
	// Note says in one line why, such as a wait before the next try.
	Note      string
	Content   string
	Reasoning string
	// ToolName is set once per tool call, when its name is known; ToolArguments
	// carries a piece of its arguments.
	ToolIndex     int
	ToolName      string
	ToolArguments string
}

// FaultKind tells model faults apart.
type FaultKind string

// The kinds of fault.
const (
	FaultRateLimit FaultKind = "rate_limit"     // 429
	FaultServer    FaultKind = "server"         // 5xx
	FaultAuth      FaultKind = "auth"           // 401, 403
	FaultRequest   FaultKind = "request"        // another 4xx
	FaultNetwork   FaultKind = "network"        // no connection, or it broke
	FaultStalled   FaultKind = "stalled"        // the stream stopped moving
	FaultTimeout   FaultKind = "timeout"        // the whole reply took too long
	FaultTooLarge  FaultKind = "too_large"      // the reply outgrew its bound
	FaultProtocol  FaultKind = "protocol"       // no chat completion stream came back
	FaultExhausted FaultKind = "not_recorded"   // a replay has no (more) reply for this stage
	FaultNoModel   FaultKind = "not_configured" // no endpoint is configured
)

// Fault is why a model gave no reply.
type Fault struct {
	Kind   FaultKind
	Status int    // HTTP status, or 0
	Text   string // one readable line; holds no key
	Err    error  // the cause, or nil
}

// Error is one readable line.
func (f *Fault) Error() string { return "model: " + f.Text }

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.Err }
