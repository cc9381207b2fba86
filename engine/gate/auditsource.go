package gate

import (
	"fmt"
	"sort"
	"strings"
	"unicode"

	"claimscope/engine/contract"
	"claimscope/engine/grounding"
)

// sourceKind is where a source stands in the contract.
type sourceKind uint8

const (
	claimSource sourceKind = iota
	hypothesisSource
	actionSource
	missingSource
)

// source is one text of the contract that a sentence of an answer may come from.
type source struct {
	kind    sourceKind
	pointer string
	text    string
	own     grams // of its text alone
	wide    grams // with its excerpts, reasons and needs
}

// grams is a bag of words of a text: pairs of Han characters, and Latin words and
// numbers in lower case.
type grams map[string]bool

func sourcesOf(c *contract.Contract) []source {
	var out []source
	add := func(kind sourceKind, pointer, text string, more ...string) {
		own := gramsOf(text)
		wide := grams{}
		for g := range own {
			wide[g] = true
		}
		for _, m := range more {
			for g := range gramsOf(m) {
				wide[g] = true
			}
		}
		out = append(out, source{kind, pointer, text, own, wide})
	}
	for i, x := range c.Claims {
		more := []string{}
		for _, b := range x.EvidenceBindings {
			more = append(more, b.EvidenceExcerpt)
		}
		add(claimSource, fmt.Sprintf("/claims/%d", i), x.ClaimText, more...)
	}
	for i, x := range c.Hypotheses {
		add(hypothesisSource, fmt.Sprintf("/hypotheses/%d", i), x.HypothesisText, append([]string{x.Basis}, x.NeededEvidence...)...)
	}
	for i, x := range c.RecommendedActions {
		add(actionSource, fmt.Sprintf("/recommended_actions/%d", i), x.ActionText, x.Reason)
	}
	for i, x := range c.MissingInfo {
		add(missingSource, fmt.Sprintf("/missing_info/%d", i), x)
	}
	return out
}

// emptyRunes are Han characters that carry grammar, not content: a pair with one of
// them is no evidence that two texts speak of the same thing.
const emptyRunes = "的了是在有和与及也都又就才而并但对于为从到由被把将个次条等这那其该此已经还很更最且或若则便让使得着过地之以因所能会可要应需再后前中上下里内间时某各每均"

// genericTerms are pairs that any incident report is full of.
var genericTerms = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("确认 目前 另外 此外 同时 其中 以及 导致 出现 发现 存在 问题 情况 当前 结论 原因 根因 根本 本原 现象 本次 故障 显示 表明 说明 触发 发生 进行 相关 需要 建议 因此 由于 共有 一共 总共 合计 部分 其他 证实 查明 可以 没有 未见 异常") {
		m[w] = true
	}
	return m
}()

// gramsOf is the bag of a text's content.
func gramsOf(text string) grams {
	out := grams{}
	var prev rune
	var word strings.Builder
	flush := func() {
		if word.Len() > 1 || word.Len() == 1 && word.String() >= "0" && word.String() <= "9" {
			out[word.String()] = true
		}
		word.Reset()
	}
	for _, r := range grounding.Fold(text) {
		switch {
		case unicode.Is(unicode.Han, r):
			flush()
			if prev != 0 && !strings.ContainsRune(emptyRunes, r) && !strings.ContainsRune(emptyRunes, prev) {
				if pair := string([]rune{prev, r}); !genericTerms[pair] {
					out[pair] = true
				}
			}
			prev = r
			continue
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			word.WriteRune(unicode.ToLower(r))
		default:
			flush()
		}
		prev = 0
	}
	flush()
	return out
}

// covered is the share of g that the bags hold together, and how many grams g has.
func (g grams) covered(bags ...grams) (share float64, n int) {
	hit := 0
	for w := range g {
		for _, b := range bags {
			if b[w] {
				hit++
				break
			}
		}
	}
	if len(g) == 0 {
		return 1, 0
	}
	return float64(hit) / float64(len(g)), len(g)
}

// matched is what a sentence comes from, best first.
type matched struct{ pointers []string }

// The shares of a text that a source must cover. They were set on texts of both kinds
// written for the purpose; the audit's tests hold them in place.
const (
	mapShare      = 0.3  // a sentence comes from a source
	mapRelative   = 0.6  // and from every other that covers it nearly as well
	upgradeShare  = 0.6  // of a hypothesis stands in a statement
	upgradeLead   = 0.15 // more than the best claim covers of that statement
	foreignShare  = 0.2  // a statement with less than this in common with all sources is new
	foreignLoud   = 0.4  // the same for one that calls itself confirmed
	foreignLength = 8    // pairs or words that a statement needs to be judged at all
	loudLength    = 4    // the same for one that calls itself confirmed
	termShare     = 0.5  // of the terms of operations that the contract has in English
)

// match finds the sources of a sentence.
func (w *auditWork) match(sentence string) matched {
	g := gramsOf(sentence)
	type scored struct {
		i     int
		share float64
	}
	var all []scored
	best := 0.0
	for i, s := range w.sources {
		of, _ := g.covered(s.wide)
		in, n := s.own.covered(g)
		share := of
		if n >= 3 && in > share { // a long sentence may hold a short source whole
			share = in
		}
		if share >= mapShare {
			all = append(all, scored{i, share})
			best = max(best, share)
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].share > all[b].share })
	var m matched
	for _, s := range all {
		if s.share >= best*mapRelative {
			m.pointers = append(m.pointers, w.sources[s.i].pointer)
		}
	}
	return m
}

// hypothesisIn finds a hypothesis that a statement repeats, better than any claim
// accounts for it.
func (w *auditWork) hypothesisIn(statement string, confirmed bool) (source, bool) {
	g := gramsOf(stripCues(statement))
	if len(g) < 2 {
		return source{}, false
	}
	claim := 0.0
	for _, s := range w.sources {
		if s.kind == claimSource {
			share, _ := g.covered(s.wide)
			claim = max(claim, share)
		}
	}
	need := upgradeShare
	if confirmed {
		need -= 0.1
	}
	for _, s := range w.sources {
		if s.kind != hypothesisSource {
			continue
		}
		h := gramsOf(stripCues(s.text))
		in, n := h.covered(g)
		of, _ := g.covered(h)
		if n >= 2 && in >= need && of >= 0.4 && of >= claim+upgradeLead || confirmed && n < shortHypothesis && w.shortIn(s.text, statement) {
			return s, true
		}
	}
	return source{}, false
}

// shortHypothesis is how many pairs a hypothesis needs to be compared by pairs: 可能有卡坏了
// has one.
const shortHypothesis = 3

// shortIn reports that a confirmed statement has all content of a short hypothesis,
// character by character, and that no claim accounts for the statement.
func (w *auditWork) shortIn(hypothesis, statement string) bool {
	h, st := contentRunes(hypothesis), contentRunes(statement)
	for r := range h {
		if !st[r] {
			return false
		}
	}
	if len(h) < 2 || 2*len(h) < len(st) {
		return false
	}
	for _, s := range w.sources {
		if s.kind != claimSource {
			continue
		}
		own, all := contentRunes(s.text), true
		for r := range st {
			all = all && own[r]
		}
		if all {
			return false
		}
	}
	return true
}

// contentRunes are the Han characters of a text that carry content, cues left out.
func contentRunes(text string) map[rune]bool {
	out := map[rune]bool{}
	for _, r := range stripCues(text) {
		if unicode.Is(unicode.Han, r) && !strings.ContainsRune(emptyRunes, r) {
			out[r] = true
		}
	}
	return out
}

// stripCues blanks the words of certainty, which are no content.
func stripCues(s string) string {
	b := []byte(s)
	for _, c := range grounding.Cues(s) {
		for i := c.Span.Start; i < c.Span.End; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// foreign reports whether a statement has next to nothing in common with the contract.
// Loud statements call themselves confirmed or announce something more.
func (w *auditWork) foreign(statement string, loud bool) bool {
	g := gramsOf(stripCues(statement))
	need, most := foreignLength, foreignShare
	if loud {
		need, most = loudLength, foreignLoud
	}
	if len(g) < need {
		return false
	}
	bags := []grams{w.facts.query}
	for _, s := range w.sources {
		bags = append(bags, s.wide)
	}
	share, _ := g.covered(bags...)
	return share < most && (loud || w.facts.termsOf(statement) < termShare)
}
