package session

import (
	"bytes"
	"encoding/json"
	"regexp"

	"claimscope/engine/trace"
)

// payloadFields are the members of a Verifier payload (spec P7), in order.
var payloadFields = []string{
	"original_query", "executor_final_answer", "tool_trace_summary", "retry_context",
	"executor_structured_output", "executor_output_parse_status",
}

// readSnapshot reads a Verifier payload, perhaps with its verifier_evaluation. Raw
// outputs are not in it: each trace has its extract and is marked unavailable, unless
// the extract is the whole output.
func readSnapshot(root value) (in imported, err error) {
	m, err := root.object()
	if err != nil {
		return in, err
	}
	if in.query, err = required(root, m, "original_query"); err != nil {
		return in, err
	}
	if in.message, err = m["executor_final_answer"].text(); err != nil {
		return in, err
	}
	if structured := m["executor_structured_output"]; in.message == "" && !structured.null() {
		in.message = string(structured.raw)
	}
	if in.message == "" && m["executor_final_answer"].raw == nil {
		return in, root.fail("neither executor_final_answer nor executor_structured_output")
	}
	summary := m["tool_trace_summary"]
	switch {
	case summary.raw == nil:
		return in, root.fail("no tool_trace_summary (an empty array says that there are no traces)")
	case summary.raw[0] == '"':
		in.traces, err = tracesInText(summary)
	case !summary.null():
		in.traces, err = readSummary(summary)
	}
	if err != nil {
		return in, err
	}
	if in.retry, err = readRetry(m["retry_context"]); err != nil {
		return in, err
	}
	if v := m["verifier_evaluation"]; !v.null() {
		in.evaluation = v.raw
	}
	in.payload, err = payloadOf(m)
	return in, err
}

// payloadOf puts the six fields together again.
func payloadOf(m map[string]value) (json.RawMessage, error) {
	var b bytes.Buffer
	for i, name := range payloadFields {
		b.WriteString(map[bool]string{true: `{"`, false: `,"`}[i == 0] + name + `":`)
		if raw := m[name].raw; raw != nil {
			b.Write(raw)
		} else {
			b.WriteString("null")
		}
	}
	b.WriteByte('}')
	var out bytes.Buffer
	if err := json.Compact(&out, b.Bytes()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// summaryItem is one trace of a summary: as this program writes it, and under the
// names that others use for the extract and the size.
type summaryItem struct {
	ToolName      string               `json:"tool_name"`
	Arguments     json.RawMessage      `json:"arguments"`
	InvocationIDs []int64              `json:"invocation_ids"`
	Status        trace.Status         `json:"status"`
	Kind          trace.Kind           `json:"evidence_kind"`
	OutputBytes   *int                 `json:"output_bytes"`
	Size          *int                 `json:"size"`
	Blocks        []trace.SummaryBlock `json:"evidence_blocks"`
	Repeats       string               `json:"repeats"`
	Unavailable   bool                 `json:"output_unavailable"`
	Extract       string               `json:"extract"`
	Summary       string               `json:"summary"`
	Output        string               `json:"output"`
}

// readSummary reads tool_trace_summary.
func readSummary(list value) ([]trace.Trace, error) {
	return eachTrace(list, func(item value, _ map[string]value, ref string) (trace.Trace, error) {
		var s summaryItem
		if err := item.into(&s); err != nil {
			return trace.Trace{}, err
		}
		return s.trace(item, ref)
	})
}

// trace makes the trace that the item stands for. It goes through the form of T1, so
// that status and evidence kind are checked and filled in as they are there.
func (s summaryItem) trace(item value, ref string) (trace.Trace, error) {
	extract := s.Extract
	for _, other := range []string{s.Output, s.Summary} {
		if extract == "" {
			extract = other
		}
	}
	size := s.OutputBytes
	if size == nil {
		size = s.Size
	}
	whole := size != nil && *size == len(extract) && !s.Unavailable
	wire, err := json.Marshal(map[string]any{
		"trace_ref": ref, "tool_name": s.ToolName, "arguments": s.Arguments, "invocation_ids": s.InvocationIDs,
		"status": s.Status, "evidence_kind": s.Kind, "repeats": s.Repeats, "output": extract, "output_unavailable": !whole,
	})
	if err != nil {
		return trace.Trace{}, item.fail("%w", err)
	}
	var t trace.Trace
	if err := (value{doc: item.doc, raw: wire, offset: item.offset, pointer: item.pointer}).into(&t); err != nil {
		return trace.Trace{}, err
	}
	for _, b := range s.Blocks {
		t.Blocks = append(t.Blocks, trace.Block{
			BlockID: b.BlockID, Document: b.Document, Heading: b.Heading, Span: trace.Span{End: len(t.Output)},
		})
	}
	return t, nil
}

// refInText finds trace refs in a summary that is plain text.
var refInText = regexp.MustCompile(`\btrace-\d{1,6}\b`)

// tracesInText reads a summary of plain text: each trace that it names may stand
// anywhere in it, so each has the whole text for its extract, and nothing absent from it
// can be called fabricated.
func tracesInText(summary value) ([]trace.Trace, error) {
	text, err := summary.text()
	if err != nil {
		return nil, err
	}
	const most = 200
	var traces []trace.Trace
	extract, seen := []byte(text), map[string]bool{}
	for _, ref := range refInText.FindAllString(text, -1) {
		if seen[ref] {
			continue
		}
		seen[ref] = true
		if len(seen) > most {
			return nil, summary.fail("names more than %d traces", most)
		}
		traces = append(traces, trace.Trace{
			Ref: ref, InvocationIDs: []int64{}, Status: trace.OK, Output: extract, Kind: trace.Observation,
			KindGuessed: true, Unavailable: true,
		})
	}
	return traces, nil
}
