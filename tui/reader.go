package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// reader shows a text over the screen: prose in a box of its size, broken between words;
// other text as it is, with line numbers.
type reader struct {
	title string
	body  string
	view  *widget.TextView
	prose bool
	laid  int           // width that prose was broken for
	rows  int           // and how many rows it came to
	input *widget.Input // while a search is typed
	hints []keymap.Action
}

// maxProse bounds the text that is broken between words, in bytes.
const maxProse = 256 << 10

// newReader makes a reader of prose.
func newReader(m *Model, title, body string) *reader {
	d := newRawReader(m, title, body)
	if len(body) <= maxProse {
		d.prose = true
		d.view.SetNumbers(false)
	}
	return d
}

func newRawReader(m *Model, title, body string) *reader {
	v := widget.NewTextView(widget.NewSourceString(body))
	v.SetWrap(true)
	v.SetScrollBar(true)
	d := &reader{title: text.SanitiseLine(title), body: body, view: v, hints: []keymap.Action{keymap.SearchStart, keymap.Copy, keymap.ShowHelp}}
	d.setTheme(m.theme)
	return d
}

// lay breaks prose for a width.
func (d *reader) lay(w int) {
	if !d.prose || d.laid == w {
		return
	}
	d.laid = w
	lines := text.WrapStyled(text.Sanitise(d.body), max(w-1, 1), 0)
	d.rows = len(lines)
	d.view.SetSource(widget.NewSourceString(strings.Join(lines, "\n")))
}

func (d *reader) setTheme(t theme.Theme) { d.view.SetStyles(pane.TextStyles(t)) }

func (d *reader) scope() keymap.Scope {
	if d.input != nil {
		return keymap.Input
	}
	return keymap.Dialog
}

func (d *reader) wheel(rows int)          { d.view.Scroll(rows) }
func (d *reader) text(_ *Model, s string) { d.input.Insert(s) }

func (d *reader) key(m *Model, a keymap.Action, key string) tea.Cmd {
	if d.input != nil {
		d.searchKey(a, key)
		return nil
	}
	if mv, ok := pane.Move(a); ok {
		d.view.Do(mv)
		return nil
	}
	switch a {
	case keymap.Back, keymap.Confirm, keymap.Quit:
		m.dialog = nil
	case keymap.ShowHelp:
		m.dialog = newHelp(m)
	case keymap.SearchStart:
		d.input = m.input("/", "")
	case keymap.SearchNext:
		d.view.SearchNext()
	case keymap.SearchPrev:
		d.view.SearchPrev()
	case keymap.ToggleTheme:
		m.setTheme(m.theme.Kind.Next())
	case keymap.Copy:
		return m.copyText(d.body, text.Label{ZH: "全文", EN: "the text"})
	default:
	}
	return nil
}

func (d *reader) searchKey(a keymap.Action, key string) {
	switch {
	case a == keymap.Back:
		d.input = nil
	case a == keymap.Confirm:
		d.view.Search(d.input.Value())
		d.view.StepSearch(len(d.body) + 1)
		d.input = nil
	case key == " ":
		d.input.Insert(" ")
	default:
		d.input.Key(key)
	}
}

func (d *reader) draw(m *Model, w, h int) ([]string, bool) {
	bw, bh := min(w-4, 110), h-4
	if d.lay(bw - 2); d.prose {
		bh = min(bh, d.rows+2)
		d.view.SetScrollBar(d.rows > bh-2)
	}
	f := widget.Frame{Title: d.title, Footer: m.hintLine(keymap.Dialog, append(d.hints, keymap.Back)...), Focused: true}
	if s, ok := d.view.SearchState(); ok {
		f.Status = m.searchStatus(s)
	}
	if d.input != nil {
		f.Footer = d.input.Line(min(bw-6, 60))
	}
	f.SetStyles(m.frameStyles())
	iw, ih := f.Inner(bw, bh)
	d.view.SetSize(iw, ih)
	return f.Lines(d.view.Lines(), bw, bh), false
}

// copyText puts text on the clipboard, and in a file for terminals that have none.
func (m *Model) copyText(s string, what text.Label) tea.Cmd {
	copying := m.o.Copy
	return func() tea.Msg {
		path, err := copying(s)
		return bridge.Done{Err: err, Note: bridge.Note{
			ZH: "已复制" + what.ZH + "，也存于 " + path, EN: "copied " + what.EN + ", also to " + path,
		}}
	}
}

// copy copies what the focus is on: the answer, or the claim selected.
func (m *Model) copy() tea.Cmd {
	d := m.debug
	switch {
	case d.focus == view.PaneAnswer && len(d.view.Texts) > 0:
		return m.copyText(d.view.Texts[0].Markdown, text.Label{ZH: "答复", EN: "the answer"})
	case d.view.Claim() != nil:
		return m.copyText(d.view.ClaimReport(d.view.Claim().Index), text.Label{ZH: "结论及证据", EN: "the claim with its evidence"})
	}
	m.warn("先选中一条结论", "select a claim first")
	return nil
}
