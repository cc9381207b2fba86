package gate

import (
	"strings"

	"claimscope/engine/grounding"
)

// timeMoves are words between a time and a number that make the time a bound, not the
// number's own: 08 点起由 358 个增至 …
var timeMoves = grounding.NewPattern(`(?i)(由|从|起|前|后|自|到|至|内|期间|以来|之间|~|since|from|until|to\b|before|after)`)

// startsFrom is a word right before a time that makes it the beginning of a stretch.
var startsFrom = grounding.NewPattern(`(?i)(从|自|由|since|from) ?(北京时间|UTC)? ?$`)

// plainNames are the lower-case words of a clause that could be names: metabase.
func plainNames(clause string) []string {
	var out []string
	for _, w := range grounding.Tokens(clause) {
		if len(w) >= 3 && w == strings.ToLower(w) && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" && !stopWords[w] && !grounding.Ordinary(w) {
			out = append(out, w)
		}
	}
	return out
}

// anotherThing is a word right before a number, or before its parenthesis, that makes it
// another thing's: 前一天（41 个）, 其余 4 个.
var anotherThing = grounding.NewPattern(`(?i)(前一[^，。]|前[天日]|昨[天日]|上一[^，。]|上[周月]|其他|其它|其余|另一?[个台]?|另外|别的|同期|对照|(than|previous|other)) ?[^，。；,;（(]{0,12}[（(]?[^，。；,;（()）]{0,8}$`)

// ownersOf lists the entities that number i of the claim belongs to: those of its
// clause, else those of the nearest clause before it that has any.
func ownersOf(text string, facts []fact, i int) []entity {
	times := 0
	for _, f := range facts {
		if f.kind == timeFact {
			times++
		}
	}
	oneTime := times == 1 // with more than one, which is whose is unclear
	byClause := func(c grounding.Span) []entity {
		var out []entity
		for _, f := range facts {
			if f.span.Start < c.Start || f.span.Start >= c.End || f.span == facts[i].span {
				continue
			}
			if f.kind == timeFact && (startsFrom.MatchString(text[:f.span.Start]) || timeMoves.MatchString(text[f.span.End:max(f.span.End, facts[i].span.Start)]) || timeMoves.MatchString(text[facts[i].span.End:max(facts[i].span.End, f.span.Start)])) {
				continue
			}
			if f.kind == identFact && !strings.ContainsAny(f.text, " ") || f.kind == numberFact && f.num.Key || f.kind == timeFact && f.at.HasClock && oneTime {
				out = append(out, entity{f: f, label: f.text})
			}
		}
		for _, w := range plainNames(text[c.Start:c.End]) {
			out = append(out, entity{f: fact{kind: identFact, text: w, name: w}, label: w, whole: true})
		}
		return out
	}
	clauses := grounding.Segments(text)
	at := len(clauses) - 1
	for at > 0 && clauses[at].Start > facts[i].span.Start {
		at--
	}
	if at > 0 && anotherThing.MatchString(text[max(0, clauses[at].Start-30):facts[i].span.Start]) {
		return nil
	}
	for own := true; at >= 0; at-- {
		if !own && contrast.MatchString(text[clauses[at+1].Start:clauses[at+1].End]) {
			return nil
		}
		own = false
		if out := byClause(clauses[at]); len(out) > 0 {
			return out
		}
		if at > 0 && strings.ContainsAny(text[clauses[at-1].End:clauses[at].Start], "。；;!?！？\n") {
			return nil // another sentence
		}
	}
	return nil
}

// contrast are beginnings of a clause that turns to something else than the one before.
var contrast = grounding.NewPattern(`(?i)^\s*(而|但|其余|其他|其它|另外?|剩|相比|对比|反观|while|whereas|but|the (others?|rest))`)
