package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/event"
	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/text"
)

// menu is a choice of a few things at the bottom of the screen, by letter.
type menu struct {
	question string
	choices  []choice
}

type choice struct {
	key  string
	word text.Label
	do   func(m *Model) tea.Cmd
}

func (d *menu) scope() keymap.Scope { return keymap.Dialog }
func (d *menu) wheel(int)           {}
func (d *menu) text(*Model, string) {}

// key chooses; escape closes; other keys leave the question standing.
func (d *menu) key(m *Model, a keymap.Action, key string) tea.Cmd {
	for _, c := range d.choices {
		if c.key == key {
			m.dialog = nil
			return c.do(m)
		}
	}
	if a == keymap.Back || a == keymap.Quit {
		m.dialog = nil
	}
	return nil
}

func (d *menu) draw(m *Model, w, _ int) ([]string, bool) {
	var b strings.Builder
	b.WriteString(" " + m.theme.Prompt.Render(d.question))
	for _, c := range d.choices {
		b.WriteString("  " + m.theme.Key.Render(c.key) + " " + c.word.In(m.lang))
	}
	b.WriteString("  " + m.theme.Key.Render("esc") + " " + m.theme.KeyHelp.Render(m.say("取消", "cancel")))
	return []string{text.Fit(b.String(), w, "…")}, true
}

func newConfirm(question string, yes func(m *Model) tea.Cmd) dialog {
	return &menu{question, []choice{
		{"y", text.Label{ZH: "是", EN: "yes"}, yes},
		{"n", text.Label{ZH: "否", EN: "no"}, func(*Model) tea.Cmd { return nil }},
	}}
}

func (m *Model) exportMenu(name string) dialog {
	to := func(format string) func(*Model) tea.Cmd {
		return func(m *Model) tea.Cmd { return m.o.Bridge.Export(name, format, m.lang.String()) }
	}
	return &menu{m.say("导出为", "export as"), []choice{
		{"m", text.Label{ZH: "Markdown", EN: "Markdown"}, to("md")},
		{"h", text.Label{ZH: "HTML", EN: "HTML"}, to("html")},
		{"j", text.Label{ZH: "JSON", EN: "JSON"}, to("json")},
		{"c", text.Label{ZH: "用例", EN: "case"}, to("case")},
	}}
}

// forkMenu asks what of a session is to be run anew. The run waits before its first
// stage.
func (m *Model) forkMenu(f bridge.Fork) dialog {
	f.Paused = true
	as := func(mode string) func(*Model) tea.Cmd {
		return func(m *Model) tea.Cmd {
			f.Mode = mode
			return m.o.Bridge.Fork(m.ask(), f)
		}
	}
	return &menu{m.say("分叉重跑", "fork and run"), []choice{
		{"e", text.Label{ZH: "Executor（录制的工具答复）", EN: "Executor (recorded tool replies)"}, as(bridge.ForkExecutor)},
		{"v", text.Label{ZH: "仅 Verifier", EN: "Verifier only"}, as(bridge.ForkVerifier)},
		{"l", text.Label{ZH: "真实工具", EN: "live tools"}, as(bridge.ForkLive)},
	}}
}

// markMenu asks whether a claim is right.
func (m *Model) markMenu(claim string) dialog {
	as := func(action event.ReviewAction) func(*Model) tea.Cmd {
		return func(m *Model) tea.Cmd {
			return m.o.Bridge.Review(m.debug.session, event.Reviewed{Action: action, ClaimID: claim, By: m.o.User})
		}
	}
	return &menu{m.say("标注 ", "mark ") + text.SanitiseLine(claim), []choice{
		{"r", text.Label{ZH: "正确", EN: "right"}, as(event.ReviewClaimRight)},
		{"w", text.Label{ZH: "错误", EN: "wrong"}, as(event.ReviewClaimWrong)},
	}}
}
