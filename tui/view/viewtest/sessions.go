package viewtest

import (
	"encoding/json"
	"strings"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// The outputs of the traces that the sessions share.
const (
	MetricOutput = `{"metric":{"pool":"HikariPool-1"},"values":[[1785,"50"],[1786,"50"]]}
{"metric":{"pool":"HikariPool-1","state":"waiting"},"values":[[1785,"183"],[1786,"190"]]}
`
	LogOutput = "15:41:02 INFO  payment-api started\n" +
		"15:44:10 WARN  HikariPool-1 - active connections reached maximum pool size (50)\n" +
		"15:44:12 ERROR 获取数据库连接超时，已等待 30000ms\n" +
		"15:44:12 ERROR 获取数据库连接超时，已等待 30000ms\n" +
		"15:44:13 WARN  gateway upstream timeout rate 31%\n" +
		"15:44:15 ERROR 获取数据库连接超时，已等待 30000ms\n"
	KnowledgeOutput = "# 连接池耗尽处理手册\n\n常见根因是连接泄漏。先扩容，再定位泄漏点。\n"
)

// Metrics is the metric query.
func Metrics() trace.Trace {
	return trace.Trace{
		Ref: "trace-1", ToolName: "query_metrics", Arguments: json.RawMessage(`{"promql":"db_pool_active","start":"15:40"}`), InvocationIDs: []int64{101},
		Status: trace.OK, Started: Start, Duration: 120 * time.Millisecond, Output: []byte(MetricOutput), Kind: trace.Observation,
	}
}

// Logs is the log query.
func Logs() trace.Trace {
	return trace.Trace{
		Ref: "trace-2", ToolName: "query_logs", Arguments: json.RawMessage(`{"service":"payment-api","level":"WARN"}`), InvocationIDs: []int64{102},
		Status: trace.OK, Started: Start, Duration: 350 * time.Millisecond, Output: []byte(LogOutput), Kind: trace.Observation,
	}
}

// Runbook is the knowledge lookup.
func Runbook() trace.Trace {
	return trace.Trace{
		Ref: "trace-3", ToolName: "lookup_knowledge", Arguments: json.RawMessage(`{"query":"连接池耗尽"}`), InvocationIDs: []int64{103},
		Status: trace.OK, Started: Start, Duration: 40 * time.Millisecond, Output: []byte(KnowledgeOutput), Kind: trace.Knowledge,
		Blocks: []trace.Block{{BlockID: "kb-pool-1", Document: "连接池耗尽处理手册", Heading: "根因", Span: trace.Span{Start: 0, End: len(KnowledgeOutput)}, Score: 7.25}},
	}
}

const passMessage = `{
  "answer_version": "executor_evidence_v2",
  "claims": [
    {"claim_id": "claim-1", "claim_type": "symptom", "claim_text": "HikariPool-1 的活动连接数在 15:44 达到上限 50。", "support_level": "direct",
     "evidence_bindings": [
       {"source_type": "tool_trace", "source_id": "trace-1", "tool_name": "query_metrics", "source_invocation_ids": [101], "evidence_excerpt": "\"values\":[[1785,\"50\"],[1786,\"50\"]]"},
       {"source_type": "tool_trace", "source_id": "trace-2", "tool_name": "query_logs", "source_invocation_ids": [102], "evidence_excerpt": "active connections reached maximum pool size (50)"}
     ]},
    {"claim_id": "claim-2", "claim_type": "impact", "claim_text": "获取数据库连接超时共出现 3 次，每次等待 30000ms。", "support_level": "direct",
     "evidence_bindings": [
       {"source_type": "tool_trace", "source_id": "trace-2", "tool_name": "query_logs", "source_invocation_ids": [102], "evidence_excerpt": "获取数据库连接超时，已等待 30000ms"}
     ]}
  ],
  "hypotheses": [{"hypothesis_text": "可能存在连接泄漏", "basis": "活动连接数不回落", "needed_evidence": ["连接生命周期指标", "线程转储"]}],
  "recommended_actions": [{"action_text": "临时扩容连接池", "reason": "先恢复服务", "evidence_bindings": [{"source_type": "lookup_evidence_block", "source_id": "kb-pool-1", "tool_name": "lookup_knowledge", "evidence_excerpt": "先扩容"}]}],
  "missing_info": ["未返回泄漏相关日志"]
}`

// PassAnswer is the answer of Pass.
const PassAnswer = "## 已确认的结论\n\n" +
	"- HikariPool-1 的活动连接数在 15:44 达到上限 50。【trace-1、trace-2】\n" +
	"- 获取数据库连接超时共出现 3 次，每次等待 30000ms。【trace-2】\n\n" +
	"## 待验证的假设\n\n1. 可能存在连接泄漏（依据：活动连接数不回落）。\n\n" +
	"## 缺失的信息\n\n> 未返回泄漏相关日志。\n\n" +
	"| 操作 | 理由 |\n|---|---|\n| **临时扩容**连接池 | 先恢复服务，避免“雪崩”式的级联超时（参见处理手册） |\n"

// Pass is a v2 session that passed at once.
func Pass() *Script {
	out := []byte(LogOutput)
	report := gate.Report{Decision: gate.Clean, ParseStatus: contract.StatusOK, AnswerVersion: contract.V2, Claims: []gate.ClaimReport{
		{ClaimID: "claim-1", Pointer: "/claims/0", Verdict: gate.Supported, Bindings: []gate.BindingReport{
			found(0, 0, "trace-1", grounding.Exact, Places([]byte(MetricOutput), `"values":[[1785,"50"],[1786,"50"]]`)),
			found(0, 1, "trace-2", grounding.Exact, Places(out, "active connections reached maximum pool size (50)")),
		}, Facts: []gate.FactMark{{
			Text: "50", Kind: "number", Start: strings.Index("HikariPool-1 的活动连接数在 15:44 达到上限 50。", "50。"), End: strings.Index("HikariPool-1 的活动连接数在 15:44 达到上限 50。", "50。") + 2,
			Found: true, TraceRef: "trace-2", Spans: []grounding.Span{At(out, "50", 0)},
		}}},
		{ClaimID: "claim-2", Pointer: "/claims/1", Verdict: gate.Supported, Bindings: []gate.BindingReport{
			found(1, 0, "trace-2", grounding.Exact, Places(out, "获取数据库连接超时，已等待 30000ms")),
		}},
	}}
	s := NewScript("s-pass", "支付服务超时", contract.V2)
	s.Plan(1, "1. 用 query_metrics 查连接池\n2. 用 query_logs 查支付服务的错误日志\n3. 查处理手册")
	s.Add(1, event.Executor, event.StageStarted{}).Chat(1, event.Executor, "先查指标", "想一想")
	s.Call(1, Metrics()).Call(1, Logs()).Call(1, Runbook()).Output(1, passMessage).Gate(1, report)
	s.Verify(1, verdict.Result{Decision: verdict.Pass, Summary: "全部成立", ClaimChecks: []verdict.ClaimCheck{
		{ClaimID: "claim-1", Verdict: verdict.Supported, EvidenceRefs: []string{"trace-1"}, Reason: "指标与日志一致"},
		{ClaimID: "claim-2", Verdict: verdict.Supported, EvidenceRefs: []string{"trace-2"}, Reason: "日志中有三条"},
	}})
	s.Route(1, verdict.Routing{Decision: verdict.Pass, Claims: []verdict.FinalClaim{
		{ClaimID: "claim-1", Pointer: "/claims/0", Verdict: verdict.Supported}, {ClaimID: "claim-2", Pointer: "/claims/1", Verdict: verdict.Supported},
	}})
	s.Answer(1, event.Answered{Markdown: PassAnswer, Style: event.StyleRendered, Sentences: []gate.SentenceSource{
		Sentence(PassAnswer, "HikariPool-1 的活动连接数在 15:44 达到上限 50。【trace-1、trace-2】", "/claims/0"),
		Sentence(PassAnswer, "获取数据库连接超时共出现 3 次，每次等待 30000ms。【trace-2】", "/claims/1"),
		Sentence(PassAnswer, "可能存在连接泄漏（依据：活动连接数不回落）。", "/hypotheses/0"),
		Sentence(PassAnswer, "未返回泄漏相关日志。", "/missing_info/0"),
		Sentence(PassAnswer, "**临时扩容**连接池", "/recommended_actions/0"),
	}})
	return s.Finish(verdict.Pass)
}

// found is the report of a binding whose excerpt was found.
func found(claim, binding int, ref string, tier grounding.Tier, places []grounding.Occurrence) gate.BindingReport {
	r := gate.BindingReport{
		Pointer:  pointer(claim, binding),
		SourceID: ref, Resolved: true, TraceRef: ref, Tier: tier, Score: 1, Occurrences: places, Total: len(places),
	}
	if len(places) > 0 {
		r.Spans = places[0].Spans
	}
	return r
}

func pointer(claim, binding int) string {
	return "/claims/" + string(rune('0'+claim)) + "/evidence_bindings/" + string(rune('0'+binding))
}

// LowMessage is the output of LowConfid: v1, with an answer of its own, in a Markdown fence.
const LowMessage = "<think>先把日志看完，再下结论。</think>\n```json\n" + `{
  "answer_version": "executor_evidence_v1",
  "diagnosis_summary": "连接池已饱和。",
  "claims": [
    {"claim_id": "claim-1", "claim_type": "root_cause", "claim_text": "连接池已饱和", "support_level": "direct",
     "evidence_bindings": [{"source_type": "tool_trace", "source_id": "trace-2", "tool_name": "query_logs", "source_invocation_ids": [102], "evidence_excerpt": "active connections reached max pool size"}]},
    {"claim_id": "claim-2", "claim_type": "symptom", "claim_text": "下游超时率 35%", "support_level": "direct",
     "evidence_bindings": [{"source_type": "tool_trace", "source_id": "trace-2", "tool_name": "query_logs", "source_invocation_ids": [102], "evidence_excerpt": "downstream timeout rate 35%"}]},
    {"claim_id": "claim-3", "claim_type": "impact", "claim_text": "等待连接的线程最多 190 个", "support_level": "indirect",
     "evidence_bindings": [{"source_type": "tool_trace", "source_id": "trace-1", "tool_name": "query_metrics", "source_invocation_ids": [101], "evidence_excerpt": "等待线程从 183 升到 190"}]},
    {"claim_id": "claim-4", "claim_type": "root_cause", "claim_text": "根因是连接泄漏", "support_level": "direct",
     "evidence_bindings": [{"source_type": "tool_trace", "source_id": "trace-9", "tool_name": "query_logs", "source_invocation_ids": [109], "evidence_excerpt": "connection leak detected"}]},
    {"claim_id": "claim-5", "claim_type": "timeline", "claim_text": "获取连接超时始于 15:44:12", "support_level": "direct",
     "evidence_bindings": [{"source_type": "tool_trace", "source_id": "trace-2", "tool_name": "query_logs", "source_invocation_ids": [102], "evidence_excerpt": "获取数据库连接超时，已等待 30000ms"}]}
  ],
  "hypotheses": [{"hypothesis_text": "可能存在连接泄漏", "basis": "手册中的常见模式", "needed_evidence": ["连接生命周期指标"]}],
  "recommended_actions": [],
  "missing_info": ["未返回泄漏相关日志"],
  "user_facing_answer": "连接池已饱和。订单服务也受到影响。"
}` + "\n```\n"

// LowAnswer is the answer of LowConfid.
const LowAnswer = "> ⚠ 低置信度：部分结论未通过核验，请人工确认。\n\n### 已核实\n\n- 获取连接超时始于 15:44:12\n\n" +
	"### 未通过核验\n\n- 连接池已饱和：Verifier 认为证据不足\n- 下游超时率 35%：证据中没有这个数字\n- 根因是连接泄漏：引用的轨迹不存在\n"

// LowConfid is a v1 session with every kind of trouble, low confidence after one retry.
func LowConfid() *Script {
	s := NewScript("s-low", "支付服务超时", contract.V1)
	s.Plan(1, "1. 查连接池指标\n2. 查日志")
	s.Add(1, event.Executor, event.StageStarted{}).Chat(1, event.Executor, "", "想一想")
	s.Call(1, Metrics()).Call(1, Logs()).Call(1, Runbook()).Output(1, LowMessage).Gate(1, LowReport())
	s.Verify(1, lowResult()).Route(1, lowRouting(verdict.Retry))
	s.Add(2, "", event.RetryStarted{Context: verdict.RetryContext{
		Attempt: 2, FactsToProve: []string{"35%"}, FailedClaims: []verdict.FailedClaim{{ClaimID: "claim-2"}, {ClaimID: "claim-4"}},
	}})
	s.Add(2, event.Executor, event.StageStarted{}).Chat(2, event.Executor, "", "再想一想")
	s.Call(2, trace.Trace{
		Ref: "trace-4", ToolName: "query_logs", Arguments: json.RawMessage(`{"service":"order-api"}`), InvocationIDs: []int64{104},
		Status: trace.Timeout, Started: Start, Duration: 5 * time.Second, Kind: trace.Observation,
	})
	s.Output(2, LowMessage).Gate(2, LowReport()).Verify(2, lowResult()).Route(2, lowRouting(verdict.LowConfid))
	s.Answer(2, event.Answered{Markdown: LowAnswer, Style: event.StyleDegraded, Sentences: []gate.SentenceSource{
		Sentence(LowAnswer, "获取连接超时始于 15:44:12", "/claims/4"),
		Sentence(LowAnswer, "连接池已饱和：Verifier 认为证据不足", "/claims/0"),
		Sentence(LowAnswer, "下游超时率 35%：证据中没有这个数字", "/claims/1"),
		Sentence(LowAnswer, "根因是连接泄漏：引用的轨迹不存在", "/claims/3"),
	}})
	return s.Finish(verdict.LowConfid)
}

// LowReport is the gate's report on LowMessage.
func LowReport() gate.Report {
	out := []byte(LogOutput)
	near := At(out, "active connections reached maximum pool size", 0)
	maximum := At(out, "maximum", 0)
	tail := grounding.Span{Start: maximum.Start + 3, End: maximum.End}
	nearBinding := found(0, 0, "trace-2", grounding.Near, []grounding.Occurrence{{Spans: []grounding.Span{near}}})
	nearBinding.Score = 0.91
	nearBinding.Diff = []grounding.DiffOp{
		{Kind: grounding.DiffEqual, Excerpt: "active connections reached max", Source: grounding.Span{Start: near.Start, End: tail.Start}},
		{Kind: grounding.DiffDelete, Source: tail},
		{Kind: grounding.DiffEqual, Excerpt: " pool size", Source: grounding.Span{Start: tail.End, End: near.End}},
	}
	facts := []grounding.Span{At([]byte(MetricOutput), "183", 0), At([]byte(MetricOutput), "190", 0)}
	return gate.Report{
		Decision: gate.Blocked, ParseStatus: contract.StatusRepaired, AnswerVersion: contract.V1,
		Causes: []string{"excerpt_absent", "fact_not_in_evidence", "missing_ref"},
		Claims: []gate.ClaimReport{
			{ClaimID: "claim-1", Pointer: "/claims/0", Verdict: gate.Supported, Bindings: []gate.BindingReport{nearBinding}, Findings: []gate.Finding{
				{Code: "B006", Severity: gate.Warn, Pointer: pointer(0, 0) + "/evidence_excerpt", Message: gate.Message{ZH: "引文与原文略有出入", EN: "the quote was edited"},
					Places: []gate.Place{{TraceRef: "trace-2", Span: near, Role: "nearest"}}},
				{Code: "C009", Severity: gate.Warn, Pointer: "/claims/0", Message: gate.Message{ZH: "根因结论只有症状证据", EN: "a root cause on evidence of the symptom only"}},
			}},
			{ClaimID: "claim-2", Pointer: "/claims/1", Verdict: gate.Unsupported, Bindings: []gate.BindingReport{found(1, 0, "trace-2", grounding.Absent, nil)}, Findings: []gate.Finding{
				{Code: "B005", Severity: gate.Block, Pointer: pointer(1, 0) + "/evidence_excerpt", Message: gate.Message{ZH: "trace-2 的输出中没有这段引文", EN: "the excerpt is not in the output of trace-2"}},
				{Code: "C001", Severity: gate.Block, Pointer: "/claims/1/claim_text", Message: gate.Message{ZH: "35% 不在任何证据中，最接近的是 31%", EN: "35% is in no evidence; the nearest is 31%"}, Quote: "35%",
					Places: []gate.Place{{TraceRef: "trace-2", Span: At(out, "31%", 0), Role: "nearest"}}},
			}, Facts: []gate.FactMark{{Text: "35%", Kind: "number", Start: len("下游超时率 "), End: len("下游超时率 35%")}}},
			{ClaimID: "claim-3", Pointer: "/claims/2", Verdict: gate.Supported, Bindings: []gate.BindingReport{found(2, 0, "trace-1", grounding.Paraphrase, []grounding.Occurrence{{Spans: facts}})}, Findings: []gate.Finding{
				{Code: "B006", Severity: gate.Warn, Pointer: pointer(2, 0) + "/evidence_excerpt", Message: gate.Message{ZH: "引文是转述，事实都在", EN: "a paraphrase; its facts are there"}},
			}, Facts: []gate.FactMark{{Text: "190", Kind: "number", Start: len("等待连接的线程最多 "), End: len("等待连接的线程最多 190"), Found: true, TraceRef: "trace-1", Spans: facts[1:]}}},
			{ClaimID: "claim-4", Pointer: "/claims/3", Verdict: gate.Unsupported, Bindings: []gate.BindingReport{
				{Pointer: pointer(3, 0), SourceID: "trace-9", Tier: grounding.Absent},
			}, Findings: []gate.Finding{
				{Code: "B002", Severity: gate.Block, Pointer: pointer(3, 0) + "/source_id", Message: gate.Message{ZH: "本会话没有轨迹 trace-9", EN: "this session has no trace-9"}},
			}},
			{ClaimID: "claim-5", Pointer: "/claims/4", Verdict: gate.Supported, Bindings: []gate.BindingReport{
				found(4, 0, "trace-2", grounding.Exact, Places(out, "获取数据库连接超时，已等待 30000ms")),
			}},
		},
		Findings: []gate.Finding{{Code: "F001", Severity: gate.Block, Pointer: "/user_facing_answer", Quote: "订单服务也受到影响",
			Message: gate.Message{ZH: "答复中的“订单服务也受到影响”没有对应的结论", EN: "the answer states 订单服务也受到影响, which no claim does"}}},
		ExtraFacts: []gate.ExtraFact{{Text: "订单服务也受到影响", Start: len("连接池已饱和。"), End: len("连接池已饱和。订单服务也受到影响"), Field: "user_facing_answer"}},
		Sentences: []gate.SentenceSource{
			{Field: "user_facing_answer", Start: 0, End: len("连接池已饱和。"), Sources: []string{"/claims/0"}},
			{Field: "user_facing_answer", Start: len("连接池已饱和。"), End: len("连接池已饱和。订单服务也受到影响。")},
			{Field: "diagnosis_summary", Start: 0, End: len("连接池已饱和。"), Sources: []string{"/claims/0"}},
		},
	}
}

func lowResult() verdict.Result {
	return verdict.Result{Decision: verdict.LowConfid, Summary: "两条结论没有证据", ClaimChecks: []verdict.ClaimCheck{
		{ClaimID: "claim-1", Verdict: verdict.Insufficient, Reason: "只能说明症状"},
		{ClaimID: "claim-2", Verdict: verdict.Unsupported, Reason: "摘要里没有 35%"},
		{ClaimID: "claim-3", Verdict: verdict.Supported, Reason: "指标吻合"},
		{ClaimID: "claim-4", Verdict: verdict.Unsupported, Reason: "引用的轨迹不存在"},
		{ClaimID: "claim-5", Verdict: verdict.Supported, Reason: "日志中有记录"},
	}, ExtraFacts: []verdict.ExtraFact{{Text: "订单服务也受到影响", Verdict: verdict.Unsupported, Reason: "没有任何轨迹提到订单服务"}}}
}

func lowRouting(d verdict.Decision) verdict.Routing {
	return verdict.Routing{
		Decision: d,
		Causes: []verdict.CauseItem{
			{Cause: verdict.ExcerptAbsent, Pointer: pointer(1, 0), Code: "B005", Message: "excerpt absent", MessageZH: "引文不存在"},
			{Cause: verdict.MissingRef, Pointer: pointer(3, 0), Code: "B002", Message: "missing ref", MessageZH: "引用不存在"},
		},
		Claims: []verdict.FinalClaim{
			{ClaimID: "claim-1", Pointer: "/claims/0", Verdict: verdict.Insufficient}, {ClaimID: "claim-2", Pointer: "/claims/1", Verdict: verdict.Unsupported},
			{ClaimID: "claim-3", Pointer: "/claims/2", Verdict: verdict.Supported}, {ClaimID: "claim-4", Pointer: "/claims/3", Verdict: verdict.Unsupported},
			{ClaimID: "claim-5", Pointer: "/claims/4", Verdict: verdict.Supported},
		},
	}
}

// Malformed is a session whose output is no JSON at all; the Verifier took the claims
// from the text.
func Malformed() *Script {
	const message = "经排查，支付服务的连接池已经耗尽。\n\n建议立即扩容，并检查是否存在连接泄漏。"
	s := NewScript("s-malformed", "", contract.V2)
	s.Plan(1, "1. 查日志").Add(1, event.Executor, event.StageStarted{}).Call(1, Logs()).Output(1, message)
	s.Gate(1, gate.Report{Decision: gate.Blocked, ParseStatus: contract.StatusInvalid, Findings: []gate.Finding{
		{Code: "S001", Severity: gate.Block, Message: gate.Message{ZH: "输出不是 JSON 对象", EN: "the output is not a JSON object"}},
	}})
	s.Verify(1, verdict.Result{Decision: verdict.LowConfid, ClaimChecks: []verdict.ClaimCheck{
		{ClaimID: "nl-1", ClaimText: "支付服务的连接池已经耗尽", Verdict: verdict.Supported, EvidenceRefs: []string{"trace-2"}, Reason: "日志第 2 行"},
		{ClaimID: "nl-2", ClaimText: "存在连接泄漏", Verdict: verdict.Insufficient, Reason: "没有证据"},
	}})
	s.Route(1, verdict.Routing{Decision: verdict.LowConfid, Causes: []verdict.CauseItem{{Cause: verdict.MalformedOutput, Message: "no JSON", MessageZH: "不是 JSON"}}, Claims: []verdict.FinalClaim{
		{ClaimID: "nl-1", Text: "支付服务的连接池已经耗尽", Verdict: verdict.Supported}, {ClaimID: "nl-2", Text: "存在连接泄漏", Verdict: verdict.Insufficient},
	}})
	answer := "> ⚠ 低置信度：模型输出格式有误。\n\n已核实：支付服务的连接池已经耗尽。\n"
	s.Answer(1, event.Answered{Markdown: answer, Style: event.StyleDegraded, Sentences: []gate.SentenceSource{Sentence(answer, "支付服务的连接池已经耗尽。", "nl-1")}})
	return s.Finish(verdict.LowConfid)
}

// Running is a live run: the Planner is done, one tool call is back, one runs.
func Running() *Script {
	s := NewScript("s-live", "支付服务超时", contract.V2)
	s.Plan(1, "1. 查连接池指标\n2. 查日志\n3. 查手册\n4. 汇总")
	s.Add(1, event.Executor, event.StageStarted{}).Chat(1, event.Executor, "", "")
	s.Call(1, Metrics())
	return s.Add(1, event.Executor, event.ToolCalled{
		Ref: "trace-2", CallID: "c-2", ToolName: "query_logs", Arguments: json.RawMessage(`{"service":"payment-api"}`), InvocationID: 102,
	})
}

// All are the sessions by name, the hostile one among them.
func All() map[string]*Script {
	return map[string]*Script{
		"pass": Pass(), "low": LowConfid(), "malformed": Malformed(), "running": Running(), "hostile": Hostile(),
		"empty": NewScript("s-empty", "", contract.V2),
	}
}
