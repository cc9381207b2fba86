package contract

import "strings"

// Apply returns the message with the edits made: for a Parsed that chose an
// object it is strict JSON of the values of Parsed.Raw. The edits must be in
// order of their offsets, as Parse gives them.
func Apply(message []byte, edits []Edit) []byte {
	s := string(message)
	return []byte(apply(s, Span{0, len(s)}, edits))
}

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
