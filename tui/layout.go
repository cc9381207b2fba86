package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"claimscope/tui/pane"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// layout is how panes share a screen: columns of panes, and a tab bar where not all
// are shown.
type layout struct {
	tabs    bool
	columns []column
}

type column struct {
	width int
	cells []slot
}

type slot struct {
	pane   view.PaneID
	height int
}

// The widths from which a layout is used, in cells.
const (
	allPanesFrom   = 120
	twoColumnsFrom = 100
)

// arrange lays panes out on w × h cells (the lines at top and bottom not counted).
func arrange(w, h int, focus, aux view.PaneID, zoomed bool) layout {
	switch {
	case zoomed || w < twoColumnsFrom:
		return layout{tabs: true, columns: []column{{w, []slot{{focus, h - 1}}}}}
	case w < allPanesFrom:
		cols := widget.Split(w, widget.Part{Min: 40, Weight: 1}, widget.Part{Min: 40, Weight: 1})
		return layout{tabs: true, columns: []column{
			stack(cols[0], h-1, share{view.PaneClaims, 3}, share{aux, 2}),
			stack(cols[1], h-1, share{view.PaneTrace, 3}, share{view.PaneAnswer, 2}),
		}}
	}
	cols := widget.Split(w, widget.Part{Min: 27, Weight: 1, Max: 40}, widget.Part{Min: 42, Weight: 4}, widget.Part{Min: 46, Weight: 5})
	return layout{columns: []column{
		stack(cols[0], h, share{view.PanePipeline, 1}),
		stack(cols[1], h, share{view.PaneClaims, 3}, share{view.PaneJSON, 2}),
		stack(cols[2], h, share{view.PaneTrace, 4}, share{view.PaneHypotheses, 2}, share{view.PaneAnswer, 3}),
	}}
}

type share struct {
	pane   view.PaneID
	weight int
}

// stack puts panes one below the other.
func stack(w, h int, shares ...share) column {
	parts := make([]widget.Part, len(shares))
	for i, s := range shares {
		parts[i] = widget.Part{Min: 3, Weight: s.weight}
	}
	c := column{width: w}
	for i, height := range widget.Split(h, parts...) {
		if height > 0 {
			c.cells = append(c.cells, slot{shares[i].pane, height})
		}
	}
	return c
}

// cell is where a pane was drawn, frame included.
type cell struct {
	pane       pane.Pane
	x, y, w, h int
}

// debuggerMouse takes a click or the wheel on a session.
func (m *Model) debuggerMouse(x, y, wheel int) tea.Cmd {
	d := m.debug
	for _, c := range d.cells {
		if x < c.x || x >= c.x+c.w || y < c.y || y >= c.y+c.h {
			continue
		}
		if wheel != 0 {
			c.pane.Wheel(wheel)
			return nil
		}
		if d.overlay == nil {
			d.setFocus(c.pane.ID())
		}
		return m.intent(c.pane.Click(x-c.x-1, y-c.y-1, d.view))
	}
	if y == 1 && wheel == 0 {
		for i, s := range d.tabSpans {
			if x >= s[0] && x < s[1] {
				d.setFocus(paneOrder[i])
			}
		}
	}
	return nil
}
