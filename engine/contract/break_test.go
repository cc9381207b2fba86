package contract

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func compact(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// TestEveryStyleInEveryWrapping breaks generated contracts in one way and wraps
// them in another: all of the contract must come out.
func TestEveryStyleInEveryWrapping(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range styles() {
		for _, w := range wrappings() {
			from := phrases
			if s.plainOnly {
				from = plainPhrases
			}
			k := someContract(r, 1+r.IntN(3), from)
			text, _ := s.print(k)
			message := []byte(w.before + text + w.after)
			p := Parse(message)
			require.Empty(t, broken(message, p), "%s in %s:\n%s", s.name, w.name, message)
			want := StatusRepaired
			if json.Valid(message) {
				require.Empty(t, p.Edits)
				if len(p.Coercions) == 0 {
					want = StatusOK
				}
			}
			if !assert.Equal(t, want, p.Status, "%s in %s: %s\n%s", s.name, w.name, p.Reason, message) ||
				!assert.Equal(t, compact(t, k), compact(t, p.Contract), "%s in %s:\n%s", s.name, w.name, message) {
				return
			}
		}
	}
}

// TestTwoStyles joins two defects.
func TestTwoStyles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	all := styles()
	for _, a := range all {
		for _, b := range all {
			s := mixed(a, b)
			if s.keyQuotes[0] == "" && strings.Contains(s.key("claim_id"), " ") {
				continue // nobody can tell where such a name starts
			}
			k := someContract(r, 2, plainPhrases)
			text, _ := s.print(k)
			w := pickOne(r, wrappings()...)
			message := []byte(w.before + text + w.after)
			p := Parse(message)
			require.Empty(t, broken(message, p), "%s in %s:\n%s", s.name, w.name, message)
			if !assert.Equal(t, compact(t, k), compact(t, p.Contract), "%s in %s: %s\n%s", s.name, w.name, p.Reason, message) {
				return
			}
		}
	}
}

// TestCutAtEveryByte cuts messages after every byte: the claims that were
// complete come out as they were, and no other.
func TestCutAtEveryByte(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, s := range styles() {
		for i, w := range []wrapper{{}, {"reasoning", "<think>" + draft + "</think>好，{x}：\n```json\n", ""}} {
			main, claims := s.name == "valid" || s.name == "python" || s.name == "typographic", 2
			if i > 0 && !main {
				continue
			}
			if !main {
				claims = 1
			}
			from := phrases
			if s.plainOnly {
				from = plainPhrases
			}
			k := someContract(r, claims, from)
			text, ends := s.print(k)
			whole := w.before + text
			for n := len(w.before); n < len(whole); n++ {
				message := []byte(whole[:n])
				p := Parse(message)
				require.Empty(t, broken(message, p), "%s in %s:\n%s", s.name, w.name, message)
				complete := 0
				for _, end := range ends {
					if end+len(w.before) <= n {
						complete++
					}
				}
				var got []Claim
				if p.Contract != nil {
					got = p.Contract.Claims
				}
				require.Equal(t, complete, len(got), "%s in %s:\n%s", s.name, w.name, tail(message))
				for i := range got {
					require.Equal(t, compact(t, k.Claims[i]), compact(t, got[i]), "%s in %s:\n%s", s.name, w.name, message)
				}
				if complete > 0 && p.Status != StatusTruncated {
					// Only the last bracket may be missing.
					require.Equal(t, len(ends), complete)
					require.NotContains(t, whole[n:], "missing", "%s in %s: status %s\n%s", s.name, w.name, p.Status, tail(message))
				}
				if complete == 0 {
					require.Contains(t, []ParseStatus{StatusInvalid, StatusEmpty}, p.Status)
				}
			}
		}
	}
}

func tail(b []byte) []byte { return b[max(0, len(b)-300):] }
