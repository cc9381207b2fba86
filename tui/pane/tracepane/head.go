package tracepane

import (
	"encoding/json"
	"fmt"
	"strings"

	"claimscope/engine/grounding"
	"claimscope/engine/trace"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

var (
	wordNothing     = text.Label{ZH: "还没有工具调用", EN: "no tool calls yet"}
	wordRunning     = text.Label{ZH: "正在执行…", EN: "running …"}
	wordEmpty       = text.Label{ZH: "输出为空", EN: "the output is empty"}
	wordNoSuch      = text.Label{ZH: "本会话没有轨迹 %s", EN: "this session has no trace %s"}
	wordThereAre    = text.Label{ZH: "现有：", EN: "there are: "}
	wordNowhere     = text.Label{ZH: "引文不在任何轨迹中：%d 条，%s", EN: "the excerpt is nowhere in %d traces, %s"}
	wordPlace       = text.Label{ZH: "第 %d/%d 处", EN: "place %d of %d"}
	wordUnavailable = text.Label{ZH: "原始输出未导入，以下只是摘要", EN: "the raw output was not imported: this is an extract"}
	wordKnowledge   = text.Label{ZH: "知识，不是观测", EN: "knowledge, not an observation"}
	wordLater       = text.Label{ZH: "属于后一次尝试，本次不能引用", EN: "of a later attempt: this one cannot cite it"}
	wordArguments   = text.Label{ZH: "参数", EN: "arguments"}
	wordDetails     = text.Label{ZH: "详情", EN: "details"}
	wordBlocks      = text.Label{ZH: "证据块", EN: "evidence blocks"}
	wordCited       = text.Label{ZH: "引用它的结论：", EN: "cited by: "}
	wordRepeats     = text.Label{ZH: "与 %s 参数相同", EN: "same call as %s"}
	wordModel       = text.Label{ZH: "模型", EN: "model"}
	wordLaid        = text.Label{ZH: "JSON 美化", EN: "JSON laid out"}
	wordNotLaid     = text.Label{ZH: "没有可美化的 JSON", EN: "no JSON to lay out"}
)

// roleWords say what stands at a place, where it is no plain quote.
var roleWords = map[view.Role]text.Label{
	view.RoleQuote:     {},
	view.RoleNear:      {ZH: "近似引文", EN: "edited quote"},
	view.RoleFact:      {ZH: "转述的事实", EN: "facts of the paraphrase"},
	view.RoleNearest:   {ZH: "最接近之处", EN: "nearest"},
	view.RoleNumber:    {ZH: "该数字", EN: "the number"},
	view.RoleOwner:     {ZH: "证据中的归属", EN: "whose it is in the evidence"},
	view.RoleOwn:       {ZH: "结论所说的对象", EN: "what the claim speaks of"},
	view.RoleElsewhere: {ZH: "引文实际所在", EN: "where the excerpt really is"},
	view.RoleContrary:  {ZH: "相反的证据", EN: "evidence to the contrary"},
	view.RoleArguments: {ZH: "调用参数", EN: "arguments of the call"},
	view.RoleFailure:   {ZH: "失败信息", EN: "the failure"},
	view.RoleOther:     {ZH: "相关之处", EN: "related"},
}

// heading draws the lines above the text: what the call was, which place is shown, and
// what is wrong with the quote. They take a third of the pane at most.
func (c *Pane) heading(v *view.View) []string {
	say := func(l text.Label) string { return l.In(v.Lang) }
	t := v.Trace(v.Sel.Trace)
	var lines []string
	add := func(styled string) {
		for _, l := range text.WrapStyled(styled, max(c.w-1, 1), 2) {
			lines = append(lines, text.Fit(" "+l, c.w, "…"))
		}
	}
	first := c.statusPaint(t.Trace.Status).Raw(say(pane.TraceStatus(t.Trace.Status))) + c.p.Dim.Raw(" · "+text.Size(t.Size())+" · "+pane.Duration(t.Duration))
	if e := &v.Evidence; e.Current >= 0 && e.Spots[e.Current].Ref == t.Ref {
		first += c.p.Dim.Raw(" · ") + c.p.Strong.Raw(fmt.Sprintf(say(wordPlace), e.Current+1, len(e.Spots)))
		if word := say(roleWords[e.Spots[e.Current].Role]); word != "" {
			first += " " + c.p.Warn.Raw(word)
		}
	}
	if c.pretty {
		word := wordLaid
		if c.on.laid == nil {
			word = wordNotLaid
		}
		first += c.p.Dim.Raw(" · " + say(word))
	}
	lines = append(lines, text.Fit(" "+first, c.w, "…"))
	if t.Trace.Unavailable {
		add(c.p.Warn.Raw(theme.MarkWarn + " " + say(wordUnavailable)))
	}
	if k := t.Trace.Kind; k != trace.Observation && k != "" {
		add(c.p.Warn.Raw(theme.MarkWarn + " " + say(wordKnowledge)))
	}
	if !v.Citable(t) {
		add(c.p.Warn.Raw(theme.MarkWarn + " " + say(wordLater)))
	}
	for _, l := range c.quote(v) {
		add(l)
	}
	if limit := max(c.h/3, 1); len(lines) > limit {
		lines = lines[:limit]
	}
	return lines
}

// quote says what is wrong with the selected quote.
func (c *Pane) quote(v *view.View) []string {
	e := &v.Evidence
	if a := e.Absent; a != nil {
		out := []string{c.p.Block.Raw(theme.MarkUnsupported + " " + fmt.Sprintf(wordNowhere.In(v.Lang), a.Traces, text.Size(a.Bytes)))}
		if a.Excerpt != "" {
			out = append(out, c.p.Dim.Raw(wordModel.In(v.Lang)+" ")+c.p.Insert.Line(a.Excerpt))
		}
		return out
	}
	if len(e.Diff) == 0 || e.Ref != v.Sel.Trace {
		return nil
	}
	var b strings.Builder
	b.WriteString(c.p.Dim.Raw(theme.MarkNear + " " + wordModel.In(v.Lang) + " "))
	for _, op := range e.Diff {
		switch op.Kind {
		case grounding.DiffEqual:
			b.WriteString(c.p.Dim.Line(op.Excerpt))
		case grounding.DiffInsert, grounding.DiffReplace:
			if c.p.Theme.Brackets() && op.Excerpt != "" {
				b.WriteString(c.p.Insert.Raw("{+" + text.SanitiseLine(op.Excerpt) + "+}"))
			} else {
				b.WriteString(c.p.Insert.Line(op.Excerpt))
			}
		case grounding.DiffDelete:
		}
	}
	return []string{b.String()}
}

// details draws what is shown without an output, and the arguments and details of one.
func (c *Pane) details(v *view.View) {
	say := func(l text.Label) string { return l.In(v.Lang) }
	r := c.rows
	r.Reset()
	c.refs = c.refs[:0]
	item := 0
	add := func(indent int, styled string) {
		r.Wrap(item, pane.Room(c.w), indent, 2, styled)
		item++
	}
	defer r.Finish()
	t := v.Trace(v.Sel.Trace)
	if t == nil {
		if v.Sel.Trace == "" {
			add(0, c.p.Dim.Raw(say(wordNothing)))
			return
		}
		add(0, c.p.Block.Raw(theme.MarkUnsupported+" "+fmt.Sprintf(say(wordNoSuch), text.SanitiseLine(v.Sel.Trace))))
		for _, l := range c.quote(v) {
			add(0, l)
		}
		if len(v.Traces) > 0 {
			add(0, c.p.Dim.Raw(say(wordThereAre)))
			for i := range v.Traces {
				c.refs = append(c.refs, link{item, v.Traces[i].Ref})
				add(2, c.p.Link.Line(v.Traces[i].Ref)+" "+c.p.Text.Line(v.Traces[i].Tool)+" "+c.p.Dim.Raw(pane.IDs(v.Traces[i].InvocationIDs)))
			}
		}
		return
	}
	if t.Running() {
		add(0, c.p.Running.Raw(theme.MarkRunning+" "+say(wordRunning)))
	} else {
		add(0, c.statusPaint(t.Trace.Status).Raw(say(pane.TraceStatus(t.Trace.Status)))+
			c.p.Dim.Raw(" · "+text.Size(t.Size())+" · "+pane.Duration(t.Duration)))
		if t.Size() == 0 {
			add(0, c.p.Warn.Raw(theme.MarkNothing+" "+say(wordEmpty)))
		}
	}
	for _, l := range c.quote(v) {
		add(0, l)
	}
	add(0, c.p.Strong.Raw(say(wordArguments)))
	for l := range strings.SplitSeq(indented(t.Arguments), "\n") {
		add(2, c.p.Text.Line(l))
	}
	if t.Trace != nil {
		c.more(v, t, add)
	}
}

// more draws the details of a finished call.
func (c *Pane) more(v *view.View, t *view.Trace, add func(int, string)) {
	say := func(l text.Label) string { return l.In(v.Lang) }
	add(0, c.p.Strong.Raw(say(wordDetails)))
	add(2, c.p.Dim.Line(string(t.Trace.Kind)+" "+pane.IDs(t.InvocationIDs)))
	if !t.Trace.Started.IsZero() {
		add(2, c.p.Dim.Raw(t.Trace.Started.Format("2006-01-02 15:04:05.000 -07:00")))
	}
	if t.Trace.Repeats != "" {
		add(2, c.p.Warn.Raw(theme.MarkWarn+" "+fmt.Sprintf(say(wordRepeats), text.SanitiseLine(t.Trace.Repeats))))
	}
	if len(t.Claims) > 0 {
		ids := make([]string, 0, len(t.Claims))
		for _, i := range t.Claims {
			ids = append(ids, v.Claims[i].ID)
		}
		add(2, c.p.Dim.Raw(say(wordCited))+c.p.Text.Line(strings.Join(ids, ", ")))
	}
	if len(t.Trace.Blocks) > 0 {
		add(0, c.p.Strong.Raw(say(wordBlocks)))
		for _, b := range t.Trace.Blocks {
			add(2, c.p.Link.Line(b.BlockID)+" "+c.p.Text.Line(b.Document+" "+b.Heading)+" "+
				c.p.Dim.Raw(fmt.Sprintf("@%d…%d  %.2f", b.Span.Start, b.Span.End, b.Score)))
		}
	}
}

// indented lays JSON out; other text is left as it is.
func indented(s string) string {
	if len(s) > 1<<20 {
		return s
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if !json.Valid([]byte(s)) || e.Encode(json.RawMessage(s)) != nil {
		return s
	}
	return strings.TrimSuffix(b.String(), "\n")
}
