package session

import (
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/model"
)

func TestRecordedRepliesAnswerAgain(t *testing.T) {
	s := newStore(t, t.TempDir(), nil)
	rec, err := s.Open(recorded(t, s))
	require.NoError(t, err)
	replies := rec.Replies()
	require.Len(t, replies, 1)
	require.Equal(t, event.Planner, replies[0].Stage)
	require.Equal(t, "1. 看日志", replies[0].Response.Message.Content)

	tools := NewToolReplay(traces(rec))
	first, ok := tools.Next("query_logs", []byte("{ \"contains\":\"pool \\u003cmax>\" }"))
	require.True(t, ok)
	second, ok := tools.Next("query_logs", []byte(`{"contains":"pool <max>"}`))
	require.True(t, ok)
	require.Equal(t, []string{"trace-1", "trace-2"}, []string{first.Ref, second.Ref})
	require.Equal(t, []int64{102}, second.InvocationIDs)
	_, ok = tools.Next("query_logs", []byte(`{"contains":"pool <max>"}`))
	require.False(t, ok, "used up")
	_, ok = tools.Next("query_metrics", []byte(`{"contains":"pool <max>"}`))
	require.False(t, ok)
}

func TestFaultsAreRepliesToo(t *testing.T) {
	rec := &Recording{Events: []event.Event{
		{Seq: 1, Stage: event.Verifier, Body: event.ModelRequest{}},
		{Seq: 2, Stage: event.Verifier, Body: event.StageFailed{Kind: "server", Error: "502"}},
		{Seq: 3, Stage: event.Verifier, Body: event.ModelResponse{DurationMS: 1}},
		{Seq: 4, Stage: event.Verifier, Body: event.ModelRequest{}},
		{Seq: 5, Stage: event.Verifier, Body: event.StageFailed{Kind: "server", Error: "503", Final: true}},
		{Seq: 6, Stage: event.Answer, Body: event.ModelRequest{}},
	}}
	replies := rec.Replies()
	require.Len(t, replies, 2)
	require.Nil(t, replies[0].Fault)
	require.Equal(t, &model.Fault{Kind: model.FaultServer, Text: "503"}, replies[1].Fault)
}

func TestCanonicalArguments(t *testing.T) {
	same := [][]string{
		{`{"b":1,"a":[1,2]}`, `{ "a" : [1.0,2e0], "b":1 }`},
		{`"\u65e5"`, `"日"`},
		{`9007199254740993`, ` 9007199254740993`},
		{`{not json`, ` {not json `},
	}
	for _, s := range same {
		require.Equal(t, canonicalJSON([]byte(s[0])), canonicalJSON([]byte(s[1])))
	}
	different := [][]string{
		{`{"a":1}`, `{"a":"1"}`}, {`9007199254740993`, `9007199254740992`}, {`[1,2]`, `[2,1]`},
		{`1e400`, `1e401`}, {`{} {}`, `{}`}, {`123456789012345678901`, `123456789012345678902`},
	}
	for _, s := range different {
		require.NotEqual(t, canonicalJSON([]byte(s[0])), canonicalJSON([]byte(s[1])))
	}
}
