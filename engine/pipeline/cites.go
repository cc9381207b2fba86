package pipeline

import (
	"bytes"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"
)

// citesOf lists what the bindings cite, in binding order, for the summary (spec T2).
// The gate has located the excerpts; without a gate they are looked for here, word
// for word only, since the summary is all that depends on it.
func citesOf(c *contract.Contract, report *gate.Report, traces []trace.Trace) []trace.Cite {
	if report != nil {
		return citesOfReport(report)
	}
	if c == nil {
		return nil
	}
	var out []trace.Cite
	for _, claim := range c.Claims {
		for _, b := range claim.EvidenceBindings {
			out = append(out, citeOf(b, traces)...)
		}
	}
	return out
}

func citesOfReport(report *gate.Report) []trace.Cite {
	var out []trace.Cite
	for _, claim := range report.Claims {
		for _, b := range claim.Bindings {
			if b.TraceRef == "" {
				continue
			}
			for _, s := range b.Spans {
				out = append(out, cite(b.TraceRef, s))
			}
		}
		for _, f := range claim.Facts {
			if f.TraceRef == "" {
				continue
			}
			for _, s := range f.Spans {
				out = append(out, cite(f.TraceRef, s))
			}
		}
	}
	return out
}

func cite(ref string, s grounding.Span) trace.Cite {
	return trace.Cite{Ref: ref, Span: trace.Span{Start: s.Start, End: s.End}}
}

// citeOf finds a binding's excerpt, or the evidence block that it names.
func citeOf(b contract.Binding, traces []trace.Trace) []trace.Cite {
	for _, t := range traces {
		block, named := trace.Span{}, t.Ref == b.SourceID
		for _, bl := range t.Blocks {
			if bl.BlockID == b.SourceID {
				block, named = bl.Span, true
			}
		}
		if !named {
			continue
		}
		excerpt := []byte(strings.TrimSpace(b.EvidenceExcerpt))
		if at := bytes.Index(t.Output, excerpt); at >= 0 && len(excerpt) > 0 {
			return []trace.Cite{{Ref: t.Ref, Span: trace.Span{Start: at, End: at + len(excerpt)}}}
		}
		if block.End > block.Start {
			return []trace.Cite{{Ref: t.Ref, Span: block}}
		}
	}
	return nil
}
