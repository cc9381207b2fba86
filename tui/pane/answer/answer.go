// Package answer is the pane of the answer: Chinese Markdown, each sentence linked to
// the claims that it comes from. glamour draws the inline text; blocks are laid out and
// wrapped here, since its wrapping does not know Chinese.
package answer

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/renderer"

	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

// Pane implements pane.Pane and pane.Searcher.
type Pane struct {
	pane.List
	p        *pane.Paints
	renderer renderer.Renderer
	places   []place // of the drawn sentences, line by line
	order    []sentence
	drawn    key
	shown    sentence // the sentence that was brought on screen last
	v        *view.View
}

// key is what the drawn lines depend on.
type key struct{ content, w int }

// sentence names a sentence of the view.
type sentence struct{ text, index int }

// none is no sentence.
var none = sentence{-1, -1}

// place is where part of a sentence stands: cells [from, to) of a line.
type place struct {
	line, from, to int
	sentence       sentence
}

// New returns the pane.
func New(t theme.Theme) *Pane {
	c := &Pane{List: pane.NewList(), shown: none}
	c.Rows.Decorate = c.decorate
	c.SetTheme(t)
	return c
}

// ID implements pane.Pane.
func (*Pane) ID() view.PaneID { return view.PaneAnswer }

// Scope implements pane.Pane.
func (*Pane) Scope() keymap.Scope { return keymap.Answer }

// Title implements pane.Pane: how the answer came to be.
func (*Pane) Title(v *view.View) string {
	style := ""
	if len(v.Texts) > 0 {
		style = pane.AnswerStyle(v.Texts[0].Style).In(v.Lang)
	}
	return pane.Title(view.PaneAnswer, v.Lang, style)
}

// SetTheme implements pane.Pane.
func (c *Pane) SetTheme(t theme.Theme) {
	c.p, c.renderer, c.drawn = pane.NewPaints(t), newRenderer(t), key{}
}

// Sync implements pane.Pane.
func (c *Pane) Sync(v *view.View) {
	if c.drawn.w > 0 {
		c.build(c.drawn.w, v)
	}
}

// Lines implements pane.Pane.
func (c *Pane) Lines(w, h int, v *view.View, focused bool) []string {
	c.build(pane.Room(w), v)
	c.Rows.SetHeight(h)
	c.follow(v)
	return c.Rows.Draw(w, h, c.p, focused)
}

var (
	wordNone    = text.Label{ZH: "还没有答复", EN: "no answer yet"}
	wordReason  = text.Label{ZH: "未采用首选形式：", EN: "the preferred form was not used: "}
	wordOwn     = text.Label{ZH: "Executor 自己的答复（未展示给用户）", EN: "the Executor's own answer (not what the user gets)"}
	wordPlain   = text.Label{ZH: "过长或嵌套过深，按纯文本显示", EN: "too long or too deeply nested for Markdown: shown as plain text"}
	wordTheCopy = text.Label{ZH: "答复", EN: "the answer"}
)

func (c *Pane) build(w int, v *view.View) {
	c.v = v
	k := key{v.ContentVersion(), w}
	if c.drawn == k {
		return
	}
	c.drawn, c.shown = k, none
	c.places, c.order = c.places[:0], c.order[:0]
	c.Rows.Reset()
	if len(v.Texts) == 0 {
		c.Rows.Wrap(-1, w, 0, 0, c.p.Dim.Raw(wordNone.In(v.Lang)))
	}
	for i := range v.Texts {
		t := &v.Texts[i]
		if i > 0 {
			c.Rows.Add(-1, "")
		}
		if t.Field != view.FieldAnswer {
			c.Rows.Wrap(-1, w, 0, 0, c.p.Strong.Raw("── "+wordOwn.In(v.Lang))+" "+c.p.Dim.Line(t.Field))
		}
		if t.Reason != "" {
			c.Rows.Wrap(-1, w, 0, 2, c.p.Warn.Raw(theme.MarkWarn+" "+wordReason.In(v.Lang)+text.SanitiseLine(t.Reason)))
		}
		c.text(i, t, w)
	}
	c.Rows.Finish()
}

// text draws one text and notes where its sentences stand.
func (c *Pane) text(i int, t *view.Text, w int) {
	if !readable(t.Markdown) {
		c.Rows.Wrap(-1, w, 0, 0, c.p.Warn.Raw(theme.MarkWarn+" "+wordPlain.In(c.v.Lang)))
		c.Rows.Wrap(-1, w, 0, 0, c.p.Text.Text(bounded(t.Markdown)))
		return
	}
	d := newDocument(c.p, c.renderer, c.v, t)
	room := max(w-1, 1)
	for _, l := range d.layout(d.parse(), room, 0, false) {
		line, pieces := take(l)
		for _, x := range pieces {
			s := sentence{i, d.index[x.sentence-1]}
			c.places = append(c.places, place{c.Rows.Count(), x.from, x.to, s})
			if n := len(c.order); n == 0 || c.order[n-1] != s {
				c.order = append(c.order, s)
			}
		}
		c.Rows.Add(-1, line)
	}
}

// maxPlain bounds a text that is too long to be Markdown, in bytes.
const maxPlain = 1 << 20

func bounded(s string) string {
	if len(s) > maxPlain {
		return strings.ToValidUTF8(s[:maxPlain], "") + "…"
	}
	return s
}

// piece is part of a line that belongs to a sentence, numbered from 1.
type piece struct{ sentence, from, to int }

// take takes the sentinels out of a line and tells which cells belong to which sentence.
func take(l string) (line string, pieces []piece) {
	var b strings.Builder
	cells, now, from := 0, 0, 0
	end := func() {
		if now > 0 && cells > from {
			pieces = append(pieces, piece{now, from, cells})
		}
		from = cells
	}
	for len(l) > 0 {
		i := strings.IndexByte(l, 0x1b)
		if i < 0 {
			i = len(l)
		}
		b.WriteString(l[:i])
		cells += text.Width(l[:i])
		l = l[i:]
		if l == "" {
			break
		}
		n := 2
		for n < len(l) && (l[n] < 0x40 || l[n] > 0x7e) {
			n++
		}
		n = min(n+1, len(l))
		if l[n-1] == 'z' {
			end()
			now, _ = strconv.Atoi(l[2 : n-1])
		} else {
			b.WriteString(l[:n])
		}
		l = l[n:]
	}
	end()
	return b.String(), pieces
}

// selected is the sentence that is selected.
func selected(v *view.View) sentence {
	if v.Sel.Sentence < 0 {
		return none
	}
	return sentence{v.Sel.SentenceText, v.Sel.Sentence}
}

// follow brings the selected sentence on screen when it is another one.
func (c *Pane) follow(v *view.View) {
	s := selected(v)
	if s == c.shown {
		return
	}
	c.shown = s
	first, last := -1, -1
	for _, x := range c.places {
		if x.sentence == s {
			if first < 0 {
				first = x.line
			}
			last = x.line
		}
	}
	if first >= 0 {
		c.Rows.Show(first, last)
	}
}

// decorate marks the selected sentence, and those that come from the selected claim.
func (c *Pane) decorate(line int, s string) (mark, decorated string) {
	mark = " "
	on := selected(c.v)
	for i := len(c.places) - 1; i >= 0; i-- {
		x := c.places[i]
		if x.line != line {
			continue
		}
		switch {
		case x.sentence == on:
			mark = theme.MarkCursor
			s = over(s, x.from, x.to, c.p.Cursor)
		case c.fromClaim(x.sentence):
			if mark == " " {
				mark = "▏"
			}
			s = over(s, x.from, x.to, c.p.Linked)
		}
	}
	return mark, s
}

// over paints cells [from, to) of a line.
func over(s string, from, to int, p pane.Paint) string {
	return text.Cut(s, 0, from) + p.Over(text.Cut(s, from, to)) + text.Cut(s, to, text.Width(s))
}

// fromClaim reports whether a sentence comes from the selected claim.
func (c *Pane) fromClaim(s sentence) bool {
	if c.v.Sel.Claim < 0 || s.text >= len(c.v.Texts) || s.index >= len(c.v.Texts[s.text].Sentences) {
		return false
	}
	for _, i := range c.v.Texts[s.text].Sentences[s.index].Claims {
		if i == c.v.Sel.Claim {
			return true
		}
	}
	return false
}

// Key implements pane.Pane.
func (c *Pane) Key(a keymap.Action, v *view.View) (view.Intent, bool) {
	switch a {
	case keymap.Up, keymap.Down:
		return c.step(v, a == keymap.Up)
	case keymap.Confirm:
		if v.Sel.Claim >= 0 {
			return view.FocusPane{Pane: view.PaneClaims}, true
		}
	case keymap.Copy:
		if len(v.Texts) > 0 {
			return view.CopyText{What: wordTheCopy, Text: v.Texts[0].Markdown}, true
		}
	case keymap.SearchNext, keymap.SearchPrev:
		_, ok := c.Rows.NextHit(a == keymap.SearchPrev)
		return nil, ok
	default:
		return nil, c.Rows.Page(a)
	}
	return nil, false
}

// step goes to the next sentence; without sentences it scrolls.
func (c *Pane) step(v *view.View, back bool) (view.Intent, bool) {
	d := 1
	if back {
		d = -1
	}
	if len(c.order) == 0 {
		c.Rows.Scroll(d)
		return nil, true
	}
	at, on := -1, selected(v)
	for i, s := range c.order {
		if s == on {
			at = i
		}
	}
	switch {
	case at < 0 && back:
		at = len(c.order) - 1
	case at < 0:
		at = 0
	default:
		at += d
	}
	if at < 0 || at >= len(c.order) {
		c.Rows.Scroll(d)
		return nil, true
	}
	return view.SelectSentence{Text: c.order[at].text, Sentence: c.order[at].index}, true
}

// Click implements pane.Pane: the sentence under the mouse, or else the one on its line.
func (c *Pane) Click(x, y int, _ *view.View) view.Intent {
	line, ok := c.Rows.Line(y)
	if !ok {
		return nil
	}
	var found view.Intent
	for _, k := range c.places {
		if k.line != line {
			continue
		}
		if found == nil || x-1 >= k.from {
			found = view.SelectSentence{Text: k.sentence.text, Sentence: k.sentence.index}
		}
	}
	return found
}
