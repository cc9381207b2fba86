package gate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
)

// incident is a contract that the audit tests speak for.
func auditContract() *contract.Contract {
	return &contract.Contract{
		AnswerVersion: contract.V1,
		Claims: []contract.Claim{
			{ClaimID: "c1", ClaimText: "搜索服务 search-api 在北京时间 08:31:20 起返回 503，共 412 次。", EvidenceBindings: []contract.Binding{{EvidenceExcerpt: "status=503 upstream connect error"}}},
			{ClaimID: "c2", ClaimText: "索引节点 es-hot-3 的磁盘使用率达到 96%，剩余 38 GiB，超过 95% 的水位线。"},
			{ClaimID: "c3", ClaimText: "写入耗时的 p99 由 40 ms 升到 1.6 秒。"},
		},
		Hypotheses:         []contract.Hypothesis{{HypothesisText: "夜间的全量重建任务可能写满了磁盘", Basis: "时间接近", NeededEvidence: []string{"重建任务的运行记录"}}},
		RecommendedActions: []contract.Action{{ActionText: "清理 30 天前的旧索引", Reason: "释放磁盘空间"}},
		MissingInfo:        []string{"缺少重建任务的运行记录"},
	}
}

// audit verifies a contract with an answer and keeps what concerns the answer.
func audit(answer string, c *contract.Contract, query string, policy gate.Policy) gate.Report {
	c.UserFacingAnswer = answer
	rep := gate.Verify(gate.Input{Parsed: contract.Parsed{Status: contract.StatusOK, Contract: c}, Query: query}, policy)
	var own []gate.Finding
	for _, f := range rep.Findings {
		if strings.HasPrefix(string(f.Code), "F") {
			own = append(own, f)
		}
	}
	rep.Findings = own
	return rep
}

func codes(fs []gate.Finding) []string {
	out := []string{}
	for _, f := range fs {
		out = append(out, string(f.Code))
	}
	return out
}

func TestAudit(t *testing.T) {
	for _, tt := range []struct {
		name, answer string
		want         []string
		quote        string
	}{
		{"claims in other words", "search-api 自 08:31:20（北京时间）开始报 503，前后 412 次；es-hot-3 磁盘用到 96%，只剩 38 GiB。重建任务是否写满了磁盘还不能确定。", nil, ""},
		{"units and rounding", "写入 p99 从 0.04 秒涨到 1600ms，磁盘仅剩约 38 GiB 的空间，缺少重建任务的记录。", nil, ""},
		{"a difference of two claims", "磁盘只比水位线高 1%，写入 p99 多了 1560 ms，重建任务的记录没有拿到。", nil, ""},
		{"advice may bring numbers", "建议把副本数降到 2，并清理 90 天前的索引；缺少重建任务的运行记录。", nil, ""},
		{"a hedged hypothesis", "夜间的全量重建任务疑似写满了磁盘，尚待确认。", nil, ""},
		{"a topic before its hedge", "至于全量重建任务为什么写满磁盘，目前还不清楚。", nil, ""},
		{"under a heading of guesses", "结论：es-hot-3 磁盘用到 96%。\n\n可能原因：\n- 夜间的全量重建任务写满了磁盘\n", nil, ""},
		{"a number of no claim", "es-hot-3 磁盘使用率 98%，缺少重建任务的运行记录。", []string{"F002"}, "98%"},
		{"twice a number of a claim", "es-hot-3 剩余 76 GiB，缺少重建任务的运行记录。", []string{"F002"}, "76 GiB"},
		{"the right digits, another unit", "写入 p99 升到 1.6 毫秒，缺少重建任务的运行记录。", []string{"F002"}, "1.6 毫秒"},
		{"a time of no claim", "search-api 自 08:13:20 起报 503，缺少重建任务的运行记录。", []string{"F002"}, "08:13:20"},
		{"a name of no claim", "es-hot-7 的磁盘使用率达到 96%，缺少重建任务的运行记录。", []string{"F002"}, "es-hot-7"},
		{"a hypothesis made a fact", "已确认根因是夜间的全量重建任务写满了磁盘。", []string{"F003"}, ""},
		{"a hypothesis stated plainly", "夜间的全量重建任务写满了磁盘，因此写入变慢，缺少运行记录。", []string{"F003"}, ""},
		{"confirmed after a hedge", "可能还有别的原因，但已确认夜间的全量重建任务写满了磁盘。", []string{"F003"}, ""},
		{"confirmed by its label", "根因已经确认：是夜间的全量重建任务写满磁盘。缺少运行记录。", []string{"F003"}, ""},
		{"one of something in words", "写入最慢的那一分钟 p99 升到 1.6 秒，缺少重建任务的运行记录。", nil, ""},
		{"somebody must be asked", "磁盘使用率达到 96%。需要向值班同事核实重建任务的背景。", nil, ""},
		{"a fact from nowhere", "另外，数据库主从切换失败导致订单数据丢失。缺少重建任务的运行记录。", []string{"F001"}, ""},
		{"silent about gaps", "es-hot-3 的磁盘使用率达到 96%。", []string{"F005"}, ""},
		{"not Chinese", "The disk of the index node is nearly full and writes are slow, the rebuild task is a suspect.", []string{"F004"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := audit(tt.answer, auditContract(), "", gate.Policy{})
			got := codes(a.Findings)
			if tt.want == nil {
				assert.Empty(t, got, "%+v", a.Findings)
				assert.Empty(t, a.ExtraFacts)
				return
			}
			require.NotEmpty(t, got)
			assert.Subset(t, got, tt.want)
			for _, f := range a.Findings {
				assert.NotEmpty(t, f.Message.ZH)
				assert.NotEmpty(t, f.Message.EN)
			}
			if tt.quote != "" {
				assert.Equal(t, tt.quote, a.ExtraFacts[0].Text)
			}
			for _, x := range a.ExtraFacts {
				assert.Equal(t, x.Text, tt.answer[x.Start:x.End])
			}
		})
	}
}

func TestAuditMapsSentences(t *testing.T) {
	answer := "search-api 返回 503 共 412 次。es-hot-3 磁盘使用率达到 96%。全量重建任务可能写满了磁盘。建议清理旧索引。缺少重建任务的运行记录。"
	a := audit(answer, auditContract(), "", gate.Policy{})
	require.Len(t, a.Sentences, 5)
	for i, want := range []string{"/claims/0", "/claims/1", "/hypotheses/0", "/recommended_actions/0", "/missing_info/0"} {
		require.NotEmpty(t, a.Sentences[i].Sources, i)
		assert.Equal(t, want, a.Sentences[i].Sources[0], answer[a.Sentences[i].Start:a.Sentences[i].End])
	}
}

func TestAuditKnowsTheQuery(t *testing.T) {
	answer := "用户问的 checkout-web 与 3.5 版本无关；缺少重建任务的运行记录。"
	assert.NotEmpty(t, audit(answer, auditContract(), "", gate.Policy{}).ExtraFacts)
	assert.Empty(t, audit(answer, auditContract(), "checkout-web 升级到 3.5 后变慢", gate.Policy{}).ExtraFacts)
}

func TestAuditSeverityIsConfigurable(t *testing.T) {
	a := audit("磁盘使用率 98%，缺少重建任务的运行记录。", auditContract(), "", gate.Policy{Severities: map[gate.Code]gate.Severity{gate.CodeExtraValue: gate.Warn}})
	require.Len(t, a.Findings, 1)
	assert.Equal(t, gate.Warn, a.Findings[0].Severity)
}

func FuzzAudit(f *testing.F) {
	f.Add("结论：磁盘 96%。\n\n可能：x", "磁盘用到 96%")
	f.Fuzz(func(t *testing.T, answer, claim string) {
		if len(answer) > 4096 || len(claim) > 4096 {
			return
		}
		c := &contract.Contract{Claims: []contract.Claim{{ClaimText: claim}}, Hypotheses: []contract.Hypothesis{{HypothesisText: claim}}}
		a := audit(answer, c, "", gate.Policy{})
		for _, x := range a.ExtraFacts {
			if answer[x.Start:x.End] != x.Text {
				t.Fatal("an extra fact is not the text at its span")
			}
		}
		for _, s := range a.Sentences {
			if strings.TrimSpace(answer[s.Start:s.End]) == "" {
				t.Fatal("an empty sentence")
			}
		}
	})
}

func TestShortHypothesesAreComparedByCharacter(t *testing.T) {
	c := func() *contract.Contract {
		return &contract.Contract{Claims: []contract.Claim{{ClaimText: "三号机的利用率降为 0。"}}, Hypotheses: []contract.Hypothesis{{HypothesisText: "可能有泵坏了"}}}
	}
	assert.Equal(t, []string{"F003"}, codes(audit("已经确认有泵损坏。", c(), "", gate.Policy{}).Findings))
	assert.Empty(t, codes(audit("是否有泵损坏还不能确定。", c(), "", gate.Policy{}).Findings))
	assert.Empty(t, codes(audit("已经确认利用率降为 0。", c(), "", gate.Policy{}).Findings))
}
