package grounding

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// narrowed is a text with full-width forms narrowed to ASCII, and the way back.
type narrowed struct {
	s      string
	shifts []shift // in order; none when all offsets stayed
}

// shift tells that from offset at of the narrowed text on, the original is by bytes ahead.
type shift struct{ at, by int }

// narrow replaces full-width ASCII forms (U+FF01 to U+FF5E), ideographic and other
// spaces by their ASCII twins, so that one scanner reads both widths.
func narrow(text string) narrowed {
	if !hasWide(text) {
		return narrowed{s: strings.ReplaceAll(text, "\t", " ")}
	}
	out := make([]byte, 0, len(text))
	var shifts []shift
	by := 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c == '\t' {
				c = ' '
			}
			out = append(out, c)
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(text[i:])
		if c, ok := narrowForm(r, text, i, w); ok {
			out = append(out, c)
			by += w - 1
			shifts = append(shifts, shift{len(out), by})
		} else {
			out = append(out, text[i:i+w]...)
		}
		i += w
	}
	return narrowed{s: string(out), shifts: shifts}
}

// hasWide reports whether a text may hold characters that have a narrow form.
func hasWide(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= 0x80 && (c == 0xEF || c == 0xC2 || c == 0xE3 && strings.HasPrefix(text[i:], "\u3000")) {
			return true
		}
	}
	return false
}

// narrowForm is the ASCII twin of the character r, which text has at i in w bytes.
func narrowForm(r rune, text string, i, w int) (byte, bool) {
	switch {
	case r == 0xFF0C: // the Chinese comma separates no thousands
		return ';', true
	case r == 0xFF1A && !clockColon(text, i, w): // nor does the Chinese colon join words
		return ';', true
	case r >= 0xFF01 && r <= 0xFF5E:
		return byte(r - 0xFEE0), true
	case r == 0x3000 || r == 0xA0:
		return ' ', true
	}
	return 0, false
}

// back maps a span of the narrowed text to the original.
func (n narrowed) back(s Span) Span { return Span{n.original(s.Start), n.original(s.End)} }

func (n narrowed) original(i int) int {
	k := sort.Search(len(n.shifts), func(k int) bool { return n.shifts[k].at > i })
	if k == 0 {
		return i
	}
	return i + n.shifts[k-1].by
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

// clockColon reports a full-width colon of a clock: １１：０２. One behind a name that ends in
// a digit, or before a plain number, is punctuation.
func clockColon(text string, i, w int) bool {
	before, digits := i, 0
	for before > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:before])
		if !anyDigit(r) {
			if r == '-' || r == '.' || r < utf8.RuneSelf && isWordByte(byte(r)) {
				return false
			}
			break
		}
		digits, before = digits+1, before-n
	}
	behind := 0
	for j := i + w; j < len(text); {
		r, n := utf8.DecodeRuneInString(text[j:])
		if !anyDigit(r) {
			if r == '.' && behind < 3 {
				return false
			}
			break
		}
		behind, j = behind+1, j+n
	}
	return digits >= 1 && digits <= 2 && behind == 2
}

func anyDigit(r rune) bool { return r >= '0' && r <= '9' || r >= 0xFF10 && r <= 0xFF19 }

// Narrow writes full-width ASCII forms narrow: １/１ as 1/1.
func Narrow(text string) string { return narrow(text).s }
