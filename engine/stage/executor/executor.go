// Package executor is the stage that gathers evidence with tools in a bounded loop
// and ends with one message, which should be the evidence contract (spec P3).
package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/model"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// Stage is the stage's name in model requests.
const Stage = "executor"

// Limits bound the loop. A value of 0 means none.
type Limits struct {
	Rounds int // messages with tool calls
	Calls  int // tool calls
	Tokens int // prompt and completion tokens, as the model counts them
	// ShownRunes bounds the part of one tool output that the model is shown, and
	// EarlierRunes all outputs of earlier attempts together, in runes.
	ShownRunes   int
	EarlierRunes int
}

// DefaultLimits suit an incident diagnosis.
func DefaultLimits() Limits {
	return Limits{Rounds: 12, Calls: 32, Tokens: 400_000, ShownRunes: 20_000, EarlierRunes: 40_000}
}

// Input is what the Executor works from.
type Input struct {
	Query   string
	Plan    string
	Now     string // the current time as the prompt shows it
	Version contract.Version
	Tools   []model.ToolSpec
	Kinds   []prompts.Tool        // the tools as the prompt names them
	Retry   *verdict.RetryContext // nil in the first attempt
	Earlier []trace.Trace         // traces of earlier attempts, which stay citable
	Limits  Limits
	Params  model.Params
	Schema  json.RawMessage // JSON Schema of the contract, for JSON modes
	Attempt int
}

// Tools runs tool calls.
type Tools interface {
	// Call runs the calls of one message and gives their traces, in call order.
	// Whatever is wrong with a call is told by its trace; an error ends the run.
	Call(ctx context.Context, calls []model.ToolCall) ([]trace.Trace, error)
}

// Output is what the stage gives.
type Output struct {
	Message string // the last message as it came
	Finish  model.FinishReason
	Rounds  int
	Calls   int
	// Bound says which limit ended the gathering, or is "".
	Bound string
}

// Request builds the first request of an attempt.
func Request(set *prompts.Set, in Input) (model.Request, error) {
	system, err := set.Executor(prompts.ExecutorData{
		Now: in.Now, Tools: in.Kinds, Version: string(in.Version), V1: in.Version == contract.V1,
		ExcerptRunes: contract.MaxExcerptRunes, MaxRounds: in.Limits.Rounds, MaxCalls: in.Limits.Calls,
		Attempt: in.Attempt, Retry: in.Retry != nil,
	})
	if err != nil {
		return model.Request{}, err
	}
	user, err := userMessage(in)
	if err != nil {
		return model.Request{}, err
	}
	return model.Request{
		Stage: Stage, Attempt: in.Attempt, Params: in.Params, Tools: in.Tools, Schema: in.Schema,
		Messages: []model.Message{{Role: model.System, Content: system}, {Role: model.User, Content: user}},
	}, nil
}

func userMessage(in Input) (string, error) {
	var b strings.Builder
	b.WriteString("## 用户问题\n\n" + in.Query + "\n")
	if in.Plan != "" {
		b.WriteString("\n## 计划（仅供参考，不是证据）\n\n" + in.Plan + "\n")
	}
	if in.Retry != nil {
		var rc strings.Builder
		enc := json.NewEncoder(&rc)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(in.Retry); err != nil {
			return "", fmt.Errorf("executor: retry context: %w", err)
		}
		b.WriteString("\n## retry_context\n\n" + rc.String())
	}
	if len(in.Earlier) > 0 {
		b.WriteString("\n## 之前已有的工具结果（可以引用）\n")
		each := in.Limits.EarlierRunes / len(in.Earlier)
		for _, t := range in.Earlier {
			b.WriteString("\n" + Show(t, each) + "\n")
		}
	}
	return b.String(), nil
}

// Messages that the loop adds. They are the program's, so they are constant.
const (
	askOutput = "请现在输出最终的证据契约 JSON 对象，不要再调用工具。"
	askAgain  = "你的最终输出是空的。请输出证据契约 JSON 对象。"
	refused   = "[没有执行：工具调用次数已用完]"
)

// Run drives the loop from the first request on. Model faults and errors of tools
// come back as they are, together with what was reached.
func Run(ctx context.Context, m model.Model, tools Tools, req model.Request, limits Limits) (Output, error) {
	var out Output
	var usage model.Usage
	again := false
	for {
		resp, err := m.Chat(ctx, req, nil)
		if err != nil {
			return out, err
		}
		usage = usage.Add(resp.Usage)
		out.Message, out.Finish = resp.Message.Content, resp.Finish
		// Without tools on offer a call is no call: what was said is the output.
		if len(resp.Message.ToolCalls) == 0 || len(req.Tools) == 0 {
			if said(resp.Message.Content) != "" || again {
				return out, nil
			}
			again = true
			req.Messages = extend(req.Messages, model.Message{Role: model.User, Content: askAgain})
			continue
		}
		out.Rounds++
		allowed := resp.Message.ToolCalls
		if limits.Calls > 0 {
			allowed = allowed[:min(len(allowed), limits.Calls-out.Calls)]
		}
		out.Calls += len(allowed)
		traces, err := tools.Call(ctx, allowed)
		if err != nil {
			return out, err
		}
		req.Messages = extend(req.Messages, replies(resp.Message, traces, limits)...)
		out.Bound = limits.reached(out, usage)
		if out.Bound != "" {
			req.Tools = nil
			req.Messages = append(req.Messages, model.Message{Role: model.User, Content: askOutput})
		}
	}
}

// said is a message without its reasoning blocks.
func said(content string) string {
	answer, _ := contract.FinalAnswer([]byte(content))
	return strings.TrimSpace(string(answer))
}

// replies gives the assistant's message and one tool message for each of its calls.
func replies(msg model.Message, traces []trace.Trace, limits Limits) []model.Message {
	msg.Content = said(msg.Content)
	out := []model.Message{msg}
	for i, call := range msg.ToolCalls {
		content := refused
		if i < len(traces) {
			content = Show(traces[i], limits.ShownRunes)
		}
		out = append(out, model.Message{Role: model.ToolRole, ToolCallID: call.ID, Content: content})
	}
	return out
}

// extend copies: the requests that were recorded share no memory with the next one.
func extend(messages []model.Message, more ...model.Message) []model.Message {
	return append(messages[:len(messages):len(messages)], more...)
}

// reached names the limit that is used up, or gives "".
func (l Limits) reached(out Output, usage model.Usage) string {
	switch {
	case l.Calls > 0 && out.Calls >= l.Calls:
		return fmt.Sprintf("%d tool calls", l.Calls)
	case l.Rounds > 0 && out.Rounds >= l.Rounds:
		return fmt.Sprintf("%d rounds of tool calls", l.Rounds)
	case l.Tokens > 0 && usage.Total() >= l.Tokens:
		return fmt.Sprintf("%d tokens", l.Tokens)
	}
	return ""
}
