package pane_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/pane/answer"
	"claimscope/tui/pane/claims"
	"claimscope/tui/pane/hypotheses"
	"claimscope/tui/pane/jsonpane"
	"claimscope/tui/pane/pipeline"
	"claimscope/tui/pane/tracepane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/view/viewtest"
)

// big is the session LowConfid with so many bytes of Chinese log in trace-2, the cited
// lines at its end.
func big(size int) *viewtest.Script {
	s := viewtest.LowConfid()
	line := []byte("15:44:12.345 ERROR [支付服务] 获取数据库连接超时，已等待 29999ms，线程 http-nio-8080-exec-17 pool=HikariPool-1 active=50 idle=0\n")
	log := append(bytes.Repeat(line, size/len(line)), viewtest.LogOutput...)
	by := len(log) - len(viewtest.LogOutput)
	for i, e := range s.Events {
		switch b := e.Body.(type) {
		case event.ToolReturned:
			if b.Trace.Ref == "trace-2" {
				b.Trace.Output = log
				s.Events[i].Body = b
			}
		case event.Gated:
			for c := range b.Report.Claims {
				for k := range b.Report.Claims[c].Bindings {
					shift(&b.Report.Claims[c].Bindings[k], by)
				}
			}
		}
	}
	return s
}

func shift(b *gate.BindingReport, by int) {
	if b.TraceRef != "trace-2" {
		return
	}
	for i := range b.Occurrences {
		for k := range b.Occurrences[i].Spans {
			b.Occurrences[i].Spans[k].Start += by
			b.Occurrences[i].Spans[k].End += by
		}
	}
	for i := range b.Diff {
		b.Diff[i].Source.Start += by
		b.Diff[i].Source.End += by
	}
}

// screen is the debugger at 200×50: three columns.
type screen struct {
	panes []pane.Pane
	sizes [][2]int
}

func newScreen() *screen {
	t := theme.New(theme.Dark, nil)
	return &screen{
		panes: []pane.Pane{pipeline.New(t), claims.New(t), jsonpane.New(t), tracepane.New(t), hypotheses.New(t), answer.New(t)},
		sizes: [][2]int{{34, 47}, {78, 28}, {78, 17}, {82, 24}, {82, 8}, {82, 11}},
	}
}

func (s *screen) draw(v *view.View) {
	for i, p := range s.panes {
		p.Sync(v)
		p.Lines(s.sizes[i][0], s.sizes[i][1], v, i == 3)
	}
}

var sizes = []int{1 << 20, 10 << 20, 100 << 20}

func BenchmarkScrollStep(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%dMB", size>>20), func(b *testing.B) {
			v, s := big(size).View(text.ZH), newScreen()
			v.Apply(view.SelectClaim{Claim: 4})
			s.draw(v)
			b.ReportAllocs()
			keys := []keymap.Action{keymap.Up, keymap.PageUp, keymap.Down}
			i := 0
			for b.Loop() {
				s.panes[3].Key(keys[i%len(keys)], v)
				i++
				s.draw(v)
			}
		})
	}
}

func BenchmarkSelectionStep(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%dMB", size>>20), func(b *testing.B) {
			v, s := big(size).View(text.ZH), newScreen()
			s.draw(v)
			b.ReportAllocs()
			for b.Loop() {
				v.Apply(view.WalkFindings{Severity: gate.Block})
				s.draw(v)
			}
		})
	}
}

func BenchmarkFirstFrame(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%dMB", size>>20), func(b *testing.B) {
			state := big(size).State()
			b.ReportAllocs()
			for b.Loop() {
				v, s := view.New(state, text.ZH), newScreen()
				v.Apply(view.SelectClaim{Claim: 4})
				s.draw(v)
			}
		})
	}
}

// many is a session of that many claims, each with two bindings.
func many(claimCount int) *viewtest.Script {
	s := viewtest.NewScript("s-many", "很多结论", contract.V2)
	s.Plan(1, "1. 查日志").Add(1, event.Executor, event.StageStarted{}).Call(1, viewtest.Logs())
	c := contract.Contract{AnswerVersion: contract.V2}
	r := gate.Report{Decision: gate.Blocked}
	span := viewtest.At([]byte(viewtest.LogOutput), "31%", 0)
	for i := range claimCount {
		id, pointer := fmt.Sprintf("claim-%d", i+1), fmt.Sprintf("/claims/%d", i)
		claim := contract.Claim{ClaimID: id, ClaimType: contract.Symptom, ClaimText: "下游超时率在 15:44 达到 31%，并且持续了至少两分钟。", SupportLevel: contract.Direct}
		report := gate.ClaimReport{ClaimID: id, Pointer: pointer, Verdict: gate.Unsupported}
		for k := range 2 {
			claim.EvidenceBindings = append(claim.EvidenceBindings, contract.Binding{SourceType: "tool_trace", SourceID: "trace-2", EvidenceExcerpt: "31%"})
			report.Bindings = append(report.Bindings, gate.BindingReport{
				Pointer: fmt.Sprintf("%s/evidence_bindings/%d", pointer, k), Resolved: true, TraceRef: "trace-2", Tier: grounding.Exact, Total: 1,
				Spans: []grounding.Span{span}, Occurrences: []grounding.Occurrence{{Spans: []grounding.Span{span}}},
			})
		}
		report.Findings = []gate.Finding{{Code: "C003", Severity: gate.Block, Pointer: pointer + "/claim_text", Message: gate.Message{ZH: "时间 15:44 不在证据的时间范围内", EN: "out of range"}}}
		c.Claims, r.Claims = append(c.Claims, claim), append(r.Claims, report)
	}
	s.Add(1, event.Parse, event.StageStarted{}).Add(1, event.Parse, event.Parsed{Status: contract.StatusOK, Structured: &c})
	return s.Gate(1, r)
}

func BenchmarkThousandClaims(b *testing.B) {
	v, s := many(1000).View(text.ZH), newScreen()
	s.draw(v)
	b.Run("select", func(b *testing.B) {
		for b.Loop() {
			v.Apply(view.WalkFindings{Severity: gate.Block})
			s.draw(v)
		}
	})
	b.Run("event", func(b *testing.B) {
		state := many(1000).State()
		v.SetState(state, 0)
		for b.Loop() {
			next := *state
			next.Apply(event.Event{Seq: next.Seq() + 1, Body: event.Reviewed{Action: event.ReviewClaimRight, ClaimID: "claim-7", By: "li"}})
			state = &next
			v.SetState(state, 0)
			s.draw(v)
		}
	})
}

func TestTheCostOfAStepIsIndependentOfTheTrace(t *testing.T) {
	allocs := map[int]float64{}
	for _, size := range []int{1 << 20, 32 << 20} {
		v, s := big(size).View(text.ZH), newScreen()
		v.Apply(view.SelectClaim{Claim: 4})
		s.draw(v)
		require.Contains(t, text.Unstyle(joined(s.panes[3].Lines(82, 24, v, true))), "获取数据库连接超时，已等待 30000ms")
		step := 0
		allocs[size] = testing.AllocsPerRun(20, func() {
			s.panes[3].Key([]keymap.Action{keymap.Up, keymap.Down}[step%2], v)
			step++
			s.draw(v)
		})
	}
	require.InDelta(t, allocs[1<<20], allocs[32<<20], 40, "allocations: %v", allocs)
}

func joined(lines []string) string {
	var b bytes.Buffer
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	return b.String()
}
