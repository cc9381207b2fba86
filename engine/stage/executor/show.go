package executor

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"claimscope/engine/trace"
)

// Show gives a tool reply as the Executor sees it: a header line with the
// trace_ref and the invocation id, the evidence block ids where there are some, and
// the output, of which at most n runes (0 means all) are shown. The cut is marked.
func Show(t trace.Trace, n int) string {
	var b strings.Builder
	ids := make([]string, len(t.InvocationIDs))
	for i, id := range t.InvocationIDs {
		ids[i] = fmt.Sprint(id)
	}
	fmt.Fprintf(&b, "[trace_ref=%s tool=%s invocation_id=%s status=%s bytes=%d evidence_kind=%s]\n",
		t.Ref, name(t.ToolName), strings.Join(ids, ","), t.Status, len(t.Output), t.Kind)
	if t.Repeats != "" {
		fmt.Fprintf(&b, "[与 %s 的调用完全相同：没有新的证据]\n", t.Repeats)
	}
	if len(t.Blocks) > 0 {
		b.WriteString("[证据块]")
		for _, block := range t.Blocks {
			fmt.Fprintf(&b, " %s（%s › %s）", name(block.BlockID), name(block.Document), name(block.Heading))
		}
		b.WriteByte('\n')
	}
	switch t.Status {
	case trace.Empty:
		b.WriteString("[没有查到任何内容]\n")
	case trace.NotRecorded:
		b.WriteString("[录制中没有这次调用]\n")
	case trace.OK, trace.Error, trace.Timeout:
	}
	show(&b, t.Output, n)
	return b.String()
}

// show writes the head and, of the last quarter of the room, the end. Its cost does
// not grow with the output beyond the room.
func show(b *strings.Builder, output []byte, n int) {
	if n <= 0 || forward(output, n) == len(output) {
		writeValid(b, output)
		return
	}
	tail := n / 4
	head := forward(output, n-tail)
	end := len(output) - backward(output, tail)
	b.Grow(head + len(output) - end + 64)
	writeValid(b, output[:head])
	fmt.Fprintf(b, "\n…（略 %d 字节）…\n", end-head)
	writeValid(b, output[end:])
}

// writeValid writes bytes as text, with U+FFFD for what is no UTF-8.
func writeValid(b *strings.Builder, raw []byte) {
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	b.Write(raw)
}

// forward is the length in bytes of the first n runes.
func forward(b []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(b); n-- {
		if b[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return at
}

// backward is the length in bytes of the last n runes.
func backward(b []byte, n int) int {
	at := len(b)
	for ; n > 0 && at > 0; n-- {
		if b[at-1] < utf8.RuneSelf {
			at--
			continue
		}
		_, size := utf8.DecodeLastRune(b[:at])
		at -= size
	}
	return len(b) - at
}

// maxNameRunes bounds a name in a header line.
const maxNameRunes = 80

// name makes a name fit for a header line: names come from models and documents, and
// must not end the line or close its bracket.
func name(s string) string {
	s = strings.Map(func(r rune) rune {
		if r != ' ' && (unicode.IsControl(r) || unicode.IsSpace(r)) || r == '[' || r == ']' || r == utf8.RuneError {
			return '_'
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > maxNameRunes {
		s = string(runes[:maxNameRunes]) + "…"
	}
	return s
}
