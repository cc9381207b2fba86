package contract

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outcome compares what was read with what was written: how many claims came out
// as they were, and what is wrong with the others.
func outcome(t *testing.T, k Contract, p Parsed) (good int, wrong string) {
	t.Helper()
	if p.Contract == nil {
		return 0, ""
	}
	texts := map[string]bool{}
	byID := map[string]string{}
	for _, c := range k.Claims {
		byID[c.ClaimID] = compact(t, c)
		texts[c.ClaimText] = true
	}
	for _, c := range p.Contract.Claims {
		switch {
		case byID[c.ClaimID] == compact(t, c):
			good++
		case !texts[c.ClaimText] && c.ClaimText != "" && !c.Repaired:
			wrong = "silently changed: " + compact(t, c)
		}
	}
	return good, wrong
}

// TestOneCharacterLost takes each structural character away in turn: one claim
// may be lost by it, but none may change silently.
func TestOneCharacterLost(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for round := range 6 {
		k := someContract(r, 3, plainPhrases)
		s := baseStyle()
		s.indent = round%2 == 0
		text, _ := s.print(k)
		inside := false
		lost := 0
		for i := range len(text) {
			if text[i] == '"' {
				inside = !inside
			}
			if inside && text[i] != '"' || !strings.ContainsRune(`{}[],:"`, rune(text[i])) {
				continue
			}
			message := []byte(text[:i] + text[i+1:])
			p := Parse(message)
			require.Empty(t, broken(message, p), "%s", message)
			good, wrong := outcome(t, k, p)
			require.Empty(t, wrong, "without the %c at %d:\n%s", text[i], i, message)
			assert.NotEqual(t, StatusOK, p.Status)
			if good < len(k.Claims) {
				lost++
			}
			assert.GreaterOrEqual(t, good, len(k.Claims)-1, "without the %c at %d:\n%s", text[i], i, message)
		}
		assert.LessOrEqual(t, lost, 6, "of all characters")
	}
}

// TestOneCharacterTooMany puts a structural character where none belongs.
func TestOneCharacterTooMany(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 9))
	for round := range 2 {
		k := someContract(r, 3, plainPhrases)
		s := baseStyle()
		s.indent = round%2 == 0
		text, _ := s.print(k)
		inside := false
		for i := range len(text) {
			within := inside
			if text[i] == '"' {
				inside = !inside
			}
			if within {
				continue
			}
			for _, c := range []string{"{", "}", "[", "]", ",", ":", `"`, "'", "x"} {
				message := []byte(text[:i] + c + text[i:])
				p := Parse(message)
				require.Empty(t, broken(message, p), "%s", message)
				_, wrong := outcome(t, k, p)
				require.Empty(t, wrong, "with a %s at %d:\n%s", c, i, message)
			}
		}
	}
}
