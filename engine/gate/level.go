package gate

import (
	"encoding/json"
	"fmt"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"
)

// level raises C005 for a claim that its own author does not hold confirmed.
func (w *claimWork) level() {
	switch w.claim.SupportLevel {
	case contract.None, contract.Contradicted:
		w.add(CodeNotConfirmed, w.ptr+"/support_level", Message{
			ZH: fmt.Sprintf("support_level 为 %s，不是已确认的结论", w.claim.SupportLevel),
			EN: fmt.Sprintf("support_level is %s: not a confirmed claim", w.claim.SupportLevel),
		})
		if w.claim.SupportLevel == contract.Contradicted {
			w.rep.Verdict = Contradicted
		}
	case contract.Direct, contract.Indirect:
	}
}

// aboutDocument are cues of a claim that says what a document says, not what is.
var aboutDocument = grounding.NewPattern(`(?i)(runbook|playbook|手册|知识库|文档|预案|指南|历史案例|过往案例|SOP)[^。；;]{0,24}(建议|指出|说明|提到|写明|要求|记载|列出|描述|规定|给出|推荐|提示|认为|将|把|recommends?|says|states|lists|describes|suggests)|(按|根据|依据|参照)[^。；;，,]{0,12}(runbook|手册|知识库|文档|预案|指南|SOP)|according to the (runbook|docs?|documentation|knowledge)`)

// knowledge raises C007 when nothing but knowledge, skill or history text supports a
// claim about the present.
func (w *claimWork) knowledge() {
	var first *boundRef
	for i := range w.bound {
		b := &w.bound[i]
		if b.ev == nil {
			continue
		}
		if kindOf(b.ev.Trace) == trace.Observation && !strings.EqualFold(b.binding.SourceType, contract.SourceLookupBlock) {
			return
		}
		if first == nil {
			first = b
		}
	}
	if first == nil || aboutDocument.MatchString(w.claim.ClaimText) {
		return
	}
	w.add(CodeKnowledge, first.ptr, Message{
		ZH: fmt.Sprintf("该结论只有 %s（%s）的文字支持，知识、技能或历史案例不能证明当前现场", first.ev.Ref, first.ev.ToolName),
		EN: fmt.Sprintf("only text of %s (%s) supports this claim; knowledge, skills and past cases do not show the present", first.ev.Ref, first.ev.ToolName),
	})
}

// documentURL are addresses whose text is documentation.
var documentURL = grounding.NewPattern(`(?i)(runbook|playbook|/docs?/|/wiki/|wiki\.|docs?\.|confluence|readthedocs|kb\.|knowledge)`)

// kindOf is the evidence kind of a trace. Where an import did not declare it, the address
// that a page was fetched from tells too.
func kindOf(t *trace.Trace) trace.Kind {
	if t.Kind == trace.Observation && t.KindGuessed {
		var args struct {
			URL string `json:"url"`
		}
		if json.Unmarshal(t.Arguments, &args) == nil && documentURL.MatchString(args.URL) {
			return trace.Knowledge
		}
	}
	if t.Kind == "" {
		return trace.Observation
	}
	return t.Kind
}
