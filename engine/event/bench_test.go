package event

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/model"
	"claimscope/engine/trace"
)

// BenchmarkEncodeDecode has the two events that carry the bulk of a session.
func BenchmarkEncodeDecode(b *testing.B) {
	log := strings.Repeat(`{"ts":"2026-11-30T15:45:01Z","level":"ERROR","msg":"连接池已满"}`+"\n", 1500)
	for name, body := range map[string]Body{
		"tool_returned": ToolReturned{Trace: trace.Trace{Ref: "trace-1", Status: trace.OK, Kind: trace.Observation, Output: []byte(log)}},
		"model_request": ModelRequest{Request: model.Request{Messages: []model.Message{{Role: model.ToolRole, Content: log}}}},
	} {
		e := Event{Seq: 1, Body: body}
		line, err := Encode(e, nil)
		require.NoError(b, err)
		b.Run("encode/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				_, _ = Encode(e, nil)
			}
		})
		b.Run("decode/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				_, _ = Decode(line, nil)
			}
		})
	}
}
