package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// writeJSON writes one value as one line. Characters that a terminal might obey (C1
// controls, bidirectional controls, DEL) are written as \u escapes: the value is the
// same, and nothing from outside reaches a terminal as such (spec H1).
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	if _, err := w.Write(escapeControls(plainHTML(b.Bytes()))); err != nil {
		return &outputError{err}
	}
	return nil
}

// plainHTML writes <, > and & as themselves, which values that encode themselves have
// escaped: <none> is to be found by who looks for it.
func plainHTML(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		if i+6 <= len(b) {
			if c, ok := htmlEscapes[string(b[i:i+6])]; ok {
				out = append(out, c)
				i += 5
				continue
			}
		}
		out = append(out, b[i], b[i+1]) // any other escape, of two characters at least
		i++
	}
	return out
}

var htmlEscapes = map[string]byte{`\u003c`: '<', `\u003e`: '>', `\u0026`: '&'}

// escaper escapes JSON on its way, as writeJSON does.
type escaper struct {
	w    io.Writer
	rest []byte // the beginning of a character
}

// Write implements io.Writer.
func (e *escaper) Write(b []byte) (int, error) {
	all := append(e.rest, b...)
	whole := len(all)
	for back := 1; back <= min(utf8.UTFMax-1, len(all)); back++ {
		if c := all[len(all)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(all[len(all)-back:]) {
				whole = len(all) - back
			}
			break
		}
	}
	out := escapeControls(all[:whole])
	e.rest = append([]byte(nil), all[whole:]...)
	if _, err := e.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// checked keeps the first error of a writer.
type checked struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (c *checked) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

func escapeControls(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] < 0x7f {
			out = append(out, b[i])
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if obeyed(r) {
			if r > 0xffff {
				r -= 0x10000
				out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
		} else {
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}

// obeyed reports whether a terminal or a bidirectional algorithm may act on the rune.
func obeyed(r rune) bool {
	switch {
	case r >= 0x7f && r <= 0x9f, r == 0x061c, r == 0x200e, r == 0x200f:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}
