package grounding

import (
	"strings"
	"time"
)

// zoneAt reads a zone that stands right behind a clock: Z, +0100, +01:00, +00, UTC, GMT, CST.
// CST is read as China Standard Time, as the tools of this project's readers write it.
func zoneAt(s string, i int) (time.Duration, int, bool) {
	if i < len(s) && s[i] == 'Z' && (i+1 == len(s) || !isWordByte(s[i+1])) {
		return 0, i + 1, true
	}
	j := skipSpaces(s, i)
	if j-i > 1 {
		return 0, i, false
	}
	if z, end, ok := offsetAt(s, j); ok {
		return z, end, true
	}
	for _, w := range []string{"UTC", "GMT"} {
		if strings.HasPrefix(s[j:], w) && (j+3 == len(s) || !isWordByte(s[j+3])) {
			if z, end, ok := offsetAt(s, j+3); ok {
				return z, end, true
			}
			return 0, j + 3, true
		}
	}
	if strings.HasPrefix(s[j:], "CST") && (j+3 == len(s) || !isWordByte(s[j+3])) {
		return beijing, j + 3, true
	}
	return 0, i, false
}

// offsetAt reads +0100, +01:00, +08, +8, -0700.
func offsetAt(s string, i int) (time.Duration, int, bool) {
	if i >= len(s) || s[i] != '+' && s[i] != '-' {
		return 0, i, false
	}
	sign := time.Duration(1)
	if s[i] == '-' {
		sign = -1
	}
	n := digitRun(s, i+1)
	var h, m, end int
	switch {
	case n == 4:
		h, _, _ = num(s, i+1, 4, false)
		h, m = h/100, h%100
		end = i + 5
	case n == 1 || n == 2:
		h, end, _ = num(s, i+1, 2, true)
		if end < len(s) && s[end] == ':' && digitRun(s, end+1) == 2 {
			m, end, _ = num(s, end+1, 2, false)
		} else if s[i] == '-' && n == 1 {
			return 0, i, false
		}
	default:
		return 0, i, false
	}
	if h > 14 || m > 59 || end < len(s) && (isWordByte(s[end]) || s[end] == '.' && end+1 < len(s) && isNum(s[end+1])) {
		return 0, i, false
	}
	return sign * (time.Duration(h)*time.Hour + time.Duration(m)*time.Minute), end, true
}

// zoneWords are stated zones in prose. local says nothing about the offset.
var zoneWords = []struct {
	word  string
	zone  time.Duration
	known bool
}{
	{"北京时间", beijing, true}, {"东八区", beijing, true}, {"Beijing time", beijing, true}, {"Beijing Time", beijing, true}, {"China time", beijing, true}, {"中国标准时间", beijing, true}, {"Asia/Shanghai", beijing, true}, {"UTC+08:00", beijing, true}, {"UTC+8", beijing, true}, {"GMT+8", beijing, true}, {"CST", beijing, true},
	{"世界时", 0, true}, {"UTC时间", 0, true}, {"UTC 时间", 0, true}, {"UTC", 0, true}, {"GMT", 0, true},
	{"本地时间", 0, false}, {"local time", 0, false}, {"当地时间", 0, false},
}

// resolveZones gives each time the zone that its text states next to it: before
// (北京时间 14:28), behind (14:28 UTC) or in parentheses (14:28（UTC+8）). A time of a
// range takes the zone of its partner.
func resolveZones(s string, toks []timeToken) {
	for i := range toks {
		p := &toks[i].point
		if p.Zoned || !p.HasClock && !p.HasDate {
			continue
		}
		prevEnd, nextStart := 0, len(s)
		if i > 0 {
			prevEnd = toks[i-1].span.End
		}
		if i+1 < len(toks) {
			nextStart = toks[i+1].span.Start
		}
		before, behind := s[prevEnd:toks[i].span.Start], s[toks[i].span.End:nextStart]
		if z, ok := zoneBehind(behind); ok && !opensParen(behind) {
			p.Zone, p.Zoned = z, true
		} else if b, okB := zoneBefore(before); okB {
			p.Zone, p.Zoned = b, true // 北京时间 23:20:05（+0200 的 17:20:05）
		} else if ok {
			p.Zone, p.Zoned = z, true
		}
	}
	for i := range toks {
		if i > 0 && !toks[i].point.Zoned && toks[i-1].point.Zoned && rangeGap(s[toks[i-1].span.End:toks[i].span.Start]) {
			toks[i].point.Zone, toks[i].point.Zoned = toks[i-1].point.Zone, true
		}
	}
	for i := len(toks) - 1; i > 0; i-- {
		if toks[i].point.Zoned && !toks[i-1].point.Zoned && rangeGap(s[toks[i-1].span.End:toks[i].span.Start]) {
			toks[i-1].point.Zone, toks[i-1].point.Zoned = toks[i].point.Zone, true
		}
	}
}

func opensParen(s string) bool {
	t := strings.TrimLeft(s, " ")
	return t != "" && (t[0] == '(' || t[0] == '[')
}

// zoneBehind reads a zone at the start of what follows a time.
func zoneBehind(s string) (time.Duration, bool) {
	t := strings.TrimLeft(s, " ")
	paren := strings.HasPrefix(t, "(") || strings.HasPrefix(t, "[")
	if paren {
		t = t[1:]
	}
	if z, _, ok := offsetAt(t, 0); ok {
		return z, true
	}
	for _, w := range zoneWords {
		if strings.HasPrefix(t, w.word) && w.known {
			rest := t[len(w.word):]
			// 北京时间 before the next clock belongs to that one.
			if !paren && w.word[0] >= 0x80 && strings.TrimLeft(rest, " ") == "" {
				return 0, false
			}
			if !paren && strings.TrimLeft(rest, " :") == "" && rest != "" {
				return 0, false
			}
			// (UTC 06:28:21) opens with the zone of the time inside.
			if paren && strings.Trim(rest, " :") == "" {
				return 0, false
			}
			if z, _, ok := offsetAt(rest, 0); ok {
				return z, true
			}
			return w.zone, true
		}
	}
	return 0, false
}

// zoneBefore reads a zone at the end of what precedes a time.
func zoneBefore(s string) (time.Duration, bool) {
	t := strings.TrimRight(s, " :的为是于在(")
	for _, suffix := range []string{"为", "是", "的", "于", "在", "从", "自", "约", "依次", "分别", "均", "都"} {
		t = strings.TrimRight(strings.TrimSuffix(t, suffix), " ")
	}
	for _, w := range zoneWords {
		if strings.HasSuffix(t, w.word) && w.known {
			return w.zone, true
		}
	}
	return 0, false
}

// zoneMarks lists the offsets of a text that belong to no number: UTC+8, GMT-05:00, +0300.
func zoneMarks(s string) []Span {
	var out []Span
	for i := 0; i < len(s); i++ {
		if s[i] != '+' && s[i] != '-' {
			continue
		}
		word := i >= 3 && (s[i-3:i] == "UTC" || s[i-3:i] == "GMT")
		if !word && (digitRun(s, i+1) != 4 || i > 0 && isWordByte(s[i-1])) {
			continue
		}
		if _, end, ok := offsetAt(s, i); ok {
			out = append(out, Span{i, end})
		}
	}
	return out
}

func rangeGap(s string) bool {
	t := strings.Trim(s, " ")
	switch t {
	case "到", "至", "~", "-", "–", "—", "～", "和", "与", "、", "及", "to", "and", "和/或", "->", "→", "开始;", "开始、", "起;":
		return true
	}
	return false
}

// zonesOf are the zones in which a wall time without one may be meant: its own
// reading, UTC and Beijing time.
var zonesOf = []time.Duration{0, beijing}

// SameTime reports whether a time of a claim is the time of the evidence, at the
// precision of the claim. Stated zones are converted; a wall time without a zone may be
// UTC, Beijing time or the zone of its counterpart.
func SameTime(claim, ev TimePoint) bool {
	if !claim.HasClock && !claim.HasDate {
		return false
	}
	if claim.HasClock && !ev.HasClock {
		return false
	}
	if claim.HasDate && !claim.HasClock && !ev.HasDate {
		return false
	}
	if claim.HasDate && !ev.HasDate && claim.HasClock {
		// The evidence has a clock only: compare the clocks.
		claim.Wall, claim.HasDate = clockOnly(claim.Wall), false
	}
	switch {
	case claim.Zoned && ev.Zoned:
		return sameWall(claim, ev, claim.Zone-ev.Zone)
	case claim.Zoned:
		for _, z := range append([]time.Duration{claim.Zone}, zonesOf...) {
			if sameWall(claim, ev, claim.Zone-z) {
				return true
			}
		}
	case ev.Zoned:
		for _, z := range append([]time.Duration{ev.Zone}, zonesOf...) {
			if sameWall(claim, ev, z-ev.Zone) {
				return true
			}
		}
	default:
		// A clock to the second may be Beijing time of a log in UTC where neither says so.
		return sameWall(claim, ev, 0) || !claim.HasDate && claim.Precision <= time.Second && sameWall(claim, ev, beijing)
	}
	return false
}

// sameWall compares the claim's wall time with the evidence's, moved by shift.
func sameWall(claim, ev TimePoint, shift time.Duration) bool {
	w := ev.Wall.Add(shift)
	c := claim.Wall
	if !claim.HasClock {
		return w.Month() == c.Month() && w.Day() == c.Day() && (!claim.HasYear || !ev.HasYear || w.Year() == c.Year())
	}
	if !claim.HasDate {
		w, c = clockOnly(w), clockOnly(c)
	} else if !claim.HasYear || !ev.HasYear {
		w, c = w.AddDate(-w.Year(), 0, 0), c.AddDate(-c.Year(), 0, 0)
	}
	d := w.Sub(c)
	prec := claim.Precision
	if ev.Precision > prec && ev.Precision >= time.Minute {
		return false // evidence to the minute proves no seconds
	}
	if claim.Approx {
		return d > -2*prec-time.Minute && d < 2*prec+time.Minute
	}
	return d >= -prec/2 && d < prec
}

func clockOnly(t time.Time) time.Time {
	return time.Date(0, 1, 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// Instant returns the point on the UTC line when the zone is known, else its wall
// time; ok is false when there is no clock.
func (p TimePoint) Instant() (time.Time, bool) {
	return p.Wall.Add(-p.Zone), p.HasClock
}
