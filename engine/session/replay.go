package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/trace"
)

// Reply is one recorded answer of a model: a response, or a fault.
type Reply struct {
	Stage      event.Stage
	Attempt    int
	Request    model.Request
	Response   model.Response // when Fault is nil
	Fault      *model.Fault   // why no response came
	DurationMS float64
}

// Replies lists what the models answered, in order: what a replay model answers from
// (spec E5). A request that was never answered (the program was killed) is left out.
func (r *Recording) Replies() []Reply {
	var replies []Reply
	open := map[event.Stage]int{} // stage to the reply that waits, counted from 1
	var answered []bool
	for _, e := range r.Events {
		at := open[e.Stage]
		switch b := e.Body.(type) {
		case event.ModelRequest:
			replies = append(replies, Reply{Stage: e.Stage, Attempt: e.Attempt, Request: b.Request})
			answered = append(answered, false)
			open[e.Stage] = len(replies)
		case event.ModelResponse:
			if at == 0 {
				replies = append(replies, Reply{Stage: e.Stage, Attempt: e.Attempt})
				answered = append(answered, false)
				at = len(replies)
			}
			x := &replies[at-1]
			x.Response, x.DurationMS, x.Fault = b.Response, b.DurationMS, nil
			answered[at-1], open[e.Stage] = true, 0
		case event.StageFailed:
			if at > 0 {
				replies[at-1].Fault = &model.Fault{Kind: model.FaultKind(b.Kind), Text: b.Error}
				answered[at-1] = true
			}
		}
	}
	kept := replies[:0]
	for i, x := range replies {
		if answered[i] {
			kept = append(kept, x)
		}
	}
	return kept
}

// ToolReplay answers tool calls from a recording (spec E4): the n-th call with the
// same tool and canonical arguments gets the n-th recorded reply, with its ref and
// invocation ids. It is safe for concurrent use.
type ToolReplay struct {
	mu   sync.Mutex
	left map[string][]trace.Trace
}

// NewToolReplay answers from traces, which are in call order.
func NewToolReplay(traces []trace.Trace) *ToolReplay {
	t := &ToolReplay{left: map[string][]trace.Trace{}}
	for _, tr := range traces {
		key := CallKey(tr.ToolName, tr.Arguments)
		t.left[key] = append(t.left[key], tr)
	}
	return t
}

// Next gives the recorded reply to this call and uses it up; false when none is left.
func (t *ToolReplay) Next(tool string, arguments json.RawMessage) (trace.Trace, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := CallKey(tool, arguments)
	if len(t.left[key]) == 0 {
		return trace.Trace{}, false
	}
	tr := t.left[key][0]
	t.left[key] = t.left[key][1:]
	return tr, true
}

// CallKey tells tool calls apart: two calls have the same key when they go to the same
// tool with the same arguments, however those are written (see [canonicalJSON]).
func CallKey(tool string, arguments json.RawMessage) string {
	return tool + "\x00" + canonicalJSON(arguments)
}

// canonicalJSON gives a JSON value in one form: members sorted, no white space, numbers
// by value (1, 1.0 and 1e0 are one; integers beyond float64 keep their digits). What
// is no JSON is its own form, without the white space around it.
func canonicalJSON(raw json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return string(bytes.TrimSpace(raw))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return string(bytes.TrimSpace(raw))
	}
	// Maps are encoded with sorted keys.
	out, err := json.Marshal(canonical(v))
	if err != nil {
		return string(bytes.TrimSpace(raw))
	}
	return string(out)
}

func canonical(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k := range x {
			x[k] = canonical(x[k])
		}
	case []any:
		for i := range x {
			x[i] = canonical(x[i])
		}
	case json.Number:
		if n, err := strconv.ParseInt(x.String(), 10, 64); err == nil {
			return json.Number(strconv.FormatInt(n, 10))
		}
		f, err := x.Float64()
		if err != nil || !strings.ContainsAny(x.String(), ".eE") {
			return x
		}
		const exact = 1 << 53 // integers below are exact in float64
		if f == math.Trunc(f) && math.Abs(f) < exact {
			return json.Number(strconv.FormatInt(int64(f), 10))
		}
		return json.Number(fmt.Sprintf("%g", f))
	}
	return v
}
