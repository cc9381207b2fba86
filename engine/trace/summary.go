package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"unicode/utf8"
)

// Bounds of a summary, in characters (runes) of its JSON text (spec T2). Many
// traces can make the bare list longer than MaxSummaryRunes: every trace is listed
// all the same, with an empty extract.
const (
	MaxTraceRunes   = 1500
	MaxSummaryRunes = 12000
)

// Cite is a place in a trace's output that a binding cites.
type Cite struct {
	Ref  string
	Span Span // byte offsets into the output
}

// Summary is tool_trace_summary: every trace, with a bounded extract of its output.
type Summary []SummaryItem

// SummaryItem is one trace of a summary.
type SummaryItem struct {
	Ref           string          `json:"trace_ref"`
	ToolName      string          `json:"tool_name"`
	Arguments     json.RawMessage `json:"arguments,omitempty"` // cut ones are a JSON string
	InvocationIDs []int64         `json:"invocation_ids"`
	Status        Status          `json:"status"`
	Kind          Kind            `json:"evidence_kind"`
	OutputBytes   int             `json:"output_bytes"`
	Blocks        []SummaryBlock  `json:"evidence_blocks,omitempty"`
	Repeats       string          `json:"repeats,omitempty"`
	Unavailable   bool            `json:"output_unavailable,omitempty"`
	// Extract is the output, with “…（略 N 字节）…” where bytes were left out. Bytes that
	// are no UTF-8 are shown as U+FFFD.
	Extract string `json:"extract"`
}

// SummaryBlock is one evidence block of a summary.
type SummaryBlock struct {
	BlockID  string `json:"block_id"`
	Document string `json:"document,omitempty"`
	Heading  string `json:"heading,omitempty"`
}

// Summarise makes the summary of all traces, in order. Cites come in binding
// order: their bytes go in first, then the lines around them, and for a trace that
// nothing cites its head and its end. The result is deterministic.
func Summarise(traces []Trace, cites []Cite) Summary {
	s := headers(traces)
	plans := make([]*extractPlan, len(traces))
	left := MaxSummaryRunes - 2 // the brackets of the array
	for i := range traces {
		size := runesOf(s[i]) + 1 // and a comma
		plans[i] = newExtractPlan(traces[i].Output, max(0, MaxTraceRunes-size))
		left -= size + plans[i].budget
	}
	order := citeOrder(traces, plans, cites)
	left = max(0, left)
	for _, p := range order {
		give := min(left, max(0, p.citedCost()-p.budget))
		p.budget += give
		left -= give
	}
	share(plans, left)
	for i, p := range plans {
		s[i].Extract = p.extract()
	}
	return s
}

// citeOrder hands the cites to the plans and returns the cited plans in binding
// order. A span outside the output is cut to it.
func citeOrder(traces []Trace, plans []*extractPlan, cites []Cite) []*extractPlan {
	byRef := map[string]*extractPlan{}
	for i := range traces {
		if _, dup := byRef[traces[i].Ref]; !dup {
			byRef[traces[i].Ref] = plans[i]
		}
	}
	var order []*extractPlan
	for _, c := range cites {
		p := byRef[c.Ref]
		if p == nil {
			continue
		}
		n := len(p.output)
		start := min(max(0, c.Span.Start), n)
		end := min(max(start, c.Span.End), n)
		if start == end {
			continue
		}
		if len(p.cited) == 0 {
			order = append(order, p)
		}
		p.cited = append(p.cited, Span{runeStart(p.output, start), runeEnd(p.output, end)})
	}
	return order
}

// share gives out what is left: everyone an equal part, what one does not need to
// the others (water filling).
func share(plans []*extractPlan, left int) {
	hungry := slices.Clone(plans)
	want := func(p *extractPlan) int { return p.wholeCost() - p.budget }
	sort.SliceStable(hungry, func(i, j int) bool { return want(hungry[i]) < want(hungry[j]) })
	for i, p := range hungry {
		give := min(want(p), left/(len(hungry)-i))
		p.budget += give
		left -= give
	}
}

// detail says how much of a call is shown beside its extract.
type detail struct {
	arguments int // runes of the arguments
	names     int // runes of a block's document and heading; 0 leaves them out
}

// details are tried in turn until the list alone takes at most its part of the
// bound.
var details = []struct {
	detail
	most int // runes of the whole list
}{
	{detail{300, 60}, MaxSummaryRunes / 2},
	{detail{80, 0}, MaxSummaryRunes * 2 / 3},
	{detail{0, 0}, 0},
}

// headers lists the traces without extracts.
func headers(traces []Trace) Summary {
	var s Summary
	for _, d := range details {
		s = make(Summary, 0, len(traces))
		total := 0
		for _, t := range traces {
			item := header(t, d.detail)
			// One call with very many blocks or odd names must not take its own extract's room.
			if runesOf(item) > MaxTraceRunes/2 {
				item = header(t, detail{80, 0})
			}
			total += runesOf(item)
			s = append(s, item)
		}
		if total <= d.most {
			break
		}
	}
	return s
}

func header(t Trace, d detail) SummaryItem {
	item := SummaryItem{
		Ref: t.Ref, ToolName: cut(t.ToolName, 80), InvocationIDs: t.InvocationIDs, Status: t.Status, Kind: t.Kind,
		OutputBytes: len(t.Output), Repeats: t.Repeats, Unavailable: t.Unavailable,
	}
	if item.InvocationIDs == nil {
		item.InvocationIDs = []int64{}
	}
	if d.arguments > 0 && len(t.Arguments) > 0 {
		item.Arguments = arguments(t.Arguments, d.arguments)
	}
	for _, b := range t.Blocks {
		block := SummaryBlock{BlockID: cut(b.BlockID, 80)}
		if d.names > 0 {
			block.Document, block.Heading = cut(b.Document, d.names), cut(b.Heading, d.names)
		}
		item.Blocks = append(item.Blocks, block)
	}
	return item
}

// arguments gives valid, compact arguments of at most n runes; longer or broken
// ones become a JSON string that is cut.
func arguments(raw json.RawMessage, n int) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) == nil && utf8.RuneCount(b.Bytes()) <= n {
		return b.Bytes()
	}
	text := string(raw)
	if b.Len() > 0 {
		text = b.String()
	}
	return encode(cut(text, n))
}

// cut keeps the first n runes of s and marks what was left out.
func cut(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + omitted(len(s)-i)
		}
		count++
	}
	return s
}

// omitted marks a cut of n bytes.
func omitted(n int) string { return fmt.Sprintf("…（略 %d 字节）…", n) }

// runesOf counts the runes of v's JSON text.
func runesOf(v any) int { return utf8.RuneCount(encode(v)) }

// encode is JSON without HTML escapes: what a Verifier reads should look like what
// the tool wrote.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		// Only raw arguments could fail, and those were compacted before.
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
