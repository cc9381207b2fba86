package widget

import (
	"encoding/json"
	"fmt"
	"strconv"
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
		assert.Equal(t, at+len(part), p.ToSource(to))
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
		require.Equal(t, len(p.Text), p.ToShown(len(s)))
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

// nodes builds the tree of a JSON value.
func nodes(t testing.TB, s string) *Node {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	token := func() json.Token {
		v, err := dec.Token()
		require.NoError(t, err)
		return v
	}
	var build func(label string) *Node
	build = func(label string) *Node {
		n := &Node{Label: label}
		switch v := token().(type) {
		case json.Delim:
			n.Kind = map[json.Delim]NodeKind{'{': KindObject, '[': KindArray}[v]
			for i := 0; dec.More(); i++ {
				key := strconv.Itoa(i)
				if n.Kind == KindObject {
					key = token().(string)
				}
				n.Add(build(key))
			}
			token() // the closing bracket
		case string:
			n.Kind, n.Value = KindString, v
		case json.Number:
			n.Kind, n.Value = KindNumber, v.String()
		case bool:
			n.Kind, n.Value = KindLiteral, strconv.FormatBool(v)
		case nil:
			n.Kind, n.Value = KindLiteral, "null"
		}
		return n
	}
	return build("")
}

func TestNodesAreFoundByPointer(t *testing.T) {
	root := nodes(t, sample)
	n := root.Find("/claims/1/deep/0/a/1/0")
	require.NotNil(t, n)
	assert.Equal(t, "2", n.Value)
	assert.Equal(t, "/claims/1/deep/0/a/1/0", n.Pointer())
	assert.Equal(t, "连接池已满", root.Find("/claims/0/text").Value)
	assert.Nil(t, root.Find("/claims/7"))
	root.each(func(n *Node) bool {
		require.Equal(t, n, root.Find(n.Pointer()))
		return true
	})
	slash := nodes(t, `{"a/b":{"~":1,"":2}}`)
	assert.Equal(t, "1", slash.Find("/a~1b/~0").Value)
	assert.Equal(t, "2", slash.Find("/a~1b/").Value)
}

// FuzzTree draws trees of any shape: each byte of it adds a node, and says by its rest
// whether what follows stands inside that node, beside it, or one level up.
func FuzzTree(f *testing.F) {
	f.Add("键", "连接池已满", "\x01\x04\x00\x05\x03")
	f.Add("\x1b[2J\xff", "\u202e🔥\t", "\x01\x01\x01\x02\x02\x0d")
	f.Fuzz(func(t *testing.T, label, value, shape string) {
		root := &Node{Kind: KindObject}
		at := root
		for i, c := range []byte(shape[:min(len(shape), 300)]) {
			n := &Node{Kind: NodeKind(c / 3 % 6), Label: label[:i%(len(label)+1)], Value: value}
			at.Add(n)
			switch c % 3 {
			case 1:
				at = n
			case 2:
				if at != root {
					at = at.parent
				}
			}
		}
		tree := NewTree()
		tree.SetRoot(root)
		tree.SetSize(40, 10)
		tree.ExpandAll()
		tree.Do(MoveEnd)
		tree.Search(value)
		checkLines(t, tree.Lines(), 40, 10)
	})
}

func tree(t *testing.T, s string, w, h int) *Tree {
	tr := NewTree()
	tr.SetStyles(TreeStyles{Key: style("1"), String: style("2"), Cursor: style("3"), CursorAway: style("4"), Match: style("5")})
	tr.SetSize(w, h)
	tr.SetRoot(nodes(t, s))
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
	again := nodes(t, sample)
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
	n := tr.SelectPointer("/claims/0/ids/1")
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
		checkLines(t, tr.Lines(), w, 5)
		tr.Do(Move(w % 10))
	}
}
