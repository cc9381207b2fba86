package contract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// family groups quote characters that delimit the same kind of string.
type family uint8

const (
	noQuote family = iota
	doubleQuote
	singleQuote
	backQuote
	cornerQuote
	angleQuote
)

// quoteAt reads a quote character at i and gives its size in bytes.
func quoteAt(s string, i int) (family, int) {
	switch c := s[i]; {
	case c == '"':
		return doubleQuote, 1
	case c == '\'':
		return singleQuote, 1
	case c == '`':
		return backQuote, 1
	case c < utf8.RuneSelf:
		return noQuote, 0
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	switch r {
	case '“', '”', '„', '‟', '″', '＂', '〝', '〞':
		return doubleQuote, size
	case '‘', '’', '‚', '‛', '′', '＇':
		return singleQuote, size
	case '「', '」', '『', '』':
		return cornerQuote, size
	case '«', '»':
		return angleQuote, size
	}
	return noQuote, 0
}

// punct are the structural characters and their full-width forms.
type punct uint8

const (
	noPunct punct = iota
	comma
	colon
	openObject
	closeObject
	openArray
	closeArray
)

// punctAt reads a structural character at i, full-width forms included, and
// gives its size in bytes.
func punctAt(s string, i int) (punct, int) {
	switch s[i] {
	case ',', ';':
		return comma, 1
	case ':', '=':
		if strings.HasPrefix(s[i:], "=>") {
			return colon, 2
		}
		return colon, 1
	case '{':
		return openObject, 1
	case '}':
		return closeObject, 1
	case '[', '(':
		return openArray, 1
	case ']', ')':
		return closeArray, 1
	}
	if s[i] < utf8.RuneSelf {
		return noPunct, 0
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	switch r {
	case '，', '、', '；':
		return comma, size
	case '：':
		return colon, size
	case '｛':
		return openObject, size
	case '｝':
		return closeObject, size
	case '［', '【', '（':
		return openArray, size
	case '］', '】', '）':
		return closeArray, size
	}
	return noPunct, 0
}

// blankAt returns the size in bytes of white space of any kind at i, 0 when
// there is none.
func blankAt(s string, i int) int {
	switch c := s[i]; {
	case c == ' ', c == '\n', c == '\t', c == '\r', c == '\v', c == '\f':
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' || r == '\u200C' || r == '\u200D' || r == '\u2060' {
		return size
	}
	return 0
}

// isASCIISpace reports white space that JSON allows.
func isASCIISpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// skipBlanks returns the offset of the first character at or after i that is
// neither white space nor the mark of a quoted line.
func skipBlanks(s string, i int) int {
	for i < len(s) {
		n := blankAt(s, i)
		if n == 0 {
			if s[i] != '>' || !quoteMark(s, i) {
				break
			}
			n = 1
		}
		i += n
	}
	return i
}

// quoteMark reports whether the > at i starts a line, as in a Markdown quotation.
func quoteMark(s string, i int) bool {
	const indent = 8
	for j := i - 1; j >= 0 && j >= i-indent; j-- {
		if s[j] == '\n' {
			return true
		}
		if s[j] != ' ' && s[j] != '>' {
			return false
		}
	}
	return false
}

func isIdentStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

func isIdent(c byte) bool {
	return isIdentStart(c) || c >= '0' && c <= '9' || c == '-' || c == '.'
}

// commentEnd returns where the comment at i ends, i when there is none. A line
// comment ends before its line break.
func commentEnd(s string, i int) int {
	rest := s[i:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		if j := strings.Index(rest[2:], "*/"); j >= 0 {
			return i + 2 + j + 2
		}
		return len(s)
	case strings.HasPrefix(rest, "<!--"):
		if j := strings.Index(rest, "-->"); j >= 0 {
			return i + j + 3
		}
		return len(s)
	case strings.HasPrefix(rest, "//"), rest[0] == '#':
		if j := strings.IndexByte(rest, '\n'); j >= 0 {
			return i + j
		}
		return len(s)
	}
	return i
}

// ellipsis returns the size in bytes of a placeholder such as ... or …… at i.
func ellipsis(s string, i int) int {
	at := i
	for at < len(s) {
		switch {
		case strings.HasPrefix(s[at:], "…"):
			at += len("…")
		case strings.HasPrefix(s[at:], "..."):
			at += 3
		case at > i && s[at] == '.':
			at++
		default:
			return at - i
		}
	}
	return at - i
}

// startsComment reports whether a comment starts at i.
func startsComment(s string, i int) bool {
	rest := s[i:]
	return rest[0] == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "<!--")
}

// ahead returns the offset of the first character at or after i that is neither
// white space nor in a comment. It looks into comments of farComment bytes at
// most, so that looking ahead stays cheap wherever it is done.
func ahead(s string, i int) int {
	const farComment = 512
	for {
		i = skipBlanks(s, i)
		if i >= len(s) || !startsComment(s, i) {
			return i
		}
		near := s[:min(len(s), i+farComment)]
		end := commentEnd(near, i)
		if end == len(near) && len(near) < len(s) {
			return i
		}
		i = end
	}
}
