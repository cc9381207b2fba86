package grounding

import (
	"math"
	"math/big"
	"strings"
)

// Matches reports whether an evidence quantity carries the claimed one: equal values,
// dimensions that agree, the precision and the comparator of the claim respected.
// loose widens 约 to ten percent; otherwise an approximation is bound to the written
// places.
func Matches(claim, ev Quantity, loose bool) bool {
	if claim.Repeat && !ev.Repeat {
		return false
	}
	if ev.Soft && !sharesDim(claim, ev) {
		ev.Units = bareUnits
	}
	if claim.Dim() == Multiple && len(claim.Units) == 1 && ev.Dim() == Count && !multipleField(ev.Field) {
		return false // 60 倍 is computed, not read off a column
	}
	for _, cu := range claim.Units {
		for _, eu := range ev.Units {
			if ok := matchUnits(claim, ev, cu, eu, loose); ok {
				return true
			}
		}
	}
	return false
}

func sharesDim(a, b Quantity) bool {
	for _, x := range a.Units {
		for _, y := range b.Units {
			if x.Dim == y.Dim {
				return true
			}
		}
	}
	return false
}

// multipleField reports a field that may hold a multiple.
func multipleField(field string) bool {
	field = strings.ToLower(field)
	for _, w := range []string{"ratio", "factor", "times", "multiple", "burn", "speedup", "倍", "比"} {
		if strings.Contains(field, w) {
			return true
		}
	}
	return false
}

// impliedUnits are what a bare number may measure when a claim gives the unit: tools
// print bytes, seconds and shares without saying so.
func impliedUnits(d Dimension) []Unit {
	switch d {
	case Bytes:
		return []Unit{oneByte}
	case Ratio:
		return []Unit{unit(Ratio, 1, 1, "share"), percent}
	case CPU:
		return []Unit{core}
	case Rate:
		return []Unit{perSecond}
	case Multiple:
		return []Unit{unit(Multiple, 1, 1, "x")}
	case Frequency:
		return []Unit{unit(Frequency, 1, 1, "Hz")}
	case Money:
		return []Unit{yuan}
	case Count, Time:
	}
	return nil
}

func matchUnits(claim, ev Quantity, cu, eu Unit, loose bool) bool {
	if cu.Dim == eu.Dim {
		return claim.holds(cu, ev.Base(eu), ev.BaseUlp(eu), loose)
	}
	switch {
	case cu.Dim == Bytes && eu.Dim == Rate && eu.Name != perSecond.Name, cu.Dim == Rate && eu.Dim == Bytes && cu.Name != perSecond.Name:
		return claim.holds(cu, ev.Base(eu), ev.BaseUlp(eu), loose) // 每秒 149822 kB
	case cu.Dim == CPU && eu.Dim == Ratio:
		return claim.holds(cu, ev.Base(eu), ev.BaseUlp(eu), loose) // monitors give a core as 100%
	case cu.Dim == Count && !cu.Explicit:
		// A bare claimed number may leave out the unit that the evidence writes.
		if eu.Explicit && cu.Name == "" {
			return claim.holds(cu, ev.Value, ev.Ulp, loose)
		}
		if eu.Dim == Rate && eu.Name == "/s" {
			return claim.holds(cu, ev.Value, ev.Ulp, loose)
		}
	case !eu.Explicit && eu.Dim == Count:
		if eu.Name != "" && cu.Dim != Multiple {
			return false
		}
		if ev.Field != "" && !fieldMeasures(ev.Field, cu.Dim) {
			return false
		}
		if claim.distinct() && claim.Value.Cmp(ev.Value) == 0 {
			return true // the very digits; what they measure the output does not say
		}
		for _, u := range impliedUnits(cu.Dim) {
			if claim.holds(cu, ev.Base(u), ev.BaseUlp(u), loose) {
				return true
			}
		}
		if cu.Dim == Time || cu.Dim == Bytes {
			// In the claim's own unit: free -m prints megabytes and does not say so. A number that
			// no excerpt holds must be telling for that.
			if !ev.Cited && claim.Digits() < 3 && !timely(ev.Field) {
				return false
			}
			if claim.holds(cu, ev.Base(cu), ev.BaseUlp(cu), loose) {
				return true
			}
			// free -m prints megabytes; a number of bytes would be larger.
			if cu.Dim == Bytes && ev.Cited && claim.Digits() >= 3 && ev.Value.Cmp(million) < 0 && claim.holds(cu, ev.Base(miB), ev.BaseUlp(miB), loose) {
				return true
			}
			// Spans are often printed in µs or ns: enough digits tell.
			for _, u := range []Unit{microsecond, nanosecond} {
				if cu.Dim == Time && ev.Field != "" && (claim.Digits() >= 3 || ev.Cited && claim.Digits() == 2 && u.Name == nanosecond.Name && ev.Value.Cmp(million) > 0) && claim.holds(cu, ev.Base(u), ev.BaseUlp(u), loose) {
					return true
				}
			}
			// A cited bare number may be in seconds or milliseconds, as most tools print times.
			for _, u := range []Unit{second, millisecond} {
				if cu.Dim == Time && ev.Cited && (claim.roundDigits() >= 2 || timeField(ev.Field) || ev.Decimals > 2) && claim.holds(cu, ev.Base(u), ev.BaseUlp(u), loose) {
					return true
				}
			}
		}
	}
	return false
}

// distinct reports a number of so many digits that the same ones elsewhere are no chance.
func (q Quantity) distinct() bool {
	return q.Cmp == Exactly && (q.Digits() >= 4 || q.Decimals > 0 && q.Digits() >= 3)
}

var (
	half      = rat(1, 2)
	tenth     = rat(1, 10)
	hundredth = rat(1, 100)
	million   = rat(1_000_000, 1)
)

// holds reports whether the evidence value v (base unit, written to ulp) carries the
// claimed value in reading cu.
func (q Quantity) holds(cu Unit, v, ulp *big.Rat, loose bool) bool {
	c, cUlp := q.Base(cu), q.BaseUlp(cu)
	if !plausible(c, v) {
		return false
	}
	d := new(big.Rat).Sub(v, c)
	if d.Sign() == 0 {
		return true
	}
	abs := new(big.Rat).Abs(d)
	tol := new(big.Rat).Mul(cUlp, half)
	rounds := q.Cmp == About || q.Decimals > 0 || cu.Dim != Count || q.Digits() >= 3 && cUlp.Cmp(one) > 0
	if q.Cmp == MoreThan || q.Cmp == LessThan {
		// 超过 60 次 with 63: the bound must hold and be the natural one, not any below.
		width := new(big.Rat).Mul(new(big.Rat).Abs(c), tenth)
		if width.Cmp(cUlp) < 0 {
			width = cUlp
		}
		if cu.Dim == Ratio {
			width = hundredth
			if cUlp.Cmp(width) > 0 {
				width = new(big.Rat).Mul(cUlp, half)
			}
		}
		if abs.Cmp(width) <= 0 && (d.Sign() > 0) == (q.Cmp == MoreThan) {
			return true
		}
		return false
	}
	if ulp.Cmp(cUlp) > 0 {
		return false // the evidence is coarser than the claim
	}
	if q.Cmp == Exactly && q.Decimals == 0 && cu.Dim != Ratio {
		// 5 GiB said plainly is no 4.7: a whole number rounds only what is close to it.
		if near := new(big.Rat).Mul(new(big.Rat).Abs(c), rat(3, 100)); near.Cmp(tol) < 0 {
			tol = near
		}
	}
	if rounds && abs.Cmp(tol) <= 0 {
		return true
	}
	return q.Cmp == About && loose && abs.Cmp(new(big.Rat).Mul(new(big.Rat).Abs(c), slack(q.roundDigits()))) <= 0
}

// Round reports a number that people choose as a bound: 90%, 5000 万, 40 ms, 95%.
func (q Quantity) Round() bool {
	return q.roundDigits() == 1 || new(big.Rat).Quo(q.Value, new(big.Rat).Mul(q.Ulp, rat(5, 1))).IsInt()
}

// Side compares an evidence quantity with a claimed one: its value as a multiple of the
// claimed one, in the first reading that both share; ok is false when none is.
func Side(claim, ev Quantity) (ratio float64, ok bool) {
	if ev.Soft && !sharesDim(claim, ev) {
		ev.Units = bareUnits
	}
	if claim.Value.Sign() == 0 {
		return 0, false
	}
	for _, cu := range claim.Units {
		for _, eu := range ev.Units {
			if cu.Dim != eu.Dim {
				if eu.Explicit || eu.Dim != Count || cu.Dim == Multiple {
					continue
				}
				eu = cu // a bare number in the unit of the claim
				if us := impliedUnits(cu.Dim); len(us) > 0 && cu.Dim != Ratio {
					eu = us[0]
				}
			}
			ratio, _ = new(big.Rat).Quo(ev.Base(eu), claim.Base(cu)).Float64()
			return ratio, true
		}
	}
	return 0, false
}

// roundDigits counts the significant digits without the zeros at the end: 约 40 秒 is
// rounder than 约 42 秒.
func (q Quantity) roundDigits() int {
	r := new(big.Rat).Quo(q.Value, q.Ulp)
	if !r.IsInt() {
		return 3
	}
	return max(1, len(strings.TrimRight(strings.TrimLeft(r.Num().String(), "-"), "0")))
}

// slack is how far 约 reaches, as a share of the value: 约 4 小时 is meant less exactly than
// 约 42 分钟, and 约 843 万 is a rounding.
func slack(digits int) *big.Rat {
	switch digits {
	case 1:
		return tenth
	case 2:
		return rat(1, 40)
	}
	return new(big.Rat)
}

// plausible is a fast float test before exact arithmetic: within a factor of two.
func plausible(a, b *big.Rat) bool {
	x, _ := a.Float64()
	y, _ := b.Float64()
	if x == 0 || y == 0 {
		return math.Abs(x-y) < 1
	}
	return x/y > 0.4 && x/y < 2.5
}

// Find lists the numbers of the text that carry q, in order, at most limit. loose is
// as in Matches. xN repeats, durations in parts and units from fields are read.
func (f *Facts) Find(q Quantity, loose bool, limit int) []Quantity {
	ns := f.Numbers()
	if len(ns) < indexedNumbers {
		return f.findAmong(q, ns, loose, limit)
	}
	f.indexOnce.Do(func() { f.index = f.newNumberIndex(ns) })
	found, ok := f.index.lookup(ns, q)
	if !ok {
		return f.findAmong(q, ns, loose, limit)
	}
	var out []Quantity
	matches := newMatcher(q, loose)
	for _, i := range found {
		if ev := f.Quantity(ns[i]); matches.holds(ev) {
			if out = append(out, ev); len(out) == limit {
				break
			}
		}
	}
	return out
}

// FindIn is Find within a span.
func (f *Facts) FindIn(q Quantity, s Span, loose bool, limit int) []Quantity {
	return f.findAmong(q, f.NumbersIn(s), loose, limit)
}

// FindCited is Find within an excerpt: a bare number there may take the unit of q.
func (f *Facts) FindCited(q Quantity, s Span, limit int) []Quantity {
	want := candidates(q)
	raw := f.text.Raw()
	var out []Quantity
	for _, n := range f.NumbersIn(s) {
		if !want.near(n.Float) && !wordBehind(raw, n.Span.End) {
			continue
		}
		ev := f.Quantity(n)
		ev.Cited = true
		if Matches(q, ev, true) {
			if out = append(out, ev); len(out) == limit {
				break
			}
		}
	}
	return out
}

// matcher remembers how the numbers of a text compare with one quantity: outputs repeat
// themselves.
type matcher struct {
	q     Quantity
	loose bool
	known map[matchKey]bool
}

// matchKey is all that Matches looks at in a number of an output that is read by
// [Facts.Quantity].
type matchKey struct {
	text, field  string
	units        *Unit
	soft, repeat bool
}

const maxKnownMatches = 1024

func newMatcher(q Quantity, loose bool) *matcher { return &matcher{q: q, loose: loose} }

func (m *matcher) holds(ev Quantity) bool {
	key := matchKey{ev.Text, ev.Field, &ev.Units[0], ev.Soft, ev.Repeat}
	if ok, known := m.known[key]; known {
		return ok
	}
	ok := Matches(m.q, ev, m.loose)
	if m.known == nil {
		m.known = map[matchKey]bool{}
	}
	if len(m.known) < maxKnownMatches {
		m.known[key] = ok
	}
	return ok
}

// wordBehind reports a word behind a number, which may be its unit or change its value.
func wordBehind(raw []byte, i int) bool {
	for i < len(raw) && raw[i] == ' ' {
		i++
	}
	return i < len(raw) && (raw[i] >= 0x80 || raw[i] == '-' || isWordByte(raw[i]))
}

func (f *Facts) findAmong(q Quantity, ns []Number, loose bool, limit int) []Quantity {
	want, matches := candidates(q), newMatcher(q, loose)
	raw := f.text.Raw()
	var out []Quantity
	for _, n := range ns {
		if !want.near(n.Float) && !(q.Units[0].Dim == Time && compoundAt(raw, n.Span.End)) && !wordedAt(raw, n.Span.End) {
			continue
		}
		ev := f.Quantity(n)
		if matches.holds(ev) {
			out = append(out, ev)
			if limit > 0 && len(out) >= limit {
				break
			}
		}
	}
	return out
}

// compoundAt reports a unit letter and a further digit (5h43m), or days and perhaps a clock
// (2 days 07:33:09): the coarse test knows only the first part.
func compoundAt(raw []byte, i int) bool {
	return i+1 < len(raw) && raw[i] >= 'a' && raw[i] <= 'z' && isNum(raw[i+1]) || i+4 < len(raw) && string(raw[i:i+4]) == " day"
}

// ranges are the raw values that could carry a quantity, one range for each unit that
// tools may have printed it in.
type ranges [][2]float64

func (r ranges) near(v float64) bool {
	for _, x := range r {
		if v >= x[0] && v <= x[1] {
			return true
		}
	}
	return false
}

func candidates(q Quantity) ranges {
	v, reach := reachOf(q)
	var out ranges
	for _, f := range candidateFactors(q) {
		out = append(out, rangeAround(v, reach, f))
	}
	return out
}

// reachOf is the value of a quantity and how far from it what carries it can be.
func reachOf(q Quantity) (v, reach float64) {
	v, _ = q.Value.Float64()
	ulp, _ := q.Ulp.Float64()
	reach = ulp
	if q.Cmp != Exactly {
		reach = math.Max(ulp, 0.11*math.Abs(v))
	}
	if q.Cmp == MoreThan || q.Cmp == LessThan {
		reach = math.Max(reach, 1)
	}
	return v, reach
}

func rangeAround(v, reach, factor float64) [2]float64 {
	lo, hi := (v-reach)*factor, (v+reach)*factor
	slack := 1e-9 * math.Abs(v*factor)
	return [2]float64{math.Min(lo, hi) - slack, math.Max(lo, hi) + slack}
}

// candidateFactors are the ratios evidence/claim that some unit conversion allows.
func candidateFactors(q Quantity) []float64 {
	set := map[float64]bool{1: true}
	add := func(c Unit, us ...Unit) {
		for _, u := range us {
			x, _ := new(big.Rat).Quo(c.Factor, u.Factor).Float64()
			set[x] = true
		}
	}
	for _, c := range q.Units {
		switch c.Dim {
		case Time:
			add(c, second, millisecond, microsecond, nanosecond, minute, hour, day)
		case Bytes:
			add(c, oneByte, kiB, miB, giB, tiB, kB, mB, gB, tB)
		case Ratio:
			add(c, percent, unit(Ratio, 1, 1, ""), unit(Ratio, 1, 1000, ""))
		case CPU:
			add(c, core, milliCore, unit(CPU, 1, 100, "%"))
		case Rate:
			add(c, perSecond, bare, unit(Rate, 1000, 1, ""), unit(Rate, 1_000_000, 1, ""), unit(Rate, kibi, 1, ""), unit(Rate, mebi, 1, ""))
			add(c, bitRate, unit(Rate, 1000, 8, ""), unit(Rate, 1_000_000, 8, ""), unit(Rate, 1_000_000_000, 8, ""))
		case Count:
			add(c, bare, unit(Count, 1000, 1, ""), unit(Count, 1_000_000, 1, ""))
		case Multiple, Frequency:
			add(c, bare, unit(Frequency, 1000, 1, ""), unit(Frequency, 1_000_000, 1, ""))
		case Money:
			add(c, yuan, cent)
		}
	}
	out := make([]float64, 0, len(set))
	for x := range set {
		out = append(out, x)
	}
	return out
}

// countFields are words of field names that hold counts, codes and ids, which measure
// nothing: an exit code of 137 is no 137 ms.
var countFields = map[string]bool{"code": true, "tag": true, "tags": true, "release": true, "build": true, "count": true, "counts": true, "restart": true, "restarts": true, "id": true, "port": true, "pid": true, "uid": true, "version": true, "number": true, "num": true, "fails": true, "failures": true, "attempts": true, "retries": true, "index": true, "status": true, "replicas": true, "partition": true, "partitions": true, "offset": true, "generation": true, "revision": true, "rows": true, "keys": true, "connections": true, "clients": true, "subtask": true, "pods": true, "nodes": true, "shards": true}

// timeFields are words of field names that measure time.
var timeFields = []string{"time", "duration", "latency", "elapsed", "took", "delay", "wait", "interval", "uptime", "pause", "ttl", "period", "expire", "window", "deadline", "retention", "backoff", "lag", "cost", "age", "耗时", "延迟", "时长", "超时", "间隔"}

func timeField(field string) bool {
	field = strings.ToLower(field)
	for _, w := range timeFields {
		if strings.Contains(field, w) {
			return true
		}
	}
	return false
}

// fieldMeasures reports whether the bare number of a field may be read in a unit of d.
func fieldMeasures(field string, d Dimension) bool {
	if d != Time && d != Bytes && d != Ratio {
		return true
	}
	words := splitName(field)
	return len(words) == 0 || !countFields[words[len(words)-1]]
}

// timely reports field names that measure a time or a size.
func timely(field string) bool {
	f := strings.ToLower(field)
	switch f {
	case "rt", "urt", "rtt", "cost", "took", "ms":
		return true
	}
	for _, w := range []string{"time", "duration", "latency", "elapsed", "wait", "interval", "uptime", "delay", "ttl", "age", "lag", "pause", "mem", "size", "bytes", "used", "free", "total", "limit"} {
		if strings.Contains(f, w) {
			return true
		}
	}
	return false
}
