package text

import "unicode"

// class says how a code point may be shown.
type class uint8

const (
	classPlain   class = iota // a grapheme cluster of its own unless a complex one follows
	classComplex              // may join its neighbours: needs segmentation
	classBad                  // invisible, steering or of disputed width: shown as its number
)

// classOf sorts a code point. Bad are those that must not or cannot be seen:
// controls, formatting characters (bidi, zero-width, tags), line separators,
// unassigned code points, default ignorables (DerivedCoreProperties.txt, Unicode
// 15); and those about whose width the renderer and terminals disagree, measured
// against tmux 3.3a: regional indicators, emoji modifiers, half-width voicing
// marks, prepended letters, spacing marks, lone Hangul vowels and finals, symbols
// that Unicode 16 made wide, and the rare scripts beyond the BMP.
func classOf(r rune) class {
	switch {
	case r < 0x7f:
		if r < 0x20 {
			return classBad
		}
		return classPlain
	case r < 0xa0:
		return classBad
	case r < 0x300:
		if r == 0xad {
			return classBad
		}
		return classPlain
	case r >= 0x4e00 && r <= 0x9fff, r >= 0x3400 && r <= 0x4dbf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0x3000 && r <= 0x3029, r >= 0x3041 && r <= 0x3096, r >= 0x30a0 && r <= 0x30ff,
		r >= 0xff01 && r <= 0xff60, r >= 0x2010 && r <= 0x2027, r >= 0x2030 && r <= 0x205e,
		r >= 0x2190 && r <= 0x2426, r >= 0x2460 && r <= 0x262f, r >= 0x2690 && r <= 0x2b73,
		r >= 0x400 && r <= 0x482, r >= 0x391 && r <= 0x3a1, r >= 0x3a3 && r <= 0x3ff:
		return classPlain
	case isBad(r):
		return classBad
	case r >= 0x1f000, r == 0xfffd, r >= 0x2100 && r <= 0x2bff:
		return classPlain
	default:
		return classComplex
	}
}

// prepended are the letters with Grapheme_Cluster_Break=Prepend that are not
// format characters (GraphemeBreakProperty.txt, Unicode 15): they would swallow
// the cell after them.
var prepended = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0d4e, Hi: 0x0d4e, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x110bd, Hi: 0x110bd, Stride: 1}, {Lo: 0x110cd, Hi: 0x110cd, Stride: 1},
		{Lo: 0x111c2, Hi: 0x111c3, Stride: 1}, {Lo: 0x113d1, Hi: 0x113d1, Stride: 1},
		{Lo: 0x1193f, Hi: 0x1193f, Stride: 1}, {Lo: 0x11941, Hi: 0x11941, Stride: 1},
		{Lo: 0x11a3a, Hi: 0x11a3a, Stride: 1}, {Lo: 0x11a84, Hi: 0x11a89, Stride: 1},
		{Lo: 0x11d46, Hi: 0x11d46, Stride: 1}, {Lo: 0x11f02, Hi: 0x11f02, Stride: 1},
	},
}

// ignorable are default ignorable code points outside categories Cf and Cc.
var ignorable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, {Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, {Lo: 0x180b, Hi: 0x180f, Stride: 1},
		{Lo: 0x2060, Hi: 0x206f, Stride: 1}, {Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xfe00, Hi: 0xfe0d, Stride: 1}, {Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, {Lo: 0xfff0, Hi: 0xfff8, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}},
}

// disputed are assigned code points that terminals of different age or taste
// draw in different widths.
var disputed = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x2630, Hi: 0x2637, Stride: 1}, {Lo: 0x268a, Hi: 0x268f, Stride: 1},
		{Lo: 0x3248, Hi: 0x324f, Stride: 1}, {Lo: 0x4dc0, Hi: 0x4dff, Stride: 1},
		{Lo: 0xff9e, Hi: 0xff9f, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f1e6, Hi: 0x1f1ff, Stride: 1}, {Lo: 0x1f3fb, Hi: 0x1f3ff, Stride: 1},
		// New in Unicode 15 (2022).
		{Lo: 0x1f6dc, Hi: 0x1f6dc, Stride: 1}, {Lo: 0x1f774, Hi: 0x1f77f, Stride: 1}, {Lo: 0x1f7d9, Hi: 0x1f7d9, Stride: 1},
		{Lo: 0x1fa75, Hi: 0x1fa77, Stride: 1}, {Lo: 0x1fa87, Hi: 0x1fa88, Stride: 1}, {Lo: 0x1faad, Hi: 0x1faaf, Stride: 1},
		{Lo: 0x1fabb, Hi: 0x1fabf, Stride: 1}, {Lo: 0x1face, Hi: 0x1facf, Stride: 1}, {Lo: 0x1fada, Hi: 0x1fadb, Stride: 1},
		{Lo: 0x1fae8, Hi: 0x1fae8, Stride: 1}, {Lo: 0x1faf7, Hi: 0x1faf8, Stride: 1},
	},
}

func isBad(r rune) bool {
	if r > 0xffff && (r < 0x1d400 || r > 0x1d7ff) && (r < 0x1f000 || r > 0x1faff) && (r < 0x20000 || r > 0x3fffd) {
		return true
	}
	if !unicode.IsPrint(r) && !unicode.In(r, unicode.Zs, unicode.Co) {
		return true
	}
	return unicode.In(r, unicode.Mc, ignorable, prepended, disputed)
}

// isVariation reports the text and emoji presentation selectors, which change
// how a symbol is drawn and, in some terminals only, its width.
func isVariation(r rune) bool { return r == 0xfe0e || r == 0xfe0f }

// emojiBase reports code points after which a presentation selector is ordinary.
func emojiBase(r rune) bool {
	return r == '#' || r == '*' || r >= '0' && r <= '9' || r == 0xa9 || r == 0xae ||
		r >= 0x203c && r <= 0x2bff || r == 0x3030 || r == 0x303d || r == 0x3297 || r == 0x3299 ||
		r >= 0x1f000 && r <= 0x1faff
}

// isMark reports combining marks that take no cell.
func isMark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) }

// Conjoining Hangul: an initial takes two cells, vowels and finals none.
func hangulInitial(r rune) bool {
	return r >= 0x1100 && r <= 0x115e || r >= 0xa960 && r <= 0xa97c
}

func hangulTail(r rune) bool { return r >= 0x1161 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7fb }

// cluster follows the code points of a grapheme cluster and says of each what
// becomes of it, so that what is left is as wide as the sum of its parts: a base
// with few marks, or a Hangul syllable.
type cluster struct {
	base           rune
	runes, marks   int
	hangul, spoilt bool // spoilt: nothing more may attach
}

// fate is what becomes of a code point.
type fate uint8

const (
	keep   fate = iota
	drop        // shows nothing and changes nothing
	number      // shown as its number
)

func (c *cluster) next(r rune) fate {
	first := c.runes == 0
	c.runes++
	if first {
		c.base, c.hangul = r, hangulInitial(r) || r >= 0xac00 && r <= 0xd7a3
		c.spoilt = classOf(r) == classBad || isMark(r) || hangulTail(r)
	} else {
		switch {
		case isVariation(r):
			if !c.spoilt && c.runes == 2 && emojiBase(c.base) {
				// It draws the same symbol, and terminals disagree on its width.
				return drop
			}
			c.spoilt = true
		case isMark(r):
			c.marks++
			c.spoilt = c.spoilt || c.marks > maxMarks
		case hangulTail(r):
			c.spoilt = c.spoilt || !c.hangul || c.runes > maxHangul
		default:
			c.spoilt = true
		}
	}
	if c.spoilt {
		return number
	}
	return keep
}
