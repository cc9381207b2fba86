package widget

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/tui/text"
)

var colours = func() *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI256)
	return r
}()

func style(code string) lipgloss.Style { return colours.NewStyle().Foreground(lipgloss.Color(code)) }

func styles() TextStyles {
	s := TextStyles{LineNumber: style("8"), Escape: style("5"), ScrollBar: style("8"), ScrollThumb: style("7"), Classes: map[Class]lipgloss.Style{}}
	for c := ClassSearch; c < classCount; c++ {
		s.Classes[c] = style(fmt.Sprint(100 + int(c)))
	}
	return s
}

func view(s string, w, h int) *TextView {
	v := NewTextView(NewSourceString(s))
	v.SetStyles(styles())
	v.SetSize(w, h)
	return v
}

// screen returns the rows without styles and without blanks at their ends.
func screen(v *TextView) []string {
	var out []string
	for _, l := range v.Lines() {
		out = append(out, strings.TrimRight(text.Unstyle(l), " "))
	}
	return out
}

// painted returns what a class covers on screen, by row.
func painted(v *TextView, c Class) []string {
	var out []string
	open := v.classes[c].open
	for _, l := range v.Lines() {
		for {
			_, after, found := strings.Cut(l, open)
			if !found {
				break
			}
			inside, rest, _ := strings.Cut(after, "\x1b")
			out = append(out, inside)
			l = rest
		}
	}
	return out
}

// mixed is a text with all that makes widths hard.
const mixed = "2026-01-02T03:04:05Z INFO 连接池已满 active=50/50\n\t缩进\tand tabs\t末尾\n" +
	"emoji 🔥✅⚠\ufe0f 👨\u200d👩\u200d👧 👍🏽 🇨🇳 1\ufe0f\u20e3 end\nambiguous ①②…—“”±×°α→█■●☆♀ end\n" +
	"combining e\u0301 a\u0301\u0301\u0301\u0301\u0301 \u0301lone 한\u1112\u1161\u11ab क्षि ไทย עברית العربية\n" +
	"hostile \x1b[2J\x1b]0;t\x07 \x9b1m \xff\xfe \u202eabc\u202c \u200b\ufeff \r \x00 \x7f \xed\xa0\x80 \u2028 \U000e0041\n\n" +
	"{\"很长的键\":\"" + "没有空格的很长很长的中文文本" + "\"}\n" + "last line without newline"

func longMixed(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%d: ", i)
		b.WriteString(strings.Split(mixed, "\n")[i%9])
		b.WriteByte('\n')
	}
	return b.String()
}

// onlySGR reports whether the only control sequences in s are styles.
func onlySGR(s string) bool {
	for {
		i := strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 })
		if i < 0 {
			return true
		}
		s = s[i:]
		if !strings.HasPrefix(s, "\x1b[") {
			return false
		}
		end := strings.IndexFunc(s[2:], func(r rune) bool { return (r < '0' || r > '9') && r != ';' })
		if end < 0 || s[2+end] != 'm' {
			return false
		}
		s = s[2+end:]
	}
}

func checkFrame(t *testing.T, v *TextView) {
	t.Helper()
	w, h := v.w, v.h
	lines := v.Lines()
	require.Len(t, lines, h)
	for i, l := range lines {
		require.Equal(t, w, ansi.StringWidth(l), "row %d of %d×%d: %q", i, w, h, l)
		require.Equal(t, w+2, ansi.StringWidth("│"+l+"│"), "row %d joins its border", i)
		require.True(t, onlySGR(l), "row %d: %q", i, l)
	}
}

func TestEveryRowIsExactlyAsWideAsThePane(t *testing.T) {
	s := mixed + "\n" + strings.Repeat("长行long\t🔥\x1b", 1000) + "\n" + mixed
	for w := 1; w <= 240; w++ {
		v := view(s, w, 12)
		v.SetScrollBar(w%2 == 0)
		v.SetNumbers(w%3 != 0)
		v.SetMarks([]Mark{{10, 60, ClassOther}, {30, 400, ClassCurrent}, {395, 500, ClassInsert}})
		for _, wrap := range []bool{true, false} {
			v.SetWrap(wrap)
			for _, x := range []int{0, 1, 120} {
				v.ScrollSideways(x)
				checkFrame(t, v)
			}
			v.Do(MovePageDown)
			checkFrame(t, v)
			v.Do(MoveEnd)
			checkFrame(t, v)
		}
	}
}

func TestRowsPartitionTheText(t *testing.T) {
	long := strings.Repeat("很长的一行 with\ttabs 🔥 e\u0301\u202e\x1b[m ", 250)
	for _, s := range []string{"", "\n", "a", "a\n", "\n\n\na", mixed, long, long + "\n" + mixed, strings.Repeat("\u0301", 4500), strings.Repeat("\u202e", 3000)} {
		for _, w := range []int{7, 80} {
			for _, brackets := range []bool{false, true} {
				v := view(s, w, 10)
				v.brackets = brackets
				v.SetNumbers(false)
				v.SetMarks([]Mark{{3, 5, ClassCurrent}, {40, 41, ClassCurrent}, {60, 20000, ClassCurrent}})
				var starts []int
				off := 0
				for {
					r := v.rowAt(off)
					require.Equal(t, off, r.start)
					starts = append(starts, off)
					if r.next >= len(s) || r.next <= off {
						break
					}
					require.Greater(t, r.next, off)
					off = r.next
				}
				for i := 0; i < len(starts); i += 1 + len(starts)/6 {
					require.Equal(t, starts[i], v.rowContaining(starts[i]).start)
					require.Equal(t, starts[max(i-7, 0)], v.up(starts[i], 7))
					require.Equal(t, starts[min(i+5, len(starts)-1)], v.down(starts[i], 5))
				}
				require.Equal(t, starts[len(starts)-1], v.lastRow())
			}
		}
	}
}

func TestScreen(t *testing.T) {
	v := view("one\n\ttwo\n三三三三三三三三\nfour", 16, 6)
	assert.Equal(t, []string{"  1 one", "  2     two", "  3 三三三三三三", "    三三", "  4 four", ""}, screen(v))
	v.SetWrap(false)
	assert.Equal(t, []string{"  1 one", "  2     two", "  3 三三三三三三", "  4 four", "", ""}, screen(v))
	v.ScrollSideways(3)
	assert.Equal(t, []string{"  1", "  2  two", "  3  三三三三三", "  4 r", "", ""}, screen(v))
	v.ScrollSideways(1000)
	assert.Equal(t, "  3", screen(v)[2], "half of the last character is blank")
	v.ScrollSideways(-1)
	assert.Equal(t, "  3 三", screen(v)[2])
}

func TestHighlightsAreExactToTheCharacter(t *testing.T) {
	raw := "ab\x1b连接池\u202e满\tx\ny"
	v := view(raw, 40, 4)
	for _, part := range []struct{ raw, shown string }{
		{"b", "b"}, {"接", "接"}, {"连接池", "连接池"}, {"\x1b", "␛"}, {"池\u202e满", "池⟪U+202E⟫满"}, {"\t", " "}, {"x\ny", "x"},
	} {
		at := strings.Index(raw, part.raw)
		v.SetMarks([]Mark{{at, at + len(part.raw), ClassCurrent}})
		require.NotEmpty(t, painted(v, ClassCurrent), part.raw)
		assert.Equal(t, part.shown, painted(v, ClassCurrent)[0])
	}
	v.SetMarks([]Mark{{0, 100, ClassOther}, {0, 2, ClassFact}, {1, 2, ClassCurrent}})
	assert.Equal(t, []string{"b"}, painted(v, ClassCurrent))
	assert.Equal(t, []string{"a"}, painted(v, ClassFact), "the stronger class is seen")
	assert.Equal(t, "▌", text.Cut(text.Unstyle(v.Lines()[0]), 3, 4), "the gutter says it without colour")
	v.SetMarks(nil)
	assert.Empty(t, painted(v, ClassOther))
}

func TestBracketsWithoutStyles(t *testing.T) {
	v := view("0123456789abcdef", 20, 3)
	v.SetNumbers(false)
	v.SetStyles(TextStyles{Brackets: true})
	v.SetMarks([]Mark{{4, 8, ClassCurrent}})
	assert.Equal(t, "0123▌4567▐89abcdef", screen(v)[0])
	v.SetSize(10, 3)
	assert.Equal(t, []string{"0123▌4567▐", "89abcdef", ""}, screen(v))
	v.SetSize(5, 5)
	assert.Equal(t, []string{"0123", "▌4567", "89abc", "def", ""}, screen(v))
}

func TestThePlaceSurvivesResizing(t *testing.T) {
	s := longMixed(2000)
	v := view(s, 100, 30)
	at := strings.Index(s, "1234: ")
	v.Show(at, at+4)
	require.True(t, v.visible(at))
	for _, w := range []int{40, 200, 17, 60} {
		v.SetSize(w, 10+w/10)
		require.True(t, v.visible(at), "at %d", w)
	}
	v.SetWrap(false)
	require.True(t, v.visible(at))
	// Neither does it survive half: a span on the row below the last is shown.
	w := view(strings.Repeat("0123456789", 100), 10, 5)
	w.SetNumbers(false)
	w.Show(50, 51)
	from, to := w.VisibleRange()
	assert.Less(t, from, 50)
	assert.Greater(t, to, 51)
	// Without a highlight the first row is the place.
	v.GotoLine(500)
	v.Scroll(1000)
	top := v.Status().Line
	v.SetSize(90, 25)
	assert.InDelta(t, top, v.Status().Line, 1)
}

func TestLinesOfAnyLength(t *testing.T) {
	one := strings.Repeat("0123456789", 30000) + "needle" + strings.Repeat("连接池已满 ", 30000) // 0.8 MB
	v := view("first\n"+one+"\nlast", 80, 24)
	at := 6 + strings.Index(one, "needle")
	for _, wrap := range []bool{true, false} {
		v.SetWrap(wrap)
		v.SetMarks([]Mark{{at, at + 6, ClassCurrent}})
		v.Show(at, at+6)
		assert.Equal(t, "needle", strings.Join(painted(v, ClassCurrent), ""))
		checkFrame(t, v)
		v.Do(MoveEnd)
		assert.Contains(t, strings.Join(screen(v), "\n"), "last")
		v.Do(MoveHome)
		assert.Equal(t, "  1 first", screen(v)[0])
	}
	// A line too long to count columns in is wrapped even so.
	huge := view(strings.Repeat(one, 2), 80, 24)
	huge.SetWrap(false)
	huge.Scroll(1)
	assert.NotZero(t, huge.Status().Offset)
	huge.ScrollSideways(8)
	assert.Zero(t, huge.Status().Column)
	checkFrame(t, huge)
}

func TestOffsetAtInvertsDrawing(t *testing.T) {
	raw := "ab\x1b连接池\u202e满x\nnext 行\n"
	v := view(raw, 60, 5)
	for i, cell := range map[int]int{0: 0, 1: 1, 2: 2, 3: 3, 6: 5, 9: 7, 12: 9, 15: 17} {
		for _, wrap := range []bool{true, false} {
			v.SetWrap(wrap)
			off, ok := v.OffsetAt(4+cell, 0)
			assert.True(t, ok)
			assert.Equal(t, i, off, "cell %d", cell)
		}
	}
	_, ok := v.OffsetAt(50, 0)
	assert.False(t, ok)
	_, ok = v.OffsetAt(5, 4)
	assert.False(t, ok)
	off, ok := v.OffsetAt(0, 1)
	assert.True(t, ok)
	assert.Equal(t, strings.Index(raw, "next"), off)
}

func TestFollowing(t *testing.T) {
	v := view("", 40, 3)
	assert.Equal(t, []string{"  1", "", ""}, screen(v))
	v.SetFollow(true)
	for i := range 10 {
		v.Append([]byte(fmt.Sprintf("line %d\n", i)))
	}
	assert.Equal(t, []string{"  8 line 7", "  9 line 8", " 10 line 9"}, screen(v))
	v.Scroll(-1)
	assert.False(t, v.Following())
	v.Append([]byte("more\n"))
	assert.Equal(t, "  7 line 6", screen(v)[0])
	_, to := v.VisibleRange()
	assert.Equal(t, 63, to)
	v.Do(MoveEnd)
	_, to = v.VisibleRange()
	assert.Greater(t, to, v.Source().Len())
	assert.Equal(t, Status{Line: 9, Lines: 11, Exact: true, Offset: 56, Len: 75, Percent: 98}, v.Status())
}

func TestScrollBar(t *testing.T) {
	v := view(strings.Repeat("x\n", 100), 20, 10)
	v.SetScrollBar(true)
	bar := func() string {
		var b strings.Builder
		for _, l := range v.Lines() {
			b.WriteString(text.Cut(text.Unstyle(l), 19, 20))
		}
		return b.String()
	}
	assert.Equal(t, "▐         ", bar())
	v.Do(MoveEnd)
	assert.Equal(t, "         ▐", bar())
	v.GotoLine(50)
	assert.Equal(t, "    ▐     ", bar())
}

// A terminal emulator must see what was drawn: the same characters in the same
// cells, and nothing but text and styles.
func TestATerminalShowsWhatWasDrawn(t *testing.T) {
	for _, wrap := range []bool{true, false} {
		const w, h = 90, 30
		v := view(mixed+"\n"+strings.Repeat("\x1b]0;title\x07\x1b[?1049h\x1bP1q\x1b\\\x9b2J", 40), w, h)
		v.SetWrap(wrap)
		v.SetMarks([]Mark{{20, 300, ClassCurrent}, {250, 500, ClassOther}})
		term := vt.NewEmulator(w+2, h)
		title := false
		term.SetCallbacks(vt.Callbacks{Title: func(string) { title = true }, AltScreen: func(bool) { title = true }})
		var want []string
		for i, l := range v.Lines() {
			fmt.Fprintf(term, "\x1b[%d;1H%s│", i+1, l)
			want = append(want, text.Unstyle(l)+"│")
		}
		for y, line := range want {
			x := 0
			for rest := line; rest != ""; {
				cluster, cells := text.FirstCluster(rest)
				require.Equal(t, cluster, term.CellAt(x, y).Content, "row %d, column %d of %q", y, x, line)
				rest, x = rest[len(cluster):], x+cells
			}
			require.Equal(t, w+1, x)
		}
		require.False(t, title)
	}
}

func FuzzView(f *testing.F) {
	f.Add(mixed, 20, 5, 3, 9, true)
	f.Add(strings.Repeat("\u0915\u094d", 5000)+"\n\t\x1b", 7, 3, 100, 8000, false)
	f.Fuzz(func(t *testing.T, s string, w, h, a, b int, wrap bool) {
		v := view(s, 1+int(uint(w)%250), 1+int(uint(h)%60))
		v.SetWrap(wrap)
		v.SetScrollBar(w%2 == 0)
		v.brackets = h%2 == 0
		v.SetMarks([]Mark{{a, b, ClassCurrent}, {b, a, ClassOther}, {a - 10, a + 10, ClassInsert}})
		checkFrame(t, v)
		v.Show(a, b)
		checkFrame(t, v)
		v.ScrollSideways(int(uint(b) % 300))
		v.Search("e")
		checkFrame(t, v)
		v.Do(MoveEnd)
		v.SetSize(1+int(uint(h)%250), 1+int(uint(w)%60))
		checkFrame(t, v)
		if off, ok := v.OffsetAt(w, h); ok && (off < 0 || off > len(s)) {
			t.Fatal("offset outside of the text")
		}
	})
}
