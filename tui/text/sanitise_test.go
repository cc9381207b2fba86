package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile is a corpus of text that must not reach a terminal as it is.
var hostile = []string{
	"\x1b[2J\x1b[1;1H", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "\x1b]52;c;AAAA\x07",
	"\x1bPq#0\x1b\\", "\x1b_apc\x1b\\", "\x9b31mred", "\xc2\x9b31m", "\xc2\x9d0;t\xc2\x9c", "\x1b", "\x1bc",
	"a\rb", "a\bb", "\x07\x0b\x0c\x0e\x0f\x00\x7f", "\u202eabc\u202c", "\u2066x\u2069\u200e\u200f\u061c",
	"\u200b\u200c\u200d\u2060\ufeff", "\U000e0041\U000e007f", "\xff\xfe\xc3", "\xed\xa0\x80\xed\xbf\xbf", "\xf8\x88\x80\x80\x80",
	"e" + strings.Repeat("\u0301", 500), strings.Repeat("\u0489", 40), "👨\u200d👩\u200d👧\u200d👦", "👍🏽🇨🇳❤\ufe0f", "1\ufe0f\u20e3",
	strings.Repeat("\u1100", 100), strings.Repeat("\u0915\u094d", 100), "\u2028\u2029\u0085", "\u00ad\u034f\u3164\uffa0",
	"\U0001d173\ufff9x\ufffb", "\ufdd0\uffff", "中\ufe0f文\u0301\u0301\u0301\u0301", "\u0d4ex", "ｶﾞ", "\t\n\r\n",
}

// safe reports whether s holds nothing that steers a terminal or hides.
func safe(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || classOf(r) == classBad || isVariation(r)) {
			return false
		}
	}
	return true
}

func TestHostileTextIsMadeVisible(t *testing.T) {
	for _, s := range hostile {
		got := Sanitise(s)
		assert.True(t, safe(got), "%q became %q", s, got)
		assert.NotContains(t, SanitiseLine(s), "\n")
	}
	for in, want := range map[string]string{
		"\x1b[31mx":                 "␛[31mx",
		"\x9b":                      `\x9b`,
		"a\u202eb":                  "a⟪U+202E⟫b",
		"\xed\xa0\x80":              "⟪U+D800⟫",
		"\xc2\x9b":                  "⟪U+009B⟫",
		"\U000e0041":                "⟪U+E0041⟫",
		"a\x00\x7f\r":               "a␀␡␍",
		"a\tb":                      "a   b",
		"中\tb":                      "中  b",
		"x\n\tb":                    "x\n    b",
		"⚠\ufe0f 警告":                "⚠ 警告",
		"中\ufe0f":                   "中⟪U+FE0F⟫",
		"e\u0301":                   "e\u0301",
		"कि":                        "क⟪U+093F⟫",
		"क्ष":                       "क्⟪U+0937⟫",
		"\u1112\u1161\u11ab":        "\u1112\u1161\u11ab",
		"\u1161":                    "⟪U+1161⟫",
		"\u1100\u1100":              "\u1100⟪U+1100⟫",
		"☰🔥\U0001fae8\U00012000":    "⟪U+2630⟫🔥⟪U+1FAE8⟫⟪U+12000⟫",
		"\u0301":                    "⟪U+0301⟫",
		"👨\u200d👩":                  "👨⟪U+200D⟫👩",
		"e\u0301\u0301\u0301\u0301": "e\u0301\u0301\u0301⟪U+0301⟫",
	} {
		assert.Equal(t, want, Sanitise(in), "%q", in)
	}
	assert.Equal(t, "a␊b␉c", SanitiseLine("a\nb\tc"))
}

func TestCleanTextIsNotCopied(t *testing.T) {
	for _, s := range []string{"", "plain ascii, 3 lines\nof it\n", "连接池已满，active=50/50。é 한글 “ok” ✓ 🔥"} {
		assert.Equal(t, s, Sanitise(s))
		assert.Zero(t, testing.AllocsPerRun(20, func() { Sanitise(s) }), s)
	}
}

func TestOffsetsAreMappedToTheByte(t *testing.T) {
	raw := "ab\x1b[1m连\u202e接\x00\x01z"
	z := Map(raw, Options{})
	require.Equal(t, "ab␛[1m连⟪U+202E⟫接␀␁z", z.Text)
	for _, part := range []struct{ raw, shown string }{
		{"ab", "ab"}, {"\x1b", "␛"}, {"连", "连"}, {"\u202e", "⟪U+202E⟫"}, {"接", "接"}, {"\x00", "␀"}, {"\x01", "␁"}, {"z", "z"},
		{"连\u202e接", "连⟪U+202E⟫接"},
	} {
		at := strings.Index(raw, part.raw)
		from, to := z.Span(at, at+len(part.raw))
		assert.Equal(t, part.shown, z.Text[from:to])
		assert.Equal(t, at, z.ToSource(from))
		assert.Equal(t, at+len(part.raw), z.ToSource(to))
	}
	// A span that cuts a replaced character shows all of it.
	at := strings.Index(raw, "\u202e")
	from, to := z.Span(at+1, at+2)
	assert.Equal(t, "⟪U+202E⟫", z.Text[from:to])
	assert.Equal(t, len(raw), z.SourceLen())
	assert.Equal(t, len(z.Text), int(z.outLen))
}

func TestWidthTablesAgreeWithTheRenderer(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if w := simpleWidth(r); w > 0 {
			require.Equal(t, w, ansi.StringWidth(string(r)), "%U", r)
		}
		if utf8.ValidRune(r) && classOf(r) == classPlain {
			require.Equal(t, ansi.StringWidth(string(r))+1, ansi.StringWidth("a"+string(r)), "%U joins what is before it", r)
			require.Equal(t, ansi.StringWidth(string(r))+1, ansi.StringWidth(string(r)+"│"), "%U joins what is after it", r)
		}
	}
}

func FuzzSanitise(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, true, 4)
	}
	f.Fuzz(func(t *testing.T, s string, lines bool, tab int) {
		o := Options{Lines: lines, Tab: min(max(tab, 0), 16)}
		z := Map(s, o)
		require.True(t, safe(z.Text), "%q", z.Text)
		require.False(t, !lines && strings.Contains(z.Text, "\n"), "newlines are kept only if asked for")
		again := Map(z.Text, o)
		require.Equal(t, z.Text, again.Text, "what is clean stays as it is")
		require.Equal(t, ansi.StringWidth(z.Text), Width(z.Text))
		if !strings.Contains(z.Text, "\n") {
			require.Equal(t, Width(z.Text)+2, ansi.StringWidth("│"+z.Text+"│"), "text never swallows a border")
		}
		require.Equal(t, len(s), z.SourceLen())
		require.Equal(t, len(z.Text), int(z.outLen))
		dropped := strings.ContainsAny(s, "\ufe0e\ufe0f") // the only code points shown as nothing
		last := 0
		for i := 0; i <= len(s); i++ {
			p := z.ToShown(i)
			if p < last || !dropped && z.ToSource(p) > i || p > z.ToShownEnd(i)+len("⟪U+10FFFF⟫") {
				t.Fatalf("offset %d of %q goes to %d", i, s, p)
			}
			last = p
		}
		for i := 0; i < len(s) && !dropped; i++ {
			from, to := z.Span(i, i+1)
			if from >= to || z.ToSource(from) > i || z.ToSource(to) < i+1 {
				t.Fatalf("byte %d of %q is shown at [%d,%d)", i, s, from, to)
			}
		}
	})
}
