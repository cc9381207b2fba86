package tui

import (
	"fmt"
	"strings"

	"claimscope/engine/gate"
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
	if m.quitting || m.w <= 0 || m.h <= 0 {
		return ""
	}
	if m.w < minWidth || m.h < minHeight {
		notice := m.say(fmt.Sprintf("终端太小：至少 %d×%d，现在 %d×%d", minWidth, minHeight, m.w, m.h),
			fmt.Sprintf("the terminal is too small: at least %d×%d, now %d×%d", minWidth, minHeight, m.w, m.h))
		return strings.Join(widget.Block(text.WrapStyled(notice, m.w, 0), m.w, m.h), "\n")
	}
	var lines []string
	switch {
	case m.screen == screenDebugger && m.debug != nil:
		lines = m.drawDebugger()
	case m.screen == screenCompare && m.compare != nil:
		lines = m.drawCompare()
	default:
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
	p := m.paints
	head := " claimscope  " + p.Strong.Raw(m.say("会话", "sessions"))
	if m.loaded {
		head += fmt.Sprintf("  %d/%d", shown, all+m.older)
	}
	if !m.loaded || m.older > 0 {
		head += "  " + m.say("正在读取…", "reading…")
	}
	if f := m.list.Filter(); f != "" {
		head += "  " + p.Info.Raw(m.say("筛选 ", "filter ")+f)
	}
	if n := len(m.running); n > 0 {
		head += "  " + p.Running.Raw(fmt.Sprintf(m.say("%d 个运行中", "%d running"), n))
	}
	lines := []string{p.Bar.Over(text.Fit(head, m.w, "…"))}
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
	s := fmt.Sprintf("%d/%d", st.Number, st.Count) // first, as the end may be cut
	if !st.Done {
		s += fmt.Sprintf(" %d%%", int(st.Progress*100))
	}
	return s + " /" + text.SanitiseLine(st.Query)
}

// tabs draws the names of the panes, for screens that do not show all.
func (m *Model) tabs() string {
	labels := make([]string, len(paneOrder))
	active := 0
	for i, id := range paneOrder {
		labels[i] = fmt.Sprintf("%d %s", id, pane.TabName(id).In(m.lang))
		if id == m.debug.focus {
			active = i
		}
	}
	line, spans := widget.TabBar(labels, active, m.w, widget.TabStyles{Tab: m.theme.Tab, Active: m.theme.TabActive})
	m.debug.tabSpans = spans
	return line
}

// head draws the line at the top of a session: what it is at the left, what came of it
// at the right. Where the causes would not fit, the name of the contract is shortened.
func (m *Model) head() string {
	h := m.debug.view.Head()
	right := " " + m.badge(h) + "  " + fmt.Sprintf("%d/%d %s", h.Supported, h.Total, m.say("结论", "claims")) + "  " + text.Count(h.Tokens) + " " + m.say("词元", "tok")
	if h.Cost > 0 {
		right += fmt.Sprintf("  ¤%.4f", h.Cost)
	}
	right += " "
	room := m.w - text.Width(right)
	const gap = 3 // before the causes, and one behind them
	long, short := m.headLeft(h, string(h.Version)), m.headLeft(h, pane.ShortVersion(h.Version))
	line := long
	if len(h.Causes) > 0 && h.Decision != "" {
		for _, line = range []string{long, short} {
			left := room - text.Width(line) - gap
			if causes := pane.Causes(h.Causes, left); text.Width(causes) <= left {
				right = text.Spaces(gap-1) + m.paints.Warn.Line(causes) + " " + right
				break
			}
		}
	}
	if text.Width(long) > room {
		line = short
	}
	return m.paints.Bar.Over(text.Fit(text.Fit(line, m.w-text.Width(right), "…")+right, m.w, "…"))
}

// headLeft says what a session is and where it stands.
func (m *Model) headLeft(h view.Head, version string) string {
	d, p := m.debug, m.paints
	left := []string{" claimscope", p.Strong.Line(h.Title), p.Dim.Line(version)}
	if m.w >= 160 {
		left = append(left, p.Dim.Line(d.session))
	}
	attempt := m.say("第 %d/%d 次尝试", "attempt %d/%d")
	if m.w < twoColumnsFrom { // without what goes without saying
		left, attempt = []string{" " + p.Strong.Line(h.Title), p.Dim.Line(version)}, m.say("第 %d/%d 次", "try %d/%d")
	}
	if tries := d.now.Header.Policy.Retries + 1; h.Attempts > 1 || tries > 1 {
		left = append(left, fmt.Sprintf(attempt, max(h.Attempt, 1), tries))
	}
	switch {
	case d.run != nil:
		left = append(left, m.progress(h))
	case !d.now.Done():
		left = append(left, p.Warn.Raw(theme.MarkUnknown+" "+m.say("未结束", "unfinished")))
	}
	if r := d.view.State.LastReview(); r != nil {
		left = append(left, p.Info.Line(fmt.Sprintf(pane.ReviewWord(r.Action).In(m.lang), r.By)))
	}
	if h.Past {
		left = append(left, p.Warn.Raw(fmt.Sprintf("%s %d/%d", m.say("回看事件", "event"), h.Event, h.Events)))
	}
	if h.Unsaved {
		left = append(left, p.Warn.Raw(m.say("未保存", "unsaved")))
	}
	return strings.Join(left, "  ")
}

// progress says what a run is at.
func (m *Model) progress(h view.Head) string {
	p := m.paints
	if h.Status != state.Paused {
		return p.Running.Raw(theme.Spinner(m.debug.live.Tick) + " " + pane.StageName(h.Stage) + " " + pane.Duration(h.StageElapsed))
	}
	word := m.say("已暂停", "paused")
	if h.Pause != nil {
		word = m.say("暂停在 ", "paused before ") + text.SanitiseLine(h.Pause.Boundary)
	}
	return p.Paused.Raw(theme.MarkPaused + " " + word)
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
		return t.BadgeError.Render(" " + pane.StatusWord(h.Status).In(m.lang) + " ")
	}
	if h.Status == state.Finished { // an import: the gate has looked at it, and nobody else
		switch h.Gate {
		case gate.Blocked:
			return t.BadgeLowConf.Render(" " + theme.MarkUnsupported + " BLOCKED ")
		case gate.Clean, gate.Unchecked:
			return t.Badge.Render(" " + string(h.Gate) + " ")
		}
	}
	return t.Badge.Render(" … ")
}

// hints are the actions that the last line names, the most wanted first.
func (m *Model) hints() []keymap.Action {
	switch {
	case m.screen == screenCompare:
		return []keymap.Action{keymap.Confirm, keymap.FocusNext, keymap.ToggleWrap, keymap.SearchStart, keymap.ShowHelp, keymap.Back}
	case m.screen == screenSessions || m.debug == nil:
		return []keymap.Action{keymap.Confirm, keymap.NextBlocking, keymap.Continue, keymap.SearchStart, keymap.Compare, keymap.Export, keymap.ToggleLang, keymap.ShowHelp, keymap.Quit}
	case m.debug.run != nil && m.debug.now.Status == state.Paused:
		return []keymap.Action{keymap.Step, keymap.Continue, keymap.Edit, keymap.Skip, keymap.Breakpoints, keymap.VerifierView, keymap.FocusNext, keymap.ShowHelp, keymap.Interrupt}
	case m.debug.run != nil:
		return []keymap.Action{keymap.Pause, keymap.Step, keymap.Breakpoints, keymap.FocusNext, keymap.Zoom, keymap.ShowHelp, keymap.Interrupt, keymap.Back}
	case m.debug.run == nil && m.debug.at == 0 && stopped(m.debug.now.Status):
		return []keymap.Action{keymap.Resume, keymap.Continue, keymap.NextBlocking, keymap.SearchStart, keymap.Zoom, keymap.FocusNext, keymap.ShowHelp, keymap.Back}
	case m.debug.at != 0:
		return []keymap.Action{keymap.EventBack, keymap.EventForward, keymap.Fork, keymap.Back}
	}
	return []keymap.Action{keymap.NextBlocking, keymap.NextOccurrence, keymap.Step, keymap.Continue, keymap.SearchStart, keymap.VerifierView, keymap.Zoom, keymap.FocusNext, keymap.Copy, keymap.ShowHelp, keymap.Back}
}

// stopped reports whether a session without a run stopped before its verdict.
func stopped(s state.Status) bool { return s != state.Finished }

// hintLine names keys.
func (m *Model) hintLine(scope keymap.Scope, actions ...keymap.Action) string {
	return m.hintsIn(1<<10, scope, actions...)
}

// means is the scope that names an action: to step and to continue a recording is to
// replay it, as in the list.
func (m *Model) means(scope keymap.Scope, a keymap.Action) keymap.Scope {
	if (a == keymap.Step || a == keymap.Continue) && m.screen == screenDebugger && m.debug != nil && m.debug.run == nil {
		return keymap.Sessions
	}
	return scope
}

// hintsIn names keys in so many cells: the first ones, and always the last two, which
// are the ways out.
func (m *Model) hintsIn(room int, scope keymap.Scope, actions ...keymap.Action) string {
	var hints []string
	for _, a := range actions {
		if key, label, ok := keymap.Hint(m.means(scope, a), a, m.lang); ok {
			hints = append(hints, m.paints.HintKey.Raw(key)+" "+m.paints.Dim.Raw(label))
		}
	}
	const gap = "  "
	out, last := "", hints[max(len(hints)-2, 0):]
	room -= text.Width(strings.Join(last, gap))
	for _, h := range hints[:len(hints)-len(last)] {
		if room -= text.Width(h) + len(gap); room < 0 {
			break
		}
		out += h + gap
	}
	return out + strings.Join(last, gap)
}

// bottom draws the last line: what happened, or the keys of the moment.
func (m *Model) bottom() string {
	p := m.paints
	switch {
	case m.toast != "" && m.toastBad:
		return " " + p.Block.Raw(theme.MarkWarn+" "+m.toast)
	case m.toast != "":
		return " " + p.Info.Raw(theme.MarkInfo+" "+m.toast)
	case m.waiting > 0:
		return " " + p.Dim.Raw(m.say("请稍候… esc 取消", "one moment… esc cancels"))
	case m.repeat != nil:
		return " " + p.Running.Raw(fmt.Sprintf(m.say("重跑第 %d/%d 次", "re-run %d of %d"), m.repeat.begun, m.repeat.n)) + "  " + m.hintLine(keymap.Global, keymap.Interrupt)
	case m.dialog != nil:
		return ""
	case m.screen == screenDebugger && m.debug != nil && m.debug.at != 0:
		s := m.slider()
		return s + m.hintsIn(m.w-text.Width(s), m.scope(), m.hints()...)
	}
	return " " + m.hintsIn(m.w-2, m.scope(), m.hints()...)
}

// slider shows the event that is looked at, and its place among all.
func (m *Model) slider() string {
	d, p := m.debug, m.paints
	const cells = 16
	last := max(d.now.Seq(), 1)
	at := min(d.at*cells/last, cells-1)
	bar := p.Dim.Raw(strings.Repeat("─", at)) + p.Warn.Raw(theme.MarkRunning) + p.Dim.Raw(strings.Repeat("─", cells-1-at))
	word := ""
	if d.at <= len(d.now.Marks) {
		x := d.now.Marks[d.at-1]
		word = x.Time.In(m.o.Zone).Format("15:04:05") + " " + pane.StageName(x.Stage) + " " + string(x.Type)
	}
	return " " + bar + fmt.Sprintf(" %d/%d ", d.at, last) + p.Strong.Line(word) + "  "
}
