package grounding

import (
	"bytes"
	"math/big"
	"strings"
	"sync"
	"time"
)

// Facts looks up numbers, times and names in a prepared text. Each index is built
// once, when first needed. A Facts is safe for concurrent use.
type Facts struct {
	text *Text

	lowerOnce sync.Once
	lower     []byte

	identsMu sync.Mutex
	idents   map[string][]Span

	numbersOnce sync.Once
	numbers     []Number
	indexOnce   sync.Once
	index       *numberIndex

	timesOnce sync.Once
	times     []TimePoint

	seriesMu   sync.Mutex
	alikes     map[int][][]Number // see alikeNumbers, by the start of the line
	alikesHeld int                // numbers in alikes
	series     map[string][]Number
	held       int // numbers in series
	sums       map[sumKey]*big.Rat

	countsOnce sync.Once
	counts     map[int]Span

	shapeOnce sync.Once
	shape     *Shape

	zoneOnce  sync.Once
	zone      time.Duration // of times without one, when zoneKnown
	zoneKnown bool
	asked     [2]TimePoint // the window that the call asked for

	// unit is what bare numbers of the text measure, when the call's arguments name one
	// metric with a unit suffix.
	unit []Unit
}

// NewFacts prepares t for look-up. It costs nothing until the first one.
func NewFacts(t *Text) *Facts { return &Facts{text: t} }

// Text is the text behind the facts.
func (f *Facts) Text() *Text { return f.text }

// Number is a number of a raw output: digits only, the unit stands behind them.
type Number struct {
	Span  Span // sign and digits
	Float float64
}

// maxScan bounds what the indexes of one text look at, in bytes: beyond it a text
// is searched near the excerpts only.
const maxScan = 64 << 20

// Ident lists the places of a name, first as written, then in any case, then in the
// plural; at most limit (0: all, as far as maxIdents). The result is shared: read only.
func (f *Facts) Ident(id string, limit int) []Span {
	if id == "" {
		return nil
	}
	f.identsMu.Lock()
	all, ok := f.idents[id]
	f.identsMu.Unlock()
	if !ok {
		all = f.findIdent(id)
		f.identsMu.Lock()
		if f.idents == nil {
			f.idents = map[string][]Span{}
		}
		if len(f.idents) < maxCachedIdents {
			f.idents[id] = all
		}
		f.identsMu.Unlock()
	}
	if limit > 0 && len(all) > limit {
		return all[:limit:limit]
	}
	return all
}

const (
	maxIdents       = 4096 // places of one name
	maxCachedIdents = 4096 // names remembered
)

func (f *Facts) findIdent(id string) []Span {
	if s := FindIdent(f.text.Raw(), id, maxIdents); len(s) > 0 {
		return s
	}
	lower := f.Lower()
	id = strings.ToLower(id)
	if s := FindIdent(lower, id, maxIdents); len(s) > 0 {
		return s
	}
	if last := id[len(id)-1]; len(id) > 3 && last >= 'a' && last <= 'z' {
		return FindIdent(lower, id+"s", maxIdents)
	}
	return nil
}

// lowerASCIIBytes lowers A to Z only, so that offsets stay.
func lowerASCIIBytes(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = lowered[c]
	}
	return out
}

// lowered lowers A to Z.
var lowered = func() (to [256]byte) {
	for c := range to {
		to[c] = lowerASCII(byte(c))
	}
	return to
}()

// Contains reports whether the lower-case word stands anywhere in the text, in any case.
func (f *Facts) Contains(word string) bool {
	return bytes.Contains(f.Lower(), []byte(word))
}

// Lower is the text with A to Z lowered, offsets unchanged.
func (f *Facts) Lower() []byte {
	f.lowerOnce.Do(func() { f.lower = lowerASCIIBytes(f.text.Raw()) })
	return f.lower
}

// Numbers lists the numbers of the text in order.
func (f *Facts) Numbers() []Number {
	f.numbersOnce.Do(func() {
		end := min(len(f.text.Raw()), maxScan)
		const bytesEach = 32 // of a log; a guess that spares most of the growing
		f.numbers = scanNumbers(make([]Number, 0, end/bytesEach), f.text.Raw(), 0, end)
	})
	return f.numbers
}

// FirstNumber is the first number within s.
func (f *Facts) FirstNumber(s Span) (Number, bool) {
	raw := f.text.Raw()
	n, _, ok := nextNumber(raw, max(s.Start, 0), min(s.End, len(raw)))
	return n, ok
}

// NumbersIn lists the numbers within s.
func (f *Facts) NumbersIn(s Span) []Number {
	raw := f.text.Raw()
	return scanNumbers(nil, raw, max(s.Start, 0), min(s.End, len(raw)))
}

// Times lists the times of the text in order.
func (f *Facts) Times() []TimePoint {
	f.timesOnce.Do(func() {
		raw := f.text.Raw()
		f.times = f.inZone(timesIn(raw, Span{0, min(len(raw), maxScan)}))
	})
	return f.times
}

// TimesIn lists the times within s.
func (f *Facts) TimesIn(s Span) []TimePoint { return f.inZone(timesIn(f.text.Raw(), s)) }

func timesIn(raw []byte, s Span) []TimePoint {
	ps := TimePoints(string(raw[s.Start:s.End]))
	for i := range ps {
		ps[i].Span = Span{ps[i].Span.Start + s.Start, ps[i].Span.End + s.Start}
	}
	return ps
}

// Shape is the structure of the text.
func (f *Facts) Shape() *Shape {
	f.shapeOnce.Do(func() { f.shape = NewShape(f.text) })
	return f.shape
}

// Quantity reads the number n with its unit. A bare number takes the unit that its
// field or column, or a metric name in its row, tells.
func (f *Facts) Quantity(n Number) Quantity {
	raw := f.text.Raw()
	end := min(n.Span.End+24, len(raw))
	window := string(raw[n.Span.Start:end])
	i := 0
	if window[0] == '-' || window[0] == '+' {
		i = 1
	}
	l, ok := literalAt(window, i)
	q := Quantity{Units: bareUnits, Span: n.Span}
	if !ok {
		q.Value, q.Ulp = new(big.Rat), rat(1, 1)
		return q
	}
	q.Value, q.Ulp, q.Decimals = l.value, l.ulp, l.decimals
	if window[0] == '-' {
		q.Value = new(big.Rat).Neg(q.Value)
	}
	stop := q.suffix(window, l.end)
	compound := q.Units[0].Dim == Time && stop < len(window) && isNum(window[stop])
	if stop < len(window) && isWordByte(window[stop]) && !compound {
		stop = l.end
		q.Units = bareUnits
	}
	q.Span = Span{n.Span.Start, n.Span.Start + stop}
	// 1h42m: a duration in parts.
	if compound {
		if parts := joinDurations(window, rawParts(window)); len(parts) == 1 {
			parts[0].Span = Span{n.Span.Start, n.Span.Start + parts[0].Span.End}
			q = parts[0]
		}
	}
	q.clockParts(raw)
	if u := f.labelUnit(n.Span.Start); u != nil && (!q.HasUnit() || u[0].Dim == Ratio) {
		q.Units, q.Span.End = u, n.Span.End
	}
	if !q.HasUnit() && q.Units[0].Name == "" {
		q.Field = f.Shape().FieldAt(n.Span.Start)
		if u := f.Shape().UnitAt(n.Span.Start); u != nil {
			q.Units = u
		} else if f.unit != nil {
			q.Units, q.Soft = f.unit, true
		}
	}
	q.Repeat = n.Span.Start > 0 && raw[n.Span.Start-1] == 'x'
	q.Text = string(raw[q.Span.Start:q.Span.End])
	return q
}

// clockParts adds the clock of an interval as databases print it: 2 days 07:33:09.
func (q *Quantity) clockParts(raw []byte) {
	if q.Units[0].Name != day.Name || q.Decimals > 0 {
		return
	}
	rest := raw[q.Span.End:min(q.Span.End+20, len(raw))]
	if len(rest) == 0 || rest[0] != ' ' {
		return
	}
	ps := TimePoints(string(rest[1:]))
	if len(ps) == 0 || ps[0].Span.Start != 0 || ps[0].HasDate || ps[0].Zoned {
		return
	}
	clock := ps[0].Wall.Sub(ps[0].Wall.Truncate(24 * time.Hour))
	q.Value = new(big.Rat).Add(q.Base(day), rat(int64(clock), int64(time.Second)))
	q.Ulp, q.Units = rat(int64(max(ps[0].Precision, time.Millisecond)), int64(time.Second)), []Unit{second}
	q.Span.End += 1 + ps[0].Span.End
}

// rawParts reads the parts of a compound duration at the start of s.
func rawParts(s string) []Quantity {
	var out []Quantity
	for i := 0; i < len(s) && isNum(s[i]); {
		l, ok := literalAt(s, i)
		if !ok {
			return out
		}
		q := Quantity{Value: l.value, Ulp: l.ulp, Decimals: l.decimals, Units: bareUnits}
		end := l.end
		n := 0
		for end+n < len(s) && s[end+n] >= 'a' && s[end+n] <= 'z' {
			n++
		}
		u := lookUnit(s[end : end+n])
		if u == nil {
			return out
		}
		q.Units = u
		q.Span = Span{i, end + n}
		out = append(out, q)
		i = end + n
	}
	return out
}
