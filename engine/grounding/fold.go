package grounding

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the form in which excerpts and texts are compared. It levels what
// copying, encoding and typing change and the meaning does not hang on:
//
//   - compatibility forms and composition (NFKC), case;
//   - quotation marks (all become "), dashes, ellipses, Chinese and full-width
//     punctuation;
//   - white space: runs and line breaks become one space, none is left at the ends,
//     beside punctuation or beside Chinese and Japanese characters. Between two
//     digits the space beside . , : stays, for "1, 5" is not "1,5";
//   - JSON escapes, also those of JSON within JSON;
//   - Markdown: * ` | anywhere, and # > - + at the start of a line, are white space,
//     and so are rules of three dashes or more and the lines of drawn tables;
//   - terminal sequences, control characters, zero-width and bidirectional marks
//     are dropped, bytes that are not UTF-8 become U+FFFD.
//
// Fold never joins two digits or letters that the original keeps apart.
func Fold(s string) string {
	f := folder{raw: []byte(s), line: true}
	f.run(noStop)
	return string(f.out)
}

// atom says which raw bytes a stretch of folded text comes from. In a copy each
// folded byte comes from one raw byte; otherwise all of the folded bytes come from
// all of the raw ones, and none can be had without the others.
type atom struct {
	fold, foldEnd int
	raw, rawEnd   int
	copy          bool
	parted        bool // white space before it was left out
}

// noStop lets a folder run to the end of its text.
const noStop = int(^uint(0) >> 1)

// folder is the state machine of the fold. Everything it does at an offset depends
// only on the raw text and on its small state, so that it can be resumed at any mark
// (see [folded]).
type folder struct {
	raw []byte
	pos int // the next raw byte

	out  []byte
	base int // offset of out[0] in the whole folded text

	gap      bool // white space since the last folded rune
	gapStart int  // where it began in raw
	swallow  bool // the last folded rune takes no white space beside it
	line     bool // nothing but white space since the start of the line
	parted   bool // white space was left out before the next folded rune

	atoms []atom // kept when trace is set
	trace bool

	marks    []mark // kept every markEvery folded bytes when that is not 0
	markNext int
	buf      []byte // scratch of segment
}

// run folds until the text ends or stop folded bytes (of the whole text) are there.
func (f *folder) run(stop int) {
	for f.pos < len(f.raw) {
		at := f.base + len(f.out)
		if at >= stop {
			return
		}
		if f.marks != nil && at >= f.markNext {
			f.mark(at)
		}
		c := f.raw[f.pos]
		switch {
		case plainASCII[c] != 0:
			f.copyRun()
		case c < utf8.RuneSelf:
			f.ascii(c, f.pos, f.pos+1)
		default:
			r, n := utf8.DecodeRune(f.raw[f.pos:])
			f.wide(r, f.pos, f.pos+n)
		}
	}
}

// copyRun folds the bytes that fold one to one, which is most of a log.
func (f *folder) copyRun() {
	f.space(rune(plainASCII[f.raw[f.pos]]), f.pos, f.pos+1)
	n := min(len(f.raw)-f.pos, markEvery)
	at := len(f.out)
	f.out = slices.Grow(f.out, n)
	k := copyPlain(f.out[at:at+n], f.raw[f.pos:f.pos+n])
	end := f.pos + k
	joined := end < len(f.raw) && f.joins(end)
	if joined {
		k--
	}
	if k > 0 {
		f.out = f.out[:at+k]
		f.note(at, f.pos, f.pos+k, true)
		f.swallow = swallowing[f.out[at+k-1]]
		f.line = false
		f.pos += k
	}
	if joined {
		f.segment(rune(f.raw[f.pos]), f.pos, f.pos+1)
	}
}

// copyPlain folds src to dst as far as bytes fold one to one and gives how far
// that is, at least one byte. src starts with a plain byte.
func copyPlain(dst, src []byte) int {
	dst = dst[:len(src)]
	for k := 0; k < len(src); k++ {
		c := src[k]
		if p := plainASCII[c]; p != 0 {
			dst[k] = p
			continue
		}
		if k == 0 || k+1 >= len(src) {
			return k
		}
		next := src[k+1]
		switch c {
		case ' ':
			if swallowing[dst[k-1]] || !wordStart[next] {
				return k
			}
		case '-', '.':
			if next == c || next >= utf8.RuneSelf {
				return k
			}
		case '#', '>', '+':
		default:
			return k
		}
		dst[k] = c
	}
	return len(src)
}

// ascii folds one ASCII character that stands at raw[start:end], be it itself or
// decoded from an escape or from a full-width form.
func (f *folder) ascii(c byte, start, end int) {
	f.pos = end
	switch c {
	case '\n', '\r':
		f.blank(start)
		f.line = true
	case ' ', '\t', '\v', '\f', '*', '`', '|':
		f.blank(start)
	case '>':
		if f.line {
			f.blank(start)
			return
		}
		f.emit(c, start)
	case '#':
		if n := f.heading(); n > 0 {
			f.pos += n - 1
			f.blank(start)
			return
		}
		f.emit(c, start)
	case '+':
		if f.line && f.blankAt(end) {
			f.blank(start)
			return
		}
		f.emit(c, start)
	case '-':
		f.dashes(start)
	case '.':
		f.ellipsis(1, start)
	case '\\':
		f.backslash(start)
	case 0x1b:
		f.pos = terminalSequence(f.raw, end-1)
	default:
		if p := plainASCII[c]; p != 0 {
			f.emit(p, start)
		}
	}
}

// heading gives the length of the Markdown heading mark whose first # ended at
// f.pos, or 0.
func (f *folder) heading() int {
	n := 1
	for end := f.pos; f.line && n <= 6; n++ {
		if f.blankAt(end) {
			return n
		}
		if f.raw[end] != '#' {
			break
		}
		end++
	}
	return 0
}

// wide folds a rune outside ASCII that stands at raw[start:end].
func (f *folder) wide(r rune, start, end int) {
	f.pos = end
	if r >= 0x4E00 && r <= 0x9FFF {
		f.emitRune(r, start)
		return
	}
	switch c := special(r); c {
	case 0:
		f.segment(r, start, end)
	case dropped:
		if r == 0x9B { // CSI in one character
			f.pos = controlSequence(f.raw, end, end)
		}
	case '.':
		f.ellipsis(max(dots(r), 1), start)
	case '-':
		f.dashes(start)
	default:
		f.ascii(c, start, end)
	}
}

// dashes folds a run of dashes, the first of which ended at f.pos: to white space
// when it marks a list item or is long enough for a rule, else to one dash.
func (f *folder) dashes(start int) {
	n := 1
	for f.pos < len(f.raw) {
		if f.raw[f.pos] == '-' {
			f.pos++
		} else if r, w := utf8.DecodeRune(f.raw[f.pos:]); r >= utf8.RuneSelf && special(r) == '-' {
			f.pos += w
		} else {
			break
		}
		n++
	}
	if n >= 3 || n == 1 && f.line && f.blankAt(f.pos) {
		f.blank(start)
		return
	}
	f.emit('-', start)
}

// ellipsis folds a run of dots, the first n of which ended at f.pos: three or
// more are an ellipsis.
func (f *folder) ellipsis(n, start int) {
	end := f.pos
	total := n
	for f.pos < len(f.raw) {
		r, w := rune(f.raw[f.pos]), 1
		if r >= utf8.RuneSelf {
			r, w = utf8.DecodeRune(f.raw[f.pos:])
		}
		d := dots(r)
		if d == 0 {
			break
		}
		total += d
		f.pos += w
	}
	if total < 3 {
		f.pos = end
		total = n
	}
	at := f.prepare('.', start)
	f.out = append(f.out, "..."[:min(total, 3)]...)
	f.note(at, start, f.pos, false)
}

// backslash folds a run of backslashes and the escape that it may begin.
func (f *folder) backslash(start int) {
	if f.raw[start] != '\\' { // decoded from \u005c or a full-width form
		f.emit('\\', start)
		return
	}
	r, end, ok := escape(f.raw, start)
	f.pos = end
	switch {
	case !ok, r == '\\':
		f.emit('\\', start)
	case r == 0x1b:
		if end < len(f.raw) && f.raw[end] == '[' {
			f.pos = controlSequence(f.raw, end+1, end)
		}
	case r < utf8.RuneSelf:
		f.ascii(byte(r), start, end)
	default:
		f.wide(r, start, end)
	}
}

// maxSegment bounds a rune with its combining marks, in runes; what goes beyond
// starts a segment of its own.
const maxSegment = 32

// segment folds by NFKC the rune r, from raw[start:end], with all the runes after
// it that can combine with it.
func (f *folder) segment(r rune, start, end int) {
	f.buf = utf8.AppendRune(f.buf[:0], r)
	for n := 1; n < maxSegment && end < len(f.raw) && f.joins(end); n++ {
		next, w := utf8.DecodeRune(f.raw[end:])
		if next == '\\' {
			var to int
			next, to, _ = escape(f.raw, end)
			w = to - end
		}
		f.buf = utf8.AppendRune(f.buf, next)
		end += w
	}
	f.pos = end
	if norm.NFKC.IsNormal(f.buf) {
		for _, r := range string(f.buf) {
			f.folded(r, start)
		}
		return
	}
	// A power, a fraction or a number in a circle is no further digit of a number: 10²
	// is not 102, and 1½ not 11/2.
	number := unicode.Is(unicode.No, r)
	if number && len(f.out) > 0 && digitByte[f.out[len(f.out)-1]] {
		if before, _ := utf8.DecodeLastRune(f.raw[:start]); !unicode.Is(unicode.No, before) {
			f.blank(start)
		}
	}
	for _, r := range string(norm.NFKC.Bytes(f.buf)) {
		f.folded(r, start)
	}
	if number && end < len(f.raw) && digitByte[f.raw[end]] {
		f.blank(end)
	}
}

// joins reports whether the rune at raw[i] (or the escape there) may combine with
// the one before it.
func (f *folder) joins(i int) bool {
	c := f.raw[i]
	if c < utf8.RuneSelf {
		if c != '\\' {
			return false
		}
		r, _, ok := escape(f.raw, i)
		return ok && r >= 0x300 && special(r) == 0 && !norm.NFKC.PropertiesString(string(r)).BoundaryBefore()
	}
	if c < 0xCC { // U+0300 is the first that combines
		return false
	}
	if c >= 0xE4 && c <= 0xE9 { // Han from U+4000 on
		return false
	}
	r, n := utf8.DecodeRune(f.raw[i:])
	return n > 1 && special(r) == 0 && !norm.NFKC.Properties(f.raw[i:i+n]).BoundaryBefore()
}

// folded adds one rune of a normalised segment that stands at raw[start:f.pos].
func (f *folder) folded(r rune, start int) {
	switch {
	case r == 'ß' || r == 'ẞ':
		at := f.prepare('s', start)
		f.out = append(f.out, "ss"...)
		f.note(at, start, f.pos, false)
		return
	case r >= utf8.RuneSelf:
		c := special(r)
		if c == 0 {
			f.emitRune(foldCase(r), start)
			return
		}
		r = rune(c)
	}
	switch c := byte(r); c {
	case dropped:
	case ' ', '*', '`', '|':
		f.blank(start)
	default:
		if p := plainASCII[c]; p != 0 {
			c = p
		}
		if c > ' ' && c < 0x7f {
			f.emit(c, start)
		}
	}
}

// blank notes white space at raw[start].
func (f *folder) blank(start int) {
	if !f.gap {
		f.gap, f.gapStart = true, start
	}
}

// blankAt reports whether white space, escaped or not, or the end is at raw[i].
func (f *folder) blankAt(i int) bool {
	if i >= len(f.raw) {
		return true
	}
	switch f.raw[i] {
	case ' ', '\t', '\n', '\r', '\v', '\f':
		return true
	case '\\':
		r, _, ok := escape(f.raw, i)
		return ok && (r == '\n' || r == '\r' || r == '\t')
	}
	r, _ := utf8.DecodeRune(f.raw[i:])
	return r >= utf8.RuneSelf && special(r) == ' '
}

// emit adds one ASCII character that stands at raw[start:f.pos].
func (f *folder) emit(c byte, start int) {
	at := f.prepare(rune(c), start)
	f.out = append(f.out, c)
	f.note(at, start, f.pos, false)
}

// emitRune adds one rune that stands at raw[start:f.pos].
func (f *folder) emitRune(r rune, start int) {
	at := f.prepare(r, start)
	f.out = utf8.AppendRune(f.out, r)
	f.note(at, start, f.pos, false)
}

// prepare makes ready to add r and gives its place in out.
func (f *folder) prepare(r rune, start int) int {
	f.space(r, start, f.pos)
	f.swallow, f.line = swallows(r), false
	return len(f.out)
}

// space adds the space that is due before r, which stands at raw[start:end].
func (f *folder) space(r rune, start, end int) {
	if !f.gap {
		return
	}
	f.gap = false
	n := len(f.out)
	if n == 0 {
		return
	}
	if f.swallow || swallows(r) {
		prev := f.out[n-1]
		after := separates(rune(prev)) && n > 1 && digitByte[f.out[n-2]] && isDigit(r)
		before := separates(r) && digitByte[prev] && end < len(f.raw) && digitByte[f.raw[end]]
		if !after && !before {
			f.parted = true
			return
		}
	}
	f.out = append(f.out, ' ')
	f.note(n, f.gapStart, start, false)
}

// separates reports whether r may stand inside a number.
func separates(r rune) bool { return r == '.' || r == ',' || r == ':' }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// note records that out[at:] comes from raw[start:end]. All that comes from one
// segment is one atom.
func (f *folder) note(at, start, end int, copied bool) {
	if !f.trace {
		return
	}
	if n := len(f.atoms); n > 0 && !copied && !f.atoms[n-1].copy && f.atoms[n-1].raw == start {
		f.atoms[n-1].foldEnd = f.base + len(f.out)
	} else {
		f.atoms = append(f.atoms, atom{f.base + at, f.base + len(f.out), start, end, copied, f.parted})
	}
	f.parted = false
}
