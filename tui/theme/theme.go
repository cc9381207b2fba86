package theme

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Kind is one of the themes.
type Kind uint8

// The themes there are.
const (
	Dark  Kind = iota // for dark backgrounds
	Light             // for light backgrounds
	None              // attributes only: bold, underline, reverse
)

// String returns the name of the kind as the user writes it.
func (k Kind) String() string {
	switch k {
	case Light:
		return "light"
	case None:
		return "none"
	case Dark:
		return "dark"
	}
	return "dark"
}

// Next is the kind after k, for a toggle.
func (k Kind) Next() Kind {
	switch k {
	case Dark:
		return Light
	case Light:
		return None
	case None:
		return Dark
	}
	return Dark
}

// Theme is the set of styles, named by meaning. None of them has padding,
// margins, borders or a width: they only colour text.
type Theme struct {
	Kind     Kind
	renderer *lipgloss.Renderer

	// Text of the console.
	Text, Dim, Faint, Strong, Title, Link lipgloss.Style
	// Verdicts and severities.
	Supported, Unsupported, Contradicted, Unverifiable, NotChecked lipgloss.Style
	Block, Warn, Info, Error                                       lipgloss.Style
	// Stages of a run.
	Done, Running, Waiting, Paused, Failed lipgloss.Style
	// Evidence in a text: the occurrence looked at, the others, a fact of a
	// paraphrase, characters only the model has and only the tool has, search hits.
	Highlight, HighlightOther, Fact  lipgloss.Style
	NearInsert, NearDelete           lipgloss.Style
	SearchHit, SearchCurrent, Repair lipgloss.Style
	// Frames.
	Border, BorderFocused, PaneTitle, PaneTitleFocused lipgloss.Style
	Tab, TabActive, ScrollBar, ScrollThumb             lipgloss.Style
	// Places: the one under the cursor, and what belongs to it elsewhere.
	Cursor, Selected, Linked, LineNumber, Escape lipgloss.Style
	// Bars at the top and bottom.
	Bar, Key, KeyHelp, Prompt lipgloss.Style
	// Badges are shown with a space at each side.
	Badge, BadgePass, BadgeRetry, BadgeLowConf, BadgeError lipgloss.Style
	// JSON.
	JSONKey, JSONString, JSONNumber, JSONLiteral, JSONPunct lipgloss.Style
}

// New makes a theme for a renderer, whose profile decides how many colours are
// used. A nil renderer gets true colour.
func New(kind Kind, r *lipgloss.Renderer) Theme {
	if r == nil {
		r = lipgloss.NewRenderer(io.Discard)
		r.SetColorProfile(termenv.TrueColor)
	}
	switch kind {
	case None:
		return plain(r)
	case Light:
		return coloured(kind, r, light)
	case Dark:
		return coloured(kind, r, dark)
	}
	return coloured(Dark, r, dark)
}

// Renderer returns the renderer the styles belong to.
func (t Theme) Renderer() *lipgloss.Renderer { return t.renderer }

// Brackets reports whether highlights need marks around them because styles
// cannot be seen: the terminal has no attributes at all, or there is no colour.
func (t Theme) Brackets() bool {
	return t.Kind == None || t.renderer.ColorProfile() == termenv.Ascii
}

func coloured(kind Kind, r *lipgloss.Renderer, p palette) Theme {
	s := r.NewStyle
	fg := func(c lipgloss.TerminalColor) lipgloss.Style { return s().Foreground(c) }
	on := func(bg, text lipgloss.TerminalColor) lipgloss.Style { return s().Background(bg).Foreground(text) }
	cursor, linked := s().Background(p.selection), s().Background(p.linked)
	if r.ColorProfile() == termenv.ANSI { // none of the sixteen is a background for all the others
		cursor, linked = s().Reverse(true), s().Underline(true)
	}
	return Theme{
		Kind: kind, renderer: r,
		Text: fg(p.text), Dim: fg(p.dim), Faint: fg(p.faint), Strong: s().Bold(true),
		Title: fg(p.blue).Bold(true), Link: fg(p.blue).Underline(true),

		Supported: fg(p.green), Unsupported: fg(p.red).Bold(true), Contradicted: fg(p.purple).Bold(true),
		Unverifiable: fg(p.orange), NotChecked: fg(p.dim),
		Block: fg(p.red).Bold(true), Warn: fg(p.orange), Info: fg(p.blue), Error: fg(p.red).Bold(true),

		Done: fg(p.green), Running: fg(p.blue).Bold(true), Waiting: fg(p.faint), Paused: fg(p.orange).Bold(true), Failed: fg(p.red).Bold(true),

		Highlight: on(p.current, p.currentText).Bold(true), HighlightOther: on(p.other, p.otherText), Fact: on(p.other, p.otherText).Underline(true),
		NearInsert: fg(p.insert).Underline(true), NearDelete: fg(p.remove).Strikethrough(true),
		SearchHit: on(p.search, p.searchText), SearchCurrent: on(p.search, p.searchText).Bold(true).Underline(true),
		Repair: fg(p.orange).Underline(true),

		Border: fg(p.faint), BorderFocused: fg(p.blue), PaneTitle: fg(p.dim), PaneTitleFocused: fg(p.blue).Bold(true),
		Tab: fg(p.dim), TabActive: fg(p.blue).Bold(true).Underline(true), ScrollBar: fg(p.faint), ScrollThumb: fg(p.dim),

		Cursor: cursor, Selected: cursor.Bold(true), Linked: linked,
		LineNumber: fg(p.faint), Escape: fg(p.purple),

		Bar: s().Background(p.bar), Key: fg(p.blue).Bold(true), KeyHelp: fg(p.dim), Prompt: fg(p.blue).Bold(true),

		Badge: on(p.dim, p.inverse), BadgePass: on(p.green, p.inverse).Bold(true), BadgeRetry: on(p.blue, p.inverse).Bold(true),
		BadgeLowConf: on(p.orange, p.inverse).Bold(true), BadgeError: on(p.red, p.inverse).Bold(true),

		JSONKey: fg(p.blue), JSONString: fg(p.text), JSONNumber: fg(p.purple), JSONLiteral: fg(p.orange), JSONPunct: fg(p.faint),
	}
}

// plain uses attributes only. Where they carry no meaning either (no attribute
// in the terminal), the marks do.
func plain(r *lipgloss.Renderer) Theme {
	none := r.NewStyle()
	bold, underline, reverse := none.Bold(true), none.Underline(true), none.Reverse(true)
	return Theme{
		Kind: None, renderer: r,
		Text: none, Dim: none, Faint: none, Strong: bold, Title: bold, Link: underline,

		Supported: none, Unsupported: bold, Contradicted: bold, Unverifiable: none, NotChecked: none,
		Block: bold, Warn: none, Info: none, Error: bold,

		Done: none, Running: bold, Waiting: none, Paused: bold, Failed: bold,

		Highlight: reverse, HighlightOther: underline, Fact: underline,
		NearInsert: underline, NearDelete: none.Strikethrough(true),
		SearchHit: underline, SearchCurrent: bold.Underline(true), Repair: underline,

		Border: none, BorderFocused: bold, PaneTitle: none, PaneTitleFocused: reverse,
		Tab: none, TabActive: reverse, ScrollBar: none, ScrollThumb: bold,

		Cursor: reverse, Selected: reverse, Linked: underline, LineNumber: none, Escape: bold,

		Bar: none, Key: bold, KeyHelp: none, Prompt: bold,

		Badge: reverse, BadgePass: reverse, BadgeRetry: reverse, BadgeLowConf: reverse, BadgeError: reverse,

		JSONKey: none, JSONString: none, JSONNumber: none, JSONLiteral: none, JSONPunct: none,
	}
}
