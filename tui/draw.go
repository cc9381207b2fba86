package tui

import (
	"fmt"
	"strings"

	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// sessionsTop is the row of the list's heading on the sessions screen.
const sessionsTop = 1

func (m *Model) frameStyles() widget.FrameStyles {
	t := m.theme
	return widget.FrameStyles{Border: t.Border, BorderFocused: t.BorderFocused, Title: t.PaneTitle, TitleFocused: t.PaneTitleFocused, Status: t.Dim}
}

// View draws the screen: h lines of exactly w cells.
func (m *Model) View() string {
	if m.quitting || m.w == 0 {
		return ""
	}
	if m.w < minWidth || m.h < minHeight {
		notice := m.say(fmt.Sprintf("终端太小：至少 %d×%d，现在 %d×%d", minWidth, minHeight, m.w, m.h),
			fmt.Sprintf("the terminal is too small: at least %d×%d, now %d×%d", minWidth, minHeight, m.w, m.h))
		return strings.Join(widget.Block(text.WrapStyled(notice, max(m.w, 1), 0), m.w, m.h), "\n")
	}
	var lines []string
	if m.screen == screenDebugger && m.debug != nil {
		lines = m.drawDebugger()
	} else {
		lines = m.drawSessions()
	}
	bottom := m.bottom()
	if m.dialog != nil {
		block, inline := m.dialog.draw(m, m.w, m.h)
		if inline {
			bottom = block[0]
		} else {
			lines, _, _ = widget.Over(lines, block, m.w)
		}
	}
	return strings.Join(append(lines, text.Fit(bottom, m.w, "…")), "\n")
}

// drawSessions draws all but the last line of the sessions screen.
func (m *Model) drawSessions() []string {
	shown, all := m.list.Counts()
	head := " claimscope  " + m.say("会话", "sessions")
	if m.loaded {
		head += fmt.Sprintf("  %d/%d", shown, all)
	} else {
		head += "  " + m.say("正在读取…", "reading…")
	}
	if f := m.list.Filter(); f != "" {
		head += "  /" + f
	}
	lines := []string{m.theme.Bar.Render(text.Fit(head, m.w, "…"))}
	return append(lines, m.list.Lines(m.w, m.h-2, m.lang)...)
}

// drawDebugger draws all but the last line of a session.
func (m *Model) drawDebugger() []string {
	d := m.debug
	d.sync()
	lines := []string{m.head()}
	h := m.h - 2
	if d.overlay != nil {
		d.cells = []cell{{pane: d.overlay, x: 0, y: 1, w: m.w, h: h}}
		return append(lines, m.framed(d.overlay, m.w, h, true)...)
	}
	l := arrange(m.w, h, d.focus, d.aux, d.zoomed)
	if l.tabs {
		lines = append(lines, m.tabs())
	}
	d.cells = d.cells[:0]
	var columns [][]string
	x := 0
	for _, col := range l.columns {
		var column []string
		y := len(lines)
		for _, c := range col.cells {
			p := d.panes[c.pane]
			column = append(column, m.framed(p, col.width, c.height, c.pane == d.focus)...)
			d.cells = append(d.cells, cell{pane: p, x: x, y: y, w: col.width, h: c.height})
			y += c.height
		}
		columns = append(columns, column)
		x += col.width
	}
	return append(lines, widget.Beside(columns...)...)
}

// framed draws a pane in its frame.
func (m *Model) framed(p pane.Pane, w, h int, focused bool) []string {
	f := widget.Frame{Title: text.SanitiseLine(p.Title(m.debug.view)), Focused: focused}
	if s, ok := p.(pane.Searcher); ok {
		if st, on := s.SearchState(); on {
			f.Status = m.searchStatus(st)
		}
	}
	f.SetStyles(m.frameStyles())
	iw, ih := f.Inner(w, h)
	return f.Lines(p.Lines(iw, ih, m.debug.view, focused), w, h)
}

func (m *Model) searchStatus(st widget.SearchState) string {
	s := fmt.Sprintf("/%s %d/%d", text.SanitiseLine(st.Query), st.Number, st.Count)
	if !st.Done {
		s += fmt.Sprintf(" %d%%", int(st.Progress*100))
	}
	return s
}

// tabs draws the names of the panes, for screens that do not show all.
func (m *Model) tabs() string {
	labels := make([]string, len(paneOrder))
	active := 0
	for i, id := range paneOrder {
		labels[i] = fmt.Sprintf("%d %s", id, pane.Name(id).In(m.lang))
		if id == m.debug.focus {
			active = i
		}
	}
	line, spans := widget.TabBar(labels, active, m.w, widget.TabStyles{Tab: m.theme.Tab, Active: m.theme.TabActive})
	m.debug.tabSpans = spans
	return line
}

// head draws the line at the top of a session.
func (m *Model) head() string {
	h := m.debug.view.Head()
	p := m.paints
	left := []string{" claimscope", p.Strong.Line(h.Title), p.Dim.Line(string(h.Version))}
	if h.Attempts > 1 || m.debug.now.Header.Policy.Retries > 0 {
		left = append(left, fmt.Sprintf("attempt %d/%d", max(h.Attempt, 1), m.debug.now.Header.Policy.Retries+1))
	}
	if m.debug.run != nil {
		mark, word := p.Running.Raw(theme.Spinner(m.debug.live.Tick)), string(h.Stage)
		if h.Status == state.Paused {
			mark, word = p.Paused.Raw(theme.MarkPaused), m.say("已暂停", "paused")
			if h.Pause != nil {
				word += " " + h.Pause.Boundary
			}
		}
		left = append(left, mark+" "+word+" "+pane.Duration(h.StageElapsed))
	}
	if h.Past {
		left = append(left, p.Warn.Raw(fmt.Sprintf("%s %d/%d", m.say("回看事件", "event"), h.Event, h.Events)))
	}
	if h.Unsaved {
		left = append(left, p.Warn.Raw(m.say("未保存", "unsaved")))
	}
	right := m.badge(h) + "  " + fmt.Sprintf("%d/%d %s", h.Supported, h.Total, m.say("结论", "claims")) + "  " + pane.Count(h.Tokens) + " tok"
	if h.Cost > 0 {
		right += fmt.Sprintf("  ¤%.4f", h.Cost)
	}
	right += " "
	room := m.w - text.Width(right)
	return m.theme.Bar.Render(text.Fit(strings.Join(left, "  "), room, "… ") + right)
}

func (m *Model) badge(h view.Head) string {
	t := m.theme
	switch h.Decision {
	case verdict.Pass:
		return t.BadgePass.Render(" " + theme.MarkSupported + " PASS ")
	case verdict.LowConfid:
		return t.BadgeLowConf.Render(" " + theme.MarkUnsupported + " LOW_CONFID ")
	case verdict.Retry:
		return t.BadgeRetry.Render(" " + theme.MarkNear + " RETRY ")
	}
	if h.Status == state.Failed || h.Status == state.Cancelled {
		return t.BadgeError.Render(" " + string(h.Status) + " ")
	}
	return t.Badge.Render(" … ")
}

// hints are the actions that the last line names, the most wanted first.
var hints = map[screen][]keymap.Action{
	screenSessions: {keymap.Confirm, keymap.Continue, keymap.SearchStart, keymap.Export, keymap.ToggleLang, keymap.ShowHelp, keymap.Quit},
	screenDebugger: {keymap.NextBlocking, keymap.NextOccurrence, keymap.Step, keymap.Continue, keymap.SearchStart, keymap.VerifierView, keymap.Zoom, keymap.FocusNext, keymap.Copy, keymap.ShowHelp, keymap.Back},
}

// bottom draws the last line: what happened, or the keys of the moment.
func (m *Model) bottom() string {
	if m.toast != "" {
		p := m.paints.Info
		mark := theme.MarkInfo
		if m.toastBad {
			p, mark = m.paints.Block, theme.MarkUnsupported
		}
		return " " + p.Raw(mark+" "+m.toast)
	}
	var b strings.Builder
	for _, a := range hints[m.screen] {
		if key, label, ok := keymap.Hint(m.scope(), a, m.lang); ok {
			b.WriteString(" " + m.theme.Key.Render(key) + " " + m.theme.KeyHelp.Render(label) + " ")
		}
	}
	return b.String()
}
