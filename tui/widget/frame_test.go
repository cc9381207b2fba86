package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/tui/text"
)

func unstyled(s string) string { return text.Unstyle(s) }

func checkLines(t *testing.T, lines []string, w, h int) {
	t.Helper()
	require.Len(t, lines, h)
	for i, l := range lines {
		require.Equal(t, w, ansi.StringWidth(l), "row %d: %q", i, l)
		require.True(t, onlySGR(l), "row %d: %q", i, l)
	}
}

func TestFrame(t *testing.T) {
	f := Frame{Title: "2 Claims", Status: "3/5", Footer: "12%"}
	assert.Equal(t, []string{
		"┌ 2 Claims ──── 3/5 ┐",
		"│连接池             │",
		"│0123456789012345678│",
		"└────────────── 12% ┘",
	}, f.Lines([]string{"连接池", "0123456789012345678"}, 21, 4))
	f.Focused = true
	assert.Equal(t, "┏ 2 Clai… ┓", f.Lines(nil, 11, 3)[0])
	f.SetStyles(FrameStyles{Border: style("1"), BorderFocused: style("2"), Title: style("3"), TitleFocused: style("4"), Status: style("5")})
	for w := 1; w < 100; w++ {
		f.Title, f.Status = "标题 "+strings.Repeat("很长", w%20), style("3").Render("状态")
		checkLines(t, f.Lines([]string{style("2").Render("连接池已满🔥"), "x"}, w, 1+w%7), w, 1+w%7)
	}
	w, h := f.Inner(10, 2)
	assert.Equal(t, [2]int{8, 1}, [2]int{w, h})
}

func TestPuttingBlocksTogether(t *testing.T) {
	a, b := Block([]string{"a", "连接"}, 3, 2), Block([]string{"b"}, 2, 2)
	assert.Equal(t, []string{"a  b ", "连…  "}, Beside(a, b))
	assert.Equal(t, []string{"a  ", "连…", "b ", "  "}, Below(a, b))
	assert.Nil(t, Beside())
	lines, x, y := Over([]string{"0123456789", "连接池连接", style("3").Render("abcdefghij"), "0"}, []string{"[x]", "[y]"}, 10)
	assert.Equal(t, []string{"0123456789", "连 [x] 连接"[:4] + "[x]连接", "abc[y]ghij", "0"}, []string{lines[0], "连 [x]连接", unstyled(lines[2]), lines[3]})
	assert.Equal(t, "连 [x]连接", lines[1])
	assert.Equal(t, [2]int{3, 1}, [2]int{x, y})
	same, _, _ := Over([]string{"a"}, nil, 1)
	assert.Equal(t, []string{"a"}, same)
}

func TestSplit(t *testing.T) {
	assert.Equal(t, []int{20, 40, 60}, Split(120, Part{Min: 20}, Part{Min: 10, Weight: 2, Max: 40}, Part{Min: 10, Weight: 1}))
	assert.Equal(t, []int{33, 33, 34}, Split(100, Part{Weight: 1}, Part{Weight: 1}, Part{Weight: 1}))
	assert.Equal(t, []int{30, 0, 10}, Split(40, Part{Min: 20, Weight: 1}, Part{Min: 30, Weight: 5}, Part{Min: 10}))
	assert.Equal(t, []int{5, 5}, Split(100, Part{Weight: 1, Max: 5}, Part{Weight: 1, Max: 5}), "all at their most")
	assert.Equal(t, []int{0}, Split(-3, Part{Weight: 1}))
	for total := range 300 {
		sum := 0
		for _, n := range Split(total, Part{Min: 7, Weight: 3, Max: 50}, Part{Min: 11, Weight: 2}, Part{Weight: 7, Max: 90}) {
			sum += n
		}
		require.Equal(t, total, sum)
	}
}

func TestTabBar(t *testing.T) {
	labels := []string{"1 流程", "2 结论", "3 JSON", "4 答复"}
	line, spans := TabBar(labels, 1, 40, TabStyles{})
	assert.Equal(t, " 1 流程 [2 结论] 3 JSON  4 答复         ", line)
	assert.Equal(t, [2]int{8, 16}, spans[1])
	for w := range 60 {
		for active := range labels {
			line, spans := TabBar(labels, active, w, TabStyles{Active: style("1"), Tab: style("2")})
			require.Equal(t, w, text.Width(line))
			require.Equal(t, w > 0, spans[active][1] > spans[active][0], "the active one is in sight")
		}
	}
	line, _ = TabBar(nil, 0, 3, TabStyles{})
	assert.Equal(t, "   ", line)
}

func TestListAndWindow(t *testing.T) {
	var l List
	l.SetHeight(5)
	assert.Equal(t, -1, l.Cursor())
	l.SetTotal(20)
	l.Do(MovePageDown)
	l.Do(MoveDown)
	assert.Equal(t, 5, l.Cursor())
	from, to := l.Range()
	assert.Equal(t, [2]int{1, 6}, [2]int{from, to})
	item, ok := l.Click(1)
	assert.True(t, ok)
	assert.Equal(t, 2, item)
	_, ok = l.Click(7)
	assert.False(t, ok)
	l.Do(MoveEnd)
	assert.Equal(t, 19, l.Cursor())
	l.SetTotal(3)
	assert.Equal(t, 2, l.Cursor())
	from, to = l.Range()
	assert.Equal(t, [2]int{0, 3}, [2]int{from, to})
	l.Do(MoveHome)
	l.Do(MoveHalfDown)
	l.Do(MoveHalfUp)
	l.Do(MovePageUp)
	l.Do(MoveLeft)
	assert.Equal(t, 0, l.Cursor())

	var w Window
	w.SetHeight(4)
	w.SetTotal(10)
	w.Do(MoveEnd)
	from, to = w.Range()
	assert.Equal(t, [2]int{6, 10}, [2]int{from, to})
	w.Reveal(2, 9)
	from, _ = w.Range()
	assert.Equal(t, 2, from)
	w.Scroll(-100)
	w.Do(MoveDown)
	from, _ = w.Range()
	assert.Equal(t, 1, from)
}

func TestInput(t *testing.T) {
	in := NewInput("/", "连接池 full")
	assert.Equal(t, "/连接池 full\x1b[7m \x1b[0m     ", in.Line(18))
	for _, k := range []string{"ctrl+w", "backspace", "backspace", "left"} {
		assert.True(t, in.Key(k))
	}
	assert.Equal(t, "连接", in.Value())
	assert.Equal(t, "/连\x1b[7m接\x1b[0m  ", in.Line(7))
	in.Insert("\x1b[2J\n\tx")
	assert.Equal(t, "连␛[2J  x接", in.Value())
	for _, k := range []string{"home", "delete", "right", "end", "left", "alt+left", "ctrl+k", "alt+right", "ctrl+u"} {
		assert.True(t, in.Key(k), k)
	}
	assert.Equal(t, "", in.Value())
	assert.False(t, in.Key("x"))
	in.SetValue("one two  three")
	in.Key("alt+left")
	in.Key("alt+left")
	in.Key("alt+right")
	in.Insert("!")
	assert.Equal(t, "one two!  three", in.Value())
	in.Insert(strings.Repeat("长", maxInput))
	in.Insert(strings.Repeat("长", maxInput))
	assert.LessOrEqual(t, len(in.Value()), maxInput+64)
	for w := range 40 {
		require.Equal(t, w, ansi.StringWidth(in.Line(w)))
	}
	in.SetStyles(style("1"), TextStyles{}.Text)
	in.SetValue("x")
	assert.Equal(t, "x▏   ", unstyled(in.Line(6))[1:])
}
