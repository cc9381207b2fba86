package gate

import (
	"fmt"
	"math/big"
	"strings"
	"unicode"

	"claimscope/engine/grounding"
)

const (
	maxCount      = 100_000 // larger counts are not counted anew
	maxCountWords = 24
	maxPhrases    = 60
)

// count reads a number as a count: of rows or items, of lines that hold what the sentence
// names, of cells that say so, of the places of an excerpt, or of the cited calls.
func (c *carrier) count(q grounding.Quantity, at grounding.Span) (derivation, bool) {
	if !q.Value.IsInt() || q.Value.Sign() <= 0 || q.Value.Num().BitLen() > 30 || q.HasUnit() {
		return derivation{}, false
	}
	n := int(q.Value.Num().Int64())
	if n > maxCount {
		return derivation{}, false
	}
	for _, g := range c.grounds {
		if s, ok := g.ev.facts.Counts()[n]; ok {
			return derivation{ev: g.ev, how: fmt.Sprintf("%d rows or items", n), operands: []grounding.Span{s}}, true
		}
	}
	for _, g := range c.grounds {
		if d, ok := c.countWords(g, n); ok {
			return d, true
		}
		if k := g.ev.lineCount(g.exact); k == n && n > 1 {
			return derivation{ev: g.ev, how: fmt.Sprintf("%d cited lines", n), operands: clip(g.exact, 16)}, true
		}
		if len(g.exact) == n && n > 1 {
			return derivation{ev: g.ev, how: fmt.Sprintf("%d cited places", n), operands: clip(g.exact, 16)}, true
		}
	}
	if n == len(c.grounds) && n > 1 {
		return derivation{ev: c.grounds[0].ev, how: fmt.Sprintf("%d cited calls", n), operands: []grounding.Span{}}, true
	}
	// 其余 N 个: what a count leaves when the other counts of the sentence are taken off.
	if before := c.sentence[:min(at.Start, len(c.sentence))]; endsWithAny(before, "其余", "其他", "其它", "另有", "另外", "另", "剩余", "剩下") {
		for _, k := range c.known {
			rest := grounding.Quantity{Value: new(big.Rat).Add(q.Value, k.q.Value), Ulp: big.NewRat(1, 1), Units: counterUnits}
			if d, ok := c.count(rest, grounding.Span{}); ok {
				d.how = fmt.Sprintf("%s − %s", d.how, k.q.Value.RatString())
				return d, true
			}
		}
	}
	// 四次里有一次: a share that the sentence states.
	if q.Words {
		for _, k := range c.known {
			for _, u := range k.q.Units {
				if u.Dim != grounding.Ratio {
					continue
				}
				share := k.q.Base(u)
				part := new(big.Rat).SetFrac64(1, int64(n))
				if share.Cmp(part) == 0 || new(big.Rat).Sub(big.NewRat(1, 1), share).Cmp(part) == 0 {
					return derivation{ev: k.ev, how: "share " + k.q.Text, operands: []grounding.Span{}}, k.ev != nil
				}
			}
		}
	}
	return derivation{}, false
}

func endsWithAny(s string, words ...string) bool {
	s = strings.TrimRight(s, " 的有各还共")
	for _, w := range words {
		if strings.HasSuffix(s, w) {
			return true
		}
	}
	return false
}

// countWords counts lines and cells by the names, words and phrases of the sentence.
func (c *carrier) countWords(g ground, n int) (derivation, bool) {
	words := c.countable(g)
	for i, w := range words {
		for _, k := range g.ev.facts.CountCells(w) {
			if k == n {
				return derivation{ev: g.ev, how: fmt.Sprintf("%d cells %q", n, w), operands: []grounding.Span{}}, true
			}
		}
		k, lines := g.ev.facts.CountLines([]string{w}, n)
		if k == n {
			return derivation{ev: g.ev, how: fmt.Sprintf("%d lines with %q", n, w), operands: lines}, true
		}
		for _, v := range words[i+1:] {
			if k < n {
				break
			}
			if m, lines := g.ev.facts.CountLines([]string{w, v}, n); m == n {
				return derivation{ev: g.ev, how: fmt.Sprintf("%d lines with %q and %q", n, w, v), operands: lines}, true
			}
		}
	}
	return derivation{}, false
}

// countable lists what can be counted: names, their stems without a trailing number,
// Latin words, status codes and Chinese phrases of the sentence and of the excerpts.
func (c *carrier) countable(g ground) []string {
	if w, ok := c.countWordsOf[g.ev]; ok {
		return w
	}
	seen := map[string]bool{}
	var out []string
	add := func(w string) {
		w = strings.ToLower(strings.TrimSpace(w))
		if len(w) >= 2 && !seen[w] && len(out) < maxCountWords && g.ev.facts.Contains(w) {
			seen[w] = true
			out = append(out, w)
		}
	}
	for _, text := range append([]string{c.sentence}, g.excerpts...) {
		for _, id := range grounding.Identifiers(text) {
			add(id.Text)
			add(strings.TrimRight(id.Text, "0123456789"))
			add(nameStem(id.Text))
		}
		for _, w := range grounding.Tokens(text) {
			if !stopWords[strings.ToLower(w)] {
				add(w)
			}
		}
		for _, q := range grounding.Quantities(text) {
			if q.Value.IsInt() && q.Digits() >= 3 && !q.HasUnit() {
				add(q.Value.Num().String())
			}
		}
		for _, t := range grounding.Terms(text) {
			for _, w := range t[1:] {
				add(w)
			}
		}
		for _, p := range phrases(text) {
			add(p)
		}
	}
	if c.countWordsOf == nil {
		c.countWordsOf = map[*evidence][]string{}
	}
	c.countWordsOf[g.ev] = out
	return out
}

// nameStem cuts the last part off a generated name: web-7f5c-x2k → web-7f5c.
func nameStem(name string) string {
	if i := strings.LastIndexByte(name, '-'); i > 2 {
		return name[:i]
	}
	return ""
}

// phrases are the Chinese runs of a text, cut into pieces of four to eight characters.
func phrases(text string) []string {
	var out []string
	var run []rune
	flush := func() {
		for size := 8; size >= 4; size-- {
			for i := 0; i+size <= len(run) && len(out) < maxPhrases; i++ {
				out = append(out, string(run[i:i+size]))
			}
		}
		run = run[:0]
	}
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			run = append(run, r)
			continue
		}
		flush()
	}
	flush()
	return out
}

// lineCount counts the lines that spans begin on.
func (e *evidence) lineCount(spans []grounding.Span) int {
	seen := map[int]bool{}
	for _, s := range spans {
		seen[e.lineNo(s)] = true
	}
	return len(seen)
}
