package grounding

import (
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

type jsonNode struct {
	span   Span
	parent int // -1 at top level
	array  bool
	key    Span // member name in the parent object; empty in an array
	index  int  // position in the parent array
	count  int  // members or items
}

type jsonScalar struct {
	span Span // the value without quotes
	key  Span
	node int // the enclosing object or array
	idx  int // position in the enclosing array
}

const maxJSONDepth = 200

// parseJSONTree scans raw once. It returns nil when nothing opens a bracket, or too many do.
func parseJSONTree(raw []byte) *jsonTree {
	p := jsonScan{jsonTree: jsonTree{raw: raw}}
	if !p.scan() || len(p.nodes) == 0 {
		return nil
	}
	t := p.jsonTree
	for _, sc := range t.scalars[:min(len(t.scalars), 64)] {
		if string(raw[sc.key.Start:sc.key.End]) == "spanID" {
			t.jaeger = true
		}
	}
	return &t
}

// jsonScan is a tree that is being built.
type jsonScan struct {
	jsonTree
	stack   []int // open nodes
	key     Span  // of the value to come
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
			p.scalar(Span{i, j})
			i = j
		}
	}
	return true
}

// takeKey gives the key of the value that begins, once.
func (p *jsonScan) takeKey() Span {
	if !p.haveKey {
		return Span{}
	}
	p.haveKey = false
	return p.key
}

func (p *jsonScan) open(at int, array bool) {
	n := jsonNode{span: Span{at, len(p.raw)}, parent: -1, array: array, key: p.takeKey()}
	if len(p.stack) > 0 {
		n.parent = p.stack[len(p.stack)-1]
		n.index = p.nodes[n.parent].count
		p.nodes[n.parent].count++
	}
	p.stack = append(p.stack, len(p.nodes))
	p.nodes = append(p.nodes, n)
}

func (p *jsonScan) shut(end int) {
	if top := len(p.stack) - 1; top >= 0 {
		p.nodes[p.stack[top]].span.End = end
		p.stack = p.stack[:top]
	}
	p.haveKey = false
}

func (p *jsonScan) scalar(sp Span) {
	top := p.stack[len(p.stack)-1]
	p.scalars = append(p.scalars, jsonScalar{span: sp, key: p.takeKey(), node: top, idx: p.nodes[top].count})
	p.nodes[top].count++
}

// quoted reads a string, which is a key or a value, and returns where to go on.
func (p *jsonScan) quoted(at int) int {
	end := stringEnd(p.raw, at, p.raw[at])
	sp := Span{at + 1, max(end-1, at+1)}
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
	i := sort.Search(len(t.scalars), func(i int) bool { return t.scalars[i].span.End > offset })
	if i < len(t.scalars) && t.scalars[i].span.Start <= offset {
		return i, true
	}
	return 0, false
}

// nodeAt finds the innermost object or array at offset.
func (t *jsonTree) nodeAt(offset int) (int, bool) {
	i := sort.Search(len(t.nodes), func(i int) bool { return t.nodes[i].span.Start > offset }) - 1
	for i >= 0 && t.nodes[i].span.End <= offset {
		i = t.nodes[i].parent
	}
	return i, i >= 0
}

// recordAt is the innermost object that is an item of an array (or the top object):
// one series, one pod, one span, one log entry. Pairs such as {"key":…, "value":…} and
// arrays of scalars belong to what holds them.
func (t *jsonTree) recordAt(offset int) (int, bool) {
	n, ok := t.nodeAt(offset)
	if !ok {
		return 0, false
	}
	return t.recordOf(n), true
}

func (t *jsonTree) recordOf(n int) int {
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
func (t *jsonTree) isSample(n int) bool {
	p := t.nodes[n].parent
	return t.nodes[n].array && p >= 0 && t.nodes[p].array && t.nodes[n].count >= 2 && t.nodes[n].count <= 8
}

// isPair reports objects that only carry a key and its value.
func (t *jsonTree) isPair(n int) bool {
	if t.nodes[n].count > 4 {
		return false
	}
	first := sort.Search(len(t.scalars), func(i int) bool { return t.scalars[i].span.Start >= t.nodes[n].span.Start })
	hasKey, hasValue := false, false
	for i := first; i < len(t.scalars) && t.scalars[i].span.End <= t.nodes[n].span.End; i++ {
		switch string(t.raw[t.scalars[i].key.Start:t.scalars[i].key.End]) {
		case "key":
			hasKey = true
		case "value":
			hasValue = true
		}
	}
	return hasKey && hasValue
}

// fieldOf names a scalar: its key, or the key of the array that holds it.
func (t *jsonTree) fieldOf(sc int) string {
	s := t.scalars[sc]
	if s.key.End > s.key.Start {
		return string(t.raw[s.key.Start:s.key.End])
	}
	for n := s.node; n >= 0; n = t.nodes[n].parent {
		if k := t.nodes[n].key; k.End > k.Start {
			return string(t.raw[k.Start:k.End])
		}
	}
	return ""
}

// pathOf is the path of a scalar below the record rec, array positions left out:
// "metric.instance", "process.serviceName".
func (t *jsonTree) pathOf(sc, rec int) string {
	var parts []string
	s := t.scalars[sc]
	if s.key.End > s.key.Start {
		parts = append(parts, string(t.raw[s.key.Start:s.key.End]))
	} else if s.node == rec && t.isSample(rec) {
		return "#" + string(rune('0'+min(s.idx, 9)))
	}
	for n := s.node; n >= 0 && n != rec; n = t.nodes[n].parent {
		if k := t.nodes[n].key; k.End > k.Start {
			parts = append(parts, string(t.raw[k.Start:k.End]))
		}
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, "\x00")
}

// scalarsIn lists the scalars of a record, as a half-open range of indexes.
func (t *jsonTree) scalarsIn(n int) (int, int) {
	sp := t.nodes[n].span
	lo := sort.Search(len(t.scalars), func(i int) bool { return t.scalars[i].span.Start >= sp.Start })
	hi := sort.Search(len(t.scalars), func(i int) bool { return t.scalars[i].span.Start >= sp.End })
	return lo, hi
}

// metricUnit reads the unit off a metric name among the record's strings.
func (t *jsonTree) metricUnit(n int) []Unit {
	lo, hi := t.scalarsIn(n)
	for i := lo; i < min(hi, lo+24); i++ {
		s := t.scalars[i]
		k := string(t.raw[s.key.Start:s.key.End])
		if k != "__name__" && k != "metric" && k != "name" && k != "metric_name" && k != "unit" {
			continue
		}
		v := string(t.raw[s.span.Start:s.span.End])
		if k == "unit" {
			return lookUnit(v)
		}
		if u := metricUnit(v); u != nil {
			return u
		}
	}
	return nil
}
