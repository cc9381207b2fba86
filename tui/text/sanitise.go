package text

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// DefaultTab is the distance of tab stops in cells where nothing else is said.
const DefaultTab = 4

// Limits of a grapheme cluster in code points; what goes beyond is shown as
// numbers. Three combining marks cover Vietnamese and pointed Hebrew, six a Hangul
// syllable with doubled parts.
const (
	maxMarks  = 3
	maxHangul = 6

	// clusterWindow bounds what is segmented at once, in bytes: more than what is
	// kept of any cluster.
	clusterWindow = 128
)

// Options say what becomes of line breaks and tabs.
type Options struct {
	// Lines keeps \n; otherwise it is shown as ␊.
	Lines bool
	// Tab expands tabs to stops of that many cells; 0 shows them as ␉.
	Tab int
	// Column is the cell in which the text starts, for tab stops.
	Column int
}

// Sanitise returns text safe for a terminal: no control character, escape
// sequence, bidirectional or invisible character, or invalid UTF-8 is left; each
// is shown visibly (␛, \x9b, ⟪U+202E⟫). Newlines are kept, tabs expanded to stops
// of [DefaultTab] cells. Clean text is returned as it is, without allocation.
func Sanitise(s string) string {
	return sanitise(s, Options{Lines: true, Tab: DefaultTab}, nil)
}

// SanitiseLine is [Sanitise] for a place that has one line: newlines become ␊
// and tabs ␉.
func SanitiseLine(s string) string { return sanitise(s, Options{}, nil) }

// Sanitised is text safe for a terminal together with where it came from.
type Sanitised struct {
	// Text is what may be shown.
	Text string
	// OffsetMap maps byte offsets of the raw text (source) and of Text (shown).
	OffsetMap
}

// Map sanitises s and keeps the mapping of offsets.
func Map(s string, o Options) Sanitised {
	var z Sanitised
	z.Text = sanitise(s, o, &z.OffsetMap)
	return z
}

// sanitise does the work; m may be nil.
func sanitise(s string, o Options, m *OffsetMap) string {
	i := cleanPrefix(s, o)
	if m != nil {
		m.Copy(i)
	}
	if i == len(s) {
		return s
	}
	w := writer{opt: o, m: m, column: o.Column}
	w.out.Grow(len(s) + 32)
	w.out.WriteString(s[:i])
	for i < len(s) {
		n, ok := unit(s, i)
		if ok || s[i] == '\n' && o.Lines {
			w.copy(s[i : i+n])
		} else {
			w.dirty(s[i : i+n])
		}
		i += n
	}
	return w.out.String()
}

// cleanPrefix returns the length of the longest prefix that needs no change.
func cleanPrefix(s string, o Options) int {
	i := 0
	for i < len(s) {
		// The common case, eight at a time would not pay: lines are short.
		if c := s[i]; c >= 0x20 && c < 0x7f && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			i++
			continue
		}
		n, ok := unit(s, i)
		if !ok && (s[i] != '\n' || !o.Lines) {
			return i
		}
		i += n
	}
	return i
}

// unit returns the length in bytes of the smallest piece at s[i:] that is
// judged as a whole, and whether it may be shown unchanged. Newline and tab are
// units that may not.
func unit(s string, i int) (n int, ok bool) {
	r, n := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && n == 1 {
		return invalid(s[i:]), false
	}
	switch classOf(r) {
	case classBad:
		return n, false
	case classPlain:
		if next, _ := utf8.DecodeRuneInString(s[i+n:]); i+n == len(s) || classOf(next) != classComplex {
			return n, true
		}
	case classComplex:
	}
	// Only the start of a cluster is ever kept; without the bound, chains of
	// clusters that are cut at each bad code point would be segmented over and over.
	end := min(i+clusterWindow, len(s))
	for end < len(s) && end > i+n && !utf8.RuneStart(s[end]) {
		end--
	}
	whole, _ := ansi.FirstGraphemeCluster(s[i:end], ansi.GraphemeWidth)
	return clusterUnit(whole, n)
}

// clusterUnit cuts a cluster before its first bad code point and reports whether
// the rest may be shown unchanged; first is the length of its first code point.
func clusterUnit(s string, first int) (n int, ok bool) {
	var c cluster
	ok = true
	for i, r := range s {
		if i >= first && (r == utf8.RuneError || classOf(r) == classBad) {
			return i, ok
		}
		ok = c.next(r) == keep && ok
	}
	return len(s), ok
}

// invalid returns the length of the bad bytes at the start of s: three for a
// surrogate encoded as if it were a character, else one.
func invalid(s string) int {
	if len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && s[2] >= 0x80 && s[2] <= 0xbf {
		return 3
	}
	return 1
}

// Boundary returns the first offset from at on, at most 64 bytes further, at
// which s may be cut so that both halves are shown as they would be together. It
// is len(s) if there is none.
func Boundary(s string, at int) int {
	at = max(at, 0)
	for limit := at + 64; at < len(s); {
		r, n := utf8.DecodeRuneInString(s[at:])
		invalid := r == utf8.RuneError && n == 1
		switch {
		case !invalid && classOf(r) != classComplex, at >= limit && utf8.RuneStart(s[at]):
			return at
		case at >= limit+utf8.UTFMax:
			return at // no text at all
		}
		at += n
	}
	return len(s)
}

// writer builds sanitised text and its map.
type writer struct {
	out strings.Builder
	opt Options
	m   *OffsetMap
	// For tab stops: the cell in which the shown byte at measured stands.
	measured, column int
}

func (w *writer) copy(s string) {
	w.out.WriteString(s)
	if w.m != nil {
		w.m.Copy(len(s))
	}
}

// replace shows n source bytes as what was written since before.
func (w *writer) replace(n, before int) {
	if w.m != nil {
		w.m.Replace(n, w.out.Len()-before)
	}
}

// dirty writes a unit that may not be shown as it is.
func (w *writer) dirty(s string) {
	before := w.out.Len()
	c := s[0]
	switch {
	case c == '\t' && w.opt.Tab > 0:
		w.tab()
	case c < 0x20:
		w.out.WriteRune(0x2400 + rune(c)) // the block Control Pictures
	case c == 0x7f:
		w.out.WriteRune('␡')
	case !utf8.ValidString(s):
		w.badBytes(s)
	default:
		w.cluster(s)
		return
	}
	w.replace(len(s), before)
}

func (w *writer) badBytes(s string) {
	if len(s) == 3 {
		w.number(rune(s[0]&0x0f)<<12 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f))
		return
	}
	const hex = "0123456789abcdef"
	w.out.WriteString(`\x`)
	w.out.WriteByte(hex[s[0]>>4])
	w.out.WriteByte(hex[s[0]&0x0f])
}

// cluster writes the code points of a cluster that are harmless and numbers for
// the rest.
func (w *writer) cluster(s string) {
	var c cluster
	for i, r := range s {
		size := utf8.RuneLen(r)
		before := w.out.Len()
		switch c.next(r) {
		case keep:
			w.copy(s[i : i+size])
			continue
		case drop:
		case number:
			w.number(r)
		}
		w.replace(size, before)
	}
}

// number writes a code point as ⟪U+202E⟫.
func (w *writer) number(r rune) {
	const hex = "0123456789ABCDEF"
	w.out.WriteString("⟪U+")
	for shift := 20; shift >= 0; shift -= 4 {
		if shift < 16 || r>>shift != 0 {
			w.out.WriteByte(hex[r>>shift&0x0f])
		}
	}
	w.out.WriteString("⟫")
}

// tab writes spaces up to the next stop of the line written so far.
func (w *writer) tab() {
	line := w.out.String()[w.measured:]
	if i := strings.LastIndexByte(line, '\n'); i >= 0 {
		line, w.column = line[i+1:], 0
	}
	w.column += Width(line)
	n := w.opt.Tab - w.column%w.opt.Tab
	for range n {
		w.out.WriteByte(' ')
	}
	w.column += n
	w.measured = w.out.Len()
}
