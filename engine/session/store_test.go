package session

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

func newStore(t testing.TB, dir string, bundled fs.FS) *Store {
	t.Helper()
	return NewStore(dir, Options{Now: clock(), Random: rand.New(rand.NewSource(1)), Bundled: bundled})
}

func header() event.Header {
	return event.Header{
		Program: "test", Title: "支付超时", Query: "支付服务为什么超时？", ContractVersion: contract.V2, Model: "scripted",
		Policy: verdict.DefaultPolicy(), Tools: "incident:x",
	}
}

type step struct {
	attempt int
	stage   event.Stage
	body    event.Body
}

// wholeRun is a run of two attempts, the second of which passes.
func wholeRun(output string) []step {
	call := func(n int) []step {
		ref, args := fmt.Sprintf("trace-%d", n), []byte(`{"contains": "pool <max>"}`)
		return []step{
			{n, event.Executor, event.ToolCalled{Ref: ref, CallID: "c", ToolName: "query_logs", Arguments: args, InvocationID: int64(100 + n)}},
			{n, event.Executor, event.ToolReturned{Trace: trace.Trace{Ref: ref, ToolName: "query_logs", Arguments: args,
				InvocationIDs: []int64{int64(100 + n)}, Status: trace.OK, Output: []byte(output), Kind: trace.Observation}}},
		}
	}
	reply := func(text string) event.ModelResponse {
		return event.ModelResponse{Response: model.Response{Message: model.Message{Role: model.Assistant, Content: text},
			Usage: model.Usage{PromptTokens: 100, CompletionTokens: 10}, Model: "m"}, DurationMS: 12, Cost: 0.25}
	}
	claim := func(id string, v verdict.CheckVerdict) verdict.FinalClaim {
		return verdict.FinalClaim{ClaimID: id, Text: "连接池已满", Verdict: v}
	}
	steps := []step{
		{1, event.Planner, event.StageStarted{}},
		{1, event.Planner, event.ModelRequest{Request: model.Request{Stage: "planner", Params: model.Params{Model: "m"}}}},
		{1, event.Planner, reply("1. 看日志")},
		{1, event.Executor, event.StageStarted{}},
	}
	steps = append(steps, call(1)...)
	steps = append(steps,
		step{1, event.Executor, event.ExecutorOutput{Message: "{}"}},
		step{1, event.Gatekeeper, event.StageStarted{}},
		step{1, event.Gatekeeper, event.Gated{Report: gate.Report{Decision: gate.Blocked}}},
		step{1, event.Route, event.Routed{Routing: verdict.Routing{Decision: verdict.Retry,
			Causes: []verdict.CauseItem{{Cause: verdict.MissingRef}, {Cause: verdict.MissingRef}},
			Claims: []verdict.FinalClaim{claim("claim-1", verdict.Unsupported)}}}},
		step{2, "", event.RetryStarted{Context: verdict.RetryContext{Attempt: 2}}},
		step{2, event.Executor, event.StageStarted{}})
	steps = append(steps, call(2)...)
	return append(steps,
		step{2, event.Executor, event.ExecutorOutput{Message: "{}"}},
		step{2, event.Route, event.Routed{Routing: verdict.Routing{Decision: verdict.Pass,
			Claims: []verdict.FinalClaim{claim("claim-1", verdict.Supported), claim("claim-2", verdict.Supported)}}}},
		step{2, event.Answer, event.Answered{Markdown: "结论：连接池已满。", Style: event.StyleRendered}},
		step{0, "", event.Finished{Evaluation: verdict.Evaluation{Decision: verdict.Pass, Attempt: 2, Tokens: 110, Cost: 0.25,
			Answer: "结论：连接池已满。"}}},
	)
}

func play(t testing.TB, l *Log, steps []step) {
	t.Helper()
	for _, s := range steps {
		_, err := l.Append(s.attempt, s.stage, s.body)
		require.NoError(t, err)
	}
}

// recorded makes a session of one whole run and closes it.
func recorded(t testing.TB, s *Store) string {
	t.Helper()
	l, err := s.Create(header())
	require.NoError(t, err)
	play(t, l, wholeRun("pool is full\n"))
	require.NoError(t, l.Close())
	return l.Header().ID
}

func TestWhatWasSeenIsWhatIsRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "sessions")
	s := newStore(t, dir, nil)
	l, err := s.Create(header())
	require.NoError(t, err)
	unsaved, _ := l.Unsaved()
	require.False(t, unsaved)
	large := strings.Repeat("15:40:02 WARN 连接池 <full>\n", 20000)
	play(t, l, wholeRun(large))
	live := l.State()
	require.NoError(t, l.Close())

	id := l.Header().ID
	require.Regexp(t, `^20261130-154501-[0-9a-z]{4}$`, id)
	rec, err := s.Open(id)
	require.NoError(t, err)
	require.Equal(t, l.Events(), rec.Events)
	require.Equal(t, live, rec.State())
	require.Equal(t, state.Finished, live.Status)
	require.Equal(t, large, string(live.Traces(0)[0].Output))

	info, err := os.Stat(l.Path())
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	require.Less(t, info.Size(), int64(10000), "the output lives beside the file")
	blobs, err := os.ReadDir(filepath.Join(dir, "blobs"))
	require.NoError(t, err)
	require.Len(t, blobs, 1, "once, though two traces hold it")

	blob := filepath.Join(dir, "blobs", blobs[0].Name())
	require.NoError(t, os.WriteFile(blob, []byte(large[:len(large)-1]+"!"), 0o600))
	_, err = s.Open(id)
	require.ErrorIs(t, err, event.ErrBlob)
	var at *event.LineError
	require.ErrorAs(t, err, &at)
	require.Equal(t, 7, at.Line)
}

func TestPrefixesAreTimeTravel(t *testing.T) {
	s := newStore(t, t.TempDir(), nil)
	l, err := s.Create(header())
	require.NoError(t, err)
	var shots []state.Session
	for _, st := range wholeRun("x") {
		_, err := l.Append(st.attempt, st.stage, st.body)
		require.NoError(t, err)
		shots = append(shots, l.State())
	}
	require.NoError(t, l.Close())
	rec, err := s.Open(l.Header().ID)
	require.NoError(t, err)
	for i, shot := range shots {
		require.Equal(t, shot, rec.StateAt(i+1), "after event %d", i+1)
	}
}

func TestTornTailAtEveryOffset(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	id := recorded(t, s)
	name := filepath.Join(dir, id+Ext)
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	rec, err := s.Open(id)
	require.NoError(t, err)
	first := bytes.IndexByte(whole, '\n') + 1
	for cut := first; cut < len(whole); cut++ {
		require.NoError(t, os.WriteFile(name, whole[:cut], 0o600))
		want := bytes.Count(whole[first:cut], []byte("\n"))
		got, err := s.Open(id)
		require.NoError(t, err)
		require.Len(t, got.Events, want)
		require.Equal(t, cut-1-bytes.LastIndexByte(whole[:cut], '\n'), got.Torn)
		if cut%29 != 0 {
			continue
		}
		list, err := s.List()
		require.NoError(t, err)
		require.NoError(t, list[0].Err)
		l, err := s.Resume(id)
		require.NoError(t, err)
		require.NoError(t, l.Close())
		again, err := s.Open(id)
		require.NoError(t, err)
		require.Zero(t, again.Torn)
		require.Equal(t, rec.Events[:want], again.Events[:want])
		require.Equal(t, event.Resumed{Dropped: got.Torn}, again.Events[want].Body)
	}
	for cut := range first {
		require.NoError(t, os.WriteFile(name, whole[:cut], 0o600))
		_, err := s.Open(id)
		require.ErrorIs(t, err, event.ErrNoHeader)
		list, err := s.List()
		require.NoError(t, err)
		require.ErrorIs(t, list[0].Err, event.ErrNoHeader)
		require.Equal(t, id, list[0].ID)
	}
}

func TestOneWriterAtATime(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	l, err := s.Create(header())
	require.NoError(t, err)
	id := l.Header().ID
	play(t, l, wholeRun("x")[:4])

	other := newStore(t, dir, nil) // as another process would
	_, err = other.Resume(id)
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorContains(t, err, id)
	require.ErrorIs(t, other.Remove(id), ErrLocked)
	_, err = s.Resume(id)
	require.ErrorIs(t, err, ErrLocked)
	rec, err := other.Open(id)
	require.NoError(t, err, "readers take no lock")
	require.Len(t, rec.Events, 4)
	_, err = other.Review(id, event.Reviewed{Action: event.ReviewAccept})
	require.ErrorIs(t, err, ErrLocked)

	require.NoError(t, l.Close())
	_, err = l.Append(1, event.Planner, event.StageStarted{})
	require.ErrorIs(t, err, ErrClosed)
	again, err := other.Resume(id)
	require.NoError(t, err)
	require.Equal(t, 5, again.State().Marks[4].Seq)
	require.NoError(t, again.Close())
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, names, 1, "nothing but the session itself")
}

func TestWithoutAWritableFolderSessionsLiveInMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{"", filepath.Join(file, "sessions")} {
		s := newStore(t, dir, nil)
		l, err := s.Create(header())
		require.NoError(t, err)
		unsaved, why := l.Unsaved()
		require.True(t, unsaved)
		require.NotEmpty(t, why)
		play(t, l, wholeRun("x"))
		require.NoError(t, l.Close())
		entry := s.entry(place{live: l})
		require.True(t, entry.Unsaved)
		rec, err := s.Open(l.Header().ID)
		require.NoError(t, err)
		require.Equal(t, l.State(), rec.State())
		id, err := s.Review(l.Header().ID, event.Reviewed{Action: event.ReviewAccept, By: "li"})
		require.NoError(t, err)
		require.Equal(t, l.Header().ID, id)
		fork, err := s.Fork(id, 3, ForkLive, nil)
		require.NoError(t, err)
		require.Len(t, fork.Events(), 3)
		require.NoError(t, s.Remove(id))
		_, err = s.Open(id)
		require.ErrorIs(t, err, ErrNotFound)
	}
}

func TestForksChainAndLeaveTheirParent(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	id := recorded(t, s)
	before, err := os.ReadFile(filepath.Join(dir, id+Ext))
	require.NoError(t, err)
	parent := id
	for i := range 5 {
		l, err := s.Fork(parent, 8-i, ForkVerifier, func(h *event.Header) { h.Policy.Retries = i })
		require.NoError(t, err)
		require.Equal(t, &event.Parent{ID: parent, Seq: 8 - i, Mode: "verifier"}, l.Header().Parent)
		play(t, l, []step{{1, event.Verifier, event.StageStarted{}}})
		require.NoError(t, l.Close())
		rec, err := s.Open(l.Header().ID)
		require.NoError(t, err)
		require.Len(t, rec.Events, 9-i)
		require.Equal(t, i, rec.Header.Policy.Retries)
		parent = l.Header().ID
	}
	after, err := os.ReadFile(filepath.Join(dir, id+Ext))
	require.NoError(t, err)
	require.Equal(t, before, after)
	_, err = s.Fork(id, 999, ForkLive, nil)
	require.ErrorContains(t, err, "no event 999")
}

func bundle(t *testing.T) (fs.FS, string) {
	t.Helper()
	dir := t.TempDir()
	id := recorded(t, newStore(t, dir, nil))
	data, err := os.ReadFile(filepath.Join(dir, id+Ext))
	require.NoError(t, err)
	return fstest.MapFS{"recordings/" + id + Ext: {Data: data}}, id
}

func TestBundledSessionsAreNeverWritten(t *testing.T) {
	bundled, id := bundle(t)
	s := newStore(t, t.TempDir(), bundled)
	rec, err := s.Open(id)
	require.NoError(t, err)
	require.True(t, rec.State().Bundled)
	_, err = s.Resume(id)
	require.ErrorIs(t, err, ErrBundled)
	require.ErrorIs(t, s.Remove(id), ErrBundled)
	held, err := s.Review(id, event.Reviewed{Action: event.ReviewOverride, Reason: "看过日志", By: "li"})
	require.NoError(t, err)
	require.NotEqual(t, id, held)
	fork, err := s.Open(held)
	require.NoError(t, err)
	require.Equal(t, ForkReview, fork.Header.Parent.Mode)
	require.Equal(t, state.Finished, fork.State().Status)
	list, err := s.List()
	require.NoError(t, err)
	require.Len(t, list, 2)
	for _, e := range list {
		require.Equal(t, e.ID == id, e.Bundled)
		require.Equal(t, e.ID == held, e.Reviewed == event.ReviewOverride)
	}
}

func TestReviewsComeAfterTheEnd(t *testing.T) {
	s := newStore(t, t.TempDir(), nil)
	id := recorded(t, s)
	_, err := s.Review(id, event.Reviewed{Action: event.ReviewClaimWrong, ClaimID: "claim-1", By: "li"})
	require.NoError(t, err)
	_, err = s.Review(id, event.Reviewed{Action: event.ReviewAccept})
	require.NoError(t, err)
	for _, bad := range []event.Reviewed{{Action: "shrug"}, {Action: event.ReviewOverride, By: "li"}, {Action: event.ReviewClaimRight}} {
		_, err = s.Review(id, bad)
		require.Error(t, err)
	}
	rec, err := s.Open(id)
	require.NoError(t, err)
	require.Len(t, rec.State().Reviews, 2)

	running, err := s.Create(header())
	require.NoError(t, err)
	require.NoError(t, running.Close())
	_, err = s.Review(running.Header().ID, event.Reviewed{Action: event.ReviewAccept})
	require.ErrorIs(t, err, ErrNotEnded)
}

func TestNamesResolve(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	a, b := recorded(t, s), recorded(t, s)
	for _, name := range []string{a, a[:len(a)-1], a[len(a)-4:], filepath.Join(dir, a+Ext)} {
		rec, err := s.Open(name)
		require.NoError(t, err, name)
		require.Equal(t, a, rec.Header.ID)
	}
	var many *AmbiguousError
	_, err := s.Open("2026")
	require.ErrorAs(t, err, &many)
	require.ElementsMatch(t, []string{a, b}, many.IDs)
	for _, name := range []string{"nope", ""} {
		_, err = s.Open(name)
		require.ErrorIs(t, err, ErrNotFound)
	}
	_, err = s.Open(filepath.Join(dir, "gone"+Ext))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = s.Create(event.Header{ID: "../escape"})
	require.ErrorIs(t, err, ErrBadID)
	_, err = s.Create(event.Header{ID: a})
	require.ErrorIs(t, err, fs.ErrExist)
}

func TestListShowsBrokenFilesAndWhatSkimmingSees(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	id := recorded(t, s)
	open, err := s.Create(header())
	require.NoError(t, err)
	play(t, open, wholeRun("x")[:11])
	require.NoError(t, open.Close())
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+Ext), []byte(text), 0o600))
	}
	write("20200101-000000-aaaa", "rubbish\n")
	write("20200101-000000-bbbb", `{"schema":7,"id":"20200101-000000-bbbb"}`+"\n")
	write("20200101-000000-cccc", "")
	data, err := os.ReadFile(filepath.Join(dir, id+Ext))
	require.NoError(t, err)
	write("20200101-000000-dddd", string(data))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"+Ext), 0o700))

	list, err := s.List()
	require.NoError(t, err)
	require.Len(t, list, 6)
	for _, e := range list[:2] {
		require.NoError(t, e.Err)
		rec, err := s.Open(e.ID)
		require.NoError(t, err)
		whole := rec.State()
		require.Equal(t, whole.Summary(), e.Summary)
	}
	require.Equal(t, id, list[1].ID)
	require.Equal(t, 2, list[1].Supported)
	require.Equal(t, 2, list[1].Total)
	require.Equal(t, verdict.Pass, list[1].Decision)
	require.Equal(t, []string{"query_logs"}, list[1].Tools)
	require.Equal(t, []verdict.Cause{verdict.MissingRef}, list[0].Causes)
	require.Equal(t, state.Running, list[0].Status)
	for _, e := range list[2:] {
		require.Error(t, e.Err, e.ID)
		assert.Equal(t, 2020, e.Time.Year())
	}
	var newer *event.NewerError
	require.ErrorAs(t, list[4].Err, &newer)
	require.ErrorContains(t, list[2].Err, "holds session "+id)
}

func TestPruneAndRemoveSweepLargeValues(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	s := NewStore(dir, Options{Now: func() time.Time { return now }, Random: rand.New(rand.NewSource(3))})
	at := func(days int, output string) string {
		h := header()
		h.Time = now.Add(-time.Duration(days) * 24 * time.Hour)
		l, err := s.Create(h)
		require.NoError(t, err)
		play(t, l, wholeRun(output))
		require.NoError(t, l.Close())
		return l.Header().ID
	}
	shared, single := strings.Repeat("a", 300<<10), strings.Repeat("b", 300<<10)
	old, reviewed, mid, young := at(40, shared), at(50, shared), at(20, single), at(1, "x")
	_, err := s.Review(reviewed, event.Reviewed{Action: event.ReviewAccept, By: "li"})
	require.NoError(t, err)
	blobs := func() int {
		list, err := os.ReadDir(filepath.Join(dir, "blobs"))
		require.NoError(t, err)
		return len(list)
	}
	require.Equal(t, 2, blobs())
	now = now.Add(2 * time.Hour)

	gone, err := s.Prune(PruneRule{Age: 30 * 24 * time.Hour, Keep: 1, DryRun: true})
	require.NoError(t, err)
	require.Len(t, gone, 2)
	require.Equal(t, []string{mid, old}, []string{gone[0].ID, gone[1].ID})
	require.Equal(t, 2, blobs())
	gone, err = s.Prune(PruneRule{Age: 30 * 24 * time.Hour})
	require.NoError(t, err)
	require.Len(t, gone, 1)
	require.Equal(t, 2, blobs(), "the reviewed session still uses it")
	require.NoError(t, s.Remove(mid))
	require.Equal(t, 1, blobs())
	rec, err := s.Open(reviewed)
	require.NoError(t, err)
	require.Equal(t, shared, string(traces(rec.Events)[0].Output))
	require.NoError(t, s.Remove(young))
	list, err := s.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestRecordedRepliesAnswerAgain(t *testing.T) {
	s := newStore(t, t.TempDir(), nil)
	rec, err := s.Open(recorded(t, s))
	require.NoError(t, err)
	replies := rec.Replies()
	require.Len(t, replies, 1)
	require.Equal(t, event.Planner, replies[0].Stage)
	require.Equal(t, "1. 看日志", replies[0].Response.Message.Content)

	tools := rec.ToolReplay()
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
		require.Equal(t, Canonical([]byte(s[0])), Canonical([]byte(s[1])))
	}
	different := [][]string{
		{`{"a":1}`, `{"a":"1"}`}, {`9007199254740993`, `9007199254740992`}, {`[1,2]`, `[2,1]`},
		{`1e400`, `1e401`}, {`{} {}`, `{}`}, {`123456789012345678901`, `123456789012345678902`},
	}
	for _, s := range different {
		require.NotEqual(t, Canonical([]byte(s[0])), Canonical([]byte(s[1])))
	}
}

func TestFileOfSchemaOneFolds(t *testing.T) {
	rec, err := ReadFile("../event/testdata/schema-1.session.jsonl")
	require.NoError(t, err)
	s := rec.State()
	require.Equal(t, state.Failed, s.Status)
	require.Equal(t, "the endpoint answers 401", s.Error)
	require.Equal(t, verdict.LowConfid, s.Evaluation.Decision)
	require.Len(t, s.Reviews, 1)
	first, ok := s.Attempt(1)
	require.True(t, ok)
	require.Len(t, first.Structured().Claims, 2)
	require.Equal(t, gate.Code("B002"), first.Gate.Claims[1].Findings[0].Code)
	require.Equal(t, first.Structured().Claims[0].ClaimText, first.Reading().Contract.Claims[0].ClaimText)
	require.Equal(t, "连接池已满", s.Current().Message, "as edited")
}
