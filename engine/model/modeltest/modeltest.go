// Package modeltest is a scripted model for tests. It answers each stage from a
// queue, keeps every request it was sent, and can fault or hang on demand.
package modeltest

import (
	"context"
	"fmt"
	"sync"

	"claimscope/engine/model"
)

// Reply is one scripted outcome.
type Reply struct {
	Content   string
	Reasoning string
	Calls     []model.ToolCall
	Finish    model.FinishReason // "" means stop, or tool_calls when there are calls
	Usage     model.Usage
	Fault     *model.Fault // instead of a reply
	// Hang waits until the context ends, after the first piece of the stream was sent.
	Hang bool
}

// Text is a plain reply.
func Text(content string) Reply { return Reply{Content: content} }

// Call is a reply that calls one tool.
func Call(name, arguments string) Reply {
	return Reply{Calls: []model.ToolCall{{Name: name, Arguments: arguments}}}
}

// Model answers from scripts. The zero value answers nothing; it is safe for
// concurrent use.
type Model struct {
	mu       sync.Mutex
	queues   map[string][]Reply
	requests []model.Request
	calls    int
	hanging  chan struct{}
}

// New makes a model without replies.
func New() *Model {
	return &Model{queues: map[string][]Reply{}, hanging: make(chan struct{}, 16)}
}

// On queues replies for a stage, in any attempt, and returns the model.
func (m *Model) On(stage string, replies ...Reply) *Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queues[stage] = append(m.queues[stage], replies...)
	return m
}

// Requests are the requests so far, in order of arrival.
func (m *Model) Requests() []model.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]model.Request(nil), m.requests...)
}

// To are the requests of one stage.
func (m *Model) To(stage string) []model.Request {
	var out []model.Request
	for _, r := range m.Requests() {
		if r.Stage == stage {
			out = append(out, r)
		}
	}
	return out
}

// Left counts the replies that nobody asked for yet, by stage.
func (m *Model) Left() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := map[string]int{}
	for stage, q := range m.queues {
		if len(q) > 0 {
			left[stage] = len(q)
		}
	}
	return left
}

// Hanging receives a value each time a request hangs.
func (m *Model) Hanging() <-chan struct{} { return m.hanging }

// Chat gives the next reply of the request's stage, or a Fault of kind
// FaultExhausted.
func (m *Model) Chat(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Response, error) {
	r, n, ok := m.take(req)
	if !ok {
		return model.Response{}, &model.Fault{Kind: model.FaultExhausted, Text: fmt.Sprintf("no scripted reply left for stage %s", req.Stage)}
	}
	if r.Fault != nil {
		return model.Response{}, r.Fault
	}
	msg := model.Message{Role: model.Assistant, Content: r.Content, Reasoning: r.Reasoning}
	for i, c := range r.Calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("call-%d-%d", n, i+1)
		}
		msg.ToolCalls = append(msg.ToolCalls, c)
	}
	if onDelta != nil {
		onDelta(model.Delta{Content: r.Content, Reasoning: r.Reasoning})
	}
	if r.Hang {
		m.hanging <- struct{}{}
		<-ctx.Done()
	}
	if err := ctx.Err(); err != nil {
		return model.Response{}, err
	}
	finish := r.Finish
	if finish == "" {
		finish = model.FinishStop
		if len(msg.ToolCalls) > 0 {
			finish = model.FinishToolCalls
		}
	}
	return model.Response{Message: msg, Finish: finish, Usage: r.Usage, Model: "scripted"}, nil
}

func (m *Model) take(req model.Request) (Reply, int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, req)
	m.calls++
	q := m.queues[req.Stage]
	if len(q) == 0 {
		return Reply{}, m.calls, false
	}
	m.queues[req.Stage] = q[1:]
	return q[0], m.calls, true
}
