package contract

import (
	"strings"
	"unicode/utf8"
)

// arena hands out nodes and item slices in slabs: one allocation for many
// values, which is what keeps reading as fast as the standard decoder.
type arena struct {
	nodes   []Node
	items   []*Node
	count   int
	scratch []byte // for the string that is being decoded
}

func (a *arena) node() *Node {
	if len(a.nodes) == 0 {
		a.nodes = make([]Node, min(max(16, a.count), 1024))
	}
	n := &a.nodes[0]
	a.nodes = a.nodes[1:]
	a.count++
	return n
}

func (a *arena) slice(of []*Node) []*Node {
	if len(of) == 0 {
		return nil
	}
	if len(a.items) < len(of) {
		a.items = make([]*Node, max(min(max(16, a.count), 1024), len(of)))
	}
	s := a.items[:len(of):len(of)]
	a.items = a.items[len(of):]
	copy(s, of)
	return s
}

// mark and rollback take back the nodes of a reading that failed.
func (a *arena) mark() arena { return *a }

func (a *arena) rollback(to arena) {
	if len(to.nodes) >= len(a.nodes) && len(to.nodes) > 0 && (len(a.nodes) == 0 || &to.nodes[len(to.nodes)-1] == &a.nodes[len(a.nodes)-1]) {
		clear(to.nodes[:len(to.nodes)-len(a.nodes)])
		a.nodes = to.nodes
	}
	a.count = to.count
}

// strict reads JSON as RFC 8259 has it. It neither repairs nor guesses.
type strict struct {
	s       string
	pos     int
	start   int     // where the reading began
	err     error   // why it failed, a sentinel
	errAt   int     // and where
	pending []*Node // items of the containers that are open
	open    []int   // after a failure: where the containers around it start
	*arena
}

// readStrict reads s as exactly one JSON value with white space around it.
func readStrict(s string) (*Node, error) {
	r := strict{s: s, arena: &arena{}}
	r.space()
	n := r.value(0)
	if n == nil {
		return nil, r.failure()
	}
	r.space()
	if r.pos != len(s) {
		return nil, &ReadError{ErrSyntax, r.pos}
	}
	return n, nil
}

func (r *strict) fail(err error) *Node {
	if r.err == nil {
		r.err, r.errAt = err, r.pos
	}
	return nil
}

// failure is why the reading failed, nil when it did not.
func (r *strict) failure() error {
	if r.err == nil {
		return nil
	}
	return &ReadError{r.err, r.errAt}
}

func (r *strict) space() {
	for r.pos < len(r.s) {
		switch r.s[r.pos] {
		case ' ', '\n', '\t', '\r':
			r.pos++
		default:
			return
		}
	}
}

// value reads one value; depth is the number of containers around it.
func (r *strict) value(depth int) *Node {
	if r.pos >= len(r.s) {
		return r.fail(ErrSyntax)
	}
	if r.count >= MaxValues {
		return r.fail(ErrTooManyValues)
	}
	switch c := r.s[r.pos]; c {
	case '{', '[':
		if depth >= MaxDepth {
			return r.fail(ErrTooDeep)
		}
		if c == '{' {
			return r.object(depth + 1)
		}
		return r.array(depth + 1)
	case '"':
		start := r.pos
		text, fl, ok := r.str()
		if !ok {
			return r.fail(ErrSyntax)
		}
		return r.leaf(StringNode, start, text, fl)
	case 't':
		return r.word("true", BoolNode)
	case 'f':
		return r.word("false", BoolNode)
	case 'n':
		return r.word("null", NullNode)
	}
	start := r.pos
	end := numberEnd(r.s, start)
	if end == start {
		return r.fail(ErrSyntax)
	}
	r.pos = end
	return r.leaf(NumberNode, start, r.s[start:end], 0)
}

func (r *strict) leaf(kind NodeKind, start int, text string, fl flags) *Node {
	n := r.node()
	n.Kind, n.flags, n.Text = kind, fl, text
	n.Span = Span{start, r.pos}
	return n
}

func (r *strict) word(w string, kind NodeKind) *Node {
	if !strings.HasPrefix(r.s[r.pos:], w) {
		return r.fail(ErrSyntax)
	}
	start := r.pos
	r.pos += len(w)
	return r.leaf(kind, start, w, 0)
}

func (r *strict) array(depth int) *Node {
	n := r.node()
	n.Kind, n.Span.Start = ArrayNode, r.pos
	mark := len(r.pending)
	r.pos++
	r.space()
	if r.pos < len(r.s) && r.s[r.pos] == ']' {
		return r.closed(n, mark)
	}
	for {
		r.space()
		item := r.value(depth)
		if item == nil {
			return r.broken(n)
		}
		r.pending = append(r.pending, item)
		if end, more := r.next(n, mark, ']'); !more {
			return end
		}
	}
}

func (r *strict) object(depth int) *Node {
	n := r.node()
	n.Kind, n.Span.Start = ObjectNode, r.pos
	mark := len(r.pending)
	r.pos++
	r.space()
	if r.pos < len(r.s) && r.s[r.pos] == '}' {
		return r.closed(n, mark)
	}
	for {
		r.space()
		keyStart := r.pos
		if r.pos >= len(r.s) || r.s[r.pos] != '"' {
			return r.broken(n)
		}
		key, _, ok := r.str()
		if !ok {
			return r.broken(n)
		}
		keyEnd := r.pos
		r.space()
		if r.pos >= len(r.s) || r.s[r.pos] != ':' {
			return r.broken(n)
		}
		r.pos++
		r.space()
		item := r.value(depth)
		if item == nil {
			return r.broken(n)
		}
		item.Key, item.KeySpan = key, Span{keyStart, keyEnd}
		r.pending = append(r.pending, item)
		if end, more := r.next(n, mark, '}'); !more {
			return end
		}
	}
}

// next passes over the comma behind an item. Where none stands there is no more: end is
// the container closed by the bracket, or nil when it is broken.
func (r *strict) next(n *Node, mark int, bracket byte) (end *Node, more bool) {
	r.space()
	if r.pos < len(r.s) {
		switch r.s[r.pos] {
		case ',':
			r.pos++
			return nil, true
		case bracket:
			return r.closed(n, mark), false
		}
	}
	return r.broken(n), false
}

// broken ends a container that cannot be read.
func (r *strict) broken(n *Node) *Node {
	if n.Span.Start > r.start {
		r.open = append(r.open, n.Span.Start)
	}
	return r.fail(ErrSyntax)
}

// closed ends a container at its closing bracket.
func (r *strict) closed(n *Node, mark int) *Node {
	r.pos++
	n.Span.End = r.pos
	n.Items = r.slice(r.pending[mark:])
	r.pending = r.pending[:mark]
	return n
}

// str reads a string at its opening quote and leaves pos after the closing one;
// on failure pos is where the string breaks the rules.
func (r *strict) str() (text string, fl flags, ok bool) {
	s, start := r.s, r.pos+1
	for i := start; i < len(s); i++ {
		c := s[i]
		if c == '"' {
			r.pos = i + 1
			return s[start:i], 0, true
		}
		if c == '\\' {
			return r.escaped(start, i)
		}
		if c < 0x20 {
			r.pos = i
			return "", 0, false
		}
	}
	r.pos = len(s)
	return "", 0, false
}

// escaped goes on with a string from its first escape at i.
func (r *strict) escaped(start, i int) (text string, fl flags, ok bool) {
	s := r.s
	b := append(r.scratch[:0], s[start:i]...)
	for i < len(s) {
		c := s[i]
		switch {
		case c == '"':
			r.pos, r.scratch = i+1, b
			return string(b), fl, true
		case c < 0x20:
			r.pos, r.scratch = i, b
			return "", 0, false
		case c != '\\':
			next := i + 1
			for next < len(s) && s[next] >= 0x20 && s[next] != '"' && s[next] != '\\' {
				next++
			}
			b = append(b, s[i:next]...)
			i = next
		default:
			out, size, isLone := unescape(b, s[i:])
			if size == 0 {
				r.pos, r.scratch = i, b
				return "", 0, false
			}
			if isLone {
				fl |= lone
			}
			b, i = out, i+size
		}
	}
	r.pos, r.scratch = len(s), b
	return "", 0, false
}

// unescape appends what the JSON escape at the start of s stands for, and gives
// its size in bytes: 0 when it is no JSON escape. A lone surrogate stands for no
// character: its escape is kept as written rather than turned into U+FFFD.
func unescape(b []byte, s string) (out []byte, size int, isLone bool) {
	if len(s) < 2 {
		return b, 0, false
	}
	switch s[1] {
	case '"', '\\', '/':
		return append(b, s[1]), 2, false
	case 'b':
		return append(b, '\b'), 2, false
	case 'f':
		return append(b, '\f'), 2, false
	case 'n':
		return append(b, '\n'), 2, false
	case 'r':
		return append(b, '\r'), 2, false
	case 't':
		return append(b, '\t'), 2, false
	case 'u':
	default:
		return b, 0, false
	}
	hi, ok := hex4(s[2:])
	if !ok {
		return b, 0, false
	}
	if hi < 0xD800 || hi > 0xDFFF {
		return utf8.AppendRune(b, hi), 6, false
	}
	if hi < 0xDC00 && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if lo, ok := hex4(s[8:]); ok && lo >= 0xDC00 && lo <= 0xDFFF {
			return utf8.AppendRune(b, (hi-0xD800)<<10+(lo-0xDC00)+0x10000), 12, false
		}
	}
	return append(b, s[:6]...), 6, true
}

func hex4(s string) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for i := range 4 {
		d, ok := hexDigit(s[i])
		if !ok {
			return 0, false
		}
		r = r<<4 | d
	}
	return r, true
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0'), true
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}

// numberEnd returns where the JSON number at i ends, i when there is none.
func numberEnd(s string, i int) int {
	start := i
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return start
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return start
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return start
		}
	}
	return i
}
