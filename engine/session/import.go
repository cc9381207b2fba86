package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"claimscope/engine/gate"
	"claimscope/engine/redact"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// Format is a kind of file that sessions come in from.
type Format string

// The formats.
const (
	FormatCase     Format = "case"     // claimscope_case_v1 (spec I4)
	FormatSnapshot Format = "snapshot" // a Verifier payload (spec P7), perhaps with its evaluation
)

// Formats lists the formats.
func Formats() []Format { return []Format{FormatCase, FormatSnapshot} }

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	return "", fmt.Errorf("unknown format %q: want one of %v", name, Formats())
}

// CaseVersion is the case_version of a case file.
const CaseVersion = "claimscope_case_v1"

// Limits of an import.
const (
	MaxImportBytes = 256 << 20 // of the file, and of each raw output attached to it
	maxTraces      = 10_000
)

// ErrTooLarge says that an imported file is beyond its limit.
var ErrTooLarge = errors.New("larger than 256 MiB")

// ImportOptions are what an import needs beside the bytes.
type ImportOptions struct {
	Name   string // of the file, for errors; "-" for standard input
	Format Format
	// Traces is a folder of raw outputs named by trace ref (trace-1.txt, trace-1); nil for none.
	Traces  fs.FS
	Redact  *redact.Redactor // nil: the known shapes only
	Gate    gate.Policy
	Policy  verdict.Policy
	Program string // version of the program, for the header
	Now     time.Time
}

// imported is what any format comes down to.
type imported struct {
	id, query  string
	traces     []trace.Trace
	message    string
	retry      *verdict.RetryContext
	payload    json.RawMessage // of a snapshot
	evaluation json.RawMessage // of a snapshot that has one
}

// Import reads a file from elsewhere into a session: the Executor's output with its
// traces, parsed and gated, then the recorded verifier result and decision where there
// are any. Secrets are masked on the way in (spec H2). The session's id is that of the
// file where it can be one; Store.Save gives it a new one. Errors are *ImportError.
func Import(data []byte, o ImportOptions) (*Recording, error) {
	if len(data) > MaxImportBytes {
		return nil, &ImportError{File: o.Name, Err: ErrTooLarge}
	}
	root, err := parseDocument(o.Name, data)
	if err != nil {
		return nil, err
	}
	var in imported
	switch o.Format {
	case FormatCase:
		in, err = readCase(root)
	case FormatSnapshot:
		in, err = readSnapshot(root)
	default:
		err = fmt.Errorf("unknown format %q", o.Format)
	}
	if err != nil {
		return nil, err
	}
	if o.Traces != nil {
		if err := attach(in.traces, o.Traces); err != nil {
			return nil, &ImportError{File: o.Name, Err: err}
		}
	}
	in.mask(o.Redact)
	return in.record(o), nil
}

// DetectFormat tells which format a file has by its members, or false.
func DetectFormat(data []byte) (Format, bool) {
	root, err := parseDocument("", data)
	if err != nil {
		return "", false
	}
	members, err := root.object()
	if err != nil {
		return "", false
	}
	if _, ok := members["case_version"]; ok {
		return FormatCase, true
	}
	if _, ok := members["tool_trace_summary"]; ok {
		return FormatSnapshot, true
	}
	return "", false
}

// readCase reads a case file (spec I4). Members that it does not know are left alone.
func readCase(root value) (in imported, err error) {
	m, err := root.object()
	if err != nil {
		return in, err
	}
	version, ok := m["case_version"]
	if !ok {
		return in, root.fail("no case_version: want %q", CaseVersion)
	}
	if v, err := version.text(); err != nil || v != CaseVersion {
		return in, version.fail("want %q", CaseVersion)
	}
	if in.id, err = m["id"].text(); err != nil {
		return in, err
	}
	if in.query, err = required(root, m, "original_query"); err != nil {
		return in, err
	}
	if in.message, err = required(root, m, "executor_final_answer"); err != nil {
		return in, err
	}
	list, ok := m["traces"]
	if !ok {
		return in, root.fail("no traces (an empty array says that there are none)")
	}
	if in.traces, err = readTraces(list); err != nil {
		return in, err
	}
	in.retry, err = readRetry(m["retry_context"])
	return in, err
}

// required gives a string member that must be there; it may be empty.
func required(object value, m map[string]value, name string) (string, error) {
	v, ok := m[name]
	if !ok {
		return "", object.fail("no %s", name)
	}
	if v.kind() != "a string" {
		return "", v.fail("is %s, not a string", v.kind())
	}
	return v.text()
}

func readRetry(v value) (*verdict.RetryContext, error) {
	if v.null() {
		return nil, nil
	}
	var rc verdict.RetryContext
	if err := v.into(&rc); err != nil {
		return nil, err
	}
	const most = 1000
	if rc.Attempt < 0 || rc.Attempt > most {
		return nil, v.fail("attempt %d is no attempt", rc.Attempt)
	}
	return &rc, nil
}

// readTraces reads traces in the form of spec T1: each with its own ref.
func readTraces(list value) ([]trace.Trace, error) {
	return eachTrace(list, func(item value, m map[string]value, _ string) (trace.Trace, error) {
		if _, err := required(item, m, "tool_name"); err != nil {
			return trace.Trace{}, err
		}
		var w trace.Wire // its Trace would check and decode the item a second time
		if err := item.into(&w); err != nil {
			return trace.Trace{}, err
		}
		t, err := w.Trace()
		if err != nil {
			return trace.Trace{}, item.fail("%w", err)
		}
		return t, nil
	})
}

// eachTrace reads an array of traces, at most maxTraces. Each item is an object with a
// ref of its own; read makes the trace from the item, its members and the ref.
func eachTrace(list value, read func(item value, m map[string]value, ref string) (trace.Trace, error)) ([]trace.Trace, error) {
	items, err := list.array()
	if err != nil {
		return nil, err
	}
	if len(items) > maxTraces {
		return nil, list.fail("%d traces, at most %d are read", len(items), maxTraces)
	}
	seen := map[string]bool{}
	traces := make([]trace.Trace, 0, len(items))
	for _, item := range items {
		m, err := item.object()
		if err != nil {
			return nil, err
		}
		ref, err := uniqueRef(item, m, seen)
		if err != nil {
			return nil, err
		}
		t, err := read(item, m, ref)
		if err != nil {
			return nil, err
		}
		traces = append(traces, t)
	}
	return traces, nil
}

// uniqueRef gives the trace_ref of an item, which no earlier item has.
func uniqueRef(item value, m map[string]value, seen map[string]bool) (string, error) {
	ref, err := required(item, m, "trace_ref")
	switch {
	case err != nil:
		return "", err
	case strings.TrimSpace(ref) == "":
		return "", m["trace_ref"].fail("is empty")
	case seen[ref]:
		return "", m["trace_ref"].fail("%q is the ref of an earlier trace", ref)
	}
	seen[ref] = true
	return ref, nil
}

// attach puts raw outputs in the place of what was imported. A file belongs to the
// trace whose ref is its name, with or without an extension.
func attach(traces []trace.Trace, folder fs.FS) error {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return fmt.Errorf("folder of raw outputs: %w", err)
	}
	files := map[string][]fs.DirEntry{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		files[e.Name()] = append(files[e.Name()], e)
		if stem := strings.TrimSuffix(e.Name(), path.Ext(e.Name())); stem != e.Name() {
			files[stem] = append(files[stem], e)
		}
	}
	found := 0
	for i := range traces {
		mine := files[traces[i].Ref]
		if len(mine) == 0 {
			continue
		}
		if len(mine) > 1 {
			return fmt.Errorf("folder of raw outputs: %s and %s are both for %s", mine[0].Name(), mine[1].Name(), traces[i].Ref)
		}
		info, err := mine[0].Info()
		if err != nil {
			return err
		}
		if info.Size() > MaxImportBytes {
			return fmt.Errorf("folder of raw outputs: %s: %w", mine[0].Name(), ErrTooLarge)
		}
		data, err := fs.ReadFile(folder, mine[0].Name())
		if err != nil {
			return err
		}
		setOutput(&traces[i], data)
		found++
	}
	if found == 0 && len(traces) > 0 {
		return fmt.Errorf("folder of raw outputs: no file is named after a trace, such as %s.txt", traces[0].Ref)
	}
	return nil
}

// setOutput gives a trace its raw output. Where its blocks stand in that is not known:
// each may stand anywhere.
func setOutput(t *trace.Trace, output []byte) {
	if string(t.Output) != string(output) {
		for i := range t.Blocks {
			t.Blocks[i].Span = trace.Span{End: len(output)}
		}
	}
	t.Output, t.Unavailable = output, false
	if t.Status == trace.Empty && len(output) > 0 {
		t.Status = trace.OK
	}
}

// mask masks the secrets of whatever text came in.
func (in *imported) mask(r *redact.Redactor) {
	in.query, in.message = r.String(in.query), r.String(in.message)
	for i := range in.traces {
		t := &in.traces[i]
		masked := r.Bytes(t.Output)
		for j := range t.Blocks {
			span := &t.Blocks[j].Span
			start := len(r.Bytes(t.Output[:span.Start]))
			end := len(r.Bytes(t.Output[:span.End]))
			span.Start, span.End = min(start, len(masked)), min(max(start, end), len(masked))
		}
		t.Output = masked
		t.Arguments = maskJSON(r, t.Arguments)
	}
	in.payload = maskJSON(r, in.payload)
	in.evaluation = maskJSON(r, in.evaluation)
	if in.retry != nil {
		for i := range in.retry.FailedClaims {
			c := &in.retry.FailedClaims[i]
			c.ClaimText = r.String(c.ClaimText)
			for j := range c.Reasons {
				c.Reasons[j] = r.String(c.Reasons[j])
			}
		}
		for i := range in.retry.FactsToProve {
			in.retry.FactsToProve[i] = r.String(in.retry.FactsToProve[i])
		}
	}
}

// maskJSON masks a JSON value. Where a configured pattern would break it, the whole
// becomes a string.
func maskJSON(r *redact.Redactor, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	masked := r.Bytes(raw)
	if json.Valid(masked) {
		return masked
	}
	text, err := json.Marshal(string(masked))
	if err != nil {
		return json.RawMessage(`""`)
	}
	return text
}
