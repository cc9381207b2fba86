package widget

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = `{"claims":[{"claim_id":"claim-1","text":"连接池\u5df2满","ids":[101,102],"empty":{},"none":[]},` +
	`{"claim_id":"claim-2","n":-1.5e3,"ok":true,"deep":[{"a":[1,[2]]}]}],"missing":null}`

func TestPrettyLaysOutAndMapsSpans(t *testing.T) {
	p, err := Pretty(sample)
	require.NoError(t, err)
	assert.True(t, p.Changed)
	assert.Equal(t, `{
  "claims": [
    {
      "claim_id": "claim-1",
      "text": "连接池\u5df2满",
      "ids": [101, 102],
      "empty": {},
      "none": []
    },
    {
      "claim_id": "claim-2",
      "n": -1.5e3,
      "ok": true,
      "deep": [
        {
          "a": [
            1,
            [2]
          ]
        }
      ]
    }
  ],
  "missing": null
}`, p.Text)
	for _, part := range []string{`"claim-1"`, `连接池`, `101,102`, `-1.5e3`, `"claims":[{`, `null`} {
		at := strings.Index(sample, part)
		from, to := p.Span(at, at+len(part))
		assert.Equal(t, strip(part), strip(p.Text[from:to]))
		assert.Equal(t, at, p.ToSource(from))
		assert.Equal(t, at+len(part), p.ToSourceEnd(to))
	}
	marks := MapMarks([]Mark{{0, 1, ClassOther}, {len(sample) - 1, len(sample), ClassCurrent}}, &p.OffsetMap)
	assert.Equal(t, []Mark{{0, 1, ClassOther}, {len(p.Text) - 1, len(p.Text), ClassCurrent}}, marks)
}

func strip(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }

func TestPrettyLeavesTextAlone(t *testing.T) {
	for _, s := range []string{"", "plain\ntext\n", "{not json}\n", `{"a":1} tail`, `{"a":"unterminated`, "[1,2", "[]]\n", "{\"a\" 1}", strings.Repeat("[", 3000)} {
		p, err := Pretty(s)
		require.NoError(t, err)
		assert.Equal(t, s, p.Text)
		assert.False(t, p.Changed, s)
	}
	p, err := Pretty("log line\n  {\"a\":[{}],\n\"b\":2}\r\n[1 , 2]\n{broken\n")
	require.NoError(t, err)
	assert.Equal(t, "log line\n  {\n  \"a\": [\n    {}\n  ],\n  \"b\": 2\n}\r\n[1, 2]\n{broken\n", p.Text)
	_, err = Pretty(strings.Repeat(" ", MaxPretty+1))
	require.ErrorIs(t, err, ErrTooLarge)
	long := "[" + strings.Repeat(`"0123456789",`, 20) + "1]"
	p, err = Pretty(long)
	require.NoError(t, err)
	assert.Equal(t, 23, len(strings.Split(p.Text, "\n")), "a long array has a line for each element")
}

func FuzzPretty(f *testing.F) {
	f.Add(sample)
	f.Add("x\n{\"a\":[1,{}]}\n[[[],{}]]")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Pretty(s)
		require.NoError(t, err)
		require.Equal(t, len(s), p.SourceLen())
		require.Equal(t, len(p.Text), p.ShownLen())
		require.Equal(t, strip(strings.NewReplacer("\t", "", "\r", "").Replace(s)), strip(strings.NewReplacer("\t", "", "\r", "").Replace(p.Text)))
		again, err := Pretty(p.Text)
		require.NoError(t, err)
		if json.Valid([]byte(s)) {
			require.Equal(t, p.Text, again.Text, "laying out twice changes nothing")
			require.True(t, json.Valid([]byte(p.Text)))
		}
		last := 0
		for i := 0; i < len(s); i++ {
			from, to := p.Span(i, i+1)
			if from < last || to < from {
				t.Fatalf("not monotone at %d: %d %d", i, from, to)
			}
			last = from
			if strip(s[i:i+1]) != "" && s[i] != '\t' && s[i] != '\r' && p.Text[from:to] != s[i:i+1] {
				t.Fatalf("byte %d: %q is shown as %q", i, s[i:i+1], p.Text[from:to])
			}
		}
	})
}

func TestParseTree(t *testing.T) {
	root, err := ParseTree(sample)
	require.NoError(t, err)
	n := root.Find("/claims/1/deep/0/a/1/0")
	require.NotNil(t, n)
	assert.Equal(t, "2", n.Value)
	assert.Equal(t, "/claims/1/deep/0/a/1/0", n.Pointer())
	assert.Equal(t, "连接池已满", root.Find("/claims/0/text").Value)
	assert.Equal(t, n, root.At(n.Start))
	assert.Nil(t, root.Find("/claims/7"))
	assert.Nil(t, root.At(len(sample)+5))
	root.each(func(n *Node) bool {
		var v any
		require.NoError(t, json.Unmarshal([]byte(sample[n.Start:n.End]), &v), sample[n.Start:n.End])
		require.Equal(t, n, root.Find(n.Pointer()))
		return true
	})
	slash, err := ParseTree(`{"a/b":{"~":1,"":2}}`)
	require.NoError(t, err)
	assert.Equal(t, "1", slash.Find("/a~1b/~0").Value)
	assert.Equal(t, "2", slash.Find("/a~1b/").Value)

	// Text that stops being JSON keeps what came before.
	for s, want := range map[string]string{
		`{"a":[1,2`: "the text ends where comma is expected", `{"a":1,}`: "no key at byte 7", `{"a" 1}`: "no colon at byte 5",
		`[1 2]`: "no comma at byte 3", `{"a":x}`: "no value at byte 5", `{} x`: "more text after the value, at byte 3",
	} {
		root, err := ParseTree(s)
		require.ErrorIs(t, err, ErrJSON)
		assert.ErrorContains(t, err, want)
		require.NotNil(t, root, s)
		assert.LessOrEqual(t, root.End, len(s))
	}
	root, err = ParseTree("no")
	require.ErrorIs(t, err, ErrJSON)
	assert.Nil(t, root)
	_, err = ParseTree(strings.Repeat("[", 5000))
	require.ErrorIs(t, err, ErrJSON)
}

func FuzzParseTree(f *testing.F) {
	f.Add(sample)
	f.Add(`{"a":[`)
	f.Fuzz(func(t *testing.T, s string) {
		root, err := ParseTree(s)
		if json.Valid([]byte(s)) {
			require.NoError(t, err)
		}
		tree := NewTree()
		tree.SetRoot(root)
		tree.SetSize(40, 10)
		tree.ExpandAll()
		tree.Do(MoveEnd)
		tree.Search("a")
		checkLines(t, tree.Lines(), 40, 10)
	})
}

func tree(t *testing.T, s string, w, h int) *Tree {
	root, err := ParseTree(s)
	require.NoError(t, err)
	tr := NewTree()
	tr.SetStyles(TreeStyles{Key: style("1"), String: style("2"), Cursor: style("3"), CursorAway: style("4"), Match: style("5")})
	tr.SetSize(w, h)
	tr.SetRoot(root)
	return tr
}

func plain(lines []string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, strings.TrimRight(strings.NewReplacer("\x1b[0m", "").Replace(unstyled(l)), " "))
	}
	return out
}

func TestTreeFoldsAndMoves(t *testing.T) {
	tr := tree(t, sample, 40, 6)
	assert.Equal(t, []string{"▾ {2}", "  ▸ claims [2]", "    missing null", "", "", ""}, plain(tr.Lines()))
	tr.Do(MoveDown)
	tr.Do(MoveRight)
	tr.Do(MoveRight)
	assert.Equal(t, "/claims/0", tr.Selected().Pointer())
	assert.Equal(t, "    ▸ 0 {5} claim-1 …", plain(tr.Lines())[2], "a folded node shows its first value")
	tr.Do(MoveRight)
	assert.Equal(t, "      text 连接池已满", plain(tr.Lines())[4][2:])
	tr.Selected().Badge, tr.Selected().BadgePaint = "✗ B005", NewPaint(style("9"))
	assert.Contains(t, plain(tr.Lines())[2], "✗ B005")
	checkLines(t, tr.Lines(), 40, 6)
	tr.Do(MoveLeft)
	assert.False(t, tr.Selected().Open)
	tr.Do(MoveLeft)
	assert.Equal(t, "/claims", tr.Selected().Pointer())

	// A new tree for the same text keeps what was open and where the cursor was.
	tr.SelectPointer("/claims/1/deep/0")
	again, err := ParseTree(sample)
	require.NoError(t, err)
	tr.SetRoot(again)
	assert.Equal(t, "/claims/1/deep/0", tr.Selected().Pointer())
	assert.True(t, again.Find("/claims/1").Open)

	tr.CollapseAll()
	assert.Equal(t, "/claims", tr.Selected().Pointer(), "the cursor stays on what is shown")
	tr.ExpandAll()
	tr.Do(MoveEnd)
	assert.Equal(t, "/missing", tr.Selected().Pointer())
	tr.OpenTo(1)
	tr.Do(MoveHome)
	assert.Equal(t, "", tr.Selected().Pointer())
	n := tr.SelectOffset(strings.Index(sample, "102"))
	assert.Equal(t, "/claims/0/ids/1", n.Pointer())
	assert.Equal(t, n, tr.Selected())
	assert.Nil(t, tr.SelectPointer("/nowhere"))
	tr.Do(MoveHome)
	assert.Equal(t, "/claims", tr.Click(10, 1).Pointer())
	assert.True(t, tr.Selected().Open)
	tr.Click(2, 1)
	assert.False(t, tr.Selected().Open, "a click on the sign folds")
	assert.Nil(t, tr.Click(1, 50))
}

func TestTreeSearch(t *testing.T) {
	tr := tree(t, sample, 40, 6)
	assert.Equal(t, 4, tr.Search("CLAIM_id")+tr.Search("claim-"))
	assert.Equal(t, "/claims/0/claim_id", tr.Selected().Pointer())
	assert.Equal(t, 2, tr.SearchNext())
	assert.Equal(t, "/claims/1/claim_id", tr.Selected().Pointer())
	assert.Equal(t, 1, tr.SearchNext())
	assert.Equal(t, 2, tr.SearchPrev())
	assert.Zero(t, tr.Search("nowhere"))
	assert.Zero(t, tr.SearchNext())
	assert.Zero(t, tr.Search(""))
	empty := NewTree()
	empty.SetRoot(nil)
	empty.SetSize(5, 2)
	empty.Do(MoveDown)
	empty.Toggle()
	empty.ExpandAll()
	empty.OpenTo(3)
	assert.Zero(t, empty.Search("x"))
	assert.Nil(t, empty.Selected())
	checkLines(t, empty.Lines(), 5, 2)
}

func TestTreeOfAnyWidth(t *testing.T) {
	tr := tree(t, fmt.Sprintf(`{"键":%q,"\u001b[2J":["\u202e","🔥\t"]}`, strings.Repeat("很长的值", 500)), 10, 5)
	tr.ExpandAll()
	for w := 1; w < 120; w++ {
		tr.SetSize(w, 5)
		tr.SetFocused(w%2 == 0)
		tr.ScrollSideways(w % 7)
		checkLines(t, tr.Lines(), w, 5)
		tr.Do(Move(w % 10))
	}
}
