package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// block is a piece of a report. The set is closed: heading, facts, bullet, evidence, prose.
type block interface{ isBlock() }

// heading opens a section; level 1 is the title.
type heading struct {
	level int
	text  string
}

// facts is a table of two columns.
type facts [][2]string

// bullet is one item of a list; depth 0 is the outermost.
type bullet struct {
	depth int
	text  string
	bad   bool // stands out
}

// evidence is some lines of a tool output with the cited words marked.
type evidence struct{ lines []evidenceLine }

// evidenceLine is before, marked and after in one line of the output.
type evidenceLine struct {
	number                int // 1 for the first
	before, marked, after string
}

// prose is text that came as Markdown.
type prose struct{ text string }

func (heading) isBlock()  {}
func (facts) isBlock()    {}
func (bullet) isBlock()   {}
func (evidence) isBlock() {}
func (prose) isBlock()    {}

// reporter gathers the report of a session.
type reporter struct {
	lang   Lang
	s      state.Session
	a      *state.Attempt
	traces map[string]trace.Trace
	blocks []block
}

// report gives the report: the verdict and why, each claim with its evidence, the answer,
// the reviews, and how it was made. All text is clean: no control characters.
func (r *Recording) report(lang Lang) []block {
	s := r.State()
	p := &reporter{lang: lang, s: s, a: s.Current(), traces: map[string]trace.Trace{}}
	for i := len(s.Attempts) - 1; i >= 0; i-- {
		if s.Attempts[i].HasOutput || s.Attempts[i].Routing != nil {
			p.a = &s.Attempts[i]
			break
		}
	}
	for _, t := range s.Traces(p.a.Number) {
		p.traces[t.Ref] = t
	}
	p.overview()
	p.causes()
	p.claims()
	p.openEnds()
	p.answer()
	p.reviews()
	p.making()
	return p.blocks
}

// tr chooses between the languages.
func (p *reporter) tr(zh, en string) string {
	if p.lang == ZH {
		return zh
	}
	return en
}

func (p *reporter) add(b block) { p.blocks = append(p.blocks, b) }

func (p *reporter) head(level int, zh, en string) { p.add(heading{level, p.tr(zh, en)}) }

func (p *reporter) item(depth int, format string, args ...any) {
	p.add(bullet{depth: depth, text: clean(fmt.Sprintf(format, args...))})
}

func (p *reporter) overview() {
	sum := p.s.Summary()
	title := sum.Title
	if title == "" {
		title = sum.Query
	}
	p.add(heading{1, clean(title)})
	decision := string(sum.Decision)
	if decision == "" {
		decision = p.tr("未判定", "not decided")
	}
	claims := fmt.Sprintf("%d / %d", sum.Supported, sum.Total)
	t := facts{
		{p.tr("判定", "Verdict"), decision},
		{p.tr("已核实结论", "Claims supported"), claims},
		{p.tr("问题", "Query"), clean(sum.Query)},
		{p.tr("会话", "Session"), clean(sum.ID)},
		{p.tr("时间", "Time"), sum.Time.Format(time.RFC3339)},
		{p.tr("状态", "Status"), p.status(sum.Status)},
		{p.tr("契约版本", "Contract"), string(sum.Version)},
	}
	if p.a.Parsed != nil {
		t = append(t, [2]string{p.tr("解析状态", "Parse status"), string(p.a.Parsed.Status)})
	}
	if p.a.Gate != nil {
		t = append(t, [2]string{p.tr("代码核验", "Gatekeeper"), string(p.a.Gate.Decision)})
	}
	if sum.Unsaved {
		t = append(t, [2]string{p.tr("未保存", "Unsaved"), p.tr("仅存在于内存", "in memory only")})
	}
	p.add(t)
}

func (p *reporter) status(s state.Status) string {
	switch s {
	case state.Running:
		return p.tr("未结束", "not ended")
	case state.Paused:
		return p.tr("已暂停", "paused")
	case state.Finished:
		return p.tr("已完成", "finished")
	case state.Failed:
		return p.tr("失败", "failed")
	case state.Cancelled:
		return p.tr("已取消", "cancelled")
	case state.Torn:
		return p.tr("中断", "interrupted")
	}
	return string(s)
}

func (p *reporter) causes() {
	var causes []verdict.CauseItem
	switch {
	case p.s.Evaluation != nil:
		causes = p.s.Evaluation.Causes
	case p.a.Routing != nil:
		causes = p.a.Routing.Causes
	}
	if len(causes) == 0 && p.s.Error == "" {
		return
	}
	p.head(2, "原因", "Causes")
	if p.s.Error != "" {
		p.item(0, "%s", p.s.Error)
	}
	for _, c := range causes {
		text := p.tr(c.MessageZH, c.Message)
		if where := strings.TrimSpace(c.Code + " " + c.Pointer); where != "" {
			text += " (" + where + ")"
		}
		p.item(0, "%s: %s", c.Cause, text)
	}
}

// claims lists the final claims, or before routing those of the gate.
func (p *reporter) claims() {
	final := p.a.Claims()
	structured := p.a.Structured()
	if len(final) == 0 && structured != nil {
		for i, c := range structured.Claims {
			final = append(final, verdict.FinalClaim{
				ClaimID: c.ClaimID, Text: c.ClaimText, Pointer: fmt.Sprintf("/claims/%d", i), Verdict: verdict.NotChecked,
			})
		}
	}
	p.head(2, "结论与证据", "Claims and evidence")
	if len(final) == 0 {
		p.item(0, "%s", p.tr("没有结论", "there are none"))
	}
	for _, f := range final {
		p.add(heading{3, clean(fmt.Sprintf("%s %s %s", mark(f.Verdict), f.ClaimID, f.Text))})
		line := p.verdictName(f.Verdict)
		if c := claimAt(structured, f.Pointer); c != nil {
			line = fmt.Sprintf("%s (%s, %s)", line, c.ClaimType, c.SupportLevel)
		}
		if reason := p.tr(f.ReasonZH, f.Reason); reason != "" {
			line += ": " + reason
		}
		p.add(bullet{text: clean(line), bad: f.Verdict != verdict.Supported})
		p.gateClaim(f.Pointer)
	}
	if p.a.Gate != nil && len(p.a.Gate.Findings) > 0 {
		p.head(3, "其他发现", "Other findings")
		p.findings(p.a.Gate.Findings)
	}
}

// gateClaim shows what the gate holds of a claim, and its evidence.
func (p *reporter) gateClaim(pointer string) {
	if p.a.Gate == nil || pointer == "" {
		return
	}
	i := slices.IndexFunc(p.a.Gate.Claims, func(c gate.ClaimReport) bool { return c.Pointer == pointer })
	if i < 0 {
		return
	}
	report := p.a.Gate.Claims[i]
	p.findings(report.Findings)
	claim := claimAt(p.a.Structured(), pointer)
	for n, b := range report.Bindings {
		p.binding(b, claim, n)
	}
}

func (p *reporter) findings(list []gate.Finding) {
	for _, f := range list {
		p.add(bullet{depth: 0, text: clean(fmt.Sprintf("%s [%s %s]", p.tr(f.Message.ZH, f.Message.EN), f.Code, f.Severity)), bad: f.Severity == gate.Block})
	}
}

// binding shows where a citation stands, or that it stands nowhere.
func (p *reporter) binding(b gate.BindingReport, claim *contract.Claim, n int) {
	quote := ""
	if claim != nil && n < len(claim.EvidenceBindings) {
		quote = claim.EvidenceBindings[n].EvidenceExcerpt
	}
	t, known := p.traces[b.TraceRef]
	switch {
	case !known:
		p.add(bullet{text: clean(fmt.Sprintf(p.tr("引用 %s：没有这个来源", "cites %s: no such source"), b.SourceID)), bad: true})
	case len(b.Spans) == 0:
		p.add(bullet{text: clean(fmt.Sprintf("%s %s %s: %s", b.TraceRef, t.ToolName, invocations(t), b.Tier)), bad: b.Tier != "cannot_check"})
		if quote != "" {
			p.item(1, "%s “%s”", p.tr("引文", "quoted as"), shorten(quote, 300))
		}
	default:
		places := ""
		if b.Total > 1 {
			places = fmt.Sprintf(p.tr("，共 %d 处", ", %d places"), b.Total)
		}
		p.item(0, "%s %s %s: %s%s", b.TraceRef, t.ToolName, invocations(t), b.Tier, places)
		for _, span := range b.Spans[:min(len(b.Spans), 3)] {
			p.add(evidence{evidenceLines(t.Output, span.Start, span.End)})
		}
	}
}

func invocations(t trace.Trace) string {
	var ids []string
	for _, id := range t.InvocationIDs {
		ids = append(ids, fmt.Sprintf("#%d", id))
	}
	return strings.Join(ids, " ")
}

// openEnds lists what is not confirmed.
func (p *reporter) openEnds() {
	c := p.a.Structured()
	if c != nil && len(c.Hypotheses) > 0 {
		p.head(2, "假设（未证实）", "Hypotheses (not proven)")
		for _, h := range c.Hypotheses {
			p.item(0, "%s", h.HypothesisText)
			if h.Basis != "" {
				p.item(1, "%s: %s", p.tr("依据", "basis"), h.Basis)
			}
			if len(h.NeededEvidence) > 0 {
				p.item(1, "%s: %s", p.tr("需要的证据", "needs"), strings.Join(h.NeededEvidence, "; "))
			}
		}
	}
	if c != nil && len(c.MissingInfo) > 0 {
		p.head(2, "缺失信息", "Missing information")
		for _, m := range c.MissingInfo {
			p.item(0, "%s", m)
		}
	}
	if c != nil && len(c.RecommendedActions) > 0 {
		p.head(2, "建议操作", "Recommended actions")
		for _, a := range c.RecommendedActions {
			p.item(0, "%s", a.ActionText)
			if a.Reason != "" {
				p.item(1, "%s", a.Reason)
			}
		}
	}
	if v := p.a.Verified; v != nil && len(v.ExtraFacts) > 0 {
		p.head(2, "回答中的额外事实", "Extra facts in the answer")
		for _, f := range v.ExtraFacts {
			p.item(0, "%s (%s) %s", f.Text, p.verdictName(f.Verdict), f.Reason)
		}
	}
}

func (p *reporter) answer() {
	if p.a.Answer == nil || p.a.Answer.Markdown == "" {
		return
	}
	p.head(2, "回答", "Answer")
	p.add(prose{clean(p.a.Answer.Markdown)})
}

func (p *reporter) reviews() {
	if len(p.s.Reviews) == 0 {
		return
	}
	p.head(2, "复核", "Reviews")
	for _, r := range p.s.Reviews {
		by := r.By
		if by == "" {
			by = "?"
		}
		text := fmt.Sprintf("%s %s: %s", r.Time.Format(time.RFC3339), by, p.action(r.Action))
		if r.ClaimID != "" {
			text += " " + r.ClaimID
		}
		if r.Reason != "" {
			text += ": " + r.Reason
		}
		p.item(0, "%s", text)
	}
}

func (p *reporter) action(a event.ReviewAction) string {
	switch a {
	case event.ReviewAccept:
		return p.tr("接受判定", "accepts the verdict")
	case event.ReviewOverride:
		return p.tr("推翻判定", "overrides the verdict")
	case event.ReviewClaimRight:
		return p.tr("结论正确", "marks the claim right")
	case event.ReviewClaimWrong:
		return p.tr("结论错误", "marks the claim wrong")
	}
	return string(a)
}

func (p *reporter) verdictName(v verdict.CheckVerdict) string {
	switch v {
	case verdict.Supported:
		return p.tr("已核实", "supported")
	case verdict.NotChecked:
		return p.tr("未核查", "not checked")
	case verdict.Insufficient:
		return p.tr("证据不足", "insufficient evidence")
	case verdict.Unsupported:
		return p.tr("无证据支持", "unsupported")
	case verdict.Contradicted:
		return p.tr("与证据矛盾", "contradicted")
	}
	return string(v)
}

// mark is a verdict in one character.
func mark(v verdict.CheckVerdict) string {
	switch v {
	case verdict.Supported:
		return "✓"
	case verdict.Unsupported, verdict.Contradicted:
		return "✗"
	case verdict.Insufficient:
		return "~"
	case verdict.NotChecked:
	}
	return "?"
}

func claimAt(c *contract.Contract, pointer string) *contract.Claim {
	var i int
	if c == nil {
		return nil
	}
	if _, err := fmt.Sscanf(pointer, "/claims/%d", &i); err != nil || i < 0 || i >= len(c.Claims) {
		return nil
	}
	return &c.Claims[i]
}

// making tells how the session came to be.
func (p *reporter) making() {
	h := p.s.Header
	p.head(2, "生成过程", "How it was made")
	t := facts{
		{p.tr("程序", "Program"), clean(h.Program)},
		{p.tr("模型应答来源", "Model replies"), clean(h.Model)},
		{p.tr("工具应答来源", "Tool replies"), clean(h.Tools)},
		{p.tr("策略", "Policy"), fmt.Sprintf("gate=%s malformed=%s retries=%d", h.Policy.Gate, h.Policy.Malformed, h.Policy.Retries)},
		{p.tr("轮次", "Attempts"), fmt.Sprint(len(p.s.Attempts))},
		{p.tr("用时", "Duration"), p.s.Duration().Round(time.Millisecond).String()},
		{p.tr("令牌数", "Tokens"), fmt.Sprint(p.s.Usage.Total())},
	}
	if p.s.Cost > 0 {
		t = append(t, [2]string{p.tr("费用", "Cost"), fmt.Sprintf("%.4f", p.s.Cost)})
	}
	if h.Parent != nil {
		t = append(t, [2]string{p.tr("派生自", "Forked from"), clean(fmt.Sprintf("%s #%d (%s)", h.Parent.ID, h.Parent.Seq, h.Parent.Mode))})
	}
	names := make([]string, 0, len(h.Prompts))
	for name := range h.Prompts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		src := h.Prompts[name]
		t = append(t, [2]string{p.tr("提示词 ", "Prompt ") + clean(name), clean(fmt.Sprintf("%s %s %s %.12s", src.Name, src.Version, src.From, src.SHA256))})
	}
	p.add(t)
	for i := range p.s.Attempts {
		a := &p.s.Attempts[i]
		for _, run := range a.Stages {
			text := fmt.Sprintf("%s %s: %s %s", fmt.Sprintf(p.tr("第 %d 轮", "attempt %d"), a.Number), run.Stage, run.Status, run.Duration.Round(time.Millisecond))
			if run.Model != "" {
				text += fmt.Sprintf(", %s, %d tokens", run.Model, run.Usage.Total())
			}
			if run.Error != "" {
				text += ", " + run.Error
			}
			p.item(0, "%s", text)
		}
		for _, c := range a.Calls {
			p.call(c)
		}
	}
	for _, e := range p.s.Edits {
		p.item(0, "%s #%d %s", p.tr("人工修改", "edited by hand"), e.Seq, e.Target)
	}
}

func (p *reporter) call(c state.Call) {
	text := fmt.Sprintf("%s %s %s", c.Ref, c.ToolName, shorten(string(c.Arguments), 200))
	if t := c.Trace; t != nil {
		text += fmt.Sprintf(": %s, %d B, %s", t.Status, len(t.Output), t.Duration.Round(time.Millisecond))
		if t.Unavailable {
			text += p.tr("，原始输出未导入", ", raw output not imported")
		}
	}
	p.item(1, "%s", text)
}
