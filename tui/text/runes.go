package text

import "unicode"

// class says how a code point may be shown.
type class uint8

const (
	classPlain   class = iota // a grapheme cluster of its own unless a complex one follows
	classComplex              // may join its neighbours: needs segmentation
	classBad                  // invisible, steering or of disputed width: shown as its number
)

// classOf sorts a code point. Bad are controls, formatting characters (bidi,
// zero-width, tags), line separators, noncharacters, default ignorables
// (DerivedCoreProperties.txt, Unicode 15), and characters about whose width
// terminals disagree when they join a cluster: regional indicators, emoji
// modifiers, half-width voicing marks, prepended letters.
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
		r >= 0x3000 && r <= 0x3029, r >= 0x3030 && r <= 0x3096, r >= 0x30a0 && r <= 0x30ff,
		r >= 0xff01 && r <= 0xff60, r >= 0x2010 && r <= 0x2027, r >= 0x2030 && r <= 0x205e,
		r >= 0x2100 && r <= 0x2bff, r >= 0x400 && r <= 0x482, r >= 0x391 && r <= 0x3ff,
		r >= 0xfffc && r <= 0xfffd:
		return classPlain
	case isBad(r):
		return classBad
	case r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
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

func isBad(r rune) bool {
	switch {
	case r >= 0x1f1e6 && r <= 0x1f1ff, r >= 0x1f3fb && r <= 0x1f3ff, r == 0xff9e, r == 0xff9f:
		return true
	case r >= 0xd800 && r <= 0xdfff, r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp, ignorable, prepended)
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

func isMark(r rune) bool { return unicode.Is(unicode.M, r) }
