package theme_test

import (
	"io"
	"math"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/charmbracelet/bubbletea" // for the order of initialisation
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/tui/text"
	"claimscope/tui/theme"
)

// The order of initialisation is printed by the runtime; it is what keeps a
// headless start from waiting five seconds for a terminal's answer.
func TestInitialisedBeforeBubbleTea(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	ours := strings.Index(string(out), "init claimscope/tui/theme ")
	theirs := strings.Index(string(out), "init github.com/charmbracelet/bubbletea ")
	require.GreaterOrEqual(t, ours, 0, "%s", out)
	require.GreaterOrEqual(t, theirs, 0, "%s", out)
	assert.Less(t, ours, theirs)
}

func renderer(p termenv.Profile) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	return r
}

// eachStyle calls f with the name and value of every style of a theme.
func eachStyle(th theme.Theme, f func(name string, s lipgloss.Style)) {
	v := reflect.ValueOf(th)
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.IsExported() && field.Type == reflect.TypeFor[lipgloss.Style]() {
			f(field.Name, v.Field(i).Interface().(lipgloss.Style))
		}
	}
}

func TestEveryStyleOnlyColours(t *testing.T) {
	for _, kind := range []theme.Kind{theme.Dark, theme.Light, theme.None} {
		for _, p := range []termenv.Profile{termenv.Ascii, termenv.ANSI, termenv.ANSI256, termenv.TrueColor} {
			eachStyle(theme.New(kind, renderer(p)), func(name string, s lipgloss.Style) {
				got := s.Render("a 连")
				require.Equal(t, "a 连", text.Unstyle(got), name)
				if p == termenv.Ascii {
					require.Equal(t, "a 连", got, name)
				}
				if kind == theme.None {
					require.NotContains(t, got, "38;", name)
					require.NotContains(t, got, "48;", name)
				}
			})
		}
	}
}

// rgb reads "#rrggbb" as linear light (sRGB, IEC 61966-2-1).
func rgb(t *testing.T, s string) [3]float64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 24)
	require.NoError(t, err)
	var out [3]float64
	for i := range out {
		c := float64(n>>(16-8*i)&0xff) / 255
		if c <= 0.04045 {
			out[i] = c / 12.92
		} else {
			out[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return out
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

// value is a colour of a palette as "#rrggbb"; "" for none, and for the 16 colours,
// which are the terminal's own.
func value(c lipgloss.TerminalColor, p termenv.Profile) string {
	cc, ok := c.(lipgloss.CompleteColor)
	switch {
	case !ok:
		return ""
	case p == termenv.TrueColor:
		return cc.TrueColor
	}
	n, err := strconv.Atoi(cc.ANSI256)
	if err != nil || n < 16 {
		return ""
	}
	return termenv.ConvertToRGB(termenv.ANSI256Color(n)).Hex()
}

func trueColour(c lipgloss.TerminalColor) string { return value(c, termenv.TrueColor) }

// contrast is the contrast ratio of WCAG 2.1.
func contrast(t *testing.T, one, other string) float64 {
	a, b := luminance(rgb(t, one)), luminance(rgb(t, other))
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// TestTextIsReadableOnItsBackground holds every style to WCAG 2.1: text has 4.5:1 on
// its own background, else on the usual pages and on all backgrounds that lines with
// styles of their own come to stand on; what is no text, or only accompanies it, has
// 3:1 on the latter.
func TestTextIsReadableOnItsBackground(t *testing.T) {
	quiet := []string{"Faint", "Waiting", "Border", "ScrollBar", "LineNumber", "JSONPunct"}
	pages := map[theme.Kind][]string{theme.Dark: {"#000000", "#1e1e1e"}, theme.Light: {"#ffffff", "#fafafa"}}
	for kind, page := range pages {
		for _, p := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256} {
			th := theme.New(kind, renderer(p))
			under := map[string]string{"the bar": "", "the cursor": "", "what is linked": ""}
			for name, s := range map[string]lipgloss.Style{"the bar": th.Bar, "the cursor": th.Cursor, "what is linked": th.Linked} {
				under[name] = value(s.GetBackground(), p)
				require.NotEmpty(t, under[name])
				assert.Greater(t, contrast(t, under[name], page[0]), 1.05, "%s is not seen on %s", name, page[0])
			}
			eachStyle(th, func(name string, s lipgloss.Style) {
				fg, bg := value(s.GetForeground(), p), value(s.GetBackground(), p)
				on := func(bg, what string, least float64) {
					ratio := contrast(t, fg, bg)
					assert.GreaterOrEqual(t, ratio, least, "%s on %s (%s) in %s: %.2f", name, what, bg, kind, ratio)
				}
				switch {
				case fg == "":
				case bg != "":
					on(bg, "its own", 4.5)
				default:
					for _, x := range page {
						on(x, "the page", 4.5)
					}
					least := 4.5
					if slices.Contains(quiet, name) {
						least = 3
					}
					for what, x := range under {
						on(x, what, least)
					}
				}
			})
		}
	}
}

// TestSixteenColoursHideNothing: no text has the colour of what it may stand on.
func TestSixteenColoursHideNothing(t *testing.T) {
	number := func(c lipgloss.TerminalColor) string {
		if cc, ok := c.(lipgloss.CompleteColor); ok {
			return cc.ANSI
		}
		return ""
	}
	for _, kind := range []theme.Kind{theme.Dark, theme.Light} {
		th := theme.New(kind, renderer(termenv.ANSI))
		for name, s := range map[string]lipgloss.Style{"cursor": th.Cursor, "selected": th.Selected, "linked": th.Linked} {
			require.Empty(t, number(s.GetBackground()), name)
			require.NotEqual(t, "x", s.Render("x"), name)
		}
		eachStyle(th, func(name string, s lipgloss.Style) {
			fg, bg := number(s.GetForeground()), number(s.GetBackground())
			if bg == "" {
				bg = number(th.Bar.GetBackground())
			}
			if fg != "" {
				require.NotEqual(t, fg, bg, name)
			}
		})
	}
}

// dichromat simulates red-green blindness on linear light (Viénot, Brettel and
// Mollon 1999).
func dichromat(c [3]float64, protan bool) [3]float64 {
	if protan {
		return [3]float64{0.11238*c[0] + 0.88762*c[1], 0.11238*c[0] + 0.88762*c[1], 0.00401*c[0] - 0.00401*c[1] + c[2]}
	}
	return [3]float64{0.29275*c[0] + 0.70725*c[1], 0.29275*c[0] + 0.70725*c[1], -0.02234*c[0] + 0.02234*c[1] + c[2]}
}

func TestVerdictsStayApartForColourBlindEyes(t *testing.T) {
	for _, kind := range []theme.Kind{theme.Dark, theme.Light} {
		th := theme.New(kind, nil)
		good, bad := rgb(t, trueColour(th.Supported.GetForeground())), rgb(t, trueColour(th.Unsupported.GetForeground()))
		for _, protan := range []bool{false, true} {
			a, b := dichromat(good, protan), dichromat(bad, protan)
			d := 0.0
			for i := range a {
				d += math.Pow(math.Cbrt(a[i])-math.Cbrt(max(b[i], 0)), 2)
			}
			assert.Greater(t, math.Sqrt(d), 0.2, "%s protan=%v", kind, protan)
		}
	}
}

func TestMarksAreOneCell(t *testing.T) {
	for _, m := range []string{
		theme.MarkSupported, theme.MarkUnsupported, theme.MarkContradicted, theme.MarkNear, theme.MarkUnknown, theme.MarkWarn,
		theme.MarkInfo, theme.MarkNothing, theme.MarkDone, theme.MarkRunning, theme.MarkWaiting, theme.MarkPaused, theme.MarkFailed,
		theme.MarkCursor, theme.MarkFolded, theme.MarkBreakpoint, theme.MarkRepaired,
		theme.Spinner(0), theme.Spinner(9), theme.Spinner(-3),
	} {
		assert.Equal(t, 1, text.Width(m), m)
	}
}

func TestKinds(t *testing.T) {
	seen := map[theme.Kind]bool{}
	var names []string
	for k := theme.Dark; !seen[k]; k = k.Next() {
		seen[k] = true
		names = append(names, k.String())
	}
	assert.Equal(t, []string{"dark", "light", "none"}, names, "a toggle comes by each")
	assert.True(t, theme.New(theme.None, nil).Brackets())
	assert.False(t, theme.New(theme.Light, nil).Brackets())
	assert.True(t, theme.New(theme.Dark, renderer(termenv.Ascii)).Brackets())
}
