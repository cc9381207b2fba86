package answer_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gtext "github.com/yuin/goldmark/text"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/stage/answer"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// sample is a decided attempt with one claim that holds and one that does not.
func sample(decision verdict.Decision) answer.Input {
	second := verdict.Supported
	if decision != verdict.Pass {
		second = verdict.Unsupported
	}
	return answer.Input{
		Routing: verdict.Routing{Decision: decision, Claims: []verdict.FinalClaim{
			{ClaimID: "claim-1", Text: "连接池已满。", Pointer: "/claims/0", Verdict: verdict.Supported},
			{ClaimID: "claim-2", Text: "order 服务超时。", Pointer: "/claims/1", Verdict: second, ReasonZH: "引用的 trace-9 不存在"},
		}},
		Contract: &contract.Contract{
			AnswerVersion: contract.V2,
			Claims: []contract.Claim{
				{ClaimID: "claim-1", ClaimText: "连接池已满。", SupportLevel: contract.Indirect, EvidenceBindings: []contract.Binding{
					{SourceID: "trace-1", ToolName: "query_logs"}, {SourceID: "kb-3", ToolName: "lookup_knowledge"}, {SourceID: "trace-1", ToolName: "query_logs"}}},
				{ClaimID: "claim-2", ClaimText: "order 服务超时。", SupportLevel: contract.Direct, EvidenceBindings: []contract.Binding{{SourceID: "trace-9"}}},
			},
			Hypotheses:         []contract.Hypothesis{{HypothesisText: "可能有泄漏", Basis: "空闲为 0", NeededEvidence: []string{"生命周期指标", "会话数"}}, {HypothesisText: " "}},
			RecommendedActions: []contract.Action{{ActionText: "检查事务", Reason: "空闲为 0"}},
			MissingInfo:        []string{"没有会话数"},
		},
		Report: &gate.Report{Claims: []gate.ClaimReport{{Pointer: "/claims/0", Bindings: []gate.BindingReport{
			{Pointer: "/claims/0/evidence_bindings/0", TraceRef: "trace-1"}, {Pointer: "/claims/0/evidence_bindings/1", TraceRef: "trace-4"}}}}},
	}
}

func TestPassIsRenderedFromTheStructure(t *testing.T) {
	a := answer.Render(sample(verdict.Pass))
	assert.Equal(t, event.StyleRendered, a.Style)
	assert.Equal(t, `## 结论

- 连接池已满。（间接证据） 〔trace-1 · query_logs〕〔trace-4 · kb-3 · lookup_knowledge〕
- order 服务超时。 〔trace-9〕

## 假设

- 可能有泄漏（依据：空闲为 0）；需要：生命周期指标、会话数

## 缺失信息

- 没有会话数

## 建议操作

- 检查事务（理由：空闲为 0）
`, a.Markdown)
	var sources []string
	for _, s := range a.Sentences {
		assert.Equal(t, answer.Field, s.Field)
		assert.NotContains(t, a.Markdown[s.Start:s.End], "\n")
		sources = append(sources, s.Sources...)
	}
	assert.Equal(t, []string{"/claims/0", "/claims/1", "/hypotheses/0", "/missing_info/0", "/recommended_actions/0"}, sources)
	assert.Equal(t, "没有会话数", a.Markdown[a.Sentences[3].Start:a.Sentences[3].End])
}

func TestEmptySectionsAreLeftOut(t *testing.T) {
	in := sample(verdict.Pass)
	in.Contract.Hypotheses, in.Contract.RecommendedActions, in.Contract.MissingInfo = nil, nil, []string{"", " \n"}
	a := answer.Render(in)
	assert.Equal(t, 1, strings.Count(a.Markdown, "##"))
}

func TestLowConfidenceIsDegraded(t *testing.T) {
	a := answer.Render(sample(verdict.LowConfid))
	assert.Equal(t, event.StyleDegraded, a.Style)
	lines := strings.Split(a.Markdown, "\n")
	assert.Equal(t, "> ⚠️ **低置信度**：本次诊断有 1 条结论未通过核验，请人工确认后再操作。", lines[0], "the notice comes first")
	ok, bad := strings.Index(a.Markdown, "## 已核实"), strings.Index(a.Markdown, "## 未通过核验")
	require.True(t, 0 < ok && ok < bad)
	assert.Contains(t, a.Markdown[ok:bad], "连接池已满")
	assert.NotContains(t, a.Markdown[ok:bad], "order 服务超时")
	assert.Contains(t, a.Markdown[bad:], "- order 服务超时。——没有证据支持：引用的 trace-9 不存在")
	assert.Contains(t, a.Markdown, "## 假设")
}

func TestDegradedNotices(t *testing.T) {
	in := sample(verdict.LowConfid)
	in.Routing.Claims = in.Routing.Claims[1:]
	assert.Contains(t, answer.Render(in).Markdown, "1 条结论都没有通过核验")
	in.Routing.Claims = nil
	in.Contract = nil
	assert.Equal(t, "> ⚠️ **低置信度**：本次诊断没有得出可以核验的结论，请人工排查。\n", answer.Render(in).Markdown)
	in = sample(verdict.LowConfid)
	in.Routing.Claims = in.Routing.Claims[:1]
	assert.Contains(t, answer.Render(in).Markdown, "没有通过整体核验")
}

func TestClaimsOfTheVerifierStandIn(t *testing.T) {
	in := answer.Input{Routing: verdict.Routing{Decision: verdict.LowConfid, Claims: []verdict.FinalClaim{
		{ClaimID: "nl-1", Text: "连接池已满", Verdict: verdict.Supported}, {ClaimID: "nl-2", Text: "磁盘已满", Verdict: verdict.Insufficient}, {ClaimID: "nl-3", Verdict: verdict.NotChecked}}}}
	a := answer.Render(in)
	assert.Contains(t, a.Markdown, "- 连接池已满\n")
	assert.Contains(t, a.Markdown, "- 磁盘已满——证据不足")
	assert.Contains(t, a.Markdown, "（结论 nl-3 没有文字）——未核验")
	assert.Equal(t, []string{"/claim_checks/1"}, a.Sentences[1].Sources)
}

func TestTheContractsOwnAnswer(t *testing.T) {
	in := sample(verdict.Pass)
	in.Contract.AnswerVersion, in.Contract.UserFacingAnswer = contract.V1, "连接池已满。请检查事务。"
	in.Report.Sentences = []gate.SentenceSource{{Field: "diagnosis_summary", End: 3}, {Field: "user_facing_answer", Start: 0, End: 18, Sources: []string{"/claims/0"}}}
	a := answer.Render(in)
	assert.Equal(t, event.StyleUserFacing, a.Style)
	assert.Equal(t, "连接池已满。请检查事务。", a.Markdown)
	assert.Equal(t, []gate.SentenceSource{{Field: answer.Field, Start: 0, End: 18, Sources: []string{"/claims/0"}}}, a.Sentences)

	for text, why := range map[string]string{
		"The pool is exhausted.": "不是中文", `{"answer":"连接池已满"}`: "JSON", `[{"text":"连接池已满"}]`: "JSON",
	} {
		in.Contract.UserFacingAnswer = text
		a = answer.Render(in)
		assert.Equal(t, event.StyleRendered, a.Style, text)
		assert.Contains(t, a.Reason, why)
	}
	in.Contract.UserFacingAnswer = "连接池已满。"
	in.Report.Findings = []gate.Finding{{Code: "F004", Severity: gate.Warn, Pointer: "/user_facing_answer"}}
	assert.Equal(t, event.StyleRendered, answer.Render(in).Style)

	in = sample(verdict.Pass)
	in.Contract.UserFacingAnswer = "连接池已满。"
	assert.Equal(t, event.StyleRendered, answer.Render(in).Style, "version 2 has no answer of its own")
	in = sample(verdict.LowConfid)
	in.Contract.AnswerVersion, in.Contract.UserFacingAnswer = contract.V1, "连接池已满。"
	assert.Equal(t, event.StyleDegraded, answer.Render(in).Style, "what did not pass is not repeated as the answer")
}

func TestRenderingThatFailsFallsBack(t *testing.T) {
	a := answer.Render(answer.Input{Routing: verdict.Routing{Decision: verdict.Pass}})
	assert.Equal(t, event.StyleDegraded, a.Style)
	assert.NotEmpty(t, a.Reason)
	assert.True(t, answer.Chinese(answer.FixedNotice))
}

// hostile are texts that try to break out of their line.
var hostile = []string{
	"# 标题", "> 引用", "- 列表\n- 第二项", "1. 编号", "12) 编号", "+ 加", "=== ", "--- ", "***", "```\ncode\n```", "`code`", "~~删~~", "**粗**", "_斜_ 与 __粗__",
	"[链接](http://x)", "![图](http://x)", "[x]: http://x", "<script>alert(1)</script>", "<http://x>", "&lt;b&gt; &#60;", "| a | b |\n|---|---|\n| 1 | 2 |",
	"    缩进代码", "末尾反斜杠\\", "\\# 反斜杠", "第一行\n\n## 伪造的标题\n\n- 伪造", "\r\n# x", "\u2028# x", "\x00\x1b[31m红", "a\tb", "[ ] 任务", "http://example.com/a_b_c",
	"<!-- 注释 -->", "<div>\n\n块\n\n</div>", "*", "_", "`", "[", "]", "\\", "<", "&", "0.", "-", "query_logs HikariPool-1 [ERROR] a<b C:\\temp 50%",
}

// shape lists the block nodes and all inline nodes but text.
func shape(markdown string) []string {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	doc := md.Parser().Parse(gtext.NewReader([]byte(markdown)))
	var out []string
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Kind() != ast.KindText && n.Kind() != ast.KindString {
			out = append(out, n.Kind().String())
		}
		return ast.WalkContinue, nil
	})
	return out
}

func TestHostileTextKeepsTheStructure(t *testing.T) {
	fill := func(text string) answer.Input {
		in := sample(verdict.LowConfid)
		for i := range in.Routing.Claims {
			in.Routing.Claims[i].Text, in.Routing.Claims[i].ReasonZH = text, text
		}
		in.Contract.Claims[0].EvidenceBindings = []contract.Binding{{SourceID: text, ToolName: text}}
		in.Contract.Hypotheses = []contract.Hypothesis{{HypothesisText: text, Basis: text, NeededEvidence: []string{text}}}
		in.Contract.RecommendedActions = []contract.Action{{ActionText: text, Reason: text}}
		in.Contract.MissingInfo = []string{text}
		return in
	}
	want := shape(answer.Render(fill("平常的文字")).Markdown)
	for _, text := range hostile {
		got := answer.Render(fill(text))
		assert.Equal(t, want, shape(got.Markdown), "%q\n%s", text, got.Markdown)
		for _, s := range got.Sentences {
			assert.NotContains(t, got.Markdown[s.Start:s.End], "\n")
		}
	}
}

func TestOrdinaryTextStaysReadable(t *testing.T) {
	for _, text := range []string{"query_logs 返回 [ERROR] HikariPool-1，占比 50%，a < b，耗时 1.5s（p99）。", "路径 /var/log/a_b.log 与 C:\\temp", "版本 1.2.3-rc.1", "5 > 3 且 x=1"} {
		assert.Equal(t, text, answer.Inline(text))
	}
}

func FuzzInline(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	want := shape("- 前 x 后\n- 末\n")
	alone := shape("- x\n- 末\n")
	f.Fuzz(func(t *testing.T, text string) {
		line := answer.Inline(text)
		require.NotContains(t, line, "\n")
		if line == "" {
			return
		}
		require.Equal(t, want, shape("- 前 "+line+" 后\n- 末\n"), "%q", line)
		require.Equal(t, alone, shape("- "+line+"\n- 末\n"), "%q", line)
	})
}

func TestChinese(t *testing.T) {
	assert.True(t, answer.Chinese("连接池已满 active=20"))
	assert.True(t, answer.Chinese("服务 `com.example.OrderRepositoryImplementation` 超时"))
	assert.False(t, answer.Chinese("The pool is full"))
	assert.False(t, answer.Chinese(""))
	assert.False(t, answer.Chinese("12345"))
	assert.False(t, answer.Chinese("The connection pool was exhausted 满"))
}

func compose(t *testing.T, in answer.Input, reply modeltest.Reply, audit answer.Audit) (event.Answered, *modeltest.Model) {
	t.Helper()
	m := modeltest.New().On("composer", reply)
	req, err := answer.ComposeRequest(prompts.Embedded(), in, model.Params{}, 1)
	require.NoError(t, err)
	a, err := answer.Compose(context.Background(), m, req, in, audit)
	require.NoError(t, err)
	return a, m
}

func TestComposerSeesOnlyWhatSurvived(t *testing.T) {
	in := sample(verdict.LowConfid)
	require.True(t, answer.Composable(in))
	a, m := compose(t, in, modeltest.Text("<think>想</think>已确认连接池已满。"), func(text string) ([]gate.SentenceSource, string) {
		assert.Equal(t, "已确认连接池已满。", text)
		return []gate.SentenceSource{{Field: "user_facing_answer", Start: 0, End: len(text), Sources: []string{"/claims/0"}}}, ""
	})
	sent := m.To("composer")[0].Messages[1].Content
	assert.Contains(t, sent, "连接池已满")
	assert.Contains(t, sent, "间接证据")
	assert.NotContains(t, sent, "order 服务超时", "what failed is not shown to it")
	assert.Equal(t, event.StyleComposed, a.Style)
	assert.True(t, strings.HasPrefix(a.Markdown, "> ⚠️ **低置信度**"))
	assert.Contains(t, a.Markdown, "## 未通过核验")
	s := a.Sentences[0]
	assert.Equal(t, "已确认连接池已满。", a.Markdown[s.Start:s.End])

	c, indices := answer.Surviving(in)
	assert.Len(t, c.Claims, 1)
	assert.Equal(t, []int{0}, indices)
}

func TestComposerFallsBack(t *testing.T) {
	fine := func(string) ([]gate.SentenceSource, string) { return nil, "" }
	in := sample(verdict.Pass)
	for name, tt := range map[string]struct {
		reply modeltest.Reply
		audit answer.Audit
		why   string
	}{
		"audit":    {modeltest.Text("好的答案"), func(string) ([]gate.SentenceSource, string) { return nil, "多出的事实" }, "多出的事实"},
		"empty":    {modeltest.Text(" "), fine, "没有写出"},
		"english":  {modeltest.Text("All good."), fine, "不是中文"},
		"json":     {modeltest.Text(`{"答案":"好"}`), fine, "JSON"},
		"cut":      {modeltest.Reply{Content: "连接池已", Finish: model.FinishLength}, fine, "截断"},
		"reasoned": {modeltest.Text("<think>连接池已满"), fine, "没有写出"},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := compose(t, in, tt.reply, tt.audit)
			assert.Equal(t, event.StyleRendered, a.Style)
			assert.Contains(t, a.Reason, tt.why)
		})
	}
	_, err := answer.Compose(context.Background(), modeltest.New(), model.Request{Stage: "composer"}, in, fine)
	var fault *model.Fault
	require.ErrorAs(t, err, &fault)
	in.Contract.AnswerVersion, in.Contract.UserFacingAnswer = contract.V1, "连接池已满。"
	assert.False(t, answer.Composable(in), "the contract's own answer goes first")
	in = sample(verdict.LowConfid)
	in.Routing.Claims = in.Routing.Claims[1:]
	assert.False(t, answer.Composable(in), "nothing survived")
}
