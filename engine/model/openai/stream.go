package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"claimscope/engine/model"
)

// maxToolCalls bounds the tool calls of one message.
const maxToolCalls = 128

var (
	errNoChoice   = errors.New("the stream ended without a choice")
	errUnfinished = errors.New("the stream ended before the reply did")
	errToolCalls  = fmt.Errorf("more than %d tool calls in one message", maxToolCalls)
)

// collector puts a reply together from its deltas.
type collector struct {
	content, reasoning strings.Builder
	calls              map[int]*model.ToolCall
	finish             model.FinishReason
	usage              model.Usage
	name               string
	choices            int
	onDelta            func(model.Delta)
}

// collect reads the stream to its end.
func collect(stream *goopenai.ChatCompletionStream, onDelta func(model.Delta)) (model.Response, error) {
	c := collector{calls: map[int]*model.ToolCall{}, onDelta: onDelta}
	for {
		raw, err := stream.RecvRaw()
		if errors.Is(err, io.EOF) {
			return c.response()
		}
		if err != nil {
			return model.Response{}, err
		}
		if len(raw) == 0 {
			continue // an event without data keeps the connection alive
		}
		var part goopenai.ChatCompletionStreamResponse
		if err := json.Unmarshal(raw, &part); err != nil {
			return model.Response{}, err
		}
		if err := addReasoning(&part, raw); err != nil {
			return model.Response{}, err
		}
		if err := c.take(part); err != nil {
			return model.Response{}, err
		}
	}
}

// addReasoning takes the reasoning that the library does not know: vLLM (since 0.11),
// Ollama and OpenRouter name it reasoning. Where both names come they say the same.
func addReasoning(part *goopenai.ChatCompletionStreamResponse, raw []byte) error {
	if !bytes.Contains(raw, []byte(`"reasoning"`)) {
		return nil
	}
	var extra struct {
		Choices []struct {
			Delta struct {
				Reasoning json.RawMessage `json:"reasoning"`
			} `json:"delta"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(raw, &extra); err != nil {
		return err
	}
	for i := range min(len(extra.Choices), len(part.Choices)) {
		var text string
		delta := &part.Choices[i].Delta
		if delta.ReasoningContent == "" && json.Unmarshal(extra.Choices[i].Delta.Reasoning, &text) == nil {
			delta.ReasoningContent = text
		}
	}
	return nil
}

func (c *collector) emit(d model.Delta) {
	if c.onDelta != nil {
		c.onDelta(d)
	}
}

func (c *collector) take(part goopenai.ChatCompletionStreamResponse) error {
	if part.Model != "" {
		c.name = part.Model
	}
	if u := part.Usage; u != nil {
		c.usage = model.Usage{PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens}
		if d := u.CompletionTokensDetails; d != nil {
			c.usage.ReasoningTokens = d.ReasoningTokens
		}
		if d := u.PromptTokensDetails; d != nil {
			c.usage.CachedTokens = d.CachedTokens
		}
	}
	for _, choice := range part.Choices {
		if choice.Index != 0 {
			continue // one choice was asked for
		}
		c.choices++
		if s := choice.Delta.ReasoningContent; s != "" {
			c.reasoning.WriteString(s)
			c.emit(model.Delta{Reasoning: s})
		}
		if s := choice.Delta.Content; s != "" {
			c.content.WriteString(s)
			c.emit(model.Delta{Content: s})
		}
		for _, call := range choice.Delta.ToolCalls {
			if err := c.call(call); err != nil {
				return err
			}
		}
		if choice.FinishReason != "" {
			c.finish = finishOf(string(choice.FinishReason))
		}
	}
	return nil
}

// call takes a piece of a tool call. Pieces belong together by index; an endpoint
// that sends no index sends whole calls, each with an id of its own.
func (c *collector) call(piece goopenai.ToolCall) error {
	index := len(c.calls) - 1
	if piece.Index != nil {
		index = *piece.Index
	} else if last, ok := c.calls[index]; !ok || piece.ID != "" && piece.ID != last.ID {
		index++
	}
	call, ok := c.calls[index]
	if !ok {
		if len(c.calls) == maxToolCalls {
			return errToolCalls
		}
		call = &model.ToolCall{}
		c.calls[index] = call
	}
	if piece.ID != "" {
		call.ID = piece.ID
	}
	if call.Name == "" {
		call.Name = piece.Function.Name
		c.emit(model.Delta{ToolIndex: index, ToolName: call.Name})
	}
	if s := piece.Function.Arguments; s != "" {
		call.Arguments += s
		c.emit(model.Delta{ToolIndex: index, ToolArguments: s})
	}
	return nil
}

func finishOf(reason string) model.FinishReason {
	switch f := model.FinishReason(reason); f {
	case model.FinishStop, model.FinishToolCalls, model.FinishLength, model.FinishContentFilter:
		return f
	case model.FinishUnknown:
	}
	if reason == "function_call" {
		return model.FinishToolCalls
	}
	return model.FinishUnknown
}

// response is the whole reply. A stream that stopped before it said why is no reply.
func (c *collector) response() (model.Response, error) {
	if c.choices == 0 {
		return model.Response{}, errNoChoice
	}
	if c.finish == "" {
		return model.Response{}, errUnfinished
	}
	m := model.Message{Role: model.Assistant, Content: c.content.String(), Reasoning: c.reasoning.String()}
	order := make([]int, 0, len(c.calls))
	for i := range c.calls {
		order = append(order, i)
	}
	sort.Ints(order)
	for n, i := range order {
		call := *c.calls[i]
		if call.ID == "" {
			call.ID = fmt.Sprintf("call-%d", n+1)
		}
		m.ToolCalls = append(m.ToolCalls, call)
	}
	if len(m.ToolCalls) > 0 && c.finish == model.FinishStop {
		c.finish = model.FinishToolCalls // some endpoints say stop
	}
	return model.Response{Message: m, Finish: c.finish, Usage: c.usage, Model: c.name}, nil
}
