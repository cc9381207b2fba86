package grounding

import "unicode"

// ASCII tables of the fold. A byte that is 0 in plainASCII needs a closer look.
var (
	plainASCII [256]byte // the folded form of a byte that always stands for itself
	swallowing [256]bool // folded bytes that take no white space beside them
	wordStart  [256]bool // raw bytes that fold to themselves and keep white space
	digitByte  [256]bool
)

func init() {
	for _, c := range []byte(`,.:;!?()[]{}"`) {
		swallowing[c] = true
	}
	for c := byte('!'); c <= '~'; c++ {
		switch c {
		case '-', '.', '\\', '*', '`', '|', '#', '>', '+':
			continue
		case '\'':
			plainASCII[c] = '"'
		default:
			plainASCII[c] = lowerASCII(c)
		}
		wordStart[c] = !swallowing[plainASCII[c]]
		digitByte[c] = c >= '0' && c <= '9'
	}
}

func lowerASCII(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// swallows reports whether a folded rune takes no white space beside it:
// punctuation, because full-width marks carry their space with them and JSON is
// printed with and without it, and Chinese and Japanese writing, which has none.
func swallows(r rune) bool {
	if r < 0x80 {
		return swallowing[byte(r)]
	}
	return isCJK(r)
}

// isCJK reports whether r belongs to a writing that does not put spaces between
// words: Han, Hiragana, Katakana and their punctuation.
func isCJK(r rune) bool {
	return r >= 0x2E80 && (r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 && r <= 0x3FFFF)
}

// dropped stands in the result of special for a rune that folds to nothing.
const dropped = 0x01

// special gives the ASCII character that a rune outside ASCII is folded like:
// ' ' for white space and marks of layout, [dropped] for runes that are not
// seen, 0 for a rune that is not special.
func special(r rune) byte {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF:
		return 0
	case r >= 0xFF01 && r <= 0xFF5E: // full-width forms of ASCII
		return byte(r - 0xFF01 + '!')
	case r >= 0x2500 && r <= 0x257F: // lines of drawn tables
		return ' '
	case r >= 0x2000 && r <= 0x206F:
		return generalPunctuation(r)
	case r >= 0x3000 && r <= 0x303F:
		return cjkPunctuation(r)
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF: // variation selectors
		return dropped
	}
	switch r {
	case 0x85, 0xA0, 0x1680:
		return ' '
	case 0x25CF, 0x25E6, 0x25AA, 0x25CB: // ● ◦ ▪ ○
		return ' '
	case 0xAD, 0x34F, 0x61C, 0x180E, 0xFEFF:
		return dropped
	case 0xAB, 0xBB, 0xB4, 0x2BC, 0x2B9, 0x2BB, 0x2BD: // « » ´ and letters that look like quotes
		return '"'
	case 0x2212, 0xFE58, 0xFE63: // −, small and compatibility forms
		return '-'
	case 0x22EF: // ⋯
		return '.'
	case 0x2215:
		return '/'
	case 0x223C:
		return '~'
	case 0xFF61: // ｡
		return '.'
	case 0xFF62, 0xFF63: // ｢ ｣
		return '"'
	case 0xFF64: // ､
		return ','
	}
	if r >= 0x80 && r <= 0x9F {
		return dropped
	}
	return 0
}

// generalPunctuation is special for U+2000 to U+206F.
func generalPunctuation(r rune) byte {
	switch {
	case r <= 0x200A, r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F:
		return ' '
	case r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return dropped
	case r >= 0x2010 && r <= 0x2015:
		return '-'
	case r >= 0x2018 && r <= 0x201F, r >= 0x2032 && r <= 0x2037, r == 0x2039, r == 0x203A:
		return '"'
	case r == 0x2022: // •
		return ' '
	case r >= 0x2024 && r <= 0x2026: // one to three dots
		return '.'
	case r == 0x2044:
		return '/'
	}
	return 0
}

// cjkPunctuation is special for U+3000 to U+303F.
func cjkPunctuation(r rune) byte {
	switch r {
	case 0x3000:
		return ' '
	case 0x3001: // 、
		return ','
	case 0x3002: // 。
		return '.'
	case 0x300C, 0x300D, 0x300E, 0x300F, 0x301D, 0x301E, 0x301F: // 「」『』〝〞〟
		return '"'
	case 0x3010, 0x3014, 0x3016, 0x3018, 0x301A: // 【〔〖〘〚
		return '['
	case 0x3011, 0x3015, 0x3017, 0x3019, 0x301B: // 】〕〗〙〛
		return ']'
	case 0x301C, 0x3030: // 〜 〰
		return '~'
	}
	return 0
}

// dots is how many dots a rune shows: 3 for an ellipsis, 0 for most.
func dots(r rune) int {
	switch r {
	case '.', 0x2024:
		return 1
	case 0x2025:
		return 2
	case 0x2026, 0x22EF:
		return 3
	}
	return 0
}

// foldCase is the case folding of one rune outside ASCII, by way of the upper
// case so that letters with several lower forms (σ, ς) meet.
func foldCase(r rune) rune {
	if isCJK(r) {
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}
