package contract

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// canon turns a value tree into a Contract and the canonical tree beside it:
// the same nodes, but with fields under their proper names and arrays where
// arrays belong. It never changes a tree it was given.
type canon struct {
	src       string // what the spans point into
	arena     arena
	path      []step
	coercions []Coercion
	issues    []Issue
	noted     map[string]int // findings by code
	kept      int            // unknown fields
	conflict  bool           // two different claims members
	noClaims  bool           // claims is absent, null or of no usable type
	repaired  bool           // JSON inside a string needed repairs
	dropped   int            // claims that could not be used
	err       error
}

// step is one token of a JSON pointer: a name, or an index when name is empty.
type step struct {
	name  string
	index int
}

const maxFields = 8

// maxUnknown bounds how many unknown fields are kept.
const maxUnknown = 20_000

// object is an object of a known role while it is being read.
type object struct {
	raw   *Node
	role  *role
	items []*Node        // canonical members, in order
	own   bool           // items is a copy
	at    [maxFields]int // index in items of each field, -1 when absent
	extra map[string]json.RawMessage
}

func (c *canon) push(name string) { c.path = append(c.path, step{name: name}) }
func (c *canon) pushIndex(i int)  { c.path = append(c.path, step{index: i}) }
func (c *canon) pop()             { c.path = c.path[:len(c.path)-1] }

// pointer renders the current path and more tokens as a JSON pointer.
func (c *canon) pointer(more ...string) string {
	var b strings.Builder
	for _, s := range c.path {
		b.WriteByte('/')
		if s.name == "" {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escapeToken(s.name))
		}
	}
	for _, m := range more {
		b.WriteByte('/')
		b.WriteString(escapeToken(m))
	}
	return b.String()
}

func escapeToken(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// maxNotes bounds how many coercions and how many findings of one code are
// listed: more of the same tells nothing new.
const maxNotes = 2000

func (c *canon) coerce(why, from, to string, more ...string) {
	if len(c.coercions) >= maxNotes {
		return
	}
	c.coercions = append(c.coercions, Coercion{Pointer: c.pointer(more...), From: clip(from), To: clip(to), Why: why})
}

// nested records the repairs of JSON inside a string.
func (c *canon) nested(edits []Edit) {
	for _, e := range edits {
		c.repaired = true
		c.coerce(e.Why, e.Removed, e.Inserted)
	}
}

// inString reads the JSON that a string holds, nil when it holds none.
func (c *canon) inString(n *Node) *Node {
	tree, edits := readNested(c.src, n)
	c.nested(edits)
	return tree
}

func (c *canon) issue(code string, n *Node, zh, en string, more ...string) {
	if c.noted == nil {
		c.noted = map[string]int{}
	}
	if c.noted[code]++; c.noted[code] > maxNotes {
		return
	}
	i := Issue{Code: code, Pointer: c.pointer(more...), ZH: zh, EN: en}
	if n != nil {
		i.Span = n.Span
	}
	c.issues = append(c.issues, i)
}

// clip bounds a value that is only shown, in runes.
func clip(s string) string {
	const most = 120
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// show renders a value for a coercion, bounded.
func show(n *Node) string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case NullNode, BoolNode, NumberNode:
		return clip(n.Text)
	case StringNode:
		return string(appendString(nil, clip(n.Text)))
	case ArrayNode:
		return "[" + strconv.Itoa(len(n.Items)) + "]"
	case ObjectNode:
		return "{" + strconv.Itoa(len(n.Items)) + "}"
	}
	return ""
}

func kindWord(n *Node) (en, zh string) {
	switch n.Kind {
	case NullNode:
		return "null", "null"
	case BoolNode:
		return "a boolean", "布尔值"
	case NumberNode:
		return "a number", "数字"
	case StringNode:
		return "a string", "字符串"
	case ArrayNode:
		return "an array", "数组"
	case ObjectNode:
		return "an object", "对象"
	}
	return "", ""
}

func (c *canon) wrongType(n *Node, wantEN, wantZH string, more ...string) {
	en, zh := kindWord(n)
	c.issue("S004", n, "类型错误："+zh+"，应为"+wantZH, "wrong type: "+en+" where "+wantEN+" belongs", more...)
}

// open sorts the members of n by the fields of r.
func (c *canon) open(n *Node, r *role) *object {
	o := &object{raw: n, role: r, items: n.Items}
	for i := range o.at {
		o.at[i] = -1
	}
	if !o.plain() {
		c.sort(o)
	}
	for _, m := range o.items {
		if r.exact[m.Key] == nil {
			if c.kept++; c.kept > maxUnknown {
				c.err = &ReadError{ErrTooManyValues, m.Span.Start}
				return o
			}
			o.keep(m.Key, m)
			c.issue("S008", m, "未知字段，已保留", "unknown field, kept", m.Key)
		}
	}
	return o
}

// plain places the members when each is a field under its own name, stands
// once, and is whole: the usual case.
func (o *object) plain() bool {
	for at, m := range o.items {
		f := o.role.exact[m.Key]
		if f == nil || m.flags&cut != 0 {
			return false
		}
		i := o.role.index(f)
		if o.at[i] >= 0 {
			return false
		}
		o.at[i] = at
	}
	return true
}

// sort places the members in all other cases.
func (c *canon) sort(o *object) {
	// An exactly named field wins over one in another case, wherever it stands.
	taken := map[*field]bool{}
	for i := range o.at {
		o.at[i] = -1
	}
	for _, m := range o.items {
		if f := o.role.exact[m.Key]; f != nil {
			taken[f] = true
		}
	}
	kept := make([]*Node, 0, len(o.items))
	extras := map[string]int{}
	for _, m := range o.items {
		f, renamed := o.role.lookup(m.Key)
		if f != nil && renamed && taken[f] {
			f = nil
		}
		if m.flags&cut != 0 && (f == nil || m.Kind < ArrayNode) {
			continue // what the text's end cut is no value
		}
		if f == nil {
			if at, twice := extras[m.Key]; twice {
				c.duplicate(kept[at], m, m.Key)
				kept[at] = m
				continue
			}
			extras[m.Key] = len(kept)
			kept = append(kept, m)
			continue
		}
		if renamed {
			c.coerce(WhyKeyCase, m.Key, f.name, f.name)
			m = c.copyNode(m)
			m.Key = f.name
		}
		i := o.role.index(f)
		if at := o.at[i]; at >= 0 {
			c.duplicate(kept[at], m, f.name)
			kept[at] = m
			continue
		}
		o.at[i] = len(kept)
		kept = append(kept, m)
	}
	if !sameNodes(kept, o.items) {
		o.items, o.own = kept, true
	}
}

func (r *role) index(f *field) int {
	for i := range r.fields {
		if &r.fields[i] == f {
			return i
		}
	}
	return -1
}

// duplicate records that a member name stands twice. The last one counts, as
// in other readers.
func (c *canon) duplicate(first, last *Node, name string) {
	same := string(first.AppendJSON(nil)) == string(last.AppendJSON(nil))
	if !same && name == "claims" && len(c.path) == 0 {
		c.conflict = true
	}
	c.coerce(WhyDuplicate, show(first), show(last), name)
}

func (c *canon) copyNode(n *Node) *Node {
	m := c.arena.node()
	*m = *n
	return m
}

// keep remembers a member as it was read, so that writing loses nothing.
func (o *object) keep(name string, n *Node) {
	if o.extra == nil {
		o.extra = map[string]json.RawMessage{}
	}
	o.extra[name] = n.AppendJSON(nil)
}

// get returns the value of the i-th field, nil when absent.
func (o *object) get(i int) *Node {
	if o.at[i] < 0 {
		return nil
	}
	return o.items[o.at[i]]
}

// set puts a canonical value in the place of the i-th field.
func (o *object) set(i int, n *Node) {
	if o.at[i] >= 0 && o.items[o.at[i]] == n {
		return
	}
	if !o.own {
		o.items, o.own = append([]*Node(nil), o.items...), true
	}
	if o.at[i] < 0 {
		o.at[i] = len(o.items)
		o.items = append(o.items, n)
		return
	}
	o.items[o.at[i]] = n
}

// node gives the canonical node of the object.
func (c *canon) node(o *object) *Node {
	if !o.own {
		return o.raw
	}
	n := c.copyNode(o.raw)
	n.Items = o.items
	return n
}

// missing records that a field is not there, unless the text was cut before it
// could be.
func (c *canon) missing(o *object, f *field) {
	if o.raw.flags&cut != 0 {
		return
	}
	switch f.need {
	case required:
		c.issue("S003", o.raw, "缺少必填字段 "+f.name, "required field "+f.name+" is missing", f.name)
	case expected:
		c.issue("S009", o.raw, "缺少数组 "+f.name+"（可以为空，但应当存在）", "array "+f.name+" is absent (it may be empty)", f.name)
	case optional, either:
	}
}

// text reads the i-th field as a string; repaired is true when a repair touched it.
func (c *canon) text(o *object, i int) (text string, repaired bool) {
	f := &o.role.fields[i]
	n := o.get(i)
	if n == nil || n.Kind == NullNode {
		if n == nil || f.need != optional {
			c.missing(o, f)
		}
		return "", false
	}
	if n.Kind == ArrayNode && len(n.Items) == 1 && n.Items[0].Kind == StringNode {
		c.coerce(WhyArrayOfOne, show(n), show(n.Items[0]), f.name)
		only := c.copyNode(n.Items[0])
		only.Key, only.KeySpan = n.Key, n.KeySpan
		n = only
		o.set(i, n)
	}
	switch n.Kind {
	case StringNode:
		if n.flags&lone != 0 {
			c.coerce(WhyLoneSurrogate, show(n), show(n), f.name)
		}
		if f.need == required && strings.TrimSpace(n.Text) == "" {
			c.issue("S003", n, "必填字段 "+f.name+" 为空", "required field "+f.name+" is empty", f.name)
		}
		return n.Text, n.Repaired()
	case NumberNode, BoolNode:
		c.coerce(WhyToString, n.Text, string(appendString(nil, n.Text)), f.name)
		return n.Text, n.Repaired()
	case NullNode, ArrayNode, ObjectNode:
	}
	c.wrongType(n, "a string", "字符串", f.name)
	o.keep(f.name, n)
	return "", false
}

// tooLong notes an excerpt beyond its bound.
func (c *canon) tooLong(o *object, i int, text string) {
	if len(text) <= MaxExcerptRunes {
		return
	}
	if n := utf8.RuneCountInString(text); n > MaxExcerptRunes {
		have, most := strconv.Itoa(n), strconv.Itoa(MaxExcerptRunes)
		c.issue("S010", o.get(i), "证据摘录有 "+have+" 个字符，超过 "+most+" 的上限",
			"the excerpt has "+have+" characters, more than the "+most+" allowed", o.role.fields[i].name)
	}
}
