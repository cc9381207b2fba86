package session

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// idLetters are the characters of an id's suffix: no vowels and no l, so that it
// spells nothing and can be read aloud.
const idLetters = "0123456789bcdfghjkmnpqrstvwxyz"

// NewID makes a session id such as 20261130-154501-x7k2: the time in UTC, then four
// random characters from random. Ids sort by time.
func NewID(at time.Time, random io.Reader) (string, error) {
	var raw [4]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("session id: %w", err)
	}
	for i := range raw {
		raw[i] = idLetters[int(raw[i])%len(idLetters)]
	}
	return at.UTC().Format("20060102-150405-") + string(raw[:]), nil
}

// ValidID reports whether id can name a session and its file: 1 to 128 letters,
// digits, dots, dashes and underscores, the first no dot and no dash.
func ValidID(id string) bool {
	if id == "" || len(id) > 128 || id[0] == '.' || id[0] == '-' {
		return false
	}
	return strings.IndexFunc(id, func(r rune) bool {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return false
		}
		return true
	}) < 0
}
