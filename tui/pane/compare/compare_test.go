package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/tui/keymap"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view/viewtest"
)

func fresh(a, b *viewtest.Script) *Pane {
	return New(theme.New(theme.Dark, nil), *a.State(), *b.State())
}

func plain(c *Pane, w, h int, lang text.Lang) string {
	lines := append([]string(nil), c.Lines(w, h, lang)...)
	for i := range lines {
		lines[i] = text.Unstyle(lines[i])
	}
	return strings.Join(lines, "\n")
}

func TestEveryWidth(t *testing.T) {
	all := viewtest.All()
	for name, a := range all {
		for other, b := range all {
			c := fresh(a, b)
			step := 1
			if name == "hostile" || other == "hostile" {
				step = 17
			}
			for w := 20; w <= 200; w += step {
				c.Key(keymap.Down)
				c.Right = w%3 == 0
				c.All = w%2 == 0
				panetest.Exact(t, c.Lines(w, 1+w%31, text.ZH), w, 1+w%31)
			}
		}
	}
}

func TestTheSideAndTheClaimChosen(t *testing.T) {
	c := fresh(viewtest.Pass(), viewtest.LowConfid())
	plain(c, 100, 30, text.EN)
	session, claim := c.Chosen()
	require.Equal(t, "s-pass", session)
	require.Equal(t, "claim-1", claim, "the first claim is lost")
	require.True(t, c.Key(keymap.Right))
	session, claim = c.Chosen()
	require.Equal(t, "s-low", session)
	require.Empty(t, claim, "the other side has none")
	require.True(t, c.Key(keymap.End))
	_, claim = c.Chosen()
	require.NotEmpty(t, claim)
	c.Click(3, 0) // no claim stands there
	require.True(t, c.Right)
	require.False(t, c.Key(keymap.Copy))
}

func TestTheSameSessionTwice(t *testing.T) {
	c := fresh(viewtest.LowConfid(), viewtest.LowConfid())
	require.Contains(t, plain(c, 100, 60, text.EN), "= the same  5")
	require.True(t, c.Key(keymap.ToggleWrap))
	require.Contains(t, plain(c, 100, 60, text.EN), "5 claims are the same; Z shows them")
	c.SetTheme(theme.New(theme.None, nil))
	require.Contains(t, plain(c, 100, 60, text.ZH), "另有 5 条相同的结论")
}

func TestHomeShowsWhatIsCompared(t *testing.T) {
	c := fresh(viewtest.Pass(), viewtest.LowConfid())
	plain(c, 60, 12, text.EN)
	c.Key(keymap.End)
	require.NotContains(t, plain(c, 60, 12, text.EN), "s-pass")
	c.Key(keymap.Home)
	require.Contains(t, plain(c, 60, 12, text.EN), "s-pass")
	c.Search("31%")
	c.Key(keymap.SearchNext)
	c.Wheel(2)
	plain(c, 60, 12, text.EN)
}
