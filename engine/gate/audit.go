package gate

import (
	"fmt"
	"strings"
	"unicode"

	"claimscope/engine/contract"
	"claimscope/engine/grounding"
)

// audit is what the audit of an answer text found (spec A3, F001 to F005). Offsets are
// bytes into that text.
type audit struct {
	findings  []Finding
	extra     []ExtraFact
	sentences []SentenceSource
}

// auditAnswer checks the answer texts that a contract carries: findings, extra facts
// and the sources of each sentence are added to rep.
func auditAnswer(s *session, c *contract.Contract, rep *Report) {
	for _, field := range []struct{ name, text string }{
		{"diagnosis_summary", c.DiagnosisSummary},
		{"user_facing_answer", c.UserFacingAnswer},
	} {
		if strings.TrimSpace(field.text) == "" {
			continue
		}
		a := auditText(field.text, field.name, c, s.query, s.named, s.policy)
		rep.Findings = append(rep.Findings, a.findings...)
		rep.ExtraFacts = append(rep.ExtraFacts, a.extra...)
		rep.Sentences = append(rep.Sentences, a.sentences...)
	}
}

// named reports whether a name stands in any trace, output or arguments: an answer may
// say which host it speaks of.
func (s *session) named(name string) bool {
	for _, e := range s.traces {
		if len(e.facts.Ident(name, 1)) > 0 || len(e.args.Ident(name, 1)) > 0 {
			return true
		}
	}
	return false
}

// auditText audits one text against the contract that it speaks for: whether it states
// what no claim states, or makes a fact of a hypothesis. The query's own words are no extra
// facts. Named reports whether a name stands in the evidence; nil
// for an audit without any.
func auditText(text, field string, c *contract.Contract, query string, named func(string) bool, policy Policy) audit {
	w := &auditWork{text: text, field: field, policy: policy, sources: sourcesOf(c), facts: knownFacts(c, query), named: named}
	w.run()
	w.language()
	w.gaps(c)
	return w.out
}

// auditWork is the audit of one text.
type auditWork struct {
	text    string
	field   string
	policy  Policy
	sources []source
	facts   known
	named   func(string) bool
	out     audit
}

// run walks the sentences; a heading sets the certainty of what stands under it.
func (w *auditWork) run() {
	under := grounding.Stated
	last := 0
	for _, sp := range grounding.Sentences(w.text) {
		gap := w.text[last:sp.Start]
		if strings.Contains(gap, "\n\n") {
			under = grounding.Stated
		}
		last = sp.End
		sentence := w.text[sp.Start:sp.End]
		label, rest := splitLabel(sentence)
		if label != "" {
			if c, ok := grounding.HeadingCertainty(label); ok {
				if strings.TrimSpace(rest) == "" {
					under = c // a heading line: it holds for the lines below
				}
				from := sp.End - len(rest)
				if grounding.CertaintyOf(label) == grounding.Confirmed {
					from = sp.Start // 根因已经确认：… confirms what follows
				}
				w.sentence(sp, from, c)
				continue
			}
		}
		if c, ok := grounding.HeadingCertainty(sentence); ok && !strings.ContainsAny(sentence, "。！？，；,") && strings.HasPrefix(lineAfter(w.text, sp.End), "\n") {
			under = c
			continue
		}
		w.sentence(sp, sp.Start, under)
	}
}

// lineAfter is what follows a sentence, from its line's end on.
func lineAfter(text string, end int) string { return strings.TrimLeft(text[end:], " \t*：:") }

// splitLabel cuts a short label before the first colon off a sentence: 结论：….
func splitLabel(s string) (label, rest string) {
	i := strings.IndexAny(s, "：:")
	if i < 0 {
		return "", s
	}
	label, rest = s[:i], s[i:]
	for _, colon := range []string{"：", ":"} {
		rest = strings.TrimPrefix(rest, colon)
	}
	if strings.ContainsAny(label, "，。,；、 ") && len(label) > 24 {
		return "", s
	}
	return label, rest
}

// clause is one clause of a sentence with its certainty in context.
type clause struct {
	span      grounding.Span // in the answer text
	own       grounding.Certainty
	inContext grounding.Certainty
}

// clausesOf reads the clauses of text[from:to]. A hedge or an advice holds on through
// the clauses after it, and a topic before a hedge is hedged with it; a clause that
// says of itself that it is confirmed stands on its own.
func (w *auditWork) clausesOf(from, to int, base grounding.Certainty) []clause {
	var out []clause
	for _, c := range grounding.Clauses(w.text[from:to]) {
		sp := grounding.Span{Start: from + c.Start, End: from + c.End}
		out = append(out, clause{span: sp, own: grounding.CertaintyOf(w.text[sp.Start:sp.End])})
	}
	context := base
	for i := range out {
		c := &out[i]
		switch c.own {
		case grounding.Confirmed:
			context = grounding.Stated
			if base != grounding.Stated {
				context = base
			}
			c.inContext = grounding.Confirmed
		case grounding.Hedged, grounding.Advised:
			context = c.own
			c.inContext = c.own
		case grounding.Stated:
			c.inContext = context
		}
	}
	for i := len(out) - 2; i >= 0; i-- { // the topic of a hedge: 该店铺为什么激增，尚不清楚
		if out[i].own == grounding.Stated && out[i].inContext == grounding.Stated && out[i+1].inContext == grounding.Hedged && topic(w.text[out[i].span.Start:out[i].span.End]) {
			out[i].inContext = grounding.Hedged
		}
	}
	return out
}

// topicWords open or make a clause that only names what the next one says is unknown.
var topicWords = []string{"至于", "关于", "为什么", "为何", "谁", "是谁", "何时", "什么", "哪", "原因", "如何", "怎么", "多少", "所以", "之所以"}

func topic(s string) bool {
	for _, t := range topicWords {
		if strings.Contains(s, t) {
			return true
		}
	}
	return false
}

// sentence audits one sentence; its prose starts at from, behind a label.
func (w *auditWork) sentence(sp grounding.Span, from int, base grounding.Certainty) {
	clauses := w.clausesOf(from, sp.End, base)
	best := w.match(w.text[from:sp.End])
	src := SentenceSource{Field: w.field, Start: sp.Start, End: sp.End, Sources: best.pointers}
	if src.Sources == nil {
		src.Sources = []string{}
	}
	flagged := w.values(clauses)
	if !flagged {
		flagged = w.upgraded(clauses)
	}
	if !flagged {
		w.unsourced(clauses)
	}
	w.out.sentences = append(w.out.sentences, src)
}

// flag records an extra fact.
func (w *auditWork) flag(code Code, sp grounding.Span, quote string, msg Message) {
	severity := w.policy.severity(code)
	w.out.findings = append(w.out.findings, Finding{Code: code, Severity: severity, Pointer: "/" + w.field, Message: msg, Quote: quote})
	w.out.extra = append(w.out.extra, ExtraFact{Text: w.text[sp.Start:sp.End], Start: sp.Start, End: sp.End, Field: w.field})
}

// values looks for numbers, times and names that no claim has (F002), in the clauses
// that state something.
func (w *auditWork) values(clauses []clause) bool {
	found := false
	for _, c := range clauses {
		if c.own == grounding.Hedged || c.own == grounding.Advised || c.inContext == grounding.Advised {
			continue
		}
		body := w.text[c.span.Start:c.span.End]
		for _, f := range factsOf(body) {
			if w.facts.has(f) || f.kind == identFact && w.named != nil && w.named(f.text) {
				continue
			}
			found = true
			w.flag(CodeExtraValue, grounding.Span{Start: c.span.Start + f.span.Start, End: c.span.Start + f.span.End}, f.text, Message{
				ZH: fmt.Sprintf("回答里的“%s”在任何结论中都没有（原句：%s）", f.text, body),
				EN: fmt.Sprintf("the answer's %q stands in no claim (it says: %s)", f.text, body),
			})
		}
	}
	return found
}

// upgraded finds a hypothesis that the answer states as a fact (F003).
func (w *auditWork) upgraded(clauses []clause) bool {
	var stated []grounding.Span
	confirmed := false
	for _, c := range clauses {
		if c.inContext == grounding.Stated || c.inContext == grounding.Confirmed {
			stated = append(stated, c.span)
			confirmed = confirmed || c.own == grounding.Confirmed
		}
	}
	for i := range stated { // one clause, or two in a row, make a statement
		for j := i; j < len(stated) && j < i+2; j++ {
			run := grounding.Span{Start: stated[i].Start, End: stated[j].End}
			if h, ok := w.hypothesisIn(w.text[run.Start:run.End], confirmed); ok {
				w.flag(CodeUpgraded, run, w.text[run.Start:run.End], Message{
					ZH: fmt.Sprintf("回答把假设说成了事实：“%s”（假设原文：%s）", w.text[run.Start:run.End], h.text),
					EN: fmt.Sprintf("the answer states a hypothesis as a fact: %q (the hypothesis: %s)", w.text[run.Start:run.End], h.text),
				})
				return true
			}
		}
	}
	return false
}

// unsourced finds stated clauses that come from nowhere (F001).
func (w *auditWork) unsourced(clauses []clause) bool {
	announced := false // 另外，…: something more is told
	for _, c := range clauses {
		body := w.text[c.span.Start:c.span.End]
		announced = announced || strings.Contains(body, "另外") || strings.Contains(body, "此外")
		if c.inContext != grounding.Stated && c.inContext != grounding.Confirmed {
			continue
		}
		if !w.foreign(body, announced || c.own == grounding.Confirmed) {
			continue
		}
		w.flag(CodeExtraFact, c.span, body, Message{
			ZH: fmt.Sprintf("回答陈述了没有任何结论支持的内容：“%s”", body),
			EN: fmt.Sprintf("the answer states what no claim states: %q", body),
		})
		return true
	}
	return false
}

// language flags an answer that is not Chinese (F004): a person would read mostly
// Latin letters. Names, numbers and quoted log lines do not count against it.
func (w *auditWork) language() {
	if IsChinese(w.text) {
		return
	}
	w.out.findings = append(w.out.findings, Finding{
		Code: CodeNotChinese, Severity: w.policy.severity(CodeNotChinese), Pointer: "/" + w.field,
		Message: Message{ZH: "这段文字不是中文", EN: "this text is not Chinese"},
	})
}

// IsChinese reports whether a text reads as Chinese: at least one Han character to
// every two Latin words that are no names. Text without letters counts as Chinese.
func IsChinese(text string) bool {
	han := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	words := len(grounding.Words(text))
	return han*2 >= words
}

// gaps notes that the answer is silent about missing information (F005).
func (w *auditWork) gaps(c *contract.Contract) {
	if w.field != "user_facing_answer" || len(c.MissingInfo) == 0 {
		return
	}
	for _, s := range w.out.sentences {
		for _, p := range s.Sources {
			if strings.HasPrefix(p, "/missing_info/") {
				return
			}
		}
	}
	for _, cue := range grounding.Cues(w.text) {
		if cue.Certainty == grounding.Hedged || strings.Contains(w.text[cue.Span.Start:cue.Span.End], "补") {
			return
		}
	}
	w.out.findings = append(w.out.findings, Finding{
		Code: CodeHiddenGap, Severity: w.policy.severity(CodeHiddenGap), Pointer: "/" + w.field,
		Message: Message{ZH: "回答没有提到缺失的信息：" + strings.Join(c.MissingInfo, "；"), EN: "the answer does not mention that information is missing: " + strings.Join(c.MissingInfo, "; ")},
	})
}
