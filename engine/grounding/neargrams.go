package grounding

import "unicode/utf8"

// gramRunes is the length q of the grams that the filter counts, in runes. A place
// within k edits of a pattern of m runes shares at least m+1-q(k+1) grams of q
// runes with it (P. Jokinen, E. Ukkonen, "Two algorithms for approximate string
// matching in static texts", MFCS 1991), for one edit spoils q of them at most.
// With k = 12% of m that is 40% of all, which chance does not reach.
const gramRunes = 5

const (
	gramShift = 6                     // bits that a rune moves up when the next one comes
	gramBits  = gramShift * gramRunes // so that after q runes it is gone
	gramIndex = 16                    // bits of the hash that are looked up
)

// gramFilter finds the stretches of a text that can hold a near place.
type gramFilter struct {
	set   [1 << gramIndex / 64]uint64
	ascii [utf8.RuneSelf]uint32
	least int // grams that a place must share
	width int // the most bytes of a place
}

func newGramFilter(runes []rune, edits int) *gramFilter {
	g := &gramFilter{
		least: max(len(runes)+1-gramRunes*(edits+1), 1),
		width: len(string(runes)) + edits*utf8.UTFMax,
	}
	for r := range g.ascii {
		g.ascii[r] = scatter(rune(r))
	}
	var h uint32
	for i, r := range runes {
		h = h<<gramShift ^ scatter(r)
		if i >= gramRunes-1 {
			at := gramAt(h)
			g.set[at/64] |= 1 << (at % 64)
		}
	}
	return g
}

// scatter spreads the bits of a rune, by an odd constant near the golden ratio.
func scatter(r rune) uint32 { return uint32(r) * 0x9E3779B1 }

func gramAt(h uint32) uint32 { return h << (32 - gramBits) >> (32 - gramIndex) }

// candidates gives the stretches of text, in order and apart, outside of which no
// near place lies. The text is counted in blocks that are as wide as a place can
// be, so that a place lies in two neighbours at most.
func (g *gramFilter) candidates(text []byte) []Span {
	var found []Span
	var h uint32
	before, count := 0, 0
	for from, i := 0, 0; from < len(text); from = i {
		end := min(from+g.width, len(text))
		for i < end {
			c := text[i]
			if c < utf8.RuneSelf {
				h = h<<gramShift ^ g.ascii[c]
				i++
			} else {
				r, n := utf8.DecodeRune(text[i:])
				h = h<<gramShift ^ scatter(r)
				i += n
			}
			at := gramAt(h)
			count += int(g.set[at/64] >> (at % 64) & 1)
		}
		if before+count >= g.least {
			found = extend(found, Span{max(from-g.width-utf8.UTFMax, 0), i})
		}
		before, count = count, 0
	}
	return wholeRunes(text, found)
}

// around gives the stretches of text that can hold a near place with anchor in it or
// right beside it, unless there is no anchor or they are a good part of the text. A
// token that a place must not change is such an anchor, and mostly a rare one.
func (g *gramFilter) around(text, anchor []byte) ([]Span, bool) {
	if len(anchor) == 0 {
		return nil, false
	}
	var found []Span
	margin := g.width + longestWord*utf8.UTFMax
	find := newFinder(text, anchor, nil)
	for at, bytesLeft := 0, len(text)/8; ; {
		if at = find.next(at); at < 0 {
			return wholeRunes(text, found), true
		}
		found = extend(found, Span{max(at-margin, 0), min(at+len(anchor)+margin, len(text))})
		at += len(anchor)
		if bytesLeft -= 2*margin + len(anchor); bytesLeft < 0 {
			return nil, false
		}
	}
}

// wholeRunes moves the ends of stretches out to where runes begin.
func wholeRunes(text []byte, found []Span) []Span {
	for k := range found {
		s := &found[k]
		for s.Start > 0 && !utf8.RuneStart(text[s.Start]) {
			s.Start--
		}
		for s.End < len(text) && !utf8.RuneStart(text[s.End]) {
			s.End++
		}
	}
	return found
}

// extend adds a stretch, joining it with the last one when they touch.
func extend(found []Span, s Span) []Span {
	if n := len(found); n > 0 && found[n-1].End >= s.Start {
		found[n-1].End = s.End
		return found
	}
	return append(found, s)
}
