package answer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/pane/answer"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/view/viewtest"
)

func fresh(t theme.Theme) pane.Pane { return answer.New(t) }

func TestEveryWidth(t *testing.T) { panetest.Sweep(t, fresh) }

// of is a view of a session with just that answer.
func of(markdown string, sentences ...gate.SentenceSource) *view.View {
	s := viewtest.NewScript("s", "", contract.V2)
	return s.Answer(1, event.Answered{Markdown: markdown, Style: event.StyleRendered, Sentences: sentences}).View(text.ZH)
}

// drawn draws a text without styles and the padding at the right.
func drawn(markdown string, w int) []string {
	var out []string
	for _, l := range answer.New(theme.New(theme.Dark, nil)).Lines(w, 60, of(markdown), false) {
		out = append(out, strings.TrimRight(text.Unstyle(l), " "))
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

const long = "连接池（HikariPool-1）已经饱和，等待时间为 1.5秒、错误率 0.02%；“获取连接超时”出现了 3 次，详见《处理手册》（第 2 节）。" +
	"数据库一侧没有慢查询，因此可以排除；但是，上游的网关仍在重试！这会让情况更糟吗？会的：每次重试都占用一个连接，直到三十秒后超时。"

func TestNoLineStartsOrEndsAgainstTheRules(t *testing.T) {
	for _, form := range []string{
		"%", "- %", "1. %", "> %", "## %", "| 现象 | 说明 |\n|---|---|\n| % | % |", "- 甲\n  - 乙\n    - %", "> - %\n>   > %", "**%**", "- [ ] %",
	} {
		markdown := strings.ReplaceAll(form, "%", long)
		for w := 24; w <= 100; w += 5 {
			for _, l := range drawn(markdown, w) {
				for cell := range strings.SplitSeq(l, "│") {
					body := strings.TrimSpace(strings.TrimLeft(cell, " •#"))
					if body == "" {
						continue
					}
					require.NotContains(t, "。，、；：！？）》”％…", string([]rune(body)[:1]), "width %d, %q: %q", w, form, l)
					last := []rune(body)
					require.NotContains(t, "（《“", string(last[len(last)-1:]), "width %d, %q: %q", w, form, l)
				}
			}
			all := strings.ReplaceAll(strings.Join(drawn(markdown, w), "\n"), " ", "")
			for _, whole := range []string{"1.5秒", "0.02%"} {
				require.Contains(t, all, whole, "width %d, %q", w, form)
			}
		}
	}
}

func TestMarkdownIsDrawn(t *testing.T) {
	require.Equal(t, []string{
		" 标题", "", " 一段文字，两行之间没有空格。Latin words keep theirs.", "", " • 甲", " • 乙 粗 斜 代码 删", "   1. 子项", "   2. 子项二",
		"", " │ 引文", "", "   pool: 50", "", " ──────────────────────────────────────────────────────────────────────", "", " 链接 (http://a.example/x) 图 (b.png)",
		"", " 左   │ 右", " ─────┼───", " 甲乙 │  1",
	}, drawn("# 标题\n\n一段文字，\n两行之间没有空格。\nLatin words\nkeep theirs.\n\n- 甲\n- 乙 **粗** *斜* `代码` ~~删~~\n  1. 子项\n  2. 子项二\n\n> 引文\n\n```yaml\npool: 50\n```\n\n---\n\n"+
		"[链接](http://a.example/x) ![图](b.png)\n\n| 左 | 右 |\n|---|--:|\n| 甲乙 |    1 |\n", 72))
}

func TestATableTooWideBecomesRecords(t *testing.T) {
	require.Equal(t, []string{
		" 现象：连接池已经饱和", " 证据：trace-1", " 时间：15:44:10", " 处理：扩容", "", " 现象：获取连接超时", " 证据：trace-2", " 时间：15:44:12", " 处理：回滚",
	}, drawn("| 现象 | 证据 | 时间 | 处理 |\n|---|---|---|---|\n| 连接池已经饱和 | trace-1 | 15:44:10 | 扩容 |\n| 获取连接超时 | trace-2 | 15:44:12 | 回滚 |\n", 26))
}

func TestWhatLooksLikeMarkupIsText(t *testing.T) {
	require.Equal(t, []string{
		` 反斜杠 \ 与 C:\temp\*.log、星号 *，实体 & < >，␛[31m 不变红，&#27; 在代码里`,
		"", ` <script>alert(1)</script>`, "", ` 行内 <b>标签</b> 也是文字`,
	}, drawn("反斜杠 \\\\ 与 C:\\temp\\\\\\*.log、星号 \\*，实体 &amp; &lt; &gt;，&#27;[31m 不变红，`&#27;` 在代码里\n\n<script>alert(1)</script>\n\n行内 <b>标签</b> 也是文字\n", 90))
}

func TestSentencesAreFoundInEveryBlock(t *testing.T) {
	markdown := "# 标题一句。\n\n段落甲。段落乙有**粗体**。\n\n- 列表里的一句。\n\n> 引文里的一句。\n\n| 表头 | 值 |\n|---|---|\n| 单元格里的一句。 | x |\n"
	want := []string{"标题一句。", "段落甲。", "段落乙有**粗体**。", "列表里的一句。", "引文里的一句。", "单元格里的一句。"}
	sources := make([]gate.SentenceSource, 0, len(want))
	for _, s := range want {
		sources = append(sources, viewtest.Sentence(markdown, s, "/hypotheses/0"))
	}
	v := of(markdown, sources...)
	p := answer.New(theme.New(theme.None, nil))
	for w := 21; w < 80; w += 3 {
		lines := p.Lines(w, 40, v, true)
		for i, s := range want {
			start := string([]rune(strings.ReplaceAll(s, "*", ""))[:4])
			found := false
			for y, l := range lines {
				if before, _, ok := strings.Cut(text.Unstyle(l), start); ok {
					require.Equal(t, view.SelectSentence{Sentence: i}, p.Click(text.Width(before)+1, y, v), "%q in %q", start, l)
					found = true
				}
			}
			require.True(t, found, s)
		}
	}
}

func TestKeysWalkTheSentences(t *testing.T) {
	v := viewtest.LowConfid().View(text.ZH)
	p := answer.New(theme.New(theme.None, nil))
	p.Lines(40, 10, v, true)
	var claims []int
	for range 6 {
		i, ok := p.Key(keymap.Down, v)
		require.True(t, ok)
		v.Apply(i)
		p.Sync(v)
		claims = append(claims, v.Sel.Claim)
	}
	require.Equal(t, []int{4, 0, 1, 3, 0, -1}, claims, "the last one comes from no claim")
	require.Equal(t, "F001", v.Finding().Code)
	i, _ := p.Key(keymap.Up, v)
	v.Apply(i)
	require.Equal(t, 0, v.Sel.Claim)
	i, ok := p.Key(keymap.Confirm, v)
	require.True(t, ok)
	require.Equal(t, view.FocusPane{Pane: view.PaneClaims}, i)
}

func TestALongTextIsShownPlain(t *testing.T) {
	require.Contains(t, drawn(strings.Repeat("很长的答复。", 20000), 60)[0], "过长")
}

func TestNestingWithoutEndIsDrawn(t *testing.T) {
	for _, s := range []string{"> ", "- ", "1. ", "* > ", "**", "[", "![", "`", "<", "|", "\\", "~~", "# ", "&", "_*"} {
		for _, n := range []int{30, 900, 20000} {
			v := of(strings.Repeat(s, n/len(s)) + "底")
			panetest.Exact(t, answer.New(theme.New(theme.Dark, nil)).Lines(40, 20, v, true), 40, 20)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, s := range viewtest.HostileStrings() {
		f.Add(s, 30, 0, 5)
	}
	f.Add(viewtest.PassAnswer, 44, 3, 60)
	f.Add(long, 21, 10, 40)
	f.Fuzz(func(t *testing.T, markdown string, w, from, to int) {
		if w < 4 || w > 200 || len(markdown) > 1<<14 {
			return
		}
		v := of(markdown, gate.SentenceSource{Start: from, End: to, Sources: []string{"/claims/0"}})
		for _, kind := range []theme.Kind{theme.Dark, theme.None} {
			p := answer.New(theme.New(kind, nil))
			panetest.Exact(t, p.Lines(w, 30, v, true), w, 30)
			if i, ok := p.Key(keymap.Down, v); ok && i != nil {
				v.Apply(i)
				panetest.Exact(t, p.Lines(w, 30, v, true), w, 30)
			}
		}
	})
}
