package view_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/state"
	"claimscope/tui/text"
	"claimscope/tui/view"
	"claimscope/tui/view/viewtest"
)

func low(t *testing.T) *view.View {
	t.Helper()
	v := viewtest.LowConfid().View(text.EN)
	require.Len(t, v.Claims, 5)
	return v
}

// bytesOf gives the bytes of the current place of the evidence.
func bytesOf(t *testing.T, v *view.View) string {
	t.Helper()
	require.GreaterOrEqual(t, v.Evidence.Current, 0)
	s := v.Evidence.Spots[v.Evidence.Current]
	require.Equal(t, s.Ref, v.Sel.Trace)
	x := s.Extent()
	return string(v.Output(s.Ref)[x.Start:x.End])
}

func TestClaimReachesEveryPane(t *testing.T) {
	v := low(t)
	require.True(t, v.Apply(view.SelectClaim{Claim: 4}))
	require.Equal(t, "/claims/4", v.Sel.Pointer)
	require.Equal(t, "trace-2", v.Sel.Trace)
	require.Equal(t, "获取数据库连接超时，已等待 30000ms", bytesOf(t, v))
	require.Len(t, v.Evidence.Spots, 3)
	sentence := v.Texts[v.Sel.SentenceText].Sentences[v.Sel.Sentence]
	require.Equal(t, "获取连接超时始于 15:44:12", v.Texts[0].Markdown[sentence.Start:sentence.End])
	node := v.Doc.Node(v.Sel.Pointer)
	require.NotNil(t, node)
	require.Contains(t, v.Doc.Text[node.Span.Start:node.Span.End], "claim-5")
}

func TestEveryPaneReachesTheClaim(t *testing.T) {
	for name, i := range map[string]func(v *view.View) view.Intent{
		"answer": func(*view.View) view.Intent { return view.SelectSentence{Text: 0, Sentence: 0} },
		"json": func(v *view.View) view.Intent {
			return view.SelectJSONOffset{Offset: strings.Index(v.Doc.Text, "获取连接超时始于")}
		},
		"trace": func(v *view.View) view.Intent {
			return view.SelectTraceOffset{Ref: "trace-2", Offset: strings.LastIndex(viewtest.LogOutput, "已等待")}
		},
		"pointer": func(*view.View) view.Intent { return view.SelectPointer{Pointer: "/claims/4/claim_text"} },
	} {
		t.Run(name, func(t *testing.T) {
			v := low(t)
			require.True(t, v.Apply(i(v)))
			require.Equal(t, 4, v.Sel.Claim)
			require.Equal(t, "trace-2", v.Sel.Trace)
			require.Equal(t, 0, v.Sel.Sentence)
		})
	}
}

func TestAByteOfTheTraceGoesToItsOwnPlace(t *testing.T) {
	v := low(t)
	v.Apply(view.SelectTraceOffset{Ref: "trace-2", Offset: strings.LastIndex(viewtest.LogOutput, "已等待")})
	require.Equal(t, 2, v.Sel.Spot, "the third of three equal lines")
	before := v.Sel
	v.Apply(view.SelectTraceOffset{Ref: "trace-2", Offset: 0})
	require.Equal(t, before.Claim, v.Sel.Claim, "nobody cites the first line")
}

func TestAMessageByteInABinding(t *testing.T) {
	v := low(t)
	v.Apply(view.SelectJSONOffset{Offset: strings.Index(v.Doc.Text, "connection leak detected")})
	require.Equal(t, 3, v.Sel.Claim)
	require.Equal(t, 0, v.Sel.Binding)
	require.Equal(t, "/claims/3/evidence_bindings/0/evidence_excerpt", v.Sel.Pointer)
	require.Equal(t, "trace-9", v.Sel.Trace)
	require.Nil(t, v.ShownTrace())
	require.Equal(t, &view.Absence{Excerpt: "connection leak detected", Ref: "trace-9", Missing: true, Traces: 3, Bytes: len(viewtest.LogOutput) + len(viewtest.MetricOutput) + len(viewtest.KnowledgeOutput)}, v.Evidence.Absent)
}

func TestWalkOfBlockingFindings(t *testing.T) {
	v := low(t)
	walk := func(back bool) string {
		v.Apply(view.WalkFindings{Severity: gate.Block, Back: back})
		return v.Finding().Code
	}
	var codes []string
	for range 8 {
		codes = append(codes, walk(false))
	}
	want := []string{"insufficient", "B005", "C001", "unsupported", "B002", "unsupported", "F001", "extra_fact"}
	require.Equal(t, want, codes)
	require.Equal(t, "insufficient", walk(false), "round the end")
	require.Equal(t, "extra_fact", walk(true))
	require.Equal(t, "F001", walk(true))

	// From a claim, its own findings come first.
	v.Apply(view.SelectClaim{Claim: 3})
	require.Equal(t, "B002", walk(false))
	v.Apply(view.SelectClaim{Claim: 1})
	require.Equal(t, "unsupported", walk(true), "the last one of that claim")
	require.Equal(t, 1, v.Sel.Claim)

	v.Apply(view.ClearSelection{})
	v.Apply(view.ClearSelection{})
	v.Apply(view.WalkFindings{Severity: gate.Warn})
	require.Equal(t, "B006", v.Finding().Code)
}

func TestFindingShowsWhatItPointsAt(t *testing.T) {
	v := low(t)
	at := slices.IndexFunc(v.Findings, func(f view.Finding) bool { return f.Code == "C001" })
	v.Apply(view.SelectFinding{Finding: at})
	require.Equal(t, 1, v.Sel.Claim)
	require.Equal(t, "31%", bytesOf(t, v))
	require.Equal(t, view.RoleNearest, v.Evidence.Spots[0].Role)

	at = slices.IndexFunc(v.Findings, func(f view.Finding) bool { return f.Code == "F001" })
	v.Apply(view.SelectFinding{Finding: at})
	require.Equal(t, -1, v.Sel.Claim)
	require.Equal(t, "/user_facing_answer", v.Sel.Pointer)
	x := v.Texts[v.Sel.SentenceText]
	require.Equal(t, view.FieldUserFacing, x.Field)
	require.Equal(t, "订单服务也受到影响。", x.Markdown[x.Sentences[v.Sel.Sentence].Start:x.Sentences[v.Sel.Sentence].End])
	v.Apply(view.SelectSentence{Text: v.Sel.SentenceText, Sentence: v.Sel.Sentence})
	require.Equal(t, at, v.Sel.Finding, "and back")
}

func TestWalkOfPlacesCrossesTraces(t *testing.T) {
	v := viewtest.Pass().View(text.ZH)
	v.Apply(view.SelectClaim{Claim: 0})
	require.Equal(t, "trace-1", v.Sel.Trace)
	v.Apply(view.WalkSpots{})
	require.Equal(t, "trace-2", v.Sel.Trace)
	require.Equal(t, "active connections reached maximum pool size (50)", bytesOf(t, v))
	v.Apply(view.WalkSpots{})
	require.Equal(t, "trace-1", v.Sel.Trace)
	v.Apply(view.WalkSpots{Back: true})
	require.Equal(t, "trace-2", v.Sel.Trace)

	marks := v.Evidence.Marks
	require.Contains(t, marks, view.Mark{Span: v.Evidence.Spots[1].Spans[0], Kind: view.MarkCurrent})
	require.Contains(t, marks, view.Mark{Span: viewtest.At([]byte(viewtest.LogOutput), "50", 0), Kind: view.MarkFact})
}

func TestMarksOfNearQuoteAndParaphrase(t *testing.T) {
	v := low(t)
	v.Apply(view.SelectClaim{Claim: 0})
	require.NotEmpty(t, v.Evidence.Diff)
	edited := slices.IndexFunc(v.Evidence.Marks, func(m view.Mark) bool { return m.Kind == view.MarkEdited })
	require.GreaterOrEqual(t, edited, 0)
	s := v.Evidence.Marks[edited].Span
	require.Equal(t, "imum", viewtest.LogOutput[s.Start:s.End])

	v.Apply(view.SelectClaim{Claim: 2})
	require.Equal(t, "trace-1", v.Sel.Trace)
	require.Equal(t, view.RoleFact, v.Evidence.Spots[0].Role)
	require.Len(t, v.Evidence.Spots[0].Spans, 2)
	require.Empty(t, v.Evidence.Diff)
}

func TestVerifiersOwnClaimsStandIn(t *testing.T) {
	v := viewtest.Malformed().View(text.ZH)
	require.Len(t, v.Claims, 2)
	require.True(t, v.Claims[0].Natural)
	require.Equal(t, view.Supported, v.Claims[0].Standing)
	require.Equal(t, view.Insufficient, v.Claims[1].Standing)
	require.Nil(t, v.Doc.Reading.Root)
	v.Apply(view.SelectSentence{})
	require.Equal(t, 0, v.Sel.Claim)
	v.Apply(view.WalkFindings{Severity: gate.Block})
	require.Equal(t, 1, v.Sel.Claim, "of the first claim there is nothing to say")
	codes := []string{}
	for _, f := range v.Findings {
		codes = append(codes, f.Code)
	}
	require.Equal(t, []string{"insufficient", "invalid", "S001"}, codes)
}

func TestAttemptsAndTheirTraces(t *testing.T) {
	v := low(t)
	h := v.Head()
	require.Equal(t, 2, h.Attempt)
	require.Equal(t, 2, h.Attempts)
	require.Equal(t, []int{2, 5}, []int{h.Supported, h.Total})
	require.Len(t, v.Traces, 4)
	v.Apply(view.SelectClaim{Claim: 1})
	v.Apply(view.SelectStage{Attempt: 1, Stage: event.Executor})
	require.Equal(t, 1, v.Attempt.Number)
	require.Equal(t, -1, v.Sel.Claim, "another attempt has other claims")
	require.False(t, v.Citable(v.Trace("trace-4")))
	require.NotEqual(t, view.FieldAnswer, v.Texts[0].Field, "the first attempt gave no answer")
	v.Apply(view.SelectStage{Attempt: 2, Stage: event.Executor})
	require.Equal(t, 2, v.Attempt.Number)
	require.Zero(t, v.Sel.Attempt, "the newest is followed")
}

func TestStagesOfARun(t *testing.T) {
	v := viewtest.Running().View(text.ZH)
	var got []string
	for _, s := range v.Stages {
		got = append(got, string(s.Stage)+" "+[]string{"waiting", "running", "paused", "done", "failed", "skipped"}[s.Progress])
	}
	require.Equal(t, []string{"planner done", "executor running", "parse waiting", "gatekeeper waiting", "verifier waiting", "route waiting", "answer waiting"}, got)
	require.Equal(t, []int{0, 1}, v.Stages[1].Traces)
	require.True(t, v.Traces[1].Running())
	require.Equal(t, 800*time.Millisecond, v.Stages[1].Duration, "as of its last reply")
	at := v.Stages[1].Started
	require.Equal(t, 3*time.Second, v.Stages[1].Elapsed(at.Add(3*time.Second)))
}

func TestSelectionSurvivesNewEvents(t *testing.T) {
	s := viewtest.LowConfid()
	head := state.FoldPrefix(s.Header, s.Events, len(s.Events)-3)
	v := view.New(&head, text.EN)
	v.Apply(view.SelectFinding{Finding: 2})
	before, version, content := v.Sel, v.Version(), v.ContentVersion()
	v.SetState(s.State(), len(s.Events))
	require.Equal(t, before.Finding, v.Sel.Finding)
	require.Equal(t, before.Trace, v.Sel.Trace)
	require.Greater(t, v.Version(), version)
	require.Greater(t, v.ContentVersion(), content)
	require.False(t, v.Past())
	content = v.ContentVersion()
	v.Apply(view.SelectClaim{Claim: 0})
	require.Equal(t, content, v.ContentVersion(), "the selection derives no content")
	v.SetState(&head, len(s.Events))
	require.True(t, v.Past())
}

func TestIntentsOfTheRootAreNotApplied(t *testing.T) {
	v := low(t)
	before := v.Version()
	for _, i := range []view.Intent{view.CopyText{}, view.SaveRaw{}, view.OpenFull{}, view.Explain{}, view.ShowVerifier{}, view.FocusPane{}, nil} {
		require.False(t, v.Apply(i))
	}
	require.Equal(t, before, v.Version())
}

func TestEveryMomentOfEverySessionTakesEveryIntent(t *testing.T) {
	for name, s := range viewtest.All() {
		t.Run(name, func(t *testing.T) {
			for n := range len(s.Events) + 1 {
				folded := state.FoldPrefix(s.Header, s.Events, n)
				v := view.New(&folded, text.Lang(n%2))
				for k := -1; k < 12; k++ {
					for _, i := range []view.Intent{
						view.SelectClaim{Claim: k}, view.SelectBinding{Claim: k, Binding: 0}, view.SelectBinding{Claim: 0, Binding: k},
						view.SelectFinding{Finding: k}, view.WalkFindings{Severity: gate.Warn, Back: k%2 == 0}, view.WalkSpots{Back: k%2 == 0},
						view.ShowTrace{Ref: "trace-1"}, view.SelectPointer{Pointer: "/claims/" + strings.Repeat("9", max(k, 0)) + "/x"}, view.SelectJSONOffset{Offset: 37 * k},
						view.SelectSentence{Text: k % 3, Sentence: k}, view.SelectTraceOffset{Ref: "trace-2", Offset: 31 * k}, view.SelectStage{Attempt: k, Stage: event.Parse},
						view.ClearSelection{},
					} {
						require.True(t, v.Apply(i))
						check(t, v)
					}
				}
				v.Head()
				v.Notes()
				v.VerifierPayload()
				v.ClaimReport(0)
			}
		})
	}
}

// check asserts that the selection names only what is there.
func check(t *testing.T, v *view.View) {
	t.Helper()
	require.Less(t, v.Sel.Claim, len(v.Claims))
	require.Less(t, v.Sel.Finding, len(v.Findings))
	if v.Sel.Binding >= 0 {
		require.Less(t, v.Sel.Binding, len(v.Claim().Bindings))
	}
	if v.Evidence.Current >= 0 {
		require.Less(t, v.Evidence.Current, len(v.Evidence.Spots))
	}
	if v.Sel.Sentence >= 0 {
		require.Less(t, v.Sel.Sentence, len(v.Texts[v.Sel.SentenceText].Sentences))
	}
}

func TestWhatTheVerifierIsNotShown(t *testing.T) {
	v := viewtest.Pass().View(text.EN)
	p := v.VerifierPayload()
	require.True(t, p.Sent)
	var names []string
	for _, f := range p.Fields {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"original_query", "executor_final_answer", "tool_trace_summary", "retry_context", "executor_structured_output", "executor_output_parse_status"}, names)
	require.Equal(t, "支付服务为什么超时？", p.Fields[0].Text)
	require.Contains(t, p.Fields[2].Text, "\"extract\": \"a < b & c\"", "as it was sent")
	counts := map[string]int{}
	for _, w := range p.Withheld {
		require.True(t, w.What.Complete())
		counts[w.What.EN] = w.Count
	}
	require.Equal(t, 2, counts["the Planner's plan and reasoning"])
	require.Equal(t, 1, counts["the Executor's reasoning (reasoning_content and <think>)"])
	require.Equal(t, 3, counts["the raw tool outputs (only extracts are shown)"])

	low := viewtest.LowConfid().View(text.EN).VerifierPayload()
	require.Greater(t, low.Withheld[1].Bytes, len("<think>"), "reasoning in the message itself")

	running := viewtest.Running().View(text.EN).VerifierPayload()
	require.False(t, running.Sent)

	hostile := viewtest.Hostile().View(text.EN).VerifierPayload()
	require.Len(t, hostile.Fields, 2)
	require.True(t, strings.HasPrefix(hostile.Fields[1].Name, "!"), "a field that should not be there is told")
}

func TestCopyOfAClaim(t *testing.T) {
	v := viewtest.LowConfid().View(text.EN)
	got := v.ClaimReport(4)
	require.Contains(t, got, "获取连接超时始于 15:44:12")
	require.Contains(t, got, "trace-2 query_logs  exact  line 3")
	require.Contains(t, v.ClaimReport(1), "! 35% is in no evidence; the nearest is 31%  C001")
	require.Empty(t, v.ClaimReport(99))
}

func TestTiersOfBindings(t *testing.T) {
	v := low(t)
	want := []grounding.Tier{grounding.Near, grounding.Absent, grounding.Paraphrase, grounding.Absent, grounding.Exact}
	for i, tier := range want {
		require.Equal(t, tier, v.Claims[i].Bindings[0].Tier())
	}
	require.True(t, v.Claims[3].Bindings[0].Missing)
	require.Equal(t, 3, v.Claims[4].Bindings[0].Places())
}

// TestCallsBelongToTheirRun: an attempt that was taken up has its Executor twice, each
// with its own calls.
func TestCallsBelongToTheirRun(t *testing.T) {
	s := viewtest.Running()
	s.Add(0, "", event.Resumed{}).Add(1, event.Executor, event.StageStarted{})
	s.Add(1, event.Executor, event.ToolCalled{Ref: "trace-3", ToolName: "query_logs", InvocationID: 103})
	var calls [][]int
	for _, row := range s.View(text.EN).Stages {
		if row.Stage == event.Executor {
			calls = append(calls, row.Traces)
		}
	}
	require.Equal(t, [][]int{{0, 1}, {2}}, calls)
}

// TestTheWalkOfWarningsStopsAtNotices: w is never dead where a notice is shown.
func TestTheWalkOfWarningsStopsAtNotices(t *testing.T) {
	v := viewtest.LowConfid().View(text.EN)
	warnings := 0
	for i := range v.Findings {
		if v.Findings[i].Severity == gate.Warn {
			v.Findings[i].Severity = gate.Info
			warnings++
		}
	}
	require.Positive(t, warnings)
	number, of := v.Walked()
	require.Equal(t, []int{0, 0}, []int{number, of})
	for i := range warnings + 1 {
		v.Apply(view.WalkFindings{Severity: gate.Warn})
		number, of = v.Walked()
		require.Equal(t, []int{i%warnings + 1, warnings}, []int{number, of})
	}
}
