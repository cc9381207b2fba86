// Package compare is the pane of two sessions side by side: claim by claim, changed
// verdicts first.
package compare

import (
	"fmt"
	"strings"

	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

// Pane draws a comparison. It belongs to one goroutine.
type Pane struct {
	p     *pane.Paints
	rows  *pane.Rows
	a, b  state.Session
	cmp   state.Comparison
	shown []int // pairs, by item

	// Right is the side that is chosen.
	Right bool
	// All shows the claims without a change too.
	All bool

	drawn key
}

type key struct {
	w    int
	lang text.Lang
	all  bool
	side bool
}

// New makes the pane of two sessions.
func New(t theme.Theme, a, b state.Session) *Pane {
	c := &Pane{p: pane.NewPaints(t), rows: pane.NewRows(), a: a, b: b, cmp: state.Compare(&a, &b)}
	c.All = c.cmp.Count(state.Same) == len(c.cmp.Pairs)
	c.rows.SetCursor(0)
	return c
}

// SetTheme changes the styles.
func (c *Pane) SetTheme(t theme.Theme) { c.p, c.drawn = pane.NewPaints(t), key{} }

// Chosen is the session of the side that is chosen, and the claim under the cursor in
// it, or "".
func (c *Pane) Chosen() (session, claim string) {
	session = c.a.Header.ID
	if c.Right {
		session = c.b.Header.ID
	}
	if at := c.rows.Cursor(); at >= 0 && at < len(c.shown) {
		pair := c.cmp.Pairs[c.shown[at]]
		if x := pair.A; x != nil && !c.Right {
			claim = x.ClaimID
		}
		if x := pair.B; x != nil && c.Right {
			claim = x.ClaimID
		}
	}
	return session, claim
}

// Key moves the cursor or chooses; ok is false for other keys.
func (c *Pane) Key(a keymap.Action) (ok bool) {
	switch a {
	case keymap.Left:
		c.Right = false
	case keymap.Right:
		c.Right = true
	case keymap.FocusNext:
		c.Right = !c.Right
	case keymap.ToggleWrap:
		c.All = !c.All
	case keymap.SearchNext, keymap.SearchPrev:
		_, hit := c.rows.NextHit(a == keymap.SearchPrev)
		return hit
	default:
		at, ok := c.rows.Move(a)
		if ok && at == 0 {
			c.rows.Scroll(-c.rows.Count()) // what stands above the first claim
		}
		return ok
	}
	return true
}

// Search looks for a text; "" ends the search.
func (c *Pane) Search(query string) { c.rows.Search(query) }

// Click puts the cursor on a pair and chooses the side.
func (c *Pane) Click(x, y int) {
	if at, ok := c.rows.At(y); ok {
		c.rows.SetCursor(at)
		c.Right = x > c.drawn.w/2
	}
}

// Wheel scrolls by rows.
func (c *Pane) Wheel(rows int) { c.rows.Scroll(rows) }

// Lines draws exactly h lines of exactly w cells.
func (c *Pane) Lines(w, h int, lang text.Lang) []string {
	if k := (key{w, lang, c.All, c.Right}); k != c.drawn {
		c.drawn = k
		c.build(pane.Room(w), lang)
	}
	return c.rows.Draw(w, h, c.p, true)
}

func (c *Pane) build(w int, lang text.Lang) {
	c.rows.Reset()
	c.shown = c.shown[:0]
	d := drawing{c, lang, max((w-4)/2, 8)}
	d.head()
	hidden, last := 0, state.Change(255)
	for i := range c.cmp.Pairs {
		pair := &c.cmp.Pairs[i]
		if pair.Change == state.Same && !c.All {
			hidden++
			continue
		}
		c.rows.Add(-1, "")
		if pair.Change != last {
			last = pair.Change
			c.rows.Add(-1, c.changePaint(last).Raw(changeMarks[last]+" "+fmt.Sprintf("%s  %d", changeWords[last].In(lang), c.cmp.Count(last))))
		}
		d.pair(len(c.shown), pair)
		c.shown = append(c.shown, i)
	}
	if hidden > 0 {
		c.rows.Add(-1, "")
		c.rows.Add(-1, c.p.Dim.Raw(fmt.Sprintf(wordHidden.In(lang), hidden)))
	}
	if len(c.cmp.Pairs) == 0 {
		c.rows.Add(-1, c.p.Dim.Raw(wordNoClaims.In(lang)))
	}
	c.rows.Finish()
}

// drawing draws both sides in columns of half cells each.
type drawing struct {
	*Pane
	lang text.Lang
	half int
}

// head says what is compared: the sessions, their verdicts, tokens and time.
func (d *drawing) head() {
	say := func(s *state.Session, right bool) []string {
		sum := s.Summary()
		mark := "  "
		paint := d.p.Text
		if right == d.Right {
			mark, paint = theme.MarkCursor+" ", d.p.Strong
		}
		name := sum.Title
		if name == "" {
			name = sum.Query
		}
		word := string(sum.Decision)
		if word == "" {
			word = pane.StatusWord(sum.Status).In(d.lang)
		}
		verdictPaint := d.p.Warn
		switch sum.Decision {
		case verdict.Pass:
			verdictPaint = d.p.Done
		case verdict.LowConfid:
			verdictPaint = d.p.Block
		case verdict.Retry:
		}
		causes := make([]string, len(sum.Causes))
		for i, x := range sum.Causes {
			causes[i] = string(x)
		}
		lines := []string{
			paint.Line(mark + name),
			"  " + d.p.Dim.Line(sum.ID),
			"  " + verdictPaint.Line(word) + fmt.Sprintf("  %d/%d  %s %s  %s", sum.Supported, sum.Total, text.Count(sum.Tokens), wordTokens.In(d.lang), pane.Duration(sum.Duration)),
		}
		if len(causes) > 0 {
			lines = append(lines, "  "+d.p.Warn.Line(strings.Join(causes, " ")))
		}
		if p := sum.Parent; p != nil {
			lines = append(lines, "  "+d.p.Dim.Line(fmt.Sprintf(wordFork.In(d.lang), p.ID, p.Mode)))
		}
		return lines
	}
	d.beside(-1, say(&d.a, false), say(&d.b, true))
	if len(d.cmp.Prompts) > 0 {
		d.rows.Add(-1, "  "+d.p.Info.Line(wordPrompts.In(d.lang)+strings.Join(d.cmp.Prompts, ", ")))
	}
}

// pair draws a claim of both sides.
func (d *drawing) pair(item int, p *state.ClaimPair) {
	side := func(x, other *state.ComparedClaim) []string {
		if x == nil {
			return []string{d.p.Faint.Raw("  —")}
		}
		standing := view.StandingOf(x.Verdict)
		paint, mark := d.p.Standing(standing)
		lines := []string{paint.Raw(mark+" ") + d.p.Strong.Line(x.ClaimID) + "  " + paint.Raw(standingWords[standing].In(d.lang))}
		body := d.p.Text
		if other != nil && other.ClaimText != x.ClaimText {
			body = d.p.Fact
		}
		for _, l := range text.WrapStyled(body.Text(x.ClaimText), max(d.half-2, 4), 0) {
			lines = append(lines, "  "+l)
		}
		seen := map[string]bool{}
		for _, b := range x.EvidenceBindings {
			if source := b.SourceID + " " + b.ToolName; !seen[source] {
				seen[source] = true
				lines = append(lines, "  "+d.p.Dim.Line("└ "+source))
			}
		}
		reason := x.Reason
		if d.lang == text.ZH && x.ReasonZH != "" {
			reason = x.ReasonZH
		}
		if reason != "" && x.Verdict != verdict.Supported {
			for _, l := range text.WrapStyled(paint.Line(reason), max(d.half-2, 4), 0) {
				lines = append(lines, "  "+l)
			}
		}
		return lines
	}
	d.beside(item, side(p.A, p.B), side(p.B, p.A))
}

// beside adds two columns.
func (d *drawing) beside(item int, left, right []string) {
	at := func(lines []string, i int) string {
		if i < len(lines) {
			return lines[i]
		}
		return ""
	}
	rule := d.p.Faint.Raw("│")
	for i := range max(len(left), len(right)) {
		d.rows.Add(item, text.Fit(at(left, i), d.half, "…")+rule+" "+text.Fit(at(right, i), d.half, "…"))
	}
}

func (c *Pane) changePaint(x state.Change) pane.Paint {
	switch x {
	case state.Flipped:
		return c.p.Block
	case state.Lost, state.Gained:
		return c.p.Warn
	case state.Reworded, state.Rebound:
		return c.p.Info
	case state.Same:
	}
	return c.p.Dim
}

var changeMarks = [...]string{state.Flipped: "≠", state.Lost: "−", state.Gained: "+", state.Reworded: "~", state.Rebound: "~", state.Same: "="}

var changeWords = [...]text.Label{
	state.Flipped:  {ZH: "判定改变", EN: "verdict changed"},
	state.Lost:     {ZH: "只在左侧", EN: "only at the left"},
	state.Gained:   {ZH: "只在右侧", EN: "only at the right"},
	state.Reworded: {ZH: "改写", EN: "reworded"},
	state.Rebound:  {ZH: "证据不同", EN: "other evidence"},
	state.Same:     {ZH: "相同", EN: "the same"},
}

var standingWords = [...]text.Label{
	view.Pending:      {ZH: "没有判定", EN: "no verdict"},
	view.Supported:    {ZH: "有证据支持", EN: "supported"},
	view.NotChecked:   {ZH: "未核验", EN: "not checked"},
	view.Insufficient: {ZH: "证据不足", EN: "insufficient"},
	view.Unsupported:  {ZH: "无证据支持", EN: "unsupported"},
	view.Contradicted: {ZH: "与证据矛盾", EN: "contradicted"},
}

var (
	wordHidden   = text.Label{ZH: "另有 %d 条相同的结论，Z 显示", EN: "%d claims are the same; Z shows them"}
	wordNoClaims = text.Label{ZH: "两个会话都没有结论", EN: "neither session has claims"}
	wordFork     = text.Label{ZH: "分叉自 %s（%s）", EN: "forked from %s (%s)"}
	wordTokens   = text.Label{ZH: "词元", EN: "tok"}
	wordPrompts  = text.Label{ZH: "提示词不同：", EN: "prompts differ: "}
)
