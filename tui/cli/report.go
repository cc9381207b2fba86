package cli

import (
	"fmt"
	"strings"

	"claimscope/engine"
	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// The depths of a report, in cells.
const (
	depthText    = 2 // a claim's text, its bindings and findings
	depthBinding = 4 // the lines below them
)

// verification prints one result of verify.
func (p *printer) verification(v engine.Verification) {
	p.know(v.Traces)
	r := v.Report
	p.verificationHead(v)
	width := 0
	for _, c := range r.Claims {
		width = max(width, text.Width(text.SanitiseLine(c.ClaimID)))
	}
	for i, c := range r.Claims {
		p.shown = map[place]bool{}
		mark, word := gateWord(c.Verdict)
		head := claimHead{mark: mark, id: c.ClaimID, idWidth: min(width, 24), word: word.In(p.lang)}
		if claim := claimAt(v.Contract, i); claim != nil {
			head.kind, head.support, head.text, head.repaired = claim.ClaimType, string(claim.SupportLevel), claim.ClaimText, claim.Repaired
		}
		p.claimHead(0, head)
		p.gateClaim(c, claimAt(v.Contract, i))
	}
	p.shown = map[place]bool{}
	for _, f := range r.Findings {
		p.finding(0, f)
	}
	p.extraFacts(r)
}

func (p *printer) verificationHead(v engine.Verification) {
	r := v.Report
	good := 0
	for _, c := range r.Claims {
		if c.Verdict == gate.Supported {
			good++
		}
	}
	mark := markBad
	switch r.Decision {
	case gate.Clean:
		mark = markGood
	case gate.Unchecked:
		mark = markUnknown
	case gate.Blocked:
	}
	head := []safe{
		p.mark(mark), " ", p.paint(bold, clean(v.File)), "  ", p.paint(bold, safe(r.Decision)), "  ",
		safe(fmt.Sprintf(p.say("%d/%d 条结论有证据支持", "%d of %d claims supported"), good, len(r.Claims))),
	}
	if v.Recorded != nil {
		recorded := string(*v.Recorded)
		if recorded == "" {
			recorded = p.say("无判定", "no decision")
		}
		head = append(head, "  ", safe(p.say("录制时的判定 ", "recorded ")), clean(recorded))
	}
	p.put(0, depthText, head...)
	if len(r.Causes) > 0 {
		var words []string
		for _, c := range r.Causes {
			words = append(words, p.causeName(verdict.Cause(c)))
		}
		p.put(depthText, 0, p.paint(dim, clean(strings.Join(words, " · "))))
	}
	if r.ParseStatus != contract.StatusOK {
		p.put(depthText, 2, p.mark(map[bool]string{true: markBad, false: markInfo}[r.ParseStatus.Malformed()]), " ",
			safe(p.say("解析 ", "parse ")), clean(string(r.ParseStatus)), clean(prefixed(p.say("：", ": "), p.say(v.ReasonZH, v.Reason))))
	}
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func claimAt(c *contract.Contract, i int) *contract.Claim {
	if c == nil || i >= len(c.Claims) {
		return nil
	}
	return &c.Claims[i]
}

// claimHead is what stands above a claim's evidence.
type claimHead struct {
	mark, id, word, kind, support, text string
	idWidth                             int
	repaired                            bool
}

func (p *printer) claimHead(indent int, h claimHead) {
	about := make([]string, 0, 3)
	for _, s := range []string{h.kind, h.support} {
		if s != "" {
			about = append(about, s)
		}
	}
	if h.repaired {
		about = append(about, p.say("文字经过修复", "text repaired"))
	}
	id := safe(text.Pad(text.SanitiseLine(h.id), h.idWidth))
	p.put(indent, depthText, p.mark(h.mark), " ", p.paint(bold, id), "  ", safe(h.word), "  ", p.paint(dim, clean(strings.Join(about, " · "))))
	if h.text != "" {
		p.put(indent+depthText, 0, clean(h.text))
	}
}

// gateClaim prints what the gate holds of a claim: where each binding stands, what was
// worked out, and the findings.
func (p *printer) gateClaim(r gate.ClaimReport, c *contract.Claim) {
	for i, b := range r.Bindings {
		var source *contract.Binding
		if c != nil && i < len(c.EvidenceBindings) {
			source = &c.EvidenceBindings[i]
		}
		p.binding(depthText, b, source)
	}
	for _, f := range r.Facts {
		if f.Found && f.Derived != "" && f.Kind != "identifier" {
			p.put(depthText, 2, p.paint(dim, safe("= ")), clean(f.Text), p.paint(dim, cleanf("  %s %s  %s", p.say("推算自", "derived:"), f.Derived, f.TraceRef)))
		}
	}
	for _, f := range r.Findings {
		p.finding(depthText, f)
	}
}

// finding prints a finding in words, its code last, then the lines it points at.
func (p *printer) finding(indent int, f gate.Finding) {
	p.put(indent, 2, p.mark(severityMark(f.Severity)), " ", clean(p.say(f.Message.ZH, f.Message.EN)), "  ", p.paint(dim, clean(string(f.Code))))
	if f.Code != gate.CodeNear { // its line, or the difference, stands above
		p.places(indent+2, f.Places)
	}
}

// binding prints where an excerpt stands, and those lines with the span marked.
func (p *printer) binding(indent int, b gate.BindingReport, source *contract.Binding) {
	p.put(indent, 2, p.bindingHead(b, source))
	p.bindingLines(indent+2, b, source)
}

// bindingHead names the source of a binding and how its excerpt was found.
func (p *printer) bindingHead(b gate.BindingReport, source *contract.Binding) safe {
	where := clean(b.SourceID)
	switch {
	case b.SourceID == "" && b.TraceRef == "":
		where = safe(p.say("（没有 source_id）", "(no source_id)"))
	case b.TraceRef != "" && b.TraceRef != b.SourceID:
		where += clean(" → " + b.TraceRef)
	}
	if t, ok := p.traces[b.TraceRef]; ok {
		where += clean(" " + t.ToolName)
	}
	how := tierWord(b.Tier).In(p.lang)
	if b.TraceRef == "" && b.Tier != grounding.CannotCheck {
		how = p.say("没有这个来源", "no such source")
	}
	if t, ok := p.traces[b.TraceRef]; ok && t.Unavailable && b.Tier == grounding.CannotCheck {
		how += p.say("：原始输出没有导入，摘要里没有这段", ": the raw output was not imported, and its summary does not have it")
	}
	if b.Total > 1 {
		how += fmt.Sprintf(p.say("，%d 处", ", %d places"), b.Total)
	}
	if source != nil && source.Repaired {
		how += p.say("，摘录经过修复", ", excerpt repaired")
	}
	return where + "  " + p.paint(dim, safe(how))
}

// bindingLines prints the lines that an excerpt stands in; of one that was edited the
// difference; of one that stands nowhere what the model wrote.
func (p *printer) bindingLines(indent int, b gate.BindingReport, source *contract.Binding) {
	t, ok := p.traces[b.TraceRef]
	switch {
	case ok && b.Tier == grounding.Near && len(b.Diff) > 0:
		p.difference(indent, t, b.Diff)
	case ok && len(b.Spans) > 0:
		p.evidence(indent, t, b.Spans)
	case source != nil && source.EvidenceExcerpt != "" && b.Tier != grounding.CannotCheck:
		p.segments(indent, safe(p.say("模型写的 │ ", "the model wrote │ ")), []segment{{source.EvidenceExcerpt, false}})
	}
}

// extraFacts prints what the answer states and no claim does, unless a finding of the
// answer has said so already.
func (p *printer) extraFacts(r gate.Report) {
	for _, x := range r.ExtraFacts {
		told := false
		for _, f := range r.Findings {
			told = told || strings.Contains(f.Message.ZH, x.Text)
		}
		if !told {
			p.put(0, 2, p.mark(markBad), " ", safe(p.say("回答里没有出处的话：", "in the answer without a source: ")), clean(x.Text))
		}
	}
}
