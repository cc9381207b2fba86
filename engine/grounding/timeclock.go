package grounding

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// clockAt reads 15:04, 15:04:05, 15:04:05.123, 15:04:05,123 and a zone behind it, or
// 15时04分05秒, 15点04分, 下午3点.
func clockAt(s string, i int) (timeToken, bool) {
	h, j, ok := num(s, i, 2, true)
	if !ok || h > 24 || j >= len(s) {
		return timeToken{}, false
	}
	p := TimePoint{HasClock: true}
	var m, sec int
	var frac time.Duration
	if s[j] == ':' {
		m, j, ok = num(s, j+1, 2, false)
		if !ok || m > 59 {
			return timeToken{}, false
		}
		p.Precision = time.Minute
		if j+1 < len(s) && s[j] == '.' && isNum(s[j+1]) || endsName(s, i) {
			return timeToken{}, false // pg-1: 41.7 in narrow form
		}
		if j < len(s) && s[j] == ':' {
			if v, k, ok := num(s, j+1, 2, false); ok && v <= 60 {
				sec, j, p.Precision = v, k, time.Second
			}
		}
		if p.Precision == time.Second && j+1 < len(s) && (s[j] == '.' || s[j] == ',') && isNum(s[j+1]) && digitRun(s, j+1) <= 9 {
			frac, p.Precision, j = fraction(s[j+1:j+1+digitRun(s, j+1)]), precisionOf(digitRun(s, j+1)), j+1+digitRun(s, j+1)
		}
		if j < len(s) && (isWordByte(s[j]) && s[j] != 'Z' && s[j] != '_' || s[j] == ':') {
			return timeToken{}, false
		}
		if i > 0 && s[i-1] == ':' && p.Precision == time.Minute {
			return timeToken{}, false
		}
	} else if m, sec, j, ok = chineseClock(s, j, &p); !ok {
		return timeToken{}, false
	}
	p.Wall = time.Date(0, 1, 1, h, m, sec, 0, time.UTC).Add(frac)
	if z, end, ok := zoneAt(s, j); ok {
		p.Zone, p.Zoned, j = z, true, end
	}
	return timeToken{Span{i, j}, p}, true
}

// endsName reports digits at i that end a name: the 0 of service2-0.
func endsName(s string, i int) bool {
	if i < 2 || s[i-1] != '-' {
		return false
	}
	for j := i - 2; j >= 0 && isWordByte(s[j]); j-- {
		if isLetterByte(s[j]) {
			return true
		}
	}
	return false
}

// chineseClock reads 点/时 with minutes and seconds; j stands behind the hour.
func chineseClock(s string, j int, p *TimePoint) (m, sec, end int, ok bool) {
	j = skipSpaces(s, j)
	r, w := utf8.DecodeRuneInString(s[j:])
	if r != '点' && r != '时' || strings.HasPrefix(s[j:], "时间") {
		return 0, 0, j, false
	}
	j += w
	p.Precision = time.Hour
	k := skipSpaces(s, j)
	if strings.HasPrefix(s[k:], "半") {
		p.Precision = time.Minute
		return 30, 0, k + len("半"), true
	}
	if v, e, ok := num(s, k, 2, true); ok && v < 60 {
		k = skipSpaces(s, e)
		if strings.HasPrefix(s[k:], "分") && !strings.HasPrefix(s[k:], "分钟") {
			m, j, p.Precision = v, k+len("分"), time.Minute
			k = skipSpaces(s, j)
			if v, e, ok := num(s, k, 2, true); ok && v < 60 {
				if e = skipSpaces(s, e); strings.HasPrefix(s[e:], "秒") {
					sec, j, p.Precision = v, e+len("秒"), time.Second
				}
			}
		}
	}
	if p.Precision == time.Hour && r == '时' && !strings.HasPrefix(s[j:], "整") {
		return 0, 0, j, strings.HasPrefix(s[j:], "许") || j == len(s) || s[j] < 0x80
	}
	if p.Precision == time.Hour && strings.HasPrefix(s[j:], "整") {
		j += len("整")
		p.Precision = time.Minute
	}
	return m, sec, j, true
}

func fraction(digits string) time.Duration {
	v, _ := strconv.Atoi((digits + "000000000")[:9])
	return time.Duration(v)
}

func precisionOf(digits int) time.Duration {
	p := time.Second
	for range digits {
		p /= 10
	}
	return max(p, 1)
}
