package contract

import (
	"html"
	"slices"
	"strings"
)

// offsets maps positions in a decoded string to the bytes they came from: pairs
// of (decoded, raw) offsets, each valid from there on. Offsets fit an int32
// because a text has at most MaxBytes bytes.
type offsets struct {
	decoded, raw []int32
}

// at gives the raw offset of a decoded one.
func (o *offsets) at(pos int) int {
	i, exact := slices.BinarySearch(o.decoded, int32(pos)) //nolint:gosec // bounded by MaxBytes
	if !exact {
		i--
	}
	return int(o.raw[i]) + pos - int(o.decoded[i])
}

func (o *offsets) add(decoded, raw int) {
	o.decoded = append(o.decoded, int32(decoded)) //nolint:gosec // bounded by MaxBytes
	o.raw = append(o.raw, int32(raw))             //nolint:gosec // bounded by MaxBytes
}

// holdsJSON reports whether a string looks like JSON written into a string.
func holdsJSON(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	if s != "" && s[0] == '[' && strings.HasPrefix(strings.TrimLeft(s[1:], " \t\r\n0123456789,"), "]") {
		return true // a list of numbers
	}
	return len(s) > 1 && strings.IndexByte(s[1:], '"') >= 0 && (s[0] == '{' || s[0] == '[' || s[0] == '"' && strings.HasPrefix(strings.TrimLeft(s[1:], " \\nrt\t"), "{"))
}

// readNested reads the JSON that the string n holds; its nodes point at the raw
// bytes in text, and its repairs at the decoded string. It returns nil when n
// holds no JSON. When the string itself was repaired, the nodes all point at the
// whole string.
func readNested(text string, n *Node) (*Node, []Edit) {
	if n.Kind != StringNode || !holdsJSON(n.Text) {
		return nil, nil
	}
	var edits []Edit
	tree, err := readStrict(n.Text)
	if err != nil {
		tree = nil
		if !isLimit(err) {
			tree, edits = repairNested(n.Text, rootRole)
		}
	}
	if tree == nil {
		return nil, nil
	}
	var o offsets
	exact := n.flags&(touched|unclear) == 0 && n.Span.End > n.Span.Start+1
	if exact {
		o = mapString(text, n.Span)
	}
	move(tree, func(s Span) Span {
		if exact {
			return Span{o.at(s.Start), o.at(s.End)}
		}
		return n.Span
	}, n.flags&(touched|unclear|cut))
	tree.Key, tree.KeySpan = n.Key, n.KeySpan
	return tree, edits
}

// mapString maps the decoded text of the JSON string at span.
func mapString(text string, span Span) offsets {
	_, o := unescapeMapped(text, Span{span.Start + 1, span.End - 1})
	return o
}

// unescapeMapped decodes the escapes in a span of a text and maps the result to
// it. What is no escape stays as written.
func unescapeMapped(text string, span Span) (string, offsets) {
	var o offsets
	raw := span.Start
	o.add(0, raw)
	b := make([]byte, 0, span.End-span.Start)
	for raw < span.End {
		if text[raw] != '\\' {
			b = append(b, text[raw])
			raw++
			continue
		}
		out, size, _ := unescape(b, text[raw:span.End])
		if size == 0 {
			out, size = append(out, '\\'), 1
		}
		b, raw = out, raw+size
		o.add(len(b), raw)
	}
	return string(b), o
}

// longestEntity bounds an HTML entity, in bytes.
const longestEntity = 10

// entityQuote returns the size in bytes of a double quote written as an HTML
// entity at i, 0 when there is none.
func entityQuote(s string, i int) int {
	for _, e := range []string{"&quot;", "&#34;", "&#x22;", "&#X22;"} {
		if strings.HasPrefix(s[i:], e) {
			return len(e)
		}
	}
	return 0
}

// entitiesMapped decodes the HTML entities in a span of a text and maps the
// result to it.
func entitiesMapped(text string, span Span) (string, offsets) {
	var o offsets
	raw := span.Start
	o.add(0, raw)
	b := make([]byte, 0, span.End-span.Start)
	for raw < span.End {
		if text[raw] == '&' {
			near := text[raw:min(span.End, raw+longestEntity)]
			if end := strings.IndexByte(near, ';'); end > 0 {
				if c := html.UnescapeString(near[:end+1]); c != near[:end+1] {
					b, raw = append(b, c...), raw+end+1
					o.add(len(b), raw)
					continue
				}
			}
		}
		b, raw = append(b, text[raw]), raw+1
	}
	return string(b), o
}

// move rewrites every span of a tree and adds flags to its nodes.
func move(n *Node, to func(Span) Span, fl flags) {
	n.Span = to(n.Span)
	n.flags |= fl
	for _, item := range n.Items {
		if n.Kind == ObjectNode {
			item.KeySpan = to(item.KeySpan)
		}
		move(item, to, fl)
	}
}
