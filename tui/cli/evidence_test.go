package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/grounding"
	"claimscope/engine/trace"
	"claimscope/tui/text"
)

// printed is what the evidence of spans looks like at a width.
func printed(width int, raw string, spans ...grounding.Span) string {
	var b bytes.Buffer
	p := &printer{w: &b, width: width, shown: map[place]bool{}}
	p.evidence(0, trace.Trace{Ref: "trace-1", Output: []byte(raw)}, spans)
	return b.String()
}

// of gives the span of a part of a text.
func of(raw, part string) grounding.Span {
	at := strings.Index(raw, part)
	return grounding.Span{Start: at, End: at + len(part)}
}

func TestEvidenceShowsTheSpanInItsLine(t *testing.T) {
	raw := "first\r\n2026-03-02 连接池 in_use=20 max=20 等待 31 个\nlast line\n"
	for name, x := range map[string]struct {
		spans []grounding.Span
		width int
		want  string
	}{
		"one":               {[]grounding.Span{of(raw, "in_use=20")}, 80, "2 │ 2026-03-02 连接池 ▌in_use=20▐ max=20 等待 31 个\n"},
		"two in a line":     {[]grounding.Span{of(raw, "max=20"), of(raw, "连接池")}, 80, "2 │ 2026-03-02 ▌连接池▐ in_use=20 ▌max=20▐ 等待 31 个\n"},
		"overlapping":       {[]grounding.Span{of(raw, "in_use=20"), of(raw, "20 max")}, 80, "2 │ 2026-03-02 连接池 ▌in_use=20 max▐=20 等待 31 个\n"},
		"over lines":        {[]grounding.Span{of(raw, "31 个\nlast")}, 80, "2 │ 2026-03-02 连接池 in_use=20 max=20 等待 ▌31 个▐\n3 │ ▌last▐ line\n"},
		"a carriage return": {[]grounding.Span{of(raw, "first")}, 80, "1 │ ▌first▐\n"},
		"narrow":            {[]grounding.Span{of(raw, "max=20")}, 30, "2 │ …_use=20 ▌max=20▐ 等待 31…\n"},
		"outside":           {[]grounding.Span{{Start: 900, End: 1000}}, 80, "4 │\n"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, x.want, printed(x.width, raw, x.spans...)) })
	}
	long := strings.Repeat("a line\n", 100)
	assert.Equal(t, "1 │ ▌a line▐\n2 │ ▌a line▐\n3 │ ▌a line▐\n4 │ ▌a line▐\n  … 96 more lines\n", printed(80, long, grounding.Span{End: len(long) - 1}))
}

func TestALineOfMegabytesIsCutToItsSpan(t *testing.T) {
	raw := strings.Repeat("连接池\x1b[31m ", 1<<20) + "in_use=20" + strings.Repeat(" 等待", 1<<20)
	line := printed(60, raw, of(raw, "in_use=20"))
	assert.Contains(t, line, "▌in_use=20▐")
	assert.LessOrEqual(t, text.Width(strings.TrimSuffix(line, "\n")), 60)
	assert.Contains(t, line, "…")
}

func FuzzEvidence(f *testing.F) {
	f.Add("first\n连接池 in_use=20\r\n\x1b[2J\u202e last", 6, 12, 3, 9, 60)
	f.Add("\xff\xfe\n\n\n", 0, 5, 1, 2, 40)
	f.Add(strings.Repeat("字", 500), 10, 300, 290, 900, 41)
	f.Fuzz(func(t *testing.T, raw string, a, b, c, d, width int) {
		width = 40 + int(uint(width)%121)
		order := func(x, y int) grounding.Span {
			x, y = int(uint(x)%uint(len(raw)+1)), int(uint(y)%uint(len(raw)+1))
			return grounding.Span{Start: min(x, y), End: max(x, y)}
		}
		spans := []grounding.Span{order(a, b), order(c, d)}
		lines, _ := markedLines([]byte(raw), spans, maxEvidenceLines)
		require.NotEmpty(t, lines)
		require.LessOrEqual(t, len(lines), maxEvidenceLines)
		for i, l := range lines {
			require.True(t, i == 0 || lines[i-1].end < l.start, "lines are apart and in order")
			require.NotContains(t, raw[l.start:l.end], "\n")
			require.Equal(t, 1+strings.Count(raw[:l.start], "\n"), l.number)
			at := l.start
			for _, m := range l.marks {
				require.True(t, at <= m.Start && m.Start < m.End && m.End <= l.end, "marks are inside their line, in order, apart")
				at = m.End
			}
		}
		for line := range strings.Lines(printed(width, raw, spans...)) {
			line = strings.TrimSuffix(line, "\n")
			require.LessOrEqual(t, text.Width(line), width)
			require.Equal(t, text.SanitiseLine(line), line)
		}
	})
}

func FuzzEscaper(f *testing.F) {
	f.Add("a\u202eb\u009bc\x7f 中文 \U000e0041", 3)
	f.Fuzz(func(t *testing.T, s string, size int) {
		value, err := json.Marshal(s)
		require.NoError(t, err)
		var whole, pieces bytes.Buffer
		_, err = (&escaper{w: &whole}).Write(value)
		require.NoError(t, err)
		size = 1 + int(uint(size)%7)
		e := &escaper{w: &pieces}
		for rest := value; len(rest) > 0; rest = rest[min(size, len(rest)):] {
			_, err := e.Write(rest[:min(size, len(rest))])
			require.NoError(t, err)
		}
		require.Equal(t, whole.String(), pieces.String(), "however it is parted")
		var plain, escaped string
		require.NoError(t, json.Unmarshal(value, &plain))
		require.NoError(t, json.Unmarshal(whole.Bytes(), &escaped))
		require.Equal(t, plain, escaped)
		for _, r := range whole.String() {
			require.False(t, obeyed(r), "%U", r)
		}
	})
}

func TestJSONIsReadable(t *testing.T) {
	inner := json.RawMessage(`{"a":"\u003cnone\u003e \\u003c \u0026 \n"}`)
	var b bytes.Buffer
	require.NoError(t, writeJSON(&b, map[string]any{"v": inner}))
	assert.Equal(t, `{"v":{"a":"<none> \\u003c & \n"}}`+"\n", b.String())
}

func TestShareIsFair(t *testing.T) {
	assert.Equal(t, []int{3, 10, 11}, share([]int{3, 50, 60}, 24))
	assert.Equal(t, []int{3, 5}, share([]int{3, 5}, 100))
	assert.Equal(t, []int{0, 0}, share([]int{3, 5}, -4))
	assert.Empty(t, share(nil, 10))
}

func TestWhatIsMeantIsFound(t *testing.T) {
	names := []string{"run", "verify", "version", "list", "export", "import", "incident"}
	for typed, want := range map[string]string{
		"verfy": "verify", "verifi": "verify", "lsit": "list", "exprot": "export", "imprt": "import", "nothing": "", "x": "", "vers": "version",
	} {
		assert.Equal(t, want, closest(typed, names), typed)
	}
}

// TestTheTableIsComplete asks that every command can be understood in both languages.
func TestTheTableIsComplete(t *testing.T) {
	for _, c := range append(commands(), consoleEntry()) {
		assert.True(t, c.summary.Complete(), c.name)
		assert.Equal(t, c.detail.ZH == "", c.detail.EN == "", c.name)
		assert.Equal(t, c.min > 0, c.missing.Complete(), c.name)
		assert.NotNil(t, c.run, c.name)
		for _, f := range c.flags {
			assert.True(t, f.usage.Complete(), "%s --%s", c.name, f.name)
			assert.Equal(t, f.kind == onOff, f.value == "", "%s --%s", c.name, f.name)
		}
		for _, e := range c.examples {
			assert.True(t, strings.HasPrefix(e, "claimscope "+c.name), e)
		}
	}
}
