package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"time"

	"claimscope/engine/trace"
)

// Limits bound one tool call.
type Limits struct {
	Timeout     time.Duration // for one call; 0 means none
	OutputBytes int           // raw output kept, in bytes; 0 means no bound
}

// DefaultLimits suit an interactive run.
func DefaultLimits() Limits {
	return Limits{Timeout: 60 * time.Second, OutputBytes: 16 << 20}
}

// Registry holds the callable tools of a run and guards their edge: it checks
// arguments, bounds time and output, masks secrets and turns panics into errors.
type Registry struct {
	tools  map[string]Tool
	mask   func([]byte) []byte
	limits Limits
}

// NewRegistry makes a registry. The mask is applied once to every output; nil
// masks nothing.
func NewRegistry(mask func([]byte) []byte, limits Limits, tools ...Tool) *Registry {
	r := &Registry{tools: make(map[string]Tool, len(tools)), mask: mask, limits: limits}
	for _, t := range tools {
		r.tools[t.Spec().Name] = t
	}
	return r
}

// Specs lists the tools by name.
func (r *Registry) Specs() []Spec {
	specs := make([]Spec, 0, len(r.tools))
	for _, t := range r.tools {
		specs = append(specs, t.Spec())
	}
	sort.Slice(specs, func(i, j int) bool { return specs[i].Name < specs[j].Name })
	return specs
}

// Kind is what the named tool's output can prove; Observation for an unknown tool.
func (r *Registry) Kind(name string) trace.Kind {
	if t, ok := r.tools[name]; ok {
		return t.Spec().Kind
	}
	return trace.Observation
}

// Call runs the named tool. It always returns a result: an unknown tool, arguments
// that are no JSON object, a broken tool or a time-out become one with the matching
// status and a readable output. Cancellation of ctx by the caller yields Error.
func (r *Registry) Call(ctx context.Context, name string, arguments json.RawMessage) Result {
	t, ok := r.tools[name]
	if !ok {
		return failure(trace.Error, "unknown tool %q; known tools: %s", name, r.names())
	}
	args := bytes.TrimSpace(arguments)
	if len(args) == 0 {
		args = []byte("{}")
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(args, &object); err != nil || object == nil {
		return failure(trace.Error, "malformed arguments: want one JSON object, got %s", abridge(args))
	}
	parent := ctx
	if r.limits.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.limits.Timeout)
		defer cancel()
	}
	res, err := protect(ctx, t, args)
	switch {
	case err == nil:
	case errors.Is(err, context.DeadlineExceeded) && parent.Err() == nil:
		res = failure(trace.Timeout, "the call took longer than %s and was stopped", r.limits.Timeout)
	default:
		res = failure(trace.Error, "%v", err)
	}
	return r.guard(res)
}

// protect runs the tool and turns a panic into an error.
func protect(ctx context.Context, t Tool, args json.RawMessage) (res Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("tool %s broke: %v", t.Spec().Name, p)
		}
	}()
	return t.Call(ctx, args)
}

// guard masks secrets and bounds the output. Block spans point into the output as
// the tool made it, so blocks are masked one by one, and their spans moved.
func (r *Registry) guard(res Result) Result {
	if r.mask != nil {
		res = maskResult(res, r.mask)
	}
	if max := r.limits.OutputBytes; max > 0 && len(res.Output) > max {
		cut := runeStart(res.Output, max)
		note := fmt.Sprintf("\n[output cut: %d of %d bytes kept]\n", cut, len(res.Output))
		res.Output = append(bytes.Clone(res.Output[:cut]), note...)
		kept := res.Blocks[:0:0]
		for _, b := range res.Blocks {
			if b.Span.End <= cut {
				kept = append(kept, b)
			}
		}
		res.Blocks = kept
	}
	if res.Status == trace.OK && len(bytes.TrimSpace(res.Output)) == 0 {
		res.Status = trace.Empty
	}
	return res
}

// maskResult masks the text between block borders piece by piece, so that the
// borders stay known where masking changes lengths.
func maskResult(res Result, mask func([]byte) []byte) Result {
	borders := []int{0, len(res.Output)}
	for _, b := range res.Blocks {
		borders = append(borders, b.Span.Start, b.Span.End)
	}
	sort.Ints(borders)
	moved := map[int]int{0: 0}
	out := make([]byte, 0, len(res.Output))
	for i := 1; i < len(borders); i++ {
		from, to := borders[i-1], borders[i]
		if from < to {
			out = append(out, mask(res.Output[from:to])...)
		}
		moved[to] = len(out)
	}
	blocks := make([]trace.Block, len(res.Blocks))
	for i, b := range res.Blocks {
		b.Span = trace.Span{Start: moved[b.Span.Start], End: moved[b.Span.End]}
		blocks[i] = b
	}
	return Result{Output: out, Status: res.Status, Blocks: blocks}
}

func (r *Registry) names() string {
	var b bytes.Buffer
	for i, s := range r.Specs() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.Name)
	}
	return b.String()
}

func failure(status trace.Status, format string, args ...any) Result {
	return Result{Output: fmt.Appendf(nil, "error: "+format+"\n", args...), Status: status}
}

// abridge shows the head of bytes that may be anything.
func abridge(b []byte) string {
	const max = 120
	if len(b) > max {
		return fmt.Sprintf("%q…", b[:max])
	}
	return fmt.Sprintf("%q", b)
}

// runeStart is the greatest offset up to max that does not cut a UTF-8 sequence.
func runeStart(b []byte, max int) int {
	for i := max; i > max-4 && i > 0; i-- {
		if b[i]&0xC0 != 0x80 {
			return i
		}
	}
	return max
}
