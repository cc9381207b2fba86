package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const prose = "支付服务在10:21:05之后出现大量超时，失败率为0.02%（此前为0.001%），延迟抖动±1.5秒；他说“连接池已满”……随后错误码E-4与ERR-500交替出现，" +
	"共计12万次。详见《排障手册》第３章：“HikariPool-1 - Connection is not available, request timed out after 30000ms.”，２００ｍｓ以内。"

// kept are pieces of prose that no line break may cut.
var kept = []string{"0.02%", "±1.5秒", "E-4", "12万次", "10:21:05", "２００ｍｓ", "30000ms"}

func lines(ls []Line) []string {
	var out []string
	for _, l := range ls {
		out = append(out, l.String())
	}
	return out
}

func TestWrapRespectsChineseRules(t *testing.T) {
	for cells := 14; cells <= 120; cells++ {
		ls := Wrap(prose, cells)
		joined := ""
		for i, l := range ls {
			require.LessOrEqual(t, Width(l.Text), cells)
			require.Equal(t, prose[l.Start:l.End], l.Text)
			first, _ := utf8.DecodeRuneInString(l.Text)
			last, _ := utf8.DecodeLastRuneInString(l.Text)
			require.NotContains(t, "。，、；：！？）》」』】…%”", string(first), "line %d at %d cells: %q", i, cells, l.Text)
			require.NotContains(t, "（《「『【“", string(last), "line %d at %d cells: %q", i, cells, l.Text)
			joined += l.Text + "|"
		}
		for _, k := range kept {
			require.Contains(t, joined, k, "at %d cells", cells)
		}
	}
}

func TestWrapBreaksWhereExpected(t *testing.T) {
	assert.Equal(t, []string{""}, lines(Wrap("", 10)))
	assert.Equal(t, []string{"a", "", "b"}, lines(Wrap("a\n\nb", 10)))
	assert.Equal(t, []string{"hello", "world"}, lines(Wrap("hello world", 8)))
	assert.Equal(t, []string{"连接池", "已满。"}, lines(Wrap("连接池已满。", 7)))
	assert.Equal(t, []string{"aaaa", "aaaa", "aa b"}, lines(Wrap("aaaaaaaaaa b", 4)), "a long token is cut")
	assert.Equal(t, []string{"aaa", "a。b"}, lines(Wrap("aaaa。b", 4)), "but not before a full stop")
	assert.Equal(t, []string{"- one", "  two", "  three"}, lines(WrapHanging("- one two three", 7, 2)))
	assert.Equal(t, []string{"中", "文"}, lines(Wrap("中文", 1)), "a cluster wider than the line stands alone")
	assert.Equal(t, []string{"他说", "“连接", "池”已", "满"}, lines(Wrap("他说“连接池”已满", 6)))
}

func TestWrapStyledCarriesStyles(t *testing.T) {
	got := WrapStyled("a \x1b[1mbold text\x1b[0m end", 6, 0)
	assert.Equal(t, []string{"a \x1b[1mbold\x1b[0m", "\x1b[1mtext\x1b[0m", "end"}, []string{got[0], got[1], got[2]})
	assert.Equal(t, []string{"one", "  two"}, WrapStyled("one two", 5, 2))
}

func TestCutting(t *testing.T) {
	assert.Equal(t, "abc", Truncate("abc", 3, "…"))
	assert.Equal(t, "ab…", Truncate("abcd", 3, "…"))
	assert.Equal(t, "连…", Truncate("连接池", 4, "…"))
	assert.Equal(t, "", Truncate("abc", 0, "…"))
	assert.Equal(t, "…", Truncate("abc", 1, "…"))
	assert.Equal(t, "\x1b[1mab…\x1b[0m", Truncate("\x1b[1mabcd\x1b[0m", 3, "…"))
	assert.Equal(t, "\x1b[1mabc\x1b[0m", Truncate("\x1b[1mabc\x1b[0m", 3, "…"))
	assert.Equal(t, "连 ", Pad("连接", 3))
	assert.Equal(t, "ab  ", Pad("ab", 4))
	assert.Equal(t, "  ab", PadLeft("ab", 4))
	assert.Equal(t, " b", Cut("中b", 1, 3))
	assert.Equal(t, " ", Cut("中b", 1, 2))
	assert.Equal(t, "中 ", Cut("中文", 0, 3))
	assert.Equal(t, "\x1b[1mbc\x1b[0m", Cut("\x1b[1mabcd\x1b[0m", 1, 3))
	assert.Equal(t, "", Cut("abc", 5, 9))
	assert.Equal(t, "plain", Unstyle("\x1b[1mpl\x1b[0main"))
	assert.Len(t, Spaces(300), 300)
}

func TestLabels(t *testing.T) {
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	assert.Equal(t, ZH, LangFromEnv(env(map[string]string{"LANG": "zh_CN.UTF-8"})))
	assert.Equal(t, ZH, LangFromEnv(env(map[string]string{"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "en_US"})))
	assert.Equal(t, EN, LangFromEnv(env(map[string]string{"LC_ALL": "C", "LANG": "zh_CN"})))
	assert.Equal(t, EN, LangFromEnv(env(nil)))
	l := Label{ZH: "是", EN: "yes"}
	assert.Equal(t, "是", l.In(ZH))
	assert.Equal(t, "yes", l.In(ZH.Other()))
	assert.False(t, Label{EN: "x"}.Complete())
	for in, want := range map[string]Lang{"zh": ZH, "en": EN, "zh-Hans": ZH, "EN_us": EN} {
		got, ok := ParseLang(in)
		assert.True(t, ok)
		assert.Equal(t, want, got)
	}
	_, ok := ParseLang("fr")
	assert.False(t, ok)
	assert.Equal(t, "zh en", ZH.String()+" "+EN.String())
}

func FuzzWrap(f *testing.F) {
	f.Add(prose, 20, 2)
	f.Add("aaaaaaaaaaaaaaaaaaaa。。。。。。", 3, 0)
	for _, s := range hostile {
		f.Add(s, 5, 1)
	}
	f.Fuzz(func(t *testing.T, s string, cells, hang int) {
		s = Sanitise(s)
		cells = 1 + abs(cells)%200
		end := 0
		for _, l := range WrapHanging(s, cells, hang) {
			require.Equal(t, s[l.Start:l.End], l.Text)
			require.GreaterOrEqual(t, l.Start, end)
			require.Empty(t, strings.Trim(s[end:l.Start], " \n"), "nothing but blanks is lost between lines")
			end = l.End
			if w := Width(l.String()); w > cells {
				c, _ := FirstCluster(l.Text)
				require.Equal(t, l.Text, c, "only a single cluster may overflow")
			}
		}
		require.Empty(t, strings.Trim(s[end:], " \n"))
		require.Equal(t, lines(WrapHanging(s, cells, hang)), WrapStyled(s, cells, hang))
		styled := WrapStyled("\x1b[1m"+s+"\x1b[0m", cells, hang)
		for i, l := range WrapHanging(s, cells, hang) {
			require.Equal(t, l.String(), Unstyle(styled[i]))
		}
	})
}

func FuzzCut(f *testing.F) {
	for _, s := range append(hostile, prose) {
		f.Add(s, 3, 9)
	}
	f.Fuzz(func(t *testing.T, s string, from, to int) {
		s = SanitiseLine(s)
		from, to = abs(from)%300, abs(to)%300
		w := Width(s)
		require.Equal(t, max(0, min(to, w)-from), Width(Cut(s, from, to)), "%q", Cut(s, from, to))
		require.Equal(t, to, Width(Pad(s, to)))
		require.Equal(t, to, ansi.StringWidth(Fit("\x1b[7m"+s+"\x1b[0m", to, "…")))
		require.LessOrEqual(t, Width(Truncate(s, to, "……")), to)
		require.Equal(t, Cut(s, from, to), Unstyle(Cut("\x1b[1m"+s+"\x1b[0m", from, to)))
		if w <= to {
			require.Equal(t, s, Truncate(s, to, "…"))
		}
	})
}

func abs(n int) int { return int(uint(n) & 0x7fffffff) }

func BenchmarkSanitiseChinese(b *testing.B) {
	s := strings.Repeat(prose, 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Sanitise(s)
	}
}

func BenchmarkSanitiseASCII(b *testing.B) {
	s := strings.Repeat("2026-01-02T03:04:05Z INFO pool active=50 idle=0 ", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Sanitise(s)
	}
}

func BenchmarkWidthChinese(b *testing.B) {
	s := strings.Repeat(prose, 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Width(s)
	}
}

func BenchmarkWrapChinese(b *testing.B) {
	s := strings.Repeat(prose, 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Wrap(s, 80)
	}
}
