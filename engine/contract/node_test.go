package contract

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNumbersAreExact: no number goes through floating point.
func TestNumbersAreExact(t *testing.T) {
	for text, want := range map[string]int64{
		"9007199254740993": 9007199254740993, "9007199254740993.0": 9007199254740993, "90071992547409930e-1": 9007199254740993,
		"9223372036854775807": 9223372036854775807, "-9223372036854775808": -9223372036854775808, "1e3": 1000, "-0": 0, "0e999": 0, "1.50e2": 150,
	} {
		v, ok := exactInt(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, v, text)
	}
	for _, text := range []string{"9223372036854775808", "1e309", "1.5", "1e-1", "123456789012345678901234567890", "1e999999999999"} {
		_, ok := exactInt(text)
		assert.False(t, ok, text)
	}
}
