package contract

// arrayStep reads the next item of the top array, or its end.
func (f *fixer) arrayStep() {
	f.separators()
	if f.err != nil || f.ends() {
		return
	}
	switch p, size := punctAt(f.s, f.pos); p {
	case closeArray:
		f.closeArray(size)
		return
	case closeObject:
		f.objectCloseInArray(size)
		return
	case openObject, openArray:
		if !f.anew(p, size) {
			f.beforeItem()
			f.push(p, size)
		}
		return
	case colon:
		f.edit(f.pos, f.pos+size, "", WhyJunk)
		f.pos += size
		return
	case noPunct, comma:
	}
	if k := f.peek(f.pos); k.colon && f.memberInArray(k) {
		return
	}
	if t := f.top(); t.role != nil && !t.role.loose {
		if q, _ := quoteAt(f.s, f.pos); q == noQuote {
			f.proseInArray()
			return
		}
	}
	f.beforeItem()
	f.value()
}

// memberInArray meets a member where an item belongs: the bracket that opens
// the item, or that ends the array, is missing.
func (f *fixer) memberInArray(k keyToken) bool {
	t := f.top()
	if t.knows(k.text) && !t.role.loose {
		f.beforeItem()
		f.edit(f.pos, f.pos, "{", WhyMissingBracket)
		n := f.newNode(ObjectNode, f.pos)
		f.stack = append(f.stack, frame{n: n, role: t.role, mark: len(f.pending)})
		if len(f.stack) > MaxDepth {
			f.fail(ErrTooDeep)
		}
		return true
	}
	depth := f.owner(k.text)
	if depth < 0 {
		if t.role == nil || len(f.stack) < 2 || f.stack[len(f.stack)-2].n.Kind != ObjectNode || f.stack[len(f.stack)-2].knows(k.text) {
			return false
		}
		depth = len(f.stack) - 2
	}
	for len(f.stack)-1 > depth {
		f.implyClose()
	}
	return true
}

// proseInArray passes over words between the objects of an array.
func (f *fixer) proseInArray() {
	from := f.pos
	f.pos += f.sizeAt(f.pos)
	for f.pos < len(f.s) {
		p, _ := punctAt(f.s, f.pos)
		q, _ := quoteAt(f.s, f.pos)
		if p >= openObject || p == comma || q != noQuote || f.s[f.pos] == '<' {
			break
		}
		f.pos += f.sizeAt(f.pos)
	}
	f.edit(from, f.pos, "", WhyJunk)
}

// closeArray ends the top array at its bracket, unless more of its objects
// follow where only members could.
func (f *fixer) closeArray(size int) {
	inObject := len(f.stack) > 1 && f.stack[len(f.stack)-2].n.Kind == ObjectNode
	if open, _ := f.behind(); open == len(f.stack) && inObject {
		f.dropBracket(size)
		return
	}
	f.beforeClose()
	if f.s[f.pos:f.pos+size] != "]" {
		f.edit(f.pos, f.pos+size, "]", WhyBracket)
	}
	f.pos += size
	f.pop(f.pos)
}

// opensItem reports whether an object of the role starts at i.
func (f *fixer) opensItem(i int, r *role) bool {
	if i >= len(f.s) || r == nil {
		return false
	}
	p, n := punctAt(f.s, i)
	if p != openObject {
		return false
	}
	k := firstName(f.s, i+n, r)
	if !k.named() {
		return false
	}
	fl, _ := r.lookup(k.text)
	return fl != nil
}

// objectCloseInArray meets the end of an object inside an array: the array's own
// bracket is missing, or this one is too many.
func (f *fixer) objectCloseInArray(size int) {
	extra := f.tooMany(ObjectNode)
	if at := ahead(f.s, f.pos+size); !extra && at < len(f.s) {
		p, _ := punctAt(f.s, at)
		items := f.items()
		open, _ := f.behind()
		extra = open < 0 && p == closeArray && len(items) > 0 && items[len(items)-1].Kind == ObjectNode
	}
	if extra {
		f.dropBracket(size)
		return
	}
	for f.top().n.Kind != ObjectNode {
		f.implyClose()
	}
}
