package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/trace"
)

// wire is the summary as a Verifier gets it.
func wire(t require.TestingT, v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(v))
	return strings.TrimSpace(b.String())
}

func runes(s string) int { return utf8.RuneCountInString(s) }

// logLines gives n distinct log lines.
func logLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "2026-03-01T10:%02d:%02dZ level=info svc=order msg=\"请求完成\" id=%d\n", i/60%60, i%60, i)
	}
	return b.String()
}

func call(i int, output string) trace.Trace {
	return trace.Trace{Ref: fmt.Sprintf("trace-%d", i), ToolName: "query_logs", Arguments: json.RawMessage(`{"service":"order"}`),
		InvocationIDs: []int64{int64(100 + i)}, Status: trace.OK, Kind: trace.Observation, Output: []byte(output)}
}

func cite(t trace.Trace, excerpt string) trace.Cite {
	at := bytes.Index(t.Output, []byte(excerpt))
	return trace.Cite{Ref: t.Ref, Span: trace.Span{Start: at, End: at + len(excerpt)}}
}

func TestSummariseShortOutputWhole(t *testing.T) {
	s := trace.Summarise([]trace.Trace{call(1, "一行\n两行\n")}, nil)
	require.Len(t, s, 1)
	assert.Equal(t, "一行\n两行\n", s[0].Extract)
	assert.JSONEq(t, `[{"trace_ref":"trace-1","tool_name":"query_logs","arguments":{"service":"order"},"invocation_ids":[101],
		"status":"ok","evidence_kind":"observation","output_bytes":14,"extract":"一行\n两行\n"}]`, wire(t, s))
}

func TestSummariseKeepsCitedBytesWithTheLinesAround(t *testing.T) {
	tr := call(1, logLines(4000))
	want := "2026-03-01T10:33:20Z level=info svc=order msg=\"请求完成\" id=2000"
	s := trace.Summarise([]trace.Trace{tr}, []trace.Cite{cite(tr, "请求完成\" id=2000\n")})
	assert.Contains(t, s[0].Extract, want+"\n", "the whole line of the excerpt")
	assert.Contains(t, s[0].Extract, "id=1999\n")
	assert.Contains(t, s[0].Extract, "id=2001\n")
	assert.True(t, strings.HasPrefix(s[0].Extract, strings.SplitAfter(string(tr.Output), "\n")[0]+"…（略 "), "the first line stays, and the cut behind it is marked")
	assert.True(t, strings.HasSuffix(s[0].Extract, " 字节）…"), "and the one at the end")
	assert.Greater(t, runes(wire(t, s[0])), trace.MaxTraceRunes*8/10, "the bound is used")
}

func TestSummariseManyCitesInBindingOrder(t *testing.T) {
	tr := call(1, logLines(4000))
	var cites []trace.Cite
	for _, i := range []int{3900, 5, 1200} {
		cites = append(cites, cite(tr, fmt.Sprintf("id=%d\n", i)))
	}
	s := trace.Summarise([]trace.Trace{tr}, cites)
	for _, i := range []int{3900, 5, 1200} {
		assert.Contains(t, s[0].Extract, fmt.Sprintf("id=%d\n", i))
	}
	// More cites than room: the first ones are there.
	cites = nil
	for i := range 200 {
		cites = append(cites, cite(tr, fmt.Sprintf("id=%d\n", 3999-i*17)))
	}
	s = trace.Summarise([]trace.Trace{tr}, cites)
	for i := range 20 {
		assert.Contains(t, s[0].Extract, fmt.Sprintf("id=%d\n", 3999-i*17))
	}
}

func TestSummariseALongCiteLeavesRoomForTheOthers(t *testing.T) {
	tr := call(1, logLines(4000))
	s := trace.Summarise([]trace.Trace{tr}, []trace.Cite{
		{Ref: "trace-1", Span: trace.Span{Start: 0, End: 100000}}, cite(tr, "id=3000\n")})
	assert.Contains(t, s[0].Extract, "id=3000\n")
	assert.Contains(t, s[0].Extract, "id=0\n")
}

func TestSummariseUncitedShowsHeadAndEnd(t *testing.T) {
	s := trace.Summarise([]trace.Trace{call(1, logLines(4000))}, nil)
	assert.Contains(t, s[0].Extract, "id=0\n")
	assert.Contains(t, s[0].Extract, "id=3999\n")
	assert.Contains(t, s[0].Extract, "字节）…\n2026", "a mark stands on a line of its own between lines")
}

func TestSummariseOneVeryLongLine(t *testing.T) {
	tr := call(1, strings.Repeat("甲乙丙丁", 200000)+"目标字样"+strings.Repeat("戊己", 200000))
	s := trace.Summarise([]trace.Trace{tr}, []trace.Cite{cite(tr, "目标字样")})
	assert.Contains(t, s[0].Extract, "丁目标字样戊")
	assert.LessOrEqual(t, runes(wire(t, s[0])), trace.MaxTraceRunes)
	assert.Greater(t, runes(s[0].Extract), 800)
}

func TestSummariseListsBlocksAndCutsArguments(t *testing.T) {
	tr := call(1, "x")
	tr.Blocks = []trace.Block{{BlockID: "kb-1", Document: "runbook.md", Heading: "连接池", Span: trace.Span{Start: 0, End: 1}}, {BlockID: "kb-2"}}
	tr.Arguments = json.RawMessage(`{"query":"` + strings.Repeat("长", 1000) + `"}`)
	s := trace.Summarise([]trace.Trace{tr}, nil)
	text := wire(t, s)
	assert.Contains(t, text, `{"block_id":"kb-1","document":"runbook.md","heading":"连接池"},{"block_id":"kb-2"}`)
	assert.Contains(t, text, "…（略 ")
	assert.LessOrEqual(t, runes(text), trace.MaxTraceRunes)
}

func TestSummariseManyTracesShareTheBound(t *testing.T) {
	var traces []trace.Trace
	for i := 1; i <= 40; i++ {
		traces = append(traces, call(i, logLines(500)))
	}
	s := trace.Summarise(traces, []trace.Cite{cite(traces[30], "id=250\n")})
	require.Len(t, s, 40)
	assert.LessOrEqual(t, runes(wire(t, s)), trace.MaxSummaryRunes)
	assert.Contains(t, s[30].Extract, "id=250\n", "what is cited goes first")
	for _, item := range s {
		assert.NotEmpty(t, item.Extract)
	}
}

func TestSummariseListsEveryTraceHoweverMany(t *testing.T) {
	var traces []trace.Trace
	for i := 1; i <= 1000; i++ {
		traces = append(traces, call(i, "输出"))
	}
	s := trace.Summarise(traces, nil)
	require.Len(t, s, 1000)
	assert.Equal(t, "trace-1000", s[999].Ref)
}

// randomText mixes what logs hold, bad bytes included.
func randomText(r *rand.Rand, n int) []byte {
	pieces := []string{"a", "日志", "\n", "\"", "\\", "😀", "\x00", "\x1b[31m", "\xff", "\xe4\xb8", "\u2028", "0123456789", strings.Repeat("长行", 300)}
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.Bytes()
}

func TestSummariseBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		var traces []trace.Trace
		var cites []trace.Cite
		n := 1 + r.IntN(40)
		for i := 1; i <= n; i++ {
			tr := call(i, "")
			tr.Output = randomText(r, r.IntN(8000))
			traces = append(traces, tr)
			for range r.IntN(4) {
				start := r.IntN(9000) - 500
				cites = append(cites, trace.Cite{Ref: fmt.Sprintf("trace-%d", 1+r.IntN(n+1)), Span: trace.Span{Start: start, End: start + r.IntN(1200) - 100}})
			}
		}
		s := trace.Summarise(traces, cites)
		require.Len(t, s, n, "every trace is listed")
		require.LessOrEqual(t, runes(wire(t, s)), trace.MaxSummaryRunes)
		for i, item := range s {
			require.LessOrEqual(t, runes(wire(t, item)), trace.MaxTraceRunes)
			require.True(t, utf8.ValidString(item.Extract))
			if !strings.Contains(item.Extract, "…（略 ") {
				require.True(t, strings.ToValidUTF8(string(traces[i].Output), "\uFFFD") == item.Extract, "what is cut is marked")
			}
		}
		require.Equal(t, s, trace.Summarise(traces, cites), "the same input, the same summary")
	}
}

func TestSummariseCitedExcerptsAreInside(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		var traces []trace.Trace
		var cites []trace.Cite
		n := 1 + r.IntN(5)
		for i := 1; i <= n; i++ {
			tr := call(i, logLines(200+r.IntN(2000)))
			traces = append(traces, tr)
			start := r.IntN(len(tr.Output) - 300)
			for !utf8.RuneStart(tr.Output[start]) {
				start++
			}
			end := start + 250
			for !utf8.RuneStart(tr.Output[end]) {
				end++
			}
			cites = append(cites, trace.Cite{Ref: tr.Ref, Span: trace.Span{Start: start, End: end}})
		}
		s := trace.Summarise(traces, cites)
		for i, c := range cites {
			require.Contains(t, s[i].Extract, string(traces[i].Output[c.Span.Start:c.Span.End]))
		}
	}
}

func BenchmarkSummarise(b *testing.B) {
	var traces []trace.Trace
	var cites []trace.Cite
	for i := 1; i <= 10; i++ {
		tr := call(i, logLines(12000))
		traces = append(traces, tr)
		cites = append(cites, cite(tr, "id=7000\n"), cite(tr, "id=9000\n"))
	}
	for b.Loop() {
		trace.Summarise(traces, cites)
	}
}
