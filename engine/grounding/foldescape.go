package grounding

import "unicode/utf8"

// maxTerminalString bounds the search for the end of an OSC or similar string, in
// bytes. Another escape character ends it too, so that hostile text cannot make the
// fold quadratic.
const maxTerminalString = 4096

// terminalSequence gives the end of the control sequence that starts with the
// escape character at raw[i] (ECMA-48: CSI, strings, and short ones). A cut or
// malformed sequence is the escape character alone.
func terminalSequence(raw []byte, i int) int {
	j := i + 1
	if j >= len(raw) {
		return j
	}
	switch c := raw[j]; {
	case c == '[':
		return controlSequence(raw, j+1, j)
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		for k := j + 1; k < min(len(raw), j+maxTerminalString); k++ {
			if raw[k] == 0x07 {
				return k + 1
			}
			if raw[k] == 0x1b {
				if k+1 < len(raw) && raw[k+1] == '\\' {
					return k + 2
				}
				break
			}
		}
		return j
	case c >= 0x20 && c <= 0x2F:
		for j < len(raw) && raw[j] >= 0x20 && raw[j] <= 0x2F {
			j++
		}
		if j < len(raw) && raw[j] >= 0x30 && raw[j] <= 0x7E {
			return j + 1
		}
		return i + 1
	case c >= 0x30 && c <= 0x7E:
		return j + 1
	}
	return j
}

// controlSequence gives the end of the CSI whose parameters start at raw[j], or
// otherwise when it has no final byte.
func controlSequence(raw []byte, j, otherwise int) int {
	for j < len(raw) && raw[j] >= 0x30 && raw[j] <= 0x3F {
		j++
	}
	for j < len(raw) && raw[j] >= 0x20 && raw[j] <= 0x2F {
		j++
	}
	if j < len(raw) && raw[j] >= 0x40 && raw[j] <= 0x7E {
		return j + 1
	}
	return otherwise
}

// escape decodes the JSON escape that starts with the backslash at raw[i]. Any
// number of backslashes counts as one, so that text that was encoded once, twice
// or more reads the same. Python's \xNN (ASCII only) and \UNNNNNNNN count too. It
// gives the rune and the offset after the escape; without an escape, ok is false
// and end is the offset after the backslashes.
func escape(raw []byte, i int) (r rune, end int, ok bool) {
	j := i
	for j < len(raw) && raw[j] == '\\' {
		j++
	}
	if j == len(raw) {
		return 0, j, false
	}
	switch raw[j] {
	case 'n':
		return '\n', j + 1, true
	case 'r':
		return '\r', j + 1, true
	case 't':
		return '\t', j + 1, true
	case 'f':
		return '\f', j + 1, true
	case 'b':
		return '\b', j + 1, true
	case '"', '\'', '/':
		return rune(raw[j]), j + 1, true
	case 'x':
		if r, ok = hex(raw, j+1, 2); ok && r < 0x80 {
			return r, j + 3, true
		}
	case 'U':
		if r, ok = hex(raw, j+1, 8); ok && utf8.ValidRune(r) {
			return r, j + 9, true
		}
	case 'u':
		if r, ok = hex(raw, j+1, 4); ok {
			r, end = surrogate(raw, r, j+5)
			return r, end, true
		}
	}
	return 0, j, false
}

// surrogate joins the half of a pair that ends at raw[end] with the other half
// that follows, if it does; a lone half is U+FFFD, as decoders of JSON have it.
func surrogate(raw []byte, r rune, end int) (rune, int) {
	if r < 0xD800 || r > 0xDFFF {
		return r, end
	}
	if r >= 0xDC00 {
		return utf8.RuneError, end
	}
	j := end
	for j < len(raw) && raw[j] == '\\' {
		j++
	}
	if j > end && j < len(raw) && raw[j] == 'u' {
		if low, ok := hex(raw, j+1, 4); ok && low >= 0xDC00 && low <= 0xDFFF {
			return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, j + 5
		}
	}
	return utf8.RuneError, end
}

// hex reads n hexadecimal digits at raw[i].
func hex(raw []byte, i, n int) (rune, bool) {
	if i+n > len(raw) {
		return 0, false
	}
	var r rune
	for _, c := range raw[i : i+n] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
