package gate

import (
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/grounding"
)

// wording raises C008 for a confirmed claim that is worded as a guess, and C009 for a
// root cause marked direct on evidence that shows only the symptom.
func (w *claimWork) wording() {
	text := w.claim.ClaimText
	for _, c := range grounding.Clauses(text) {
		clause := text[c.Start:c.End]
		if grounding.CertaintyOf(clause) != grounding.Hedged {
			continue
		}
		f := w.finding(CodeGuess, w.ptr+"/claim_text", Message{
			ZH: "措辞是推测（" + quoteShort(clause) + "），应放入 hypotheses",
			EN: "worded as a guess (" + quoteShort(clause) + "): it belongs to hypotheses",
		})
		f.Quote = clause
		w.rep.Findings = append(w.rep.Findings, f)
		break
	}
	if w.claim.ClaimType == contract.RootCause && w.claim.SupportLevel == contract.Direct && w.symptomOnly() {
		w.add(CodeSymptomOnly, w.ptr+"/support_level", Message{
			ZH: "根因结论标为 direct，但所引证据只显示现象，没有任何原因、错误或事件；应为 indirect",
			EN: "a root cause marked direct on evidence that shows only the symptom: no reason, error or event; it should be indirect",
		})
	}
}

// causal are words of outputs that say why something happened.
var causal = grounding.NewPattern(`(?i)(reason|cause|because|due to|error|exception|fail|refus|not found|notfound|no such|insufficient|exceed|oom|kill|expire|time[d -]?out|denied|forbidden|invalid|conflict|lock|evict|full|no space|missing|unavailable|unable|didn't|cannot|could not|panic|fatal|rejected|原因|导致|由于|报错|失败|错误|异常|超时|拒绝)`)

// symptomOnly reports that nothing cited says why.
func (w *claimWork) symptomOnly() bool {
	located := false
	for _, g := range w.grounds() {
		for _, s := range g.cited {
			located = true
			if causal.Match(g.ev.text.Raw()[s.Start:s.End]) {
				return false
			}
		}
	}
	return located && !strings.Contains(w.claim.ClaimText, "配置")
}
