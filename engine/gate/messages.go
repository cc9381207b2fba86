package gate

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"claimscope/engine/grounding"
)

var (
	msgNoBinding    = Message{ZH: "该结论没有任何证据绑定", EN: "the claim has no evidence binding"}
	msgNoSourceID   = Message{ZH: "绑定没有 source_id，摘录也不能唯一对应到某次调用", EN: "the binding has no source_id, and its excerpt does not stand in exactly one trace"}
	msgEmptyExcerpt = Message{ZH: "证据摘录为空", EN: "the evidence excerpt is empty"}
)

// quoteShort quotes s, cut to a length that a line can hold.
func quoteShort(s string) string {
	const limit = 80
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit-1]) + "…"
	}
	return "“" + s + "”"
}

// snippet is the line around s, cut around it.
func (e *evidence) snippet(s grounding.Span) string {
	raw := e.text.Raw()
	l := e.lines(s)
	if l.End-l.Start > 160 {
		l = grounding.Span{Start: max(l.Start, s.Start-60), End: min(l.End, s.End+60)}
	}
	return quoteShort(strings.ToValidUTF8(string(raw[l.Start:l.End]), "\uFFFD"))
}

func (e *evidence) lineNo(s grounding.Span) int {
	n, _ := e.text.Line(s.Start)
	return n
}

func foundByExcerpt(e *evidence) Message {
	return Message{
		ZH: fmt.Sprintf("绑定没有 source_id；按摘录只在 %s 中找到", e.Ref),
		EN: fmt.Sprintf("the binding has no source_id; its excerpt stands only in %s", e.Ref),
	}
}

func (s *session) missingRef(id, excerpt string) Message {
	refs := make([]string, 0, len(s.traces))
	for _, e := range s.traces {
		refs = append(refs, e.Ref)
	}
	have := "no trace at all"
	haveZH := "没有任何调用"
	if n := len(refs); n > 0 {
		have = refs[0] + " … " + refs[n-1]
		haveZH = have
		if n == 1 {
			have, haveZH = refs[0], refs[0]
		}
	}
	m := Message{
		ZH: fmt.Sprintf("source_id %q 不是本次会话的任何调用或证据块（现有：%s），引用缺失即无证据", id, haveZH),
		EN: fmt.Sprintf("source_id %q names no trace or evidence block of this session (there is %s); a missing reference is no evidence", id, have),
	}
	if places := s.holders(excerpt, nil); len(places) > 0 {
		m.ZH += fmt.Sprintf("；该摘录出现在 %s", refsOf(places))
		m.EN += fmt.Sprintf("; the excerpt stands in %s", refsOf(places))
	}
	return m
}

func refsOf(places []Place) string {
	var refs []string
	for _, p := range places {
		refs = append(refs, p.TraceRef)
	}
	return strings.Join(refs, ", ")
}

func wrongTool(e *evidence, named string) Message {
	return Message{
		ZH: fmt.Sprintf("%s 的工具是 %s，绑定写成了 %s", e.Ref, e.ToolName, named),
		EN: fmt.Sprintf("%s is a call of %s, the binding names %s", e.Ref, e.ToolName, named),
	}
}

func (s *session) wrongCall(e *evidence, id int64) Message {
	m := Message{
		ZH: fmt.Sprintf("调用编号 %d 不属于 %s（它的编号是 %v）", id, e.Ref, e.InvocationIDs),
		EN: fmt.Sprintf("invocation id %d is not of %s (that has %v)", id, e.Ref, e.InvocationIDs),
	}
	for _, o := range s.traces {
		for _, x := range o.InvocationIDs {
			if x == id && o != e {
				m.ZH += fmt.Sprintf("，%d 属于 %s", id, o.Ref)
				m.EN += fmt.Sprintf("; %d is of %s", id, o.Ref)
				return m
			}
		}
	}
	return m
}

func commonMessage(total int) Message {
	return Message{
		ZH: fmt.Sprintf("摘录过短或过于常见（出现 %d 处），难以作为证据", total),
		EN: fmt.Sprintf("the excerpt is too short or too common to be evidence (it stands in %d places)", total),
	}
}

func ambiguousMessage(l grounding.Location) Message {
	return Message{
		ZH: fmt.Sprintf("摘录有 %d 处同样接近的位置，无法确定指哪一处", l.Total),
		EN: fmt.Sprintf("the excerpt is ambiguous: %d places are equally near", l.Total),
	}
}

func nearMessage(e *evidence, l grounding.Location) Message {
	s := l.Occurrences[0].Spans[0]
	return Message{
		ZH: fmt.Sprintf("摘录与 %s 第 %d 行的原文接近但不相同：原文是 %s", e.Ref, e.lineNo(s), e.snippet(s)),
		EN: fmt.Sprintf("the excerpt is near line %d of %s but edited; the output says %s", e.lineNo(s), e.Ref, e.snippet(s)),
	}
}

func paraphraseMessage(e *evidence) Message {
	return Message{
		ZH: fmt.Sprintf("摘录不是原文，但其中的事实都能在 %s 中找到（转述）", e.Ref),
		EN: fmt.Sprintf("the excerpt is no quote, but each fact in it stands in %s (a summary)", e.Ref),
	}
}

func echoMessage(e *evidence) Message {
	return Message{
		ZH: fmt.Sprintf("摘录只出现在 %s 的调用参数里，是提问的内容，不是工具返回的证据", e.Ref),
		EN: fmt.Sprintf("the excerpt stands only in the arguments of %s: an echo of the question, not evidence", e.Ref),
	}
}

func elsewhereMessage(e *evidence, places []Place) Message {
	return Message{
		ZH: fmt.Sprintf("摘录不在 %s 的输出里，而是出现在 %s", e.Ref, refsOf(places)),
		EN: fmt.Sprintf("the excerpt is not in the output of %s; it stands in %s", e.Ref, refsOf(places)),
	}
}

func absentMessage(e *evidence, s summary) Message {
	m := Message{
		ZH: fmt.Sprintf("摘录不在 %s 的输出里", e.Ref),
		EN: fmt.Sprintf("the excerpt is not in the output of %s", e.Ref),
	}
	if s.missing != "" {
		m.ZH += fmt.Sprintf("，其中的 %s 找不到", quoteShort(s.missing))
		m.EN += fmt.Sprintf(": %s is not there", quoteShort(s.missing))
	}
	if s.nearest.End > s.nearest.Start {
		m.ZH += fmt.Sprintf("；最接近的是第 %d 行 %s", e.lineNo(s.nearest), e.snippet(s.nearest))
		m.EN += fmt.Sprintf("; nearest is line %d: %s", e.lineNo(s.nearest), e.snippet(s.nearest))
	}
	return m
}

func failedMessage(e *evidence) Message {
	if e.failed.kind == nothingFound {
		return Message{
			ZH: fmt.Sprintf("%s 没有返回任何内容，不能证明一个肯定的结论", e.Ref),
			EN: fmt.Sprintf("%s returned nothing; that is no evidence for a positive claim", e.Ref),
		}
	}
	why := ""
	if l := e.failed.line; l.End > l.Start {
		why = "：" + e.snippet(l)
	}
	return Message{
		ZH: fmt.Sprintf("%s 是一次失败的调用（状态 %s），不能证明一个肯定的结论%s", e.Ref, e.Status, why),
		EN: fmt.Sprintf("%s is a failed call (status %s), no evidence for a positive claim%s", e.Ref, e.Status, strings.Replace(why, "：", ": ", 1)),
	}
}

func missingMessage(code Code, f fact, n nearest) Message {
	var m Message
	switch code {
	case CodeTime:
		m = Message{ZH: fmt.Sprintf("时间 %s 不在所引证据中（已换算时区）", quoteShort(f.text)), EN: fmt.Sprintf("the time %s is not in the cited evidence, zones considered", quoteShort(f.text))}
	case CodeIdentifier:
		m = Message{ZH: fmt.Sprintf("标识 %s 不在所引证据中", quoteShort(f.text)), EN: fmt.Sprintf("the name %s is not in the cited evidence", quoteShort(f.text))}
	default:
		m = Message{ZH: fmt.Sprintf("数值 %s 不在所引证据中，也推算不出", quoteShort(f.text)), EN: fmt.Sprintf("the number %s is not in the cited evidence, nor derivable from it", quoteShort(f.text))}
	}
	if n.ev != nil {
		m.ZH += fmt.Sprintf("；最接近的是 %s 第 %d 行的 %s", n.ev.Ref, n.line, quoteShort(n.text))
		m.EN += fmt.Sprintf("; nearest is %s in line %d of %s", quoteShort(n.text), n.line, n.ev.Ref)
	}
	return m
}
