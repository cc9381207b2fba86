package pipeline_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"claimscope/engine/enginetest"
	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/pipeline"
	"claimscope/engine/session"
	"claimscope/engine/verdict"
)

// BenchmarkSession runs a whole session with a model that answers at once: ten tool
// calls, 1 MB of outputs, ten claims: in memory, with the Gatekeeper and without, so
// that its part shows; and written to a file, with an fdatasync an event.
func BenchmarkSession(b *testing.B) {
	var script strings.Builder
	script.WriteString("query 为什么超时？\n")
	for i := range 10 {
		fmt.Fprintf(&script, "tool query_%d ok observation\n", i)
		for line := range 1000 {
			fmt.Fprintf(&script, "| 2026-03-01T10:%02d:%02dZ INFO svc=order-%d handled request id=%d in %dms with status ok\n", line/60%60, line%60, i, line, line%97)
		}
	}
	script.WriteString("expect decision PASS\n")
	s, err := enginetest.Parse("bench", script.String())
	if err != nil {
		b.Fatal(err)
	}
	var calls []model.ToolCall
	var claims, checks []string
	for i := range 10 {
		calls = append(calls, model.ToolCall{Name: fmt.Sprintf("query_%d", i), Arguments: "{}"})
		claims = append(claims, fmt.Sprintf(`{"claim_id":"c%d","claim_type":"symptom","claim_text":"order-%d 处理了请求 id=500。","support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":"trace-%d","tool_name":"query_%d","source_invocation_ids":[%d],"evidence_excerpt":"svc=order-%d handled request id=500 in"}]}`, i, i, i+1, i, 101+i, i))
		checks = append(checks, fmt.Sprintf(`{"claim_id":"c%d","verdict":"supported"}`, i))
	}
	output := `{"answer_version":"executor_evidence_v2","claims":[` + strings.Join(claims, ",") + `],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`
	verdicts := `{"claim_checks":[` + strings.Join(checks, ",") + `],"decision":"PASS"}`
	for _, mode := range []verdict.GateMode{verdict.GateEnforce, verdict.GateOff} {
		b.Run("gate="+string(mode), func(b *testing.B) { benchmark(b, s, nil, mode, calls, output, verdicts) })
	}
	store := session.NewStore(b.TempDir(), session.Options{Now: time.Now, Random: rand.Reader})
	b.Run("on disk", func(b *testing.B) { benchmark(b, s, store, verdict.GateEnforce, calls, output, verdicts) })
}

// benchmark runs the session; store is nil for one in memory.
func benchmark(b *testing.B, s *enginetest.Scenario, store *session.Store, mode verdict.GateMode, calls []model.ToolCall, output, verdicts string) {
	b.ReportAllocs()
	for b.Loop() {
		cfg, _, _ := s.Config()
		cfg.Policy.Gate = mode
		cfg.Model = modeltest.New().On("planner", modeltest.Text("计划")).
			On("executor", modeltest.Reply{Calls: calls}, modeltest.Text(output)).On("verifier", modeltest.Text(verdicts))
		var log *session.Log
		if store != nil {
			var err error
			if log, err = store.Create(event.Header{Query: cfg.Query}); err != nil {
				b.Fatal(err)
			}
			cfg.Sink = log
		}
		run, err := pipeline.Begin(context.Background(), cfg)
		if err != nil {
			b.Fatal(err)
		}
		if out := run.Wait(); out.Evaluation.Decision != "PASS" {
			b.Fatalf("%+v", out.Evaluation.Causes)
		}
		if log != nil {
			if err := log.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
