// Package trace holds tool traces: what was asked of a tool, what came back byte
// for byte, and the bounded summary that a Verifier may see.
//
// The package is pure. It imports nothing of ours.
package trace

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
)

// Kind says what a tool's output can prove. It is declared by the tool.
type Kind string

// The evidence kinds. Only an Observation shows the present.
const (
	Observation Kind = "observation"
	Knowledge   Kind = "knowledge"
	Skill       Kind = "skill"
	History     Kind = "history"
)

// Status is the outcome of a tool call.
type Status string

// The outcomes of a tool call.
const (
	OK          Status = "ok"
	Error       Status = "error"
	Empty       Status = "empty"
	Timeout     Status = "timeout"
	NotRecorded Status = "not_recorded" // a frozen re-run asked what was never recorded (spec E4)
)

// Span is a half-open range of byte offsets into a raw output.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Block is one evidence block of a knowledge lookup.
type Block struct {
	BlockID  string  `json:"block_id"`
	Document string  `json:"document"`
	Heading  string  `json:"heading"`
	Span     Span    `json:"span"` // its text in the output
	Score    float64 `json:"score"`
}

// Trace is one tool call with its reply. Output is immutable once recorded.
type Trace struct {
	Ref           string // trace-1, trace-2 … in call order, unique in a session
	ToolName      string
	Arguments     json.RawMessage // one JSON value, as the model wrote it
	InvocationIDs []int64
	Status        Status
	Started       time.Time
	Duration      time.Duration
	Output        []byte // raw bytes, after secrets were masked at the tool's edge
	Kind          Kind
	Blocks        []Block
	Repeats       string // ref of an earlier trace with the same call, or "" (spec T4)
	// Unavailable is true when the raw output was never imported: Output then holds
	// the summary's extract, and nothing absent from it can be called fabricated.
	Unavailable bool
	// KindGuessed is true when an import did not declare the evidence kind.
	KindGuessed bool
}

// Wire is the JSON form of a trace (spec T1, I4), for codecs that nest it: encoding
// it directly saves a second pass over the output.
type Wire struct {
	Ref           string          `json:"trace_ref"`
	ToolName      string          `json:"tool_name"`
	Arguments     json.RawMessage `json:"arguments,omitempty"`
	InvocationIDs []int64         `json:"invocation_ids"`
	Status        Status          `json:"status"`
	Started       *time.Time      `json:"started_at,omitempty"`
	DurationMS    float64         `json:"duration_ms,omitempty"`
	Output        string          `json:"output"`
	OutputBase64  string          `json:"output_base64,omitempty"` // instead of output when that is not UTF-8
	Kind          Kind            `json:"evidence_kind,omitempty"`
	Blocks        []Block         `json:"evidence_blocks,omitempty"`
	Repeats       string          `json:"repeats,omitempty"`
	Unavailable   bool            `json:"output_unavailable,omitempty"`
}

// Wire gives the JSON form. Output that is not valid UTF-8 goes to output_base64, so
// that no byte is lost.
func (t Trace) Wire() Wire {
	w := Wire{
		Ref: t.Ref, ToolName: t.ToolName, Arguments: t.Arguments, InvocationIDs: t.InvocationIDs,
		Status: t.Status, DurationMS: float64(t.Duration) / float64(time.Millisecond),
		Kind: t.Kind, Blocks: t.Blocks, Repeats: t.Repeats, Unavailable: t.Unavailable,
	}
	if w.InvocationIDs == nil {
		w.InvocationIDs = []int64{}
	}
	if t.KindGuessed {
		w.Kind = ""
	}
	if !t.Started.IsZero() {
		w.Started = &t.Started
	}
	if utf8.Valid(t.Output) {
		w.Output = string(t.Output)
	} else {
		w.OutputBase64 = base64.StdEncoding.EncodeToString(t.Output)
	}
	return w
}

// MarshalJSON writes the form of spec T1.
func (t Trace) MarshalJSON() ([]byte, error) {
	// Arguments keep their <, > and &: they are text that excerpts are looked for in.
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t.Wire()); err != nil {
		return nil, fmt.Errorf("trace %s: %w", t.Ref, err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// UnmarshalJSON reads the form of spec T1: see Wire.Trace.
func (t *Trace) UnmarshalJSON(data []byte) error {
	var w Wire
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	read, err := w.Trace()
	if err != nil {
		return err
	}
	*t = read
	return nil
}

// Trace reads the JSON form. A missing status is read as ok or, for
// no output, empty; a missing evidence kind follows from the tool's name and is
// marked as guessed.
func (w Wire) Trace() (Trace, error) { return w.TraceOf([]byte(w.Output)) }

// TraceOf is Trace with an output from elsewhere, which is not copied.
func (w Wire) TraceOf(output []byte) (Trace, error) {
	t := Trace{
		Ref: w.Ref, ToolName: w.ToolName, Arguments: w.Arguments, InvocationIDs: w.InvocationIDs,
		Status: w.Status, Duration: time.Duration(math.Round(w.DurationMS * float64(time.Millisecond))),
		Output: output, Kind: w.Kind, Blocks: w.Blocks, Repeats: w.Repeats, Unavailable: w.Unavailable,
	}
	if w.Started != nil {
		t.Started = *w.Started
	}
	if w.OutputBase64 != "" {
		raw, err := base64.StdEncoding.DecodeString(w.OutputBase64)
		if err != nil {
			return Trace{}, fmt.Errorf("trace %s: output_base64: %w", w.Ref, err)
		}
		t.Output = raw
	}
	switch t.Status {
	case OK, Error, Empty, Timeout, NotRecorded:
	case "":
		t.Status = OK
		if len(t.Output) == 0 {
			t.Status = Empty
		}
	default:
		return Trace{}, fmt.Errorf("trace %s: unknown status %q", w.Ref, w.Status)
	}
	for _, b := range t.Blocks {
		if b.Span.Start < 0 || b.Span.End < b.Span.Start || b.Span.End > len(t.Output) {
			return Trace{}, fmt.Errorf("trace %s: block %s: span %d..%d lies outside the output of %d bytes",
				w.Ref, b.BlockID, b.Span.Start, b.Span.End, len(t.Output))
		}
	}
	switch t.Kind {
	case Observation, Knowledge, Skill, History:
	case "":
		t.Kind, t.KindGuessed = guessKind(w.ToolName), true
	default:
		return Trace{}, fmt.Errorf("trace %s: unknown evidence_kind %q", w.Ref, w.Kind)
	}
	return t, nil
}
