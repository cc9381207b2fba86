package contract

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
		f.objectInObject(size)
		return
	case noPunct, comma, colon, openArray:
	}
	k := f.peek(f.pos)
	if k.end == 0 && f.s[f.pos] == '"' {
		k = peekKeyWithin(f.s, f.pos, len(f.s))
	}
	if !k.named() {
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

// member reads a member from its name on.
func (f *fixer) member(k keyToken) {
	f.beforeItem()
	if !k.clean {
		f.bareKeys = f.bareKeys || isIdentStart(f.s[k.start])
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

// blanks removes what JSON does not know between a name at from and its colon.
func (f *fixer) blanks(from, to int) {
	for i := from; i < to; {
		n := max(1, blankAt(f.s, i))
		if !isASCIISpace(f.s[i]) {
			why := WhyBlank
			if f.s[i] == '>' {
				why = WhyQuoteMark
			}
			f.edit(i, i+n, "", why)
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
	// A stray bracket may stand behind the comma, or before the first item.
	between := f.top().comma.End > 0 || len(f.items()) == 0
	if p, _ := punctAt(f.s, i); p != comma && !between {
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
	k := f.peek(i)
	if !k.named() {
		return -1, brackets
	}
	return f.home(k.text, want), brackets
}

// home finds the container that a member name belongs to: the innermost object
// with such a field that lacks it so far or, for the first name of an object, the
// innermost array of such objects. It gives how many containers are open then,
// -1 when there is none.
func (f *fixer) home(name string, kind NodeKind) int {
	upTo := len(f.pending)
	for d := len(f.stack); d > 0; d-- {
		fr := &f.stack[d-1]
		if fr.role != nil && !fr.role.loose && fr.n.Kind == kind && fr.knows(name) && (kind == ArrayNode || !f.has(fr, upTo, name) && fr.key != name) {
			return d
		}
		upTo = fr.mark
	}
	return -1
}

// objectInObject meets an object where a member name belongs: a doubled brace,
// the next item of an array whose bracket is missing, or the next item of the
// array around an object that was not closed.
func (f *fixer) objectInObject(size int) {
	t := f.top()
	if len(f.items()) == 0 && t.comma.End == 0 {
		f.dropBracket(size)
		return
	}
	if f.anew(openObject, size) {
		return
	}
	if r := f.itemRole(t); r != nil && f.opensItem(f.pos, r) {
		f.openArrayBefore(r)
		return
	}
	if len(f.stack) > 1 && f.stack[len(f.stack)-2].n.Kind == ArrayNode {
		f.implyClose()
		return
	}
	f.junkInObject()
}

// itemRole is the role of the items that the last member of an object should
// have had in an array, nil when it has none or is an array.
func (f *fixer) itemRole(t *frame) *role {
	if t.role == nil || t.role.loose {
		return nil
	}
	fl, _ := t.role.lookup(t.key)
	if fl == nil {
		return nil
	}
	return fl.role
}

// openArrayBefore puts the last member of the top object into an array of its
// own, whose opening bracket is missing.
func (f *fixer) openArrayBefore(r *role) {
	t := f.top()
	last := f.pending[len(f.pending)-1]
	if last.Kind != ObjectNode || len(f.stack) >= MaxDepth {
		f.junkInObject()
		return
	}
	n := f.newNode(ArrayNode, last.Span.Start)
	f.edit(last.Span.Start, last.Span.Start, "[", WhyMissingBracket)
	t.key, t.kspan = last.Key, last.KeySpan
	last.Key, last.KeySpan = "", Span{}
	sep := t.comma
	t.comma = Span{}
	f.stack = append(f.stack, frame{n: n, role: r, mark: len(f.pending) - 1, comma: sep})
}
