package widget

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBar(t *testing.T) {
	bar := func(top, h, total int) string { return strings.Join(Bar(top, h, total, Paint{}), "") }
	require.Equal(t, "     ", bar(0, 5, 5), "all is on screen")
	require.Equal(t, "▐▐   ", bar(0, 5, 10))
	require.Equal(t, "   ▐▐", bar(5, 5, 10))
	require.Equal(t, "▐", bar(3, 1, 9))
	require.Empty(t, bar(0, 0, 9))
	// The thumb is at an end only when the rows are.
	for top := 1; top < 995; top++ {
		b := bar(top, 5, 1000)
		require.True(t, strings.HasPrefix(b, " ") && strings.HasSuffix(b, " "), "%d: %q", top, b)
	}
}
