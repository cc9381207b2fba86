package grounding

import (
	"unicode"
	"unicode/utf8"
)

// cut says how the ends of an occurrence lie among the words around it, from
// harmless to harmful.
type cut int

const (
	// cutNone: it begins and ends where words, numbers and identifiers do.
	cutNone cut = iota
	// cutJoin: an identifier goes on behind a joint (payment in payment-api).
	cutJoin
	// cutWord: it ends inside a word (time in timeout).
	cutWord
	// cutFact: it ends inside a number or identifier (payment-1 in payment-10, 5 in
	// 5ms, 1 in 1.5), and so may say something else than the text.
	cutFact
)

// cutAt says how an end that lies between two runes cuts: left and right are the
// runes beside it, left2 and right2 the next ones out. Runes that are not there
// are 0.
func cutAt(left2, left, right, right2 rune) cut {
	switch {
	case isWord(left) && isWord(right):
		if isDigit(left) || isDigit(right) || left == '_' || right == '_' {
			return cutFact
		}
		return cutWord
	case isDigit(left) && (right == '%' || right == '‰'), isDigit(right) && left == '-' && !isWord(left2):
		return cutFact // from its unit, from its sign
	case isDigit(left) && separates(right) && isDigit(right2),
		isDigit(right) && separates(left) && isDigit(left2):
		if left == ':' || right == ':' {
			return cutJoin // 10:30, but also host:port
		}
		return cutFact
	case isWord(left) && isJoint(right) && isWord(right2),
		isWord(right) && isJoint(left) && isWord(left2):
		return cutJoin
	}
	return cutNone
}

// isWord reports whether r makes up words and numbers: letters of writings that
// put spaces between words, digits and the underscore.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || isDigit(r) || lowerASCII(byte(r)) >= 'a' && lowerASCII(byte(r)) <= 'z'
	}
	return !isCJK(r) && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isJoint reports whether r joins the parts of an identifier.
func isJoint(r rune) bool {
	switch r {
	case '-', '.', '/', '@', '$':
		return true
	}
	return false
}

// around gives the two runes before i and the two from i on.
func around(text []byte, i int) (left2, left, right, right2 rune) {
	left, n := lastRune(text[:i])
	left2, _ = lastRune(text[:i-n])
	right, n = firstRune(text[i:])
	right2, _ = firstRune(text[i+n:])
	// A comma that separates no thousands separates values: 200,88013 in a row of CSV.
	if right == ',' && !threeDigits(text[i+1:]) {
		right2 = 0
	}
	if left == ',' && !threeDigits(text[i:]) {
		left2 = 0
	}
	return left2, left, right, right2
}

// threeDigits reports whether b begins with three digits and no fourth.
func threeDigits(b []byte) bool {
	return len(b) >= 3 && isNum(b[0]) && isNum(b[1]) && isNum(b[2]) && (len(b) == 3 || !isNum(b[3]))
}

func lastRune(b []byte) (rune, int) {
	if len(b) == 0 {
		return 0, 0
	}
	return utf8.DecodeLastRune(b)
}

func firstRune(b []byte) (rune, int) {
	if len(b) == 0 {
		return 0, 0
	}
	return utf8.DecodeRune(b)
}

// cutsIn says how the occurrence text[from:to] cuts words, in plain or folded text.
func cutsIn(text []byte, from, to int) cut {
	return max(cutAt(around(text, from)), cutAt(around(text, to)))
}

// rawCuts says how the two ends of a span of raw text cut words. The letters before
// it may be the end of an escape or of a terminal sequence.
func rawCuts(raw []byte, s Span) (left, right cut) {
	left, right = cutAt(around(raw, s.Start)), cutAt(around(raw, s.End))
	if left > cutNone && sequenceEnds(raw, s.Start) {
		left = cutNone
	}
	return left, right
}

// rawCut is the worse of rawCuts.
func rawCut(raw []byte, s Span) cut {
	left, right := rawCuts(raw, s)
	return max(left, right)
}

// longestSequence is how far sequenceEnds looks back, in bytes.
const longestSequence = 32

// sequenceEnds reports whether an escape or a terminal sequence ends just before i.
func sequenceEnds(raw []byte, i int) bool {
	for p := i - 1; p >= 0 && p >= i-longestSequence; p-- {
		switch raw[p] {
		case 0x1b:
			return terminalSequence(raw, p) == i
		case '\\':
			r, end, ok := escape(raw, p)
			if ok && r == 0x1b && end < i && raw[end] == '[' {
				end = controlSequence(raw, end+1, end)
			}
			return ok && end == i
		}
	}
	return false
}

// splitsRune reports whether offset i lies inside of a character: of a valid
// encoding of one rune, or between a rune and what combines with it.
func splitsRune(raw []byte, i int) bool {
	if i <= 0 || i >= len(raw) {
		return false
	}
	if !utf8.RuneStart(raw[i]) {
		for p := i - 1; p >= 0 && p >= i-utf8.UTFMax; p-- {
			if utf8.RuneStart(raw[p]) {
				_, n := utf8.DecodeRune(raw[p:])
				return p+n > i
			}
		}
		return false
	}
	if raw[i] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRune(raw[i:])
	return r == 0x200D || r >= 0x1F3FB && r <= 0x1F3FF || unicode.Is(unicode.M, r)
}
