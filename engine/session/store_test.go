package session

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

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

// traces are all the traces of a recording, in call order.
func traces(rec *Recording) []trace.Trace {
	s := rec.State()
	return s.Traces(0)
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
		want := bytes.Count(whole[first:cut], []byte("\n"))
		got, err := Read(bytes.NewReader(whole[:cut]))
		require.NoError(t, err)
		require.Len(t, got.Events, want)
		require.Equal(t, cut-1-bytes.LastIndexByte(whole[:cut], '\n'), got.Torn)
		if cut%61 != 0 {
			continue
		}
		require.NoError(t, os.WriteFile(name, whole[:cut], 0o600))
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
	for cut := 0; cut < first; cut += 9 {
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

func TestSnapshotsAreReadWhileEventsArrive(t *testing.T) {
	s := newStore(t, t.TempDir(), nil)
	l, err := s.Create(header())
	require.NoError(t, err)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				shot := l.State()
				shot.Summary()
				shot.Traces(0)
				for i := range shot.Attempts {
					shot.Attempts[i].Reading()
					for _, x := range shot.Attempts[i].Exchanges {
						_ = x.Response == nil
					}
				}
				if list, err := s.List(); err != nil || len(list) != 1 {
					t.Errorf("list: %v, %d sessions", err, len(list))
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	play(t, l, wholeRun("x"))
	close(done)
	readers.Wait()
	require.NoError(t, l.Close())
}
