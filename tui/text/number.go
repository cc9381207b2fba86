package text

import (
	"fmt"
	"strconv"
)

// Size writes a number of bytes for people: "812 B", "14.2 KB", "1.2 MB".
func Size(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " B"
	case n < 999_950: // from here on one decimal rounds up to the next unit
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	case n < 999_950_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// Count writes a number of tokens for people: "812", "12.3k", "1.2M".
func Count(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 999_950:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}
