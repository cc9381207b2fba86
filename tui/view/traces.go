package view

import (
	"slices"
	"time"

	"claimscope/engine/trace"
)

// Trace is one tool call of the session, as the panes list it.
type Trace struct {
	Index         int
	Attempt       int
	Ref           string
	Tool          string
	Arguments     string // JSON as the model wrote it
	InvocationIDs []int64
	Started       time.Time
	Duration      time.Duration
	Trace         *trace.Trace // nil while the call runs
	Claims        []int        // claims that cite it, by index

	seq int // of the event that called it
}

// Running reports whether the call has not come back.
func (t *Trace) Running() bool { return t.Trace == nil }

// Size is the length of the raw output in bytes.
func (t *Trace) Size() int {
	if t.Trace == nil {
		return 0
	}
	return len(t.Trace.Output)
}

// Citable reports whether the attempt shown may cite it: it is of this attempt or of
// an earlier one (spec P12).
func (v *View) Citable(t *Trace) bool { return t.Attempt <= v.Attempt.Number }

// traceRows lists the calls of all attempts, in call order.
func (v *View) traceRows() []Trace {
	var rows []Trace
	for i := range v.State.Attempts {
		a := &v.State.Attempts[i]
		for j := range a.Calls {
			c := &a.Calls[j]
			row := Trace{
				Index: len(rows), Attempt: a.Number, Ref: c.Ref, Tool: c.ToolName, Arguments: string(c.Arguments),
				Started: c.Started, Trace: c.Trace, seq: c.Seq,
			}
			if c.InvocationID != 0 {
				row.InvocationIDs = []int64{c.InvocationID}
			}
			if t := c.Trace; t != nil {
				row.Duration = t.Duration
				if len(t.InvocationIDs) > 0 {
					row.InvocationIDs = t.InvocationIDs
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// link notes which claims cite which traces.
func (v *View) link() {
	for i := range v.Claims {
		for j := range v.Claims[i].Bindings {
			if t := v.Trace(v.Claims[i].Bindings[j].TraceRef); t != nil && !slices.Contains(t.Claims, i) {
				t.Claims = append(t.Claims, i)
			}
		}
	}
}

// TracesSize is how many traces with an output the attempt may cite, and how many bytes
// they hold.
func (v *View) TracesSize() (traces, bytes int) {
	for i := range v.Traces {
		if v.Citable(&v.Traces[i]) && v.Traces[i].Size() > 0 {
			traces++
			bytes += v.Traces[i].Size()
		}
	}
	return traces, bytes
}
