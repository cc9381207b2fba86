package grounding

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHostileTextsEnd runs each search on texts that are made to be slow. Work that
// grows with the square of the text would take minutes here.
func TestHostileTextsEnd(t *testing.T) {
	const size = 1 << 15
	for _, unit := range []string{
		"7", "a", "a-", "=ab", "#", "\\", `\ud83d`, "\x1b", "\x1b]", "\x1b[", "\u009b1", ".", "..", "-", "- ", "—", " ", "\n", "\n-", "e\u0301", "\u0301",
		"\u200b", "**", "连", "连 ", "ﷺ", "½", "\xff", "\xe4\xb8", "1 ,", "payment-1 ", "retry after timeout ", "\"\\\\\"",
	} {
		raw := []byte(strings.Repeat(unit, size/len(unit)))
		text := NewText(raw)
		for _, excerpt := range []string{
			strings.Repeat(unit, 200/len(unit)+1),
			strings.Repeat(unit, 100/len(unit)+1) + "x",
			"x" + strings.Repeat(unit, 100/len(unit)+1),
			unit + "…" + unit + "…" + strings.Repeat(unit, 20) + "…" + unit,
			strings.Repeat(unit, 20) + "…x absent piece",
			strings.Repeat(unit+", ", 40),
			strings.Repeat(unit+"\n", 40) + "x",
			strings.ToUpper(strings.Repeat(unit, 60)) + "…" + unit,
		} {
			requireLocation(t, string(raw), excerpt, text.Locate(excerpt))
		}
	}
}

func TestHostileExcerptsEnd(t *testing.T) {
	text := NewText([]byte(pods))
	for _, excerpt := range []string{
		strings.Repeat("…a", 1<<13), strings.Repeat("a\n", 1<<14), strings.Repeat("a, ", 1<<14), strings.Repeat("#", 1<<16), strings.Repeat("(略", 1<<13),
		strings.Repeat("ledger-77fb ", 1<<12), strings.Repeat("a\n", 1<<20),
	} {
		require.Equal(t, Absent, text.Locate(excerpt).Tier)
	}
}

func TestTextIsSafeForConcurrentUse(t *testing.T) {
	text := NewText([]byte(strings.Repeat(pods, 200)))
	excerpts := []string{"副本数不足", "warning backoff", "Readiness probe failed … 503", "Back-off restarting failed containers ledger", "absent"}
	want := make([]Location, len(excerpts))
	for i, e := range excerpts {
		want[i] = NewText(text.Raw()).Locate(e)
	}
	var group sync.WaitGroup
	got := make([]Location, 8*len(excerpts))
	for i := range got {
		group.Go(func() {
			got[i] = text.Locate(excerpts[i%len(excerpts)])
			text.Line(i)
		})
	}
	group.Wait()
	for i := range got {
		require.Equal(t, want[i%len(want)], got[i])
	}
}
