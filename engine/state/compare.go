package state

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"claimscope/engine/contract"
	"claimscope/engine/verdict"
)

// Change says how a claim of one session stands to its counterpart in another.
type Change uint8

// The changes, the most telling first.
const (
	Flipped  Change = iota // the verdict is another one
	Lost                   // only the first session claims it
	Gained                 // only the second session claims it
	Reworded               // the same verdict on other words
	Rebound                // the same words on other evidence
	Same
)

// ComparedClaim is a claim with its final verdict. Before routing, and in an import
// without one, the verdict is "".
type ComparedClaim struct {
	contract.Claim
	Index    int // in its session's claims
	Verdict  verdict.CheckVerdict
	Reason   string
	ReasonZH string
}

// ClaimPair is a claim of two sessions. A is nil for one that was gained, B for one
// that was lost.
type ClaimPair struct {
	A, B   *ComparedClaim
	Change Change
}

// Comparison sets the last attempts of two sessions side by side.
type Comparison struct {
	Pairs []ClaimPair // changed verdicts first, then by place
	// Prompts are the names of the prompts that differ, in order.
	Prompts []string
}

// Count is how many pairs have a change.
func (c *Comparison) Count(x Change) int {
	n := 0
	for i := range c.Pairs {
		if c.Pairs[i].Change == x {
			n++
		}
	}
	return n
}

// Compare sets the claims of two sessions side by side. Claims belong together when
// their texts are equal; else when they have the same id and somewhat similar texts;
// else when their texts are very similar.
func Compare(a, b *Session) Comparison {
	as, bs := comparedClaims(a), comparedClaims(b)
	m := matcher{a: as, b: bs, gramsA: allGrams(as), gramsB: allGrams(bs), toB: make([]int, len(as)), toA: make([]int, len(bs))}
	m.run()
	var out Comparison
	for i := range as {
		p := ClaimPair{A: &as[i], Change: Lost}
		if j := m.toB[i]; j >= 0 {
			p.B = &bs[j]
			p.Change = changeOf(p.A, p.B)
		}
		out.Pairs = append(out.Pairs, p)
	}
	for j := range bs {
		if m.toA[j] < 0 {
			out.Pairs = append(out.Pairs, ClaimPair{B: &bs[j], Change: Gained})
		}
	}
	slices.SortStableFunc(out.Pairs, func(x, y ClaimPair) int { return cmp.Compare(x.Change, y.Change) })
	for name, p := range b.Header.Prompts {
		if q, ok := a.Header.Prompts[name]; ok && q.SHA256 != p.SHA256 {
			out.Prompts = append(out.Prompts, name)
		}
	}
	slices.Sort(out.Prompts)
	return out
}

// comparedClaims lists the claims of the last attempt with their verdicts; those that
// the Verifier took from the text itself come last.
func comparedClaims(s *Session) []ComparedClaim {
	at := s.Current()
	var out []ComparedClaim
	final := at.Claims()
	add := func(c contract.Claim, f *verdict.FinalClaim) {
		x := ComparedClaim{Claim: c, Index: len(out)}
		if f != nil {
			x.Verdict, x.Reason, x.ReasonZH = f.Verdict, f.Reason, f.ReasonZH
		}
		out = append(out, x)
	}
	if c := at.Structured(); c != nil {
		for i := range c.Claims {
			var f *verdict.FinalClaim
			if i < len(final) && final[i].Pointer != "" {
				f = &final[i] // routing lists the contract's claims first, in order
			}
			add(c.Claims[i], f)
		}
	}
	for i := range final {
		if final[i].Pointer == "" {
			add(contract.Claim{ClaimID: final[i].ClaimID, ClaimText: final[i].Text}, &final[i])
		}
	}
	return out
}

func changeOf(a, b *ComparedClaim) Change {
	switch {
	case a.Verdict != b.Verdict:
		return Flipped
	case a.ClaimText != b.ClaimText || a.ClaimType != b.ClaimType || a.SupportLevel != b.SupportLevel:
		return Reworded
	case !slices.EqualFunc(a.EvidenceBindings, b.EvidenceBindings, sameBinding):
		return Rebound
	}
	return Same
}

func sameBinding(a, b contract.Binding) bool {
	return a.SourceType == b.SourceType && a.SourceID == b.SourceID && a.ToolName == b.ToolName &&
		a.EvidenceExcerpt == b.EvidenceExcerpt && slices.Equal(a.SourceInvocationIDs, b.SourceInvocationIDs)
}

// The Dice coefficients of character pairs from which claims belong together: of the
// same id, and of any.
const (
	similarSameID = 0.35
	similarAny    = 0.6
)

// maxPairs bounds the work of matching by similarity, in pairs of claims: sessions
// with more of them are matched by text and id.
const maxPairs = 250_000

// matcher finds the counterpart of each claim; -1 for none.
type matcher struct {
	a, b           []ComparedClaim
	gramsA, gramsB []grams
	toB, toA       []int
}

func (m *matcher) run() {
	for i := range m.toB {
		m.toB[i] = -1
	}
	for j := range m.toA {
		m.toA[j] = -1
	}
	byText, byID := map[string][]int{}, map[string][]int{}
	for j := range m.b {
		byText[m.b[j].ClaimText] = append(byText[m.b[j].ClaimText], j)
		byID[m.b[j].ClaimID] = append(byID[m.b[j].ClaimID], j)
	}
	m.pass(func(i int) []int { return byText[m.a[i].ClaimText] }, 0)
	m.pass(func(i int) []int { return byID[m.a[i].ClaimID] }, similarSameID)
	if len(m.a)*len(m.b) > maxPairs {
		return
	}
	all := make([]int, len(m.b))
	for j := range all {
		all[j] = j
	}
	m.pass(func(int) []int { return all }, similarAny)
}

// pass gives each claim that has none the most similar of its candidates.
func (m *matcher) pass(candidates func(i int) []int, least float64) {
	for i := range m.a {
		if m.toB[i] >= 0 {
			continue
		}
		best, at := least, -1
		for _, j := range candidates(i) {
			if m.toA[j] >= 0 {
				continue
			}
			if s := dice(m.gramsA[i], m.gramsB[j]); s > best || at < 0 && s >= best {
				best, at = s, j
			}
		}
		if at >= 0 {
			m.toB[i], m.toA[at] = at, i
		}
	}
}

// grams are the distinct pairs of neighbouring characters of a text, sorted.
type grams []uint64

// maxGramRunes bounds the text that is compared, in runes.
const maxGramRunes = 500

func allGrams(claims []ComparedClaim) []grams {
	out := make([]grams, len(claims))
	for i := range claims {
		out[i] = gramsOf(claims[i].ClaimText)
	}
	return out
}

func gramsOf(s string) grams {
	var g grams
	last, n := rune(0), 0
	for _, r := range strings.ToLower(s) {
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			continue
		}
		g = append(g, uint64(last)<<32|uint64(uint32(r)))
		if last, n = r, n+1; n == maxGramRunes {
			break
		}
	}
	slices.Sort(g)
	return slices.Compact(g)
}

// dice is the share of common pairs, from 0 to 1 (Dice 1945).
func dice(a, b grams) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	common, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			common, i, j = common+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}
