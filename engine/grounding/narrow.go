package grounding

import "unicode/utf8"

// narrowed is a text with full-width forms narrowed to ASCII, and the way back.
type narrowed struct {
	s   string
	off []int // for each byte of s, the byte of the original; one more for the end; nil when nothing changed
}

// narrow replaces full-width ASCII forms (U+FF01 to U+FF5E), ideographic and other
// spaces by their ASCII twins, so that one scanner reads both widths.
func narrow(text string) narrowed {
	wide := false
	for i := 0; i < len(text); i++ {
		if text[i] == 0xEF || text[i] == 0xE3 && i+2 < len(text) && text[i+1] == 0x80 && text[i+2] == 0x80 || text[i] == 0xC2 || text[i] == '\t' {
			wide = true
			break
		}
	}
	if !wide {
		return narrowed{s: text}
	}
	out := make([]byte, 0, len(text))
	off := make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		r, w := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == 0xFF0C: // the Chinese comma separates no thousands
			out, off = append(out, ';'), append(off, i)
		case r == 0xFF1A && !clockColon(text, i, w): // nor does the Chinese colon join words
			out, off = append(out, ';'), append(off, i)
		case r >= 0xFF01 && r <= 0xFF5E:
			out, off = append(out, byte(r-0xFEE0)), append(off, i)
		case r == 0x3000 || r == 0xA0 || r == '\t':
			out, off = append(out, ' '), append(off, i)
		default:
			for k := 0; k < w; k++ {
				out, off = append(out, text[i+k]), append(off, i+k)
			}
		}
		i += w
	}
	return narrowed{s: string(out), off: append(off, len(text))}
}

// back maps a span of the narrowed text to the original.
func (n narrowed) back(s Span) Span {
	if n.off == nil {
		return s
	}
	return Span{n.off[s.Start], n.off[s.End]}
}

// mask marks bytes of a text.
type mask []bool

func newMask(n int) mask { return make(mask, n) }

func (m mask) set(s Span) {
	for i := s.Start; i < s.End; i++ {
		m[i] = true
	}
}

func (m mask) has(i int) bool { return m[i] }

// clockColon reports a full-width colon between digits: １１：０２.
func clockColon(text string, i, w int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+w:])
	return anyDigit(before) && anyDigit(after)
}

func anyDigit(r rune) bool { return r >= '0' && r <= '9' || r >= 0xFF10 && r <= 0xFF19 }

// Narrow writes full-width ASCII forms narrow: １/１ as 1/1.
func Narrow(text string) string { return narrow(text).s }
