package view

import (
	"bytes"
	"fmt"
	"strings"

	"claimscope/engine/grounding"
	"claimscope/tui/text"
)

// Output gives the raw output of a trace, or nil.
func (v *View) Output(ref string) []byte {
	if t := v.Trace(ref); t != nil && t.Trace != nil {
		return t.Trace.Output
	}
	return nil
}

// ClaimReport writes a claim with its evidence as plain text, for copying: the claim,
// its verdict, each binding with the line of its first place, the findings.
func (v *View) ClaimReport(claim int) string {
	if claim < 0 || claim >= len(v.Claims) {
		return ""
	}
	c := &v.Claims[claim]
	say := func(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(v.Lang) }
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s %s\n%s\n", c.ID, c.Type, c.Support, c.Text)
	for i := range c.Bindings {
		d := &c.Bindings[i]
		fmt.Fprintf(&b, "\n- %s %s", d.TraceRef, d.Source.ToolName)
		if d.Report != nil {
			fmt.Fprintf(&b, "  %s", d.Report.Tier)
		}
		if line := v.lineOf(d); line > 0 {
			fmt.Fprintf(&b, "  %s %d", say("行", "line"), line)
		}
		fmt.Fprintf(&b, "\n  %s\n", strings.ReplaceAll(d.Source.EvidenceExcerpt, "\n", "\n  "))
	}
	if len(c.Findings) > 0 {
		b.WriteByte('\n')
	}
	for _, f := range c.Findings {
		fmt.Fprintf(&b, "! %s  %s\n", v.Findings[f].Message(v.Lang), v.Findings[f].Code)
	}
	if c.Check != nil {
		fmt.Fprintf(&b, "Verifier: %s  %s\n", c.Check.Verdict, c.Check.Reason)
	}
	return b.String()
}

// lineOf gives the line, from 1, of a binding's first place, or 0.
func (v *View) lineOf(b *Binding) int {
	if b.Report == nil || !b.Report.Tier.Found() || len(b.Report.Spans) == 0 {
		return 0
	}
	out := v.Output(b.TraceRef)
	at := grounding.Occurrence{Spans: b.Report.Spans}.Extent().Start
	if at < 0 || at > len(out) {
		return 0
	}
	return bytes.Count(out[:at], []byte{'\n'}) + 1
}
