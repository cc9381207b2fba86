package grounding

import (
	"bytes"
	"strconv"
	"strings"
)

// scanNumbers appends the numbers of raw[from:to]. Digits inside words, hashes,
// addresses, versions, dates and clocks are none; xN counts as N.
func scanNumbers(out []Number, raw []byte, from, to int) []Number {
	for {
		n, next, ok := nextNumber(raw, from, to)
		if !ok {
			return out
		}
		out, from = append(out, n), next
	}
}

// nextNumber is the first number of raw[from:to], and where to look on.
func nextNumber(raw []byte, from, to int) (n Number, next int, ok bool) {
	for i := from; ; {
		for i < to && !isNum(raw[i]) {
			i++
		}
		if i >= to {
			return Number{}, to, false
		}
		start := i
		i = literalEnd(raw, i, to)
		if !numberBoundary(raw, start, i) {
			for i < to && (isWordByte(raw[i]) || raw[i] == '.' && i+1 < to && isNum(raw[i+1])) {
				i++
			}
			continue
		}
		sign := start
		if start > 0 && raw[start-1] == '-' && (start < 2 || !isWordByte(raw[start-2]) && raw[start-2] != ')' && raw[start-2] != '-') {
			sign = start - 1
		}
		if v, ok := floatOf(raw[sign:i]); ok {
			return Number{Span{sign, i}, v}, i, true
		}
	}
}

// floatOf reads a literal for the coarse comparison. Plain digits, the common case, are
// read in place.
func floatOf(b []byte) (float64, bool) {
	i, neg := 0, false
	if b[0] == '-' {
		i, neg = 1, true
	}
	var m uint64
	scale := 1.0
	point := false
	if len(b)-i > 17 {
		return slowFloat(b)
	}
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case isNum(c):
			m = m*10 + uint64(c-'0')
			if point {
				scale *= 10
			}
		case c == '.' && !point:
			point = true
		default:
			return slowFloat(b)
		}
	}
	v := float64(m) / scale
	if neg {
		v = -v
	}
	return v, true
}

func slowFloat(b []byte) (float64, bool) {
	v, err := strconv.ParseFloat(cleanNumber(b), 64)
	return v, err == nil
}

func cleanNumber(b []byte) string {
	if bytes.IndexByte(b, ',') < 0 {
		return string(b)
	}
	return string(bytes.ReplaceAll(b, []byte(","), nil))
}

// literalEnd is the end of the number literal at i, as literalAt reads it.
func literalEnd(raw []byte, i, to int) int {
	start := i
	for i < to && isNum(raw[i]) {
		i++
	}
	if i < to && raw[i] == ',' && i-start <= 3 && (start == 0 || raw[start-1] != ',') && !listAfter(raw, i, to) {
		for i+4 <= to && raw[i] == ',' && isNum(raw[i+1]) && isNum(raw[i+2]) && isNum(raw[i+3]) && (i+4 == to || !isNum(raw[i+4])) {
			i += 4
		}
	}
	if i+1 < to && raw[i] == '.' && isNum(raw[i+1]) {
		i++
		for i < to && isNum(raw[i]) {
			i++
		}
	}
	if i+1 < to && (raw[i] == 'e' || raw[i] == 'E') {
		j := i + 1
		if raw[j] == '+' || raw[j] == '-' {
			j++
		}
		k := j
		for k < to && isNum(raw[k]) {
			k++
		}
		if k > j && k-j <= 3 && (k == to || !isWordByte(raw[k])) {
			i = k
		}
	}
	return i
}

// numberBoundary reports whether raw[s:e] is a number of its own.
func numberBoundary(raw []byte, s, e int) bool {
	if e-s > maxNumberDigits || datePart(raw, s, e) {
		return false
	}
	if s > 0 {
		p := raw[s-1]
		var pp byte
		if s > 1 {
			pp = raw[s-2]
		}
		switch {
		case p == 'x' && !isWordByte(pp):
		case jvmSize(raw, s):
		case isWordByte(p):
			// \n12 and \t12 in JSON strings.
			if pp != '\\' || p != 'n' && p != 't' {
				return false
			}
		case p == '.' && (isWordByte(pp)):
			return false
		case p == ':' && isNum(pp):
			if e-s < 4 || bytes.IndexByte(raw[s:e], '.') >= 0 {
				return false // a clock; longer digits are a port
			}
		case p == '-' && isWordByte(pp) && !isNum(pp):
			// -Xms4g style options are words; a-12 is a name.
			return false
		case p == '-' && isNum(pp) && !rangeBefore(raw, s-1):
			return false
		case p == '/' && isNum(pp) && s > 3 && raw[s-4] == '/':
			return false
		}
	}
	if e < len(raw) {
		n := raw[e]
		var nn byte
		if e+1 < len(raw) {
			nn = raw[e+1]
		}
		switch {
		case isWordByte(n):
			return unitSuffix(raw, e, 6)
		case n == '.' && isNum(nn):
			return false
		case n == ':' && isNum(nn):
			return false
		case n == '-' && isNum(nn) && e-s == 4 && e+3 < len(raw) && raw[e+3] == '-':
			return false
		case n == '-' && nn != 0 && isWordByte(nn) && !isNum(nn):
			return false
		}
	}
	return true
}

// jvmSize reports a size glued to its option: -Xmx5632m, -Xss1m.
func jvmSize(raw []byte, s int) bool {
	return s >= 4 && raw[s-4] == '-' && raw[s-3] == 'X' && (raw[s-2] == 'm' || raw[s-2] == 's')
}

// rangeBefore reports whether the '-' at i joins two plain numbers, no date or id.
func rangeBefore(raw []byte, i int) bool {
	j := i
	for j > 0 && (isNum(raw[j-1]) || raw[j-1] == '.') {
		j--
	}
	return j < i && (j == 0 || !isWordByte(raw[j-1]) && raw[j-1] != '-') && i-j < 16 && i-j != 4
}

// unitSuffix reports whether the letters at e are a unit that ends at a boundary; a
// compound duration may have parts of them.
func unitSuffix(raw []byte, e, parts int) bool {
	n := e
	for n < len(raw) && n-e < 14 && (raw[n] >= 'a' && raw[n] <= 'z' || raw[n] >= 'A' && raw[n] <= 'Z') {
		n++
	}
	if n == e || lookUnit(string(raw[e:n])) == nil {
		return false
	}
	if n < len(raw) && (raw[n] == '_' || raw[n] == '-' && n+1 < len(raw) && isWordByte(raw[n+1])) {
		return false
	}
	if n < len(raw) && isNum(raw[n]) {
		// A compound duration goes on: 5h43m.
		u := lookUnit(string(raw[e:n]))
		for n < len(raw) && (isNum(raw[n]) || raw[n] == '.' && n+1 < len(raw) && isNum(raw[n+1])) {
			n++
		}
		return parts > 0 && u[0].Dim == Time && n < len(raw) && unitSuffix(raw, n, parts-1)
	}
	return true
}

// datePart reports a day or year beside a month name or a clock (26 Nov 2024, May 19,
// 16:41:35 2026) and a zone offset (+0100): these measure nothing.
func datePart(raw []byte, s, e int) bool {
	n := e - s
	if n != 1 && n != 2 && n != 4 {
		return false
	}
	if n == 4 && s > 0 && (raw[s-1] == '+' || raw[s-1] == '-') && s > 1 && raw[s-2] == ' ' {
		return true
	}
	if n <= 2 && e+4 <= len(raw) && raw[e] == ' ' && monthWord(raw[e+1:e+4]) && (e+4 == len(raw) || raw[e+4] < 'a' || raw[e+4] > 'z') {
		return true
	}
	i := s
	for i > 0 && raw[i-1] == ' ' {
		i--
	}
	if i == s {
		return false
	}
	if i >= 3 && monthWord(raw[i-3:i]) && (i == 3 || !isWordByte(raw[i-4])) {
		return true
	}
	// A year behind a clock, as ctime prints it: one space, and no other number looks so.
	year := n == 4 && (raw[s] == '1' && raw[s+1] == '9' || raw[s] == '2' && (raw[s+1] == '0' || raw[s+1] == '1'))
	return year && s-i == 1 && i >= 3 && raw[i-3] == ':' && isNum(raw[i-1]) && isNum(raw[i-2])
}

func monthWord(b []byte) bool {
	if b[0] < 'A' || b[0] > 'Z' {
		return false
	}
	_, ok := months[strings.ToLower(string(b))]
	return ok
}

// listAfter reports that what looks like thousands separators goes on as a list of
// comma-separated values: 88,200,200,1 or 200,200,x.
func listAfter(raw []byte, i, to int) bool {
	for i+4 <= to && raw[i] == ',' && isNum(raw[i+1]) && isNum(raw[i+2]) && isNum(raw[i+3]) {
		i += 4
	}
	return i+1 < to && (raw[i] == ',' && raw[i+1] != ' ' || isNum(raw[i]))
}
