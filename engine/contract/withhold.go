package contract

import (
	"bytes"
	"encoding/json"
	"strings"
)

// WithholdReasoning takes reasoning blocks out of the strings of a JSON text: a reading of
// valid JSON leaves them in (spec C4), the Verifier must not see them (spec P4, P7). A block
// that is not closed goes to the end of its string. All other bytes stay; without a block
// the text itself is returned.
func WithholdReasoning(text []byte) []byte {
	var out []byte
	kept := 0 // text before it is in out
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		end := stringEnd(text, i)
		if end < 0 {
			break
		}
		if lit, ok := withoutBlocks(text[i:end]); ok {
			out = append(append(out, text[kept:i]...), lit...)
			kept = end
		}
		i = end - 1
	}
	if kept == 0 {
		return text
	}
	return append(out, text[kept:]...)
}

// stringEnd is the offset behind the string literal that opens at i, -1 when it is not
// closed.
func stringEnd(text []byte, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return -1
}

// withoutBlocks writes a string literal anew without the reasoning blocks in it; ok is
// false when there is none.
func withoutBlocks(lit []byte) (out []byte, ok bool) {
	if !bytes.ContainsAny(lit, "<[◁") && !bytes.Contains(lit, []byte(`\u`)) {
		return nil, false
	}
	var s string
	if json.Unmarshal(lit, &s) != nil {
		return nil, false
	}
	for {
		rest, cut := cutBlocks(s)
		if !cut {
			break
		}
		s, ok = rest, true // what is left may join to a tag
	}
	if !ok {
		return nil, false
	}
	var enc bytes.Buffer
	e := json.NewEncoder(&enc)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return nil, false
	}
	return bytes.TrimSuffix(enc.Bytes(), []byte("\n")), true
}

func cutBlocks(s string) (rest string, cut bool) {
	var b strings.Builder
	for i := 0; i < len(s); {
		if t := tagAt(s, i); t.size > 0 && !t.close {
			i, cut = blockEnd(s, i, t), true
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String(), cut
}
