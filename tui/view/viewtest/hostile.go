package viewtest

import (
	"encoding/json"
	"strings"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/model"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// HostileStrings are texts that attack a terminal or a layout.
func HostileStrings() []string {
	return []string{
		"\x1b[2J\x1b[H清屏", "\x1b]0;标题\x07", "\x1b]52;c;ZXZpbA==\x07", "\x1b]8;;http://evil.example\x1b\\链接\x1b]8;;\x1b\\", "\x1b]未结束的序列",
		"\x1bP1$r\x1b\\", "\x9b31m", "\u009b31m", "a\rb", "a\bb\x7f", "\x00\x0e\x0f\x0c\x0b", "\u202e反向\u202c", "\u2066隔离\u2069", "零\u200b宽\u2060\ufeff",
		"坏\xff\xfe\xc3(字节", "\xed\xa0\x80", "组合" + strings.Repeat("\u0301", 60), "👩‍👩‍👧‍👦👩🏽‍🚒🏳️‍🌈", "标签\U000E0041\U000E0042", "制\t表\t符",
		"换\n行\r\n两\u2028次", strings.Repeat("长", 400), strings.Repeat("x", 3000), "```\n<script>\n```", "| 表 | 格 |\n|---|---|\n| \x1b[1m | x |",
		"![图](javascript:x) [链](http://a.example/?\x1b[31m)", "&#27;[31m &lt;b&gt; &#x9b;", "> 引用\n> - 列表\n>   1. 数字", "# 标题\x1b[5m",
		"㎡①㈱…±°×÷", "\u1160\u3164\u115f", "﷽", "ᄀᄀᄀ각ᆨᆨ", "ก็็็็็็็็",
	}
}

// Hostile is a session in which every text is hostile.
func Hostile() *Script {
	all := HostileStrings()
	at := 0
	next := func() string { at++; return all[at%len(all)] }
	everything := strings.Join(all, " ")
	s := NewScript("s-\x1b[31m", "标题"+everything, contract.V2)
	s.Header.Query = everything
	s.Plan(1, everything)
	s.Add(1, event.Executor, event.StageStarted{}).Chat(1, event.Executor, everything, everything)
	out := []byte(strings.Join(all, "\n"))
	s.Call(1, trace.Trace{
		Ref: "trace-\x1b[2J", ToolName: "query\u202e_logs", Arguments: json.RawMessage(`{"q":"\u001b[31m"}`), InvocationIDs: []int64{1},
		Status: trace.OK, Started: Start, Duration: time.Second, Output: out, Kind: trace.Kind("kind\x1b"),
		Blocks: []trace.Block{{BlockID: "b\x07", Document: next(), Heading: next()}}, Repeats: "trace-\u202e",
	})
	c := contract.Contract{
		AnswerVersion: "v\x1b[31m", DiagnosisSummary: everything, UserFacingAnswer: strings.Join(all, "\n\n"),
		MissingInfo: all, Hypotheses: []contract.Hypothesis{{HypothesisText: next(), Basis: next(), NeededEvidence: all}},
		RecommendedActions: []contract.Action{{ActionText: next(), Reason: next(), EvidenceBindings: []contract.Binding{{SourceID: next()}}}},
	}
	r := gate.Report{Decision: gate.Blocked, ExtraFacts: []gate.ExtraFact{{Text: next(), Start: 3, End: 9, Field: "user_facing_answer"}}}
	result := verdict.Result{Decision: verdict.LowConfid}
	for i, text := range all {
		if i > 8 {
			break
		}
		p := pointer(i, 0)
		c.Claims = append(c.Claims, contract.Claim{
			ClaimID: next(), ClaimType: next(), ClaimText: text, SupportLevel: contract.SupportLevel(next()), Repaired: i%2 == 0,
			EvidenceBindings: []contract.Binding{{SourceType: next(), SourceID: "trace-\x1b[2J", ToolName: next(), EvidenceExcerpt: text, Repaired: i%3 == 0}},
		})
		span := At(out, text, 0)
		b := found(i, 0, "trace-\x1b[2J", grounding.Near, []grounding.Occurrence{{Spans: []grounding.Span{span}}})
		b.Diff = []grounding.DiffOp{
			{Kind: grounding.DiffEqual, Excerpt: text[:1], Source: grounding.Span{Start: span.Start, End: span.Start + 1}},
			{Kind: grounding.DiffReplace, Excerpt: text, Source: grounding.Span{Start: span.Start + 1, End: span.End}},
		}
		r.Claims = append(r.Claims, gate.ClaimReport{
			ClaimID: text, Pointer: "/claims/" + string(rune('0'+i)), Verdict: gate.Unsupported, Bindings: []gate.BindingReport{b},
			Findings: []gate.Finding{{Code: gate.Code("B\x1b"), Severity: gate.Block, Pointer: p, Message: gate.Message{ZH: text, EN: text}, Quote: text,
				Places: []gate.Place{{TraceRef: "trace-\x1b[2J", Span: span, Role: "role\x1b"}}}},
			Facts: []gate.FactMark{{Text: text, Start: 1, End: min(2, len(text)), TraceRef: "trace-\x1b[2J", Spans: []grounding.Span{span}}},
		})
		result.ClaimChecks = append(result.ClaimChecks, verdict.ClaimCheck{ClaimID: next(), Verdict: verdict.Unsupported, Reason: next()})
	}
	result.ExtraFacts = []verdict.ExtraFact{{Text: next(), Verdict: verdict.Unsupported, Reason: everything}}
	message := everything
	s.Add(1, event.Executor, event.ExecutorOutput{Message: message, Finish: model.FinishStop})
	s.Add(1, event.Parse, event.StageStarted{})
	s.Add(1, event.Parse, event.Parsed{Status: contract.StatusTruncated, Reason: everything, ReasonZH: everything, Structured: &c,
		Edits: []contract.Edit{{Offset: 2, Removed: "x", Inserted: everything, Why: everything}}})
	s.Gate(1, r)
	s.Add(1, event.Verifier, event.StageStarted{})
	payload, _ := json.Marshal(map[string]string{"original_query": everything, "extra\x1b[31m": everything})
	s.Add(1, event.Verifier, event.VerifierPayload{Payload: payload})
	s.Add(1, event.Verifier, event.StageFailed{Kind: "server", Error: everything, Final: true})
	s.Add(1, event.Verifier, event.Verified{Result: result})
	s.Route(1, verdict.Routing{Decision: verdict.LowConfid, Causes: []verdict.CauseItem{
		{Cause: verdict.NoConfirmedClaims, Message: everything, MessageZH: everything}, {Cause: "cause\x1b[2J\u202e"}, {Cause: verdict.Cause(everything)},
	}})
	answer := strings.Join(all, "\n\n")
	s.Answer(1, event.Answered{Markdown: answer, Style: event.AnswerStyle("style\x1b"), Reason: everything, Sentences: []gate.SentenceSource{
		{Start: 0, End: 20, Sources: []string{"/claims/0"}}, {Start: 22, End: len(answer) - 3, Sources: []string{"/claims/1", next()}},
	}})
	s.Finish(verdict.LowConfid)
	for _, a := range []event.ReviewAction{event.ReviewAccept, event.ReviewClaimWrong, "action\x1b[31m", event.ReviewOverride} {
		s.Add(0, "", event.Reviewed{Action: a, ClaimID: next(), Reason: everything, By: next()})
	}
	return s
}
