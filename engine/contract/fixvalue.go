package contract

import (
	"strings"

	"golang.org/x/text/width"
)

// value reads the value at pos into the top frame. A member may lack its value:
// null stands in for it.
func (f *fixer) value() {
	if f.err != nil {
		return
	}
	if f.pos >= len(f.s) {
		f.absent(cut)
		return
	}
	if k := f.peek(f.pos); k.colon && f.top().n.Kind == ObjectNode && f.top().knows(k.text) {
		f.absent(touched)
		return
	}
	if fam, size := quoteAt(f.s, f.pos); fam != noQuote && !strings.HasPrefix(f.s[f.pos:], "```") {
		f.str(fam, size)
		return
	}
	switch p, size := punctAt(f.s, f.pos); p {
	case openObject, openArray:
		if !f.anew(p, size) {
			f.push(p, size)
		}
		return
	case comma, closeObject, closeArray:
		f.absent(touched)
		return
	case colon:
		f.edit(f.pos, f.pos+size, "", WhyJunk)
		f.pos += size
		f.trivia()
		f.value()
		return
	case noPunct:
	}
	if n := ellipsis(f.s, f.pos); n > 0 {
		f.edit(f.pos, f.pos+n, "", WhyEllipsis)
		f.pos += n
		f.absent(touched)
		return
	}
	f.token()
}

// absent puts null where a value is missing.
func (f *fixer) absent(fl flags) {
	n := f.newNode(NullNode, f.pos)
	n.Text, n.flags = "null", fl
	why := WhyMissingValue
	if fl&cut != 0 {
		why = WhyCut
	}
	f.edit(f.pos, f.pos, "null", why)
	f.attach(n)
}

// token reads a value without quotes: a number or a word of any language, or a
// text whose quotes are missing.
func (f *fixer) token() {
	start := f.pos
	end := start
	for end < len(f.s) {
		p, _ := punctAt(f.s, end)
		q, _ := quoteAt(f.s, end)
		if p != noPunct || q != noQuote || blankAt(f.s, end) > 0 || f.s[end] == '<' || f.s[end] == '/' && startsComment(f.s, end) {
			break
		}
		end += f.sizeAt(end)
	}
	word := f.s[start:end]
	if end < len(f.s) && len(word) == 1 && strings.Contains("uUrRbBfF", word) {
		if fam, size := quoteAt(f.s, end); fam != noQuote {
			f.edit(start, end, "", WhyLiteral) // the prefix of a Python string
			f.pos = end
			f.str(fam, size)
			return
		}
	}
	kind, text := classify(word)
	if kind == StringNode || !f.endsValue(end) {
		f.bare(start, end)
		return
	}
	f.pos = end
	n := f.newNode(kind, start)
	n.Span.End, n.Text = end, text
	if end == len(f.s) {
		n.flags |= cut // it may have had more digits
	}
	if text != word {
		f.edit(start, end, text, WhyLiteral)
	}
	f.attach(n)
}

// endsValue reports whether a value may end at i.
func (f *fixer) endsValue(i int) bool {
	i = skipBlanks(f.s, i)
	if i >= len(f.s) {
		return true
	}
	if p, _ := punctAt(f.s, i); p == comma || p == closeArray || p == closeObject {
		return true
	}
	if startsComment(f.s, i) || f.s[i] == '<' || strings.HasPrefix(f.s[i:], "```") {
		return true
	}
	if f.top().n.Kind == ObjectNode {
		return f.peek(i).named()
	}
	q, _ := quoteAt(f.s, i)
	return q != noQuote || f.s[i] >= '0' && f.s[i] <= '9' || ellipsis(f.s, i) > 0
}

// bare reads a text without quotes: to the separator, bracket or line end.
func (f *fixer) bare(start, end int) {
	if f.unopened(start) {
		return
	}
	for end < len(f.s) {
		p, n := punctAt(f.s, end)
		if f.s[end] == '\n' || f.s[end] == '`' || p == closeArray || p == closeObject || p == comma && n == 1 && f.s[end] == ',' {
			break
		}
		if t := tagAt(f.s, end); t.size > 0 {
			break
		}
		end += f.sizeAt(end)
	}
	if end == start {
		f.absent(touched) // the answer ends here, and the caller sees how
		return
	}
	text := strings.TrimRight(f.s[start:end], " \t\r")
	n := f.newNode(StringNode, start)
	n.Span.End, n.Text = start+len(text), text
	n.flags |= touched
	if end >= len(f.s) {
		n.flags |= cut
	}
	if strings.ContainsAny(n.Text, `"“”`) {
		n.flags |= unclear
	}
	f.edit(start, start+len(text), string(appendString(nil, n.Text)), WhyNoQuotes)
	f.pos = end
	f.attach(n)
}

// unopened reads a text at start whose opening quote is missing: one that runs, in
// the same line, to a quote behind which a value may end.
func (f *fixer) unopened(start int) bool {
	for i := start; i < len(f.s) && f.s[i] != '\n'; {
		q, n := quoteAt(f.s, i)
		if q == noQuote {
			i++
			continue
		}
		good := f.follows(i+n) >= weak
		if q == singleQuote && !good {
			i += n // an apostrophe
			continue
		}
		if q != doubleQuote && q != singleQuote || !good {
			return false
		}
		f.str(q, 0)
		return true
	}
	return false
}

// literals are words for values in Python, JavaScript and their relatives.
var literals = map[string]string{
	"true": "true", "True": "true", "TRUE": "true",
	"false": "false", "False": "false", "FALSE": "false",
	"null": "null", "Null": "null", "NULL": "null", "None": "null", "none": "null", "nil": "null", "undefined": "null",
	"NaN": "null", "nan": "null", "-NaN": "null", "Infinity": "null", "-Infinity": "null", "+Infinity": "null", "inf": "null", "-inf": "null", "Inf": "null",
}

// classify reads a word as a JSON literal or number; StringNode means neither.
func classify(word string) (NodeKind, string) {
	if len(word) == 0 || len(word) > 1<<16 {
		return StringNode, ""
	}
	if to, ok := literals[word]; ok {
		if to == "null" {
			return NullNode, to
		}
		return BoolNode, to
	}
	if numberEnd(word, 0) == len(word) {
		return NumberNode, word
	}
	if text, ok := number(word); ok {
		return NumberNode, text
	}
	return StringNode, ""
}

// number rewrites a number of another notation as JSON has it. Its value stays
// exactly the same: 009 is 9, 0x8 is 8, 1_000 is 1000.
func number(word string) (string, bool) {
	w := width.Narrow.String(word)
	w = strings.TrimPrefix(w, "+")
	sign := ""
	if strings.HasPrefix(w, "-") {
		sign, w = "-", w[1:]
	}
	if w == "" || w[0] != '.' && (w[0] < '0' || w[0] > '9') {
		return "", false
	}
	if len(w) > 2 && w[0] == '0' && strings.ContainsRune("xXoObB", rune(w[1])) {
		digits, ok := based(w)
		return sign + digits, ok
	}
	w = strings.ReplaceAll(w, "_", "")
	w = strings.TrimRight(w, "nLlfd") // type suffixes
	for len(w) > 1 && w[0] == '0' && w[1] >= '0' && w[1] <= '9' {
		w = w[1:]
	}
	if strings.HasPrefix(w, ".") {
		w = "0" + w
	}
	if strings.HasSuffix(w, ".") {
		w += "0"
	}
	w = strings.Replace(w, ".e", ".0e", 1)
	if numberEnd(w, 0) != len(w) || w == "" {
		return "", false
	}
	return sign + w, true
}

// based reads an integer written in base 2, 8 or 16, of at most 64 bits.
func based(w string) (string, bool) {
	base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[w[1]|0x20]
	v, ok := parseUint(strings.ReplaceAll(w[2:], "_", ""), base)
	return v, ok
}
