package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences splits prose in Chinese or English, plain or Markdown, into sentences.
// Offsets are bytes; white space and list marks around a sentence are left out.
// A stop inside a number, a version, a host name, a path or an abbreviation ends
// nothing, and closing quotes and brackets stay with their sentence.
func Sentences(text string) []Span {
	var out []Span
	start := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		next := i + n
		switch {
		case r == '\n':
			out = appendTrimmed(out, text, start, i)
			start = next
		case isStop(text, r, i, next):
			for next < len(text) { // ？！ and closing marks belong here
				c, m := utf8.DecodeRuneInString(text[next:])
				if !strings.ContainsRune("。！？!?”’」』）)】》\"", c) {
					break
				}
				next += m
			}
			out = appendTrimmed(out, text, start, next)
			start = next
		}
		i = next
	}
	return appendTrimmed(out, text, start, len(text))
}

// isStop reports whether the rune r at text[i:next] ends a sentence.
func isStop(text string, r rune, i, next int) bool {
	switch r {
	case '。', '！', '？', '；':
		return true
	case '!', '?', ';':
		return next == len(text) || text[next] == ' ' || text[next] == '\n' || text[next] >= utf8.RuneSelf
	case '.':
		return latinStop(text, i, next)
	}
	return false
}

// abbreviations end in a stop that ends no sentence.
var abbreviations = []string{"e.g", "i.e", "etc", "vs", "approx", "No", "Fig", "al", "Mr", "Dr"}

// latinStop tells a full stop from a point: white space and a new beginning follow.
func latinStop(text string, i, next int) bool {
	if next == len(text) {
		return true
	}
	after := strings.TrimLeft(text[next:], "\"')] ")
	if len(after) == len(text[next:]) {
		r, _ := utf8.DecodeRuneInString(after)
		return unicode.Is(unicode.Han, r) && i > 0 && isLetterByte(text[i-1])
	}
	for _, a := range abbreviations {
		if strings.HasSuffix(text[:i], a) {
			return false
		}
	}
	if listNumber(text[:i]) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || unicode.IsUpper(r) || unicode.Is(unicode.Han, r) || unicode.IsDigit(r) || r == '\n'
}

// listNumber reports whether the text ends in a number that opens its line: "1" of "1. First".
func listNumber(before string) bool {
	line := strings.TrimLeft(before[strings.LastIndexByte(before, '\n')+1:], " \t>")
	return line != "" && len(line) <= 3 && strings.Trim(line, "0123456789") == ""
}

func isLetterByte(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// appendTrimmed adds text[start:end] without the white space and Markdown marks at
// its sides; nothing when no letter or digit remains.
func appendTrimmed(out []Span, text string, start, end int) []Span {
	for start < end {
		rest := text[start:end]
		trimmed := strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("#>*+-•·|", r) })
		if i := strings.IndexAny(trimmed, ".、)）"); i > 0 && i <= 3 && strings.Trim(trimmed[:i], "0123456789") == "" && !digitFollows(trimmed[i+1:]) {
			_, n := utf8.DecodeRuneInString(trimmed[i:])
			trimmed = trimmed[i+n:]
		}
		if len(trimmed) == len(rest) {
			break
		}
		start = end - len(trimmed)
	}
	body := strings.TrimRightFunc(text[start:end], func(r rune) bool { return unicode.IsSpace(r) || r == '*' || r == '|' })
	if strings.IndexFunc(body, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
		return out
	}
	return append(out, Span{start, start + len(body)})
}

func digitFollows(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// Clauses splits a sentence at commas, colons and the like, the scope of a cue of
// certainty (spec G5). Offsets are bytes into text.
func Clauses(text string) []Span {
	var out []Span
	start, depth := 0, 0
	for i, r := range text {
		n := utf8.RuneLen(r)
		if n < 0 {
			n = 1
		}
		switch r {
		case '（', '(', '“', '「', '《', '【':
			depth++
		case '）', ')', '”', '」', '》', '】':
			depth = max(depth-1, 0)
		case '，', '；', ';', '。', '！', '？', '\n', '：':
		case ',', ':':
			if i+1 < len(text) && text[i+1] != ' ' && text[i+1] < utf8.RuneSelf {
				continue // 1,024 and 10:15:28
			}
		default:
			continue
		}
		if strings.ContainsRune("，；;。！？\n：,:", r) && depth == 0 {
			out = appendClause(out, text, start, i)
			start = i + n
		}
	}
	return appendClause(out, text, start, len(text))
}

func appendClause(out []Span, text string, start, end int) []Span {
	body := strings.TrimSpace(text[start:end])
	if body == "" {
		return out
	}
	at := start + strings.Index(text[start:end], body)
	return append(out, Span{at, at + len(body)})
}
