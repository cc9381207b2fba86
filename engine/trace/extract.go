package trace

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// step is how many bytes of a line are added to an extract at a time: enough for
// most log lines, small enough to share a budget among several places.
const step = 240

// extractPlan chooses what of one output goes into a summary.
type extractPlan struct {
	output []byte
	cited  []Span // in binding order
	limit  int    // the most that this trace may take, in runes of JSON text
	budget int    // what it was given
}

// newExtractPlan reserves room for the mark of what is left out.
func newExtractPlan(output []byte, limit int) *extractPlan {
	p := &extractPlan{output: output, limit: limit}
	p.budget = min(p.wholeCost(), p.cost(nil))
	return p
}

// citedCost is what the cited places alone would take, limit at most.
func (p *extractPlan) citedCost() int {
	var windows []Span
	for _, c := range p.cited {
		if c.End-c.Start > 4*p.limit {
			return p.limit
		}
		windows = merge(windows, c)
	}
	return min(p.limit, p.cost(windows))
}

// wholeCost is what the whole output would take, limit at most.
func (p *extractPlan) wholeCost() int {
	if len(p.output) > 4*p.limit { // a rune has at most four bytes
		return p.limit
	}
	return min(p.limit, p.cost([]Span{{0, len(p.output)}}))
}

// extract renders the best windows that fit the budget; the bare mark of a cut when
// none does.
func (p *extractPlan) extract() string {
	whole := []Span{{0, len(p.output)}}
	if len(p.output) <= 4*p.budget && p.cost(whole) <= p.budget {
		return p.render(whole)
	}
	var windows []Span
	seeds := make([]Span, 0, len(p.cited))
	for _, c := range p.shortFirst() {
		grown, fits := p.add(windows, c)
		windows = grown
		if !fits {
			break
		}
		seeds = append(seeds, c)
	}
	if len(p.cited) == 0 {
		n := len(p.output)
		seeds = []Span{{0, 0}, {n, n}}
	} else if all := merge(windows, Span{0, p.lineEnd(0)}); p.cost(all) <= p.budget {
		// The first line often says what the rest is: how many lines matched, the
		// names of the columns.
		windows = all
	}
	for i := range seeds {
		seeds[i] = p.around(windows, seeds[i])
	}
	for progress := true; progress; {
		progress = false
		for i, seed := range seeds {
			next, grown := p.grow(windows, seed)
			if grown != nil {
				windows, seeds[i], progress = grown, next, true
			}
		}
	}
	return p.render(windows)
}

// shortFirst gives the cites in binding order, but for those that alone would take
// more than half of the budget (a whole evidence block): these come last.
func (p *extractPlan) shortFirst() []Span {
	var short, long []Span
	for _, c := range p.cited {
		if c.End-c.Start > 2*p.budget || p.cost([]Span{c}) > p.budget/2 {
			long = append(long, c)
		} else {
			short = append(short, c)
		}
	}
	return append(short, long...)
}

// add takes span in, cut at its end when the budget demands it; fits says that it
// went in whole.
func (p *extractPlan) add(windows []Span, span Span) (grown []Span, fits bool) {
	if span.End-span.Start <= 4*p.budget {
		if all := merge(windows, span); p.cost(all) <= p.budget {
			return all, true
		}
	}
	lo, hi := 0, min(span.End-span.Start, 4*p.budget) // the longest prefix that fits, by bisection
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if p.cost(merge(windows, Span{span.Start, runeStart(p.output, span.Start+mid)})) <= p.budget {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	end := runeStart(p.output, span.Start+lo)
	if end <= span.Start {
		return windows, false
	}
	return merge(windows, Span{span.Start, end}), false
}

// around is the window that seed lies in, or seed.
func (p *extractPlan) around(windows []Span, seed Span) Span {
	for _, w := range windows {
		if w.Start <= seed.Start && seed.End <= w.End {
			return w
		}
	}
	return seed
}

// grow extends the window that seed lies in: first to its own line's ends, then by
// the lines after and before it. Grown is nil when nothing more fits.
func (p *extractPlan) grow(windows []Span, seed Span) (next Span, grown []Span) {
	w := p.around(windows, seed)
	after := Span{w.Start, p.lineEnd(w.End)}
	before := Span{p.lineStart(w.Start), w.End}
	tries := []Span{{before.Start, after.End}, after, before}
	if seed.Start == seed.End { // head or end of an uncited output: one direction
		tries = []Span{{w.Start, after.End}, {before.Start, w.End}}
	}
	for _, try := range tries {
		if try == w || try.Start == try.End {
			continue
		}
		if all := merge(windows, try); p.cost(all) <= p.budget {
			return p.around(all, w), all
		}
	}
	return seed, nil
}

// lineEnd is the end of the line that at lies in, line feed included, or of the
// next line when at is at a line's start already; at most step bytes away.
func (p *extractPlan) lineEnd(at int) int {
	far := min(len(p.output), at+step)
	if i := bytes.IndexByte(p.output[at:far], '\n'); i >= 0 {
		return at + i + 1
	}
	return runeStart(p.output, far)
}

// lineStart is the same backwards.
func (p *extractPlan) lineStart(at int) int {
	near := max(0, at-step)
	if at > 0 {
		if i := bytes.LastIndexByte(p.output[near:at-1], '\n'); i >= 0 {
			return near + i + 1
		}
	}
	return min(at, runeEnd(p.output, near))
}

// merge adds a span to disjoint, sorted windows. Touching ones are joined, and so
// are those with a gap that is shorter than the mark of a cut.
func merge(windows []Span, span Span) []Span {
	const gap = 20
	all := append(slices.Clone(windows), span)
	slices.SortFunc(all, func(a, b Span) int { return a.Start - b.Start })
	out := all[:1]
	for _, w := range all[1:] {
		last := &out[len(out)-1]
		if w.Start <= last.End+gap {
			last.End = max(last.End, w.End)
		} else {
			out = append(out, w)
		}
	}
	return out
}

// render writes the windows with marks between them.
func (p *extractPlan) render(windows []Span) string {
	var b strings.Builder
	at := 0
	for _, w := range windows {
		if w.Start > at {
			b.WriteString(omitted(w.Start - at))
			if p.output[w.Start-1] == '\n' && w.End > w.Start {
				b.WriteByte('\n')
			}
		}
		b.Write(bytes.ToValidUTF8(p.output[w.Start:w.End], []byte("\uFFFD")))
		at = w.End
	}
	if at < len(p.output) {
		b.WriteString(omitted(len(p.output) - at))
	}
	return b.String()
}

// cost is the number of runes that the rendered windows take as JSON text.
func (p *extractPlan) cost(windows []Span) int {
	n := 0
	for _, r := range p.render(windows) {
		switch {
		case r == '"' || r == '\\' || r == '\n' || r == '\t' || r == '\r' || r == '\b' || r == '\f':
			n += 2
		case r < ' ' || r == '\u2028' || r == '\u2029':
			n += 6
		default:
			n++
		}
	}
	return n
}

// runeStart moves at back to the start of the rune that it lies in.
func runeStart(b []byte, at int) int {
	for back := 0; back < utf8.UTFMax && at > 0 && at < len(b) && !utf8.RuneStart(b[at]); back++ {
		at--
	}
	return at
}

// runeEnd moves at forward to the next start of a rune.
func runeEnd(b []byte, at int) int {
	for ahead := 0; ahead < utf8.UTFMax && at > 0 && at < len(b) && !utf8.RuneStart(b[at]); ahead++ {
		at++
	}
	return at
}
