package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/gate"
	"claimscope/tui/keymap"
	"claimscope/tui/text"
	"claimscope/tui/widget"
)

// helpDialog is the key list, made from the table that binds the keys, narrowed by
// what is typed.
type helpDialog struct {
	from  keymap.Scope
	input *widget.Input
	win   widget.Window
}

// help opens the key list; on a finding, its explanation.
func (m *Model) help() tea.Cmd {
	if m.screen == screenDebugger && m.debug != nil {
		if f := m.debug.view.Finding(); f != nil && m.debug.overlay == nil {
			m.dialog = newReader(m, m.say("问题说明", "about this finding"), m.explain(f.Index))
			return nil
		}
	}
	m.dialog = newHelp(m)
	return nil
}

// newHelp lists the keys, those of the screen behind the dialogs first.
func newHelp(m *Model) dialog {
	m.dialog = nil
	return &helpDialog{from: m.scope(), input: m.input("/", "")}
}

func (d *helpDialog) scope() keymap.Scope { return keymap.Input }
func (d *helpDialog) wheel(rows int)      { d.win.Scroll(rows) }

func (d *helpDialog) text(m *Model, s string) {
	if s == "?" && d.input.Value() == "" {
		m.dialog = nil
		return
	}
	d.input.Insert(s)
}

func (d *helpDialog) key(m *Model, a keymap.Action, key string) tea.Cmd {
	switch {
	case a == keymap.Back, a == keymap.Confirm:
		m.dialog = nil
	case a == keymap.Up:
		d.win.Scroll(-1)
	case a == keymap.Down:
		d.win.Scroll(1)
	case key == "pgup":
		d.win.Do(widget.MovePageUp)
	case key == "pgdown":
		d.win.Do(widget.MovePageDown)
	case key == " ":
		d.input.Insert(" ")
	default:
		d.input.Key(key)
	}
	return nil
}

// keyCells is the width of the column of keys.
const keyCells = 14

func (d *helpDialog) draw(m *Model, w, h int) ([]string, bool) {
	bw, bh := min(w-4, 96), h-2
	f := widget.Frame{
		Title: m.say("按键", "keys"), Focused: true,
		Footer: m.say("输入文字筛选，↑↓ 翻看，esc 关闭", "type to narrow, ↑↓ scroll, esc closes"),
	}
	f.SetStyles(m.frameStyles())
	iw, ih := f.Inner(bw, bh)
	var rows []string
	for _, g := range keymap.Search(d.from, d.input.Value()) {
		rows = append(rows, " "+m.theme.Title.Render(g.Scope.Title().In(m.lang)))
		for _, b := range g.Bindings {
			for i, l := range text.WrapStyled(b.Long.In(m.lang), max(iw-keyCells-5, 1), 0) {
				names := ""
				if i == 0 {
					names = b.KeyNames()
				}
				rows = append(rows, "   "+m.theme.Key.Render(text.Fit(names, keyCells, "…"))+" "+l)
			}
		}
	}
	if len(rows) == 0 {
		rows = []string{" " + m.say("没有这样的按键", "there is no such key")}
	}
	d.win.SetHeight(max(ih-1, 1))
	d.win.SetTotal(len(rows))
	from, to := d.win.Range()
	body := widget.Beside(widget.Block(rows[from:to], iw-1, max(ih-1, 1)), widget.Bar(from, max(ih-1, 1), len(rows), m.paints.Thumb))
	return f.Lines(append([]string{" " + d.input.Line(iw-1)}, body...), bw, bh), false
}

// explain says what a finding means and what to do.
func (m *Model) explain(index int) string {
	if index < 0 || index >= len(m.debug.view.Findings) {
		return ""
	}
	f := &m.debug.view.Findings[index]
	var b strings.Builder
	b.WriteString(f.Code + "  " + severityWord(f.Severity).In(m.lang) + "\n\n")
	b.WriteString(f.Message(m.lang) + "\n")
	if f.Quote != "" {
		b.WriteString("\n" + m.say("相关原话：", "the words concerned: ") + f.Quote + "\n")
	}
	if f.Pointer != "" {
		b.WriteString("\n" + m.say("位置：", "at: ") + f.Pointer + "\n")
	}
	if x, ok := gate.Explain(gate.Code(f.Code)); ok {
		b.WriteString("\n" + m.say(x.ZH, x.EN) + "\n")
	}
	return b.String()
}

// severityWord says what a finding does to its claim.
func severityWord(s gate.Severity) text.Label {
	switch s {
	case gate.Block:
		return text.Label{ZH: "阻断", EN: "blocks"}
	case gate.Warn:
		return text.Label{ZH: "警告", EN: "warns"}
	case gate.Info:
		return text.Label{ZH: "提示", EN: "informs"}
	}
	return text.Label{ZH: string(s), EN: string(s)}
}
