package grounding

import (
	"math"
	"math/big"
	"strings"
	"unicode/utf8"
)

// chineseDigits are the numerals below ten.
var chineseDigits = map[rune]int64{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

// notCounting are words that begin like a number and are none.
var notCounting = []string{"一个", "一条", "一次", "一台", "一直", "一些", "一致", "一般", "一旦", "一样", "一起", "一定", "一种", "一段", "一张", "一行", "一份", "一处", "一项", "一组", "一轮", "一批", "一名", "一家", "一类", "一位", "一件", "一笔", "一块", "一节", "一级", "一层", "两者", "两端", "两侧", "两边", "千万", "一对", "一起", "一路", "一键", "三方", "一期", "一列", "一页", "一遍", "一封", "一人", "一道", "一天", "一周", "一年", "一晚", "一刻", "一边", "一方"}

// chineseNumeralAt reads Chinese numerals at i: 百分之五, 三分之一, 一半, 三成, 十二次, 两个半小时.
// A bare numeral without a unit is no quantity.
func chineseNumeralAt(s string, i int) (Quantity, int, bool) {
	if rest := s[i:]; strings.HasPrefix(rest, "百分之") {
		j := i + len("百分之")
		if v, end, ok := chineseInteger(s, j); ok {
			return Quantity{Span: Span{i, end}, Value: v, Ulp: rat(1, 1), Units: percentUnits, Words: true}, end, true
		}
		if j < len(s) && isNum(s[j]) {
			if l, ok := literalAt(s, j); ok {
				return Quantity{Span: Span{i, l.end}, Value: l.value, Ulp: l.ulp, Decimals: l.decimals, Units: percentUnits}, l.end, true
			}
		}
		return Quantity{}, j, false
	} else if strings.HasPrefix(rest, "一半") {
		end := i + len("一半")
		return Quantity{Span: Span{i, end}, Value: rat(50, 1), Ulp: rat(10, 1), Units: percentUnits, Words: true, Cmp: About}, end, true
	}
	if q, end, ok := halfUnit(s, i); ok {
		return q, end, true
	}
	if prev, _ := utf8.DecodeLastRuneInString(s[:i]); prev == '第' || prev == '之' || prev == '唯' || prev == '统' || prev == '同' || prev == '单' || prev == '每' || prev == '逐' || prev == '任' || prev == '某' || prev == '另' || prev == '进' || prev == '万' || prev == '周' || prev == '期' {
		return Quantity{}, i, false
	}
	for _, w := range notCounting {
		if strings.HasPrefix(s[i:], w) {
			return Quantity{}, i + len(w), false
		}
	}
	v, end, ok := chineseInteger(s, i)
	if !ok {
		return Quantity{}, i, false
	}
	if strings.HasPrefix(s[end:], "分之") {
		if n, e, ok := chineseInteger(s, end+len("分之")); ok && v.Sign() > 0 {
			return Quantity{Span: Span{i, e}, Value: new(big.Rat).Mul(new(big.Rat).Quo(n, v), rat(100, 1)), Ulp: rat(10, 1), Units: percentUnits, Words: true, Cmp: About}, e, true
		}
	}
	u, n := longestUnit(s[end:])
	q := Quantity{Value: v, Ulp: rat(1, 1), Units: u, Words: true}
	if n == 0 {
		return Quantity{}, end, false
	}
	end += n
	q.Span = Span{i, end}
	if u[0].Name == "成" {
		// 六成五
		if r, w := utf8.DecodeRuneInString(s[end:]); chineseDigits[r] > 0 {
			q.Value = new(big.Rat).Add(v, rat(chineseDigits[r], 10))
			q.Ulp, end = rat(1, 10), end+w
			q.Span.End = end
		}
	}
	// 三分多钟
	if rest, ok := strings.CutPrefix(s[end:], "多钟"); ok && u[0].Dim == Time {
		end = len(s) - len(rest)
		q.Span.End, q.Cmp = end, MoreThan
	}
	q.half(s, &end)
	return q, end, true
}

// half adds 半 after a unit: 两个半小时 is read at the counter, 8 分半 after the unit.
func (q *Quantity) half(s string, end *int) {
	if !strings.HasPrefix(s[*end:], "半") {
		return
	}
	j := *end + len("半")
	if u, n := longestUnit(s[j:]); n > 0 && u[0].Dim == Time && q.Units[0].Dim == Count {
		q.Units = u
		j += n
	} else if q.Units[0].Dim == Count {
		return
	}
	q.Value = new(big.Rat).Add(q.Value, rat(1, 2))
	q.Ulp = rat(1, 2)
	*end = j
	q.Span.End = j
}

// chineseInteger reads 十二, 三百, 一千零二十, 两万.
func chineseInteger(s string, i int) (*big.Rat, int, bool) {
	var total, section, digit int64
	any, end := false, i
	pending := false
	for end < len(s) {
		r, w := utf8.DecodeRuneInString(s[end:])
		if d, ok := chineseDigits[r]; ok {
			if pending && digit != 0 {
				return nil, end, false // two digits in a row: 二三 is no plain number
			}
			digit, any, pending = d, true, true
			end += w
			continue
		}
		m, ok := magnitudes[r]
		if !ok || !any && r != '十' {
			break
		}
		if !pending {
			digit = 1
			if any {
				digit = 0
			}
		}
		if m >= 10_000 {
			total += (section + digit) * m
			section = 0
		} else {
			section += digit * m
		}
		if total > math.MaxInt64/1_000_000_000 {
			return nil, end, false
		}
		digit, any, pending = 0, true, false
		end += w
	}
	if !any {
		return nil, i, false
	}
	return rat(total+section+digit, 1), end, true
}

// halfUnit reads 半小时, 半天 and 一个半小时.
func halfUnit(s string, i int) (Quantity, int, bool) {
	whole := int64(0)
	j := i
	if strings.HasPrefix(s[j:], "一个半") {
		whole, j = 1, j+len("一个半")
	} else if strings.HasPrefix(s[j:], "半") {
		j += len("半")
		if strings.HasPrefix(s[j:], "个") {
			j += len("个")
		}
	} else {
		return Quantity{}, i, false
	}
	u, n := longestUnit(s[j:])
	if n == 0 || u[0].Dim != Time {
		return Quantity{}, i, false
	}
	return Quantity{Span: Span{i, j + n}, Value: new(big.Rat).Add(rat(whole, 1), half), Ulp: half, Units: u, Words: true, Cmp: About}, j + n, true
}
