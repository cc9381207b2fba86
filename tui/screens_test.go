//go:build screens

package tui

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/tui/text"
	"claimscope/tui/theme"
)

// TestScreens writes pictures of the console to the folder SCREENS, and with README set
// the one of the README: run it by make screens.
func TestScreens(t *testing.T) {
	dir := os.Getenv("SCREENS")
	require.NotEmpty(t, dir, "run make screens")
	write := func(name string, kind theme.Kind, lang text.Lang, w, h int, keys ...string) {
		c := newConsole(t, Options{Lang: lang, Theme: kind}, shipped(t))
		svg := picture(c.size(w, h).press(keys...).lines(), w, kind)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".svg"), []byte(svg), 0o644))
	}
	finding := []string{"e", "enter", "e"}
	for _, kind := range []theme.Kind{theme.Dark, theme.Light} {
		for _, size := range [][2]int{{200, 50}, {120, 40}, {80, 24}} {
			for _, lang := range []text.Lang{text.ZH, text.EN} {
				write(fmt.Sprintf("finding-%dx%d-%s-%s", size[0], size[1], kind, lang), kind, lang, size[0], size[1], finding...)
			}
		}
		write("list-"+kind.String(), kind, text.EN, 120, 30, "e")
		write("verifier-"+kind.String(), kind, text.EN, 120, 40, "e", "enter", "v")
		write("compare-"+kind.String(), kind, text.EN, 120, 40, "d", "e", "d")
		write("help-"+kind.String(), kind, text.ZH, 120, 40, "enter", "?")
		write("pass-"+kind.String(), kind, text.ZH, 160, 45, "enter", "j", "j", "4", "j", "j")
	}
	write("none", theme.None, text.EN, 120, 40, finding...)
	if path := os.Getenv("README"); path != "" {
		c := newConsole(t, Options{Lang: text.EN, Theme: theme.Dark}, shipped(t))
		svg := picture(c.size(120, 40).press(finding...).lines(), 120, theme.Dark)
		require.Less(t, len(svg), 150_000)
		require.NoError(t, os.WriteFile(path, []byte(svg), 0o644))
	}
}

// The cells of a picture, in pixels.
const (
	cellW = 8.4287 // of DejaVu Sans Mono at 14 pixels
	cellH = 16.3   // the same font's line: the lines of frames meet
	fontH = 14
	wideH = 16
)

// pen is what the styles of a line have come to.
type pen struct {
	fg, bg                        string
	bold, under, reversed, struck bool
}

// picture draws lines of w cells as SVG: each run of cells stands exactly where the
// terminal has it.
func picture(lines []string, w int, kind theme.Kind) string {
	paper, ink := "#101014", "#e4e4e4"
	if kind == theme.Light {
		paper, ink = "#fdfdfd", "#1c1c1c"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="DejaVu Sans Mono,Menlo,Consolas,Noto Sans Mono CJK SC,monospace" font-size="%d">`+"\n",
		float64(w)*cellW+16, float64(len(lines))*cellH+16, fontH)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="%s"/><g transform="translate(8,8)" xml:space="preserve">`+"\n", paper)
	for y, l := range lines {
		x, p := 0, pen{}
		for l != "" {
			if rest, ok := strings.CutPrefix(l, "\x1b["); ok {
				codes, after, _ := strings.Cut(rest, "m")
				p.take(strings.Split(codes, ";"))
				l = after
				continue
			}
			end := strings.IndexByte(l, 0x1b)
			if end < 0 {
				end = len(l)
			}
			x += run(&b, x, y, l[:end], p, paper, ink)
			l = l[end:]
		}
	}
	b.WriteString("</g></svg>\n")
	return b.String()
}

// take applies the codes of one SGR sequence.
func (p *pen) take(codes []string) {
	for i := 0; i < len(codes); i++ {
		switch n, _ := strconv.Atoi(codes[i]); n {
		case 0:
			*p = pen{}
		case 1:
			p.bold = true
		case 4:
			p.under = true
		case 7:
			p.reversed = true
		case 9:
			p.struck = true
		case 38, 48:
			if i+4 < len(codes) {
				var rgb [3]int
				for k := range rgb {
					rgb[k], _ = strconv.Atoi(codes[i+2+k])
				}
				colour := fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2])
				if n == 38 {
					p.fg = colour
				} else {
					p.bg = colour
				}
				i += 4
			}
		}
	}
}

// run draws cells of one style, and gives their number. Narrow and wide characters are
// drawn apart, as fonts do not keep them at one to two.
func run(b *strings.Builder, x, y int, s string, p pen, paper, ink string) int {
	fg, bg := p.fg, p.bg
	if fg == "" {
		fg = ink
	}
	if p.reversed {
		if fg, bg = bg, fg; fg == "" {
			fg = paper
		}
	}
	cells := text.Width(s)
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`, float64(x)*cellW, float64(y)*cellH, float64(cells)*cellW, cellH, bg)
	}
	style := ""
	if p.bold {
		style += ` font-weight="bold"`
	}
	if p.under {
		style += ` text-decoration="underline"`
	}
	if p.struck {
		style += ` text-decoration="line-through"`
	}
	at := x
	for s != "" {
		part, wide := "", 0
		for s != "" {
			c, w := text.FirstCluster(s)
			if part != "" && w != wide || c == " " && part == "" {
				if part != "" {
					break
				}
				at, s = at+w, s[len(c):]
				continue
			}
			part, wide, s = part+c, w, s[len(c):]
		}
		if trimmed := strings.TrimRight(part, " "); trimmed != "" {
			size := ""
			if wide == 2 {
				// A wide character is as wide as its font is high: the rest is space.
				size = fmt.Sprintf(` font-size="%d" letter-spacing="%.2f"`, wideH, 2*cellW-wideH)
			}
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s%s>%s</text>`+"\n",
				float64(at)*cellW, float64(y)*cellH+fontH-1, float64(text.Width(trimmed))*cellW, fg, size, style, html.EscapeString(trimmed))
		}
		at += text.Width(part)
	}
	return cells
}
