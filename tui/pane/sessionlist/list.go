// Package sessionlist is the list of sessions, newest first, with its filter. Only the
// rows on screen are drawn, so thousands cost no more than a few.
package sessionlist

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/widget"
)

// Row is one session, or a file that cannot be read.
type Row struct {
	state.Summary
	Err    error
	Live   bool // it runs: live ones stand on top
	Chosen bool // for a comparison
}

// NeedsLook reports whether a person should look at a session: it failed, or its
// verdict is LOW_CONFID and nobody has reviewed it.
func NeedsLook(r *Row) bool {
	switch {
	case r.Err != nil || r.Live || r.Status == state.Cancelled:
		return false
	}
	return r.Status == state.Failed || r.Decision == verdict.LowConfid && r.Reviewed == ""
}

// List is the list with its cursor and filter. It belongs to one goroutine.
type List struct {
	paints *pane.Paints
	list   widget.List
	rows   []Row
	shown  []int // indexes into rows that pass the filter
	filter string
	zone   *time.Location
	tick   int // of the spinner
}

// New makes an empty list. Times are shown in the zone.
func New(t theme.Theme, zone *time.Location) *List {
	return &List{paints: pane.NewPaints(t), zone: zone}
}

// SetTheme changes the styles.
func (l *List) SetTheme(t theme.Theme) { l.paints = pane.NewPaints(t) }

// SetTick moves the spinner of live sessions.
func (l *List) SetTick(n int) { l.tick = n }

// SetRows replaces the sessions and keeps the cursor on the one it was on. They come
// newest first; live ones are put on top.
func (l *List) SetRows(rows []Row) {
	id := ""
	if r, ok := l.Selected(); ok {
		id = r.ID
	}
	l.rows = slices.Clone(rows)
	slices.SortStableFunc(l.rows, func(a, b Row) int {
		switch {
		case a.Live == b.Live:
			return 0
		case a.Live:
			return -1
		}
		return 1
	})
	l.refilter()
	for i, n := range l.shown {
		if l.rows[n].ID == id {
			l.list.Select(i)
		}
	}
}

// Next goes to the next session that is wanted, or the previous one, round the end. It
// reports whether there is one.
func (l *List) Next(wanted func(*Row) bool, back bool) bool {
	n := len(l.shown)
	step := 1
	if back {
		step = n - 1
	}
	for k, i := 0, l.list.Cursor(); k < n; k++ {
		i = (i + step) % n
		if wanted(&l.rows[l.shown[i]]) {
			l.list.Select(i)
			return true
		}
	}
	return false
}

// SetFilter narrows the list, see ParseFilter.
func (l *List) SetFilter(s string) {
	l.filter = s
	l.refilter()
	l.list.Select(0)
}

// Filter is the filter in force.
func (l *List) Filter() string { return l.filter }

func (l *List) refilter() {
	f := ParseFilter(l.filter)
	l.shown = l.shown[:0]
	for i := range l.rows {
		if f.Match(&l.rows[i].Summary) {
			l.shown = append(l.shown, i)
		}
	}
	l.list.SetTotal(len(l.shown))
}

// Counts is how many sessions are shown, and how many there are.
func (l *List) Counts() (shown, all int) { return len(l.shown), len(l.rows) }

// Selected is the session under the cursor.
func (l *List) Selected() (Row, bool) {
	c := l.list.Cursor()
	if c < 0 || c >= len(l.shown) {
		return Row{}, false
	}
	return l.rows[l.shown[c]], true
}

// Key moves the cursor; ok is false for a key that does not.
func (l *List) Key(a keymap.Action) (ok bool) {
	m, ok := pane.Move(a)
	if ok {
		l.list.Do(m)
	}
	return ok
}

// Click puts the cursor on a row; ok is false where there is none.
func (l *List) Click(y int) (ok bool) {
	_, ok = l.list.Click(y - 1) // below the heading
	return ok
}

// Wheel scrolls by rows.
func (l *List) Wheel(rows int) { l.list.Scroll(rows) }

// Lines draws h lines of w cells: a heading and the sessions.
func (l *List) Lines(w, h int, lang text.Lang) []string {
	l.list.SetHeight(max(h-1, 1))
	from, to := l.list.Range()
	bar := widget.Bar(from, max(h-1, 1), len(l.shown), l.paints.Thumb)
	w = pane.Room(w)
	lines := []string{l.paints.Dim.Raw(text.Fit(" "+l.columns(w-1, heading(lang)), w, "…"))}
	for i := from; i < to; i++ {
		at := " "
		if i == l.list.Cursor() {
			at = theme.MarkCursor
		}
		line := text.Fit(at+l.row(&l.rows[l.shown[i]], w-1, lang), w, "…")
		if i == l.list.Cursor() {
			line = l.paints.Cursor.Over(line)
		}
		lines = append(lines, line)
	}
	if len(l.shown) == 0 {
		lines = append(lines, text.Fit("  "+l.empty(lang), w, "…"))
	}
	return widget.Beside(widget.Block(lines, w, h), append([]string{" "}, bar...))
}

func (l *List) empty(lang text.Lang) string {
	if len(l.rows) == 0 {
		return text.Label{ZH: "还没有会话", EN: "no session yet"}.In(lang)
	}
	return text.Label{ZH: "没有会话符合筛选条件；按 / 修改，esc 清除", EN: "no session passes the filter; / changes it, esc clears it"}.In(lang)
}

// cells are the columns of a row: drawn texts, their plain width set by columns.
type cells struct {
	mark, time, badge, claims, version, title, causes, tokens, took, id string
}

func heading(lang text.Lang) cells {
	say := func(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(lang) }
	return cells{" ", say("时间", "time"), say("判定", "verdict"), say("结论", "claims"), say("契约", "v"), say("标题", "title"), say("原因", "causes"), say("词元", "tokens"), say("用时", "took"), "id"}
}

// columns lays cells out; narrow screens leave the last ones out.
func (l *List) columns(w int, c cells) string {
	var b strings.Builder
	put := func(s string, width int) {
		b.WriteString(text.Fit(s, width, "…"))
		b.WriteByte(' ')
	}
	x := shares(w)
	put(c.mark, 1)
	put(c.time, 11)
	put(c.badge, 12)
	put(c.claims, 6)
	put(c.version, 4)
	put(c.title, x.title)
	if x.causes > 0 {
		put(c.causes, x.causes)
	}
	if x.tail {
		b.WriteString(text.PadLeft(text.Truncate(c.tokens, 7, "…"), 7))
		b.WriteString(text.PadLeft(text.Truncate(c.took, 7, "…"), 7))
	}
	if x.id > 0 {
		b.WriteString("  " + text.Fit(c.id, x.id, "…"))
	}
	return b.String()
}

// share is what the columns get that not every screen has room for, in cells.
type share struct {
	title, causes, id int
	tail              bool // tokens and time
}

func shares(w int) share {
	var x share
	rest := w - 39 // what the columns before them take
	if x.tail = w >= 100; x.tail {
		rest -= 15
	}
	if w >= 140 {
		x.id = 30 // as long as bundled ids are
		rest -= x.id + 2
	}
	if w >= 74 {
		x.causes = min((rest+3)/2, 60) - 1
		rest -= x.causes + 1
	}
	x.title = max(rest-1, 8)
	return x
}

func (l *List) row(r *Row, w int, lang text.Lang) string {
	p := l.paints
	if r.Err != nil {
		return p.Block.Raw(theme.MarkUnsupported) + " " + p.Text.Line(r.ID) + "  " + p.Block.Line(r.Err.Error())
	}
	c := cells{
		time:   p.Dim.Raw(r.Time.In(l.zone).Format("01-02 15:04")),
		claims: fmt.Sprintf("%d/%d", r.Supported, r.Total), version: pane.ShortVersion(r.Version),
		tokens: p.Dim.Raw(text.Count(r.Tokens)), took: p.Dim.Raw(pane.Duration(r.Duration)), id: p.Dim.Line(r.ID),
	}
	c.mark, c.badge = l.badge(r, lang)
	if r.Chosen {
		c.mark = p.Info.Raw(theme.MarkBreakpoint)
	}
	title := r.Title
	if title == "" {
		title = r.Query
	}
	c.title = p.Text.Line(title) + l.notes(r, lang)
	c.causes = p.Warn.Line(pane.Causes(r.Causes, shares(w).causes))
	return l.columns(w, c)
}

// notes are what else there is to know of a session.
func (l *List) notes(r *Row, lang text.Lang) string {
	var out []string
	add := func(is bool, zh, en string) {
		if is {
			out = append(out, text.Label{ZH: zh, EN: en}.In(lang))
		}
	}
	add(r.Bundled, "内置", "bundled")
	add(r.Unsaved, "未保存", "unsaved")
	add(r.Parent != nil, "分叉", "fork")
	add(r.Reviews > 0, "已复核", "reviewed")
	if len(out) == 0 {
		return ""
	}
	return l.paints.Dim.Raw(" " + strings.Join(out, " "))
}

// badge is the verdict, or where a session without one stands.
func (l *List) badge(r *Row, lang text.Lang) (mark, word string) {
	p := l.paints
	decision := r.Decision
	if r.Live || r.Status == state.Cancelled || r.Status == state.Failed {
		decision = "" // of an earlier attempt, or for want of a better one
	}
	switch decision {
	case verdict.Pass:
		return p.Done.Raw(theme.MarkSupported), p.Done.Raw("PASS")
	case verdict.LowConfid:
		return p.Block.Raw(theme.MarkUnsupported), p.Block.Raw("LOW_CONFID")
	case verdict.Retry:
		return p.Warn.Raw(theme.MarkNear), p.Warn.Raw("RETRY")
	}
	switch r.Status {
	case state.Running, state.Paused:
		switch {
		case !r.Live: // the program that wrote it is gone
			return p.Warn.Raw(theme.MarkUnknown), p.Warn.Raw(pane.StatusWord(state.Torn).In(lang))
		case r.Status == state.Running:
			return p.Running.Raw(theme.Spinner(l.tick)), p.Running.Raw(pane.StatusWord(state.Running).In(lang))
		}
		return p.Paused.Raw(theme.MarkPaused), p.Paused.Raw(pane.StatusWord(state.Paused).In(lang))
	case state.Failed:
		return p.Failed.Raw(theme.MarkFailed), p.Failed.Raw(pane.StatusWord(state.Failed).In(lang))
	case state.Cancelled:
		return p.Warn.Raw(theme.MarkUnknown), p.Warn.Raw(pane.StatusWord(state.Cancelled).In(lang))
	case state.Torn:
		return p.Warn.Raw(theme.MarkUnknown), p.Warn.Raw(pane.StatusWord(state.Torn).In(lang))
	case state.Finished:
		return p.Dim.Raw(theme.MarkInfo), p.Dim.Raw(text.Label{ZH: "导入", EN: "imported"}.In(lang))
	}
	return " ", p.Text.Line(string(r.Status))
}
