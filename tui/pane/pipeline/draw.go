package pipeline

import (
	"fmt"
	"strings"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/trace"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

// drawing draws all rows once.
type drawing struct {
	*Pane
	v    *view.View
	w, h int
}

func (d *drawing) say(l text.Label) string { return l.In(d.v.Lang) }

func (d *drawing) item(it item) int {
	d.items = append(d.items, it)
	return len(d.items) - 1
}

func (d *drawing) all() {
	attempt := 0
	for i := range d.v.Stages {
		s := &d.v.Stages[i]
		if s.Attempt != attempt {
			attempt = s.Attempt
			if attempt > 1 || len(d.v.State.Attempts) > 1 {
				d.Rows.Add(-1, d.p.Dim.Raw("── "+fmt.Sprintf(d.say(wordAttempt), attempt)))
				d.retried(attempt)
			}
		}
		d.stage(s)
	}
	d.reviews()
}

// reviews adds what people said of the session.
func (d *drawing) reviews() {
	for i, r := range d.v.State.Reviews {
		if i == 0 {
			d.Rows.Add(-1, d.p.Dim.Raw("── "+d.say(wordReviews)))
		}
		line := d.p.Info.Line(fmt.Sprintf(d.say(pane.ReviewWord(r.Action)), r.By))
		if r.ClaimID != "" {
			line = d.p.Strong.Line(r.ClaimID) + " " + line
		}
		if r.Reason != "" {
			line += d.p.Info.Raw(": ") + d.p.Text.Line(r.Reason)
		}
		d.Rows.Wrap(-1, d.w, 0, 2, d.p.Info.Raw(theme.MarkInfo)+" "+line)
	}
}

// clock is the time that running stages are measured by: zero where nothing runs.
func (d *drawing) clock() time.Time {
	if d.v.Past() || !d.v.Live.Going {
		return time.Time{}
	}
	return d.v.Live.Now
}

// retried says what a retry has to put right.
func (d *drawing) retried(attempt int) {
	a, ok := d.v.State.Attempt(attempt)
	if !ok || a.Retry == nil || len(a.Retry.FailedClaims) == 0 {
		return
	}
	word := wordFailed
	if len(a.Retry.FailedClaims) == 1 {
		word = wordFailedOne
	}
	d.Rows.Wrap(-1, d.w, 0, 2, d.p.Warn.Raw(theme.MarkWarn+" "+fmt.Sprintf(d.say(word), len(a.Retry.FailedClaims))))
}

// stage draws a stage: mark, name, outcome, and at the right how long it took.
func (d *drawing) stage(s *view.Stage) {
	at := d.item(item{attempt: s.Attempt, stage: s.Stage})
	paint, mark := d.p.Progress(s.Progress)
	switch {
	case s.Progress != view.Running || d.v.Past():
	case d.v.Live.Going:
		mark = theme.Spinner(d.v.Live.Tick)
	default: // the program that ran it is gone
		paint, mark = d.p.Warn, theme.MarkUnknown
	}
	left := paint.Raw(mark) + " " + d.p.Strong.Raw(pane.StageName(s.Stage))
	if s.Progress == view.Waiting {
		left = paint.Raw(mark + " " + pane.StageName(s.Stage))
	}
	right := ""
	if s.Progress != view.Waiting {
		right = pane.Duration(s.Elapsed(d.clock()))
	}
	outcome := d.p.Dim
	if s.Bad {
		outcome = d.p.Block
	}
	more := []string{}
	if s.Outcome != "" {
		more = append(more, outcome.Line(pane.Outcome(s.Stage, s.Outcome).In(d.v.Lang)))
	}
	if s.Tokens > 0 {
		more = append(more, d.p.Faint.Raw(text.Count(s.Tokens)+" "+d.say(wordTokens)))
	}
	if s.Cost > 0 {
		more = append(more, d.p.Faint.Raw(fmt.Sprintf("¤%.4f", s.Cost)))
	}
	if s.Model != "" {
		more = append(more, d.p.Faint.Line(s.Model))
	}
	d.spread(at, left, more, d.p.Dim.Raw(right))
	if s.Error != "" {
		p, m := d.p.Warn, theme.MarkWarn
		if s.Progress == view.Failed {
			p, m = d.p.Block, theme.MarkUnsupported
		}
		d.Rows.Wrap(at, d.w, 2, 2, p.Raw(m+" "+text.SanitiseLine(s.Error)))
	}
	if s.Stage == event.Planner {
		d.plan(at, s)
	}
	for k, i := range s.Traces {
		d.trace(s, &d.v.Traces[i], k == len(s.Traces)-1)
	}
	if s.Progress == view.Running && !d.v.Past() && d.v.Live.Stage == s.Stage {
		d.tail(at)
	}
}

// spread draws a line: the left part, as much of the middle as fits, and the right
// part at the edge.
func (d *drawing) spread(at int, left string, middle []string, right string) {
	room := d.w - 1
	used := text.Width(left)
	end := text.Width(right)
	for _, m := range middle {
		if w := text.Width(m); used+1+w+1+end <= room {
			left += " " + m
			used += 1 + w
		}
	}
	if end > 0 && used+1+end <= room {
		left += text.Spaces(room-used-end) + right
	}
	d.Rows.Add(at, left)
}

// plan shows the first lines of the plan, all of it when the stage is selected.
func (d *drawing) plan(at int, s *view.Stage) {
	a, ok := d.v.State.Attempt(s.Attempt)
	if !ok || a.Plan == "" {
		return
	}
	lines := text.WrapStyled(d.p.Dim.Text(strings.TrimSpace(bounded(a.Plan, 16<<10))), max(d.w-3, 1), 2)
	limit := 3
	if d.v.Sel.Stage == event.Planner && d.v.Sel.StageAttempt == s.Attempt {
		limit = len(lines)
	}
	for i, l := range lines {
		if i == limit {
			d.Rows.Add(at, "  "+d.p.Faint.Raw("…"))
			break
		}
		d.Rows.Add(at, "  "+l)
	}
}

// bounded cuts text for a preview, between lines where it can.
func bounded(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	return strings.ToValidUTF8(s[:bytes], "") + "…"
}

func (d *drawing) trace(s *view.Stage, t *view.Trace, last bool) {
	at := d.item(item{attempt: s.Attempt, stage: s.Stage, trace: t.Ref})
	twig := "├ "
	if last {
		twig = "└ "
	}
	left := d.p.Faint.Raw(twig)
	switch {
	case t.Running() && !d.v.Live.Going:
		left += d.p.Warn.Raw(theme.MarkUnknown) + " "
	case t.Running():
		left += d.p.Running.Raw(theme.Spinner(d.v.Live.Tick)) + " "
	case t.Trace.Status != trace.OK:
		left += d.p.Warn.Raw(theme.MarkWarn) + " "
	}
	left += d.p.Link.Line(t.Ref) + " " + d.p.Text.Line(t.Tool)
	right := ""
	if t.Running() {
		if now := d.clock(); now.After(t.Started) {
			right = pane.Duration(now.Sub(t.Started))
		}
		d.spread(at, left, []string{d.p.Dim.Line(t.Arguments)}, d.p.Dim.Raw(right))
		return
	}
	middle := []string{}
	if t.Trace.Status != trace.OK {
		middle = append(middle, d.p.Warn.Raw(d.say(pane.TraceStatus(t.Trace.Status))))
	}
	if len(t.InvocationIDs) > 0 {
		middle = append(middle, d.p.Dim.Raw(pane.IDs(t.InvocationIDs)))
	}
	middle = append(middle, d.p.Faint.Raw(text.Size(t.Size())))
	if t.Trace.Repeats != "" {
		middle = append(middle, d.p.Warn.Raw(d.say(wordRepeats)+" "+text.SanitiseLine(t.Trace.Repeats)))
	}
	d.spread(at, left, middle, d.p.Dim.Raw(pane.Duration(t.Duration)))
}

// tail shows the end of what streams in.
func (d *drawing) tail(at int) {
	l := &d.v.Live
	lines := d.h / 3
	switch {
	case l.ToolName != "":
		d.Rows.Wrap(at, d.w, 2, 2, d.p.Dim.Raw(d.say(wordCalling)+" ")+d.p.Link.Line(l.ToolName)+" "+d.p.Dim.Line(lastBytes(l.Arguments, 200)))
	case l.Content != "":
		d.lastLines(at, l.Content, lines, d.p.Dim)
	case l.Reasoning != "":
		d.Rows.Add(at, "  "+d.p.Faint.Raw(d.say(wordThinking)+" …"))
		d.lastLines(at, l.Reasoning, lines, d.p.Faint)
	}
}

func (d *drawing) lastLines(at int, s string, n int, p pane.Paint) {
	n = max(n, 2)
	lines := text.Wrap(text.Sanitise(lastBytes(s, n*d.w)), max(d.w-3, 1))
	for _, l := range lines[max(len(lines)-n, 0):] {
		d.Rows.Add(at, "  "+p.Raw(l.String()))
	}
}

// lastBytes gives about the last n bytes of a text, from the start of a rune.
func lastBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[len(s)-n:], "")
}
