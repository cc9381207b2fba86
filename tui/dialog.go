package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/event"
	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
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
	hint    string // shown behind the text while there is room
	kind    string // of its history
	at      int    // place in the history, from its end; 0 for what is being typed
	typed   string
	changed func(m *Model, value string) // at each change; may be nil
	done    func(m *Model, value string) tea.Cmd
	cancel  func(m *Model) // may be nil
}

func (d *inputDialog) scope() keymap.Scope { return keymap.Input }
func (d *inputDialog) wheel(int)           {}

func (d *inputDialog) key(m *Model, a keymap.Action, key string) tea.Cmd {
	switch a {
	case keymap.Confirm:
		m.dialog = nil
		m.remember(d.kind, d.input.Value())
		return d.done(m, d.input.Value())
	case keymap.Back:
		m.dialog = nil
		if d.cancel != nil {
			d.cancel(m)
		}
		return nil
	case keymap.Up:
		d.recall(m, 1)
		return nil
	case keymap.Down:
		d.recall(m, -1)
		return nil
	default:
	}
	if key == " " {
		d.text(m, " ")
		return nil
	}
	if d.input.Key(key) {
		d.change(m)
	}
	return nil
}

// recall goes back in the history by steps.
func (d *inputDialog) recall(m *Model, steps int) {
	h := m.history[d.kind]
	if d.at == 0 {
		d.typed = d.input.Value()
	}
	d.at = min(max(d.at+steps, 0), len(h))
	if d.at == 0 {
		d.input.SetValue(d.typed)
	} else {
		d.input.SetValue(h[len(h)-d.at])
	}
	d.change(m)
}

func (d *inputDialog) change(m *Model) {
	if d.changed != nil {
		d.changed(m, d.input.Value())
	}
}

func (d *inputDialog) text(m *Model, s string) {
	d.input.Insert(s)
	d.change(m)
}

func (d *inputDialog) draw(m *Model, w, _ int) ([]string, bool) {
	room := w - text.Width(d.hint)
	if d.hint == "" || text.Width(d.input.Prompt+d.input.Value())+2 > room {
		return []string{d.input.Line(w)}, true
	}
	return []string{d.input.Line(room) + m.paints.Dim.Raw(d.hint)}, true
}

// maxHistory bounds the entries that are kept of each kind of input.
const maxHistory = 50

// remember keeps what was entered.
func (m *Model) remember(kind, value string) {
	if kind == "" || strings.TrimSpace(value) == "" {
		return
	}
	h := slices.DeleteFunc(m.history[kind], func(s string) bool { return s == value })
	if len(h) == maxHistory {
		h = h[1:]
	}
	m.history[kind] = append(h, value)
}

// input makes an input line in the theme's styles.
func (m *Model) input(prompt, value string) *widget.Input {
	in := widget.NewInput(prompt, value)
	in.SetStyles(m.theme.Prompt, m.theme.Cursor.Reverse(true))
	return in
}

// newFilter narrows the list of sessions while it is typed.
func newFilter(m *Model) dialog {
	old := m.list.Filter()
	set := func(m *Model, v string) { m.list.SetFilter(v) }
	return &inputDialog{
		input: m.input(m.say(" 筛选 ", " filter "), old), kind: "filter", changed: set,
		hint:   "verdict: cause: tool: contract: status: is: -… ",
		done:   func(m *Model, v string) tea.Cmd { set(m, v); return nil },
		cancel: func(m *Model) { set(m, old) },
	}
}

// newSearch searches the active pane.
func newSearch(m *Model) dialog {
	return &inputDialog{
		input: m.input("/", ""), kind: "search",
		done: func(m *Model, v string) tea.Cmd {
			s := m.debug.searcher()
			if s == nil {
				return nil
			}
			s.Search(v, m.debug.view)
			return m.stepSearch()
		},
	}
}

// newGoto goes to a line or a byte of the active pane.
func newGoto(m *Model, g pane.Goer) dialog {
	return &inputDialog{
		input: m.input(m.say("到行（或 @字节）", "go to line (or @byte) "), ""), kind: "goto",
		done: func(m *Model, v string) tea.Cmd {
			if v != "" && !g.Goto(v, m.debug.view) {
				m.warn("没有这一行；写行号，或 @字节位置", "no such line; write a line number, or @byte offset")
			}
			return nil
		},
	}
}

// newRun asks for the question of a new run on the incident of a session.
func newRun(m *Model, like, query string) dialog {
	return &inputDialog{
		input: m.input(m.say("新运行，问题: ", "new run, question: "), query),
		done: func(m *Model, v string) tea.Cmd {
			return m.start(bridge.Request{Like: like, Query: strings.TrimSpace(v)})
		},
	}
}

// newReason asks why a verdict is overridden, then who says so.
func newReason(m *Model) dialog {
	return &inputDialog{
		input: m.input(m.say("推翻理由：", "why override: "), ""), kind: "reason",
		done: func(m *Model, reason string) tea.Cmd {
			if strings.TrimSpace(reason) == "" {
				m.warn("推翻判定须写明理由", "an override needs a reason")
				return nil
			}
			m.dialog = newName(m, event.Reviewed{Action: event.ReviewOverride, Reason: reason})
			return nil
		},
	}
}

func newName(m *Model, r event.Reviewed) dialog {
	return &inputDialog{
		input: m.input(m.say("姓名：", "your name: "), m.o.User),
		done: func(m *Model, name string) tea.Cmd {
			if r.By = strings.TrimSpace(name); r.By == "" {
				m.warn("推翻判定须写明姓名", "an override needs a name")
				return nil
			}
			return m.o.Bridge.Review(m.debug.session, r)
		},
	}
}

// maxRepeats bounds how often a re-run is asked for.
const maxRepeats = 100

// newCount asks how often something is to be run.
func newCount(m *Model, done func(m *Model, n int) tea.Cmd) dialog {
	return &inputDialog{
		input: m.input(m.say("重跑次数（1–100，回车为 5）：", "run how often (1–100, enter for 5): "), ""), kind: "count",
		done: func(m *Model, v string) tea.Cmd {
			n, err := strconv.Atoi(cmp.Or(strings.TrimSpace(v), "5"))
			if err != nil || n < 1 || n > maxRepeats {
				m.warn("请写 1 到 100 之间的数", "write a number from 1 to 100")
				return nil
			}
			return done(m, n)
		},
	}
}
