package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"claimscope/engine"
	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"
	"claimscope/tui/text"
)

// The marks carry the meaning; nothing here depends on colour.
const (
	markGood    = "✓"
	markBad     = "✗"
	markUnknown = "?"
	markWarn    = "~"
	markInfo    = "·"
)

// printVerification prints one result, as JSON or for a person.
func (a *App) printVerification(v engine.Verification, asJSON bool) error {
	if asJSON {
		return writeJSON(a.Stdout, v)
	}
	p := printer{w: a.Stdout, lang: a.lang, traces: map[string]trace.Trace{}}
	for _, t := range v.Traces {
		p.traces[t.Ref] = t
	}
	p.verification(v)
	return p.err
}

// printer writes reports for a person. Every text from outside is sanitised here.
type printer struct {
	w      io.Writer
	lang   text.Lang
	traces map[string]trace.Trace
	err    error
}

func (p *printer) line(indent int, format string, args ...any) {
	if p.err != nil {
		return
	}
	_, p.err = fmt.Fprintln(p.w, strings.Repeat("  ", indent)+text.SanitiseLine(fmt.Sprintf(format, args...)))
}

func (p *printer) say(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(p.lang) }

func (p *printer) verification(v engine.Verification) {
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
	head := fmt.Sprintf("%s %s  %s  %d/%d %s", mark, v.File, r.Decision, good, len(r.Claims), p.say("条结论成立", "claims hold"))
	if r.ParseStatus != contract.StatusOK {
		head += fmt.Sprintf("  %s=%s", p.say("解析", "parse"), r.ParseStatus)
	}
	if len(r.Causes) > 0 {
		head += "  " + strings.Join(r.Causes, ", ")
	}
	if v.Recorded != "" {
		head += fmt.Sprintf("  %s %s", p.say("当时判定", "recorded"), v.Recorded)
	}
	p.line(0, "%s", head)
	for i, c := range r.Claims {
		p.claim(c, claimAt(v.Contract, i))
	}
	for _, f := range r.Findings {
		p.finding(1, f)
	}
	for _, x := range r.ExtraFacts {
		p.line(1, "%s %s: %s", markBad, p.say("回答里没有出处的话", "in the answer without a source"), x.Text)
	}
}

func claimAt(c *contract.Contract, i int) *contract.Claim {
	if c == nil || i >= len(c.Claims) {
		return nil
	}
	return &c.Claims[i]
}

func verdictMark(v gate.ClaimVerdict) string {
	switch v {
	case gate.Supported:
		return markGood
	case gate.Unverifiable:
		return markUnknown
	case gate.Unsupported, gate.Contradicted:
		return markBad
	}
	return markUnknown
}

func (p *printer) claim(r gate.ClaimReport, c *contract.Claim) {
	if c == nil {
		p.line(1, "%s %s  %s", verdictMark(r.Verdict), r.ClaimID, r.Verdict)
	} else {
		p.line(1, "%s %s  %s  %s/%s  %s", verdictMark(r.Verdict), r.ClaimID, r.Verdict, c.ClaimType, c.SupportLevel, c.ClaimText)
	}
	for _, b := range r.Bindings {
		p.binding(b)
	}
	for _, f := range r.Findings {
		p.finding(3, f)
	}
}

func (p *printer) finding(indent int, f gate.Finding) {
	mark := markInfo
	switch f.Severity {
	case gate.Block:
		mark = markBad
	case gate.Warn:
		mark = markWarn
	case gate.Info:
	}
	p.line(indent, "%s %s  (%s)", mark, p.say(f.Message.ZH, f.Message.EN), f.Code)
}

// binding prints where the excerpt stands, and that line with the span marked.
func (p *printer) binding(b gate.BindingReport) {
	where := b.SourceID
	if b.TraceRef != "" && b.TraceRef != b.SourceID {
		where += " → " + b.TraceRef
	}
	if t, ok := p.traces[b.TraceRef]; ok {
		where += " " + t.ToolName
	}
	places := ""
	if b.Total > 1 {
		places = fmt.Sprintf("  %d %s", b.Total, p.say("处", "places"))
	}
	p.line(2, "└ %s  %s%s", where, b.Tier, places)
	t, ok := p.traces[b.TraceRef]
	if !ok || len(b.Spans) == 0 {
		return
	}
	p.evidence(t.Output, b.Spans)
}

// evidenceWidth bounds a printed evidence line, in runes.
const evidenceWidth = 160

// evidence prints the first line of the spans with the spans between ▌ and ▐.
func (p *printer) evidence(raw []byte, spans []grounding.Span) {
	first := spans[0]
	from := bytes.LastIndexByte(raw[:first.Start], '\n') + 1
	to := len(raw)
	if i := bytes.IndexByte(raw[first.Start:], '\n'); i >= 0 {
		to = first.Start + i
	}
	number := bytes.Count(raw[:from], []byte{'\n'}) + 1
	before := []rune(string(raw[from:first.Start]))
	const context = 40
	if len(before) > context {
		before = append([]rune("…"), before[len(before)-context:]...)
	}
	inside := []rune(string(raw[first.Start:min(first.End, to)]))
	tail := "▐"
	if first.End > to {
		tail = "…▐"
	}
	if len(inside) > evidenceWidth {
		inside, tail = inside[:evidenceWidth], "…▐"
	}
	after := []rune(string(raw[min(first.End, to):to]))
	if len(after) > context {
		after = append(after[:context], '…')
	}
	p.line(3, "%d │ %s▌%s%s%s", number, string(before), string(inside), tail, string(after))
}
