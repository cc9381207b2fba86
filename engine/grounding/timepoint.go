package grounding

import (
	"strconv"
	"strings"
	"time"
)

// TimePoint is a point in time as a text writes it. What is not written is unknown:
// a clock without a date, a date without a year, a wall time without a zone.
type TimePoint struct {
	Span Span
	Text string
	// Wall is the written wall time, read as if it were UTC. Without a date it lies on
	// 0000-01-01, without a year in year 0.
	Wall     time.Time
	HasYear  bool
	HasDate  bool
	HasClock bool
	// Precision is the last written place: a day, a minute, a second, a fraction.
	Precision time.Duration
	// Zone is the offset from UTC when Zoned.
	Zone  time.Duration
	Zoned bool
	// Epoch is true for seconds (or ms, µs, ns) since 1970.
	Epoch bool
	// Approx is true for times given with 约, 左右, 前后.
	Approx bool
}

const beijing = 8 * time.Hour

type timeToken struct {
	span  Span
	point TimePoint
}

// TimePoints finds the times of a text: RFC 3339, RFC 1123, ctime, syslog, klog,
// nginx and Java log forms, Chinese dates and clocks, and Unix epochs of 10, 13, 16 or
// 19 digits. Offsets are bytes into text.
func TimePoints(text string) []TimePoint {
	f := narrow(text)
	toks := scanTimes(f.s)
	out := make([]TimePoint, 0, len(toks))
	for _, t := range toks {
		p := t.point
		p.Span = f.back(t.span)
		p.Text = text[p.Span.Start:p.Span.End]
		out = append(out, p)
	}
	return out
}

// scanTimes finds the times of a narrowed text and resolves stated zones.
func scanTimes(s string) []timeToken {
	var out []timeToken
	for i := 0; i < len(s); {
		c := s[i]
		if !isNum(c) {
			if !timeLetter[c] || i > 0 && isWordByte(s[i-1]) {
				i++
				continue
			}
			if t, ok := monthFirst(s, i); ok {
				out = append(out, t)
				i = t.span.End
				continue
			}
			if t, ok := klogAt(s, i); ok {
				out = append(out, t)
				i = t.span.End
				continue
			}
			i++
			continue
		}
		if i > 0 && (isWordByte(s[i-1]) && s[i-1] != 'T' || s[i-1] == '.' && i > 1 && isNum(s[i-2])) {
			i = skipDigits(s, i)
			continue
		}
		t, ok := timeAt(s, i)
		if !ok {
			i = skipDigits(s, i)
			continue
		}
		out = append(out, t)
		i = t.span.End
	}
	resolveZones(s, out)
	return out
}

// timeLetter are the letters that a month's name or the header of a klog line begins with.
var timeLetter = [256]bool{
	'J': true, 'F': true, 'M': true, 'A': true, 'S': true, 'O': true, 'N': true, 'D': true, 'I': true, 'W': true, 'E': true,
	'j': true, 'f': true, 'm': true, 'a': true, 's': true, 'o': true, 'n': true, 'd': true,
}

// timeAt reads a time that starts with the digit at i.
func timeAt(s string, i int) (timeToken, bool) {
	n := digitRun(s, i)
	switch {
	case n == 4:
		if t, ok := isoAt(s, i); ok {
			return t, true
		}
	case n == 8:
		if t, ok := compactAt(s, i); ok {
			return t, true
		}
	case n == 10 || n == 13 || n == 16 || n == 19:
		return epochAt(s, i, n)
	}
	if n <= 2 || n == 4 {
		if t, ok := chineseDateAt(s, i); ok {
			return t, true
		}
	}
	if n <= 2 {
		if t, ok := dayFirst(s, i); ok {
			return t, true
		}
		if t, ok := monthDayAt(s, i); ok {
			return t, true
		}
		if t, ok := clockAt(s, i); ok {
			return t, true
		}
	}
	return timeToken{}, false
}

func digitRun(s string, i int) int {
	n := 0
	for i+n < len(s) && isNum(s[i+n]) {
		n++
	}
	return n
}

// num reads exactly n digits at i, or one to n when loose.
func num(s string, i, n int, loose bool) (v, end int, ok bool) {
	k := digitRun(s, i)
	if k == 0 || k > n || !loose && k != n {
		return 0, i, false
	}
	v, err := strconv.Atoi(s[i : i+k])
	return v, i + k, err == nil
}

func validDate(y, m, d int) bool {
	return y >= 0 && y <= 9999 && m >= 1 && m <= 12 && d >= 1 && d <= 31
}

func dated(y, m, d int, hasYear bool) TimePoint {
	if !hasYear {
		y = 0
	}
	return TimePoint{Wall: time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC), HasDate: true, HasYear: hasYear, Precision: 24 * time.Hour}
}

// isoAt reads 2025-01-27, 2025/01/27 and a clock after T or spaces.
func isoAt(s string, i int) (timeToken, bool) {
	y, j, ok := num(s, i, 4, false)
	if !ok || j >= len(s) || s[j] != '-' && s[j] != '/' || y < 1900 || y > 2200 {
		return timeToken{}, false
	}
	sep := s[j]
	m, j, ok := num(s, j+1, 2, true)
	if !ok || j >= len(s) || s[j] != sep {
		return timeToken{}, false
	}
	d, j, ok := num(s, j+1, 2, true)
	if !ok || !validDate(y, m, d) || j < len(s) && isWordByte(s[j]) && s[j] != 'T' && s[j] != 't' && s[j] != '_' {
		return timeToken{}, false
	}
	return withClock(s, Span{i, j}, dated(y, m, d, true)), true
}

// compactAt reads 20250127.
func compactAt(s string, i int) (timeToken, bool) {
	y, _ := strconv.Atoi(s[i : i+4])
	m, _ := strconv.Atoi(s[i+4 : i+6])
	d, _ := strconv.Atoi(s[i+6 : i+8])
	if y < 1990 || y > 2100 || !validDate(y, m, d) || i+8 < len(s) && s[i+8] != 'T' && isWordByte(s[i+8]) {
		return timeToken{}, false
	}
	if i+8 >= len(s) || s[i+8] != 'T' && s[i+8] != ' ' {
		return timeToken{}, false // a bare eight-digit number is a number
	}
	t := withClock(s, Span{i, i + 8}, dated(y, m, d, true))
	return t, t.point.HasClock
}

// withClock adds a clock and a zone that follow a date.
func withClock(s string, span Span, p TimePoint) timeToken {
	j := span.End
	if j < len(s) && (s[j] == 'T' || s[j] == 't' || s[j] == '_' || s[j] == ':') {
		j++
	} else {
		if strings.HasPrefix(s[j:], ",") {
			j++
		}
		j = skipSpaces(s, j)
		// 2025-01-27（北京时间）14:28 and 周一 between date and clock are left to the zone pass.
	}
	if c, ok := clockAt(s, j); ok {
		p.Wall = p.Wall.Add(c.point.Wall.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)))
		p.HasClock, p.Precision = true, c.point.Precision
		p.Zone, p.Zoned = c.point.Zone, c.point.Zoned
		span.End = c.span.End
	}
	return timeToken{span, p}
}

// epochAt reads n digits as a Unix time in s, ms, µs or ns.
func epochAt(s string, i, n int) (timeToken, bool) {
	end := i + n
	v, err := strconv.ParseInt(s[i:end], 10, 64)
	if err != nil || end < len(s) && isWordByte(s[end]) {
		return timeToken{}, false
	}
	if u, w := longestUnit(s[skipSpaces(s, end):]); w > 0 && (u[0].Dim == Bytes || u[0].Dim == Count) {
		return timeToken{}, false // 2147147776 字节
	}
	p := TimePoint{HasDate: true, HasYear: true, HasClock: true, Epoch: true, Zoned: true}
	var sec, ns int64
	switch n {
	case 10:
		sec, p.Precision = v, time.Second
	case 13:
		sec, ns, p.Precision = v/1000, v%1000*1_000_000, time.Millisecond
	case 16:
		sec, ns, p.Precision = v/1_000_000, v%1_000_000*1000, time.Microsecond
	default:
		sec, ns, p.Precision = v/1_000_000_000, v%1_000_000_000, 1
	}
	if sec < 946_684_800 || sec > 2_524_608_000 { // 2000 to 2050
		return timeToken{}, false
	}
	if end+1 < len(s) && s[end] == '.' && isNum(s[end+1]) {
		k := digitRun(s, end+1)
		if n == 10 && k <= 9 {
			ns, p.Precision = int64(fraction(s[end+1:end+1+k])), precisionOf(k)
		}
		end += 1 + k
	}
	p.Wall = time.Unix(sec, ns).UTC()
	return timeToken{Span{i, end}, p}, true
}

var months = map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}

// monthAt reads an English month name, short or long.
func monthAt(s string, i int) (int, int, bool) {
	if i+3 > len(s) {
		return 0, i, false
	}
	m, ok := months[strings.ToLower(s[i:i+3])]
	if !ok {
		return 0, i, false
	}
	end := i + 3
	for end < len(s) && (s[end] >= 'a' && s[end] <= 'z') {
		end++
	}
	return m, end, end-i == 3 || end-i == 4 || end-i <= 9 && strings.HasPrefix(longMonths, strings.ToLower(s[i:end])) || strings.Contains(longMonths, " "+strings.ToLower(s[i:end])+" ")
}

const longMonths = " january february march april may june july august september october november december "

// dayFirst reads 27 Jan 2025 07:33:35 +0100 and 19/May/2026:16:41:35 +0000.
func dayFirst(s string, i int) (timeToken, bool) {
	d, j, ok := num(s, i, 2, true)
	if !ok || j >= len(s) || s[j] != ' ' && s[j] != '/' && s[j] != '-' {
		return timeToken{}, false
	}
	sep, capital := s[j], j+1 < len(s) && s[j+1] < 'a'
	m, j, ok := monthAt(s, j+1)
	if ok && sep == ' ' && capital && validDate(0, m, d) && d > 0 {
		// 26 February, without a year.
		if k := skipSpaces(s, j); digitRun(s, k) != 4 && (j == len(s) || !isWordByte(s[j])) {
			return withClock(s, Span{i, j}, dated(0, m, d, false)), true
		}
	}
	if !ok || j >= len(s) || s[j] != sep {
		return timeToken{}, false
	}
	y, j, ok := num(s, j+1, 4, false)
	if !ok || !validDate(y, m, d) {
		return timeToken{}, false
	}
	return withClock(s, Span{i, j}, dated(y, m, d, true)), true
}

// monthDayAt reads 07-10 19:46:37, a date without its year.
func monthDayAt(s string, i int) (timeToken, bool) {
	m, j, ok := num(s, i, 2, false)
	if !ok || j >= len(s) || s[j] != '-' && s[j] != '/' {
		return timeToken{}, false
	}
	d, j, ok := num(s, j+1, 2, false)
	if !ok || !validDate(0, m, d) || j >= len(s) || s[j] != ' ' {
		return timeToken{}, false
	}
	t := withClock(s, Span{i, j}, dated(0, m, d, false))
	return t, t.point.HasClock
}

// monthFirst reads May 19 16:41:35 2026, May 19 16:41:36 and Apr 1 19:58:31 2026 +0800.
func monthFirst(s string, i int) (timeToken, bool) {
	if s[i] < 'A' || s[i] > 'z' || i > 0 && isWordByte(s[i-1]) {
		return timeToken{}, false
	}
	m, j, ok := monthAt(s, i)
	if !ok || j >= len(s) || s[j] != ' ' {
		return timeToken{}, false
	}
	d, j, ok := num(s, skipSpaces(s, j), 2, true)
	if !ok || d < 1 || d > 31 || j < len(s) && isWordByte(s[j]) {
		return timeToken{}, false
	}
	k := j
	if k < len(s) && s[k] == ',' {
		k++
	}
	k = skipSpaces(s, k)
	if y, e, ok := num(s, k, 4, false); ok && y > 1900 && (e == len(s) || !isWordByte(s[e])) {
		return withClock(s, Span{i, e}, dated(y, m, d, true)), true
	}
	t := withClock(s, Span{i, j}, dated(0, m, d, false))
	if !t.point.HasClock {
		return t, true
	}
	// A year, and perhaps a zone, may follow the clock.
	k = skipSpaces(s, t.span.End)
	if y, e, ok := num(s, k, 4, false); ok && y > 1900 && y < 2200 && (e == len(s) || !isWordByte(s[e])) {
		c := t.point.Wall
		t.point.Wall = time.Date(y, c.Month(), c.Day(), c.Hour(), c.Minute(), c.Second(), c.Nanosecond(), time.UTC)
		t.point.HasYear = true
		t.span.End = e
		if z, e2, ok := zoneAt(s, e); ok {
			t.point.Zone, t.point.Zoned, t.span.End = z, true, e2
		}
	}
	return t, true
}

// klogAt reads E0529 08:12:34.226967 (klog header).
func klogAt(s string, i int) (timeToken, bool) {
	if strings.IndexByte("IWEF", s[i]) < 0 || i > 0 && isWordByte(s[i-1]) || i+6 > len(s) || digitRun(s, i+1) != 4 || s[i+5] != ' ' {
		return timeToken{}, false
	}
	m, _ := strconv.Atoi(s[i+1 : i+3])
	d, _ := strconv.Atoi(s[i+3 : i+5])
	if !validDate(0, m, d) {
		return timeToken{}, false
	}
	t := withClock(s, Span{i, i + 5}, dated(0, m, d, false))
	return t, t.point.HasClock
}

// chineseDateAt reads 2025年1月27日, 1 月 27 日 and a clock behind it.
func chineseDateAt(s string, i int) (timeToken, bool) {
	v, j, ok := num(s, i, 4, true)
	if !ok {
		return timeToken{}, false
	}
	y, hasYear := 0, false
	j = skipSpaces(s, j)
	if strings.HasPrefix(s[j:], "年") && v > 1900 {
		y, hasYear = v, true
		v, j, ok = num(s, skipSpaces(s, j+len("年")), 2, true)
		if !ok {
			return timeToken{}, false
		}
		j = skipSpaces(s, j)
	}
	if !strings.HasPrefix(s[j:], "月") || v < 1 || v > 12 {
		return timeToken{}, false
	}
	d, j, ok := num(s, skipSpaces(s, j+len("月")), 2, true)
	if !ok || d < 1 || d > 31 {
		return timeToken{}, false
	}
	j = skipSpaces(s, j)
	if !strings.HasPrefix(s[j:], "日") && !strings.HasPrefix(s[j:], "号") {
		return timeToken{}, false
	}
	j += len("日")
	p := dated(y, v, d, hasYear)
	k := skipSpaces(s, j)
	shift := time.Duration(0)
	for _, w := range []struct {
		word  string
		shift time.Duration
	}{{"凌晨", 0}, {"早上", 0}, {"上午", 0}, {"中午", 0}, {"下午", 12 * time.Hour}, {"晚上", 12 * time.Hour}, {"晚", 12 * time.Hour}, {"夜间", 0}} {
		if strings.HasPrefix(s[k:], w.word) {
			k, shift = skipSpaces(s, k+len(w.word)), w.shift
			break
		}
	}
	if strings.HasPrefix(s[k:], "零点") {
		p.HasClock, p.Precision = true, time.Hour
		return timeToken{Span{i, k + len("零点")}, p}, true
	}
	t := withClock(s, Span{i, j}, p)
	if k > j && !t.point.HasClock {
		t = withClock(s, Span{i, k}, p)
	}
	if t.point.HasClock && shift > 0 && t.point.Wall.Hour() < 12 {
		t.point.Wall = t.point.Wall.Add(shift)
	}
	if !t.point.HasClock {
		t.span.End = j
	}
	return t, true
}
