package pane

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"claimscope/engine/gate"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// reset ends all styles, as Lip Gloss writes it.
const reset = "\x1b[0m"

// Paint is a style taken apart, so that text of several lines can be painted without
// being padded. The zero value paints nothing.
type Paint struct{ open string }

// NewPaint takes a style apart; it must only colour.
func NewPaint(s lipgloss.Style) Paint {
	open, _, _ := strings.Cut(s.Render("x"), "x")
	return Paint{open}
}

// Raw paints text of the console itself, which needs no sanitising.
func (p Paint) Raw(s string) string {
	if p.open == "" || s == "" {
		return s
	}
	return p.open + s + reset
}

// Text paints outside text: it is sanitised. Newlines are kept.
func (p Paint) Text(s string) string { return p.Raw(text.Sanitise(s)) }

// Line paints outside text that has to stay on one line.
func (p Paint) Line(s string) string { return p.Raw(text.SanitiseLine(s)) }

// Over paints a line that has styles of its own.
func (p Paint) Over(line string) string {
	if p.open == "" {
		return line
	}
	return p.open + strings.ReplaceAll(line, reset, reset+p.open) + reset
}

// Paints are the styles of a theme as panes use them.
type Paints struct {
	Theme theme.Theme

	Text, Dim, Faint, Strong, Title, Link             Paint
	Block, Warn, Info                                 Paint
	Running, Paused, Waiting, Done, Failed            Paint
	Highlight, Other, Fact, Insert, Delete            Paint
	Hit, HitCurrent, Repair, Cursor, Selected, Number Paint
	Linked                                            Paint
	Key, String, Num, Literal, Punct                  Paint
	Bar, HintKey                                      Paint

	Thumb widget.Paint // of scroll bars

	standing [view.Contradicted + 1]Paint
}

// NewPaints takes the styles of a theme apart.
func NewPaints(t theme.Theme) *Paints {
	p := NewPaint
	v := &Paints{
		Theme: t,
		Text:  p(t.Text), Dim: p(t.Dim), Faint: p(t.Faint), Strong: p(t.Strong), Title: p(t.Title), Link: p(t.Link),
		Block: p(t.Block), Warn: p(t.Warn), Info: p(t.Info),
		Running: p(t.Running), Paused: p(t.Paused), Waiting: p(t.Waiting), Done: p(t.Done), Failed: p(t.Failed),
		Highlight: p(t.Highlight), Other: p(t.HighlightOther), Fact: p(t.Fact), Insert: p(t.NearInsert), Delete: p(t.NearDelete),
		Hit: p(t.SearchHit), HitCurrent: p(t.SearchCurrent), Repair: p(t.Repair), Cursor: p(t.Cursor), Selected: p(t.Selected), Linked: p(t.Linked), Number: p(t.LineNumber),
		Key: p(t.JSONKey), String: p(t.JSONString), Num: p(t.JSONNumber), Literal: p(t.JSONLiteral), Punct: p(t.JSONPunct),
		Bar: p(t.Bar), HintKey: p(t.Key), Thumb: widget.NewPaint(t.ScrollThumb),
	}
	for s := range v.standing {
		v.standing[s] = p(v.StandingStyle(view.Standing(s)))
	}
	return v
}

// Standing gives the style and the mark of a claim's standing.
func (p *Paints) Standing(s view.Standing) (Paint, string) {
	mark := theme.MarkWaiting
	switch s {
	case view.Pending:
	case view.Supported:
		mark = theme.MarkSupported
	case view.NotChecked, view.Insufficient:
		mark = theme.MarkUnknown
	case view.Unsupported:
		mark = theme.MarkUnsupported
	case view.Contradicted:
		mark = theme.MarkContradicted
	}
	return p.standing[s], mark
}

// StandingStyle is the style of a claim's standing as the theme has it.
func (p *Paints) StandingStyle(s view.Standing) lipgloss.Style {
	switch s {
	case view.Supported:
		return p.Theme.Supported
	case view.NotChecked:
		return p.Theme.NotChecked
	case view.Insufficient:
		return p.Theme.Unverifiable
	case view.Unsupported:
		return p.Theme.Unsupported
	case view.Contradicted:
		return p.Theme.Contradicted
	case view.Pending:
	}
	return p.Theme.Waiting
}

// Severity gives the style and the mark of a finding.
func (p *Paints) Severity(s gate.Severity) (Paint, string) {
	switch s {
	case gate.Block:
		return p.Block, theme.MarkUnsupported
	case gate.Warn:
		return p.Warn, theme.MarkWarn
	case gate.Info:
		return p.Info, theme.MarkInfo
	}
	return p.Info, theme.MarkInfo
}

// Progress gives the style and the mark of a stage.
func (p *Paints) Progress(s view.Progress) (Paint, string) {
	switch s {
	case view.Waiting:
		return p.Waiting, theme.MarkWaiting
	case view.Running:
		return p.Running, theme.MarkRunning
	case view.Paused:
		return p.Paused, theme.MarkPaused
	case view.Done:
		return p.Done, theme.MarkDone
	case view.Failed:
		return p.Failed, theme.MarkFailed
	case view.Skipped:
		return p.Dim, theme.MarkNothing
	}
	return p.Dim, theme.MarkWaiting
}
