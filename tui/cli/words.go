package cli

import (
	"fmt"

	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// tierWord says how an excerpt was found.
func tierWord(t grounding.Tier) text.Label {
	switch t {
	case grounding.Exact:
		return text.Label{ZH: "原文", EN: "exact"}
	case grounding.Folded:
		return text.Label{ZH: "同文异形", EN: "folded"}
	case grounding.Fragments:
		return text.Label{ZH: "节选", EN: "fragments"}
	case grounding.Near:
		return text.Label{ZH: "近似", EN: "near"}
	case grounding.Paraphrase:
		return text.Label{ZH: "转述", EN: "paraphrase"}
	case grounding.Absent:
		return text.Label{ZH: "不存在", EN: "absent"}
	case grounding.CannotCheck:
		return text.Label{ZH: "无法核对", EN: "cannot check"}
	}
	return text.Label{ZH: string(t), EN: string(t)}
}

// gateWord is the gate's verdict on a claim, and its mark.
func gateWord(v gate.ClaimVerdict) (mark string, word text.Label) {
	switch v {
	case gate.Supported:
		return markGood, text.Label{ZH: "有证据支持", EN: "supported"}
	case gate.Unverifiable:
		return markUnknown, text.Label{ZH: "无法核对", EN: "unverifiable"}
	case gate.Unsupported:
		return markBad, text.Label{ZH: "无证据支持", EN: "unsupported"}
	case gate.Contradicted:
		return markContrary, text.Label{ZH: "与证据矛盾", EN: "contradicted"}
	}
	return markUnknown, text.Label{ZH: string(v), EN: string(v)}
}

// checkWord is a final verdict on a claim, or the Verifier's, and its mark.
func checkWord(v verdict.CheckVerdict) (mark string, word text.Label) {
	switch v {
	case verdict.Supported:
		return markGood, text.Label{ZH: "有证据支持", EN: "supported"}
	case verdict.NotChecked:
		return markUnknown, text.Label{ZH: "未核验", EN: "not checked"}
	case verdict.Insufficient:
		return markBad, text.Label{ZH: "证据不足", EN: "insufficient"}
	case verdict.Unsupported:
		return markBad, text.Label{ZH: "无证据支持", EN: "unsupported"}
	case verdict.Contradicted:
		return markContrary, text.Label{ZH: "与证据矛盾", EN: "contradicted"}
	}
	return markUnknown, text.Label{ZH: string(v), EN: string(v)}
}

// severityMark is the mark of a finding.
func severityMark(s gate.Severity) string {
	switch s {
	case gate.Block:
		return markBad
	case gate.Warn:
		return markWarn
	case gate.Info:
		return markInfo
	}
	return markInfo
}

// statusWord says where a session stands.
func statusWord(s state.Status) text.Label {
	switch s {
	case state.Running:
		return text.Label{ZH: "未结束", EN: "not ended"}
	case state.Paused:
		return text.Label{ZH: "已暂停", EN: "paused"}
	case state.Finished:
		return text.Label{ZH: "已完成", EN: "finished"}
	case state.Failed:
		return text.Label{ZH: "失败", EN: "failed"}
	case state.Cancelled:
		return text.Label{ZH: "已取消", EN: "cancelled"}
	case state.Torn:
		return text.Label{ZH: "中断", EN: "torn"}
	}
	return text.Label{ZH: string(s), EN: string(s)}
}

// badge is the decision, or the status of a session without one, and its mark.
func badge(d verdict.Decision, s state.Status) (mark string, word text.Label) {
	switch d {
	case verdict.Pass:
		return markGood, text.Label{ZH: string(d), EN: string(d)}
	case verdict.LowConfid:
		return markBad, text.Label{ZH: string(d), EN: string(d)}
	case verdict.Retry:
		return markWarn, text.Label{ZH: string(d), EN: string(d)}
	}
	return markUnknown, statusWord(s)
}

// causeName names a cause: by its code, and in Chinese with what it means.
func (p *printer) causeName(c verdict.Cause) string {
	if zh := causeWord(c); p.lang == text.ZH && zh != "" {
		return zh + " " + string(c)
	}
	return string(c)
}

// causeWord says in Chinese what a cause means.
func causeWord(c verdict.Cause) string {
	switch c {
	case verdict.MalformedOutput:
		return "输出残缺"
	case verdict.SchemaViolation:
		return "不符合契约格式"
	case verdict.MissingRef:
		return "引用不存在"
	case verdict.ToolMismatch:
		return "工具或调用对不上"
	case verdict.ExcerptAbsent:
		return "摘录不在原文中"
	case verdict.FactNotInEvidence:
		return "事实不在证据中"
	case verdict.CauseContradicted:
		return "与证据矛盾"
	case verdict.KnowledgeAsFact:
		return "把知识当作事实"
	case verdict.UnsupportedClaim:
		return "结论没有证据支持"
	case verdict.CauseExtraFact:
		return "回答里有结论之外的事实"
	case verdict.NoConfirmedClaims:
		return "没有确认的结论"
	case verdict.VerifierIncomplete:
		return "Verifier 漏判了结论"
	case verdict.VerifierError:
		return "Verifier 出错"
	case verdict.StageError:
		return "阶段失败"
	case verdict.Cancelled:
		return "已取消"
	}
	return ""
}

// spent is tokens, and money where prices are configured.
func spent(tokens int, cost float64) string {
	s := text.Count(tokens) + " tok"
	if cost > 0 {
		s += fmt.Sprintf("  ¤%.4f", cost)
	}
	return s
}
