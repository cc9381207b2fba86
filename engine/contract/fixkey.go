package contract

import (
	"strings"
	"unicode/utf8"
)

// keyToken is what may be a member name.
type keyToken struct {
	start, end int    // with its quotes
	text       string // without
	clean      bool   // written as JSON has it
	colon      bool   // a colon follows
	known      bool   // no colon or closing quote, but the name of a field
	colonAt    Span   // where
}

// farKey bounds how far ahead a member name is looked for, in bytes.
const farKey = 128

// peekKey looks at what stands at i as a member name. The zero token means that
// nothing like one stands there.
func peekKey(s string, i int) keyToken { return peekKeyWithin(s, i, farKey) }

// named reports whether a token is a member name, whole or repaired.
func (k keyToken) named() bool { return k.end > 0 && (k.colon || k.known) }

// nameAt looks at what stands at i as a member name. One that is known may lack
// its closing quote or its colon.
func nameAt(s string, i int, known func(string) bool) keyToken {
	k := peekKey(s, i)
	if k.colon || i >= len(s) {
		return k
	}
	if fam, size := quoteAt(s, i); fam != noQuote {
		from := i + size
		end := from
		for end < len(s) && end-from < maxName && (isIdent(s[end]) || s[end] == ' ') {
			end++
		}
		if end > from && endsKey(s, end) {
			if name := strings.TrimSpace(s[from:end]); known(name) {
				b := keyToken{start: i, end: end, text: name, known: true}
				b.findColon(s)
				return b
			}
		}
	}
	if k.end == 0 || !known(k.text) {
		return k
	}
	at := skipBlanks(s, k.end)
	if at >= len(s) {
		return k
	}
	q, _ := quoteAt(s, at)
	_, literal := literals[word(s, at)]
	k.known = q != noQuote || literal || s[at] == '[' || s[at] == '{' || s[at] >= '0' && s[at] <= '9'
	return k
}

// word is the run of letters at i.
func word(s string, i int) string {
	end := i
	for end < len(s) && isIdent(s[end]) && end-i < maxName {
		end++
	}
	return s[i:end]
}

// peek looks at what stands at i as a member name of what is being read.
func (f *fixer) peek(i int) keyToken { return nameAt(f.s, i, f.known) }

// known reports whether a name is a field of what is being read.
func (f *fixer) known(name string) bool {
	if f.role == rootRole {
		return isField(name)
	}
	fl, _ := f.role.lookup(name)
	return fl != nil
}

// firstName looks at the first member name of an object of the role, at i behind
// its bracket.
func firstName(s string, i int, r *role) keyToken {
	return nameAt(s, pastBrace(s, i), func(name string) bool {
		fl, _ := r.lookup(name)
		return fl != nil
	})
}

// pastBrace returns the offset of the first member of an object at i behind its
// bracket, which may be doubled.
func pastBrace(s string, i int) int {
	i = pastCommas(s, i)
	if i < len(s) {
		if p, n := punctAt(s, i); p == openObject {
			i = pastCommas(s, i+n)
		}
	}
	return i
}

// pastCommas returns the offset of the first character at or after i that is no
// comma, white space or comment.
func pastCommas(s string, i int) int {
	for {
		i = ahead(s, i)
		if i >= len(s) {
			return i
		}
		p, n := punctAt(s, i)
		if p != comma {
			return i
		}
		i += n
	}
}

func peekKeyWithin(s string, i, far int) keyToken {
	if i >= len(s) {
		return keyToken{}
	}
	fam, size := quoteAt(s, i)
	if fam == noQuote {
		return peekIdent(s, i)
	}
	k := keyToken{start: i}
	limit := min(len(s), i+far)
	exact := size == 1
	for at := i + size; at < limit; {
		c := s[at]
		if c == '\\' {
			at += 2
			continue
		}
		if c < utf8.RuneSelf && c != '"' && c != '\'' && c != '`' {
			at++
			continue
		}
		q, qsize := quoteAt(s, at)
		if q == fam && (qsize == 1 || !exact || endsKey(s, at+qsize)) {
			k.end = at + qsize
			raw := s[i+size : at]
			k.text, k.clean = raw, fam == doubleQuote && exact && qsize == 1
			if strings.IndexByte(raw, '\\') >= 0 || !printable(raw) {
				if text, ok := strictText(raw); ok {
					k.text = text
				} else {
					k.clean = false
				}
			}
			if k.findColon(s); !k.colon && k.end < len(s) {
				if q, n := quoteAt(s, k.end); q == fam && endsKey(s, k.end+n) {
					k.end, k.clean = k.end+n, false // the closing quote stands twice
					k.findColon(s)
				}
			}
			return k
		}
		if q != noQuote {
			at += qsize
			continue
		}
		at++
	}
	return keyToken{}
}

// nameCut reports whether the text ends inside or right behind a member name at i.
func nameCut(s string, i int) bool {
	if len(s)-i > 4*farKey {
		return false
	}
	k := peekKey(s, i)
	if k.end > 0 {
		return skipBlanks(s, k.end) >= len(s)
	}
	q, _ := quoteAt(s, i)
	return q != noQuote && len(s)-i < farKey
}

// endsKey reports whether a colon follows.
func endsKey(s string, i int) bool {
	if i = skipBlanks(s, i); i >= len(s) {
		return false
	}
	p, _ := punctAt(s, i)
	return p == colon
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 {
			return false
		}
	}
	return true
}

// strictText decodes the inside of a JSON string.
func strictText(raw string) (string, bool) {
	r := strict{s: `"` + raw + `"`, arena: &arena{}}
	text, _, ok := r.str()
	return text, ok && r.pos == len(r.s)
}

func (k *keyToken) findColon(s string) {
	at := skipBlanks(s, k.end)
	if at >= len(s) {
		return
	}
	if p, size := punctAt(s, at); p == colon {
		k.colon, k.colonAt = true, Span{at, at + size}
	}
}

// peekIdent looks at a name without an opening quote.
func peekIdent(s string, i int) keyToken {
	if !isIdentStart(s[i]) {
		return keyToken{}
	}
	k := keyToken{start: i, end: i + 1}
	limit := min(len(s), i+farKey)
	for k.end < limit && isIdent(s[k.end]) {
		k.end++
	}
	k.text = s[i:k.end]
	if k.end < len(s) {
		if q, size := quoteAt(s, k.end); q != noQuote && endsKey(s, k.end+size) {
			k.end += size
		}
	}
	k.findColon(s)
	return k
}
