package answer

import (
	"strings"
	"unicode"
)

// Inline makes text safe inside one Markdown line: white space and control
// characters become single spaces, and whatever Markdown would read as structure is
// escaped (CommonMark 0.31, sections 2.4, 4, 6). Plain text such as query_logs,
// HikariPool-1 or [ERROR] stays readable: only what would have an effect changes.
func Inline(s string) string {
	s = flatten(s)
	runes := []rune(s)
	has := features{
		links:  strings.Contains(s, "](") || strings.Contains(s, "]["),
		strike: strings.Count(s, "~") > 1,
	}
	var b strings.Builder
	for i, r := range runes {
		if escapes(runes, i, r, has) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// flatten gives one line without control characters.
func flatten(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

// features are what a text as a whole could make of its marks.
type features struct{ links, strike bool }

func escapes(runes []rune, i int, r rune, has features) bool {
	next := at(runes, i+1)
	switch r {
	case '`', '*':
		return true
	case '\\':
		return next == 0 || isPunct(next)
	case '_':
		// Between letters an underscore is a letter (section 6.2).
		return !isWord(at(runes, i-1)) || !isWord(next)
	case '~':
		return has.strike
	case '[':
		return has.links || i == 0
	case '<':
		return isWord(next) || next == '/' || next == '!' || next == '?'
	case '&':
		return isWord(next) || next == '#'
	case '|':
		return true // never part of a table
	}
	if i == 0 {
		switch r {
		case '#', '>', '+', '-', '=':
			return true
		}
	}
	// An ordered list marker: digits, then a full stop or a bracket.
	return (r == '.' || r == ')') && i > 0 && i < 10 && allDigits(runes[:i]) && (next == ' ' || next == 0)
}

// at gives the rune at i, 0 outside.
func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return 0
	}
	return runes[i]
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isPunct(r rune) bool { return r < 0x80 && !isWord(r) && r > ' ' }

func allDigits(runes []rune) bool {
	for _, r := range runes {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

// clip cuts s to n runes and marks the cut.
func clip(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n]) + "…"
}

// minHanShare is the least share of Chinese characters among the letters of a
// Chinese text. Diagnoses quote many Latin identifiers, so it is low.
const minHanShare = 0.2

// Chinese reports whether a text reads as Chinese: at least one letter in five,
// after what stands in backticks, is a Han character.
func Chinese(s string) bool {
	han, letters := 0, 0
	code := false
	for _, r := range s {
		if r == '`' {
			code = !code
			continue
		}
		if code || !unicode.IsLetter(r) {
			continue
		}
		letters++
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	return han > 0 && float64(han) >= minHanShare*float64(letters)
}
