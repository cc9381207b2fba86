package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/event"
	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// dialog is something over the screen that takes the keys.
type dialog interface {
	scope() keymap.Scope
	// key takes an action and the key behind it; closing is setting Model.dialog.
	key(m *Model, a keymap.Action, key string) tea.Cmd
	// text takes typed text; only where the scope is keymap.Input.
	text(m *Model, s string)
	wheel(rows int)
	// draw gives a block to put over the screen, or one line for the bottom when inline.
	draw(m *Model, w, h int) (lines []string, inline bool)
}

// inputDialog asks for a line of text at the bottom of the screen.
type inputDialog struct {
	input   *widget.Input
	changed func(m *Model, value string) tea.Cmd // at each change; may be nil
	done    func(m *Model, value string) tea.Cmd
	cancel  func(m *Model) // may be nil
}

func (d *inputDialog) scope() keymap.Scope { return keymap.Input }
func (d *inputDialog) wheel(int)           {}

func (d *inputDialog) key(m *Model, a keymap.Action, key string) tea.Cmd {
	switch a {
	case keymap.Confirm:
		m.dialog = nil
		return d.done(m, d.input.Value())
	case keymap.Back:
		m.dialog = nil
		if d.cancel != nil {
			d.cancel(m)
		}
		return nil
	default:
	}
	if key == " " {
		d.text(m, " ")
		return nil
	}
	if d.input.Key(key) && d.changed != nil {
		return d.changed(m, d.input.Value())
	}
	return nil
}

func (d *inputDialog) text(m *Model, s string) {
	d.input.Insert(s)
	if d.changed != nil {
		_ = d.changed(m, d.input.Value()) // changes made while typing need no command
	}
}

func (d *inputDialog) draw(_ *Model, w, _ int) ([]string, bool) {
	return []string{d.input.Line(w)}, true
}

// newFilter narrows the list of sessions while it is typed.
func newFilter(m *Model) dialog {
	old := m.list.Filter()
	return &inputDialog{
		input:   m.input("/", old),
		changed: func(m *Model, v string) tea.Cmd { m.list.SetFilter(v); return nil },
		done:    func(m *Model, v string) tea.Cmd { m.list.SetFilter(v); return nil },
		cancel:  func(m *Model) { m.list.SetFilter(old) },
	}
}

// newSearch searches the active pane.
func newSearch(m *Model) dialog {
	return &inputDialog{
		input: m.input("/", ""),
		done: func(m *Model, v string) tea.Cmd {
			s := m.debug.searcher()
			if s == nil {
				return nil
			}
			s.Search(v, m.debug.view)
			return func() tea.Msg { return searchStep{} }
		},
	}
}

// newGoto goes to a line or a byte of the active pane.
func newGoto(m *Model, g pane.Goer) dialog {
	return &inputDialog{
		input: m.input(":", ""),
		done: func(m *Model, v string) tea.Cmd {
			if v != "" && !g.Goto(v, m.debug.view) {
				m.tell(m.say("没有这一行；写行号，或 @字节位置", "no such line; write a line number, or @byte offset"))
			}
			return nil
		},
	}
}

// newReason asks why a verdict is overridden.
func newReason(m *Model, r event.Reviewed) dialog {
	return &inputDialog{
		input: m.input(m.say("推翻理由: ", "why override: "), ""),
		done: func(m *Model, v string) tea.Cmd {
			if strings.TrimSpace(v) == "" {
				m.tell(m.say("推翻判定须写明理由", "an override needs a reason"))
				return nil
			}
			r.Reason = v
			return m.o.Bridge.Review(m.debug.session, r)
		},
	}
}

// newBreakpoints edits the breakpoints as one line.
func newBreakpoints(m *Model) dialog {
	var now []string
	for _, b := range m.debug.breaks {
		now = append(now, b.String())
	}
	prompt := m.say("断点（例 verifier, tool:query_logs, B005, claim:unsupported）: ", "breakpoints (e.g. verifier, tool:query_logs, B005, claim:unsupported): ")
	return &inputDialog{input: m.input(prompt, strings.Join(now, ", ")), done: setBreakpoints}
}

func setBreakpoints(m *Model, v string) tea.Cmd {
	var list []bridge.Breakpoint
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == '，' || r == ';' }) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		b, err := bridge.ParseBreakpoint(part)
		if err != nil {
			m.complain(err)
			return nil
		}
		list = append(list, b)
	}
	m.debug.breaks = list
	if run := m.debug.run; run != nil {
		return m.o.Bridge.Control(func() error { return run.SetBreakpoints(list) })
	}
	return nil
}

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
func (d *menu) key(m *Model, _ keymap.Action, key string) tea.Cmd {
	m.dialog = nil
	for _, c := range d.choices {
		if c.key == key {
			return c.do(m)
		}
	}
	return nil
}

func (d *menu) draw(m *Model, w, _ int) ([]string, bool) {
	var b strings.Builder
	b.WriteString(m.theme.Prompt.Render(d.question))
	for _, c := range d.choices {
		b.WriteString("  " + m.theme.Key.Render(c.key) + " " + c.word.In(m.lang))
	}
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
	}}
}

// reader shows a text on most of the screen.
type reader struct {
	title string
	view  *widget.TextView
}

func newReader(m *Model, title, body string) dialog {
	v := widget.NewTextView(widget.NewSourceString(body))
	v.SetWrap(true)
	v.SetStyles(pane.TextStyles(m.theme))
	return &reader{text.SanitiseLine(title), v}
}

func (d *reader) scope() keymap.Scope { return keymap.Dialog }
func (d *reader) wheel(rows int)      { d.view.Scroll(rows) }
func (d *reader) text(*Model, string) {}
func (d *reader) key(m *Model, a keymap.Action, _ string) tea.Cmd {
	if mv, ok := pane.Move(a); ok {
		d.view.Do(mv)
		return nil
	}
	switch a {
	case keymap.Back, keymap.Confirm, keymap.Quit, keymap.ShowHelp:
		m.dialog = nil
	default:
	}
	return nil
}

func (d *reader) draw(m *Model, w, h int) ([]string, bool) {
	bw, bh := min(w-4, 110), h-4
	f := widget.Frame{Title: d.title, Footer: m.say("esc 关闭", "esc closes"), Focused: true}
	f.SetStyles(m.frameStyles())
	iw, ih := f.Inner(bw, bh)
	d.view.SetSize(iw, ih)
	return f.Lines(d.view.Lines(), bw, bh), false
}

// copyText puts text on the clipboard.
func (m *Model) copyText(s string, what text.Label) tea.Cmd {
	note := bridge.Note{ZH: "已复制" + what.ZH, EN: "copied " + what.EN}
	return func() tea.Msg { return bridge.Done{Note: note, Err: m.o.Copy(s)} }
}

// copy copies what the focus is on: the answer, the excerpt's place, or the claim.
func (m *Model) copy() tea.Cmd {
	d := m.debug
	switch {
	case d.focus == view.PaneAnswer && len(d.view.Texts) > 0:
		return m.copyText(d.view.Texts[0].Markdown, text.Label{ZH: "答复", EN: "the answer"})
	case d.view.Claim() != nil:
		return m.copyText(d.view.ClaimReport(d.view.Claim().Index), text.Label{ZH: "结论及证据", EN: "the claim with its evidence"})
	}
	m.tell(m.say("先选中一条结论", "select a claim first"))
	return nil
}
