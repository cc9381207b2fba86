package gate

import (
	"fmt"
	"strings"

	"claimscope/engine/grounding"
)

// statusWords are words with which tables and replies give the state of a thing. Words of
// one line exclude each other.
var statusWords = [][]string{
	{"Running", "Pending", "Failed", "Error", "Completed", "Succeeded", "Unknown", "Terminating", "CrashLoopBackOff", "Evicted", "ContainerCreating", "ImagePullBackOff", "ErrImagePull", "OOMKilled", "NotReady", "Ready"},
	{"UP", "DOWN", "MAINT", "DRAIN"},
	{"PRIMARY", "SECONDARY", "ARBITER"},
	{"master", "slave"},
	{"leader", "follower", "candidate"},
	{"green", "yellow", "red"},
	{"true", "false"},
	{"active", "inactive"},
	{"enabled", "disabled"},
	{"online", "offline"},
	{"healthy", "unhealthy"},
	{"Bound", "Lost", "Released"},
	{"SUCCESS", "FAILED", "RUNNING", "CANCELED", "KILLED"},
	{"succeeded", "failed", "rolledback", "superseded", "deployed"},
	{"open", "closed", "close"},
}

// statusClass maps a status word in lower case to its line above.
var statusClass = func() map[string]int {
	m := map[string]int{}
	for i, ws := range statusWords {
		for _, w := range ws {
			if _, dup := m[strings.ToLower(w)]; !dup {
				m[strings.ToLower(w)] = i
			}
		}
	}
	return m
}()

// statuses raises C004 for a status that the evidence gives to another thing: the row or
// object of the one thing that the clause names has another word of its kind.
// A boolean turned around is C006, and asked for apart.
func (w *claimWork) statuses(g []ground, booleans bool) bool {
	code := CodeOtherEntity
	if booleans {
		code = CodePolarity
	}
	text := w.claim.ClaimText
	for _, clause := range grounding.Clauses(text) {
		owner, ok := onlyName(text, clause)
		if !ok {
			continue
		}
		for _, tok := range grounding.Tokens(text[clause.Start:clause.End]) {
			class, known := statusClass[strings.ToLower(tok)]
			known = known && (class == statusClass["true"]) == booleans && oneStatus(text[clause.Start:clause.End], class)
			at := clause.Start + strings.Index(text[clause.Start:clause.End], tok)
			if !known || grounding.Negated(text, at) {
				continue
			}
			for _, x := range g {
				own, place, ok := otherStatus(owner, tok, class, x.ev)
				if !ok {
					continue
				}
				w.add(code, w.ptr+"/claim_text", Message{
					ZH: fmt.Sprintf("%s 第 %d 行：%s 的状态是 %s，不是 %s", x.ev.Ref, x.ev.lineNo(place), quoteShort(owner), quoteShort(own), quoteShort(tok)),
					EN: fmt.Sprintf("line %d of %s: the state of %s is %s, not %s", x.ev.lineNo(place), x.ev.Ref, quoteShort(owner), quoteShort(own), quoteShort(tok)),
				}, Place{TraceRef: x.ev.Ref, Span: place, Role: "own"})
				return true
			}
		}
	}
	return false
}

// oneStatus reports that a clause has one word of a class: with two, which is whose is
// unclear.
func oneStatus(clause string, class int) bool {
	word := ""
	for _, tok := range grounding.Tokens(clause) {
		l := strings.ToLower(tok)
		if c, ok := statusClass[l]; ok && c == class && l != word {
			if word != "" {
				return false
			}
			word = l
		}
	}
	return true
}

// onlyName is the one name that a clause speaks of.
func onlyName(text string, clause grounding.Span) (string, bool) {
	name := ""
	for _, id := range grounding.Identifiers(text) {
		if id.Span.Start < clause.Start || id.Span.End > clause.End {
			continue
		}
		n := grounding.Narrow(id.Text)
		if _, status := statusClass[strings.ToLower(n)]; status {
			continue
		}
		if name != "" && name != n {
			return "", false
		}
		name = n
	}
	return name, name != ""
}

// otherStatus looks at the rows and objects that the name identifies: none may hold the
// status, and one must hold another of its class.
func otherStatus(name, status string, class int, e *evidence) (own string, place grounding.Span, found bool) {
	shape := e.facts.Shape()
	if len(e.args.Ident(name, 1)) > 0 && e.facts.Contains(strings.ToLower(status)) {
		return "", grounding.Span{}, false // the output is all of the one thing, which has many states
	}
	for _, s := range clip(findName(e.facts, name, 32), 32) {
		rec, slot, ok := shape.SlotOf(s)
		if !ok || rec.Span.End-rec.Span.Start >= 4096 {
			continue
		}
		whole, ok := shape.InSlot(s.Start, slot)
		if !ok || isProse(e.text.Raw()[whole.Start:whole.End]) {
			continue
		}
		row := string(e.text.Raw()[rec.Span.Start:rec.Span.End])
		if len(grounding.FindIdent([]byte(strings.ToLower(row)), strings.ToLower(status), 1)) > 0 {
			return "", grounding.Span{}, false
		}
		for _, tok := range grounding.Tokens(row) {
			if c, known := statusClass[strings.ToLower(tok)]; known && c == class {
				at := rec.Span.Start + strings.Index(row, tok)
				own, place, found = tok, grounding.Span{Start: at, End: at + len(tok)}, true
			}
		}
	}
	return own, place, found
}
