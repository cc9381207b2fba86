package tui

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/event"
	"claimscope/engine/state"
	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/widget"
)

// prompts are the names of the prompts that a stage is run with (see package prompts).
var prompts = map[event.Stage]string{
	event.Planner: "chat-planner-prompt", event.Executor: "chat-executor-prompt", event.Verifier: "chat-verifier-prompt",
	event.Answer: "chat-composer-prompt",
}

// paused looks at what a paused run is about to use, or skips it.
func (m *Model) paused(a keymap.Action) tea.Cmd {
	d := m.debug
	if d.run == nil || d.now.Status != state.Paused {
		m.warn("仅在暂停时可用：s 单步，p 暂停", "only while paused: s steps, p pauses")
		return nil
	}
	if a == keymap.Skip {
		return m.o.Bridge.Skip(d.run)
	}
	return m.o.Bridge.Look(d.gen, d.run, promptNames(d)...)
}

// promptNames are the prompts that matter where a run stands.
func promptNames(d *debugger) []string {
	var names []string
	if name := prompts[d.now.Stage]; name != "" {
		names = append(names, name)
	}
	if p := d.now.Pause; p != nil && prompts[p.Stage] != "" && p.Stage != d.now.Stage {
		names = append(names, prompts[p.Stage])
	}
	return names
}

// pendingDialog shows what a paused run is about to use, part by part.
type pendingDialog struct {
	gen      int
	boundary string
	parts    []bridge.Part
	at       int
	*reader
}

func (m *Model) onLooked(msg bridge.Looked) tea.Cmd {
	d := m.of(msg.Gen)
	if d == nil || d != m.debug || d.run == nil {
		return nil
	}
	d.breaks = msg.Breakpoints
	switch {
	case msg.Only:
		return nil
	case msg.Err != nil && msg.Edited:
		why := bridge.Reason(msg.Err)
		m.warn(why.ZH+"；i 接着改", why.EN+"; i takes your text up again")
	case msg.Err != nil:
		m.complain(msg.Err)
	case msg.Edited:
		m.draft = nil
		m.tell(m.say("已修改，并记入会话", "changed, and recorded in the session"))
	}
	if !msg.OK {
		m.warn("运行已经继续", "the run has gone on")
		return nil
	}
	if len(msg.Parts) == 0 {
		m.tell(m.say("此处没有可编辑的内容；K 跳过，s 单步", "there is nothing to edit here; K skips, s steps"))
		return nil
	}
	p := &pendingDialog{gen: msg.Gen, boundary: string(msg.Pending.Boundary), parts: msg.Parts}
	if old, ok := m.dialog.(*pendingDialog); ok && old.at < len(p.parts) {
		p.at = old.at
	}
	p.open(m)
	m.dialog = p
	return nil
}

// open shows the part chosen.
func (d *pendingDialog) open(m *Model) {
	part := d.parts[d.at]
	d.reader = newRawReader(m, "", laidOut(part.Text))
	d.hints = []keymap.Action{keymap.Edit, keymap.FocusNext, keymap.Skip, keymap.SearchStart}
	if strings.HasPrefix(part.Target, event.EditPrompt) {
		d.hints = append(d.hints, keymap.SaveRaw)
	}
}

// laidOut lays JSON out for reading.
func laidOut(s string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(s), "", "  ") == nil {
		return b.String()
	}
	return s
}

// partWord names a part.
func partWord(target string) text.Label {
	switch {
	case target == event.EditRequest:
		return text.Label{ZH: "请求", EN: "request"}
	case target == event.EditExecutorOutput:
		return text.Label{ZH: "Executor 输出", EN: "Executor output"}
	}
	name := strings.TrimPrefix(target, event.EditPrompt)
	return text.Label{ZH: "提示词 " + name, EN: "prompt " + name}
}

func (d *pendingDialog) key(m *Model, a keymap.Action, key string) tea.Cmd {
	if d.input != nil {
		return d.reader.key(m, a, key)
	}
	part := d.parts[d.at]
	switch a {
	case keymap.FocusNext, keymap.FocusPrev:
		step := 1
		if a == keymap.FocusPrev {
			step = len(d.parts) - 1
		}
		d.at = (d.at + step) % len(d.parts)
		d.open(m)
		return nil
	case keymap.Edit, keymap.Confirm:
		return m.edit(d.gen, part)
	case keymap.Skip:
		m.dialog = nil
		if m.debug != nil && m.debug.run != nil {
			return m.o.Bridge.Skip(m.debug.run)
		}
		return nil
	case keymap.SaveRaw:
		name, ok := strings.CutPrefix(part.Target, event.EditPrompt)
		if !ok {
			m.warn("只有提示词可以保存；tab 切换", "only a prompt can be saved; tab switches")
			return nil
		}
		return m.o.Bridge.SavePrompt(name, part.Text)
	default:
	}
	return d.reader.key(m, a, key)
}

func (d *pendingDialog) draw(m *Model, w, h int) ([]string, bool) {
	labels := make([]string, len(d.parts))
	for i, p := range d.parts {
		labels[i] = text.SanitiseLine(partWord(p.Target).In(m.lang))
	}
	where := m.say("暂停在 ", "paused before ") + text.SanitiseLine(d.boundary)
	if len(labels) == 1 {
		d.title = where + " · " + labels[0]
		return d.reader.draw(m, w, h)
	}
	tabs, _ := widget.TabBar(labels, d.at, min(w-8-text.Width(where), text.Width(strings.Join(labels, "  "))+2), widget.TabStyles{Tab: m.theme.Tab, Active: m.theme.TabActive})
	d.title = m.paints.Strong.Raw(where) + " " + tabs
	return d.reader.draw(m, w, h)
}

// edited is what the external editor gave back.
type edited struct {
	gen    int
	part   bridge.Part
	text   string
	failed error
}

// edit opens a part in the external editor.
func (m *Model) edit(gen int, part bridge.Part) tea.Cmd {
	if m.o.Edit == nil {
		m.warn("没有外部编辑器；请设置 EDITOR", "there is no external editor; set EDITOR")
		return nil
	}
	ext, body := ".md", part.Text
	if m.draft != nil && m.draft.gen == gen && m.draft.part.Target == part.Target {
		body = m.draft.text // it was refused: nothing that was typed is lost
	}
	if part.Target != event.EditExecutorOutput && json.Valid([]byte(part.Text)) {
		ext, body = ".json", laidOut(body)
	}
	return m.o.Edit(body, ext, func(after string, err error) tea.Msg {
		if after == body {
			after = part.Text
		}
		return edited{gen, part, after, err}
	})
}

func (m *Model) onEdited(msg edited) tea.Cmd {
	d := m.of(msg.gen)
	switch {
	case msg.failed != nil:
		m.complain(msg.failed)
		return nil
	case d == nil || d.run == nil || d.now.Status != state.Paused:
		m.warn("运行已经继续，修改没有生效", "the run has gone on; the edit is not used")
		return nil
	case strings.TrimRight(msg.text, "\n") == strings.TrimRight(msg.part.Text, "\n"):
		m.draft = nil
		m.tell(m.say("没有改动", "nothing was changed"))
		return nil
	}
	m.draft = &msg
	return m.o.Bridge.Edit(d.gen, d.run, bridge.Edit{Target: msg.part.Target, Text: msg.text}, promptNames(d)...)
}

// breakpoints edits the breakpoints as one line, with their hits below it.
type breakpoints struct {
	input *widget.Input
	wrong string
}

// openBreakpoints opens the dialog, and asks a run for the hits so far.
func (m *Model) openBreakpoints() tea.Cmd {
	d := m.debug
	now := make([]string, len(d.breaks))
	for i, b := range d.breaks {
		now[i] = b.String()
	}
	m.dialog = &breakpoints{input: m.input("> ", strings.Join(now, ", "))}
	if d.run == nil {
		return nil
	}
	return m.o.Bridge.Breakpoints(d.gen, d.run)
}

func (d *breakpoints) scope() keymap.Scope     { return keymap.Input }
func (d *breakpoints) wheel(int)               {}
func (d *breakpoints) text(_ *Model, s string) { d.input.Insert(s); d.wrong = "" }

func (d *breakpoints) key(m *Model, a keymap.Action, key string) tea.Cmd {
	switch {
	case a == keymap.Back:
		m.dialog = nil
	case a == keymap.Confirm:
		return d.set(m)
	case key == " ":
		d.input.Insert(" ")
	default:
		if d.input.Key(key) {
			d.wrong = ""
		}
	}
	return nil
}

// set takes the line; one that cannot be read stays to be put right.
func (d *breakpoints) set(m *Model) tea.Cmd {
	var list []bridge.Breakpoint
	for _, part := range strings.FieldsFunc(d.input.Value(), func(r rune) bool { return strings.ContainsRune(",，;；", r) }) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		b, err := bridge.ParseBreakpoint(part)
		if err != nil {
			d.wrong = text.SanitiseLine(err.Error())
			return nil
		}
		list = append(list, b)
	}
	m.dialog = nil
	m.debug.breaks = list
	if len(list) == 0 {
		m.tell(m.say("没有断点", "there are no breakpoints"))
	} else {
		m.tell(m.say("断点已设置；c 运行到断点", "the breakpoints are set; c runs to them"))
	}
	if run := m.debug.run; run != nil {
		return m.o.Bridge.Control(func() error { return run.SetBreakpoints(list) })
	}
	return nil
}

// breakHelp are the forms of a breakpoint.
var breakHelp = []struct {
	form string
	says text.Label
}{
	{"verifier", text.Label{ZH: "该阶段之前；另有", EN: "before a stage; also"}},
	{"", text.Label{ZH: "  planner executor tool executor_output", EN: "  planner executor tool executor_output"}},
	{"", text.Label{ZH: "  gatekeeper route answer", EN: "  gatekeeper route answer"}},
	{"tool:query_logs", text.Label{ZH: "调用该工具之前", EN: "before a call of that tool"}},
	{"B005", text.Label{ZH: "出现该问题码之后", EN: "after a finding of that code"}},
	{"verdict==low_confid", text.Label{ZH: "得出该判定之后", EN: "after that decision"}},
	{"claim:unsupported", text.Label{ZH: "任一结论得到该判定之后", EN: "after that verdict on any claim"}},
	{"tool x3", text.Label{ZH: "第 3 次命中起", EN: "from the third hit on"}},
}

func (d *breakpoints) draw(m *Model, w, h int) ([]string, bool) {
	bw := min(w-4, 92)
	f := widget.Frame{Title: m.say("断点，以逗号分隔", "breakpoints, separated by commas"), Footer: m.hintLine(keymap.Input, keymap.Confirm, keymap.Back), Focused: true}
	f.SetStyles(m.frameStyles())
	lines := []string{d.input.Line(bw - 2)}
	if d.wrong != "" {
		lines = append(lines, m.paints.Block.Raw(theme.MarkFailed+" "+d.wrong))
	}
	for _, b := range m.debug.breaks {
		if b.Hits > 0 {
			lines = append(lines, m.paints.Warn.Raw(theme.MarkBreakpoint)+" "+text.SanitiseLine(b.String())+m.paints.Dim.Raw(m.say("  命中 ", "  hits ")+strconv.Itoa(b.Hits)))
		}
	}
	lines = append(lines, "")
	for _, x := range breakHelp {
		lines = append(lines, "  "+m.paints.Key.Raw(text.Fit(x.form, 21, "…"))+m.paints.Dim.Raw(x.says.In(m.lang)))
	}
	return f.Lines(lines, bw, min(len(lines)+2, h-2)), false
}
