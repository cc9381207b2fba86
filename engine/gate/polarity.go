package gate

import (
	"fmt"
	"strings"

	"claimscope/engine/grounding"
)

// polarity raises C006: the cited evidence says the opposite of the claim.
func (w *claimWork) polarity() {
	g := w.grounds()
	if len(g) == 0 {
		return
	}
	if w.booleans(g) || w.statuses(g, true) || w.excerptBooleans(g) || w.antonyms(g) || w.acts(g) || w.universal(g) || w.deniedState(g) || w.allZero(g) || w.halfEmpty(g) || w.trend() {
		return
	}
	w.direction(g)
}

func (w *claimWork) contrary(ev *evidence, s grounding.Span, msg Message) {
	w.add(CodePolarity, w.ptr+"/claim_text", msg, Place{TraceRef: ev.Ref, Span: s, Role: "contrary"})
}

func saysOpposite(ev *evidence, s grounding.Span) Message {
	return Message{
		ZH: fmt.Sprintf("证据说的相反：%s 第 %d 行是 %s", ev.Ref, ev.lineNo(s), ev.snippet(s)),
		EN: fmt.Sprintf("the evidence says the opposite: line %d of %s is %s", ev.lineNo(s), ev.Ref, ev.snippet(s)),
	}
}

// antonyms compares what the claim asserts with the words of the cited excerpts: they
// must say the opposite and nothing of the claimed side.
func (w *claimWork) antonyms(g []ground) bool {
	for _, a := range grounding.Antonyms {
		pos, neg := a.Asserted(w.claim.ClaimText)
		if pos == neg {
			continue
		}
		evPos, evNeg := a.EvPos, a.EvNeg
		if neg {
			evPos, evNeg = evNeg, evPos
		}
		agree := false
		alone := len(g) == 1 && len(g[0].exact) == 1 // of several excerpts some are of other things
		var against *evidence
		var place grounding.Span
		for _, x := range g {
			for _, s := range x.cited {
				// The lines around an excerpt may agree; only the excerpt itself refutes. A denial
				// of the other side agrees too: no errors were found.
				text := string(x.ev.text.Raw()[s.Start:s.End])
				if _, ok := grounding.Shown(evPos, text); ok {
					agree = true
				}
				if at := evNeg.FindStringIndex(text); at != nil && grounding.Negated(text, at[0]) {
					agree = true
				}
			}
			for _, s := range x.exact {
				if m, ok := grounding.Shown(evNeg, string(x.ev.text.Raw()[s.Start:s.End])); ok && against == nil && (alone || namesAny(w.claim.ClaimText, string(x.ev.text.Raw()[s.Start:s.End]))) {
					against, place = x.ev, grounding.Span{Start: s.Start + m.Start, End: s.Start + m.End}
				}
			}
		}
		if against != nil && !agree {
			w.contrary(against, place, saysOpposite(against, place))
			return true
		}
	}
	return false
}

// maxActBytes bounds the report of one act.
const maxActBytes = 240

// acts compares an act that a claim says was done, or was not, with an excerpt that reports
// it of the same thing: 未能驱逐 beside "pod/web-1 evicted".
func (w *claimWork) acts(g []ground) bool {
	claim := w.claim.ClaimText
	for _, a := range grounding.Acts() {
		pos, neg := plain(a.Pos, claim), plain(a.Neg, claim)
		if pos == neg {
			continue
		}
		mine, other := a.EvPos, a.EvNeg
		if neg {
			mine, other = other, mine
		}
		for _, x := range g {
			for _, s := range x.exact {
				text := string(x.ev.text.Raw()[s.Start:s.End])
				lines := x.ev.lines(s)
				around := string(x.ev.text.Raw()[lines.Start:lines.End])
				if len(text) > maxActBytes || mine.MatchString(around) || neg && failing.MatchString(around) {
					continue
				}
				m, ok := grounding.Shown(other, text)
				if !ok || !namesAny(claim, around) {
					continue
				}
				place := grounding.Span{Start: s.Start + m.Start, End: s.Start + m.End}
				w.contrary(x.ev, place, saysOpposite(x.ev, place))
				return true
			}
		}
	}
	return false
}

// plain reports a match that is not denied.
func plain(re *grounding.Pattern, claim string) bool {
	for _, m := range re.FindAllStringIndex(claim, 8) {
		if !grounding.Negated(claim, m[0]) {
			return true
		}
	}
	return false
}

// failing are words of an outcome that the participle beside them does not tell.
var failing = grounding.NewPattern(`(?i)(error|fail|retry|pending|partial|timed? ?out|失败|重试)`)

// namesAny reports that a text holds a name of the claim, or that the claim names nothing.
func namesAny(claim, text string) bool {
	ids := grounding.Identifiers(claim)
	lower := []byte(strings.ToLower(text))
	for _, id := range ids {
		if len(grounding.FindIdent(lower, strings.ToLower(grounding.Narrow(id.Text)), 1)) > 0 {
			return true
		}
	}
	return len(ids) == 0
}

// everything are words that leave no exception to the state behind them.
var everything = grounding.NewPattern(`(?i)(全部|全都|所有[^，。；,]{0,12}(均|都)?|无一例外|均|\ball\b[^,.;]{0,16})(为|是|已|处于|are|were)? ?$`)

// universal compares what a claim says of all with the excerpts, none of which may show
// the contrary of one.
func (w *claimWork) universal(g []ground) bool {
	claim := w.claim.ClaimText
	for _, a := range grounding.Antonyms {
		if a.Name != "readiness" && a.Name != "reach" {
			continue
		}
		pos, neg := a.Asserted(claim)
		m := a.Pos.FindStringIndex(claim)
		if !pos || neg || m == nil || !everything.MatchString(claim[:m[0]]) && !strings.ContainsAny(claim[m[0]:min(m[1], m[0]+6)], "全均都") {
			continue
		}
		for _, x := range g {
			for _, s := range x.exact {
				if at, ok := grounding.Shown(a.EvNeg, string(x.ev.text.Raw()[s.Start:s.End])); ok {
					place := grounding.Span{Start: s.Start + at.Start, End: s.Start + at.End}
					w.contrary(x.ev, place, saysOpposite(x.ev, place))
					return true
				}
			}
		}
	}
	return false
}

// stateName are names of states and happenings: CrashLoopBackOff, OOMKilled, FailedMount,
// TimeoutException.
var stateName = grounding.NewPattern(`^[A-Z]\w*(ed|ing|Off|Failure|Pressure|Error|Exception)$|^(Failed|Evicted|OOM)[A-Z]\w+$`)

// deniedBefore is a denial right before a name.
var deniedBefore = grounding.NewPattern(`(?i)((未|没有|没|并未|并没有|不|无)(再)?(处于|出现|发生|抛出|发现|触发|进入|报|有|是)?|\b(no|not( in)?|never|without)) ?$`)

// deniedState compares a state that the claim denies with the excerpt, which must not
// show it: 未处于 CrashLoopBackOff.
func (w *claimWork) deniedState(g []ground) bool {
	claim := w.claim.ClaimText
	for _, id := range grounding.Identifiers(claim) {
		if !stateName.MatchString(id.Text) || !deniedBefore.MatchString(claim[:id.Span.Start]) {
			continue
		}
		for _, x := range g {
			for _, s := range inSpans(x.ev.facts.Ident(id.Text, maxPlaces), x.exact, 1) {
				_, line := x.ev.text.Line(s.Start)
				text := string(x.ev.text.Raw()[line.Start:line.End])
				_, isBool := grounding.BoolAfter(text, s.End-line.Start)
				if isBool || grounding.Negated(text, s.Start-line.Start) {
					continue
				}
				w.contrary(x.ev, s, saysOpposite(x.ev, s))
				return true
			}
		}
	}
	return false
}

var (
	fromTo  = grounding.NewPattern(`(?i)(?:从|由|from)([^，。；,;]{1,60}?)(上升|升高|升至|升到|增加|增长|增至|增大|上涨|涨到|攀升|飙升|猛增|扩到|下降|降低|降至|降到|降为|减少|减小|下跌|跌到|回落|缩短|缩到|to)([^，。；]{1,40})`)
	growing = grounding.NewPattern(`^(上升|升高|升至|升到|增加|增长|增至|增大|上涨|涨到|攀升|飙升|猛增|扩到)$`)
)

// trend compares 从 a 下降到 b with its own numbers: both are in the evidence, and the
// second is not the smaller.
func (w *claimWork) trend() bool {
	claim := w.claim.ClaimText
	m := fromTo.FindStringSubmatchIndex(claim)
	if m == nil || claim[m[4]:m[5]] == "to" {
		return false
	}
	before, after := grounding.Quantities(claim[m[2]:m[3]]), grounding.Quantities(claim[m[6]:m[7]])
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	a, b := before[len(before)-1], after[0]
	if a.Dim() != b.Dim() || a.Units[0].Name != b.Units[0].Name && a.Units[0].Name != "" {
		return false
	}
	cmp := b.Base(b.Units[0]).Cmp(a.Base(a.Units[0]))
	if up := growing.MatchString(claim[m[4]:m[5]]); up && cmp >= 0 || !up && cmp <= 0 {
		return false
	}
	w.add(CodePolarity, w.ptr+"/claim_text", Message{
		ZH: fmt.Sprintf("方向与数值相反：%s 与 %s 之间不是 %s", quoteShort(a.Text), quoteShort(b.Text), claim[m[4]:m[5]]),
		EN: fmt.Sprintf("the direction is the reverse of the numbers %s and %s: %s", quoteShort(a.Text), quoteShort(b.Text), quoteShort(claim[m[4]:m[5]])),
	})
	return true
}

var (
	evidenceFromTo = grounding.NewPattern(`(?i)(?:from|由|从)\s*(\d+(?:\.\d+)?)\s*(?:to|到|至|->|→)\s*(\d+(?:\.\d+)?)`)
	claimFromTo    = grounding.NewPattern(`(?i)(?:from|由|从)\s*(\d+(?:\.\d+)?)[^，。；,;]{0,12}?(?:to|到|至|->|→)\s*(\d+(?:\.\d+)?)`)
)

// direction compares "from a to b" with the evidence's own, which must not be the reverse.
func (w *claimWork) direction(g []ground) {
	m := claimFromTo.FindStringSubmatch(w.claim.ClaimText)
	if m == nil || m[1] == m[2] {
		return
	}
	for _, x := range g {
		for _, s := range x.cited {
			for _, at := range evidenceFromTo.FindAllSubmatchIndex(x.ev.text.Raw()[s.Start:s.End], 8) {
				text := x.ev.text.Raw()[s.Start:s.End]
				from, to := string(text[at[2]:at[3]]), string(text[at[4]:at[5]])
				if from == m[1] && to == m[2] {
					return
				}
				if from == m[2] && to == m[1] {
					place := grounding.Span{Start: s.Start + at[0], End: s.Start + at[1]}
					w.contrary(x.ev, place, saysOpposite(x.ev, place))
					return
				}
			}
		}
	}
}
