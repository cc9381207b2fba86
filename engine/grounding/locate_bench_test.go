package grounding

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// generatedLog writes n bytes of log lines, mostly ASCII, from a fixed seed.
func generatedLog(n int) []byte {
	rng := rand.New(rand.NewPCG(7, 11))
	services := []string{"checkout", "ledger-sync", "cart", "search-api", "媒体转码", "inventory"}
	verbs := []string{"accepted", "retried", "dropped", "queued", "timed out on", "finished"}
	levels := []string{"INFO", "WARN", "ERROR", "DEBUG"}
	var b bytes.Buffer
	b.Grow(n + 512)
	for b.Len() < n {
		fmt.Fprintf(&b, "2031-05-%02dT%02d:%02d:%02d.%03dZ %s [worker-%d] %s: request %08x-%04x %s upstream 10.%d.%d.%d:%d after %dms",
			1+rng.IntN(28), rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(1000), levels[rng.IntN(4)], rng.IntN(64),
			services[rng.IntN(len(services))], rng.Uint32(), rng.IntN(1<<16), verbs[rng.IntN(len(verbs))],
			rng.IntN(256), rng.IntN(256), rng.IntN(256), 1024+rng.IntN(40000), rng.IntN(5000))
		switch rng.IntN(6) {
		case 0:
			fmt.Fprintf(&b, " {\"trace\": \"%016x\", \"attempt\": %d, \"cause\": \"connection reset by peer\"}", rng.Uint64(), rng.IntN(5))
		case 1:
			b.WriteString("，重试次数已达上限")
		}
		b.WriteByte('\n')
	}
	return b.Bytes()[:n]
}

// planted is a text of n bytes with a line of its own near the end, and that line.
func planted(n int) (raw []byte, line string) {
	line = "Leader election for shard 7 lost its lease because the clock of the storage node jumped ahead by " +
		"41 seconds while the standby replica was still replaying the journal written before the maintenance window"
	line = line[:200]
	raw = generatedLog(n)
	at := n - n/50
	at -= len(raw[:at]) - bytes.LastIndexByte(raw[:at], '\n') - 1
	copy(raw[at:], line+"\n")
	return raw, line
}

// plainFold is the program that the fold is measured against: NFKC and case
// folding rune by rune, with the raw offset of each folded byte.
func plainFold(raw []byte) (text []byte, offsets []int) {
	text, offsets = make([]byte, 0, len(raw)), make([]int, 0, len(raw))
	var it norm.Iter
	it.Init(norm.NFKC, raw)
	for !it.Done() {
		at := it.Pos()
		for seg := it.Next(); len(seg) > 0; {
			r, n := utf8.DecodeRune(seg)
			seg = seg[n:]
			if unicode.IsSpace(r) {
				r = ' '
				if len(text) > 0 && text[len(text)-1] == ' ' {
					continue
				}
			}
			before := len(text)
			text = utf8.AppendRune(text, unicode.ToLower(r))
			for range len(text) - before {
				offsets = append(offsets, at)
			}
		}
	}
	return text, offsets
}

var benchSizes = []struct {
	name string
	n    int
}{{"1MB", 1e6}, {"10MB", 1e7}, {"100MB", 1e8}}

func BenchmarkFolded(b *testing.B) {
	for _, size := range benchSizes {
		raw, line := planted(size.n)
		quote := bytes.ToUpper([]byte(line))
		b.Run(size.name+"/locate", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if NewText(raw).Locate(string(quote)).Tier != Folded {
					b.Fatal("not found")
				}
			}
		})
		b.Run(size.name+"/plain", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				text, offsets := plainFold(raw)
				what, _ := plainFold(quote)
				if i := bytes.Index(text, what); i < 0 || offsets[i] == 0 {
					b.Fatal("not found")
				}
			}
		})
	}
}

func BenchmarkExact(b *testing.B) {
	for _, size := range benchSizes {
		raw, line := planted(size.n)
		b.Run(size.name+"/locate", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if NewText(raw).Locate(line).Tier != Exact {
					b.Fatal("not found")
				}
			}
		})
		b.Run(size.name+"/plain", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				at, n := 0, 0
				for {
					i := bytes.Index(raw[at:], []byte(line))
					if i < 0 {
						break
					}
					at += i + len(line)
					n++
				}
				if n != 1 {
					b.Fatal("not found")
				}
			}
		})
	}
}

// BenchmarkNear measures the approximate search, with the fold it needs, for a line
// that stands apart (apart) and for one that looks like all others (alike), against
// the plain dynamic program on a text folded beforehand.
func BenchmarkNear(b *testing.B) {
	for _, size := range benchSizes {
		raw, line := planted(size.n)
		quote := strings.NewReplacer("election", "elections", "because the clock", "because clock", "replica", "replcia").Replace(line)
		b.Run(size.name+"/apart", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if NewText(raw).Locate(quote).Tier != Near {
					b.Fatal("not found")
				}
			}
		})
		alike := alikeQuote(raw)
		b.Run(size.name+"/alike", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if NewText(raw).Locate(alike).Tier != Near {
					b.Fatal("not found")
				}
			}
		})
		if size.n > 1e6 {
			continue // it grows linearly, and takes minutes
		}
		text := []rune(string(newFolded(raw).text))
		pattern := []rune(Fold(quote))
		b.Run(size.name+"/plain", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				least := len(pattern)
				sellers(pattern, text, func(_, edits int) { least = min(least, edits) })
				if least > len(pattern)*nearPercent/100 {
					b.Fatal("not found")
				}
			}
		})
	}
}

// alikeQuote is a quote of two lines of a generated log, near its end, with a word
// bent.
func alikeQuote(raw []byte) string {
	from := bytes.IndexByte(raw[len(raw)-len(raw)/100:], '\n') + len(raw) - len(raw)/100 + 1
	n := bytes.IndexByte(raw[from+150:], '\n')
	return strings.Replace(string(raw[from:from+150+n]), "request", "requesst", 1)
}
