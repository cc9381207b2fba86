package answer

import (
	"github.com/charmbracelet/glamour/ansi"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"claimscope/tui/theme"
)

// newRenderer makes the glamour renderer of a theme. Its word wrap is off: it breaks at
// white space only. Its automatic style asks the terminal and is never used.
func newRenderer(t theme.Theme) renderer.Renderer {
	options := ansi.Options{ColorProfile: t.Renderer().ColorProfile(), PreserveNewLines: true, Styles: styleConfig(t)}
	if options.ColorProfile == termenv.Ascii {
		options.ChromaFormatter = "noop"
	}
	return renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(ansi.NewRenderer(options), 1)))
}

// styleConfig translates the theme. Where colour may be missing, code keeps its marks.
func styleConfig(t theme.Theme) ansi.StyleConfig {
	yes, profile := true, t.Renderer().ColorProfile()
	colour := func(s lipgloss.Style) *string { return colourOf(s.GetForeground(), profile) }
	c := ansi.StyleConfig{
		Emph:          ansi.StylePrimitive{Italic: &yes},
		Strong:        ansi.StylePrimitive{Bold: &yes},
		Strikethrough: ansi.StylePrimitive{CrossedOut: &yes},
		LinkText:      ansi.StylePrimitive{Color: colour(t.Link), Underline: &yes},
		Code:          ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: colour(t.JSONNumber)}},
	}
	heading := ansi.StylePrimitive{Color: colour(t.Title), Bold: &yes}
	c.Heading = ansi.StyleBlock{StylePrimitive: heading}
	c.CodeBlock = ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: colour(t.Dim)}}}
	if t.Brackets() {
		c.Code.Prefix, c.Code.Suffix = "`", "`"
		return c
	}
	c.CodeBlock.Chroma = &ansi.Chroma{
		Comment: ansi.StylePrimitive{Color: hex(t.Faint)}, Keyword: ansi.StylePrimitive{Color: hex(t.JSONKey)},
		LiteralNumber: ansi.StylePrimitive{Color: hex(t.JSONNumber)}, LiteralString: ansi.StylePrimitive{Color: hex(t.Supported)},
		NameTag: ansi.StylePrimitive{Color: hex(t.JSONKey)}, KeywordType: ansi.StylePrimitive{Color: hex(t.JSONLiteral)},
	}
	return c
}

// colourOf writes a colour as glamour wants it: hexadecimal, or a number of the palette.
func colourOf(c lipgloss.TerminalColor, p termenv.Profile) *string {
	full, ok := c.(lipgloss.CompleteColor)
	if !ok {
		return nil
	}
	var s string
	switch p {
	case termenv.TrueColor:
		s = full.TrueColor
	case termenv.ANSI256:
		s = full.ANSI256
	case termenv.ANSI:
		s = full.ANSI
	case termenv.Ascii:
		return nil
	}
	return &s
}

// hex is the true colour of a style: chroma knows no other and reduces it itself.
func hex(s lipgloss.Style) *string { return colourOf(s.GetForeground(), termenv.TrueColor) }
