package contract

import (
	"strings"
)

// keyToken is what may be a member name.
type keyToken struct {
	start, end int    // with its quotes
	text       string // without
	clean      bool   // written as JSON has it
	colon      bool   // a colon follows
	colonAt    Span   // where
}

// farKey bounds how far ahead a member name is looked for, in bytes.
const farKey = 256

// peekKey looks at what stands at i as a member name. The zero token means that
// nothing like one stands there.
func peekKey(s string, i int) keyToken { return peekKeyWithin(s, i, farKey) }

// firstKey looks at the first member name of an object, at i behind its bracket.
func firstKey(s string, i int) keyToken {
	return peekKey(s, pastBrace(s, i))
}

// pastBrace returns the offset of the first member of an object at i behind its
// bracket, which may be doubled.
func pastBrace(s string, i int) int {
	i = pastCommas(s, i)
	if i < len(s) {
		if p, n := punctAt(s, i); p == openObject {
			i = pastCommas(s, i+n)
		}
	}
	return i
}

// pastCommas returns the offset of the first character at or after i that is no
// comma, white space or comment.
func pastCommas(s string, i int) int {
	for {
		i = ahead(s, i)
		if i >= len(s) {
			return i
		}
		p, n := punctAt(s, i)
		if p != comma {
			return i
		}
		i += n
	}
}

func peekKeyWithin(s string, i, far int) keyToken {
	if i >= len(s) {
		return keyToken{}
	}
	fam, size := quoteAt(s, i)
	if fam == noQuote {
		return peekIdent(s, i)
	}
	k := keyToken{start: i}
	limit := min(len(s), i+far)
	exact := size == 1
	for at := i + size; at < limit; {
		c := s[at]
		if c == '\\' {
			at += 2
			continue
		}
		q, qsize := quoteAt(s, at)
		if q == fam && (qsize == 1 || !exact || endsKey(s, at+qsize)) {
			k.end = at + qsize
			raw := s[i+size : at]
			k.text, k.clean = raw, fam == doubleQuote && exact && qsize == 1
			if strings.IndexByte(raw, '\\') >= 0 || !printable(raw) {
				if text, ok := strictText(raw); ok {
					k.text = text
				} else {
					k.clean = false
				}
			}
			k.findColon(s)
			return k
		}
		if q != noQuote {
			at += qsize
			continue
		}
		at++
	}
	return keyToken{}
}

// nameCut reports whether the text ends inside or right behind a member name at i.
func nameCut(s string, i int) bool {
	k := peekKey(s, i)
	if k.end > 0 {
		return skipBlanks(s, k.end) >= len(s)
	}
	q, _ := quoteAt(s, i)
	return q != noQuote && len(s)-i < farKey
}

// endsKey reports whether a colon follows.
func endsKey(s string, i int) bool {
	if i = skipBlanks(s, i); i >= len(s) {
		return false
	}
	p, _ := punctAt(s, i)
	return p == colon
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 {
			return false
		}
	}
	return true
}

// strictText decodes the inside of a JSON string.
func strictText(raw string) (string, bool) {
	r := strict{s: `"` + raw + `"`}
	text, _, ok := r.str()
	return text, ok && r.pos == len(r.s)
}

func (k *keyToken) findColon(s string) {
	at := skipBlanks(s, k.end)
	if at >= len(s) {
		return
	}
	if p, size := punctAt(s, at); p == colon {
		k.colon, k.colonAt = true, Span{at, at + size}
	}
}

// peekIdent looks at a name without an opening quote.
func peekIdent(s string, i int) keyToken {
	if !isIdentStart(s[i]) {
		return keyToken{}
	}
	k := keyToken{start: i, end: i + 1}
	limit := min(len(s), i+farKey)
	for k.end < limit && isIdent(s[k.end]) {
		k.end++
	}
	k.text = s[i:k.end]
	if k.end < len(s) {
		if q, size := quoteAt(s, k.end); q != noQuote && endsKey(s, k.end+size) {
			k.end += size
		}
	}
	k.findColon(s)
	return k
}

// objectStep reads the next member of the top object, or its end.
func (f *fixer) objectStep() {
	f.separators()
	if f.err != nil || f.ends() {
		return
	}
	switch p, size := punctAt(f.s, f.pos); p {
	case closeObject:
		f.closeObject(size)
		return
	case closeArray:
		f.arrayCloseInObject(size)
		return
	case openObject:
		f.objectInObject(p, size)
		return
	case noPunct, comma, colon, openArray:
	}
	k := peekKey(f.s, f.pos)
	if k.end == 0 && f.s[f.pos] == '"' {
		k = peekKeyWithin(f.s, f.pos, len(f.s))
	}
	if !k.colon {
		k = f.brokenKey(k)
	}
	if k.end == 0 {
		f.junkInObject()
		return
	}
	if t := f.top(); t.role != nil && !t.knows(k.text) {
		if depth := f.owner(k.text); depth >= 0 {
			for len(f.stack)-1 > depth {
				f.implyClose()
			}
		}
	}
	f.member(k)
}

// knows reports whether a name is a field of the frame's role.
func (fr *frame) knows(name string) bool {
	if fr.role == nil {
		return false
	}
	fl, _ := fr.role.lookup(name)
	return fl != nil
}

// owner finds the object around the top frame that a member name belongs to:
// one that has such a field and lacks it so far. It is -1 when there is none.
func (f *fixer) owner(name string) int {
	for i := len(f.stack) - 2; i >= 0; i-- {
		fr := &f.stack[i]
		if fr.n.Kind != ObjectNode || fr.role == nil || fr.role.loose {
			continue
		}
		if fl := fr.role.exact[name]; fl != nil && name != fr.key && !f.has(fr, f.stack[i+1].mark, name) {
			return i
		}
	}
	return -1
}

// brokenKey tries to read a member name at pos that no colon follows: one whose
// closing quote or colon is missing. The zero token means that it is none.
func (f *fixer) brokenKey(k keyToken) keyToken {
	t := f.top()
	if fam, size := quoteAt(f.s, f.pos); fam != noQuote {
		from := f.pos + size
		if j := strings.IndexAny(f.s[from:min(len(f.s), from+maxName)], ":："); j > 0 {
			name := strings.TrimSpace(f.s[from : from+j])
			if t.knows(name) {
				k = keyToken{start: f.pos, end: from + j, text: name}
				k.findColon(f.s)
				return k
			}
		}
	}
	if k.end == 0 || !t.knows(k.text) {
		return keyToken{}
	}
	at := ahead(f.s, k.end)
	if at >= len(f.s) {
		return keyToken{}
	}
	if q, _ := quoteAt(f.s, at); q != noQuote || f.s[at] == '[' || f.s[at] == '{' {
		return k
	}
	return keyToken{}
}

// member reads a member from its name on.
func (f *fixer) member(k keyToken) {
	f.beforeItem()
	if !k.clean {
		f.edit(k.start, k.end, string(appendString(nil, k.text)), WhyKeyQuotes)
	}
	switch {
	case !k.colon:
		f.edit(k.end, k.end, ":", WhyMissingColon)
		f.pos = k.end
	default:
		if f.s[k.colonAt.Start:k.colonAt.End] != ":" {
			f.edit(k.colonAt.Start, k.colonAt.End, ":", WhyFullWidth)
		}
		f.blanks(k.end, k.colonAt.Start)
		f.pos = k.colonAt.End
	}
	t := f.top()
	t.key, t.kspan = k.text, Span{k.start, k.end}
	f.trivia()
	f.value()
}

// blanks removes white space that JSON does not know between from and to.
func (f *fixer) blanks(from, to int) {
	for i := from; i < to; {
		n := max(1, blankAt(f.s, i))
		if !isASCIISpace(f.s[i]) {
			f.edit(i, i+n, "", WhyBlank)
		}
		i += n
	}
}

// junkInObject passes over what stands where a member name belongs. A text
// before it may have been cut short by its own quotes: it is not to be trusted.
func (f *fixer) junkInObject() {
	if items := f.items(); len(items) > 0 {
		if last := items[len(items)-1]; last.Kind == StringNode {
			last.flags |= unclear
		}
	}
	from := f.pos
	if k := peekKey(f.s, f.pos); k.end > 0 {
		f.pos = k.end
		if k.colon {
			f.pos = k.colonAt.End
		}
	} else {
		f.pos += f.sizeAt(f.pos)
	}
	for f.pos < len(f.s) {
		p, _ := punctAt(f.s, f.pos)
		q, _ := quoteAt(f.s, f.pos)
		if p != noPunct && p != colon || q != noQuote || f.s[f.pos] == '\n' || f.s[f.pos] == '<' || f.s[f.pos] == '`' {
			break
		}
		f.pos += f.sizeAt(f.pos)
	}
	if f.pos >= len(f.s) && f.tailIsName(from) {
		f.edit(from, f.pos, "", WhyCut)
		f.dangling = true
		return
	}
	f.edit(from, f.pos, "", WhyJunk)
}

// tailIsName reports whether the rest of the text is the start of a member.
func (f *fixer) tailIsName(from int) bool {
	q, _ := quoteAt(f.s, from)
	return q != noQuote || isIdentStart(f.s[from])
}

// sizeAt is the size in bytes of the character at i.
func (f *fixer) sizeAt(i int) int {
	n := 1
	for i+n < len(f.s) && f.s[i+n]&0xC0 == 0x80 {
		n++
	}
	return n
}

// closeObject ends the top object at its bracket, unless what follows shows that
// the bracket is one too many.
func (f *fixer) closeObject(size int) {
	inObject := len(f.stack) > 1 && f.stack[len(f.stack)-2].n.Kind == ObjectNode
	if open, _ := f.behind(); open == len(f.stack) && !inObject {
		f.dropBracket(size)
		return
	}
	f.beforeClose()
	if size != 1 {
		f.edit(f.pos, f.pos+size, "}", WhyBracket)
	}
	f.pos += size
	f.pop(f.pos)
}

func (f *fixer) dropBracket(size int) {
	f.edit(f.pos, f.pos+size, "", WhyExtraBracket)
	f.pos += size
}

// arrayCloseInObject meets the end of an array inside an object: the object's
// own bracket is missing, or this one is too many.
func (f *fixer) arrayCloseInObject(size int) {
	if f.tooMany(ArrayNode) {
		f.dropBracket(size)
		return
	}
	for f.top().n.Kind != ArrayNode {
		f.implyClose()
	}
}

// tooMany decides about a closing bracket at pos that does not match the top
// container: whether it is one too many, or whether the brackets that should
// stand before it are missing.
func (f *fixer) tooMany(kind NodeKind) bool {
	matching := false
	for i := range f.stack[:len(f.stack)-1] {
		matching = matching || f.stack[i].n.Kind == kind
	}
	if !matching {
		return true
	}
	open, brackets := f.behind()
	return open >= 0 && brackets > len(f.stack)-open
}

// behind looks at what stands behind the closing brackets from pos on: a member
// or an object that belongs to one of the open containers. It gives how many
// containers must be open then, -1 when that cannot be told, and how many
// brackets there are.
func (f *fixer) behind() (open, brackets int) {
	const far = 16
	i := f.pos
	for i < len(f.s) {
		p, n := punctAt(f.s, i)
		if p != closeObject && p != closeArray {
			break
		}
		if brackets++; brackets > far {
			return -1, brackets
		}
		i = ahead(f.s, i+n)
	}
	if i >= len(f.s) {
		return -1, brackets
	}
	if p, _ := punctAt(f.s, i); p != comma {
		return -1, brackets
	}
	i = pastCommas(f.s, i)
	if i >= len(f.s) {
		return -1, brackets
	}
	want := ObjectNode
	if p, n := punctAt(f.s, i); p == openObject {
		want = ArrayNode
		i = pastBrace(f.s, i+n)
	}
	k := peekKey(f.s, i)
	if !k.colon {
		return -1, brackets
	}
	upTo := len(f.pending)
	for d := len(f.stack); d > 0; d-- {
		fr := &f.stack[d-1]
		if fr.role != nil && !fr.role.loose && fr.n.Kind == want && fr.knows(k.text) && (want == ArrayNode || !f.has(fr, upTo, k.text) && fr.key != k.text) {
			return d, brackets
		}
		upTo = fr.mark
	}
	return -1, brackets
}

// objectInObject meets an object where a member name belongs: a doubled brace,
// or the next item of the array around an object that was not closed.
func (f *fixer) objectInObject(p punct, size int) {
	t := f.top()
	if len(f.items()) == 0 && t.comma.End == 0 {
		f.edit(f.pos, f.pos+size, "", WhyExtraBracket)
		f.pos += size
		return
	}
	if f.role == rootRole && f.restarts(f.pos+size) {
		f.finish(byOther)
		return
	}
	if len(f.stack) > 1 && f.stack[len(f.stack)-2].n.Kind == ArrayNode {
		f.implyClose()
		return
	}
	f.junkInObject()
	_ = p
}
