package redact

import (
	"bytes"
	"strings"
)

// value masks the value that starts at i, behind a name that ended with quote.
func (s *scanner) value(i int, n name, quote string) int {
	if start, end, ok := s.quoted(i, quote); ok {
		if !n.hides(s.in[start:end]) {
			return i
		}
		s.mask(start, end, n.kind, "")
		return end
	}
	end := s.bareEnd(i, n.weak)
	v := s.in[i:end]
	if len(v) == 0 || v[0] >= 0x80 || quote != "" && !tokenChar[v[0]] || !n.hides(v) {
		return i
	}
	if n.weak {
		end = s.bareEnd(i, false)
	}
	if strings.HasSuffix(quote, "'") {
		quote = ""
	}
	s.mask(i, end, n.kind, quote)
	return end
}

// quoted finds the content of the quoted value at i; one without its closing quote
// ends with the line. Where the name had no quotes, the quote may as well be the end of
// a JSON string that the name stands in: then one of , : ] } or white space follows
// it, and it opens nothing.
func (s *scanner) quoted(i int, nameQuote string) (start, end int, ok bool) {
	open := i
	for open < len(s.in) && s.in[open] == '\\' {
		open++
	}
	if open >= len(s.in) || s.in[open] != '"' && s.in[open] != '\'' {
		return 0, 0, false
	}
	start = open + 1
	if nameQuote == "" && (start == len(s.in) || bytes.IndexByte([]byte(",:]} \t\r\n"), s.in[start]) >= 0) {
		return 0, 0, false
	}
	end = s.quoteEnd(start, s.in[open], open-i)
	return start, end, true
}

// quoteEnd gives the end of a quoted content that starts at i, behind a quote with
// so many backslashes. A quote within JSON within JSON has an odd number of them; an
// even number before a double quote means that an outer JSON string ends there.
func (s *scanner) quoteEnd(i int, mark byte, opening int) int {
	before := 0 // backslashes just before j
	for j := i; j < len(s.in); j++ {
		switch c := s.in[j]; {
		case c == '\\':
			before++
			continue
		case c == '\n':
			return j
		case c == '"' && before%2 == 0:
			return j
		case c == '"' && (before <= opening || mark == '\''), c == '\'' && mark == '\'' && before%2 == 1 && opening > 0,
			c == 'n' && before%2 == 1 && (opening > 0 || mark == '\''):
			return j - before
		case c == '\'' && mark == '\'' && before%2 == 0:
			return j
		}
		before = 0
	}
	return len(s.in) - before%2
}

// bareEnd gives the end of a value without quotes at i: white space, a quote or a
// delimiter. An escaped quote or line break inside a JSON string ends it too. A short
// look is enough to tell whether a value looks random.
func (s *scanner) bareEnd(i int, short bool) int {
	const look = 64
	limit := len(s.in)
	if short {
		limit = min(limit, i+look)
	}
	for i < limit {
		c := s.in[i]
		switch {
		case c <= ' ' || c == 0x7f || bytes.IndexByte([]byte("\"'`,;&<>)]}|"), c) >= 0:
			return i
		case c == '\\':
			if i+1 >= len(s.in) || s.in[i+1] != '\\' {
				return i
			}
			i++
		case c >= 0x80 && wideStop(s.in[i:]):
			return i
		}
		i++
	}
	return min(i, len(s.in))
}

// wideStop reports whether text starts with a full-width delimiter.
func wideStop(text []byte) bool {
	for _, stop := range []string{"，", "。", "；", "、", "）", "】", "”", "’", "」", "　", "！", "？"} {
		if bytes.HasPrefix(text, []byte(stop)) {
			return true
		}
	}
	return false
}

// anyPassword judges a password that needs no name before it.
var anyPassword = name{kind: Password}

// hides reports whether v, behind this name, is a secret: no placeholder, no mask, and
// for a weak name something that looks random.
func (n name) hides(v []byte) bool {
	if len(v) == 0 || placeholder(v) || bytes.Contains(v, []byte(maskOpen)) {
		return false
	}
	if n.end == "pwd" && v[0] == '/' { // the working directory
		return false
	}
	return !n.weak || random(v)
}

// words that stand where a password would and are none.
var words = map[string]bool{
	"none": true, "null": true, "nil": true, "undefined": true, "empty": true, "unset": true, "true": true, "false": true,
	"yes": true, "no": true, "required": true, "missing": true, "invalid": true, "incorrect": true, "wrong": true,
	"expired": true, "redacted": true, "masked": true, "hidden": true, "n/a": true,
}

// placeholder reports whether v only stands for a value: a variable, a parameter, a
// row of stars, a word such as null.
func placeholder(v []byte) bool {
	if len(v) <= 12 && words[strings.ToLower(string(v))] {
		return true
	}
	if bytes.HasPrefix(v, []byte("${")) || bytes.HasPrefix(v, []byte("$(")) || bytes.HasPrefix(v, []byte("{{")) ||
		v[0] == '<' || v[0] == '[' || len(v) == 2 && (v[0] == '%' || v[0] == '$') {
		return true
	}
	same := true
	for _, c := range v {
		same = same && c == v[0]
	}
	return same && (!alnum(v[0]) || len(v) > 2 && (v[0] == 'x' || v[0] == 'X'))
}

// random reports whether v looks like something that no person named: one long piece of
// letters with digits, or a very long one. UUIDs and digests are not taken for it.
func random(v []byte) bool {
	const mixed, long, uuid = 12, 20, 36
	if bytes.HasPrefix(v, []byte("sha256:")) || len(v) == uuid && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-' {
		return false
	}
	piece := longestPiece(v)
	return piece >= long || piece >= mixed && hasDigit(v)
}
