package gate

import (
	"slices"
	"strings"

	"claimscope/engine/grounding"
)

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
	after := claim[s.End:max(s.End, c.End)]
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
var unstates = grounding.NewPattern(`未(确认|读|消费|提交|分配|知|使用)|无(状态|人值守)`)

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

// nearlyFull are words for a use that leaves little.
var nearlyFull = grounding.NewPattern(`(?i)(接近耗尽|即将耗尽|快要?满|已满|打满|占满|用尽|使用率(很|较|过)高|almost full|nearly full|exhausted)`)

// halfEmpty compares a claim that something is nearly used up with excerpts whose every
// percentage is below a half.
func (w *claimWork) halfEmpty(g []ground) bool {
	return w.refuted(g, nearlyFull, func(n grounding.Number, q grounding.Quantity) (contrary grounding.Span, agrees bool) {
		if q.Units[0].Name == "%" {
			contrary, agrees = q.Span, n.Float >= 50
		}
		return contrary, agrees
	})
}

// refuted compares a claim that says something in words and without a number of its own with
// the numbers of its excerpts: some are contrary to it, and none agrees. judge gives the
// place of a contrary one, an empty span for one that says neither.
func (w *claimWork) refuted(g []ground, says *grounding.Pattern, judge func(grounding.Number, grounding.Quantity) (contrary grounding.Span, agrees bool)) bool {
	claim := w.claim.ClaimText
	m := says.FindStringIndex(claim)
	if m == nil || grounding.Negated(claim, m[0]) || len(grounding.Quantities(claim)) > 0 {
		return false
	}
	var against *evidence
	var at grounding.Span
	for _, x := range g {
		for _, s := range x.exact {
			for _, n := range x.ev.facts.NumbersIn(s) {
				contrary, agrees := judge(n, x.ev.facts.Quantity(n))
				if agrees {
					return false
				}
				if contrary.End > contrary.Start {
					against, at = x.ev, contrary
				}
			}
		}
	}
	if against == nil {
		return false
	}
	w.contrary(against, at, saysOpposite(against, at))
	return true
}

// occurs are words with which a claim says that something happened, or goes on.
var occurs = grounding.NewPattern(`(?i)(出现了?|发生了?|产生了?|持续|不断|频繁|大量)[^，。；,;]{0,12}(失败|错误|报错|异常|丢弃|丢包|重启|超时|拒绝|中断|增长|上升|fail|error|drop|restart|timeout)`)

// allZero compares what a claim says happened, without a number of its own, with excerpts
// whose every number is zero.
func (w *claimWork) allZero(g []ground) bool {
	return w.refuted(g, occurs, func(n grounding.Number, q grounding.Quantity) (contrary grounding.Span, agrees bool) {
		if n.Float == 0 {
			contrary = n.Span
		}
		return contrary, n.Float != 0 && !isEpoch(q)
	})
}
