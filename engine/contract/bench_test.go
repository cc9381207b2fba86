package contract

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bigContract writes a valid contract of about size bytes.
func bigContract(size int) []byte {
	r := rand.New(rand.NewPCG(11, 12))
	k := someContract(r, 400, phrases)
	base, _ := baseStyle().print(k)
	// Longer excerpts, not more claims, make up the size.
	pad := (size - len(base)) / len(k.Claims)
	for i := range k.Claims {
		k.Claims[i].EvidenceBindings = append(k.Claims[i].EvidenceBindings, Binding{
			SourceType: SourceToolTrace, SourceID: "trace-1", ToolName: "query_logs", SourceInvocationIDs: []int64{1, 2, 3},
			EvidenceExcerpt: strings.Repeat("2024-05-06 10:00:01 ERROR 连接超时 host=db-7 \"x\"\n", max(1, pad/64)),
		})
	}
	text, _ := baseStyle().print(k)
	return []byte(text)
}

func BenchmarkStrict(b *testing.B) {
	message := bigContract(1 << 20)
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(message)))
		b.ReportAllocs()
		for b.Loop() {
			if p := Parse(message); p.Status != StatusOK {
				b.Fatal(p.Status, p.Reason)
			}
		}
	})
	b.Run("standard", func(b *testing.B) {
		b.SetBytes(int64(len(message)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(message, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// filled repeats a unit until the text has size bytes.
func filled(before, unit, after string, size int) []byte {
	n := max(1, (size-len(before)-len(after))/len(unit))
	return []byte(before + strings.Repeat(unit, n) + after)
}

const start = `{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"c1","claim_type":"symptom","claim_text":"甲","support_level":"direct","evidence_bindings":[]}],`

// nasty are messages that invite a reader to go over them again and again.
func nasty() map[string]func(size int) []byte {
	fill := func(before, unit, after string) func(int) []byte {
		return func(size int) []byte { return filled(before, unit, after, size) }
	}
	return map[string]func(size int) []byte{
		"open arrays":         fill(start+`"x":`, "[", ""),
		"open objects":        fill(start+`"x":`, `{"a":`, ""),
		"closers":             fill(start+`"x":1`, "]", ""),
		"mixed closers":       fill(start+`"x":1`, "]}", ""),
		"commas":              fill(start+`"x":[1`, ",", "]}"),
		"quotes":              fill(start+`"x":`, `"`, "}"),
		"quote comma":         fill(start+`"x":"a`, `",`, `"}`),
		"quote colon":         fill(start+`"x":"a`, `":`, `"}`),
		"quote bracket":       fill(start+`"x":"a`, `"}`, ``),
		"quoted words":        fill(start+`"missing_info":["`, `日志"报错"了, `, `"]}`),
		"inner members":       fill(start+`"x":"`, `"a":"b",`, `"}`),
		"backslashes":         fill(start+`"x":"`, `\`, `"}`),
		"control characters":  fill(start+`"x":"`, "日志\n", `"}`),
		"unclosed comments":   fill(start+`"x":"`, `",/*`, ``),
		"line comments":       fill(start, "// x\n", `"x":1}`),
		"hash marks":          fill(start+`"x":"`, `",#`, ``),
		"braces in prose":     fill("", "{a: {b} ", start+`"x":1}`),
		"quoted braces":       fill("", `{"a" `, start+`"x":1}`),
		"objects in prose":    fill("", `{"a":1} `, start+`"x":1}`),
		"contracts":           fill("", start+`"x":1} `, ""),
		"broken contracts":    fill("", start+`"x":1,} `, ""),
		"restarts":            fill("", start, ""),
		"escaped contracts":   fill("", strings.ReplaceAll(start, `"`, `\"`), ""),
		"entities":            fill("", strings.ReplaceAll(start, `"`, "&quot;"), ""),
		"escaped braces":      fill("", `{\"claims\":`, ""),
		"open reasoning":      fill("", "<think>", start+`"x":1}`),
		"closed reasoning":    fill("", "</think>", start+`"x":1}`),
		"channels":            fill("", "<|channel|>analysis ", start+`"x":1}`),
		"reasoning between":   fill(start, "<think></think>", `"x":1}`),
		"tokens":              fill("", "<|im_end|>", start+`"x":1}`),
		"angle brackets":      fill("", "<", start+`"x":1}`),
		"fences":              fill("", "```json\n", start+`"x":1}`),
		"typographic":         fill(start+`"x":“`, "“日志”，", "”}"),
		"single quotes":       fill(start+`'x':'`, "it's, ", "'}"),
		"concatenation":       fill(start+`"x":"a"`, `+"b"`, "}"),
		"bare words":          fill(start+`"x":[`, "日志 ", "]}"),
		"numbers":             fill(start+`"x":[0`, ",0", "]}"),
		"zeros":               fill(start+`"x":`, "0", "}"),
		"empty members":       fill(start+`"x":{"":0`, `,"":0`, "}}"),
		"many members":        func(size int) []byte { return manyMembers(size) },
		"wrong keys":          fill(start, `"claim_text":"a",`, `"x":1}`),
		"nested strings":      fill(start+`"claims":"`, `[{\"claim_id\":1},`, `"}`),
		"placeholders":        fill(start+`"x":[`, "...", "]}"),
		"blanks":              fill(start, "\u00a0", `"x":1}`),
		"spaces":              fill(start+`"x":"a"`, " ", "}"),
		"quote spaces":        fill(start+`"x":"`, `"    `, "}"),
		"long excerpt":        fill(strings.TrimSuffix(start, "],")+`,{"claim_id":"c2","claim_text":"`, "连接超时，", `",}]}`),
		"repetition":          fill(strings.TrimSuffix(start, "],"), `,{"claim_id":"c2","claim_text":"乙乙乙乙乙乙","evidence_bindings":[],}`, ""),
		"full-width":          fill(start+`"x"：［1`, "，１", "］｝"),
		"missing colons":      fill(start, `"claim_id" "a" `, "}"),
		"names without quote": fill(start, `"claim_id: 1,`, "}"),
	}
}

func manyMembers(size int) []byte {
	var b strings.Builder
	b.WriteString(start)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	b.WriteString(`}`)
	return []byte(b.String())
}

// BenchmarkNasty gives the speed on each nasty kind at 1, 2 and 4 MiB: linear
// means the same MB/s for all three.
func BenchmarkNasty(b *testing.B) {
	for name, make := range nasty() {
		for _, mib := range []int{1, 2, 4} {
			message := make(mib << 20)
			b.Run(fmt.Sprintf("%s/%dMiB", name, mib), func(b *testing.B) {
				b.SetBytes(int64(len(message)))
				for b.Loop() {
					Parse(message)
				}
			})
		}
	}
}

// TestMemoryOfLargeMessages bounds what a message of the largest size costs: at
// most twenty times its size, counting all that is ever allocated. These are the
// kinds that cost most; the benchmarks show the others.
func TestMemoryOfLargeMessages(t *testing.T) {
	kinds := nasty()
	for _, name := range []string{
		"numbers", "many members", "control characters", "escaped contracts",
	} {
		message := kinds[name](MaxBytes)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := Parse(message)
		runtime.ReadMemStats(&after)
		require.NotEmpty(t, p.Status)
		got := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(message))
		assert.LessOrEqual(t, got, 20.0, "%s: %s", name, p.Reason)
	}
}
