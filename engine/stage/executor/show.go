package executor

import (
	"bytes"
	"fmt"
	"strings"
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
		t.Ref, t.ToolName, strings.Join(ids, ","), t.Status, len(t.Output), t.Kind)
	if t.Repeats != "" {
		fmt.Fprintf(&b, "[与 %s 的调用完全相同：没有新的证据]\n", t.Repeats)
	}
	if len(t.Blocks) > 0 {
		b.WriteString("[证据块]")
		for _, block := range t.Blocks {
			fmt.Fprintf(&b, " %s（%s › %s）", block.BlockID, block.Document, block.Heading)
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
	b.WriteString(shown(t.Output, n))
	return b.String()
}

// shown keeps the head and, of the last quarter of the room, the end.
func shown(output []byte, n int) string {
	text := string(bytes.ToValidUTF8(output, []byte("\uFFFD")))
	if n <= 0 || len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	tail := n / 4
	head := forward(text, n-tail)
	end := len(text) - backward(text, tail)
	return text[:head] + fmt.Sprintf("\n…（略 %d 字节）…\n", end-head) + text[end:]
}

// forward is the length in bytes of the first n runes.
func forward(s string, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// backward is the length in bytes of the last n runes.
func backward(s string, n int) int {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return len(s) - at
}
