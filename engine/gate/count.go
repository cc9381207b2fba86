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
	if n > maxCount || !c.counts(q, at) {
		return derivation{}, false
	}
	things := !occurrences[q.Units[0].Name]
	for _, g := range c.grounds {
		if s, ok := g.ev.facts.Counts()[n]; ok && things {
			return derivation{ev: g.ev, how: fmt.Sprintf("%d rows or items", n), operands: []grounding.Span{s}}, true
		}
	}
	clause := c.clauseAt(at.Start)
	for _, g := range c.grounds {
		if !things && c.repeats(g) {
			continue // the output gives its own count: (x5 over 7m)
		}
		if d, ok := c.countWords(g, n, clause); ok {
			return d, true
		}
		if repeated[q.Units[0].Name] {
			// The excerpt's own line, repeated: 同一条报错出现 4 次.
			if d, ok := c.countAmong(g, n, c.countable(g, g.excerpts...)); ok {
				return d, true
			}
		}
		if k := g.ev.lineCount(g.exact); k == n && n > 1 {
			return derivation{ev: g.ev, how: fmt.Sprintf("%d cited lines", n), operands: clip(g.exact, 16)}, true
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

// occurrences are counter words for happenings rather than things.
var occurrences = map[string]bool{"次": true, "times": true, "遍": true, "轮": true, "趟": true}

// repeated are counter words for entries of a log.
var repeated = map[string]bool{"次": true, "times": true, "遍": true, "行": true, "条": true, "笔": true}

// counts reports a number that counts: with a counter word, in words, or before an
// English noun. 退出码 8 and attempts 为 6 are values of fields.
func (c *carrier) counts(q grounding.Quantity, at grounding.Span) bool {
	if q.Units[0].Name != "" || q.Words {
		return true
	}
	if at.End <= 0 || at.End >= len(c.sentence) || c.sentence[at.End] != ' ' {
		return false
	}
	next := c.sentence[at.End+1:]
	return next != "" && (next[0] >= 'a' && next[0] <= 'z' || next[0] >= 'A' && next[0] <= 'Z')
}

var repeatCount = grounding.NewPattern(`\(x\d+( over|\))`)

// repeats reports that a cited line tells how often its event occurred.
func (c *carrier) repeats(g ground) bool {
	for _, s := range g.cited {
		if repeatCount.Match(g.ev.text.Raw()[s.Start:s.End]) {
			return true
		}
	}
	return false
}

// clauseAt is the clause of the sentence that holds offset.
func (c *carrier) clauseAt(offset int) string {
	for _, s := range grounding.Clauses(c.sentence) {
		if offset >= s.Start && offset < s.End {
			return c.sentence[s.Start:s.End]
		}
	}
	return c.sentence
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
func (c *carrier) countWords(g ground, n int, clause string) (derivation, bool) {
	words := c.countable(g, clause)
	if len(words) == 0 {
		words = c.countable(g, append([]string{c.sentence}, g.excerpts...)...)
	}
	if d, ok := c.countAmong(g, n, words); ok {
		return d, true
	}
	// 合计 29 条 Aborted connection，其中 21 条来自 db-02: what is counted stands before.
	wider := c.countable(g, c.sentence)
	for _, w := range words {
		if k, _ := g.ev.facts.CountLines([]string{w}, n); k < n {
			continue
		}
		for _, v := range wider {
			if m, lines := g.ev.facts.CountLines([]string{w, v}, n); m == n && v != w {
				return derivation{ev: g.ev, how: fmt.Sprintf("%d lines with %q and %q", n, w, v), operands: lines}, true
			}
		}
	}
	return derivation{}, false
}

// countAmong looks for a word, or two on one line, that n lines or cells hold.
func (c *carrier) countAmong(g ground, n int, words []string) (derivation, bool) {
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
// Latin words, status codes and Chinese phrases. The clause of the number comes first;
// only where it names nothing, the whole sentence and the excerpts do.
func (c *carrier) countable(g ground, texts ...string) []string {
	seen := map[string]bool{}
	var out []string
	add := func(w string) {
		w = strings.ToLower(strings.TrimSpace(w))
		if len(w) >= 2 && !seen[w] && len(out) < maxCountWords && g.ev.facts.Contains(w) {
			seen[w] = true
			out = append(out, w)
		}
	}
	for _, text := range texts {
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
