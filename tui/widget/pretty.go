package widget

import (
	"errors"
	"strings"

	"claimscope/tui/text"
)

// MaxPretty is the longest text that [Pretty] takes, in bytes. The result takes up
// to a few times as much memory, 12 bytes for each token among it.
const MaxPretty = 16 << 20

// ErrTooLarge reports a text over [MaxPretty], or one that would be.
var ErrTooLarge = errors.New("text too large to be laid out as JSON")

// Limits of the layout: deeper levels are not indented further, and an array of
// plain values up to this width stays on one line.
const (
	maxIndent  = 40
	inlineCols = 72
)

// PrettyText is a text with its JSON laid out, and where each byte came from.
type PrettyText struct {
	Text string
	// OffsetMap maps offsets of the raw text (source) and of Text (shown).
	text.OffsetMap
	// Changed tells whether there was any JSON to lay out.
	Changed bool
}

// Pretty lays out the JSON in s: each value that starts a line and ends one,
// over several lines too, so a document and JSON Lines between plain lines of a
// log both work. Everything else is copied. Only white space between tokens is
// changed, so every other byte keeps its span. It takes some 20 ms for each
// megabyte: run it outside of Update and View.
func Pretty(s string) (PrettyText, error) {
	if len(s) > MaxPretty {
		return PrettyText{}, ErrTooLarge
	}
	p := printer{s: s}
	p.out.Grow(len(s) + len(s)/2)
	budget := 4 * len(s) // for values that turn out to be none
	for at := 0; at < len(s); {
		first := at
		for first < len(s) && (s[first] == ' ' || s[first] == '\t') {
			first++
		}
		if first < len(s) && (s[first] == '{' || s[first] == '[') && budget > 0 {
			end, ok := jsonValue(s, first, budget)
			budget -= end - first
			if ok && blankToNewline(s, end) {
				p.copy(at, first)
				p.value(first, end)
				at = end
				p.changed = true
			}
		}
		end := len(s)
		if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		p.copy(at, end)
		at = end
		if p.out.Len() > 4*MaxPretty {
			return PrettyText{}, ErrTooLarge
		}
	}
	return PrettyText{Text: p.out.String(), OffsetMap: p.m, Changed: p.changed}, nil
}

// blankToNewline reports whether only blanks follow on the line.
func blankToNewline(s string, at int) bool {
	for at < len(s) && (s[at] == ' ' || s[at] == '\t' || s[at] == '\r') {
		at++
	}
	return at == len(s) || s[at] == '\n'
}

// printer writes the layout and its map.
type printer struct {
	s       string
	out     strings.Builder
	m       text.OffsetMap
	changed bool
}

func (p *printer) copy(from, to int) {
	p.out.WriteString(p.s[from:to])
	p.m.Copy(to - from)
}

// gap writes white space in place of that between the tokens at from and to.
func (p *printer) gap(from, to int, white string) {
	if p.s[from:to] == white {
		p.copy(from, to)
		return
	}
	p.out.WriteString(white)
	p.m.Replace(to-from, len(white))
}

// value lays out the valid JSON value s[at:end].
func (p *printer) value(at, end int) {
	depth, inline := 0, 0 // inline is where the array kept on one line ends
	before := token{}
	for {
		t := nextToken(p.s, at)
		if t.kind == '}' || t.kind == ']' {
			depth--
		}
		if before.kind != 0 {
			p.gap(at, t.start, white(before.kind, t.kind, depth, t.start < inline))
		}
		p.copy(t.start, t.end)
		if t.kind == '{' || t.kind == '[' {
			depth++
		}
		if t.kind == '[' && inline <= t.start {
			inline = p.inlineEnd(t.start)
		}
		at, before = t.end, t
		if at >= end || p.out.Len() > 4*MaxPretty {
			return
		}
	}
}

// white returns the white space between two tokens.
func white(before, after byte, depth int, inline bool) string {
	const lines = "\n" + "                                                                                "
	switch {
	case after == ',' || after == ':',
		before == '{' && after == '}', before == '[' && after == ']':
		return ""
	case before == ':':
		return " "
	case inline && before == ',':
		return " "
	case inline:
		return ""
	}
	return lines[:1+2*min(depth, maxIndent)]
}

// inlineEnd returns where the array at at ends if it holds plain values only and
// is short, else 0.
func (p *printer) inlineEnd(at int) int {
	width := 0
	for t := nextToken(p.s, at+1); ; t = nextToken(p.s, t.end) {
		switch width += t.end - t.start + 1; {
		case width > inlineCols, t.kind == '{', t.kind == '[', t.kind == 0:
			return 0
		case t.kind == ']':
			return t.end
		}
	}
}
