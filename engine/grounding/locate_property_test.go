package grounding

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// vocabulary holds the words that random texts are made of, by kind.
var vocabulary = map[string][]string{
	"english": {"connection", "refused", "Timeout", "after", "pod", "payment-1", "payment-10", "retry", "5xx", "12.5%", "GET", "/v1/orders", "node_7",
		"the", "disk", "is", "full;", "(probe)", `"quoted"`, "it's", "a=b", "ERROR:", "2031-05-06T07:08:09Z", "--flag", "10.0.0.1:80", "OOMKilled"},
	"chinese": {"连接超时", "，", "重试", "3", "次", "。", "节点", "“内存不足”", "（已驱逐）", "服务", "网关", "：", "５００", "错误", "、", "磁盘", "使用率", "97%"},
	"emoji":   {"🚀", "👩‍👧", "👍🏽", "✔️", "🇨🇳", "deploy", "done", "é", "cafe\u0301", "½", "25℃", "ß", "ﬁle", "한국", "か\u3099"},
	"json":    {`{"log":"a\nb`, `\"x\"`, `"k": 1,`, `"k":[`, `\u4e2d\u6587`, `\\n`, `\ud83d\ude80`, "\\", "}", "]", "\n", "\t", "null", `C:\new`},
	"layout":  {"# Title\n", "> ", "- item", "| a | b |\n", "**bold**", "`code`", "---\n", "\x1b[31mred\x1b[0m", "\u3000", "\u00a0", "\u200b", "\r\n", "...", "……"},
	"invalid": {"\xff", "\xe4\xb8", "\xc3\x28", "\xf0\x9f", "ok", "\x00", "\x9b", "a\xcc"},
}

// randomText writes about n words of the given kinds.
func randomText(rng *rand.Rand, n int, kinds ...string) string {
	var b strings.Builder
	for range n {
		words := vocabulary[kinds[rng.IntN(len(kinds))]]
		b.WriteString(words[rng.IntN(len(words))])
		switch rng.IntN(6) {
		case 0:
			b.WriteByte('\n')
		case 1, 2, 3, 4:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// edit is a change of an excerpt that the fold must level.
type edit struct {
	name  string
	apply func(rng *rand.Rand, s string) string
}

func perRune(change func(rng *rand.Rand, r rune) string) func(*rand.Rand, string) string {
	return func(rng *rand.Rand, s string) string {
		var b strings.Builder
		for _, r := range s {
			b.WriteString(change(rng, r))
		}
		return b.String()
	}
}

func sometimes(rng *rand.Rand, r rune, other string) string {
	if rng.IntN(2) == 0 {
		return string(r)
	}
	return other
}

var edits = []edit{
	{"case", perRune(func(rng *rand.Rand, r rune) string {
		if r >= utf8.RuneSelf {
			return string(r)
		}
		return sometimes(rng, r, string(unicode.ToUpper(r)))
	})},
	{"width", perRune(func(rng *rand.Rand, r rune) string {
		switch {
		case r > ' ' && r <= '~' && !strings.ContainsRune("\\*`|#>+-.", r):
			return sometimes(rng, r, string(r-'!'+0xFF01))
		case r >= 0xFF01 && r <= 0xFF5E:
			return sometimes(rng, r, string(r-0xFF01+'!'))
		case r == '。':
			return "."
		}
		return string(r)
	})},
	{"white space", perRune(func(rng *rand.Rand, r rune) string {
		if r == ' ' {
			return []string{" ", "  ", "\t", "\u00a0", "\u3000", " \u2009", "\u200b ", "**"}[rng.IntN(8)]
		}
		return string(r)
	})},
	{"quotes", perRune(func(rng *rand.Rand, r rune) string {
		if strings.ContainsRune(`"'“”‘’「」`, r) {
			return []string{`"`, "'", "“", "”", "‘", "’", "「", "」", "«"}[rng.IntN(9)]
		}
		return string(r)
	})},
	{"dashes", perRune(func(rng *rand.Rand, r rune) string {
		if r == '-' {
			return []string{"-", "‐", "–", "−"}[rng.IntN(4)]
		}
		return string(r)
	})},
	{"ellipses", func(rng *rand.Rand, s string) string {
		other := []string{"…", "...", "......"}[rng.IntN(3)]
		return strings.NewReplacer("……", other, "...", other).Replace(s)
	}},
	{"zero width", perRune(func(rng *rand.Rand, r rune) string {
		if rng.IntN(4) > 0 || r >= 0x300 && r < 0x4E00 {
			return string(r)
		}
		return string(r) + "\u2060"
	})},
	{"json string", func(_ *rand.Rand, s string) string { return encoded(s) }},
	{"json string in a json string", func(_ *rand.Rand, s string) string { return encoded(encoded(s)) }},
	{"escaped", func(_ *rand.Rand, s string) string {
		var b strings.Builder
		for _, r := range s {
			switch {
			case r < utf8.RuneSelf:
				b.WriteRune(r)
			case r < 0x10000:
				fmt.Fprintf(&b, `\u%04x`, r)
			default:
				r -= 0x10000
				fmt.Fprintf(&b, `\u%04X\u%04X`, 0xD800+r>>10, 0xDC00+r&0x3FF)
			}
		}
		return b.String()
	}},
}

func encoded(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

// levelled reports whether an edit is one that the fold levels on s: some are not
// where they meet what they are made of (a backslash before a letter, say).
func levelled(s, changed string) bool { return Fold(s) == Fold(changed) }

// requireLocation asserts what holds for every location: spans lie in the text and
// cut no character, and, in the tiers that promise it, fold to what was quoted.
func requireLocation(t *testing.T, raw, excerpt string, l Location) {
	t.Helper()
	inside := insideRunes(raw)
	require.Equal(t, l.Tier.Found(), l.Total > 0)
	require.Len(t, l.Occurrences, min(l.Total, MaxOccurrences))
	require.GreaterOrEqual(t, l.Score, 0.0)
	require.LessOrEqual(t, l.Score, 1.0)
	for _, o := range l.Occurrences {
		at := 0
		for _, s := range o.Spans {
			require.True(t, at <= s.Start && s.Start < s.End && s.End <= len(raw), "span %v of %d bytes", s, len(raw))
			require.False(t, inside[s.Start] || inside[s.End], "span %v cuts a character", s)
			at = s.End
		}
		switch l.Tier {
		case Exact:
			require.Equal(t, excerpt, raw[o.Spans[0].Start:o.Spans[0].End])
		case Folded:
			require.Equal(t, Fold(excerpt), Fold(raw[o.Spans[0].Start:o.Spans[0].End]))
		case Fragments:
			for _, s := range o.Spans {
				require.Contains(t, Fold(excerpt), Fold(raw[s.Start:s.End]))
			}
		case Near:
			require.Len(t, o.Spans, 1)
		case Paraphrase, Absent, CannotCheck:
			require.Fail(t, "an occurrence of what was not found")
		}
	}
}

func TestEditedExcerptsAreFoundWhereTheyStand(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	kinds := [][]string{{"english"}, {"chinese"}, {"english", "chinese"}, {"emoji", "english"}, {"english", "json"}, {"layout", "chinese", "english"},
		{"english", "chinese", "emoji", "json", "layout", "invalid"}}
	found := map[string]int{}
	for range 4000 {
		raw := randomText(rng, 60, kinds[rng.IntN(len(kinds))]...)
		excerpt, start := wordsOf(rng, raw)
		e := edits[rng.IntN(len(edits))]
		changed := e.apply(rng, excerpt)
		if !levelled(excerpt, changed) || Fold(excerpt) == "" {
			continue
		}
		l := NewText([]byte(raw)).Locate(changed)
		requireLocation(t, raw, changed, l)
		if l.Tier != Exact && l.Tier != Folded {
			requireHidden(t, raw, excerpt, start)
			continue
		}
		found[e.name]++
	}
	for _, e := range edits {
		require.Greater(t, found[e.name], 50, "%s was hardly tested", e.name)
	}
}

// wordsOf draws an excerpt that begins and ends at white space, and where it starts.
func wordsOf(rng *rand.Rand, raw string) (string, int) {
	var starts, ends []int
	for i := range raw {
		white := i > 0 && strings.ContainsRune(" \n", rune(raw[i-1]))
		if (i == 0 || white) && raw[i] != ' ' && raw[i] != '\n' {
			starts = append(starts, i)
		}
		if (raw[i] == ' ' || raw[i] == '\n') && !white {
			ends = append(ends, i)
		}
	}
	ends = append(ends, len(raw))
	start := starts[rng.IntN(len(starts))]
	var after []int
	for _, e := range ends {
		if e > start {
			after = append(after, e)
		}
	}
	end := after[rng.IntN(min(len(after), 12))]
	return raw[start:end], start
}

// requireHidden asserts that an excerpt that was not found does not stand in the folded
// text as a thing of its own: its ends melt into what is around it there.
func requireHidden(t *testing.T, raw, excerpt string, start int) {
	t.Helper()
	f := newFolded([]byte(raw))
	back := tracer{folded: &f}
	back.cover(0, len(f.text))
	for _, a := range back.atoms {
		if a.raw <= start && start < a.rawEnd {
			from := a.fold
			if a.copy {
				from += start - a.raw
			}
			what := Fold(excerpt)
			whole := strings.HasPrefix(string(f.text[from:]), what)
			if !whole {
				return
			}
			to := from + len(what)
			s, ok := back.place(from, to, []byte(what))
			require.True(t, !ok || cutsIn(f.text, from, to) > cutNone || rawCut(f.raw, s) > cutNone, "%q in %q", excerpt, raw)
			return
		}
	}
}

func FuzzLocate(f *testing.F) {
	for _, s := range foldSeeds {
		f.Add(s+" payment-10 "+s, "payment-1")
		f.Add("x "+s+" y", s)
	}
	f.Add(pods, "副本数不足……节点内存不足")
	f.Add(pods, `ledger-77fb 0/1 CrashLoopBackOff 12\nevents:\n12m Warning`)
	f.Add(nearRaw, "connection to primary database was closed by the server")
	f.Add(nearRaw, "调度器无法为副本安排节点，因为所有节点的可用内存都低于请求的512Mi")
	f.Add(strings.Repeat("a=b ", 300), strings.Repeat("a=b ", 30)+"…"+strings.Repeat("a=b ", 10))
	f.Fuzz(func(t *testing.T, raw, excerpt string) {
		text := NewText([]byte(raw))
		l := text.Locate(excerpt)
		requireLocation(t, raw, excerpt, l)
		require.Equal(t, l, NewText([]byte(raw)).Locate(excerpt), "the same input gives the same result")
		if l.Tier == Near {
			requireDiff(t, excerpt, l)
		}
		l.Weakness(excerpt)
		for _, o := range l.Occurrences {
			number, line := text.Line(o.Spans[0].Start)
			require.Positive(t, number)
			require.LessOrEqual(t, line.Start, o.Spans[0].Start)
		}
	})
}
