package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// broken lists what is wrong with a Parsed, whatever the message: "" when it
// keeps every promise of the reader.
func broken(message []byte, p Parsed) string {
	if s := brokenEdits(message, p.Edits); s != "" {
		return s
	}
	for _, r := range p.Reasoning {
		if r.Start < 0 || r.End > len(message) || r.Start >= r.End {
			return fmt.Sprintf("reasoning span %v", r)
		}
	}
	for _, root := range []*Node{p.Root, p.Raw} {
		if s := brokenSpans(root, len(message)); s != "" {
			return s
		}
	}
	for _, i := range p.Issues {
		if i.Code < "S001" || i.Code > "S010" || i.ZH == "" || i.EN == "" || i.Span.End > len(message) {
			return fmt.Sprintf("issue %+v", i)
		}
	}
	if p.Status != StatusOK && (p.Reason == "" || p.ReasonZH == "") {
		return "no reason for status " + string(p.Status)
	}
	if p.Contract != nil && p.Root == nil {
		return "a contract without its tree"
	}
	if p.Raw == nil {
		return ""
	}
	applied := apply(string(message), Span{0, len(message)}, p.Edits)
	again, err := readStrict(applied)
	if err != nil {
		return fmt.Sprintf("the repaired text is no JSON: %v\n%s", err, applied)
	}
	if !equalNodes(again, p.Raw) {
		return fmt.Sprintf("the repaired text has other values:\n%s\n%s", again.AppendJSON(nil), p.Raw.AppendJSON(nil))
	}
	return brokenTexts(again, p)
}

func brokenEdits(message []byte, edits []Edit) string {
	at := 0
	for _, e := range edits {
		if e.Offset < at || e.Offset+len(e.Removed) > len(message) {
			return fmt.Sprintf("edits out of order at %d: %+v", at, e)
		}
		if string(message[e.Offset:e.Offset+len(e.Removed)]) != e.Removed {
			return fmt.Sprintf("edit removes what is not there: %+v", e)
		}
		if WhyZH(e.Why) == e.Why {
			return "edit without a Chinese reason: " + e.Why
		}
		at = e.Offset + len(e.Removed)
	}
	return ""
}

func brokenSpans(n *Node, size int) string {
	if n == nil {
		return ""
	}
	if n.Span.Start < 0 || n.Span.End < n.Span.Start || n.Span.End > size {
		return fmt.Sprintf("span %v of %d", n.Span, size)
	}
	for _, item := range n.Items {
		if s := brokenSpans(item, size); s != "" {
			return s
		}
		if item.KeySpan.Start < 0 || item.KeySpan.End < item.KeySpan.Start || item.KeySpan.End > size {
			return fmt.Sprintf("key span %v of %d", item.KeySpan, size)
		}
	}
	return ""
}

func equalNodes(a, b *Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text || a.Key != b.Key || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		if !equalNodes(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return true
}

// brokenTexts checks that every text of a claim is a value of the repaired text,
// or of JSON inside one of its strings.
func brokenTexts(root *Node, p Parsed) string {
	if p.Contract == nil || len(p.Contract.Claims) == 0 {
		return ""
	}
	values := map[string]bool{}
	collect(root, values)
	for _, c := range p.Contract.Claims {
		if !utf8.ValidString(c.ClaimText) {
			return "claim text is no UTF-8"
		}
		if c.ClaimText != "" && !values[c.ClaimText] {
			return fmt.Sprintf("claim text %q stands nowhere in the repaired text", c.ClaimText)
		}
		for _, b := range c.EvidenceBindings {
			if b.EvidenceExcerpt != "" && !values[b.EvidenceExcerpt] {
				return fmt.Sprintf("excerpt %q stands nowhere in the repaired text", b.EvidenceExcerpt)
			}
		}
	}
	return ""
}

func collect(n *Node, values map[string]bool) {
	if n.Kind < ArrayNode {
		values[n.Text] = true
		if n.Kind == StringNode && strings.ContainsAny(n.Text, "{[") {
			for _, c := range scan(n.Text, rootRole).candidates {
				collect(c.root, values)
			}
			if in, err := readStrict(n.Text); err == nil {
				collect(in, values)
			}
		}
	}
	for _, item := range n.Items {
		collect(item, values)
	}
}

// standard decodes with the standard library, numbers as written.
func standard(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// plain turns a tree into what the standard decoder gives; twice is true when a
// name stands twice in an object, lone when a lone surrogate was kept.
func plain(n *Node) (v any, twice, hasLone bool) {
	hasLone = n.flags&lone != 0
	switch n.Kind {
	case NullNode:
		return nil, false, hasLone
	case BoolNode:
		return n.Text == "true", false, hasLone
	case NumberNode:
		return json.Number(n.Text), false, hasLone
	case StringNode:
		return n.Text, false, hasLone
	case ArrayNode:
		out := []any{}
		for _, item := range n.Items {
			x, t, l := plain(item)
			out, twice, hasLone = append(out, x), twice || t, hasLone || l
		}
		return out, twice, hasLone
	case ObjectNode:
		out := map[string]any{}
		for _, item := range n.Items {
			x, t, l := plain(item)
			_, have := out[item.Key]
			out[item.Key] = x
			twice, hasLone = twice || t || have, hasLone || l
		}
		return out, twice, hasLone
	}
	return nil, false, hasLone
}
