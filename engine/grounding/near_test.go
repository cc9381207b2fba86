package grounding

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// sellers is the plain dynamic program (P. Sellers, 1980): for each end in the text
// the least edits from the pattern to a stretch that ends there.
func sellers(pattern, text []rune, each func(end, edits int)) {
	row := make([]int, len(pattern)+1)
	for i := range row {
		row[i] = i
	}
	for j, r := range text {
		diagonal := row[0]
		for i := 1; i < len(row); i++ {
			best := diagonal
			if pattern[i-1] != r {
				best++
			}
			diagonal = row[i]
			best = min(best, diagonal+1, row[i-1]+1)
			row[i] = best
		}
		each(j+1, row[len(pattern)])
	}
}

// randomRunes draws n runes from a small alphabet, so that near matches abound.
func randomRunes(rng *rand.Rand, n int, alphabet string) []rune {
	letters := []rune(alphabet)
	runes := make([]rune, n)
	for i := range runes {
		runes[i] = letters[rng.IntN(len(letters))]
	}
	return runes
}

// scramble applies n random edits.
func scramble(rng *rand.Rand, runes []rune, n int, alphabet string) []rune {
	letters := []rune(alphabet)
	runes = append([]rune(nil), runes...)
	for range n {
		at, r := rng.IntN(len(runes)), letters[rng.IntN(len(letters))]
		switch rng.IntN(3) {
		case 0:
			runes[at] = r
		case 1:
			runes = append(runes[:at], append([]rune{r}, runes[at:]...)...)
		default:
			if len(runes) > 1 {
				runes = append(runes[:at], runes[at+1:]...)
			}
		}
	}
	return runes
}

func TestColumnAgreesWithSellers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, alphabet := range []string{"ab", "abcdefgh ", "连接超时重试失败", "a🚀b连"} {
		for _, m := range []int{1, 20, 63, 64, 65, 127, 128, 129, 200, 321} {
			p := randomRunes(rng, m, alphabet)
			text := randomRunes(rng, 300, alphabet)
			for range 3 {
				text = append(text, scramble(rng, p, rng.IntN(1+m/5), alphabet)...)
				text = append(text, randomRunes(rng, rng.IntN(40), alphabet)...)
			}
			for _, limit := range []int{0, 1, m * 12 / 100, m / 3, m} {
				c := newPattern(p).newColumn(limit, true)
				sellers(p, text, func(end, edits int) {
					require.Equal(t, min(edits, limit+1), c.step(text[end-1]), "m=%d limit=%d end=%d", m, limit, end)
				})
			}
		}
	}
}

func TestSkimIsStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 200 {
		p := randomRunes(rng, 65+rng.IntN(200), "abcdefgh连")
		text := []byte(string(randomRunes(rng, 200, "abcdefgh")) + string(scramble(rng, p, 20, "abcdefgh")) + string(randomRunes(rng, 100, "abcdefgh")))
		limit := rng.IntN(len(p) / 4)
		plain, skimming := newPattern(p).newColumn(limit, true), newPattern(p).newColumn(limit, true)
		skimmed := 0
		for i := 0; i < len(text); {
			n := skimming.skim(text[i:])
			skimmed += n
			for range n {
				require.Greater(t, plain.step(rune(text[i])), limit)
				i++
			}
			require.Equal(t, plain.matrix[:plain.active+1], skimming.matrix[:skimming.active+1])
			if i < len(text) {
				r, n := utf8.DecodeRune(text[i:])
				i += n
				require.Equal(t, plain.step(r), skimming.step(r))
			}
		}
		require.Positive(t, skimmed)
	}
}

func TestFixedColumnIsTheEditDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		a := randomRunes(rng, 1+rng.IntN(150), "abc连")
		b := scramble(rng, a, rng.IntN(30), "abc连")
		want := distance(a, b)
		c := newPattern(a).newColumn(len(a)+len(b), false)
		got := 0
		for _, r := range b {
			got = c.step(r)
		}
		require.Equal(t, want, got, "%q %q", string(a), string(b))
	}
}

func TestScanMissesNoPlaceThatSellersFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, alphabet := range []string{"abcdefghijklmnop ", "连接超时重试失败主机端口节点内存"} {
		for round := range 60 {
			m := 20 + rng.IntN(200)
			edits := m * nearPercent / 100
			p := randomRunes(rng, m, alphabet)
			text := randomRunes(rng, rng.IntN(2000), alphabet)
			for range 1 + rng.IntN(3) {
				text = append(text, scramble(rng, p, rng.IntN(edits+3), alphabet)...)
				text = append(text, randomRunes(rng, rng.IntN(1500), alphabet)...)
			}
			least := edits + 1
			sellers(p, text, func(_, d int) { least = min(least, d) })
			hits := scan(newPattern(p), []byte(string(text)), edits, nil)
			got := edits + 1
			for _, h := range hits {
				got = min(got, h.edits)
			}
			require.Equal(t, least, got, "round %d m=%d", round, m)
		}
	}
}

const nearRaw = `2031-02-03 04:05:06 order-api The connection to the primary database was closed by the server while a transaction was open
2031-02-03 04:05:09 order-api Health check of the replica succeeded after 3 attempts in 250 ms
调度器无法为副本分配节点，因为所有节点的可用内存都低于请求的 512Mi，等待下一轮调度。
Liveness probe failed: Get "http://10.8.0.7:8080/healthz": dial tcp 10.8.0.7:8080: connect: connection refused
readers are enabled and the queue has grown since
the alarm fires when drift < 40 or offset is -12 under load
leadership moved node-a -> node-b during the drain of a rack
`

func TestNear(t *testing.T) {
	text := NewText([]byte(nearRaw))
	for _, c := range []struct {
		name, excerpt string
		want          string // the bytes of the place; empty when absent
	}{
		{"a dropped article", "connection to primary database was closed by the server", "connection to the primary database was closed by the server"},
		{"a slip", "The connexion to the primary databse was closed", "The connection to the primary database was closed"},
		{"another form of a word", "closed by the server while a transactions were open", "closed by the server while a transaction was open"},
		{"punctuation", "Liveness probe failed: Get http://10.8.0.7:8080/healthz: dial tcp 10.8.0.7:8080: connect; connection refused", nearRaw[strings.Index(nearRaw, "Liveness"):strings.Index(nearRaw, "\nreaders")]},
		{"chinese, a dropped word", "调度器无法为副本分配节点，因为所有节点可用内存都低于请求的512Mi", "调度器无法为副本分配节点，因为所有节点的可用内存都低于请求的 512Mi"},
		{"chinese, another word", "调度器无法为副本安排节点，因为所有节点的可用内存都低于请求的512Mi", "调度器无法为副本分配节点，因为所有节点的可用内存都低于请求的 512Mi"},
		{"a changed digit", "Health check of the replica succeeded after 4 attempts in 250 ms", ""},
		{"a changed unit", "Health check of the replica succeeded after 3 attempts in 250 s", ""},
		{"an added digit", "Health check of the replica succeeded after 3 attempts in 2500 ms", ""},
		{"a changed outcome", "Health check of the replica failed after 3 attempts in 250 ms", ""},
		{"an added negation", "The connection to the primary database was not closed by the server", ""},
		{"an opposite", "The connection to the replica database was closed by the server", ""},
		{"a turned comparison", "the alarm fires when drift > 40 or offset is 12 under load", ""},
		{"a lost sign", "the alarm fires when drift < 40 or offset is 12 under load", ""},
		{"signs kept", "the alarm fires when the drift < 40 or offset is -12 under load", "the alarm fires when drift < 40 or offset is -12 under load"},
		{"an arrow", "leadership moved node-a → node-b during the drain of rack", "leadership moved node-a -> node-b during the drain of a rack"},
		{"look-alike opposites", "readers are disabled and the queue has grown since", ""},
		{"a dropped preposition", "readers are enabled and queue has grown since", "readers are enabled and the queue has grown since"},
		{"another identifier", "order-app The connection to the primary database was closed by the server", ""},
		{"another address", "dial tcp 10.8.0.9:8080: connect: connection refused", ""},
		{"another word", "The connection to the primary database was closed by the router", ""},
		{"chinese negation dropped", "调度器已经为副本分配节点，因为所有节点的可用内存都低于请求的 512Mi，等待下一轮调度", ""},
		{"chinese opposite", "调度器无法为副本分配节点，因为所有节点的可用内存都高于请求的 512Mi，等待下一轮调度", ""},
		{"chinese size", "调度器无法为副本分配节点，因为所有节点的可用内存都低于请求的 256Mi，等待下一轮调度", ""},
		{"chinese unit", "所有节点的可用内存都低于请求的 512Gi，等待下一轮调度", ""},
		{"too short", "primary databse was", ""},
		{"too many edits", "A connection of some primary db was being closed by server while txn open", ""},
	} {
		l := text.Locate(c.excerpt)
		if c.want == "" {
			require.Equal(t, Absent, l.Tier, c.name)
			continue
		}
		require.Equal(t, Near, l.Tier, c.name)
		require.Equal(t, []string{c.want}, spanTexts(nearRaw, l.Occurrences[0]), c.name)
		require.Less(t, l.Score, 1.0)
		require.GreaterOrEqual(t, l.Score, 1-nearPercent/100.0)
		requireDiff(t, c.excerpt, l)
		for _, op := range l.Diff {
			if op.Kind == DiffEqual {
				require.Equal(t, strings.TrimSpace(Fold(op.Excerpt)), strings.TrimSpace(Fold(nearRaw[op.Source.Start:op.Source.End])))
			}
		}
	}
}

// requireDiff asserts that a difference holds all of the excerpt and of the source.
func requireDiff(t *testing.T, excerpt string, l Location) {
	t.Helper()
	var said strings.Builder
	at := l.Occurrences[0].Spans[0].Start
	changed := false
	for _, op := range l.Diff {
		said.WriteString(op.Excerpt)
		require.Equal(t, at, op.Source.Start)
		at = op.Source.End
		changed = changed || op.Kind != DiffEqual
	}
	require.Contains(t, excerpt, said.String())
	require.Equal(t, Fold(excerpt), Fold(said.String()))
	require.Equal(t, l.Occurrences[0].Spans[0].End, at)
	require.True(t, changed)
}

func TestDiffShowsWhatWasChanged(t *testing.T) {
	raw := "副本集 ledger 的控制器 已经连续 三轮 未能 完成调度，等待 节点 扩容 完成 之后再试"
	l := NewText([]byte(raw)).Locate("副本集 ledger 的控制器已连续三轮未能完成调度，正等待节点扩容完成之后再试")
	require.Equal(t, Near, l.Tier)
	var kinds []string
	for _, op := range l.Diff {
		if op.Kind != DiffEqual {
			kinds = append(kinds, string(op.Kind)+" "+op.Excerpt+"|"+strings.TrimSpace(raw[op.Source.Start:op.Source.End]))
		}
	}
	require.Equal(t, []string{"delete |经", "insert 正|"}, kinds)
}

func TestNearPlacesThatDifferAreAmbiguous(t *testing.T) {
	line := func(word string) string {
		return "the scheduler could not place the replica on any " + word + " of the pool\n"
	}
	l := NewText([]byte(line("hosts") + line("hosty"))).Locate(strings.TrimSpace(line("host")))
	require.Equal(t, Near, l.Tier)
	require.Equal(t, 2, l.Total)
	require.True(t, l.Ambiguous)

	l = NewText([]byte(line("hosts") + line("hosts"))).Locate(strings.TrimSpace(line("host")))
	require.Equal(t, 2, l.Total)
	require.False(t, l.Ambiguous, "the same line twice says one thing")
}

// TestAChangedFactIsNeverExcused bends quotes of generated log lines in what they say:
// however long the quote, no tier may find it. Bent in what does not matter, it is found.
func TestAChangedFactIsNeverExcused(t *testing.T) {
	raw := string(generatedLog(60000))
	text := NewText([]byte(raw))
	rng := rand.New(rand.NewPCG(21, 22))
	lines := strings.Split(raw, "\n")
	bent := func(line string, at int, with string) string { return line[:at] + with + line[at+1:] }
	for range 300 {
		line := lines[rng.IntN(len(lines)-1)]
		var digits []int
		for i, r := range line {
			if isDigit(r) {
				digits = append(digits, i)
			}
		}
		at := digits[rng.IntN(len(digits))]
		for kind, changed := range map[string]string{
			"digit":       bent(line, at, string('0'+(line[at]-'0'+1+byte(rng.IntN(8)))%10)),
			"more digits": bent(line, at, line[at:at+1]+"7"),
			"unit":        strings.Replace(line, "ms", "s", 1),
			"negation":    strings.Replace(line, ": request", ": no request", 1),
			"level":       strings.NewReplacer(" INFO ", " WARN ", " WARN ", " INFO ", " ERROR ", " DEBUG ", " DEBUG ", " ERROR ").Replace(line),
			"address":     strings.Replace(line, "upstream 10.", "upstream 11.", 1),
		} {
			l := text.Locate(changed)
			require.Equal(t, Absent, l.Tier, "%s: %s", kind, changed)
		}
		l := text.Locate(strings.Replace(line, "upstream", "upstreem", 1))
		require.Equal(t, Near, l.Tier, line)
		require.Equal(t, strings.TrimSpace(line), raw[l.Occurrences[0].Spans[0].Start:l.Occurrences[0].Spans[0].End])
	}
}
