package text

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the width of s in cells, by grapheme cluster. Control sequences
// have none, so styled text is measured too.
func Width(s string) int {
	cells := 0
	for len(s) > 0 {
		if n := printable(s); n > 0 {
			cells += n
			s = s[n:]
			continue
		}
		n, w := next(s)
		cells += w
		s = s[n:]
	}
	return cells
}

// FirstCluster returns the first grapheme cluster of s and its width in cells.
// s must be free of control sequences; an empty s gives "" and 0.
func FirstCluster(s string) (cluster string, cells int) {
	if s == "" {
		return "", 0
	}
	n, cells := cluster1(s)
	return s[:n], cells
}

// printable returns the length of the leading run of ASCII characters that are
// one cell and one cluster each.
func printable(s string) int {
	i := 0
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x7f {
		i++
	}
	if i > 0 && i < len(s) && s[i] >= utf8.RuneSelf {
		i-- // a combining mark may follow
	}
	return i
}

// ASCIIRun returns the length of the leading part of s whose bytes are one
// cluster and one cell each.
func ASCIIRun(s string) int { return printable(s) }

// next returns the length in bytes and the cells of the first control sequence
// or cluster of a non-empty s.
func next(s string) (n, cells int) {
	if s[0] == 0x1b {
		return sequence(s), 0
	}
	return cluster1(s)
}

// cluster1 measures the first grapheme cluster of a non-empty s.
func cluster1(s string) (n, cells int) {
	r, n := utf8.DecodeRuneInString(s)
	if w := simpleWidth(r); w > 0 {
		if n == len(s) {
			return n, w
		}
		if s[n] < utf8.RuneSelf {
			return n, w
		}
		if after, _ := utf8.DecodeRuneInString(s[n:]); simpleWidth(after) > 0 {
			return n, w
		}
	}
	cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if len(cluster) == 0 {
		return 1, 0 // cannot happen; progress all the same
	}
	return len(cluster), w
}

// simpleWidth is the width of the most frequent code points, those that never
// join their neighbours by themselves; 0 means look closer. A test holds it
// against the full tables.
func simpleWidth(r rune) int {
	switch {
	case r >= 0x20 && r < 0x7f:
		return 1
	case r < 0xa1:
		return 0
	case r >= 0x4e00 && r <= 0x9fff, r >= 0x3400 && r <= 0x4dbf, r >= 0x3000 && r <= 0x3029,
		r >= 0x3041 && r <= 0x3096, r >= 0x30a0 && r <= 0x30ff, r >= 0xff01 && r <= 0xff60:
		return 2
	case r < 0x300 && r != 0xa9 && r != 0xad && r != 0xae, r >= 0x391 && r <= 0x3ff, r >= 0x400 && r <= 0x482,
		r >= 0x2010 && r <= 0x2027, r >= 0x2500 && r <= 0x25a9:
		return 1
	}
	return 0
}

// sequence returns the length of the escape sequence that s starts with: CSI up
// to its final byte, OSC up to BEL or ST, else the escape character alone. Only
// sequences of our own styling arrive here.
func sequence(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return len(s)
	case ']':
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
		return len(s)
	}
	return 1
}
