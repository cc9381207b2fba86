package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/pane/sessionlist"
	"claimscope/tui/text"
)

// keys takes a key message. A burst of keys in one read arrives as one message with
// several runes: it is several keys, unless it was pasted or a text is being typed.
func (m *Model) keys(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || msg.Alt {
		if m.held(msg) {
			return nil
		}
		return m.key(msg.String())
	}
	var cmds []tea.Cmd
	for i, r := range msg.Runes {
		switch one := (tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}); {
		case m.scope() == keymap.Input: // from the start, or since a key before opened it
			m.dialog.text(m, string(msg.Runes[i:]))
			return tea.Batch(cmds...)
		case msg.Paste: // a paste where no text is typed is no keys
			return nil
		case !m.held(one):
			cmds = append(cmds, m.key(string(r)))
		}
	}
	return tea.Batch(cmds...)
}

// held keeps a key for later while an answer is waited for. Escape ends the waiting, and
// ctrl+c is never kept.
func (m *Model) held(msg tea.KeyMsg) bool {
	switch key := msg.String(); {
	case m.waiting == 0, m.dialog != nil, key == "ctrl+c":
		return false
	case key == "esc" && m.waiting != waitList:
		m.gen++ // what comes is late
		m.waiting, m.early = 0, nil
	case len(m.early) < maxEarly:
		m.early = append(m.early, msg)
	}
	return true
}

// key takes one key.
func (m *Model) key(key string) tea.Cmd {
	a := keymap.Match(m.scope(), key)
	m.toast = ""
	if m.debug != nil {
		m.debug.sync() // no frame may have been drawn since the key before
	}
	if a != keymap.Interrupt {
		m.armed = false
	}
	switch {
	case a == keymap.Interrupt:
		return m.interrupt()
	case a == keymap.Suspend:
		return tea.Suspend
	case m.dialog != nil:
		return m.dialog.key(m, a, key)
	}
	switch a {
	case keymap.Quit:
		return m.quit()
	case keymap.ToggleLang:
		m.lang = m.lang.Other()
		for _, d := range m.debuggers() {
			d.view.SetLang(m.lang)
		}
		return nil
	case keymap.ToggleTheme:
		m.setTheme(m.theme.Kind.Next())
		return nil
	case keymap.ShowHelp:
		return m.help()
	default:
	}
	switch {
	case m.screen == screenDebugger && m.debug != nil:
		return m.debuggerKey(a)
	case m.screen == screenCompare && m.compare != nil:
		return m.compareKey(a)
	}
	return m.sessionsKey(a)
}

// interrupt cancels what runs at the first press and leaves at the second: the run on
// screen, or else everything.
func (m *Model) interrupt() tea.Cmd {
	if m.armed || len(m.running) == 0 && m.repeat == nil {
		return m.leave()
	}
	m.armed = true
	m.dialog = nil
	m.tell(m.say("正在取消；再按一次 ctrl+c 退出", "cancelling; ctrl+c again to leave"))
	if m.repeat != nil {
		m.repeat.Stop()
		return nil
	}
	which := m.running
	if m.screen == screenDebugger && m.debug != nil && m.debug.run != nil {
		which = []*debugger{m.debug}
	}
	cmds := make([]tea.Cmd, len(which))
	for i, d := range which {
		run := d.run
		cmds[i] = m.o.Bridge.Control(func() error { run.Cancel("ctrl+c"); return nil })
	}
	return tea.Batch(cmds...)
}

// quit leaves at once, or asks first while something runs.
func (m *Model) quit() tea.Cmd {
	if len(m.running) > 0 || m.repeat != nil {
		m.dialog = newConfirm(m.say("运行尚未结束，取消并退出吗？", "a run is under way; cancel it and leave?"), (*Model).leave)
		return nil
	}
	return m.leave()
}

func (m *Model) leave() tea.Cmd {
	m.quitting = true
	return tea.Quit
}

// sessionsKey acts on the list of sessions.
func (m *Model) sessionsKey(a keymap.Action) tea.Cmd {
	if m.list.Key(a) {
		return nil
	}
	switch a {
	case keymap.SearchStart:
		m.dialog = newFilter(m)
		return nil
	case keymap.Back:
		return m.clearList()
	case keymap.NextBlocking, keymap.PrevBlocking:
		if !m.list.Next(sessionlist.NeedsLook, a == keymap.PrevBlocking) {
			if m.older > 0 {
				m.warn("仍在读取较早的会话", "older sessions are still being read")
			} else {
				m.warn("没有 LOW_CONFID 或失败的会话", "no session is LOW_CONFID or failed")
			}
		}
		return nil
	default:
	}
	row, ok := m.list.Selected()
	switch {
	case a == keymap.None:
		return nil
	case !ok:
		m.warn("没有选中会话", "no session is selected")
		return nil
	case row.Err != nil:
		m.complain(row.Err)
		return nil
	}
	return m.rowKey(a, row)
}

// rowKey acts on the session under the cursor.
func (m *Model) rowKey(a keymap.Action, row sessionlist.Row) tea.Cmd {
	switch a {
	case keymap.Confirm:
		return m.open(row.ID)
	case keymap.Continue, keymap.Step:
		if row.Model == imported {
			m.warn("导入的会话没有模型回复，无法重放", "an imported session has no model replies to replay")
			return nil
		}
		return m.start(bridge.Request{Replay: replayable(row.ID, row.Model, row.Parent, row.Status), Debug: bridge.Debug{Paused: a == keymap.Step}})
	case keymap.Copy:
		id := text.SanitiseLine(row.ID)
		return m.copyText(row.ID, text.Label{ZH: "会话编号 " + id, EN: "the id " + id})
	case keymap.Resume:
		return m.resume(row.ID, row.Model, row.Status, row.Live)
	case keymap.Rerun:
		if row.Model == imported {
			m.warn("导入的会话没有故障目录，无法新开运行", "an imported session has no incident to run on")
			return nil
		}
		m.dialog = newRun(m, row.ID, row.Query)
	case keymap.Export:
		m.dialog = m.exportMenu(row.ID)
	case keymap.Fork:
		m.dialog = m.forkMenu(bridge.Fork{Session: row.ID})
	case keymap.Compare:
		return m.choose(row.ID)
	default:
	}
	return nil
}

// clearList takes back the choice for a comparison, then the filter.
func (m *Model) clearList() tea.Cmd {
	if m.chosen != "" {
		m.chosen = ""
		return m.relist()
	}
	m.list.SetFilter("")
	return nil
}

// mouse takes a click or the wheel.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	wheel := 0
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		wheel = -3
	case msg.Button == tea.MouseButtonWheelDown:
		wheel = 3
	case msg.Action != tea.MouseActionPress || msg.Button != tea.MouseButtonLeft:
		return nil
	}
	switch {
	case m.dialog != nil:
		if wheel != 0 {
			m.dialog.wheel(wheel)
		}
		return nil
	case m.waiting != 0:
		return nil
	case m.screen == screenDebugger && m.debug != nil:
		return m.debuggerMouse(msg.X, msg.Y, wheel)
	case m.screen == screenCompare && m.compare != nil:
		return m.compareMouse(msg.X, msg.Y, wheel)
	case wheel != 0:
		m.list.Wheel(wheel)
		return nil
	}
	if row, ok := m.list.Selected(); m.list.Click(msg.Y-sessionsTop) && ok {
		if again, _ := m.list.Selected(); again.ID == row.ID { // a click on the cursor opens
			return m.sessionsKey(keymap.Confirm)
		}
	}
	return nil
}

// searchBudget is how many bytes a search reads before keys are looked at again.
const searchBudget = 4 << 20

// searchStep goes on with a search.
type searchStep struct{}

func (m *Model) stepSearch() tea.Cmd {
	if m.debug == nil {
		return nil
	}
	s := m.debug.searcher()
	if s == nil {
		return nil
	}
	if s.StepSearch(searchBudget) {
		return func() tea.Msg { return searchStep{} }
	}
	if st, on := s.SearchState(); on && st.Done && st.Count == 0 {
		m.warn("没有找到 "+st.Query, st.Query+" is not found")
	}
	return nil
}
