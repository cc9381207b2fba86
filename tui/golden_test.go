package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/sessions"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view/viewtest"
)

// golden compares with testdata/NAME; UPDATE_GOLDEN=1 writes it anew.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// shipped is an engine with the sessions that ship with the program.
func shipped(t testing.TB) *fakeEngine {
	t.Helper()
	dir := t.TempDir()
	e, err := engine.Open(engine.Environment{
		Getenv:  func(name string) string { return map[string]string{"HOME": dir}[name] },
		Bundled: sessions.FS(), Now: viewtest.Start.Local,
	})
	require.NoError(t, err)
	entries, err := e.List()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(entries), 3)
	out := newFakeEngine()
	out.entries = entries
	for _, x := range entries {
		require.NoError(t, x.Err)
		rec, err := e.Open(x.ID)
		require.NoError(t, err)
		out.scripts[x.ID] = &viewtest.Script{Header: rec.Header, Events: rec.Events}
	}
	return out
}

func TestGoldenOfEveryBundledSession(t *testing.T) {
	e := shipped(t)
	for _, x := range e.entries {
		for _, lang := range []text.Lang{text.ZH, text.EN} {
			for _, size := range [][2]int{{200, 50}, {120, 40}, {80, 24}} {
				name := fmt.Sprintf("golden/%s.%dx%d.%s.txt", x.ID, size[0], size[1], lang)
				t.Run(name, func(t *testing.T) {
					c := newConsole(t, Options{Lang: lang, Theme: theme.Dark, Session: x.ID}, e)
					c.size(size[0], size[1]).press("e")
					if c.m.debug.view.Finding() == nil {
						c.press("2", "j", "j") // the first binding of the first claim
					}
					golden(t, name, c.plain())
				})
			}
		}
	}
}

func TestGoldenOfEveryScreen(t *testing.T) {
	screens := []struct {
		name string
		keys []string
	}{
		{"list", []string{"j"}},
		{"filter", []string{"/", "v", "2", "backspace", "backspace", "p", "a"}},
		{"verifier", []string{"e", "enter", "v"}},
		{"help", []string{"e", "enter", "?"}},
		{"finding", []string{"e", "enter", "e", "?"}},
		{"compare", []string{"d", "j", "d"}},
		{"past", []string{"e", "enter", "[", "[", "["}},
		{"breakpoints", []string{"e", "enter", "b"}},
		{"none", []string{"e", "enter", "T", "T", "e"}}, // without colours
	}
	e := shipped(t)
	for _, s := range screens {
		for _, lang := range []text.Lang{text.ZH, text.EN} {
			name := fmt.Sprintf("golden/screen-%s.%s.txt", s.name, lang)
			t.Run(name, func(t *testing.T) {
				c := newConsole(t, Options{Lang: lang, Theme: theme.Dark}, e)
				golden(t, name, c.size(100, 30).press(s.keys...).plain())
			})
		}
	}
}

// TestGoldenInColour keeps one screen with its styles, an escape written as ^[.
func TestGoldenInColour(t *testing.T) {
	c := newConsole(t, Options{Lang: text.ZH, Theme: theme.Dark}, shipped(t))
	c.press("e", "enter", "e")
	golden(t, "golden/colours.120x40.zh.txt", strings.ReplaceAll(strings.Join(c.lines(), "\n"), "\x1b", "^[")+"\n")
}
