package widget

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// texts are small and large texts with few and many newlines.
func texts() []string {
	r := rand.New(rand.NewPCG(1, 2))
	out := []string{"", "\n", "a", "a\n", "\n\n\n", "a\nb", strings.Repeat("\n", 20000), strings.Repeat("x", 3*indexBlock) + "\n", strings.Repeat("x", 2*indexBlock)}
	for _, lineLen := range []int{1, 5, 80, 5000, 30000} {
		var b strings.Builder
		for b.Len() < 100000 {
			b.WriteString(strings.Repeat("y", r.IntN(2*lineLen)))
			b.WriteByte('\n')
		}
		out = append(out, b.String())
	}
	return out
}

func TestSourceFindsLines(t *testing.T) {
	for _, s := range texts() {
		lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
		src := NewSourceString(s)
		// In random order, so that the index is built in jumps.
		r := rand.New(rand.NewPCG(3, 4))
		starts := []int{0}
		for i := range lines[:len(lines)-1] {
			starts = append(starts, starts[i]+len(lines[i])+1)
		}
		for range 200 {
			i := r.IntN(len(lines))
			off, ok := src.Offset(i)
			require.True(t, ok)
			require.Equal(t, starts[i], off)
			within := off + r.IntN(len(lines[i])+1)
			require.Equal(t, i, src.Line(within))
			require.Equal(t, off, src.LineStart(within))
			require.Equal(t, off+len(lines[i]), src.LineEnd(within))
			if r.IntN(20) == 0 {
				src = NewSourceString(s)
			}
		}
		off, ok := src.Offset(len(lines) + 5)
		require.False(t, ok)
		require.Equal(t, starts[len(starts)-1], off)
		require.True(t, src.Index(len(s)))
		n, exact := src.Lines()
		require.True(t, exact)
		require.Equal(t, len(lines), n)
	}
}

func TestIndexesAreSmallWhateverTheText(t *testing.T) {
	for _, s := range []string{strings.Repeat("\n", 8<<20), strings.Repeat("a", 8<<20)} {
		src := NewSourceString(s)
		require.True(t, src.Index(len(s)))
		assert.Less(t, 8*cap(src.before), len(s)/100, "1% of the text")
		search := NewSearch(src, "a", false)
		require.True(t, search.Step(len(s)))
		assert.Less(t, 16*cap(search.blocks), len(s)/100)
	}
}

func TestAppendLeavesTheCallersBytesAlone(t *testing.T) {
	backing := []byte("abcXYZ")
	src := NewSource(backing[:3])
	src.Append([]byte("\ndef"))
	assert.Equal(t, "abcXYZ", string(backing))
	assert.Equal(t, "abc\ndef", string(src.Bytes(-5, 100)))
	n, exact := src.Lines()
	assert.Equal(t, 2, n)
	assert.True(t, exact)
}

func TestSearchCountsLikeBytesCount(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	data := make([]byte, 5*searchBlock+1234)
	for i := range data {
		data[i] = "ab\n"[r.IntN(3)]
	}
	copy(data[searchBlock-3:], "连接池") // over the border of a block
	for _, q := range []string{"a", "aa", "aba", "abababab", "连接池", "接", "zz", strings.Repeat("a", 9)} {
		src := NewSource(nil)
		s := NewSearch(src, q, false)
		// The text arrives in pieces, the search goes on in between.
		for rest := data; len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(2*searchBlock))
			src.Append(rest[:n])
			rest = rest[n:]
			if r.IntN(2) == 0 {
				s.Step(searchBlock)
			}
		}
		for !s.Step(searchBlock) {
			require.False(t, s.Done())
		}
		var hits []int
		for at := 0; ; {
			i := bytes.Index(data[at:], []byte(q))
			if i < 0 {
				break
			}
			hits = append(hits, at+i)
			at += i + len(q)
		}
		require.Equal(t, bytes.Count(data, []byte(q)), s.Count(), q)
		require.Equal(t, len(hits), s.Count(), q)
		require.InDelta(t, 1, s.Progress(), 0)
		for range 50 {
			if len(hits) == 0 {
				_, ok, pending := s.Next(r.IntN(len(data)))
				require.False(t, ok || pending)
				_, ok = s.Prev(r.IntN(len(data)))
				require.False(t, ok)
				continue
			}
			i := r.IntN(len(hits))
			require.Equal(t, i+1, s.Number(hits[i]))
			got, ok, _ := s.Next(hits[i])
			require.True(t, ok)
			require.Equal(t, hits[i], got)
			if got, ok, _ = s.Next(hits[i] + 1); i+1 < len(hits) {
				require.True(t, ok)
				require.Equal(t, hits[i+1], got)
			} else {
				require.False(t, ok)
			}
			if got, ok = s.Prev(hits[i]); i > 0 {
				require.True(t, ok)
				require.Equal(t, hits[i-1], got)
			} else {
				require.False(t, ok)
			}
		}
	}
}

func TestSearchFoldsASCII(t *testing.T) {
	s := NewSearch(NewSourceString("Error ERROR error Übel 连接"), "eRRor", true)
	assert.True(t, s.Step(1))
	assert.Equal(t, 3, s.Count())
	assert.Zero(t, s.Number(3), "no hit starts there")
	empty := NewSearch(NewSourceString("abc"), "", true)
	assert.True(t, empty.Step(1))
	assert.Zero(t, empty.Count())
}

func TestSearchInAView(t *testing.T) {
	s := longMixed(60000) // over the part that is searched at once
	v := view(s, 80, 20)
	v.Search("59999:")
	assert.False(t, v.Visible(strings.Index(s, "59999:"), len(s)))
	steps := 0
	for v.StepSearch(64 << 10) {
		steps++
	}
	assert.Greater(t, steps, 2)
	at := strings.Index(s, "59999:")
	assert.True(t, v.Visible(at, at+6), "the hit is shown as soon as it is found")
	assert.Equal(t, []string{"59999:"}, painted(v, ClassSearchCurrent))
	v.Do(MoveHome)
	v.Search("info")
	for v.StepSearch(1 << 20) {
		continue
	}
	state, ok := v.SearchState()
	require.True(t, ok)
	assert.Equal(t, SearchState{Query: "info", Count: strings.Count(s, "INFO"), Number: 1, Done: true, Progress: 1}, state)
	v.SearchPrev()
	state, _ = v.SearchState()
	assert.Equal(t, state.Count, state.Number, "from the first to the last")
	v.SearchNext()
	v.SearchNext()
	state, _ = v.SearchState()
	assert.Equal(t, 2, state.Number)
	v.Search("Info")
	state, _ = v.SearchState()
	assert.Zero(t, state.Count, "a capital makes the search exact")
	v.Search("")
	_, ok = v.SearchState()
	assert.False(t, ok)
	v.SearchNext()
	assert.False(t, v.StepSearch(1))
}
