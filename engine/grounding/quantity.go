package grounding

import (
	"math/big"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Comparator says how a written number is meant.
type Comparator uint8

// The comparators.
const (
	Exactly  Comparator = iota
	About               // 约, 大约, 近, 左右, ~
	MoreThan            // 超过, 以上, 至少, 余, 多
	LessThan            // 不足, 不到, 低于, 以下, 至多
)

// Quantity is one number of a text with what its unit can be.
type Quantity struct {
	Span  Span // number and unit, bytes
	Text  string
	Value *big.Rat // as written, the magnitude (万, 亿) applied, the unit not
	// Ulp is one unit in the last written place, in the same scale as Value.
	Ulp   *big.Rat
	Units []Unit // readings of the written unit, the likeliest first; never empty
	Cmp   Comparator
	// Words is true for Chinese numerals such as 三次, which carry less weight than digits.
	Words bool
	// Key is true when the number names a thing (3 号分区, 会话 69874) instead of measuring it.
	Key bool
	// Fraction is true for d/d; then Value is the numerator and Of the denominator.
	Fraction bool
	Of       *big.Rat
	// Repeat is true for xN, which counts how often an event was seen.
	Repeat bool
	// Field is the field of a bare number of a raw output, "" when it has none.
	Field string
	// Cited is true for a number inside an excerpt: then a missing unit may be inferred
	// from the claim's, as the Executor chose this very number.
	Cited bool
	// Soft is true for a unit that is only likely, as the query's metric names have it:
	// a claim of another dimension takes the number as bare.
	Soft bool
	// Decimals is the number of digits after the point as written.
	Decimals int
}

// Base returns the value in the base unit of reading u.
func (q Quantity) Base(u Unit) *big.Rat { return new(big.Rat).Mul(q.Value, u.Factor) }

// BaseUlp returns the written precision in the base unit of reading u.
func (q Quantity) BaseUlp(u Unit) *big.Rat { return new(big.Rat).Mul(q.Ulp, u.Factor) }

// Dim is the dimension of the likeliest reading.
func (q Quantity) Dim() Dimension { return q.Units[0].Dim }

// HasUnit reports whether a physical unit is written (a counter word is none).
func (q Quantity) HasUnit() bool { return q.Units[0].Explicit }

// Digits counts the significant digits of the value as written.
func (q Quantity) Digits() int {
	if q.Value.Sign() == 0 {
		return 1
	}
	r := new(big.Rat).Quo(q.Value, q.Ulp)
	if !r.IsInt() {
		return 3
	}
	return len(strings.TrimLeft(r.Num().String(), "-"))
}

const maxNumberDigits = 40 // longer digit runs are identifiers, not numbers

// Quantities finds the numbers of a text: digits in any width, Chinese numerals
// before a unit, with units, magnitudes, comparators, ranges and compound durations.
// Numbers inside identifiers, times, versions and references (trace-1) are none.
// Offsets are bytes into text.
func Quantities(text string) []Quantity {
	f := narrow(text)
	skip := newMask(len(f.s))
	for _, t := range scanTimes(f.s) {
		skip.set(t.span)
	}
	for _, z := range zoneMarks(f.s) {
		skip.set(z)
	}
	for _, w := range scanIdents(f.s) {
		if w.kind != identWord {
			skip.set(w.span)
		}
	}
	var out []Quantity
	for i := 0; i < len(f.s); {
		if skip.has(i) {
			i++
			continue
		}
		q, next, ok := quantityAt(f.s, i)
		if !ok {
			i = next
			continue
		}
		q.Cmp = comparatorAround(f.s, q.Span, q.Cmp)
		out = append(out, q)
		i = next
	}
	out = joinRanges(f.s, joinDurations(f.s, out))
	for i := range out {
		out[i].Span = f.back(out[i].Span)
		out[i].Text = text[out[i].Span.Start:out[i].Span.End]
	}
	return out
}

// quantityAt reads a number at i. next is where scanning goes on.
func quantityAt(s string, i int) (q Quantity, next int, ok bool) {
	c := s[i]
	switch {
	case c >= '0' && c <= '9':
		return digitsAt(s, i)
	case c >= 0x80:
		if n, end, ok := chineseNumeralAt(s, i); ok {
			return n, end, true
		}
		_, w := utf8.DecodeRuneInString(s[i:])
		return q, i + w, false
	default:
		return q, i + 1, false
	}
}

// lit is a number literal.
type lit struct {
	value    *big.Rat
	ulp      *big.Rat
	decimals int
	end      int
}

// literalAt reads digits with thousands separators, a decimal point and an exponent.
func literalAt(s string, i int) (lit, bool) {
	end := i
	for end < len(s) && isNum(s[end]) {
		end++
	}
	digits := s[i:end]
	if len(digits) > maxNumberDigits {
		return lit{end: end}, false
	}
	// Thousands separators: groups of exactly three.
	if len(digits) <= 3 && (i == 0 || s[i-1] != ',') && end < len(s) && s[end] == ',' && !listAfter([]byte(s[end:min(len(s), end+64)]), 0, min(len(s)-end, 64)) {
		for end+4 <= len(s) && s[end] == ',' && isNum(s[end+1]) && isNum(s[end+2]) && isNum(s[end+3]) && (end+4 == len(s) || !isNum(s[end+4])) {
			digits += s[end+1 : end+4]
			end += 4
		}
	}
	decimals := 0
	if end+1 < len(s) && s[end] == '.' && isNum(s[end+1]) {
		j := end + 1
		for j < len(s) && isNum(s[j]) {
			j++
		}
		if decimals = j - end - 1; decimals > maxNumberDigits {
			return lit{end: j}, false
		}
		digits += s[end+1 : j]
		end = j
	}
	exp := 0
	if end < len(s) && (s[end] == 'e' || s[end] == 'E') {
		j := end + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		k := j
		for k < len(s) && isNum(s[k]) {
			k++
		}
		if k > j && k-j <= 3 && (k == len(s) || !isWordByte(s[k])) {
			exp, _ = strconv.Atoi(s[end+1 : k])
			end = k
		}
	}
	if exp > maxExponent || exp < -maxExponent {
		return lit{end: end}, false
	}
	scale := powerOfTen(exp - decimals)
	value := new(big.Rat)
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		value.SetInt64(n)
	} else {
		num, _ := new(big.Int).SetString(digits, 10)
		value.SetInt(num)
	}
	if exp != decimals {
		value.Mul(value, scale)
	}
	return lit{value: value, ulp: scale, decimals: max(decimals-exp, 0), end: end}, true
}

const maxExponent = 30 // numbers beyond are no measures

// powerOfTen is 10^n for n from -maxNumberDigits-maxExponent to maxExponent. Read only.
func powerOfTen(n int) *big.Rat { return powers()[n+maxNumberDigits+maxExponent] }

// powers are the powers of ten that a literal may be scaled by, from the least.
var powers = sync.OnceValue(func() []*big.Rat {
	least := -(maxNumberDigits + maxExponent)
	out := make([]*big.Rat, 0, maxExponent-least+1)
	for n := least; n <= maxExponent; n++ {
		p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
		r := new(big.Rat).SetInt(p)
		if n < 0 {
			r.Inv(r)
		}
		out = append(out, r)
	}
	return out
})

// digitsAt reads a number written in digits at i, with sign, magnitude and unit.
func digitsAt(s string, i int) (q Quantity, next int, ok bool) {
	start := i
	if i > 0 {
		switch p := s[i-1]; {
		case p == 'x' && (i < 2 || !isWordByte(s[i-2])):
			q.Repeat = true
		case isWordByte(p), p == '.' && i > 1 && isWordByte(s[i-2]):
			return q, skipDigits(s, i), false
		case p == '-' && (i < 2 || !isWordByte(s[i-2]) && s[i-2] != ')' && s[i-2] < 0x80):
			start = i - 1
		}
	}
	l, ok := literalAt(s, i)
	if !ok || strings.HasSuffix(strings.TrimRight(s[:start], " "), "第") {
		return q, l.end, false // too long, or an ordinal
	}
	value, ulp, end := l.value, l.ulp, l.end
	if start < i {
		value = new(big.Rat).Neg(value)
	}
	q = Quantity{Value: value, Ulp: ulp, Decimals: l.decimals, Units: bareUnits, Repeat: q.Repeat}
	// Fraction d/d, no third part.
	if end+1 < len(s) && s[end] == '/' && isNum(s[end+1]) && (i == 0 || s[i-1] != '/') {
		d, okD := literalAt(s, end+1)
		if okD && (d.end == len(s) || !isWordByte(s[d.end]) && s[d.end] != '/') && l.decimals == 0 && d.decimals == 0 {
			q.Fraction, q.Of, q.Span = true, d.value, Span{start, d.end}
			return q, d.end, true
		}
	}
	if parts := joinDurations(s[i:], rawParts(s[i:])); len(parts) == 1 && parts[0].Span.End > 0 {
		if stop := i + parts[0].Span.End; end < len(s) && s[end] >= 'a' && s[end] <= 'z' && stop > end+2 && (stop == len(s) || !isWordByte(s[stop])) {
			q.Value, q.Ulp, q.Units, q.Span = parts[0].Value, parts[0].Ulp, parts[0].Units, Span{start, stop}
			return q, stop, true // 5h43m
		}
	}
	end = q.suffix(s, end)
	if end < len(s) && isWordByte(s[end]) || end < l.end {
		return q, max(skipDigits(s, i), l.end), false // part of a longer word
	}
	if end+1 < len(s) && s[end] == '.' && isNum(s[end+1]) {
		return q, end + 1, false // a third dotted part: no number
	}
	q.Span = Span{start, end}
	if end == l.end && ofMonth(s[end:]) || yearAt(s, i) {
		return q, end, false // a day, a month or a year, no measure
	}
	q.Key = isKey(s, q) || i == start && s[i] == '0' && l.decimals == 0 && end == l.end && end-i >= 2 && end-i <= 3 // Tomcat01、03、04
	if q.Units[0].Dim == Time {
		for _, w := range []string{"负载", "平均负载", "窗口", "粒度", "步长", "滑动", "均值", "load"} {
			if strings.HasPrefix(strings.TrimLeft(s[end:], " "), w) {
				return q, end, false // 1 分钟负载 names a metric
			}
		}
	}
	return q, end, true
}

// ofMonth reports that a number before rest is a day or a month, alone or in a list: 10、11、12 日.
func ofMonth(rest string) bool {
	for {
		rest = strings.TrimLeft(rest, " ")
		if strings.HasPrefix(rest, "日") || strings.HasPrefix(rest, "月") {
			return !strings.HasPrefix(rest, "日志")
		}
		gap := 0
		for _, g := range []string{"、", "和", "与", "至", "到", "-", "~"} {
			if strings.HasPrefix(rest, g) {
				gap = len(g)
			}
		}
		rest = strings.TrimLeft(rest[gap:], " ")
		digits := digitRun(rest, 0)
		if gap == 0 || digits == 0 || digits > 2 {
			return false
		}
		rest = rest[digits:]
	}
}

// yearAt reports a year: 到 2034 年才到期.
func yearAt(s string, i int) bool {
	y, end, ok := num(s, i, 4, false)
	return ok && y >= 1900 && y < 2200 && strings.HasPrefix(s[skipSpaces(s, end):], "年")
}

// suffix reads what follows the digits: magnitude words, 余/多, and the unit. It
// returns the end of the quantity.
func (q *Quantity) suffix(s string, end int) int {
	j := skipSpaces(s, end)
	if rest, ok := strings.CutPrefix(s[j:], "and a half "); ok {
		if u, n := longestUnit(rest); n > 0 {
			q.Value = new(big.Rat).Add(q.Value, half)
			q.Ulp, q.Units = half, u
			return j + len("and a half ") + n
		}
	}
	for {
		r, w := utf8.DecodeRuneInString(s[j:])
		if r == '余' || r == '多' {
			if k := j + w; k < len(s) && (startsUnit(s[k:]) || startsMagnitude(s[k:])) {
				q.Cmp = MoreThan
				j, end = k, k
				continue
			}
		}
		m, isMag := magnitudes[r]
		if !isMag || r == '十' {
			break
		}
		q.Value = new(big.Rat).Mul(q.Value, rat(m, 1))
		q.Ulp = new(big.Rat).Mul(q.Ulp, rat(m, 1))
		j += w
		end = j
		j = skipSpaces(s, j)
		if r2, w2 := utf8.DecodeRuneInString(s[end:]); r2 == '余' || r2 == '多' {
			q.Cmp = MoreThan
			end += w2
			j = skipSpaces(s, end)
		}
	}
	if end < len(s) && s[end] == '-' {
		// the 15-minute average, a 30-second timeout
		if u, n := longestUnit(s[end+1:]); n > 2 && u[0].Dim == Time && s[end+1] >= 'a' {
			q.Units = u
			return end + 1 + n
		}
	}
	if u, n := longestUnit(s[j:]); n > 0 {
		latin := s[j] < 0x80 && s[j] != '%' && s[j] != '/'
		// A letter unit after a space must be a whole word: "3 m" is, "3 members" is not.
		if latin && j > end && len(u) > 0 && n == 1 && u[0].Dim != Bytes && (u[0].Dim != Time || s[j] < 'a') {
			return end // nor is the state D of a process a day
		}
		if latin && j+n < len(s) && isNum(s[j+n]) && u[0].Dim != Time {
			return end
		}
		if latin && j > end && j+n < len(s) && (s[j+n] == '=' || s[j+n] == ':') {
			return end // entries=1048211 bytes=261443584: the next key
		}
		q.Units = u
		end = j + n
	}
	return end
}

func startsUnit(s string) bool {
	s = strings.TrimLeft(s, " ")
	_, n := longestUnit(s)
	return n > 0
}

func startsMagnitude(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " "))
	_, ok := magnitudes[r]
	return ok
}

func isNum(c byte) bool { return c >= '0' && c <= '9' }

// isWordByte reports letters, digits and underscore of ASCII.
func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isNum(c) || c == '_'
}

func skipDigits(s string, i int) int {
	for i < len(s) && (isNum(s[i]) || s[i] == '.' && i+1 < len(s) && isNum(s[i+1])) {
		i++
	}
	return i
}

func skipSpaces(s string, i int) int {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}
