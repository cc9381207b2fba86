package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"claimscope/engine/contract"
	"claimscope/engine/grounding"
)

// claimWork is the judging of one claim.
type claimWork struct {
	*session
	claim *contract.Claim
	rep   *ClaimReport
	ptr   string
	bound []boundRef
}

// boundRef is one binding with the trace it resolved to.
type boundRef struct {
	ptr     string
	binding *contract.Binding
	ev      *evidence // nil when nothing was resolved
	tier    grounding.Tier
	spans   []grounding.Span // all spans of all occurrences, bounded
}

func (w *claimWork) add(code Code, ptr string, msg Message, places ...Place) {
	w.rep.Findings = append(w.rep.Findings, w.finding(code, ptr, msg, places...))
}

// unverifiable lowers the verdict to unverifiable; a blocking finding still wins.
func (w *claimWork) unverifiable() { w.rep.Verdict = Unverifiable }

// bind resolves and locates the claim's bindings (B001 to B006, B008 to B011).
func (w *claimWork) bind() {
	if len(w.claim.EvidenceBindings) == 0 {
		w.add(CodeNoBinding, w.ptr+"/evidence_bindings", msgNoBinding)
	}
	for j := range w.claim.EvidenceBindings {
		w.bindOne(fmt.Sprintf("%s/evidence_bindings/%d", w.ptr, j), &w.claim.EvidenceBindings[j])
	}
}

func (w *claimWork) bindOne(ptr string, b *contract.Binding) {
	ref := boundRef{ptr: ptr, binding: b, tier: grounding.Absent}
	rep := BindingReport{Pointer: ptr, SourceID: b.SourceID, Tier: grounding.Absent, Spans: []grounding.Span{}, Occurrences: []grounding.Occurrence{}}
	switch w.resolve(&ref, &rep) {
	case resolvedHere:
		w.checkCall(&ref)
		w.locate(&ref, &rep)
	case resolvedUnknown:
		rep.Tier = grounding.CannotCheck
		w.unverifiable()
	case resolvedNowhere:
	}
	w.rep.Bindings = append(w.rep.Bindings, rep)
	w.bound = append(w.bound, ref)
}

type resolution uint8

const (
	resolvedNowhere resolution = iota
	resolvedHere
	resolvedUnknown // a family of sources that this session does not know
)

// resolve finds the trace of a binding: by trace ref, by evidence block, or, without a
// source_id, by an excerpt that stands in exactly one trace (spec C2b).
func (w *claimWork) resolve(ref *boundRef, rep *BindingReport) resolution {
	b := ref.binding
	id := strings.TrimSpace(b.SourceID)
	if id == "" {
		if e := w.onlyHolder(b.EvidenceExcerpt); e != nil {
			w.add(CodeNoSourceID, ref.ptr+"/source_id", foundByExcerpt(e))
			return w.resolved(ref, rep, e)
		}
		w.add(CodeMissingRef, ref.ptr+"/source_id", msgNoSourceID)
		return resolvedNowhere
	}
	if e, ok := w.byRef[id]; ok {
		return w.resolved(ref, rep, e)
	}
	if blk, ok := w.blocks[id]; ok {
		return w.resolved(ref, rep, blk)
	}
	if known := strings.ToLower(b.SourceType); known != "" && known != contract.SourceToolTrace && known != contract.SourceLookupBlock && !strings.HasPrefix(strings.ToLower(id), "trace") {
		return resolvedUnknown
	}
	w.add(CodeMissingRef, ref.ptr+"/source_id", w.missingRef(id, b.EvidenceExcerpt))
	return resolvedNowhere
}

func (w *claimWork) resolved(ref *boundRef, rep *BindingReport, e *evidence) resolution {
	ref.ev = e
	rep.Resolved, rep.TraceRef = true, e.Ref
	return resolvedHere
}

// onlyHolder is the one trace that holds the excerpt as written or folded.
func (s *session) onlyHolder(excerpt string) *evidence {
	if utf8.RuneCountInString(strings.TrimSpace(excerpt)) < minExcerptRunes {
		return nil
	}
	var only *evidence
	for _, e := range s.traces {
		if e.text.LocateQuote(excerpt).Total > 0 {
			if only != nil {
				return nil
			}
			only = e
		}
	}
	return only
}

// holders lists the other traces that hold the excerpt.
func (s *session) holders(excerpt string, but *evidence) []Place {
	var out []Place
	if strings.TrimSpace(excerpt) == "" {
		return nil
	}
	for _, e := range s.traces {
		if e == but {
			continue
		}
		if l := e.text.LocateQuote(excerpt); l.Total > 0 {
			out = append(out, Place{TraceRef: e.Ref, Span: l.Occurrences[0].Spans[0], Role: "elsewhere"})
		}
	}
	return out
}

// checkCall compares tool name and invocation ids with the trace (B003, B004).
func (w *claimWork) checkCall(ref *boundRef) {
	b, e := ref.binding, ref.ev
	if b.ToolName != "" && e.ToolName != "" && !strings.EqualFold(strings.TrimSpace(b.ToolName), e.ToolName) {
		w.add(CodeWrongTool, ref.ptr+"/tool_name", wrongTool(e, b.ToolName))
	}
	if len(e.InvocationIDs) == 0 {
		return
	}
	own := map[int64]bool{}
	for _, id := range e.InvocationIDs {
		own[id] = true
	}
	for k, id := range b.SourceInvocationIDs {
		if !own[id] {
			w.add(CodeWrongCall, fmt.Sprintf("%s/source_invocation_ids/%d", ref.ptr, k), w.wrongCall(e, id))
		}
	}
}

// argumentText joins the strings and numbers of a call's arguments, decoded, one a line.
func argumentText(raw json.RawMessage) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(raw)
	}
	var b strings.Builder
	flatten(&b, v)
	return b.String()
}

// metricQuery is the metric query of a call, "" when it has none.
func metricQuery(raw json.RawMessage) string {
	var a struct{ Query, Expr, PromQL, Metric string }
	if json.Unmarshal(raw, &a) != nil {
		return ""
	}
	return strings.Join([]string{a.Query, a.Expr, a.PromQL, a.Metric}, " ")
}

func flatten(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(v)
		b.WriteByte('\n')
	case json.Number, bool:
		fmt.Fprintln(b, v)
	case []any:
		for _, x := range v {
			flatten(b, x)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			b.WriteString(k)
			b.WriteString(": ")
			flatten(b, v[k])
		}
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
