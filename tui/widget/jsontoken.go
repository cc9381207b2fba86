package widget

import "strings"

// token is a lexical element of JSON. Kind is its first byte for punctuation,
// '"' for a string, '0' for a number, 'a' for a literal, 0 at the end of the text
// and '?' for anything else.
type token struct {
	kind       byte
	start, end int
}

// nextToken reads the token at or after at.
func nextToken(s string, at int) token {
	for at < len(s) && (s[at] == ' ' || s[at] == '\n' || s[at] == '\t' || s[at] == '\r') {
		at++
	}
	if at == len(s) {
		return token{0, at, at}
	}
	switch c := s[at]; {
	case strings.IndexByte("{}[],:", c) >= 0:
		return token{c, at, at + 1}
	case c == '"':
		for end := at + 1; end < len(s); end++ {
			switch s[end] {
			case '"':
				return token{'"', at, end + 1}
			case '\\':
				end++ // the escaped byte
			}
		}
		return token{'?', at, len(s)}
	case c == '-' || c >= '0' && c <= '9':
		end := at + 1
		for end < len(s) && strings.IndexByte("0123456789+-.eE", s[end]) >= 0 {
			end++
		}
		return token{'0', at, end}
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(s[at:], word) {
			return token{'a', at, at + len(word)}
		}
	}
	return token{'?', at, at + 1}
}

// maxNesting is how deep JSON may be nested here; deeper text is shown as text.
const maxNesting = 1000

// grammar checks a sequence of tokens. The zero value expects a value.
type grammar struct {
	stack []byte // open brackets
	state grammarState
}

type grammarState uint8

const (
	wantValue grammarState = iota
	wantValueOrEnd
	wantKey
	wantKeyOrEnd
	wantColon
	wantComma
	complete
)

// accept takes the next token and reports whether it may stand there.
func (g *grammar) accept(kind byte) bool {
	value := g.state == wantValue || g.state == wantValueOrEnd
	switch kind {
	case '{', '[':
		if !value || len(g.stack) >= maxNesting {
			return false
		}
		g.stack = append(g.stack, kind)
		if g.state = wantValueOrEnd; kind == '{' {
			g.state = wantKeyOrEnd
		}
	case '}', ']':
		open := byte('{')
		empty := wantKeyOrEnd
		if kind == ']' {
			open, empty = '[', wantValueOrEnd
		}
		if len(g.stack) == 0 || g.stack[len(g.stack)-1] != open || g.state != wantComma && g.state != empty {
			return false
		}
		g.stack = g.stack[:len(g.stack)-1]
		g.valueDone()
	case '"':
		if g.state == wantKey || g.state == wantKeyOrEnd {
			g.state = wantColon
			return true
		}
		fallthrough
	case '0', 'a':
		if !value {
			return false
		}
		g.valueDone()
	case ':':
		if g.state != wantColon {
			return false
		}
		g.state = wantValue
	case ',':
		if g.state != wantComma {
			return false
		}
		if g.state = wantValue; g.stack[len(g.stack)-1] == '{' {
			g.state = wantKey
		}
	default:
		return false
	}
	return true
}

func (g *grammar) valueDone() {
	if g.state = wantComma; len(g.stack) == 0 {
		g.state = complete
	}
}

// jsonValue returns where the JSON value at at ends. It looks at most budget
// bytes far.
func jsonValue(s string, at, budget int) (end int, ok bool) {
	var g grammar
	for stop := at + budget; at <= stop; {
		t := nextToken(s, at)
		if !g.accept(t.kind) {
			return t.end, false
		}
		if at = t.end; g.state == complete {
			return t.end, true
		}
	}
	return at, false
}
