package verdict

import (
	"fmt"
	"strings"

	"claimscope/engine/contract"
)

// ParseVerifier reads the Verifier's reply (spec P9).
//
// With claims, the result holds exactly one check for each, in their order: a
// claim without a verdict is NotChecked, several verdicts on one claim count as
// the worst, and verdicts on unknown claims are noted and left out. With fallback
// (spec P8, step 3) the reply's own claims are taken as they come, and claims may
// lend their text to a check that gives an id only.
//
// The reply may be fenced, wrapped in prose, slightly broken JSON, or worded in
// Chinese; Notes say what was read leniently. One bad verdict never voids the
// others. Err is set when no object with claim_checks or a decision was found.
func ParseVerifier(reply string, claims []contract.Claim, fallback bool) Result {
	object, notes, err := readObject(reply)
	if err != nil {
		return Result{ClaimChecks: []ClaimCheck{}, ExtraFacts: []ExtraFact{}, Err: err.Error()}
	}
	p := resultReader{notes: notes}
	checks := member(object, "claim_checks", "checks", "claims")
	decision := member(object, "decision", "verdict")
	if checks == nil && decision == nil {
		return Result{ClaimChecks: []ClaimCheck{}, ExtraFacts: []ExtraFact{},
			Err: "the reply holds a JSON object with neither claim_checks nor decision"}
	}
	read := p.checks(checks)
	r := Result{Summary: text(member(object, "summary")), ExtraFacts: p.extraFacts(member(object, "extra_facts"))}
	if fallback {
		r.ClaimChecks = p.fallback(read, claims)
	} else {
		r.ClaimChecks = p.match(read, claims)
	}
	r.Decision = p.decision(decision)
	r.Notes = p.notes
	return r
}

// resultReader collects notes while it reads.
type resultReader struct{ notes []string }

func (p *resultReader) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// checks reads the claim checks in the order written. An object keyed by claim id
// is read as well.
func (p *resultReader) checks(n *contract.Node) []ClaimCheck {
	items := list(n)
	keyed := n != nil && n.Kind == contract.ObjectNode && member(n, "claim_id", "id", "verdict") == nil
	if keyed {
		items = n.Items
		p.note("claim_checks is an object; its keys were read as claim ids")
	}
	out := []ClaimCheck{}
	for i, item := range items {
		if len(out) == maxResultItems {
			p.note("claim_checks: %d entries after the first %d were left out", len(items)-i, maxResultItems)
			break
		}
		c := ClaimCheck{EvidenceRefs: texts(member(item, "evidence_refs", "evidence", "refs"))}
		word := text(member(item, "verdict", "status", "result"))
		if item.Kind == contract.ObjectNode {
			c.ClaimID = strings.TrimSpace(text(member(item, "claim_id", "id")))
			c.ClaimText = strings.TrimSpace(text(member(item, "claim_text", "text", "claim")))
			c.Reason = text(member(item, "reason", "reasoning", "explanation"))
		} else if keyed {
			word = text(item)
		} else {
			p.note("claim_checks/%d is no object and was left out", i)
			continue
		}
		if keyed && c.ClaimID == "" {
			c.ClaimID = strings.TrimSpace(item.Key)
		}
		c.Verdict = p.verdict(word, fmt.Sprintf("claim_checks/%d", i))
		out = append(out, c)
	}
	return out
}

// verdict reads an enum word; an unknown one is NotChecked, which never passes.
func (p *resultReader) verdict(word, where string) CheckVerdict {
	v, ok := parseCheckWord(word)
	if !ok {
		p.note("%s: %q is no verdict and counts as not_checked", where, clip(word, 60))
		return NotChecked
	}
	if string(v) != word {
		p.note("%s: verdict %q was read as %s", where, clip(word, 60), v)
	}
	return v
}

func (p *resultReader) decision(n *contract.Node) Decision {
	word := text(n)
	d, ok := parseDecisionWord(word)
	switch {
	case n == nil:
		p.note("no decision given")
	case !ok:
		p.note("%q is no decision", clip(word, 60))
	case string(d) != word:
		p.note("decision %q was read as %s", clip(word, 60), d)
	}
	return d
}

func (p *resultReader) extraFacts(n *contract.Node) []ExtraFact {
	out := []ExtraFact{}
	items := list(n)
	for i, item := range items {
		if len(out) == maxResultItems {
			p.note("extra_facts: %d entries after the first %d were left out", len(items)-i, maxResultItems)
			break
		}
		if item.Kind != contract.ObjectNode {
			if s := text(item); s != "" {
				p.note("extra_facts/%d is a bare text; it counts as insufficient", i)
				out = append(out, ExtraFact{Text: s, Verdict: Insufficient})
			}
			continue
		}
		f := ExtraFact{Text: text(member(item, "text", "fact", "extra_fact")), Reason: text(member(item, "reason", "explanation"))}
		f.Verdict = p.verdict(text(member(item, "verdict", "status")), fmt.Sprintf("extra_facts/%d", i))
		out = append(out, f)
	}
	return out
}

// match brings the checks to one a claim, in the claims' order.
func (p *resultReader) match(read []ClaimCheck, claims []contract.Claim) []ClaimCheck {
	byID := map[string]ClaimCheck{}
	resolve := idResolver(claims)
	for _, c := range read {
		id, ok := resolve(c.ClaimID)
		if !ok {
			p.note("a check on claim %q, which does not exist, was left out", clip(c.ClaimID, 60))
			continue
		}
		before, seen := byID[id]
		if seen {
			p.note("claim %q was checked more than once; the worst verdict counts", clip(c.ClaimID, 60))
		}
		if !seen || before.Verdict.Worse(c.Verdict) != before.Verdict {
			byID[id] = c
		}
	}
	out := make([]ClaimCheck, 0, len(claims))
	missing := 0
	for _, claim := range claims {
		c, ok := byID[claim.ClaimID]
		if !ok {
			missing++
			c = ClaimCheck{Verdict: NotChecked, EvidenceRefs: []string{}}
		}
		c.ClaimID, c.ClaimText = claim.ClaimID, ""
		out = append(out, c)
	}
	if missing > 0 {
		p.note("%d of %d claims have no verdict", missing, len(claims))
	}
	return out
}

// idResolver finds the claim id that a reply means: the very id, or the only one
// that differs from it in case and outer spaces alone.
func idResolver(claims []contract.Claim) func(string) (string, bool) {
	exact := map[string]bool{}
	folded := map[string][]string{}
	for _, c := range claims {
		if !exact[c.ClaimID] {
			exact[c.ClaimID] = true
			folded[idKey(c.ClaimID)] = append(folded[idKey(c.ClaimID)], c.ClaimID)
		}
	}
	return func(id string) (string, bool) {
		if exact[id] {
			return id, true
		}
		if ids := folded[idKey(id)]; len(ids) == 1 {
			return ids[0], true
		}
		return "", false
	}
}

// fallback takes the reply's own claims. A check without a text has judged
// nothing that a reader could see: it cannot count as supported.
func (p *resultReader) fallback(read []ClaimCheck, claims []contract.Claim) []ClaimCheck {
	seen := map[string]int{}
	out := []ClaimCheck{}
	for i, c := range read {
		if c.ClaimID == "" {
			c.ClaimID = fmt.Sprintf("nl-%d", i+1)
		}
		if c.ClaimText == "" {
			c.ClaimText = textOf(claims, c.ClaimID)
		}
		if c.ClaimText == "" {
			p.note("claim %q has no claim_text and counts as not_checked", clip(c.ClaimID, 60))
			c.Verdict = c.Verdict.Worse(NotChecked)
		}
		if at, dup := seen[idKey(c.ClaimID)]; dup {
			p.note("claim %q was checked more than once; the worst verdict counts", clip(c.ClaimID, 60))
			if out[at].Verdict.Worse(c.Verdict) != out[at].Verdict {
				out[at] = c
			}
			continue
		}
		seen[idKey(c.ClaimID)] = len(out)
		out = append(out, c)
	}
	return out
}

func textOf(claims []contract.Claim, id string) string {
	for _, c := range claims {
		if idKey(c.ClaimID) == idKey(id) {
			return c.ClaimText
		}
	}
	return ""
}

// idKey makes claim ids comparable: models change their case, and add spaces.
func idKey(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

// clip cuts s to at most n runes, marking the cut.
func clip(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}
