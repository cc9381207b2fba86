package gate

import (
	"fmt"
	"regexp"
	"slices"
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

// happens are words with which a claim says that a condition holds.
var happens = grounding.NewPattern(`(?i)(已触发|触发了?|处于|存在|出现|发生|检测到|判为|判定为|标记为|认定为|属于|已开启|已启用|生效|已处于|为真|\bis (set|active|true)\b|triggered|detected|has been)`)

// stated reads what a claim says of a condition named at span: an explicit boolean, a
// denial, or that it holds; ok is false when the clause says neither.
func stated(claim string, s grounding.Span) (value, ok bool) {
	if v, ok := explicitBool(claim[s.End:]); ok {
		return v, true
	}
	c := grounding.SegmentAt(claim, s.Start)
	clause := claim[c.Start:c.End]
	if grounding.Negated(claim, s.Start) {
		return false, true
	}
	after := claim[s.End:c.End]
	if strings.HasPrefix(strings.TrimSpace(after), "未") || strings.HasPrefix(strings.TrimSpace(after), "没有") || strings.HasPrefix(strings.TrimSpace(after), "not ") {
		return false, true
	}
	if m := happens.FindStringIndex(clause); m != nil && !grounding.Negated(claim, c.Start+m[0]) {
		return true, true
	}
	return false, false
}

var claimBool = grounding.NewPattern(`(?i)^\s*(?:条件|状态|字段|condition|status)?\s*(?:仍然?|依然|依旧|目前|当前|均|都|还|现)?\s*(?:为|是|=|:|：|均为|都是|is|are|was)\s*["'“]?(true|false)\b`)

func explicitBool(after string) (bool, bool) {
	m := claimBool.FindStringSubmatch(after)
	if m == nil {
		return false, false
	}
	return strings.EqualFold(m[1], "true"), true
}

// booleans compares the conditions that a claim names (MemoryPressure, Ready) with the
// booleans behind their names in the evidence. Cited lines decide; without a cited one,
// all places must agree.
func (w *claimWork) booleans(g []ground) bool {
	claim := w.claim.ClaimText
	for _, tok := range grounding.Tokens(claim) {
		at := strings.Index(claim, tok)
		if len(tok) < 4 || at < 0 || hasDigit(tok) {
			continue // db_003 True: the boolean is of the row, not of its name
		}
		if _, explicit := explicitBool(claim[at+len(tok):]); !explicit && tok == strings.ToLower(tok) && !strings.Contains(tok, "_") {
			continue // a plain word is a field only where the claim gives it a boolean
		}
		want, ok := stated(claim, grounding.Span{Start: at, End: at + len(tok)})
		if !ok {
			continue
		}
		for _, x := range g {
			var yes, no, citedYes, citedNo int
			var place grounding.Span
			for _, s := range x.ev.facts.Ident(tok, maxPlaces) {
				_, line := x.ev.text.Line(s.Start)
				v, ok := grounding.BoolAfter(string(x.ev.text.Raw()[s.End:min(line.End, s.End+80)]), 0)
				if !ok {
					continue
				}
				cited := within(s, x.cited)
				if v {
					yes++
					if cited {
						citedYes++
					}
				} else {
					no++
					if cited {
						citedNo++
					}
				}
				if v != want && (place.End == 0 || cited) {
					place = s
				}
			}
			if citedYes+citedNo > 0 {
				yes, no = citedYes, citedNo
			}
			if want && no > 0 && yes == 0 || !want && yes > 0 && no == 0 {
				w.contrary(x.ev, place, saysOpposite(x.ev, place))
				return true
			}
		}
	}
	return false
}

var keyBool = grounding.NewPattern(`["']?([A-Za-z][\w.-]{2,60})["']?\s*[:=]\s*["']?(true|false|True|False)\b`)

// excerptBooleans compares an excerpt that is one key with its boolean with the clause of
// the claim that translates the key: "network_partitions_detected": true, 未检测到网络分区.
func (w *claimWork) excerptBooleans(g []ground) bool {
	claim := w.claim.ClaimText
	shown := map[bool]bool{}
	var against *evidence
	var place grounding.Span
	for _, x := range g {
		for _, s := range x.exact {
			key, value, ok := onlyBool(x.ev, s)
			if !ok {
				continue
			}
			shown[value] = true
			clause, n := translatedClause(claim, key)
			denied := deniedClause.MatchString(unstates.ReplaceAllString(clause, ""))
			affirmed := !denied && happens.MatchString(clause)
			if n < 2 && (n == 0 || value || !aboutness(key) || !namesAny(claim, string(x.ev.text.Raw()[s.Start:s.End]))) {
				continue
			}
			if (value && denied || !value && affirmed) && against == nil {
				against, place = x.ev, s
			}
		}
	}
	if against == nil || len(shown) != 1 {
		return false // 只有 a 未就绪，b 正常: both are shown
	}
	w.contrary(against, place, saysOpposite(against, place))
	return true
}

// unstates are names of states that begin like a denial: 未确认的消息.
var unstates = regexp.MustCompile(`未(确认|读|消费|提交|分配|知|使用)|无(状态|人值守)`)

// onlyBool reads an excerpt that holds one boolean: behind its key, or in a column.
func onlyBool(e *evidence, s grounding.Span) (key string, value, ok bool) {
	excerpt := e.text.Raw()[s.Start:s.End]
	if m := keyBool.FindAllSubmatchIndex(excerpt, 4); len(m) == 1 {
		return string(excerpt[m[0][2]:m[0][3]]), strings.EqualFold(string(excerpt[m[0][4]:m[0][5]]), "true"), true
	}
	m := cellBool.FindAllIndex(excerpt, 4)
	if len(m) != 1 {
		return "", false, false
	}
	key = e.facts.Shape().FieldAt(s.Start + m[0][0])
	return key, strings.EqualFold(string(excerpt[m[0][0]:m[0][1]]), "true"), aboutness(key)
}

var cellBool = grounding.NewPattern(`\b(True|False|true|false)\b`)

// aboutness reports a key that says in one word what its row is: is_anomaly, abnormal.
func aboutness(key string) bool {
	words := slices.DeleteFunc(grounding.NameWords(key), func(w string) bool { return w == "is" || w == "has" })
	return len(words) == 1 && (strings.HasPrefix(key, "is_") || words[0] == "anomaly" || words[0] == "abnormal" || words[0] == "firing")
}

var deniedClause = grounding.NewPattern(`(?i)(未|没有|无|并非|不存在|\bnot\b|\bno\b)`)

// translatedClause finds the clause of a claim that uses most words of a field name, in
// Chinese or as they are, and counts them.
func translatedClause(claim, key string) (clause string, n int) {
	words := grounding.NameWords(key)
	for _, c := range grounding.Segments(claim) {
		text := claim[c.Start:c.End]
		lower := strings.ToLower(text)
		terms := grounding.Terms(text)
		hits := 0
		for _, w := range words {
			if len(w) >= 3 && (strings.Contains(lower, w) || translates(terms, w)) {
				hits++
			}
		}
		if hits > n {
			clause, n = text, hits
		}
	}
	return clause, n
}

func translates(terms [][]string, word string) bool {
	for _, t := range terms {
		for _, en := range t[1:] {
			if strings.HasPrefix(word, en) || strings.HasPrefix(en, word) {
				return true
			}
		}
	}
	return false
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

// nearlyFull are words for a use that leaves little.
var nearlyFull = grounding.NewPattern(`(?i)(接近耗尽|即将耗尽|快要?满|已满|打满|占满|用尽|使用率(很|较|过)高|almost full|nearly full|exhausted)`)

// halfEmpty compares a claim that something is nearly used up with excerpts whose every
// percentage is below a half.
func (w *claimWork) halfEmpty(g []ground) bool {
	claim := w.claim.ClaimText
	m := nearlyFull.FindStringIndex(claim)
	if m == nil || grounding.Negated(claim, m[0]) || len(grounding.Quantities(claim)) > 0 {
		return false
	}
	var low *evidence
	var at grounding.Span
	for _, x := range g {
		for _, s := range x.exact {
			for _, n := range x.ev.facts.NumbersIn(s) {
				q := x.ev.facts.Quantity(n)
				if q.Units[0].Name != "%" {
					continue
				}
				if n.Float >= 50 {
					return false
				}
				low, at = x.ev, q.Span
			}
		}
	}
	if low == nil {
		return false
	}
	w.contrary(low, at, saysOpposite(low, at))
	return true
}

// occurs are words with which a claim says that something happened, or goes on.
var occurs = grounding.NewPattern(`(?i)(出现了?|发生了?|产生了?|持续|不断|频繁|大量)[^，。；,;]{0,12}(失败|错误|报错|异常|丢弃|丢包|重启|超时|拒绝|中断|增长|上升|fail|error|drop|restart|timeout)`)

// allZero compares what a claim says happened, without a number of its own, with excerpts
// whose every number is zero.
func (w *claimWork) allZero(g []ground) bool {
	claim := w.claim.ClaimText
	m := occurs.FindStringIndex(claim)
	if m == nil || grounding.Negated(claim, m[0]) || len(grounding.Quantities(claim)) > 0 {
		return false
	}
	var zero *evidence
	var at grounding.Span
	for _, x := range g {
		for _, s := range x.exact {
			for _, n := range x.ev.facts.NumbersIn(s) {
				q := x.ev.facts.Quantity(n)
				switch {
				case n.Float == 0:
					zero, at = x.ev, n.Span
				case !isEpoch(q):
					return false
				}
			}
		}
	}
	if zero == nil {
		return false
	}
	w.contrary(zero, at, saysOpposite(zero, at))
	return true
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
