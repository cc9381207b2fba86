package contract

import (
	"slices"
	"strings"
)

// fixer reads one JSON object or array out of a text that breaks the rules of
// JSON. It goes over the text once, keeps the open containers on a stack, and
// lists what it would have to change: applied to the text, its edits give strict
// JSON of the same values. On valid JSON it makes none.
type fixer struct {
	s         string
	pos       int
	end       int // where reading stopped
	stack     []frame
	pending   []*Node // items of the open containers
	edits     []Edit
	reasoning []Span
	role      *role // of the outermost object
	root      *Node
	err       error
	dangling  bool // the text ends inside a member name
	bareKeys  bool // some member name had no quotes
	*arena
}

// frame is an open container.
type frame struct {
	n     *Node
	role  *role // fields of this object, or of the items of this array; nil when unknown
	mark  int   // where its items start in pending
	comma Span  // the separator after the last item, empty when there is none
	key   string
	kspan Span // the member name whose value comes next
}

func newFixer(s string, r *role, a *arena) *fixer { return &fixer{s: s, role: r, arena: a} }

// read reads the container that opens at start, or the object whose first member
// stands there.
func (f *fixer) read(start int) *Node {
	f.pos = start
	if kind, size := punctAt(f.s, start); kind == openObject || kind == openArray {
		f.push(kind, size)
	} else {
		// The bracket of the object is missing.
		f.edit(start, start, "{", WhyMissingBracket)
		f.stack = append(f.stack, frame{n: f.newNode(ObjectNode, start), role: f.role})
	}
	for len(f.stack) > 0 && f.err == nil {
		if f.top().n.Kind == ArrayNode {
			f.arrayStep()
		} else {
			f.objectStep()
		}
	}
	if f.err != nil {
		return nil
	}
	slices.SortStableFunc(f.edits, func(a, b Edit) int { return a.Offset - b.Offset })
	return f.root
}

func (f *fixer) top() *frame { return &f.stack[len(f.stack)-1] }

func (f *fixer) fail(err error) {
	if f.err == nil {
		f.err = &ReadError{err, f.pos}
	}
}

// edit records that s[from:to] is replaced.
func (f *fixer) edit(from, to int, inserted, why string) {
	if n := len(f.edits); n > 0 && inserted == "" {
		// One edit for a run of removals of the same sort.
		if last := &f.edits[n-1]; last.Inserted == "" && last.Why == why && last.Offset+len(last.Removed) == from {
			last.Removed = f.s[last.Offset:to]
			return
		}
	}
	if len(f.edits) >= MaxEdits {
		f.fail(ErrTooManyEdits)
		return
	}
	f.edits = append(f.edits, Edit{Offset: from, Removed: f.s[from:to], Inserted: inserted, Why: why})
}

func (f *fixer) newNode(kind NodeKind, start int) *Node {
	if f.count >= MaxValues {
		f.fail(ErrTooManyValues)
	}
	n := f.node()
	n.Kind, n.Span.Start, n.Span.End = kind, start, start
	return n
}

// push opens the container at pos.
func (f *fixer) push(p punct, size int) {
	if len(f.stack) >= MaxDepth {
		f.fail(ErrTooDeep)
		return
	}
	kind, want := ObjectNode, "{"
	if p == openArray {
		kind, want = ArrayNode, "["
	}
	r := f.role
	if len(f.stack) > 0 {
		r = f.childRole(kind)
	}
	n := f.newNode(kind, f.pos)
	if f.s[f.pos:f.pos+size] != want {
		f.edit(f.pos, f.pos+size, want, WhyBracket)
	}
	f.pos += size
	f.stack = append(f.stack, frame{n: n, role: r, mark: len(f.pending)})
}

// childRole says what is known of a container that opens in the top frame.
func (f *fixer) childRole(kind NodeKind) *role {
	t := f.top()
	if t.n.Kind == ArrayNode || t.role == nil || t.role.loose {
		return t.role
	}
	if fl, _ := t.role.lookup(t.key); fl != nil {
		return fl.role
	}
	if kind == ObjectNode && len(f.stack) > 1 && t.role == claimRole {
		return t.role // claims keyed by id
	}
	return nil
}

// attach puts a finished value into the top frame.
func (f *fixer) attach(n *Node) {
	t := f.top()
	if t.n.Kind == ObjectNode {
		n.Key, n.KeySpan = t.key, t.kspan
	}
	t.comma = Span{}
	f.pending = append(f.pending, n)
}

// pop ends the top container at end and puts it into the one around it.
func (f *fixer) pop(end int) {
	t := *f.top()
	t.n.Span.End = end
	t.n.Items = f.slice(f.pending[t.mark:])
	f.pending = f.pending[:t.mark]
	f.stack = f.stack[:len(f.stack)-1]
	if len(f.stack) == 0 {
		f.root, f.end = t.n, f.pos
		return
	}
	f.attach(t.n)
}

// items are the finished items of the top frame.
func (f *fixer) items() []*Node { return f.pending[f.top().mark:] }

func (f *fixer) has(fr *frame, upTo int, name string) bool {
	for _, m := range f.pending[fr.mark:upTo] {
		if m.Key == name {
			return true
		}
	}
	return false
}

// trivia passes over what stands between values and means nothing.
func (f *fixer) trivia() {
	for f.pos < len(f.s) && f.err == nil {
		c := f.s[f.pos]
		if isASCIISpace(c) {
			f.pos++
			continue
		}
		if n := blankAt(f.s, f.pos); n > 0 {
			f.edit(f.pos, f.pos+n, "", WhyBlank)
			f.pos += n
			continue
		}
		switch c {
		case '>':
			if quoteMark(f.s, f.pos) {
				f.edit(f.pos, f.pos+1, "", WhyQuoteMark)
				f.pos++
				continue
			}
		case '/', '#', '<':
			if end := commentEnd(f.s, f.pos); end > f.pos {
				f.edit(f.pos, end, "", WhyComment)
				f.pos = end
				continue
			}
		}
		if t := tagAt(f.s, f.pos); t.size > 0 && !t.close {
			end := blockEnd(f.s, f.pos, t)
			f.reasoning = append(f.reasoning, Span{f.pos, end})
			f.edit(f.pos, end, "", WhyReasoning)
			f.pos = end
			continue
		}
		n := 0
		if c == '<' {
			n = templateToken(f.s, f.pos)
		}
		if n == 0 {
			return
		}
		f.edit(f.pos, f.pos+n, "", WhyToken)
		f.pos += n
	}
}

// separators passes over commas and placeholders. One comma between two items
// is right; its fate is decided when it is known what follows.
func (f *fixer) separators() {
	t := f.top()
	for {
		f.trivia()
		if f.pos >= len(f.s) || f.err != nil {
			return
		}
		if p, size := punctAt(f.s, f.pos); p == comma {
			if t.comma.End == 0 {
				t.comma = Span{f.pos, f.pos + size}
			} else {
				f.edit(f.pos, f.pos+size, "", WhyDoubledComma)
			}
			f.pos += size
			continue
		}
		n := ellipsis(f.s, f.pos)
		if n == 0 {
			return
		}
		f.edit(f.pos, f.pos+n, "", WhyEllipsis)
		f.pos += n
	}
}

// beforeItem settles the separator in front of an item that starts at pos.
func (f *fixer) beforeItem() {
	t := f.top()
	has, first := t.comma.End > 0, len(f.items()) == 0
	switch {
	case has && first:
		f.edit(t.comma.Start, t.comma.End, "", WhyLeadingComma)
	case has && f.s[t.comma.Start:t.comma.End] != ",":
		f.edit(t.comma.Start, t.comma.End, ",", WhyFullWidth)
	case !has && !first:
		f.edit(f.pos, f.pos, ",", WhyMissingComma)
	}
	t.comma = Span{}
}

// beforeClose removes a separator that nothing follows.
func (f *fixer) beforeClose() {
	t := f.top()
	if t.comma.End > 0 {
		f.edit(t.comma.Start, t.comma.End, "", WhyTrailingComma)
		t.comma = Span{}
	}
}

// implyClose ends the top container where its bracket is missing: before the
// separator that stands behind it.
func (f *fixer) implyClose() {
	t := f.top()
	at, sep := f.pos, t.comma
	if sep.End > 0 {
		at = sep.Start
	}
	t.comma = Span{}
	want := "}"
	if t.n.Kind == ArrayNode {
		want = "]"
	}
	f.edit(at, at, want, WhyMissingBracket)
	f.pop(at)
	if len(f.stack) > 0 {
		f.top().comma = sep
	}
}

// how says why a reading ended before its last bracket.
type how uint8

const (
	byEnd   how = iota // the text ended
	byFence            // a closing fence stands there: the writer had finished
	byOther            // another object starts, or reasoning ends
)

// finish closes all that is open, at pos.
func (f *fixer) finish(h how) {
	whole := !f.dangling && f.top().comma.End == 0 && (h == byFence || len(f.stack) == 1 && f.allThere())
	if items := f.items(); len(items) > 0 && items[len(items)-1].flags&cut != 0 {
		whole = false
	}
	f.beforeClose()
	var b strings.Builder
	at := f.pos
	why := WhyCut
	if whole {
		why = WhyMissingBracket
	}
	for i := len(f.stack) - 1; i >= 0; i-- {
		if f.stack[i].n.Kind == ArrayNode {
			b.WriteByte(']')
		} else {
			b.WriteByte('}')
		}
	}
	f.edit(at, at, b.String(), why)
	for len(f.stack) > 0 {
		if !whole {
			f.top().n.flags |= cut
		}
		f.pop(at)
	}
}

// allThere reports whether the outermost object has every field that it should
// have, so that only its last bracket can be missing.
func (f *fixer) allThere() bool {
	r := f.stack[0].role
	if r == nil || f.stack[0].n.Kind != ObjectNode {
		return false
	}
	for i := range r.fields {
		fl := &r.fields[i]
		if fl.kind != versionField && !fl.v1 && (fl.need == required || fl.need == expected) && !f.has(&f.stack[0], len(f.pending), fl.name) {
			return false
		}
	}
	return true
}

// ends reports whether the object ends at pos without a bracket, and ends it.
func (f *fixer) ends() bool {
	if f.pos >= len(f.s) {
		f.finish(byEnd)
		return true
	}
	if strings.HasPrefix(f.s[f.pos:], "```") {
		f.finish(byFence)
		return true
	}
	if t := tagAt(f.s, f.pos); t.size > 0 && t.close {
		f.finish(byOther)
		return true
	}
	return false
}

// anew reports whether the bracket at pos starts a contract anew inside an
// unfinished one, and ends that one.
func (f *fixer) anew(p punct, size int) bool {
	if p != openObject || f.role != rootRole || !f.restarts(f.pos+size) {
		return false
	}
	f.finish(byOther)
	return true
}

func (f *fixer) restarts(at int) bool {
	k := firstName(f.s, at, rootRole)
	if !k.named() || len(f.stack) == 0 {
		return false
	}
	name := rootRole.fields[0].name
	fl, _ := rootRole.lookup(k.text)
	if fl == nil || fl.name != name {
		return false
	}
	root := &f.stack[0]
	upTo := len(f.pending)
	if len(f.stack) > 1 {
		upTo = f.stack[1].mark
	}
	return f.has(root, upTo, name)
}
