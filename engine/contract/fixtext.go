package contract

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// content decodes the string whose quotes stand at [start,from) and [at,end),
// and records what JSON would have written differently. inside reports whether
// any of that is between the quotes; a change of the quotes alone is not.
func (f *fixer) content(start, from, at, end int, fam family) (text string, inside bool) {
	if f.s[start:from] != `"` {
		f.edit(start, from, `"`, WhyQuotes)
	}
	mark := len(f.edits)
	raw := f.s[from:at]
	if strings.IndexByte(raw, '\\') < 0 && strings.IndexByte(raw, '"') < 0 && printable(raw) {
		text = raw
	} else {
		text = f.unquote(from, at, fam)
	}
	inside = len(f.edits) > mark
	if f.s[at:end] != `"` {
		why := WhyQuotes
		if end == at {
			why = WhyMissingQuote
			if at == len(f.s) {
				why = WhyCut
			}
		}
		f.edit(at, end, `"`, why)
	}
	return text, inside
}

// unquote decodes s[from:to], the inside of a string.
func (f *fixer) unquote(from, to int, fam family) string {
	b := make([]byte, 0, to-from)
	s := f.s[:to]
	literal := fam == doubleQuote && plainBackslashes(s[from:])
	for i := from; i < to; {
		c := s[i]
		switch {
		case c == '"':
			f.edit(i, i, `\`, WhyInnerQuote)
			b = append(b, c)
			i++
		case c < 0x20:
			f.edit(i, i+1, controlEscape(c), WhyControl)
			b = append(b, c)
			i++
		case c != '\\':
			next := i + 1
			for next < to && s[next] >= 0x20 && s[next] != '"' && s[next] != '\\' {
				next++
			}
			b = append(b, s[i:next]...)
			i = next
		default:
			out, size, _ := unescape(b, s[i:])
			if literal && i+2 < to && strings.IndexByte("bfnrt", s[i+1]) >= 0 && isIdentStart(s[i+2]) {
				size = 0 // \temp is a folder here, not a tab
			}
			if size == 0 {
				out, size = f.badEscape(b, i, to, fam)
			}
			b, i = out, i+size
		}
	}
	return string(b)
}

// plainBackslashes reports whether the backslashes of a text stand for
// themselves, as in a path: some escape is unknown and none is a backslash.
func plainBackslashes(raw string) bool {
	unknown := false
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if raw[i+1] == '\\' {
			return false
		}
		if _, size, _ := unescape(nil, raw[i:]); size == 0 && raw[i+1] != '\'' {
			unknown = true
		}
		i++
	}
	return unknown
}

func controlEscape(c byte) string {
	quoted := appendString(nil, string(rune(c)))
	return string(quoted[1 : len(quoted)-1])
}

// badEscape decodes an escape at i that JSON does not know. In strings of other
// languages some have a meaning; else the backslash is part of the text, as in
// a path or a regular expression.
func (f *fixer) badEscape(b []byte, i, to int, fam family) (out []byte, size int) {
	rest := f.s[i:to]
	if to == len(f.s) && partialEscape(rest) {
		f.edit(i, to, "", WhyCut)
		return b, len(rest)
	}
	if len(rest) > 1 && (rest[1] == '\'' || rest[1] == '`') {
		f.edit(i, i+1, "", WhyEscape)
		return append(b, rest[1]), 2
	}
	if fam != doubleQuote {
		if r, n := foreignEscape(rest); n > 0 {
			text := string(r)
			if r < 0 {
				text = ""
			}
			quoted := appendString(nil, text)
			f.edit(i, i+n, string(quoted[1:len(quoted)-1]), WhyEscape)
			return append(b, text...), n
		}
	}
	f.edit(i, i, `\`, WhyEscape)
	return append(b, '\\'), 1
}

// partialEscape reports whether the end of the text cut the escape.
func partialEscape(rest string) bool {
	if len(rest) == 1 {
		return true
	}
	if rest[1] != 'u' || len(rest) >= 6 {
		return false
	}
	for i := 2; i < len(rest); i++ {
		if _, ok := hexDigit(rest[i]); !ok {
			return false
		}
	}
	return true
}

// foreignEscape reads an escape of Python or JavaScript: the character, or -1
// for a line that goes on, and its size in bytes; 0 when it is none.
func foreignEscape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	digits := 0
	switch s[1] {
	case 'a':
		return '\a', 2
	case 'v':
		return '\v', 2
	case '0':
		return 0, 2
	case '\n':
		return -1, 2
	case 'x':
		digits = 2
	case 'U':
		digits = 8
	default:
		return 0, 0
	}
	if len(s) < 2+digits {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(v)) { //nolint:gosec // 32 bits at most
		return 0, 0
	}
	return rune(v), 2 + digits //nolint:gosec // 32 bits at most
}

// triple reads a string between tripled quotes at start. It reports false when
// they are never closed.
func (f *fixer) triple(start int) bool {
	mark := f.s[start : start+3]
	j := strings.Index(f.s[start+3:], mark)
	if j < 0 {
		return false
	}
	from, at := start+3, start+3+j
	end := at + 3
	fam, _ := quoteAt(f.s, start)
	edits := len(f.edits)
	text, inside := f.content(start, from, at, end, fam)
	f.pos = end
	n := f.newNode(StringNode, start)
	n.Span.End, n.Text = end, text
	if inside {
		n.flags |= touched
	}
	f.concatenate(n, edits)
	f.attach(n)
	return true
}

// concatenate joins the strings that a + ties to n. The edits of the parts,
// those from mark on, make way for one edit of the whole.
func (f *fixer) concatenate(n *Node, mark int) {
	joined := false
	var parts strings.Builder
	for {
		at := skipBlanks(f.s, f.pos)
		if at >= len(f.s) || f.s[at] != '+' {
			break
		}
		at = skipBlanks(f.s, at+1)
		if at >= len(f.s) {
			break
		}
		fam, size := quoteAt(f.s, at)
		if fam == noQuote {
			break
		}
		if !joined {
			parts.WriteString(n.Text)
		}
		joined = true
		from := at + size
		close, csize := f.firstClose(fam, size, from)
		if close < 0 {
			close = len(f.s)
			n.flags |= cut
		}
		text, _ := f.content(at, from, close, close+csize, fam)
		parts.WriteString(text)
		f.pos = close + csize
	}
	if !joined {
		return
	}
	f.edits = f.edits[:mark]
	n.Text, n.Span.End = parts.String(), f.pos
	n.flags |= touched
	f.edit(n.Span.Start, n.Span.End, string(appendString(nil, n.Text)), WhyConcatenation)
}
