package grounding

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestFoldLevelsWhatCopyingChanges(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"case", "OOMKilled Straße ΣΊΣΥΦΟΣ σίσυφος", "oomkilled strasse σίσυφοσ σίσυφοσ"},
		{"full width", "ＥＲＲＯＲ：端口８０８０（已占用）", "error:端口8080(已占用)"},
		{"compatibility", "½ 25℃ ﬁle ㎏", "1/2 25°c file kg"},
		{"powers and fractions", "10² 10¹² 1½ ½5 3①", "10 2 10 12 1 1/2 1/2 5 3 1"},
		{"composition", "cafe\u0301 \u1100\u1161\u11a8", "café 각"},
		{"quotes", "“a” ‘b’ «c» 「d」『e』 'f' ＂g＂", `"a""b""c""d""e""f""g"`},
		{"apostrophe", "can’t can't", `can"t can"t`},
		{"dashes", "a–b a—b a−b a‑b a--b a——b", "a-b a-b a-b a-b a-b a-b"},
		{"rules", "a\n-----\nb\n──────\nc", "a b c"},
		{"ellipses", "a… b...... c…… d。e", "a...b...c...d.e"},
		{"two dots", "../etc a..b", "../etc a..b"},
		{"white space", " a\t\t b\r\n\r\n c\u00a0d\u3000e\u2009f ", "a b c d e f"},
		{"zero width", "pay\u200bment\ufeff \u202eabc\u202c a\u00adb ✔\ufe0f", "payment abc ab ✔"},
		{"chinese spacing", "Pod 重启 5 次 ， 原因 : OOM", "pod重启5次,原因:oom"},
		{"json spacing", "{\n  \"a\": 1,\n  \"b\": [ true ]\n}", `{"a":1,"b":[true]}`},
		{"digits stay apart", "1, 5 and 1 ,5 and 10: 30 and v1. 2 and 3 4", "1, 5 and 1 ,5 and 10: 30 and v1. 2 and 3 4"},
		{"json escapes", `a\nb\t\"c\" \\d \/ \u4e2d\u6587 \ud83d\ude80`, `a b"c"\d /中文🚀`},
		{"doubled escapes", `a\\nb \\\"c\\\" \\u4e2d`, `a b"c"中`},
		{"lone halves and cut escapes", `\ud83d x \udc00 \u12 \`, "� x � \\u12 \\"},
		{"python escapes", `\x1b[31mred\x1b[0m \U0001F680 \xe9`, "red 🚀 \\xe9"},
		{"colour", "\x1b[1;31mERROR\x1b[0m \x1b]0;title\x07done \u009b32mok", "error done ok"},
		{"colour in json", `\u001b[31mERROR\u001b[0m`, "error"},
		{"cut colour", "\x1b[31", "[31"},
		{"markdown", "# Title\n> **bold** `code`\n- item\n* item\n| a | b |\n+ plus", "title bold code item item a b plus"},
		{"not markdown", "issue #12 a > b -5 +5 f(-x) C#", "issue #12 a > b -5 +5 f(-x)c#"},
		{"product keeps its factors apart", "5*3", "5 3"},
		{"invalid utf-8", "a\xffb\xe4\xb8", "a\ufffdb\ufffd\ufffd"},
		{"control characters", "a\x00b\x07c\x7fd", "abcd"},
		{"nothing", " \n\u200b**", ""},
	} {
		require.Equal(t, c.want, Fold(c.in), c.name)
	}
}

// foldSeeds are the texts that fuzzing of the fold starts from.
var foldSeeds = []string{
	"plain ascii text with a-b, c.d and 12:30\n", "{\"a\": \"b\\n\\\"c\\\"\"}", "端口８０８０ 已占用。……“好”", "\x1b[31mx\x1b[0m",
	"½ ß ﬁ e\u0301 \u1100\u1161", "\xff\xc3\x28\xe4", `\\\\u4e2d\ud83d\ude80`, "- a\n# b\n> c\n| d |\n---\n", "1 .5 1, 5 1,\u200b5",
	"a\u0338 >\u0338 \\u0301 e\\u0301", "ﷺ ¨ ゛か\u3099", "👩\u200d👧 👍🏽 🇨🇳",
}

func FuzzFold(f *testing.F) {
	for _, s := range foldSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkFold(t, s) })
}

// checkFold asserts that the fold of s is valid, and that its map gives for each
// folded byte a raw range that folds to it.
func checkFold(t *testing.T, s string) {
	f := newFolded([]byte(s))
	require.True(t, utf8.Valid(f.text), "folded text is UTF-8")
	require.Equal(t, Fold(s), string(f.text))
	if len(f.text) == 0 {
		return
	}
	back := tracer{folded: &f}
	back.cover(0, len(f.text))
	inside := insideRunes(s)
	at, raw := 0, 0
	for _, a := range back.atoms {
		require.Equal(t, at, a.fold, "atoms leave no hole")
		require.Less(t, a.fold, a.foldEnd)
		require.LessOrEqual(t, raw, a.raw, "atoms keep the order of the raw text")
		require.LessOrEqual(t, a.rawEnd, len(s))
		if a.copy {
			require.Equal(t, a.foldEnd-a.fold, a.rawEnd-a.raw)
			require.Equal(t, Fold("x"+s[a.raw:a.rawEnd]+"x"), "x"+string(f.text[a.fold:a.foldEnd])+"x")
		}
		require.False(t, inside[a.raw] || inside[a.rawEnd], "atoms end between runes")
		at, raw = a.foldEnd, a.raw
	}
	require.Equal(t, len(f.text), at)
}

// insideRunes says for each offset of s whether it lies inside of the encoding of
// a rune.
func insideRunes(s string) []bool {
	inside := make([]bool, len(s)+1)
	for at, r := range s {
		if _, n := utf8.DecodeRuneInString(s[at:]); r != utf8.RuneError {
			for i := at + 1; i < at+n; i++ {
				inside[i] = true
			}
		}
	}
	return inside
}
