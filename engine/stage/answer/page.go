package answer

import (
	"fmt"
	"slices"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/verdict"
)

// maxReasonRunes bounds the reason of a claim that failed.
const maxReasonRunes = 300

// page is an answer being written, with the sources of its sentences.
type page struct {
	text      strings.Builder
	sentences []gate.SentenceSource
	notice    bool
}

// heading starts a section.
func (p *page) heading(title string) {
	if p.text.Len() > 0 {
		p.text.WriteByte('\n')
	}
	p.text.WriteString("## " + title + "\n\n")
}

// item writes one list item, which comes from the given pointers.
func (p *page) item(line string, sources ...string) {
	p.text.WriteString("- ")
	start := p.text.Len()
	p.text.WriteString(line)
	p.sentences = append(p.sentences, gate.SentenceSource{Field: Field, Start: start, End: p.text.Len(), Sources: sources})
	p.text.WriteByte('\n')
}

// confirmed is the answer of a PASS.
func confirmed(p *page, in Input) error {
	if len(in.Routing.Claims) == 0 {
		return errNoClaims
	}
	p.sentences = []gate.SentenceSource{}
	p.heading("结论")
	p.claims(in, in.Routing.Claims)
	p.rest(in.Contract)
	return nil
}

// degraded is the answer of a LOW_CONFID: the notice first, then what survived, then
// what did not, and why.
func degraded(p *page, in Input) error {
	p.notice = true
	p.sentences = []gate.SentenceSource{}
	survived, failed := split(in.Routing.Claims)
	p.text.WriteString(notice(len(survived), len(failed)))
	if len(survived) > 0 {
		p.heading("已核实")
		p.claims(in, survived)
	}
	p.failed(in, failed)
	p.rest(in.Contract)
	return nil
}

// notice is the first line of a degraded answer.
func notice(survived, failed int) string {
	const head = "> ⚠️ **低置信度**："
	switch {
	case survived+failed == 0:
		return head + "本次诊断没有得出可以核验的结论，请人工排查。\n"
	case survived == 0:
		return head + fmt.Sprintf("本次诊断的 %d 条结论都没有通过核验，请勿据此操作，先人工确认。\n", failed)
	case failed == 0:
		return head + "本次诊断没有通过整体核验，请人工确认后再操作。\n"
	}
	return head + fmt.Sprintf("本次诊断有 %d 条结论未通过核验，请人工确认后再操作。\n", failed)
}

func split(claims []verdict.FinalClaim) (survived, failed []verdict.FinalClaim) {
	for _, c := range claims {
		if c.Verdict == verdict.Supported {
			survived = append(survived, c)
		} else {
			failed = append(failed, c)
		}
	}
	return survived, failed
}

func (p *page) claims(in Input, claims []verdict.FinalClaim) {
	for _, c := range claims {
		line := Inline(c.Text)
		claim := claimOf(in.Contract, c.Pointer)
		if claim != nil && claim.SupportLevel == contract.Indirect {
			line += "（间接证据）"
		}
		p.item(line+marks(in, c.Pointer, claim), source(in, c))
	}
}

func (p *page) failed(in Input, claims []verdict.FinalClaim) {
	if len(claims) == 0 {
		return
	}
	p.heading("未通过核验")
	for _, c := range claims {
		text := c.Text
		if strings.TrimSpace(text) == "" {
			text = "（结论 " + c.ClaimID + " 没有文字）"
		}
		p.item(Inline(text)+"——"+reason(c), source(in, c))
	}
}

// reason says in Chinese why a claim failed.
func reason(c verdict.FinalClaim) string {
	word := map[verdict.CheckVerdict]string{
		verdict.NotChecked: "未核验", verdict.Insufficient: "证据不足",
		verdict.Unsupported: "没有证据支持", verdict.Contradicted: "与证据矛盾",
	}[c.Verdict]
	if word == "" {
		word = "未核验"
	}
	if why := Inline(clip(flatten(c.ReasonZH), maxReasonRunes)); why != "" {
		return word + "：" + why
	}
	return word
}

// rest writes hypotheses, missing information and actions.
func (p *page) rest(c *contract.Contract) {
	if c == nil {
		return
	}
	section(p, "假设", "/hypotheses", c.Hypotheses, hypothesis)
	section(p, "缺失信息", "/missing_info", c.MissingInfo, Inline)
	section(p, "建议操作", "/recommended_actions", c.RecommendedActions, action)
}

// section writes the items that have a text under a heading; nothing when none has.
func section[T any](p *page, title, pointer string, items []T, line func(T) string) {
	begun := false
	for i, item := range items {
		text := line(item)
		if text == "" {
			continue
		}
		if !begun {
			p.heading(title)
			begun = true
		}
		p.item(text, fmt.Sprintf("%s/%d", pointer, i))
	}
}

func hypothesis(h contract.Hypothesis) string {
	line := Inline(h.HypothesisText)
	if line == "" {
		return ""
	}
	if basis := Inline(h.Basis); basis != "" {
		line += "（依据：" + basis + "）"
	}
	var needed []string
	for _, n := range h.NeededEvidence {
		if n = Inline(n); n != "" {
			needed = append(needed, n)
		}
	}
	if len(needed) > 0 {
		line += "；需要：" + strings.Join(needed, "、")
	}
	return line
}

func action(a contract.Action) string {
	line := Inline(a.ActionText)
	if line == "" {
		return ""
	}
	if why := Inline(a.Reason); why != "" {
		line += "（理由：" + why + "）"
	}
	return line
}

// claimOf gives the claim that a pointer names and its index, or nil.
func claimOf(c *contract.Contract, pointer string) *contract.Claim {
	var i int
	if c == nil || pointer == "" {
		return nil
	}
	if _, err := fmt.Sscanf(pointer, "/claims/%d", &i); err != nil || i < 0 || i >= len(c.Claims) {
		return nil
	}
	return &c.Claims[i]
}

// source is the pointer that an item comes from. A claim that the Verifier took
// from the text stands in the evaluation record's claim_checks.
func source(in Input, c verdict.FinalClaim) string {
	if c.Pointer != "" {
		return c.Pointer
	}
	for i := range in.Routing.Claims {
		if in.Routing.Claims[i].ClaimID == c.ClaimID {
			return fmt.Sprintf("/claim_checks/%d", i)
		}
	}
	return ""
}

// marks names the evidence of a claim: 〔trace-2 · query_logs〕.
func marks(in Input, pointer string, claim *contract.Claim) string {
	if claim == nil {
		return ""
	}
	var out []string
	for i, b := range claim.EvidenceBindings {
		ref := b.SourceID
		if r := traceOf(in.Report, fmt.Sprintf("%s/evidence_bindings/%d", pointer, i)); r != "" && r != ref {
			ref = r
			if b.SourceID != "" {
				ref += " · " + b.SourceID // the block within that trace
			}
		}
		if ref == "" {
			continue
		}
		mark := "〔" + Inline(ref)
		if b.ToolName != "" {
			mark += " · " + Inline(b.ToolName)
		}
		mark += "〕"
		if !slices.Contains(out, mark) {
			out = append(out, mark)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " " + strings.Join(out, "")
}

// traceOf gives the trace that the gate resolved a binding to, or "".
func traceOf(r *gate.Report, pointer string) string {
	if r == nil {
		return ""
	}
	for _, c := range r.Claims {
		for _, b := range c.Bindings {
			if b.Pointer == pointer {
				return b.TraceRef
			}
		}
	}
	return ""
}
