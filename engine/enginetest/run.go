package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/pipeline"
	"claimscope/engine/session"
	"claimscope/engine/state"
	"claimscope/engine/tool"
	"claimscope/engine/trace"
	"claimscope/prompts"
)

// scriptedTool gives its replies in turn, the last one again and again.
type scriptedTool struct {
	name    string
	kind    trace.Kind
	mu      sync.Mutex
	replies []toolReply
}

// Spec implements tool.Tool.
func (t *scriptedTool) Spec() tool.Spec {
	return tool.Spec{Name: t.name, Description: "脚本工具", Parameters: json.RawMessage(`{"type":"object"}`), Kind: t.kind}
}

// Call implements tool.Tool.
func (t *scriptedTool) Call(context.Context, json.RawMessage) (tool.Result, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.replies[0]
	if len(t.replies) > 1 {
		t.replies = t.replies[1:]
	}
	res := tool.Result{Output: []byte(r.text), Status: r.status}
	if r.block != "" {
		res.Blocks = []trace.Block{{BlockID: r.block, Document: "runbook.md", Heading: "脚本", Span: trace.Span{Start: 0, End: len(r.text)}, Score: 1}}
	}
	return res, nil
}

// Clock is a clock that moves on by one second at each reading, from a fixed time.
func Clock() func() time.Time {
	var mu sync.Mutex
	t := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		t = t.Add(time.Second)
		return t
	}
}

// Config gives a complete configuration of a run of the scenario, in memory.
func (s *Scenario) Config() (pipeline.Config, *session.Log, *modeltest.Model) {
	m := s.Model()
	clock := Clock()
	log := session.NewMemory(event.Header{Schema: event.SchemaVersion, ID: "test", Time: clock(), Query: s.Query, ContractVersion: s.Version, Policy: s.Policy, Composer: s.Composer}, clock, "")
	return pipeline.Config{
		SessionID: "test", Query: s.Query, Version: s.Version, Policy: s.Policy, Composer: s.Composer,
		Prompts: prompts.Embedded(), Model: m, Tools: s.Tools(), Sink: log, Clock: clock,
		Gate: func(in gate.Input) gate.Report { return gate.Verify(in, gate.Policy{}) },
	}, log, m
}

// Result is a finished run of a scenario.
type Result struct {
	Scenario *Scenario
	Outcome  pipeline.Outcome
	Log      *session.Log
	Model    *modeltest.Model
	State    state.Session
}

// Run runs the scenario to its end.
func (s *Scenario) Run(ctx context.Context) (*Result, error) {
	cfg, log, m := s.Config()
	run, err := pipeline.Begin(ctx, cfg)
	if err != nil {
		return nil, err
	}
	out := run.Wait()
	return &Result{Scenario: s, Outcome: out, Log: log, Model: m, State: log.State()}, nil
}

// Files runs every scenario file of a folder as a subtest. A folder without any is a
// failure.
func Files(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.scenario"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenario in %s (%v)", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".scenario"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Parse(filepath.Base(file), string(text))
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, failure := range r.Check() {
				t.Error(failure)
			}
		})
	}
}

// Check compares what happened with what the scenario expects. Each failure names
// file and line.
func (r *Result) Check() []string {
	c := checker{r: r, at: -1}
	for i, e := range r.Scenario.expects {
		if problem := c.check(i, e); problem != "" {
			c.failures = append(c.failures, fmt.Sprintf("%s:%d: expect %s: %s", r.Scenario.Name, e.line, e.text, problem))
		}
	}
	if problem := c.otherCauses(); problem != "" {
		c.failures = append(c.failures, r.Scenario.Name+": "+problem)
	}
	if left := r.Model.Left(); len(left) > 0 {
		c.failures = append(c.failures, fmt.Sprintf("%s: scripted replies that nobody asked for: %v", r.Scenario.Name, left))
	}
	if r.Outcome.Err != nil {
		c.failures = append(c.failures, fmt.Sprintf("%s: the log failed: %v", r.Scenario.Name, r.Outcome.Err))
	}
	return c.failures
}

type checker struct {
	r        *Result
	failures []string
	causes   int // expected so far
	listed   bool
	at       int // index of the last event found
}

func differs(want, got string) string {
	if want == got {
		return ""
	}
	return "got " + got
}

func (c *checker) check(_ int, e expectation) string {
	w := e.words[1:]
	eval := c.r.Outcome.Evaluation
	if eval == nil {
		return "there is no evaluation"
	}
	last := c.r.State.Current()
	switch e.words[0] {
	case "decision":
		return differs(w[0], string(eval.Decision))
	case "end":
		return differs(w[0], string(c.r.Outcome.End))
	case "attempt":
		return differs(w[0], strconv.Itoa(eval.Attempt))
	case "parse":
		return differs(w[0], string(eval.ParseStatus))
	case "cause":
		return c.cause(w)
	case "causes":
		c.listed = true
		return differs("0", strconv.Itoa(len(eval.Causes)))
	case "claim":
		return c.claim(w[0], w[1])
	case "style":
		if last.Answer == nil {
			return "there is no answer"
		}
		return differs(w[0], string(last.Answer.Style))
	case "answer":
		return contains(w[0], eval.Answer, strings.Join(w[1:], " "))
	case "trace":
		return c.trace(w)
	case "asked":
		return differs(w[1], strconv.Itoa(len(c.r.Model.To(w[0]))))
	case "request":
		return contains(w[1], requests(c.r.Model.To(w[0])), strings.Join(w[2:], " "))
	case "event":
		return c.event(w)
	}
	return "not understood" // check refuses it before
}

func contains(how, text, part string) string {
	if how != "contains" && how != "lacks" {
		return "write contains or lacks"
	}
	if strings.Contains(text, part) == (how == "contains") {
		return ""
	}
	return "it is:\n" + text
}

func requests(list []model.Request) string {
	var b strings.Builder
	for _, req := range list {
		for _, m := range req.Messages {
			b.WriteString(string(m.Role) + ": " + m.Content + m.Reasoning + "\n")
			for _, call := range m.ToolCalls {
				b.WriteString(call.Name + " " + call.Arguments + "\n")
			}
		}
	}
	return b.String()
}

func (c *checker) cause(w []string) string {
	causes := c.r.Outcome.Evaluation.Causes
	i := c.causes
	c.causes++
	c.listed = true
	if i >= len(causes) {
		return fmt.Sprintf("there are only %d causes", len(causes))
	}
	if problem := differs(w[0], string(causes[i].Cause)); problem != "" {
		return problem + " (" + causes[i].Message + ")"
	}
	if len(w) > 1 {
		return differs(w[1], causes[i].Pointer)
	}
	return ""
}

// otherCauses complains of causes beyond those listed.
func (c *checker) otherCauses() string {
	eval := c.r.Outcome.Evaluation
	if !c.listed || eval == nil || c.causes >= len(eval.Causes) {
		return ""
	}
	var more []string
	for _, cause := range eval.Causes[c.causes:] {
		more = append(more, fmt.Sprintf("%s %s (%s)", cause.Cause, cause.Pointer, cause.Message))
	}
	return "causes that were not expected: " + strings.Join(more, "; ")
}

func (c *checker) claim(id, want string) string {
	routing := c.r.State.Current().Routing
	if routing == nil {
		return "nothing was routed"
	}
	for _, f := range routing.Claims {
		if f.ClaimID == id {
			if problem := differs(want, string(f.Verdict)); problem != "" {
				return problem + " (" + f.Reason + ")"
			}
			return ""
		}
	}
	return "there is no such claim"
}

func (c *checker) trace(w []string) string {
	for _, a := range c.r.State.Attempts {
		for _, call := range a.Calls {
			if call.Ref == w[0] && call.Trace != nil {
				return differs(w[1]+" "+w[2], call.ToolName+" "+string(call.Trace.Status))
			}
		}
	}
	return "there is no such trace"
}

func (c *checker) event(w []string) string {
	events := c.r.Log.Events()
	for i := c.at + 1; i < len(events); i++ {
		if string(events[i].Body.Type()) == w[0] && (len(w) < 2 || string(events[i].Stage) == w[1]) {
			c.at = i
			return ""
		}
	}
	return "it does not come after event " + strconv.Itoa(c.at+1)
}
