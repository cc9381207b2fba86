package grounding

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFinderIsIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 2000 {
		alphabet := []string{"a", "ab", "abcdefghij\n", "连接a"}[rng.IntN(4)]
		text := []byte(string(randomRunes(rng, rng.IntN(5000), alphabet)))
		needle := []byte(string(randomRunes(rng, 1+rng.IntN(12), alphabet+"z")))
		var absent byteSet
		first := newFinder(text, needle, &absent)
		require.Equal(t, bytes.Index(text, needle), first.next(0))
		for c := range 256 {
			require.False(t, absent.has(byte(c)) && bytes.IndexByte(text, byte(c)) >= 0)
		}
		find := newFinder(text, needle, &absent)
		for at := 0; at <= len(text); {
			want := bytes.Index(text[at:], needle)
			got := find.next(at)
			if want < 0 {
				require.Equal(t, -1, got)
				break
			}
			require.Equal(t, at+want, got)
			at = got + 1 + rng.IntN(100)
		}
	}
	find := newFinder([]byte("ab"), []byte("abc"), new(byteSet))
	require.Equal(t, -1, find.next(0))
	find = newFinder([]byte(strings.Repeat("ab", 5000)+"ac"), []byte("ac"), nil)
	require.Equal(t, 10000, find.next(3))
	require.Equal(t, -1, find.next(10001))
}
