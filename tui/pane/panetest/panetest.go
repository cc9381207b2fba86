// Package panetest holds what the tests of all panes share: goldens, the width sweep,
// the check that nothing but styles reaches the terminal.
package panetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/view/viewtest"
)

// Golden compares with testdata/NAME.golden; UPDATE_GOLDEN=1 writes it anew.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// Plain draws a pane without styles, a | at the end of each line so that its width is
// seen.
func Plain(p pane.Pane, v *view.View, w, h int) string {
	var b strings.Builder
	b.WriteString(p.Title(v) + "\n")
	for _, l := range p.Lines(w, h, v, true) {
		b.WriteString(text.Unstyle(l) + "|\n")
	}
	return b.String()
}

// sgr is the only escape sequence that a pane may draw.
var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// Exact asserts that lines are h lines of w cells and hold no control but styles.
func Exact(t *testing.T, lines []string, w, h int) {
	t.Helper()
	require.Len(t, lines, h)
	for i, l := range lines {
		if !assert.Equal(t, w, text.Width(l), "line %d of %dx%d: %q", i, w, h, l) || !assert.True(t, Safe(l), "line %d: %q", i, l) {
			t.FailNow()
		}
	}
}

// Safe reports whether a line holds valid text and no control but styles.
func Safe(line string) bool {
	if !utf8.ValidString(line) {
		return false
	}
	return strings.IndexFunc(sgr.ReplaceAllString(line, ""), func(r rune) bool {
		return unicode.IsControl(r) || r >= 0x80 && r < 0xa0 || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r < 0xe0080
	}) < 0
}

// Sweep draws every session of viewtest in every width from 20 to 200 cells.
func Sweep(t *testing.T, fresh func(theme.Theme) pane.Pane) {
	t.Helper()
	for name, s := range viewtest.All() {
		for _, kind := range []theme.Kind{theme.Dark, theme.None} {
			p := fresh(theme.New(kind, nil))
			v := s.View(text.ZH)
			step := 1
			if name == "hostile" {
				step = 13 // its texts are long
			}
			for w := 20; w <= 200; w += step {
				h := 1 + w%31
				v.Apply(view.SelectClaim{Claim: w % max(len(v.Claims), 1)})
				if len(v.Findings) > 0 && w%2 == 0 {
					v.Apply(view.SelectFinding{Finding: w % len(v.Findings)})
				}
				if len(v.Texts) > 0 && w%5 == 0 && len(v.Texts[0].Sentences) > 0 {
					v.Apply(view.SelectSentence{Sentence: w % len(v.Texts[0].Sentences)})
				}
				Exact(t, p.Lines(w, h, v, w%3 == 0), w, h)
			}
			require.NotEmpty(t, p.Title(v), name)
			require.True(t, Safe(p.Title(v)), name)
		}
	}
}
