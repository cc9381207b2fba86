package widget

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"claimscope/tui/text"
)

// MaxNodes bounds a tree.
const MaxNodes = 500_000

// ErrJSON is wrapped by the errors of [ParseTree]: the text is no JSON, or not to
// its end.
var ErrJSON = errors.New("not JSON")

// ParseTree builds the tree of the first JSON value in s, with the byte span of
// every value. Of text that stops being JSON it returns what came before, with an
// error that wraps [ErrJSON]; the tree is nil if that is nothing.
func ParseTree(s string) (*Node, error) {
	b := builder{s: s}
	root, err := b.value("", nil, 0)
	if err != nil {
		return root, err
	}
	if t := nextToken(s, b.at); t.kind != 0 {
		return root, fmt.Errorf("%w: more text after the value, at byte %d", ErrJSON, t.start)
	}
	return root, nil
}

type builder struct {
	s     string
	at    int
	nodes int
}

func (b *builder) take() token {
	t := nextToken(b.s, b.at)
	b.at = t.end
	return t
}

func (b *builder) fail(t token, want string) error {
	if t.kind == 0 {
		return fmt.Errorf("%w: the text ends where %s is expected", ErrJSON, want)
	}
	return fmt.Errorf("%w: no %s at byte %d", ErrJSON, want, t.start)
}

// value parses a value and hangs it below parent.
func (b *builder) value(label string, parent *Node, depth int) (*Node, error) {
	t := b.take()
	n := &Node{Label: label, Start: t.start, End: t.end}
	if b.nodes++; b.nodes > MaxNodes || depth > maxNesting {
		return nil, fmt.Errorf("%w: too large or too deep, at byte %d", ErrJSON, t.start)
	}
	if parent != nil && strings.IndexByte("{[\"0a", t.kind) >= 0 {
		parent.Add(n)
	}
	switch t.kind {
	case '{':
		n.Kind = KindObject
		return n, b.members(n, depth)
	case '[':
		n.Kind = KindArray
		return n, b.elements(n, depth)
	case '"':
		n.Kind, n.Value = KindString, decoded(b.s[t.start:t.end])
	case '0':
		n.Kind, n.Value = KindNumber, b.s[t.start:t.end]
	case 'a':
		n.Kind, n.Value = KindLiteral, b.s[t.start:t.end]
	default:
		return nil, b.fail(t, "value")
	}
	return n, nil
}

func (b *builder) members(n *Node, depth int) error {
	for first := true; ; first = false {
		t := b.take()
		if first && t.kind == '}' {
			n.End = t.end
			return nil
		}
		if t.kind != '"' {
			return b.cut(n, b.fail(t, "key"))
		}
		key := decoded(b.s[t.start:t.end])
		if t = b.take(); t.kind != ':' {
			return b.cut(n, b.fail(t, "colon"))
		}
		if _, err := b.value(key, n, depth+1); err != nil {
			return b.cut(n, err)
		}
		switch t = b.take(); t.kind {
		case ',':
		case '}':
			n.End = t.end
			return nil
		default:
			return b.cut(n, b.fail(t, "comma"))
		}
	}
}

func (b *builder) elements(n *Node, depth int) error {
	if t := nextToken(b.s, b.at); t.kind == ']' {
		b.at, n.End = t.end, t.end
		return nil
	}
	for i := 0; ; i++ {
		if _, err := b.value(strconv.Itoa(i), n, depth+1); err != nil {
			return b.cut(n, err)
		}
		switch t := b.take(); t.kind {
		case ',':
		case ']':
			n.End = t.end
			return nil
		default:
			return b.cut(n, b.fail(t, "comma"))
		}
	}
}

// cut ends a container where its text stopped being JSON.
func (b *builder) cut(n *Node, err error) error {
	n.End = min(b.at, len(b.s))
	return err
}

// decoded returns the text of a JSON string, cut to what a row may show.
func decoded(quoted string) string {
	if len(quoted) > 2*maxPreview {
		inner := quoted[1:]
		return inner[:text.Boundary(inner, maxPreview)] + "…"
	}
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var s string
	if json.Unmarshal([]byte(quoted), &s) != nil {
		return quoted[1 : len(quoted)-1]
	}
	return s
}
