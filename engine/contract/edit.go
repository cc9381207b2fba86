package contract

import "strings"

// apply returns the span of s with the edits made, which stand in it in the order of
// their offsets, as Parse gives them.
func apply(s string, span Span, edits []Edit) string {
	if len(edits) == 0 {
		return s[span.Start:span.End]
	}
	var b strings.Builder
	at := span.Start
	for _, e := range edits {
		b.WriteString(s[at:e.Offset])
		b.WriteString(e.Inserted)
		at = e.Offset + len(e.Removed)
	}
	b.WriteString(s[at:span.End])
	return b.String()
}
