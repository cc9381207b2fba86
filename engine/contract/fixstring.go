package contract

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseUint reads an unsigned integer of a base as decimal digits.
func parseUint(digits string, base int) (string, bool) {
	v, err := strconv.ParseUint(digits, base, 64)
	return strconv.FormatUint(v, 10), err == nil
}

// verdict says how well a quote character fits as the end of a string.
type verdict uint8

const (
	bad        verdict = iota // something else follows
	commaQuote                // a comma and a text follow, but no member: it may be inside the string
	weak                      // what follows could stand there
	strong                    // what follows can only stand behind a string of this contract
)

// str reads the string whose opening quote stands at pos.
func (f *fixer) str(fam family, size int) {
	start := f.pos
	from := start + size
	if size == 1 && (strings.HasPrefix(f.s[start:], `"""`) || strings.HasPrefix(f.s[start:], `'''`)) && f.triple(start) {
		return
	}
	close, csize := f.firstClose(fam, size, from)
	var fl flags
	if close >= 0 && f.follows(close+csize) <= commaQuote {
		close, csize, fl = f.search(fam, size, from)
	}
	if fl&unclear == 0 && close > from && f.s[from] == '"' && size == 1 && strings.Count(f.s[from:close], `"`) == 1 {
		from++ // the opening quote stands twice
	}
	end := close + csize
	if close < 0 {
		close = f.unfinished(from)
		end, fl = close, fl|cut
	}
	mark := len(f.edits)
	text, inside := f.content(start, from, close, end, fam)
	if inside || size == 0 {
		fl |= touched
	}
	if fl&unclear != 0 && holdsObjects(text) {
		fl &^= unclear // the quotes are those of an object in the text: its end is in no doubt
	}
	f.pos = end
	n := f.newNode(StringNode, start)
	n.Span.End, n.Text = end, text
	n.flags |= fl
	if strings.Contains(text, `\u`) && hasLone(f.s[from:close]) {
		n.flags |= lone
	}
	f.concatenate(n, mark)
	f.attach(n)
}

// unfinished is where a string from from ends that is never closed: at the end of
// the text or where reasoning starts, which is no part of it.
func (f *fixer) unfinished(from int) int {
	for i := from; i < len(f.s); i++ {
		if c := f.s[i]; c == '<' || c == '[' || c == "◁"[0] {
			if t := tagAt(f.s, i); t.size > 0 && !t.close {
				return i
			}
		}
	}
	return len(f.s)
}

// holdsObjects reports whether all quotes of a text are those of JSON objects or
// arrays in it, as in a line of a log.
func holdsObjects(text string) bool {
	const long = 1 << 13
	if len(text) > long {
		return false
	}
	some := false
	for i := 0; i < len(text); {
		switch text[i] {
		case '{', '[':
			r := strict{s: text, pos: i, arena: &arena{}}
			if r.value(0) == nil {
				i++
				continue
			}
			some, i = true, r.pos
		case '"':
			return false
		default:
			i++
		}
	}
	return some
}

// hasLone reports whether raw string content holds an escape of a lone surrogate.
func hasLone(raw string) bool {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			i++
			continue
		}
		_, n, isLone := unescape(nil, raw[i:])
		if isLone {
			return true
		}
		i += max(n, 1)
		if n == 0 {
			i++
		}
	}
	return false
}

// firstClose finds the first quote that can close a string of the family: -1
// when there is none to the end of the text. ASCII quotes are closed by the same
// character only.
func (f *fixer) firstClose(fam family, size, from int) (at, csize int) {
	for i := from; i < len(f.s); {
		c := f.s[i]
		switch {
		case c == '\\':
			i += 2
		case size == 1:
			if c == f.s[from-1] {
				return i, 1
			}
			i++
		case c < utf8.RuneSelf && c != '"' && c != '\'':
			i++
		default:
			q, n := quoteAt(f.s, i)
			if q == fam {
				return i, n
			}
			i += max(n, 1)
		}
	}
	return -1, 0
}

// search finds the end of a string that has quotes of its own inside: the first
// quote behind which something stands that can only stand behind the string. It
// is unclear when a quote before it was followed by a comma and another text. -1
// means that the text ends inside the string.
func (f *fixer) search(fam family, size, from int) (at, csize int, fl flags) {
	fl = touched
	inside := 0
	for i := from; i < len(f.s); {
		c := f.s[i]
		if c == '\\' {
			i += 2
			continue
		}
		if c == '<' {
			if t := tagAt(f.s, i); t.size > 0 && t.close {
				return f.openEnd(from, i), 0, fl | unclear
			}
		}
		q, n := quoteAt(f.s, i)
		if q != fam {
			i++
			continue
		}
		if f.startsMember(i) {
			end := f.openEnd(from, i)
			if end-2 >= from && f.s[end-2:end] == `\"` {
				return end - 1, 1, fl // a backslash before the closing quote is text
			}
			if gap := f.s[end:i]; !strings.ContainsAny(gap, ",\n") || inside > 0 {
				fl |= unclear
			}
			return end, 0, fl
		}
		v := f.follows(i + n)
		even := size > 1 || fam != doubleQuote || inside%2 == 0
		if v == strong || v == weak && even {
			if inside == 1 && n == 1 && f.s[i-1] == f.s[i] && i > from {
				return i - 1, 2, fl // the closing quote stands twice
			}
			return i, n, fl
		}
		if v == commaQuote || v == weak {
			fl |= unclear
		}
		if n == 1 {
			inside++
		}
		i += n
	}
	return -1, 0, fl
}

// startsMember reports whether the quote at i opens a known member of an open
// object: then the string before it lacks its closing quote.
func (f *fixer) startsMember(i int) bool {
	if _, n := quoteAt(f.s, i); i+n >= len(f.s) || !isIdentStart(f.s[i+n]) {
		return false
	}
	k := f.peek(i)
	return k.named() && k.start < k.end && f.known(k.text) && f.top().n.Kind == ObjectNode
}

// openEnd is where a string without a closing quote ends, when the next member
// starts at i: before the white space, the comma and the brackets there, as many
// as that member needs.
func (f *fixer) openEnd(from, i int) int {
	s := strings.TrimRight(f.s[from:i], " \t\r\n")
	kind := ObjectNode
	if t := strings.TrimSuffix(s, "{"); len(t) < len(s) {
		s, kind = strings.TrimRight(t, " \t\r\n"), ArrayNode
	}
	whole := s
	s = strings.TrimRight(strings.TrimSuffix(s, ","), " \t\r\n")
	open := len(f.stack)
	if k := f.peek(i); k.named() {
		open = f.home(k.text, kind)
	}
	if open < 0 {
		return from + len(whole)
	}
	for n := len(f.stack); n > open; n-- {
		t := strings.TrimRight(s, " \t\r\n")
		if !strings.HasSuffix(t, "}") && !strings.HasSuffix(t, "]") {
			break
		}
		s = t[:len(t)-1]
	}
	return from + len(strings.TrimRight(s, " \t\r\n"))
}

// follows judges i, the offset behind a quote, as the end of a string.
func (f *fixer) follows(i int) verdict {
	at := skipBlanks(f.s, i)
	if at >= len(f.s) || startsComment(f.s, at) {
		return weak
	}
	switch p, n := punctAt(f.s, at); p {
	case comma:
		return f.followsComma(pastCommas(f.s, at+n))
	case closeObject, closeArray:
		return f.followsClose(at)
	case openObject, openArray:
		if f.top().n.Kind == ArrayNode {
			return weak
		}
		return bad
	case noPunct, colon:
	}
	switch f.s[at] {
	case '+':
		if next := ahead(f.s, at+1); next < len(f.s) {
			if q, _ := quoteAt(f.s, next); q != noQuote {
				return weak
			}
		}
		return bad
	case '<':
		if tagAt(f.s, at).size > 0 || templateToken(f.s, at) > 0 {
			return weak
		}
	}
	if strings.HasPrefix(f.s[at:], "```") {
		return weak
	}
	return f.followsNothing(i, at)
}

// followsNothing judges an end without a separator behind it.
func (f *fixer) followsNothing(i, at int) verdict {
	lineBreak := strings.IndexByte(f.s[i:at], '\n') >= 0
	if f.top().n.Kind == ArrayNode {
		if q, _ := quoteAt(f.s, at); q != noQuote && at > i {
			return weak
		}
		return bad
	}
	if k := f.peek(at); k.named() && (k.clean || lineBreak) {
		if f.known(k.text) {
			return strong
		}
		if lineBreak {
			return weak
		}
	}
	return bad
}

// followsComma judges what stands at i behind a comma.
func (f *fixer) followsComma(i int) verdict {
	if i >= len(f.s) {
		return weak
	}
	q, _ := quoteAt(f.s, i)
	p, _ := punctAt(f.s, i)
	if f.s[i] == '<' && (tagAt(f.s, i).size > 0 || templateToken(f.s, i) > 0) {
		return weak
	}
	if p == closeObject || p == closeArray || p == comma || startsComment(f.s, i) || ellipsis(f.s, i) > 0 {
		return weak
	}
	if f.top().n.Kind == ArrayNode {
		return f.mayBeItem(i)
	}
	if p == openObject {
		if len(f.stack) > 1 && f.opensItem(i, f.stack[len(f.stack)-2].role) {
			return strong
		}
		return bad
	}
	k := f.peek(i)
	switch {
	case k.named() && f.known(k.text):
		return strong
	case k.colon && plainName(k.text) && (q != noQuote || f.bareKeys), nameCut(f.s, i):
		return weak
	case q != noQuote:
		return commaQuote
	}
	return bad
}

// mayBeItem judges whether an item of an array, or its end, stands at i.
func (f *fixer) mayBeItem(i int) verdict {
	q, _ := quoteAt(f.s, i)
	p, _ := punctAt(f.s, i)
	_, literal := literals[word(f.s, i)]
	if q != noQuote || p >= openObject || literal || f.s[i] == '-' || f.s[i] >= '0' && f.s[i] <= '9' || ellipsis(f.s, i) > 0 {
		return weak
	}
	return bad
}

// plainName reports whether a text looks like a field name.
func plainName(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c < utf8.RuneSelf && !isIdent(c) && c != ' ' {
			return false
		}
	}
	return true
}

// followsClose judges closing brackets at i: they should match the open
// containers, and what stands behind them must fit there.
func (f *fixer) followsClose(i int) verdict {
	depth, matches := len(f.stack), true
	for i < len(f.s) && depth > 0 {
		p, n := punctAt(f.s, i)
		if p != closeObject && p != closeArray {
			break
		}
		if (p == closeArray) == (f.stack[depth-1].n.Kind == ArrayNode) {
			depth--
		} else {
			matches = false
		}
		i = ahead(f.s, i+n)
	}
	p := noPunct
	if i < len(f.s) {
		p, _ = punctAt(f.s, i)
	}
	if p == comma {
		i = pastCommas(f.s, i)
	}
	switch {
	case i >= len(f.s), startsComment(f.s, i), f.s[i] == '<', f.s[i] == '`':
		return pickVerdict(matches, strong, weak)
	case !matches:
		return f.followsMismatch(i)
	case depth == 0:
		return strong
	}
	if p, _ := punctAt(f.s, i); p == openObject && f.stack[depth-1].n.Kind == ObjectNode && depth > 1 {
		depth-- // the object's own bracket may be missing
	}
	return f.followsItem(&f.stack[depth-1], i)
}

func pickVerdict(yes bool, a, b verdict) verdict {
	if yes {
		return a
	}
	return b
}

// followsMismatch judges what stands at i behind brackets that do not match the
// open containers: some bracket is missing or too many, if a field of the
// contract follows.
func (f *fixer) followsMismatch(i int) verdict {
	if p, n := punctAt(f.s, i); p == openObject {
		i = pastBrace(f.s, i+n)
	}
	if k := f.peek(i); k.named() && f.known(k.text) {
		return weak
	}
	return bad
}

// followsItem judges what stands at i as the next item of a container.
func (f *fixer) followsItem(fr *frame, i int) verdict {
	if fr.n.Kind == ArrayNode {
		if f.opensItem(i, fr.role) {
			return strong
		}
		if fr.role != nil && !fr.role.loose {
			return weak // words between its objects
		}
		return f.mayBeItem(i)
	}
	if p, _ := punctAt(f.s, i); p == closeObject || p == closeArray {
		return weak
	}
	if r := f.itemRole(fr); r != nil && f.opensItem(i, r) {
		return strong // the bracket of the array is missing
	}
	k := f.peek(i)
	switch {
	case k.named() && fr.knows(k.text):
		return strong
	case k.colon, ellipsis(f.s, i) > 0, nameCut(f.s, i):
		return weak
	}
	return bad
}
