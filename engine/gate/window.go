package gate

import (
	"bytes"
	"sort"
	"strings"

	"claimscope/engine/grounding"
)

// window is the stretch of a trace that shares most with an excerpt.
type window struct {
	span        grounding.Span // where it was looked
	core        grounding.Span // from the first to the last shared thing
	found       map[int]bool   // facts found there, by their offset in the excerpt
	missingWord string
}

func (w window) cited() []grounding.Span {
	if w.core.End <= w.core.Start {
		return nil
	}
	return []grounding.Span{w.span}
}

const (
	maxAnchors      = 48   // places tried for one excerpt
	windowBytes     = 2000 // how close together the facts of a summary must stand
	maxAnchorPlaces = 16   // places of one fact
)

// bestWindow finds where the facts and words of an absent excerpt stand together. hit
// is the number of words found there, spans the facts'.
func bestWindow(excerpt string, facts []fact, words []string, e *evidence) (window, []grounding.Span, int) {
	raw := e.text.Raw()
	size := max(windowBytes, 4*len(excerpt))
	best, bestHit := window{found: map[int]bool{}}, -1
	var bestSpans []grounding.Span
	bestScore := -1
	for _, at := range anchors(facts, words, e) {
		win := window{span: grounding.Span{Start: max(0, at-size), End: min(len(raw), at+size)}, found: map[int]bool{}}
		if len(raw) <= 2*size {
			win.span = grounding.Span{Start: 0, End: len(raw)}
		}
		spans, hit := win.fill(facts, words, e)
		if score := 3*len(win.found) + hit; score > bestScore {
			best, bestSpans, bestHit, bestScore = win, spans, hit, score
		}
		if win.span.End-win.span.Start == len(raw) {
			break
		}
	}
	return best, bestSpans, max(bestHit, 0)
}

// anchors are places to look around: those of the rarest facts and words first.
func anchors(facts []fact, words []string, e *evidence) []int {
	raw := e.text.Raw()
	if len(raw) <= 2*windowBytes {
		return []int{0}
	}
	var lists [][]int
	for _, f := range facts {
		var at []int
		for _, s := range directSpans(f, e, nil, nil, maxAnchorPlaces) {
			at = append(at, s.Start)
		}
		if len(at) > 0 {
			lists = append(lists, at)
		}
	}
	lower := e.facts.Lower()
	for _, w := range words {
		var at []int
		for from := 0; len(at) < maxAnchorPlaces; {
			i := bytes.Index(lower[from:], []byte(w))
			if i < 0 {
				break
			}
			at = append(at, from+i)
			from += i + len(w)
		}
		if len(at) > 0 {
			lists = append(lists, at)
		}
	}
	sort.SliceStable(lists, func(i, j int) bool { return len(lists[i]) < len(lists[j]) })
	var out []int
	for _, l := range lists {
		out = append(out, l...)
		if len(out) >= maxAnchors {
			return out[:maxAnchors]
		}
	}
	return out
}

// fill looks the facts and words up in the window.
func (w *window) fill(facts []fact, words []string, e *evidence) ([]grounding.Span, int) {
	var spans []grounding.Span
	for _, f := range facts {
		if at := directSpans(f, e, []grounding.Span{w.span}, []grounding.Span{w.span}, 1); len(at) > 0 {
			w.found[f.span.Start] = true
			spans = append(spans, at[0])
			w.grow(at[0])
		}
	}
	heads := strings.ToLower(strings.Join(e.facts.Shape().HeadersIn(w.span), " "))
	for _, f := range facts {
		if !w.found[f.span.Start] && f.kind == identFact && len(grounding.FindIdent([]byte(heads), strings.ToLower(f.name), 1)) > 0 {
			w.found[f.span.Start] = true // the name of a column, which stands far above its rows
		}
	}
	lower := e.facts.Lower()[w.span.Start:w.span.End]
	hit := 0
	for _, word := range words {
		i := bytes.Index(lower, []byte(stem(word)))
		if i < 0 && strings.Contains(heads, stem(word)) {
			hit++
			continue
		}
		if i < 0 {
			if w.missingWord == "" {
				w.missingWord = word
			}
			continue
		}
		hit++
		w.grow(grounding.Span{Start: w.span.Start + i, End: w.span.Start + i + len(stem(word))})
	}
	return spans, hit
}

func (w *window) grow(s grounding.Span) {
	if w.core.End <= w.core.Start {
		w.core = s
		return
	}
	w.core = grounding.Span{Start: min(w.core.Start, s.Start), End: max(w.core.End, s.End)}
}

// stem cuts common English endings, so that restarts finds restart.
func stem(w string) string {
	for _, suffix := range []string{"ings", "ing", "ed", "es", "s"} {
		if len(w) > len(suffix)+3 && strings.HasSuffix(w, suffix) {
			return w[:len(w)-len(suffix)]
		}
	}
	return w
}

// alteredQuote reports whether an excerpt is a quote with changed facts: most of its
// tokens stand in order in the source, and one that does not is a number or a name.
// found are tokens of names, times and telling numbers that stand there; they are in place
// wherever the summary puts them.
func alteredQuote(excerpt string, e *evidence, core grounding.Span, found map[string]bool) bool {
	raw := e.text.Raw()
	if core.End <= core.Start {
		return false
	}
	src := grounding.Span{Start: max(0, core.Start-len(excerpt)), End: min(len(raw), core.End+len(excerpt))}
	a := tokens(excerpt)
	b := tokens(string(raw[src.Start:src.End]))
	if len(a) < 4 || len(a) > 400 || len(b) > 4000 {
		return false
	}
	at := alignTokens(a, b)
	n := 0
	for _, p := range at {
		if p >= 0 {
			n++
		}
	}
	share := float64(n) / float64(len(a))
	if share < 0.6 {
		return false
	}
	there := map[string]bool{}
	for _, t := range b {
		there[t] = true
	}
	for i := range a {
		// What stands elsewhere in the window may only be out of order, unless the rest follows
		// the source word for word.
		if there[a[i]] && share < 0.85 {
			continue
		}
		if at[i] < 0 && hasDigit(a[i]) && !found[a[i]] && replaced(b, at, i) {
			return true
		}
	}
	return false
}

// replaced reports that the source has another number where token i should stand: right
// behind the token before it, or right before the one after it.
func replaced(b []string, at []int, i int) bool {
	if i > 0 && at[i-1] >= 0 {
		for _, t := range b[at[i-1]+1 : min(len(b), at[i-1]+3)] {
			if hasDigit(t) {
				return true
			}
		}
	}
	if i+1 < len(at) && at[i+1] >= 0 {
		for _, t := range b[max(0, at[i+1]-2):at[i+1]] {
			if hasDigit(t) {
				return true
			}
		}
	}
	return false
}

// foundTokens are the tokens of the facts that stand in the window and do not occur there
// by chance.
func (w *window) foundTokens(facts []fact) map[string]bool {
	out := map[string]bool{}
	for _, f := range facts {
		if w.found[f.span.Start] && (f.kind != numberFact || telling(f.num)) {
			for _, t := range tokens(f.text) {
				out[t] = true
			}
		}
	}
	return out
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// tokens cuts a text into lower-case words and numbers.
func tokens(s string) []string {
	fields := strings.FieldsFunc(strings.ToLower(grounding.Fold(s)), func(r rune) bool {
		return r != '.' && r != '_' && r != '%' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && r < 0x80 || r == '“' || r == '”' || r == '…'
	})
	out := fields[:0:0]
	for _, f := range fields {
		// A dot joins digits only: 2.33 is one token, host.domain two.
		start := 0
		for i := 0; i < len(f); i++ {
			if f[i] == '.' && (i == 0 || i == len(f)-1 || f[i-1] < '0' || f[i-1] > '9' || f[i+1] < '0' || f[i+1] > '9') {
				if i > start {
					out = append(out, f[start:i])
				}
				start = i + 1
			}
		}
		if start < len(f) {
			out = append(out, f[start:])
		}
	}
	return out
}

// alignTokens gives, for each token of a, its place in b in a longest common
// subsequence; -1 for those that it leaves out.
func alignTokens(a, b []string) []int {
	m, n := len(a), len(b)
	lcs := make([][]uint16, m+1)
	for i := range lcs {
		lcs[i] = make([]uint16, n+1)
	}
	for i := m - 1; i >= 0; i-- {
		for j := n - 1; j >= 0; j-- {
			if a[i] == b[j] {
				lcs[i][j] = lcs[i+1][j+1] + 1
			} else {
				lcs[i][j] = max(lcs[i+1][j], lcs[i][j+1])
			}
		}
	}
	at := make([]int, m)
	for i := range at {
		at[i] = -1
	}
	for i, j := 0, 0; i < m && j < n; {
		switch {
		case a[i] == b[j]:
			at[i] = j
			i++
			j++
		case lcs[i+1][j] >= lcs[i][j+1]:
			i++
		default:
			j++
		}
	}
	return at
}
