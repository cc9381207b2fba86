package contract

import (
	"bytes"
)

// Loose is one JSON value of any shape, read with the ladder of Parse.
type Loose struct {
	Root      *Node  // without what the end of the text cut
	Edits     []Edit // repairs
	Step      Step   // the rung that succeeded
	Truncated bool   // the text ended inside the value
	Reasoning []Span // reasoning blocks, tags included
}

// ParseLoose reads one JSON object or array out of a model's reply: strict, then
// without reasoning blocks, fences and prose, then with repairs. The keys are
// the member names to expect: of several values one that has some of them wins,
// and of several of those the last. Errors wrap ErrEmpty, ErrEncoding, ErrSyntax
// or a limit.
func ParseLoose(text []byte, keys ...string) (Loose, error) {
	l := Loose{Step: StepNone}
	if len(text) > MaxBytes {
		return l, ErrTooLarge
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return l, ErrEmpty
	}
	if at := badUTF8(text); at >= 0 {
		return l, &ReadError{ErrEncoding, at}
	}
	s := string(text)
	n, err := readStrict(s)
	if err == nil {
		l.Root, l.Step = n, StepStrict
		return l, nil
	}
	if isLimit(err) {
		return l, err
	}
	found := scan(s, looseRole(keys))
	l.Reasoning = found.reasoning
	if found.err != nil {
		return l, found.err
	}
	for _, cand := range found.candidates {
		if l.Root == nil || hasAny(cand.root, keys) || !hasAny(l.Root, keys) {
			l.Root, l.Edits, l.Step = cand.root, cand.edits, StepUnwrapped
		}
	}
	if l.Root == nil {
		return l, err
	}
	if len(l.Edits) > 0 {
		l.Step = StepRepaired
	}
	l.Truncated = l.Root.Cut()
	l.Root = prune(l.Root)
	return l, nil
}

// looseRole knows the names that may stand in any object.
func looseRole(keys []string) *role {
	fields := make([]field, 0, len(keys))
	for _, key := range keys {
		fields = append(fields, field{name: key, kind: textField})
	}
	r := newRole("value", fields...)
	r.loose = true
	return r
}

// prune returns a tree without the values that the end of the text cut; of
// containers on the way to the cut only what is complete stays.
func prune(n *Node) *Node {
	if n.flags&cut == 0 {
		return n
	}
	m := *n
	m.Items = nil
	for _, item := range n.Items {
		switch {
		case item.flags&cut == 0:
			m.Items = append(m.Items, item)
		case item.Kind == ArrayNode || item.Kind == ObjectNode && n.Kind == ObjectNode:
			m.Items = append(m.Items, prune(item))
		}
	}
	return &m
}

func hasAny(n *Node, keys []string) bool {
	for _, key := range keys {
		if n.Get(key) != nil {
			return true
		}
	}
	return false
}
