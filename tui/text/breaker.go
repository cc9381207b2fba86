package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// breaker yields the pieces of a paragraph between which a line may be broken.
// They are the segments of UAX #14 (Unicode 15, by rivo/uniseg) with four
// refinements for Chinese technical text:
//
//   - a number and the Chinese unit after it stay together (1.5秒, 12万次);
//   - full-width letters and digits stay together (２００ｍｓ);
//   - a line may be broken before an opening and after a closing quotation mark
//     next to Chinese text, as LB19a of Unicode 16 has it;
//   - no piece starts with a character that Chinese setting forbids at the start
//     of a line, or ends with one forbidden at its end (GB/T 15834-2011, 5.1).
type breaker struct {
	s     string // the paragraph
	rest  string // not yet segmented
	state int
	cut   span // the second half of a segment split at a quotation mark
	ahead span // a piece read but not yet given out
}

// span is a byte range of the paragraph.
type span struct{ from, to int }

func newBreaker(s string) *breaker { return &breaker{s: s, rest: s, state: -1} }

// next returns the next piece as a byte range of the paragraph.
func (b *breaker) next() (from, to int, ok bool) {
	piece := b.ahead
	b.ahead = span{}
	if piece.to == 0 {
		if piece, ok = b.segment(); !ok {
			return 0, 0, false
		}
	}
	for {
		after, more := b.segment()
		if !more {
			return piece.from, piece.to, true
		}
		if !b.joined(piece.from, after.from, after.to) {
			b.ahead = after
			return piece.from, piece.to, true
		}
		piece.to = after.to
	}
}

// segment returns the next UAX #14 segment, split at quotation marks.
func (b *breaker) segment() (span, bool) {
	s := b.cut
	b.cut = span{}
	if s.to == 0 {
		if b.rest == "" {
			return span{}, false
		}
		var seg string
		s.from = len(b.s) - len(b.rest)
		seg, b.rest, _, b.state = uniseg.FirstLineSegmentInString(b.rest, b.state)
		s.to = s.from + len(seg)
	}
	if at := quoteBreak(b.s, s.from, s.to); at > 0 {
		b.cut = span{at, s.to}
		s.to = at
	}
	return s, true
}

// quoteBreak returns the first offset inside (from, to) at which a quotation
// mark beside Chinese text allows a break, or 0.
func quoteBreak(s string, from, to int) int {
	seg := s[from:to]
	if !strings.ContainsAny(seg, "“”‘’") {
		return 0
	}
	before := rune(0)
	for i, r := range seg {
		if i > 0 {
			opens := (r == '“' || r == '‘') && chinese(before) && !forbiddenEnd(before)
			closed := (before == '”' || before == '’') && unicode.Is(unicode.Han, r)
			if opens || closed {
				return from + i
			}
		}
		before = r
	}
	return 0
}

// chinese reports ideographs and the punctuation set with them.
func chinese(r rune) bool {
	return unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x303f || r >= 0xff01 && r <= 0xff60
}

// joined reports whether s[at:end] must stay with the piece that started at from.
func (b *breaker) joined(from, at, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(b.s[from:at])
	first, _ := utf8.DecodeRuneInString(b.s[at:end])
	switch {
	case forbiddenStart(first) && before != ' ', forbiddenEnd(before):
		return true
	case fullWidthWord(before) && fullWidthWord(first):
		return true
	case units[first]:
		return endsInNumber(b.s[from:at])
	}
	return false
}

// endsInNumber reports whether s ends in a digit and at most two unit characters.
func endsInNumber(s string) bool {
	for range 3 {
		r, n := utf8.DecodeLastRuneInString(s)
		if r >= '0' && r <= '9' || r >= '０' && r <= '９' {
			return true
		}
		if !units[r] {
			return false
		}
		s = s[:len(s)-n]
	}
	return false
}

func runeSet(s string) map[rune]bool {
	set := make(map[rune]bool)
	for _, r := range s {
		set[r] = true
	}
	return set
}

var (
	units  = runeSet("秒分时小天日月年周个次条万亿千百倍台元度毫微纳兆级号点字行核位项名人份层钟笔件页步轮处")
	starts = runeSet("。，、；：！？）》」』】〉〕〗〙〛％‰℃°·…—～”’%,.;:!?)]}〞々〻ー")
	ends   = runeSet("（《「『【〈〔〖〘〚“‘([{￥＄＃＠〝")
)

// forbiddenStart and forbiddenEnd: see [breaker]. Latin punctuation is left to
// UAX #14, which knows its context, but for forced breaks.
func forbiddenStart(r rune) bool { return r > 0x7f && r != '—' && starts[r] }

func forbiddenEnd(r rune) bool { return r > 0x7f && ends[r] }

func noStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return starts[r]
}

func noEnd(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return ends[r]
}

func fullWidthWord(r rune) bool {
	return r >= '０' && r <= '９' || r >= 'Ａ' && r <= 'Ｚ' || r >= 'ａ' && r <= 'ｚ' || r == '．' || r == '％'
}
