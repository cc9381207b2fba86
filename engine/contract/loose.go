package contract

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
// the member names to expect in it, at any depth: the more of them repair knows,
// the better. Of several values the object with most of them wins, of equals the
// last; wrappers around it are taken off. Without keys, or when nothing has any,
// a text that is JSON as a whole comes back as it is. Errors wrap ErrTooLarge,
// ErrEmpty, ErrEncoding, ErrSyntax or another limit.
func ParseLoose(text []byte, keys ...string) (Loose, error) {
	l := Loose{Step: StepNone}
	s, _, err := checkText(text)
	if err != nil {
		return l, err
	}
	r := looseRole(keys)
	n, err := readStrict(s)
	if err == nil {
		l.Step = StepStrict
		l.choose(s, []candidate{{root: n}}, r)
		return l, nil
	}
	if isLimit(err) {
		return l, err
	}
	all := scan(s, r)
	l.Reasoning = all.reasoning
	if all.err != nil {
		return l, all.err
	}
	if len(all.candidates) == 0 {
		return l, err
	}
	l.Step = StepUnwrapped
	l.choose(s, all.candidates, r)
	return l, nil
}

// choose takes the best of the values.
func (l *Loose) choose(text string, all []candidate, r *role) {
	best, nested := 0, false
	for _, cand := range all {
		if l.Root == nil {
			l.Root, l.Edits = cand.root, cand.edits
		}
		if len(r.fields) == 0 {
			l.Root, l.Edits = cand.root, cand.edits
			continue
		}
		for _, in := range find(text, cand.root, r) {
			if n := r.fitted(in.node); n >= best {
				best = n
				l.Root, l.Edits, nested = in.node, cand.edits, len(in.edits) > 0
			}
		}
	}
	if len(l.Edits) > 0 || nested {
		l.Step = StepRepaired
	}
	l.Truncated = l.Root.Cut()
	l.Root = prune(l.Root)
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
