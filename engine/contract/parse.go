package contract

import (
	"bytes"
	"unicode/utf8"
)

// Parse reads an Executor's last message as an evidence contract (spec C4): as
// strict JSON, then without what is not the answer, then with repairs. It never
// fails: what could not be read is told by Status and Reason.
func Parse(message []byte) Parsed {
	p := Parsed{Step: StepNone}
	if len(message) > MaxBytes {
		return p.refuse(ErrTooLarge)
	}
	if len(bytes.TrimSpace(message)) == 0 {
		return p.refuse(ErrEmpty)
	}
	if at := badUTF8(message); at >= 0 {
		return p.refuse(&ReadError{ErrEncoding, at})
	}
	text := string(message)
	n, err := readStrict(text)
	if err == nil {
		return p.choose(text, StepStrict, []candidate{{root: n}})
	}
	if isLimit(err) {
		return p.refuse(err)
	}
	s := scan(text, rootShape)
	p.Reasoning = s.reasoning
	if len(s.candidates) == 0 {
		return p.refuse(err)
	}
	return p.choose(text, StepUnwrapped, s.candidates)
}

// FinalAnswer returns the message without its reasoning blocks, and where those
// stand (spec P4). A message that is JSON as a whole has none.
func FinalAnswer(message []byte) (answer []byte, reasoning []Span) {
	text := string(message)
	if _, err := readStrict(text); err == nil {
		return message, nil
	}
	s := scan(text, rootShape)
	if len(s.reasoning) == 0 {
		return message, nil
	}
	at := 0
	for _, r := range s.reasoning {
		answer = append(answer, message[at:r.Start]...)
		at = r.End
	}
	return append(answer, message[at:]...), s.reasoning
}

// badUTF8 returns the offset of the first byte that is no UTF-8, -1 when there
// is none. A character that the end of the text cut is no fault of encoding.
func badUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			if !utf8.FullRune(b[i:]) {
				return -1
			}
			return i
		}
		i += size
	}
	return -1
}

// refuse ends a reading that found no object.
func (p Parsed) refuse(err error) Parsed {
	p.Status, p.Step = StatusInvalid, StepNone
	if err == ErrEmpty { //nolint:errorlint // ours, never wrapped
		p.Status = StatusEmpty
	}
	p.Contract, p.Root = nil, nil
	p.Reason, p.ReasonZH = explain(err)
	return p
}

// reading is one contract that was read out of a candidate.
type reading struct {
	canon    *canon
	contract *Contract
	root     *Node
	from     candidate
}

// choose takes the one object that counts.
func (p Parsed) choose(text string, st Step, from []candidate) Parsed {
	var all []reading
	for _, cand := range from {
		for _, n := range find(text, cand.root) {
			c := &canon{src: text}
			if n != cand.root {
				c.coerce(WhyWrapped, show(cand.root), show(n))
			}
			k, root := c.contract(n)
			if c.err != nil {
				return p.refuse(c.err)
			}
			all = append(all, reading{c, k, root, cand})
		}
	}
	p.Step = st
	if len(all) == 0 {
		return p.unfit(text, from)
	}
	best := all[len(all)-1]
	p.Contract, p.Root = best.contract, best.root
	p.Coercions, p.Issues, p.Edits = best.canon.coercions, best.canon.issues, best.from.edits
	switch {
	case best.canon.noClaims:
		p.Status = StatusInvalid
	case len(p.Edits)+len(p.Coercions) > 0 || st != StepStrict:
		p.Status = StatusRepaired
	default:
		p.Status = StatusOK
	}
	return p
}

// unfit reports a value that is no contract.
func (p Parsed) unfit(text string, from []candidate) Parsed {
	n := from[0].root
	for _, cand := range from {
		if cand.root.Kind == ObjectNode {
			n = cand.root
			break
		}
	}
	if n.Kind != ObjectNode {
		p = p.refuse(ErrNotObject)
		p.Root = n
		p.Issues = []Issue{{Code: "S001", Span: n.Span, ZH: "输出不是 JSON 对象", EN: "the output is not a JSON object"}}
		return p
	}
	c := &canon{src: text}
	p.Contract, p.Root = c.contract(n)
	p.Coercions, p.Issues = c.coercions, c.issues
	p.Status = StatusInvalid
	p.Reason, p.ReasonZH = "the object is no evidence contract", "该对象不是证据契约"
	return p
}
