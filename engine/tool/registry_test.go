package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"claimscope/engine/tool"
	"claimscope/engine/trace"
)

type fake func(ctx context.Context, args json.RawMessage) (tool.Result, error)

func (fake) Spec() tool.Spec { return tool.Spec{Name: "probe", Kind: trace.History} }
func (f fake) Call(ctx context.Context, args json.RawMessage) (tool.Result, error) {
	return f(ctx, args)
}

func reply(s string) fake {
	return func(context.Context, json.RawMessage) (tool.Result, error) {
		return tool.Result{Output: []byte(s), Status: trace.OK}, nil
	}
}

func TestEveryFaultIsAResult(t *testing.T) {
	for _, tt := range []struct {
		name, tool, args string
		call             fake
		status           trace.Status
		want             string
	}{
		{"unknown tool", "prob", `{}`, reply("x"), trace.Error, `unknown tool "prob"; known tools: probe`},
		{"no JSON", "probe", `{"a":`, reply("x"), trace.Error, "malformed arguments"},
		{"no object", "probe", `[1]`, reply("x"), trace.Error, "malformed arguments"},
		{"null", "probe", `null`, reply("x"), trace.Error, "malformed arguments"},
		{"no arguments at all", "probe", ``, reply("x"), trace.OK, "x"},
		{"blank output", "probe", `{}`, reply(" \n"), trace.Empty, ""},
		{"panic", "probe", `{}`, func(context.Context, json.RawMessage) (tool.Result, error) { panic("ouch") }, trace.Error, "tool probe broke: ouch"},
		{"error", "probe", `{}`, func(context.Context, json.RawMessage) (tool.Result, error) {
			return tool.Result{}, errors.New("no route")
		}, trace.Error, "no route"},
		{"time-out", "probe", `{}`, func(ctx context.Context, _ json.RawMessage) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}, trace.Timeout, "took longer than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := tool.NewRegistry(nil, tool.Limits{Timeout: 20 * time.Millisecond}, tt.call)
			res := r.Call(context.Background(), tt.tool, json.RawMessage(tt.args))
			assert.Equal(t, tt.status, res.Status)
			assert.Contains(t, string(res.Output), tt.want)
		})
	}
}

func TestOutputIsBoundedOnARuneBorder(t *testing.T) {
	r := tool.NewRegistry(nil, tool.Limits{OutputBytes: 10}, reply("连接池已经耗尽"))
	res := r.Call(context.Background(), "probe", nil)
	assert.Equal(t, "连接池\n[output cut: 9 of 21 bytes kept]\n", string(res.Output))
}

func TestMaskKeepsBlocks(t *testing.T) {
	mask := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("hunter2"), []byte("‹masked›")) }
	call := fake(func(context.Context, json.RawMessage) (tool.Result, error) {
		out := "head hunter2\nBLOCK hunter2 end\ntail"
		start := strings.Index(out, "BLOCK")
		return tool.Result{Output: []byte(out), Status: trace.OK, Blocks: []trace.Block{{BlockID: "b", Span: trace.Span{Start: start, End: start + len("BLOCK hunter2 end")}}}}, nil
	})
	res := tool.NewRegistry(mask, tool.Limits{}, call).Call(context.Background(), "probe", nil)
	assert.NotContains(t, string(res.Output), "hunter2")
	b := res.Blocks[0].Span
	assert.Equal(t, "BLOCK ‹masked› end", string(res.Output[b.Start:b.End]))
}

func TestKind(t *testing.T) {
	r := tool.NewRegistry(nil, tool.Limits{}, reply("x"))
	assert.Equal(t, trace.History, r.Kind("probe"))
	assert.Equal(t, trace.Observation, r.Kind("other"))
}
