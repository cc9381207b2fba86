package claims

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"claimscope/engine/contract"
	"claimscope/engine/grounding"
	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

var (
	wordNone     = text.Label{ZH: "还没有结论", EN: "no claims yet"}
	wordNoClaims = text.Label{ZH: "输出中没有结论", EN: "the output states no claim"}
	wordWhole    = text.Label{ZH: "整体问题", EN: "of the whole output"}
	wordNatural  = text.Label{ZH: "以下结论由 Verifier 从文本中提取", EN: "claims that the Verifier took from the text"}
	wordModel    = text.Label{ZH: "模型", EN: "model"}
	wordTool     = text.Label{ZH: "工具", EN: "tool"}
	wordNoSuch   = text.Label{ZH: "本会话没有这条轨迹", EN: "no such trace"}
	wordRepaired = text.Label{ZH: "经修复", EN: "repaired"}
	wordRight    = text.Label{ZH: "已标注正确", EN: "marked right"}
	wordWrong    = text.Label{ZH: "已标注错误", EN: "marked wrong"}
	wordFolded   = text.Label{ZH: "项", EN: "more"}
)

var typeWords = map[string]text.Label{
	contract.RootCause: {ZH: "根因", EN: "root_cause"}, contract.Symptom: {ZH: "症状", EN: "symptom"},
	contract.Impact: {ZH: "影响", EN: "impact"}, contract.Timeline: {ZH: "时间线", EN: "timeline"},
	contract.Configuration: {ZH: "配置", EN: "configuration"}, contract.Exclusion: {ZH: "排除", EN: "exclusion"},
}

var supportWords = map[contract.SupportLevel]text.Label{
	contract.Direct: {ZH: "直接", EN: "direct"}, contract.Indirect: {ZH: "间接", EN: "indirect"},
	contract.None: {ZH: "无证据", EN: "none"}, contract.Contradicted: {ZH: "被反驳", EN: "contradicted"},
}

// Indents in cells: of what belongs to a claim, and of what belongs to a binding.
const (
	textAt  = 2
	underAt = 4
)

// drawing draws all rows once.
type drawing struct {
	*Pane
	v *view.View
	w int
}

// wrap adds text that belongs to an item.
func (d *drawing) wrap(item, indent, hang int, styled string) {
	d.Rows.Wrap(item, d.w, indent, hang, styled)
}

// item numbers another item.
func (d *drawing) item(claim, binding, finding int) int {
	d.items = append(d.items, item{claim, binding, finding})
	return len(d.items) - 1
}

func (d *drawing) say(l text.Label) string { return l.In(d.v.Lang) }

func (d *drawing) all() {
	if len(d.v.Claims) == 0 {
		word := wordNone
		if d.v.Attempt.Parsed != nil {
			word = wordNoClaims
		}
		d.wrap(-1, 0, 0, d.p.Dim.Raw(d.say(word)))
	}
	natural := false
	for i := range d.v.Claims {
		c := &d.v.Claims[i]
		if c.Natural && !natural {
			natural = true
			d.wrap(-1, 0, 0, d.p.Warn.Raw(theme.MarkWarn+" "+d.say(wordNatural)))
		}
		d.claim(c)
	}
	d.whole()
}

func (d *drawing) claim(c *view.Claim) {
	at := d.item(c.Index, -1, -1)
	paint, mark := d.p.Standing(c.Standing)
	head := paint.Raw(mark) + " " + d.p.Strong.Line(c.ID)
	if c.Type != "" {
		head += " " + d.p.Dim.Line(wordOr(typeWords, c.Type, d.v.Lang))
	}
	if c.Support != "" {
		p := d.p.Dim
		if c.Support == contract.None || c.Support == contract.Contradicted {
			p = d.p.Block
		}
		head += " " + p.Line(wordOr(supportWords, c.Support, d.v.Lang))
	}
	if c.Repaired {
		head += " " + d.p.Repair.Raw(theme.MarkRepaired+d.say(wordRepaired))
	}
	switch c.Marked {
	case view.NotReviewed:
	case view.MarkedRight:
		head += " " + d.p.Info.Raw("["+d.say(wordRight)+"]")
	case view.MarkedWrong:
		head += " " + d.p.Warn.Raw("["+d.say(wordWrong)+"]")
	}
	folded := d.folded[foldKey(c)]
	if folded {
		if n := len(c.Bindings) + len(c.Findings); n > 0 {
			head += " " + d.p.Dim.Raw(theme.MarkFolded+strconv.Itoa(n)+" "+d.say(wordFolded))
		}
	}
	d.wrap(at, 0, 2, head)
	d.wrap(at, textAt, 0, d.claimText(c))
	if folded {
		return
	}
	for j := range c.Bindings {
		d.binding(c, &c.Bindings[j])
	}
	for _, f := range c.Findings {
		if d.v.Findings[f].Binding < 0 {
			d.finding(&d.v.Findings[f], textAt)
		}
	}
	if c.Check != nil && !d.disputed(c) {
		d.check(at, c)
	}
}

// disputed reports whether the Verifier's verdict is among the findings already.
func (d *drawing) disputed(c *view.Claim) bool {
	for _, f := range c.Findings {
		if d.v.Findings[f].Origin == view.FromVerifier {
			return true
		}
	}
	return false
}

func (d *drawing) check(at int, c *view.Claim) {
	words := "Verifier " + theme.MarkSupported
	if c.Check.Reason != "" {
		words += " " + text.SanitiseLine(c.Check.Reason)
	}
	d.wrap(at, textAt, 2, d.p.Dim.Raw(words))
}

// claimText marks the facts of the text that no evidence has.
func (d *drawing) claimText(c *view.Claim) string {
	if c.Gate == nil {
		return d.p.Text.Text(c.Text)
	}
	var b strings.Builder
	at := 0
	for _, f := range c.Gate.Facts {
		if f.Found || f.Start < at || f.End > len(c.Text) || f.End <= f.Start || !cutsRunes(c.Text, f.Start, f.End) {
			continue
		}
		b.WriteString(d.p.Text.Text(c.Text[at:f.Start]))
		b.WriteString(d.p.Block.Text(c.Text[f.Start:f.End]))
		at = f.End
	}
	b.WriteString(d.p.Text.Text(c.Text[at:]))
	return b.String()
}

// cutsRunes reports whether both offsets stand between runes.
func cutsRunes(s string, from, to int) bool {
	return utf8.RuneStart(s[from]) && (to == len(s) || utf8.RuneStart(s[to]))
}

func (d *drawing) binding(c *view.Claim, b *view.Binding) {
	at := d.item(c.Index, b.Index, -1)
	twig := "├ "
	if b.Index == len(c.Bindings)-1 {
		twig = "└ "
	}
	line := d.p.Faint.Raw(twig) + d.p.Link.Line(orDash(b.TraceRef))
	if b.Source.SourceID != b.TraceRef && b.Source.SourceID != "" {
		line += d.p.Dim.Line(" (" + b.Source.SourceID + ")")
	}
	if len(b.Source.SourceInvocationIDs) > 0 {
		line += " " + d.p.Dim.Raw(pane.IDs(b.Source.SourceInvocationIDs))
	}
	switch {
	case b.Missing:
		line += "  " + d.p.Block.Raw(d.say(wordNoSuch))
	case b.Report != nil:
		line += "  " + d.tier(b)
	}
	if b.Source.Repaired {
		line += " " + d.p.Repair.Raw(theme.MarkRepaired+d.say(wordRepaired))
	}
	d.cited(at, line, b)
	for _, f := range b.Findings {
		d.finding(&d.v.Findings[f], underAt)
	}
}

// cited adds the line of a binding with what the model cited: beside it where the words
// stand in the trace, in up to three lines of their own where they do not, as a
// difference where they were edited.
func (d *drawing) cited(at int, line string, b *view.Binding) {
	excerpt := strings.TrimSpace(b.Source.EvidenceExcerpt)
	if b.Report != nil && b.Tier() == grounding.Near {
		d.wrap(at, textAt, 2, line)
		d.diff(at, b)
		return
	}
	quote := ""
	if excerpt != "" {
		quote = "“" + text.SanitiseLine(excerpt) + "”"
	}
	if b.Missing || b.Tier() == grounding.Absent || b.Tier() == grounding.Paraphrase {
		d.wrap(at, textAt, 2, line)
		if quote != "" {
			lines := text.WrapStyled(d.p.Dim.Raw(quote), max(d.w-underAt-1, 1), 1)
			if len(lines) > maxQuote {
				lines = lines[:maxQuote]
				lines[maxQuote-1] = text.Truncate(lines[maxQuote-1], max(d.w-underAt-3, 1), "") + d.p.Dim.Raw("…")
			}
			for _, l := range lines {
				d.Rows.Add(at, text.Spaces(min(underAt, d.w/2))+l)
			}
		}
		return
	}
	if room := d.w - 1 - textAt - text.Width(line) - 2; room >= minQuote && quote != "" {
		line += "  " + d.p.Faint.Raw(text.Truncate(quote, room, "…"))
	}
	d.wrap(at, textAt, 2, line)
}

// Limits of a quote: lines of one that is not in the trace, cells of one that is.
const (
	maxQuote = 3
	minQuote = 10
)

// tier says how the excerpt was found and where.
func (d *drawing) tier(b *view.Binding) string {
	word := d.say(pane.TierWord(b.Tier()))
	n := b.Places()
	places := strconv.Itoa(n) + " 处"
	if d.v.Lang == text.EN {
		places = fmt.Sprintf("%d places", n)
		if n == 1 {
			places = "1 place"
		}
	}
	switch b.Tier() {
	case grounding.Exact, grounding.Folded, grounding.Fragments:
		return d.p.Done.Raw(word) + "  " + d.p.Dim.Raw(places)
	case grounding.Near, grounding.Paraphrase:
		return d.p.Warn.Raw(theme.MarkNear+word) + "  " + d.p.Dim.Raw(places)
	case grounding.Absent:
		return d.p.Block.Raw(word)
	case grounding.CannotCheck:
		return d.p.Warn.Raw(theme.MarkUnknown + word)
	}
	return ""
}

// diff shows what the model wrote against what the tool said.
func (d *drawing) diff(at int, b *view.Binding) {
	output := d.v.Output(b.TraceRef)
	var model, tool strings.Builder
	for _, op := range b.Report.Diff {
		source := ""
		if op.Source.Start >= 0 && op.Source.Start <= op.Source.End && op.Source.End <= len(output) {
			source = string(output[op.Source.Start:op.Source.End])
		}
		switch op.Kind {
		case grounding.DiffEqual:
			model.WriteString(d.p.Dim.Line(op.Excerpt))
			tool.WriteString(d.p.Dim.Line(source))
		case grounding.DiffInsert, grounding.DiffDelete, grounding.DiffReplace:
			model.WriteString(d.changed(d.p.Insert, "{+", op.Excerpt, "+}"))
			tool.WriteString(d.changed(d.p.Delete, "[-", source, "-]"))
		}
	}
	d.wrap(at, underAt, 2, d.p.Dim.Raw("+ "+d.say(wordModel)+" ")+model.String())
	d.wrap(at, underAt, 2, d.p.Dim.Raw("- "+d.say(wordTool)+" ")+tool.String())
}

// changed marks a changed piece; without colour in the manner of git's word diff.
func (d *drawing) changed(p pane.Paint, open, s, end string) string {
	if s == "" {
		return ""
	}
	if d.p.Theme.Brackets() {
		return p.Raw(open + text.SanitiseLine(s) + end)
	}
	return p.Line(s)
}

// finding adds one line a finding: a mark, the words, the code last.
func (d *drawing) finding(f *view.Finding, indent int) {
	at := d.item(f.Claim, f.Binding, f.Index)
	paint, mark := d.p.Severity(f.Severity)
	words := text.SanitiseLine(f.Message(d.v.Lang))
	if f.Origin == view.FromVerifier {
		words = "Verifier：" + words
		if d.v.Lang == text.EN {
			words = "Verifier: " + text.SanitiseLine(f.Message(d.v.Lang))
		}
	}
	d.wrap(at, indent, 2, paint.Raw(mark+" "+words)+" "+d.p.Dim.Line(f.Code))
}

// whole lists the findings of no claim.
func (d *drawing) whole() {
	first := true
	for i := range d.v.Findings {
		f := &d.v.Findings[i]
		if f.Claim >= 0 {
			continue
		}
		if first {
			first = false
			if len(d.v.Claims) > 0 {
				d.Rows.Add(-1, "")
			}
			d.wrap(-1, 0, 0, d.p.Strong.Raw(d.say(wordWhole)))
		}
		d.finding(f, 2)
	}
}

func orDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

// wordOr gives the word for a value of an open set, or the value itself.
func wordOr[K ~string](words map[K]text.Label, k K, lang text.Lang) string {
	if l, ok := words[k]; ok {
		return l.In(lang)
	}
	return string(k)
}
