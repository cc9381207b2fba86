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
	if f.early(size) {
		f.edit(f.pos, f.pos+size, "", WhyExtraBracket)
		f.pos += size
		return
	}
	f.beforeClose()
	if size != 1 {
		f.edit(f.pos, f.pos+size, "}", WhyBracket)
	}
	f.pos += size
	f.pop(f.pos)
}

// early reports whether members of the top object follow behind the bracket at
// pos, where only items of an array could.
func (f *fixer) early(size int) bool {
	t := f.top()
	if t.role == nil || len(f.stack) > 1 && f.stack[len(f.stack)-2].n.Kind != ArrayNode {
		return false
	}
	at := ahead(f.s, f.pos+size)
	if at >= len(f.s) {
		return false
	}
	p, n := punctAt(f.s, at)
	if p != comma {
		return false
	}
	k := peekKey(f.s, ahead(f.s, at+n))
	return k.colon && t.knows(k.text) && !f.has(t, len(f.pending), k.text)
}

// arrayCloseInObject meets the end of an array inside an object: the object's
// own bracket is missing, or this one is too many.
func (f *fixer) arrayCloseInObject(size int) {
	inArray := slicesContainArray(f.stack[:len(f.stack)-1])
	if inArray && len(f.items()) > 0 && f.top().comma.End == 0 {
		if at := ahead(f.s, f.pos+size); at < len(f.s) {
			if p, n := punctAt(f.s, at); p == comma {
				k := peekKey(f.s, ahead(f.s, at+n))
				t := f.top()
				if k.colon && t.knows(k.text) && !f.has(t, len(f.pending), k.text) {
					inArray = false
				}
			}
		}
	}
	if !inArray {
		f.edit(f.pos, f.pos+size, "", WhyExtraBracket)
		f.pos += size
		return
	}
	for f.top().n.Kind != ArrayNode {
		f.implyClose()
	}
}

func slicesContainArray(frames []frame) bool {
	for i := range frames {
		if frames[i].n.Kind == ArrayNode {
			return true
		}
	}
	return false
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
