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

// parseJSONTree scans raw once. It returns nil when the brackets do not close anything.
func parseJSONTree(raw []byte) *jsonTree {
	t := &jsonTree{raw: raw}
	var stack []int
	var key Span
	haveKey := false
	open := func(i int, array bool) {
		n := jsonNode{span: Span{i, len(raw)}, parent: -1, array: array}
		if len(stack) > 0 {
			n.parent = stack[len(stack)-1]
			p := &t.nodes[n.parent]
			n.index = p.count
			p.count++
		}
		if haveKey {
			n.key, haveKey = key, false
		}
		t.nodes = append(t.nodes, n)
		stack = append(stack, len(t.nodes)-1)
	}
	scalar := func(sp Span) {
		if len(stack) == 0 {
			return
		}
		top := stack[len(stack)-1]
		sc := jsonScalar{span: sp, node: top, idx: t.nodes[top].count}
		if haveKey {
			sc.key, haveKey = key, false
		}
		t.nodes[top].count++
		t.scalars = append(t.scalars, sc)
	}
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '{' || c == '[':
			if len(stack) >= maxJSONDepth {
				return nil
			}
			open(i, c == '[')
			i++
		case c == '}' || c == ']':
			if len(stack) > 0 {
				t.nodes[stack[len(stack)-1]].span.End = i + 1
				stack = stack[:len(stack)-1]
			}
			haveKey = false
			i++
		case (c == '"' || c == '\'') && len(stack) > 0:
			end := stringEnd(raw, i, c)
			sp := Span{i + 1, max(end-1, i+1)}
			j := end
			for j < len(raw) && (raw[j] == ' ' || raw[j] == '\t' || raw[j] == '\n' || raw[j] == '\r') {
				j++
			}
			if j < len(raw) && raw[j] == ':' && !t.nodes[stack[len(stack)-1]].array && !haveKey {
				key, haveKey = sp, true
				i = j + 1
				continue
			}
			scalar(sp)
			i = end
		case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' || c == ':' || len(stack) == 0:
			i++
		default:
			j := i
			for j < len(raw) && strings.IndexByte(" \n\t\r,:]}", raw[j]) < 0 {
				j++
			}
			if j == i {
				j++
			}
			scalar(Span{i, j})
			i = j
		}
	}
	if len(t.nodes) == 0 {
		return nil
	}
	for _, sc := range t.scalars[:min(len(t.scalars), 64)] {
		if k := string(raw[sc.key.Start:sc.key.End]); k == "spanID" {
			t.jaeger = true
		}
	}
	return t
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
