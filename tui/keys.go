package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/widget"
)

// keys takes a key message. A burst of keys in one read arrives as one message with
// several runes: it is several keys, unless it was pasted or a text is being typed.
func (m *Model) keys(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || msg.Alt {
		return m.key(msg.String())
	}
	if m.scope() == keymap.Input {
		m.dialog.text(m, string(msg.Runes))
		return nil
	}
	if msg.Paste {
		return nil
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		if m.scope() == keymap.Input { // a key before opened an input
			m.dialog.text(m, string(r))
			continue
		}
		cmds = append(cmds, m.key(string(r)))
	}
	return tea.Batch(cmds...)
}

// key takes one key.
func (m *Model) key(key string) tea.Cmd {
	a := keymap.Match(m.scope(), key)
	m.toast = ""
	if a != keymap.Interrupt {
		m.armed = false
	}
	switch {
	case a == keymap.Interrupt:
		return m.interrupt()
	case m.dialog != nil:
		return m.dialog.key(m, a, key)
	}
	switch a {
	case keymap.Quit:
		return m.quit()
	case keymap.ToggleLang:
		m.lang = m.lang.Other()
		if m.debug != nil {
			m.debug.view.SetLang(m.lang)
		}
		return nil
	case keymap.ToggleTheme:
		m.setTheme(m.theme.Kind.Next())
		return nil
	case keymap.ShowHelp:
		return m.help()
	default:
	}
	if m.screen == screenDebugger && m.debug != nil {
		return m.debuggerKey(a)
	}
	return m.sessionsKey(a)
}

// interrupt cancels a run at the first press and leaves at the second.
func (m *Model) interrupt() tea.Cmd {
	if m.debug == nil || m.debug.run == nil || m.armed {
		return m.leave()
	}
	m.armed = true
	m.tell(m.say("正在取消；再按一次 ctrl+c 退出", "cancelling; ctrl+c again to leave"))
	run := m.debug.run
	return m.o.Bridge.Control(func() error { run.Cancel("ctrl+c"); return nil })
}

// quit leaves at once, or asks first while a run is under way.
func (m *Model) quit() tea.Cmd {
	if m.debug != nil && m.debug.run != nil {
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
	row, ok := m.list.Selected()
	switch a {
	case keymap.SearchStart:
		m.dialog = newFilter(m)
	case keymap.Back:
		m.list.SetFilter("")
	case keymap.Confirm:
		switch {
		case !ok:
		case row.Err != nil:
			m.complain(row.Err)
		default:
			return m.open(row.ID)
		}
	case keymap.Continue, keymap.Step: // run the incident of the session under the cursor
		if ok && row.Err == nil {
			return m.start(bridge.Request{Replay: row.ID, Debug: bridge.Debug{Paused: a == keymap.Step}})
		}
	case keymap.Export:
		if ok && row.Err == nil {
			m.dialog = m.exportMenu(row.ID)
		}
	default:
	}
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
	case m.screen == screenDebugger && m.debug != nil:
		return m.debuggerMouse(msg.X, msg.Y, wheel)
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
	if s := m.debug.searcher(); s != nil && s.StepSearch(searchBudget) {
		return func() tea.Msg { return searchStep{} }
	}
	return nil
}

// styles of an input line.
func (m *Model) input(prompt, value string) *widget.Input {
	in := widget.NewInput(prompt, value)
	in.SetStyles(m.theme.Prompt, m.theme.Cursor)
	return in
}
