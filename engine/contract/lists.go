package contract

import (
	"strconv"
	"strings"
)

// listed gives the items of the array n that is the i-th field: those of an array
// written into a string, none of null, and n itself where it is a single value. It is
// false for an object, which is flagged and kept as written.
func (c *canon) listed(o *object, i int, n *Node, wantEN, wantZH string) ([]*Node, bool) {
	name := o.role.fields[i].name
	switch n.Kind {
	case NullNode:
		c.coerce(WhyNullArray, "null", "[]", name)
	case ArrayNode:
		return n.Items, true
	case StringNode, NumberNode, BoolNode:
		if nested := c.inString(n); nested != nil && nested.Kind == ArrayNode {
			c.coerce(WhyStringJSON, show(n), show(nested), name)
			return nested.Items, true
		}
		c.coerce(WhyScalarArray, show(n), "["+show(n)+"]", name)
		return []*Node{n}, true
	case ObjectNode:
		c.wrongType(n, wantEN, wantZH, name)
		o.keep(name, n)
		return nil, false
	}
	return nil, true
}

// texts reads the i-th field as an array of strings.
func (c *canon) texts(o *object, i int) []string {
	f := &o.role.fields[i]
	n := o.get(i)
	if n == nil {
		c.missing(o, f)
		return nil
	}
	items, ok := c.listed(o, i, n, "an array of strings", "字符串数组")
	if !ok {
		return nil
	}
	out := make([]string, 0, len(items))
	kept := make([]*Node, 0, len(items))
	for _, item := range items {
		switch {
		case item.flags&(cut|unclear) != 0:
			continue
		case item == n && strings.TrimSpace(n.Text) == "":
			continue // a blank string in place of the array is an empty one
		case item.Kind == NullNode:
			c.coerce(WhyNullItem, "null", "", f.name)
			continue
		case item.Kind >= ArrayNode:
			c.wrongType(item, "a string", "字符串", f.name)
			o.keep(f.name, n)
			continue
		case item.Kind != StringNode:
			c.coerce(WhyToString, item.Text, string(appendString(nil, item.Text)), f.name, strconv.Itoa(len(out)))
		case item.flags&lone != 0:
			c.coerce(WhyLoneSurrogate, show(item), show(item), f.name, strconv.Itoa(len(out)))
		}
		out = append(out, item.Text)
		kept = append(kept, item)
	}
	c.setArray(o, i, n, kept)
	return out
}

// setArray puts an array of items in place of the i-th field, unless it is that
// already.
func (c *canon) setArray(o *object, i int, n *Node, items []*Node) {
	if n.Kind == ArrayNode && sameNodes(n.Items, items) {
		return
	}
	m := c.copyNode(n)
	m.Kind, m.Text, m.Items = ArrayNode, "", items
	o.set(i, m)
}

func sameNodes(a, b []*Node) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// ids reads the i-th field as an array of integers. What is no int64 is flagged
// and kept as written, never rounded.
func (c *canon) ids(o *object, i int) []int64 {
	name := o.role.fields[i].name
	n := o.get(i)
	if n == nil {
		return nil
	}
	items, ok := c.listed(o, i, n, "an array of integers", "整数数组")
	if !ok {
		return nil
	}
	out := make([]int64, 0, len(items))
	kept := make([]*Node, 0, len(items))
	for _, item := range items {
		if item.flags&cut != 0 {
			continue
		}
		v, ok := c.id(item, name, len(out))
		if !ok {
			o.keep(name, n)
			continue
		}
		out = append(out, v)
		kept = append(kept, item)
	}
	c.setArray(o, i, n, kept)
	return out
}

// id reads one invocation id.
func (c *canon) id(item *Node, name string, at int) (int64, bool) {
	index := strconv.Itoa(at)
	switch item.Kind {
	case NumberNode:
		v, ok := exactInt(item.Text)
		if !ok {
			c.issue("S004", item, "调用编号 "+clip(item.Text)+" 不是 64 位整数，未取整",
				"invocation id "+clip(item.Text)+" is no 64-bit integer; it was not rounded", name)
			return 0, false
		}
		if to := strconv.FormatInt(v, 10); to != item.Text {
			c.coerce(WhyWholeNumber, item.Text, to, name, index)
		}
		return v, true
	case StringNode:
		w := strings.TrimPrefix(foldWord(item.Text), "#")
		if v, err := strconv.ParseInt(w, 10, 64); err == nil {
			c.coerce(WhyStringID, show(item), strconv.FormatInt(v, 10), name, index)
			return v, true
		}
	case NullNode:
		c.coerce(WhyNullItem, "null", "", name)
		return 0, false
	case BoolNode, ArrayNode, ObjectNode:
	}
	c.wrongType(item, "an integer", "整数", name)
	return 0, false
}
