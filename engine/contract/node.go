package contract

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// flags are facts about a Node that the reader found while reading it.
type flags uint8

const (
	touched flags = 1 << iota // a repair changed the value's own text
	unclear                   // its end was a guess: not to be trusted
	cut                       // the text ended inside it
	lone                      // it has an escape of a lone surrogate, kept as written
)

// Repaired reports whether a repair touched the value's own text (not that of
// its items).
func (n *Node) Repaired() bool { return n != nil && n.flags&(touched|unclear|lone) != 0 }

// Cut reports whether the message ended inside the value.
func (n *Node) Cut() bool { return n != nil && n.flags&cut != 0 }

// Get returns the member of an object by its exact name, nil when there is none.
// Of duplicates it returns the last, as other readers do.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != ObjectNode {
		return nil
	}
	for i := len(n.Items) - 1; i >= 0; i-- {
		if n.Items[i].Key == name {
			return n.Items[i]
		}
	}
	return nil
}

// Str returns the text of a string, and whether it is one.
func (n *Node) Str() (string, bool) {
	if n == nil || n.Kind != StringNode {
		return "", false
	}
	return n.Text, true
}

// At resolves a JSON pointer (RFC 6901), nil when nothing stands there. On
// Parsed.Root pointers go into the contract as it was understood: wrappers
// removed, keys in their proper case, arrays where arrays belong.
func (n *Node) At(pointer string) *Node {
	if pointer == "" {
		return n
	}
	if n == nil || pointer[0] != '/' {
		return nil
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch n.Kind {
		case ObjectNode:
			n = n.Get(token)
		case ArrayNode:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Items) || strconv.Itoa(i) != token {
				return nil
			}
			n = n.Items[i]
		case NullNode, BoolNode, NumberNode, StringNode:
			return nil
		}
		if n == nil {
			return nil
		}
	}
	return n
}

// AppendJSON appends the value as compact JSON, numbers as they were written.
func (n *Node) AppendJSON(b []byte) []byte {
	switch n.Kind {
	case NullNode, BoolNode, NumberNode:
		return append(b, n.Text...)
	case StringNode:
		return appendString(b, n.Text)
	case ArrayNode:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.AppendJSON(b)
		}
		return append(b, ']')
	case ObjectNode:
		b = append(b, '{')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, item.Key)
			b = append(b, ':')
			b = item.AppendJSON(b)
		}
		return append(b, '}')
	}
	return b
}

// appendString appends s as a JSON string. It escapes only what JSON demands,
// so that Chinese text and markup stay readable.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			b = append(append(b, s[start:i]...), `\ufffd`...)
			i++
			start = i
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// exactInt reads a JSON number that is an integer in the int64 range. Fractions
// of zeros and exponents are worked out on the digits, never in floating point.
func exactInt(text string) (int64, bool) {
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return v, true
	}
	digits, exp := text, 0
	if mantissa, _, _ := strings.Cut(strings.ToLower(text), "e"); strings.Trim(mantissa, "-0.") == "" {
		return 0, true
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(text[i+1:])
		if err != nil || e > 400 || e < -400 {
			return 0, false
		}
		digits, exp = text[:i], e
	}
	if whole, frac, ok := strings.Cut(digits, "."); ok {
		digits, exp = whole+frac, exp-len(frac)
	}
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for ; exp < 0 && strings.HasSuffix(digits, "0"); exp++ {
		digits = digits[:len(digits)-1]
	}
	digits = strings.TrimLeft(digits, "0")
	if exp < 0 || len(digits)+exp > 19 {
		return 0, false
	}
	v, err := strconv.ParseInt(sign+digits+strings.Repeat("0", exp), 10, 64)
	return v, err == nil
}
