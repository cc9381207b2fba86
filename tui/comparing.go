package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/pane/compare"
	"claimscope/tui/text"
	"claimscope/tui/widget"
)

// comparing is the screen of two sessions side by side.
type comparing struct {
	pane *compare.Pane
	from screen // where escape goes back to
}

// choose takes the session under the cursor for a comparison; the second one starts it.
func (m *Model) choose(id string) tea.Cmd {
	switch m.chosen {
	case "":
		m.chosen = id
		m.tell(m.say("已选中；在另一个会话上按 d 开始对比，esc 取消", "chosen; d on another session compares them, esc takes it back"))
	case id:
		m.chosen = ""
	default:
		a := m.chosen
		m.chosen = ""
		return tea.Batch(m.relist(), m.o.Bridge.Compare(m.ask(), a, id))
	}
	return m.relist()
}

// compareThis compares the session on screen with the chosen one, or with its parent,
// or lets another one be chosen.
func (m *Model) compareThis() tea.Cmd {
	d := m.debug
	if !m.idle() {
		return nil
	}
	parent := d.now.Header.Parent
	switch {
	case m.chosen != "" && m.chosen != d.session:
		other := m.chosen
		m.chosen = ""
		return m.o.Bridge.Compare(m.ask(), other, d.session)
	case parent != nil:
		return m.o.Bridge.Compare(m.ask(), parent.ID, d.session)
	}
	m.chosen, m.screen = d.session, screenSessions
	m.tell(m.say("没有父会话：在另一个会话上按 d 开始对比", "it has no parent: d on another session compares them"))
	return m.relist()
}

func (m *Model) onCompared(msg bridge.Compared) tea.Cmd {
	if msg.Gen != m.gen {
		return nil
	}
	if msg.Err != nil {
		m.complain(msg.Err)
		return m.release(msg.Gen)
	}
	m.compare = &comparing{pane: compare.New(m.theme, msg.A, msg.B), from: m.screen}
	m.screen = screenCompare
	return m.release(msg.Gen)
}

func (m *Model) compareKey(a keymap.Action) tea.Cmd {
	c := m.compare
	if c.pane.Key(a) {
		return nil
	}
	switch a {
	case keymap.Back:
		m.screen = c.from
		if m.screen == screenSessions {
			return m.relist()
		}
		return nil
	case keymap.Confirm:
		session, claim := c.pane.Chosen()
		m.o.Claim, c.from = claim, screenSessions // escape must not go in circles
		return m.open(session)
	case keymap.SearchStart:
		m.dialog = &inputDialog{
			input: m.input("/", ""), kind: "search",
			done: func(m *Model, v string) tea.Cmd { m.compare.pane.Search(v); return nil },
		}
	case keymap.SearchNext, keymap.SearchPrev:
		m.warn("没有搜索结果；按 / 搜索", "no search hits; / searches")
	default:
	}
	return nil
}

func (m *Model) compareMouse(x, y, wheel int) tea.Cmd {
	if wheel != 0 {
		m.compare.pane.Wheel(wheel)
		return nil
	}
	m.compare.pane.Click(x-1, y-2)
	return nil
}

// drawCompare draws all but the last line of a comparison.
func (m *Model) drawCompare() []string {
	f := widget.Frame{Title: m.say("对比", "compare"), Focused: true}
	f.SetStyles(m.frameStyles())
	h := m.h - 2
	iw, ih := f.Inner(m.w, h)
	head := m.paints.Bar.Raw(text.Fit(" claimscope  "+m.say("两个会话", "two sessions"), m.w, "…"))
	return append([]string{head}, f.Lines(m.compare.pane.Lines(iw, ih, m.lang), m.w, h)...)
}
