package view

import (
	"encoding/json"
	"strconv"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/event"
)

// Document is the Executor's last message, and how it was understood.
type Document struct {
	Has bool // the Executor has given its last message
	// Text is the message as it came. Where only its structure was recorded, it is the
	// structure written as JSON, and Rebuilt is true.
	Text    string
	Rebuilt bool
	Parsed  bool // the parser has read it
	// Reading holds the value tree with positions in Text, the repairs, the coercions
	// and the reasoning blocks. It is empty until the message was parsed.
	Reading contract.Parsed
}

// docOf is what a document was read of.
type docOf struct {
	parsed  *event.Parsed
	message string
	has     bool
}

// readDocument reads the message of the attempt shown, unless that was done.
func (v *View) readDocument() {
	of := docOf{v.Attempt.Parsed, v.Attempt.Message, v.Attempt.HasOutput}
	if v.docOf != of || !v.derived.known {
		v.docOf, v.Doc = of, v.document()
	}
}

// document reads the message of the attempt shown.
func (v *View) document() Document {
	a := v.Attempt
	d := Document{Has: a.HasOutput, Text: a.Message, Parsed: a.Parsed != nil}
	if !d.Parsed {
		return d
	}
	if d.Has {
		d.Reading = a.Reading()
	}
	if s := a.Structured(); s != nil && d.Reading.Root == nil {
		if b, err := json.MarshalIndent(s, "", "  "); err == nil {
			d.Has, d.Rebuilt, d.Text = true, !a.HasOutput, string(b)
			d.Reading = contract.Parse(b)
		}
	}
	return d
}

// Node returns what stands at a pointer of the contract, or nil.
func (d *Document) Node(pointer string) *contract.Node {
	if d.Reading.Root == nil {
		return nil
	}
	return d.Reading.Root.At(pointer)
}

// PointerAt gives the pointer of the innermost value, or member name, that holds the
// byte of the text, or "".
func (d *Document) PointerAt(offset int) string {
	n := d.Reading.Root
	if n == nil || !holds(n, offset) {
		return ""
	}
	var b strings.Builder
	for {
		child := -1
		for i, item := range n.Items {
			if holds(item, offset) {
				child = i
			}
		}
		if child < 0 {
			return b.String()
		}
		b.WriteByte('/')
		if n.Kind == contract.ArrayNode {
			b.WriteString(strconv.Itoa(child))
		} else {
			b.WriteString(EscapePointer(n.Items[child].Key))
		}
		n = n.Items[child]
	}
}

func holds(n *contract.Node, offset int) bool {
	in := func(s contract.Span) bool { return s.Start <= offset && offset < s.End }
	return in(n.Span) || in(n.KeySpan) || n.KeySpan.End > 0 && n.KeySpan.Start <= offset && offset < n.Span.End
}

// EscapePointer writes a member name as a token of a JSON pointer (RFC 6901).
func EscapePointer(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}
