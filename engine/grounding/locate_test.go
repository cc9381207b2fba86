package grounding

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocateReportsTheTierAndTheBytes(t *testing.T) {
	text := NewText([]byte("GET /orders 500\r\nretry   later\n"))
	l := text.Locate("/orders 500")
	require.Equal(t, Exact, l.Tier)
	require.Equal(t, []Occurrence{{Spans: []Span{{4, 15}}}}, l.Occurrences)

	l = text.Locate("get /orders 500 RETRY later")
	require.Equal(t, Folded, l.Tier)
	require.Equal(t, []Occurrence{{Spans: []Span{{0, 30}}}}, l.Occurrences)

	require.Equal(t, Absent, text.Locate("/carts").Tier)
	require.Equal(t, Absent, text.Locate(" \n").Tier)
}

func TestLine(t *testing.T) {
	text := NewText([]byte("a\r\nbb\n\nc"))
	for _, c := range []struct{ offset, number, start, end int }{
		{-1, 1, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1}, {2, 1, 0, 1},
		{3, 2, 3, 5}, {5, 2, 3, 5}, {6, 3, 6, 6}, {7, 4, 7, 8}, {99, 4, 7, 8},
	} {
		number, span := text.Line(c.offset)
		require.Equal(t, c.number, number, "offset %d", c.offset)
		require.Equal(t, Span{c.start, c.end}, span, "offset %d", c.offset)
	}
	number, span := NewText(nil).Line(0)
	require.Equal(t, 1, number)
	require.Equal(t, Span{}, span)
}
