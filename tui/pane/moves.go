package pane

import (
	"github.com/charmbracelet/lipgloss"

	"claimscope/tui/keymap"
	"claimscope/tui/theme"
	"claimscope/tui/widget"
)

// Move translates a key to a move of a widget.
func Move(a keymap.Action) (m widget.Move, ok bool) {
	switch a {
	case keymap.Up:
		return widget.MoveUp, true
	case keymap.Down:
		return widget.MoveDown, true
	case keymap.Left:
		return widget.MoveLeft, true
	case keymap.Right:
		return widget.MoveRight, true
	case keymap.PageUp:
		return widget.MovePageUp, true
	case keymap.PageDown:
		return widget.MovePageDown, true
	case keymap.HalfUp:
		return widget.MoveHalfUp, true
	case keymap.HalfDown:
		return widget.MoveHalfDown, true
	case keymap.Home:
		return widget.MoveHome, true
	case keymap.End:
		return widget.MoveEnd, true
	default:
		return 0, false
	}
}

// TextStyles are the styles of a text view in a theme.
func TextStyles(t theme.Theme) widget.TextStyles {
	return widget.TextStyles{
		Text: t.Text, LineNumber: t.LineNumber, Escape: t.Escape, ScrollBar: t.ScrollBar, ScrollThumb: t.ScrollThumb,
		Brackets: t.Brackets(),
		Classes: map[widget.Class]lipgloss.Style{
			widget.ClassSearch: t.SearchHit, widget.ClassOther: t.HighlightOther, widget.ClassFact: t.Fact, widget.ClassRepair: t.Repair,
			widget.ClassInsert: t.NearInsert, widget.ClassDelete: t.NearDelete, widget.ClassSearchCurrent: t.SearchCurrent,
			widget.ClassCurrent: t.Highlight,
		},
	}
}

// TreeStyles are the styles of a tree in a theme.
func TreeStyles(t theme.Theme) widget.TreeStyles {
	return widget.TreeStyles{
		Key: t.JSONKey, String: t.JSONString, Number: t.JSONNumber, Literal: t.JSONLiteral, Punct: t.JSONPunct, Text: t.Text,
		Cursor: t.Selected, CursorAway: t.Cursor, Match: t.SearchHit, ScrollThumb: t.ScrollThumb,
	}
}
