package contract

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// Parse reads an Executor's last message as an evidence contract (spec C4): as
// strict JSON, then without what is not the answer, then with repairs. It never
// fails: what could not be read is told by Status and Reason.
func Parse(message []byte) Parsed {
	p := Parsed{Step: StepNone}
	text, tail, err := checkText(message)
	if err != nil {
		return p.refuse(err)
	}
	n, err := readStrict(text)
	if err == nil && tail == 0 {
		return p.choose(text, StepStrict, []candidate{{root: n}})
	}
	if isLimit(err) {
		return p.refuse(err)
	}
	s := scan(text, rootRole)
	p.Reasoning = s.reasoning
	if s.err != nil {
		return p.refuse(s.err)
	}
	if len(s.candidates) == 0 {
		if nothingLeft(text, s.reasoning) {
			return p.refuse(ErrEmpty)
		}
		return p.refuse(diagnose(text))
	}
	p = p.choose(text, StepUnwrapped, s.candidates)
	if tail > 0 && p.Raw != nil {
		p.Edits = append(p.Edits, Edit{Offset: len(text), Removed: string(message[len(text):]), Why: WhyCut})
	}
	return p
}

// checkText applies the limits that come before reading. The text lacks a
// character that the end of the message cut, of tail bytes.
func checkText(message []byte) (text string, tail int, err error) {
	if len(message) > MaxBytes {
		return "", 0, ErrTooLarge
	}
	if len(bytes.TrimSpace(message)) == 0 {
		return "", 0, ErrEmpty
	}
	if !utf8.Valid(message) {
		at := badUTF8(message)
		if at >= 0 {
			return "", 0, &ReadError{ErrEncoding, at}
		}
		for tail = 1; !utf8.RuneStart(message[len(message)-tail]); tail++ {
		}
	}
	return string(message[:len(message)-tail]), tail, nil
}

// badUTF8 returns the offset of the first byte that is no UTF-8, -1 when there
// is none but a character that the end of the text cut.
func badUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			if i > 0 && !utf8.FullRune(b[i:]) {
				return -1
			}
			return i
		}
		i += size
	}
	return -1
}

// diagnose says why a text without any object is none.
func diagnose(text string) error {
	if i := bytes.IndexByte([]byte(text[:min(len(text), 64)]), 0); i >= 0 {
		return &ReadError{ErrEncoding, i} // UTF-16 or UTF-32 of ASCII text
	}
	return ErrSyntax
}

// nothingLeft reports whether a message holds nothing but reasoning, blanks and
// empty fences.
func nothingLeft(text string, reasoning []Span) bool {
	at := 0
	for _, r := range append(reasoning, Span{len(text), len(text)}) {
		if r.Start > at && wrapping(text[at:r.Start]) == WhyProse {
			return false
		}
		at = max(at, r.End)
	}
	return true
}

// FinalAnswer returns the message without its reasoning blocks, and where those
// stand (spec P4). A message that is JSON as a whole has none, whatever its
// strings hold.
func FinalAnswer(message []byte) (answer []byte, reasoning []Span) {
	text := string(message)
	if len(text) <= MaxBytes {
		if _, err := readStrict(text); err == nil {
			return message, nil
		}
	}
	s := scan(text, rootRole)
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

// refuse ends a reading that found no object.
func (p Parsed) refuse(err error) Parsed {
	p.Status, p.Step = StatusInvalid, StepNone
	if errors.Is(err, ErrEmpty) {
		p.Status = StatusEmpty
	}
	p.Contract, p.Root, p.Raw = nil, nil, nil
	p.Edits, p.Coercions = nil, nil
	p.Reason, p.ReasonZH = explain(err)
	p.Issues = []Issue{{Code: "S001", ZH: "没有读出契约对象：" + p.ReasonZH, EN: "no contract object was read: " + p.Reason}}
	return p
}
