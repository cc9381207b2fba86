package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/session"
	"claimscope/engine/tool"
	"claimscope/engine/trace"
)

// firstInvocation is the first invocation id of a session: ids are told apart from
// positions at a glance.
const firstInvocation = 101

// maxParallel is how many calls of one message run at the same time.
const maxParallel = 8

// Frozen answers tool calls from a recording (spec E4): the n-th call with the same
// tool and canonical arguments gets the n-th recorded reply with its refs and ids.
type Frozen struct {
	replay *session.ToolReplay
	traces []trace.Trace
}

// NewFrozen answers from recorded traces, which are in call order. Those that the run
// starts with (Start.Traces) must not be among them: they are used up.
func NewFrozen(traces []trace.Trace) *Frozen {
	return &Frozen{replay: session.NewToolReplay(traces), traces: traces}
}

// kind is what the named tool's recorded outputs can prove.
func (f *Frozen) kind(name string) trace.Kind {
	for _, t := range f.traces {
		if t.ToolName == name {
			return t.Kind
		}
	}
	return trace.Observation
}

// callBook assigns refs and invocation ids, and knows which calls were made before.
type callBook struct {
	lastRef int
	lastID  int64
	used    map[string]bool   // refs in use
	seen    map[string]string // canonical call to the ref of its first trace
}

func newCallBook(from Start, frozen *Frozen) callBook {
	b := callBook{lastRef: from.LastRef, lastID: max(from.LastID, firstInvocation-1), used: map[string]bool{}, seen: map[string]string{}}
	reserve := func(t trace.Trace) {
		b.lastRef = max(b.lastRef, refNumber(t.Ref))
		for _, id := range t.InvocationIDs {
			b.lastID = max(b.lastID, id)
		}
	}
	for _, t := range from.Traces {
		reserve(t)
		b.used[t.Ref] = true
		b.note(t.ToolName, t.Arguments, t.Ref)
	}
	if frozen != nil {
		for _, t := range frozen.traces {
			reserve(t)
		}
	}
	return b
}

// refNumber is the number of a trace_ref, 0 for one of another form.
func refNumber(ref string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(ref, "trace-"))
	if err != nil {
		return 0
	}
	return n
}

// next gives an unused ref and invocation id.
func (b *callBook) next() (string, int64) {
	b.lastRef++
	b.lastID++
	ref := fmt.Sprintf("trace-%d", b.lastRef)
	b.used[ref] = true
	return ref, b.lastID
}

// note gives the ref of an earlier call that was the same, or "" and remembers this one.
func (b *callBook) note(name string, arguments json.RawMessage, ref string) string {
	key := session.CallKey(name, arguments)
	if first, ok := b.seen[key]; ok {
		return first
	}
	b.seen[key] = ref
	return ""
}

// toolCaller runs the tool calls of a message: at the same time, but recorded in call
// order. It implements executor.Tools.
type toolCaller struct{ run *Run }

// slot is one call under way.
type slot struct {
	trace trace.Trace
	reply chan tool.Result // nil when the trace is complete already
	began time.Time
}

// Call implements executor.Tools.
func (c toolCaller) Call(ctx context.Context, calls []model.ToolCall) ([]trace.Trace, error) {
	limit := make(chan struct{}, maxParallel)
	slots := make([]*slot, 0, len(calls))
	for _, call := range calls {
		s, err := c.begin(ctx, call, limit)
		if err != nil {
			return nil, err
		}
		slots = append(slots, s)
	}
	traces := make([]trace.Trace, 0, len(calls))
	for _, s := range slots {
		if err := c.finish(ctx, s); err != nil {
			return nil, err
		}
		traces = append(traces, s.trace)
	}
	return traces, nil
}

// begin pauses where it should, gives the call its ref and ids, records it and
// starts it.
func (c toolCaller) begin(ctx context.Context, call model.ToolCall, limit chan struct{}) (*slot, error) {
	r := c.run
	skip, err := r.boundary(ctx, &Pending{Boundary: BeforeTool, Call: &call}, nil)
	if err != nil {
		return nil, err
	}
	arguments := rawArguments(call.Arguments)
	s := c.assign(call.Name, arguments)
	t := &s.trace
	called := event.ToolCalled{Ref: t.Ref, CallID: call.ID, ToolName: t.ToolName, Arguments: t.Arguments}
	if len(t.InvocationIDs) > 0 {
		called.InvocationID = t.InvocationIDs[0]
	}
	if err := r.emit(event.Executor, called); err != nil {
		return nil, err
	}
	s.began = r.cfg.Clock()
	if t.Status != "" {
		return s, nil // it came from the recording
	}
	t.Started = s.began
	switch {
	case skip:
		t.Status, t.Output = trace.Error, []byte("error: a person skipped this call\n")
	case r.cfg.Frozen != nil:
		t.Status = trace.NotRecorded
	case r.cfg.Tools == nil:
		t.Status, t.Output = trace.Error, []byte("error: there are no tools\n")
	default:
		s.reply = make(chan tool.Result, 1)
		go func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			s.reply <- r.cfg.Tools.Call(ctx, call.Name, arguments)
		}()
	}
	return s, nil
}

// assign makes the trace of a call: the recorded one, or a new one with the next
// ref and id.
func (c toolCaller) assign(name string, arguments json.RawMessage) *slot {
	r := c.run
	if r.cfg.Frozen != nil {
		if t, ok := r.cfg.Frozen.replay.Next(name, arguments); ok {
			if r.calls.used[t.Ref] {
				ref, id := r.calls.next()
				t.Ref, t.InvocationIDs = ref, []int64{id}
			}
			r.calls.used[t.Ref] = true
			t.Repeats = r.calls.note(name, arguments, t.Ref)
			return &slot{trace: t}
		}
	}
	ref, id := r.calls.next()
	t := trace.Trace{Ref: ref, ToolName: name, Arguments: arguments, InvocationIDs: []int64{id}, Kind: trace.Observation}
	switch {
	case r.cfg.Tools != nil:
		t.Kind = r.cfg.Tools.Kind(name)
	case r.cfg.Frozen != nil:
		t.Kind = r.cfg.Frozen.kind(name)
	}
	t.Repeats = r.calls.note(name, arguments, ref)
	return &slot{trace: t}
}

// finish waits for the call's result and records it.
func (c toolCaller) finish(ctx context.Context, s *slot) error {
	r := c.run
	if s.reply != nil {
		select {
		case res := <-s.reply:
			s.trace.Output, s.trace.Status, s.trace.Blocks = res.Output, res.Status, res.Blocks
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.trace.Duration = r.cfg.Clock().Sub(s.began)
	}
	r.traces = append(r.traces[:len(r.traces):len(r.traces)], s.trace)
	return r.emit(event.Executor, event.ToolReturned{Trace: s.trace})
}

// rawArguments gives one JSON value: the arguments as the model wrote them, an empty
// object for none, and for text that is no JSON that text as a JSON string.
func rawArguments(text string) json.RawMessage {
	text = strings.ToValidUTF8(text, "\uFFFD") // JSON checks let bad bytes through
	raw := bytes.TrimSpace([]byte(text))
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	if json.Valid(raw) {
		return raw
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return json.RawMessage(`""`) // a string always encodes
	}
	return quoted
}
