package text

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNumbersForPeople(t *testing.T) {
	for _, c := range []struct {
		n           int
		size, count string
	}{
		{0, "0 B", "0"},
		{999, "999 B", "999"},
		{1000, "1.0 KB", "1.0k"},
		{14_236, "14.2 KB", "14.2k"},
		{999_949, "999.9 KB", "999.9k"},
		{999_950, "1.0 MB", "1.0M"},
		{999_949_999, "999.9 MB", "999.9M"},
		{999_950_000, "1.0 GB", "1000.0M"},
	} {
		assert.Equal(t, c.size, Size(c.n), "%d bytes", c.n)
		assert.Equal(t, c.count, Count(c.n), "%d tokens", c.n)
	}
}
