package grounding

import (
	"slices"
	"sort"
	"strings"
)

// jsonTree holds the objects and scalars of JSON, JSON Lines or a Python literal in
// a raw text, with their byte spans. It is tolerant: what does not fit is skipped.
type jsonTree struct {
	raw     []byte
	nodes   []jsonNode // objects and arrays, in order of their opening byte
	scalars []jsonScalar
	jaeger  bool
}

// jsonNode and jsonScalar are small: a text of maxScan bytes has millions of them.
type jsonNode struct {
	at     span32
	key    span32 // member name in the parent object; empty in an array
	parent int32  // -1 at top level
	count  int32  // members or items
	array  bool
	// hasKey and hasValue tell that a scalar within is called so.
	hasKey, hasValue bool
}

type jsonScalar struct {
	at   span32 // the value without quotes
	key  span32
	node int32 // the enclosing object or array
	idx  int32 // position in the enclosing array
}

// span32 is a span of a text that is not longer than maxScan.
type span32 struct{ start, end int32 }

func (s span32) span() Span { return Span{int(s.start), int(s.end)} }

func (s span32) empty() bool { return s.end <= s.start }

func (t *jsonTree) bytes(s span32) []byte { return t.raw[s.start:s.end] }

const maxJSONDepth = 200

// parseJSONTree scans raw once. It returns nil when nothing opens a bracket, or too many do.
func parseJSONTree(raw []byte) *jsonTree {
	p := jsonScan{jsonTree: jsonTree{raw: raw}}
	if !p.scan() || len(p.nodes) == 0 {
		return nil
	}
	t := p.jsonTree
	for _, sc := range t.scalars[:min(len(t.scalars), 64)] {
		if string(t.bytes(sc.key)) == "spanID" {
			t.jaeger = true
		}
	}
	return &t
}

// jsonScan is a tree that is being built.
type jsonScan struct {
	jsonTree
	stack   []int32 // open nodes
	key     span32  // of the value to come
	haveKey bool
}

// scan is false where raw nests too deeply.
func (p *jsonScan) scan() bool {
	for i := 0; i < len(p.raw); {
		c := p.raw[i]
		switch {
		case c == '{' || c == '[':
			if len(p.stack) >= maxJSONDepth {
				return false
			}
			p.open(i, c == '[')
			i++
		case c == '}' || c == ']':
			p.shut(i + 1)
			i++
		case len(p.stack) == 0 || c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' || c == ':':
			i++
		case c == '"' || c == '\'':
			i = p.quoted(i)
		default:
			j := i + 1
			for j < len(p.raw) && strings.IndexByte(" \n\t\r,:]}", p.raw[j]) < 0 {
				j++
			}
			p.scalar(span32{int32(i), int32(j)})
			i = j
		}
	}
	for len(p.stack) > 0 {
		p.shut(len(p.raw)) // what was cut off
	}
	return true
}

// takeKey gives the key of the value that begins, once.
func (p *jsonScan) takeKey() span32 {
	if !p.haveKey {
		return span32{}
	}
	p.haveKey = false
	return p.key
}

func (p *jsonScan) open(at int, array bool) {
	n := jsonNode{at: span32{int32(at), int32(len(p.raw))}, parent: -1, array: array, key: p.takeKey()}
	if len(p.stack) > 0 {
		n.parent = p.stack[len(p.stack)-1]
		p.nodes[n.parent].count++
	}
	p.stack = append(p.stack, int32(len(p.nodes)))
	p.nodes = append(p.nodes, n)
}

func (p *jsonScan) shut(end int) {
	if top := len(p.stack) - 1; top >= 0 {
		n := &p.nodes[p.stack[top]]
		n.at.end = int32(end)
		if n.parent >= 0 {
			up := &p.nodes[n.parent]
			up.hasKey, up.hasValue = up.hasKey || n.hasKey, up.hasValue || n.hasValue
		}
		p.stack = p.stack[:top]
	}
	p.haveKey = false
}

func (p *jsonScan) scalar(at span32) {
	top := p.stack[len(p.stack)-1]
	n := &p.nodes[top]
	sc := jsonScalar{at: at, key: p.takeKey(), node: top, idx: n.count}
	switch string(p.bytes(sc.key)) {
	case "key":
		n.hasKey = true
	case "value":
		n.hasValue = true
	}
	p.scalars = append(p.scalars, sc)
	n.count++
}

// quoted reads a string, which is a key or a value, and returns where to go on.
func (p *jsonScan) quoted(at int) int {
	end := stringEnd(p.raw, at, p.raw[at])
	sp := span32{int32(at + 1), int32(max(end-1, at+1))}
	j := end
	for j < len(p.raw) && (p.raw[j] == ' ' || p.raw[j] == '\t' || p.raw[j] == '\n' || p.raw[j] == '\r') {
		j++
	}
	if j < len(p.raw) && p.raw[j] == ':' && !p.nodes[p.stack[len(p.stack)-1]].array && !p.haveKey {
		p.key, p.haveKey = sp, true
		return j + 1
	}
	p.scalar(sp)
	return end
}

func stringEnd(raw []byte, i int, quote byte) int {
	for j := i + 1; j < len(raw); j++ {
		switch raw[j] {
		case '\\':
			j++
		case quote:
			return j + 1
		}
	}
	return len(raw)
}

// scalarAt finds the scalar at or right around offset.
func (t *jsonTree) scalarAt(offset int) (int, bool) {
	i := sort.Search(len(t.scalars), func(i int) bool { return int(t.scalars[i].at.end) > offset })
	if i < len(t.scalars) && int(t.scalars[i].at.start) <= offset {
		return i, true
	}
	return 0, false
}

// nodeAt finds the innermost object or array at offset.
func (t *jsonTree) nodeAt(offset int) (int32, bool) {
	i := int32(sort.Search(len(t.nodes), func(i int) bool { return int(t.nodes[i].at.start) > offset }) - 1)
	for i >= 0 && int(t.nodes[i].at.end) <= offset {
		i = t.nodes[i].parent
	}
	return i, i >= 0
}

// recordAt is the innermost object that is an item of an array (or the top object):
// one series, one pod, one span, one log entry. Pairs such as {"key":…, "value":…} and
// arrays of scalars belong to what holds them.
func (t *jsonTree) recordAt(offset int) (int32, bool) {
	n, ok := t.nodeAt(offset)
	if !ok {
		return 0, false
	}
	return t.recordOf(n), true
}

func (t *jsonTree) recordOf(n int32) int32 {
	for {
		p := t.nodes[n].parent
		if p < 0 {
			return n
		}
		if !t.nodes[n].array && t.nodes[p].array && !t.isPair(n) {
			return n
		}
		if t.isSample(n) {
			return n
		}
		n = p
	}
}

// isSample reports a small array of scalars inside an array: [time, value].
func (t *jsonTree) isSample(n int32) bool {
	p := t.nodes[n].parent
	return t.nodes[n].array && p >= 0 && t.nodes[p].array && t.nodes[n].count >= 2 && t.nodes[n].count <= 8
}

// isPair reports objects that only carry a key and its value.
func (t *jsonTree) isPair(n int32) bool {
	return t.nodes[n].count <= 4 && t.nodes[n].hasKey && t.nodes[n].hasValue
}

// fieldOf names a scalar: its key, or the key of the array that holds it.
func (t *jsonTree) fieldOf(sc int) string {
	s := t.scalars[sc]
	if !s.key.empty() {
		return string(t.bytes(s.key))
	}
	for n := s.node; n >= 0; n = t.nodes[n].parent {
		if k := t.nodes[n].key; !k.empty() {
			return string(t.bytes(k))
		}
	}
	return ""
}

// pathOf is the path of a scalar below the record rec, array positions left out:
// "metric.instance", "process.serviceName".
func (t *jsonTree) pathOf(sc int, rec int32) string {
	var parts []string
	t.climb(sc, rec, func(part []byte) bool {
		parts = append(parts, string(part))
		return true
	})
	slices.Reverse(parts)
	return strings.Join(parts, pathSep)
}

const pathSep = "\x00"

// hasPath reports pathOf(sc, rec) == path.
func (t *jsonTree) hasPath(sc int, rec int32, path string) bool {
	rest, first := path, true
	ok := t.climb(sc, rec, func(part []byte) bool {
		if !first && !cutSuffix(&rest, pathSep) {
			return false
		}
		first = false
		return cutSuffix(&rest, string(part))
	})
	return ok && rest == ""
}

func cutSuffix(s *string, suffix string) (ok bool) {
	*s, ok = strings.CutSuffix(*s, suffix)
	return ok
}

// climb gives the parts of a path from its last to its first, as long as each is true.
func (t *jsonTree) climb(sc int, rec int32, each func(part []byte) bool) bool {
	s := t.scalars[sc]
	if !s.key.empty() {
		if !each(t.bytes(s.key)) {
			return false
		}
	} else if s.node == rec && t.isSample(rec) {
		return each([]byte{'#', '0' + byte(min(s.idx, 9))})
	} else if s.node != rec && s.idx > 0 && t.nodes[s.node].array && t.nodes[s.node].count == 2 {
		if !each([]byte("#1")) { // the value of [time, value]
			return false
		}
	}
	for n := s.node; n >= 0 && n != rec; n = t.nodes[n].parent {
		if k := t.nodes[n].key; !k.empty() && !each(t.bytes(k)) {
			return false
		}
	}
	return true
}

// scalarsIn lists the scalars of a record, as a half-open range of indexes.
func (t *jsonTree) scalarsIn(n int32) (int, int) {
	at := t.nodes[n].at
	lo := sort.Search(len(t.scalars), func(i int) bool { return t.scalars[i].at.start >= at.start })
	hi := sort.Search(len(t.scalars), func(i int) bool { return t.scalars[i].at.start >= at.end })
	return lo, hi
}

// metricUnit reads the unit off a metric name among the record's own strings and its labels.
func (t *jsonTree) metricUnit(n int32) []Unit {
	lo, hi := t.scalarsIn(n)
	for i := lo; i < min(hi, lo+24); i++ {
		s := t.scalars[i]
		if s.node != n && t.nodes[s.node].parent != n {
			continue
		}
		k := string(t.bytes(s.key))
		if k != "__name__" && k != "metric" && k != "name" && k != "metric_name" && k != "unit" {
			continue
		}
		v := string(t.bytes(s.at))
		if k == "unit" {
			return lookUnit(v)
		}
		if u := metricUnit(v); u != nil {
			return u
		}
	}
	return nil
}
