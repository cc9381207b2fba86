package gate

import (
	"math/big"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/grounding"
)

// known is every number, time and name that the contract states somewhere.
type known struct {
	numbers []grounding.Quantity
	times   []grounding.TimePoint
	text    string // folded and lowered: all texts, for names
	query   grams
}

// knownFacts gathers the facts of all claims with their excerpts, of hypotheses,
// actions and gaps, and of the query.
func knownFacts(c *contract.Contract, query string) known {
	k := known{query: gramsOf(query)}
	var all strings.Builder
	add := func(text string) {
		for _, f := range factsOf(text) {
			switch f.kind {
			case numberFact:
				k.numbers = append(k.numbers, f.num)
			case timeFact:
				k.times = append(k.times, f.at)
			case identFact:
			}
		}
		all.WriteString(strings.ToLower(grounding.Fold(text)))
		all.WriteByte('\n')
	}
	add(query)
	for _, x := range c.Claims {
		add(x.ClaimText)
		for _, b := range x.EvidenceBindings {
			add(b.EvidenceExcerpt)
		}
	}
	for _, x := range c.Hypotheses {
		add(x.HypothesisText)
		add(x.Basis)
		for _, n := range x.NeededEvidence {
			add(n)
		}
	}
	for _, x := range c.RecommendedActions {
		add(x.ActionText)
		add(x.Reason)
	}
	for _, x := range c.MissingInfo {
		add(x)
	}
	k.text = all.String()
	return k
}

// has reports whether the contract has the fact, or makes it one operation away: a
// sum, a difference or a share of two of its numbers.
func (k known) has(f fact) bool {
	switch f.kind {
	case numberFact:
		return k.number(f.num)
	case timeFact:
		for _, t := range k.times {
			if grounding.SameTime(f.at, t) || grounding.SameTime(t, f.at) {
				return true
			}
		}
		return k.mentions(f.text)
	case identFact:
		if k.mentions(f.text) {
			return true
		}
		for _, s := range grounding.Spellings(f.text) {
			if k.mentions(s) {
				return true
			}
		}
		return k.mentionsParts(f.text)
	}
	return true
}

// mentionsParts reports whether every part of a slashed name stands in the contract:
// HTTP/1.0 beside proxy_http_version 1.0.
func (k known) mentionsParts(name string) bool {
	parts := strings.Split(name, "/")
	for _, p := range parts {
		if p == "" || !k.mentions(p) {
			return false
		}
	}
	return len(parts) > 1
}

// mentions reports whether the words stand in the contract, not inside a longer name.
func (k known) mentions(s string) bool {
	s = strings.ToLower(grounding.Fold(s))
	for from := 0; ; {
		i := strings.Index(k.text[from:], s)
		if i < 0 {
			return false
		}
		i += from
		if !wordAt(k.text, i-1) && !wordAt(k.text, i+len(s)) {
			return true
		}
		from = i + 1
	}
}

func wordAt(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= '0' && s[i] <= '9')
}

// termsOf is the share of a statement's Chinese terms of operations that the contract
// words in English, as tools do; 0 for a statement without any.
func (k known) termsOf(statement string) float64 {
	terms := grounding.Terms(statement)
	hit := 0
	for _, stems := range terms {
		for _, stem := range stems {
			if strings.Contains(k.text, stem) {
				hit++
				break
			}
		}
	}
	if len(terms) == 0 {
		return 0
	}
	return float64(hit) / float64(len(terms))
}

// small numbers without a unit are words of prose more often than facts.
var small = two

func (k known) number(q grounding.Quantity) bool {
	if q.Value != nil && q.Words && q.Value.Cmp(one) == 0 {
		return true // 一分钟, 一次: an article more than a number
	}
	if q.Value == nil || !q.HasUnit() && !q.Fraction && q.Dim() == grounding.Count && q.Value.Cmp(small) <= 0 && q.Value.Sign() >= 0 {
		return true
	}
	for _, n := range k.numbers {
		if grounding.Matches(q, n, true) || grounding.Matches(n, q, false) {
			return true
		}
		if n.Fraction && n.Of != nil {
			of := n
			of.Value, of.Fraction, of.Of = n.Of, false, nil
			if grounding.Matches(q, of, true) {
				return true
			}
		}
	}
	return k.derived(q)
}

// derived tries sums, differences and shares of two numbers of one dimension.
func (k known) derived(q grounding.Quantity) bool {
	const enough = 60 // numbers; beyond it anything can be derived from something
	if len(k.numbers) > enough || q.Dim() == grounding.Count && q.Digits() < 3 {
		return false // a small count is the sum of too much
	}
	for i, a := range k.numbers {
		for j, b := range k.numbers {
			if i == j || a.Dim() != b.Dim() || a.Value == nil || b.Value == nil || a.Key || b.Key {
				continue
			}
			ua, ub := a.Units[0], b.Units[0]
			va, vb := a.Base(ua), b.Base(ub)
			try := func(value *big.Rat, like grounding.Quantity) bool {
				x := like
				x.Value, x.Units, x.Ulp = value, like.Units[:1], new(big.Rat)
				x.Value = new(big.Rat).Quo(value, unitScale(like))
				return grounding.Matches(q, x, true)
			}
			if a.Dim() == q.Dim() && (i < j && va.Cmp(vb) != 0 && try(new(big.Rat).Add(va, vb), a) || try(new(big.Rat).Sub(va, vb), a)) {
				return true
			}
			if q.Dim() == grounding.Ratio && vb.Sign() > 0 && va.Cmp(vb) <= 0 {
				share := new(big.Rat).Quo(va, vb)
				if diff := new(big.Rat).Sub(share, q.Base(q.Units[0])); diff.Abs(diff).Cmp(tolerance(q)) <= 0 {
					return true
				}
			}
		}
	}
	return false
}

// unitScale is how many base units one written unit of q is.
func unitScale(q grounding.Quantity) *big.Rat {
	if q.Value.Sign() == 0 {
		return big.NewRat(1, 1)
	}
	return new(big.Rat).Quo(q.Base(q.Units[0]), q.Value)
}

// tolerance is half a written place of a share, or two points for an approximate one.
func tolerance(q grounding.Quantity) *big.Rat {
	t := new(big.Rat).Mul(q.BaseUlp(q.Units[0]), big.NewRat(1, 2))
	if q.Cmp == grounding.About && t.Cmp(big.NewRat(2, 100)) < 0 {
		return big.NewRat(2, 100)
	}
	return t
}
