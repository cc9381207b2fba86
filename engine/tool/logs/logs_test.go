package logs_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/tool/logs"
	"claimscope/engine/trace"
)

var cst = time.FixedZone("CST", 8*3600)

var folder = fstest.MapFS{
	"cart.jsonl": {Data: []byte(`{"time":"2026-03-02T10:00:00+08:00","level":"INFO","service":"cart","msg":"started"}
{"time":"2026-03-02T10:01:00+08:00","level":"ERROR","service":"cart","msg":"查询库存失败: timeout"}
{"time":"2026-03-02T10:02:00+08:00","level":"WARN","service":"cart-db","msg":"slow"}
`)},
	"edge.log": {Data: []byte("2026-03-02 10:00:30,120 INFO  accepted\r\n" +
		"2026-03-02 10:01:30,120 ERROR upstream timed out\r\n" +
		"  at Proxy.java:41\r\n" +
		`10.0.0.1 - - [02/Mar/2026:10:03:00 +0800] "GET / HTTP/1.1" 504 0` + "\r\n")},
}

func call(t *testing.T, args string) (string, trace.Status) {
	t.Helper()
	res, err := logs.New(folder, cst).Call(context.Background(), json.RawMessage(args))
	require.NoError(t, err)
	return string(res.Output), res.Status
}

func TestFilters(t *testing.T) {
	tests := []struct {
		name, args string
		want       []string // a part of each line, in order
	}{
		{"everything", `{}`, []string{"started", "查询库存失败", "slow", "accepted", "timed out", "Proxy.java", "504"}},
		{"service by file", `{"service":"edge"}`, []string{"accepted", "timed out", "Proxy.java", "504"}},
		{"service by field", `{"service":"cart-db"}`, []string{"slow"}},
		{"contains, any case", `{"contains":"TIMED OUT"}`, []string{"timed out"}},
		{"regex", `{"regex":"\" 5\\d\\d "}`, []string{"504"}},
		{"level with its stack", `{"level":"error"}`, []string{"查询库存失败", "timed out", "Proxy.java"}},
		{"window in another zone", `{"start":"2026-03-02T02:01:00Z","end":"2026-03-02T02:01:30.5Z"}`, []string{"查询库存失败", "timed out", "Proxy.java"}},
		{"window without zone", `{"start":"2026-03-02 10:02:30"}`, []string{"504"}},
		{"limit", `{"limit":1}`, []string{"started"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, status := call(t, tt.args)
			assert.Equal(t, trace.OK, status)
			var lines []string
			for _, l := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
				if !strings.HasPrefix(l, "==> ") {
					lines = append(lines, l)
				}
			}
			require.Len(t, lines, len(tt.want), out)
			for i, want := range tt.want {
				assert.Contains(t, lines[i], want)
			}
		})
	}
}

func TestCountsAreStated(t *testing.T) {
	out, _ := call(t, `{"limit":2}`)
	assert.Contains(t, out, "matched 7 of 7 lines in 2 files; showing the first 2")
	out, status := call(t, `{"contains":"OOMKilled","service":"cart"}`)
	assert.Equal(t, trace.Empty, status)
	assert.Equal(t, "matched 0 of 3 lines in 1 files\n", out)
}

func TestLinesAreVerbatim(t *testing.T) {
	out, _ := call(t, `{"contains":"查询库存"}`)
	assert.Contains(t, out, `{"time":"2026-03-02T10:01:00+08:00","level":"ERROR","service":"cart","msg":"查询库存失败: timeout"}`+"\n")
}

func TestBadArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"regex":"("}`:                      "regex",
		`{"level":"loud"}`:                   "known: debug",
		`{"limit":5000}`:                     "from 1 to 1000",
		`{"start":"yesterday"}`:              "is no time",
		`{"start":"2026-03-02","end":"100"}`: "end lies before start",
		`{"servce":"x"}`:                     `unknown field "servce"`,
		`{"limit":"ten"}`:                    "limit",
		`{"service":"nope"}`:                 "known: cart, edge",
	} {
		out, status := call(t, args)
		assert.Equal(t, trace.Error, status, args)
		assert.Contains(t, out, want)
	}
}

func TestLongLineAndCancel(t *testing.T) {
	big := fstest.MapFS{"a.log": {Data: append([]byte(strings.Repeat("x", 3<<20)), "\nlast\n"...)}}
	res, err := logs.New(big, cst).Call(context.Background(), json.RawMessage(`{}`))
	require.NoError(t, err)
	assert.Less(t, len(res.Output), 2<<20)
	assert.Contains(t, string(res.Output), "\nlast\n")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = logs.New(big, cst).Call(ctx, json.RawMessage(`{}`))
	assert.ErrorIs(t, err, context.Canceled)
}

func FuzzCall(f *testing.F) {
	f.Add(`{"regex":"a+"}`, []byte("2026-03-02 10:00:30 INFO x\n{\"time\":1}\n"))
	f.Fuzz(func(t *testing.T, args string, file []byte) {
		res, err := logs.New(fstest.MapFS{"f.log": {Data: file}}, cst).Call(context.Background(), json.RawMessage(args))
		if err == nil && len(res.Output) == 0 {
			t.Fatal("a reply without a word")
		}
	})
}
