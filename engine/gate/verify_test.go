package gate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const rows = "NAME        READY   STATUS    RESTARTS   AGE\ncart-0      1/1     Running   18         4d\nquote-0     0/1     Error     253        9d\n"

func one(t *testing.T, tr trace.Trace, text, excerpt string) gate.ClaimReport {
	t.Helper()
	rep := verify([]trace.Trace{tr}, claimOf(text, bind(tr, excerpt)))
	require.Len(t, rep.Claims, 1)
	return rep.Claims[0]
}

// finding returns the finding of a code, or fails.
func finding(t *testing.T, fs []gate.Finding, code gate.Code) gate.Finding {
	t.Helper()
	for _, f := range fs {
		if f.Code == code {
			return f
		}
	}
	require.Failf(t, "no finding", "%s among %+v", code, fs)
	return gate.Finding{}
}

func TestReferences(t *testing.T) {
	tr, other := call(1, "kubectl_get", `{"kind":"pod"}`, rows), call(2, "query_logs", `{}`, "nothing to see here")
	for name, c := range map[string]struct {
		change func(*contract.Binding)
		code   gate.Code
		says   string
	}{
		"unknown ref":       {func(b *contract.Binding) { b.SourceID = "trace-7" }, "B002", "the excerpt stands in trace-1"},
		"no ref, no holder": {func(b *contract.Binding) { b.SourceID, b.EvidenceExcerpt = "", "of no trace at all" }, "B002", "no source_id"},
		"wrong tool":        {func(b *contract.Binding) { b.ToolName = "kubectl_logs" }, "B003", "kubectl_get"},
		"other's call":      {func(b *contract.Binding) { b.SourceInvocationIDs = []int64{702} }, "B004", "702 is of trace-2"},
		"misattributed":     {func(b *contract.Binding) { *b = bind(other, b.EvidenceExcerpt) }, "B005", "it stands in trace-1"},
	} {
		b := bind(tr, "quote-0     0/1     Error     253")
		c.change(&b)
		rep := verify([]trace.Trace{tr, other}, claimOf("quote-0 已重启 253 次。", b))
		f := finding(t, rep.Claims[0].Findings, c.code)
		assert.Equal(t, gate.Block, f.Severity, name)
		assert.Contains(t, f.Message.EN, c.says, name)
		assert.True(t, strings.HasPrefix(f.Pointer, "/claims/0/evidence_bindings/0"), name)
		assert.Equal(t, gate.Blocked, rep.Decision, name)
	}
}

func TestBindingWithoutSourceIDBindsByItsOnlyHolder(t *testing.T) {
	tr := call(1, "kubectl_get", `{}`, rows)
	b := bind(tr, "quote-0     0/1     Error     253")
	b.SourceID = ""
	c := verify([]trace.Trace{tr}, claimOf("quote-0 已重启 253 次。", b)).Claims[0]
	assert.Equal(t, gate.Warn, finding(t, c.Findings, "B011").Severity)
	assert.Equal(t, gate.Supported, c.Verdict)
	assert.Equal(t, "trace-1", c.Bindings[0].TraceRef)
}

func TestEvidenceBlocksResolveToTheirLookup(t *testing.T) {
	tr := call(1, "lookup_knowledge", `{}`, "runbook: restart the broker")
	tr.Kind = trace.Knowledge
	tr.Blocks = []trace.Block{{BlockID: "kb-7", Span: trace.Span{Start: 0, End: 27}}}
	b := contract.Binding{SourceType: contract.SourceLookupBlock, SourceID: "kb-7", EvidenceExcerpt: "restart the broker"}
	c := verify([]trace.Trace{tr}, claimOf("手册建议重启 broker。", b)).Claims[0]
	assert.Equal(t, gate.Supported, c.Verdict, "a claim about what the document says")
	c = verify([]trace.Trace{tr}, claimOf("broker 已经重启。", b)).Claims[0]
	assert.Equal(t, []string{"C007"}, blocking(c))
}

func TestUnknownSourceFamilyCannotBeChecked(t *testing.T) {
	b := contract.Binding{SourceType: "ticket", SourceID: "OPS-12", EvidenceExcerpt: "x"}
	rep := verify(nil, claimOf("值班人员确认过。", b))
	assert.Equal(t, gate.Unverifiable, rep.Claims[0].Verdict)
	assert.Equal(t, grounding.CannotCheck, rep.Claims[0].Bindings[0].Tier)
	assert.Equal(t, gate.Unchecked, rep.Decision)
}

func TestUnavailableOutputsAreNeverAccused(t *testing.T) {
	tr := call(1, "kubectl_get", `{}`, "quote-0 0/1 …")
	tr.Unavailable = true
	c := one(t, tr, "quote-0 已重启 253 次。", "quote-0     0/1     Error     253")
	assert.Empty(t, blocking(c))
	assert.Equal(t, gate.Unverifiable, c.Verdict)
	c = one(t, tr, "quote-0 为 0/1。", "quote-0 0/1")
	assert.Equal(t, gate.Supported, c.Verdict, "what stands in the summary counts as found")
}

func TestExcerptTiers(t *testing.T) {
	tr := call(1, "kubectl_get", `{"hint":"the queue is exhausted by design"}`, rows)
	for excerpt, want := range map[string]grounding.Tier{
		"quote-0     0/1     Error     253":      grounding.Exact,
		"QUOTE-0 | 0/1 | error | 253":            grounding.Folded,
		"quote-0 … 253":                          grounding.Fragments,
		"quote-0 状态 Error，重启 253 次":              grounding.Paraphrase,
		"quote-0 状态 Error，重启 258 次":              grounding.Absent,
		"quote-0     0/1     Error     258":      grounding.Absent,
		"quota-0     0/1     Error     253":      grounding.Absent,
		"the queue is exhausted by design":       grounding.Absent,
		"FATAL quote-0 lost its leader election": grounding.Absent,
	} {
		c := one(t, tr, "有一个 Pod 异常。", excerpt)
		assert.Equal(t, want, c.Bindings[0].Tier, excerpt)
		if want == grounding.Absent {
			assert.NotEmpty(t, blocking(c), excerpt)
		}
	}
	assert.Equal(t, []string{"B009"}, blocking(one(t, tr, "队列已耗尽。", "the queue is exhausted by design")))
}

func TestFailedCalls(t *testing.T) {
	fails := map[string]string{
		"return code": "Command `kubectl logs x` failed with return code 1\nstderr:\nError from server (NotFound): pods \"x\" not found\n",
		"refused":     "dial tcp 10.1.1.1:9200: connect: connection refused",
		"html":        "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>nginx</body></html>",
		"api":         `{"status":"error","errorType":"timeout","error":"query timed out"}`,
		"metrics":     "error: Metrics API not available",
		"traceback":   "Traceback (most recent call last):\n  File \"x.py\", line 3\nConnectionError: no route",
	}
	for name, out := range fails {
		tr := call(1, "some_tool", `{"name":"cart-0"}`, out)
		excerpt := strings.Split(out, "\n")[0]
		assert.Contains(t, blocking(one(t, tr, "cart-0 运行正常，可排除该服务的问题。", excerpt)), "B007", name)
		assert.NotContains(t, blocking(one(t, tr, "这次调用失败，没有取到数据。", excerpt)), "B007", name)
	}
	for name, out := range map[string]string{
		"log with errors": "2026-03-01 10:15:28 ERROR connection refused to db-1\n2026-03-01 10:15:29 ERROR connection refused to db-1\n",
		"table":           rows,
		"error field":     `{"items":[{"name":"a","error":"timeout"},{"name":"b"}],"total":2,"page":1,"size":10,"sort":"x"}`,
	} {
		tr := call(1, "query_logs", `{}`, out)
		assert.NotContains(t, blocking(one(t, tr, "服务正常。", strings.Split(out, "\n")[0])), "B007", name)
	}
	empty := call(1, "query_logs", `{}`, "")
	empty.Status = trace.Empty
	c := verify([]trace.Trace{empty}, claimOf("代理运行正常，吞吐平稳。", bind(empty, ""))).Claims[0]
	assert.Contains(t, blocking(c), "B007")
	c = verify([]trace.Trace{empty}, claimOf("没有查到代理的错误日志。", bind(empty, ""))).Claims[0]
	assert.Empty(t, blocking(c))
	frozen := empty
	frozen.Status = trace.NotRecorded
	c = verify([]trace.Trace{frozen}, claimOf("代理运行正常。", bind(frozen, ""))).Claims[0]
	assert.Equal(t, gate.Unverifiable, c.Verdict)
}

func TestFactsOfClaims(t *testing.T) {
	tr := call(1, "kubectl_get", `{"namespace":"retail"}`, rows+"at 2026-03-01T10:15:28Z used 157638656 bytes of 512 MiB\n")
	all := "at 2026-03-01T10:15:28Z used 157638656 bytes of 512 MiB"
	for text, want := range map[string][]string{
		"已用 157638656 字节（约 150.3 MiB），占 29.4%。":                    {},
		"已用约 150.3 GiB。":                                           {"C001"},
		"占用率达到 88%。":                                               {"C001"},
		"retail 中 quote-0 重启 253 次。":                               {},
		"quote-7 重启 253 次。":                                        {"C002"},
		"没有发现 OOMKilled。":                                          {},
		"采样于北京时间 18:15:28。":                                        {},
		"采样于北京时间 17:15:28。":                                        {"C003"},
		"The pod quote-0 was restarted 253 times at 10:15:28 UTC.": {},
		"The pod quote-0 was restarted 254 times.":                 {"C001"},
	} {
		assert.Equal(t, want, blocking(one(t, tr, text, all)), text)
	}
	f := finding(t, one(t, tr, "采样时 quote-0 已重启 254 次。", "quote-0     0/1     Error     253").Findings, "C001")
	assert.Contains(t, f.Message.EN, "253")
	assert.Contains(t, f.Message.ZH, "第 3 行")
	require.Len(t, f.Places, 1)
	assert.Equal(t, "253", string(tr.Output[f.Places[0].Span.Start:f.Places[0].Span.End]))
}

func TestFactMarksShowOperands(t *testing.T) {
	tr := call(1, "store_info", `{}`, "hits:300\nmisses:100\nstarted 10:00:05 ended 10:02:07\n")
	c := one(t, tr, "命中率 75%，耗时 2 分 2 秒。", "hits:300\nmisses:100\nstarted 10:00:05 ended 10:02:07")
	require.Empty(t, blocking(c))
	require.Len(t, c.Facts, 2)
	for _, f := range c.Facts {
		assert.NotEmpty(t, f.Derived, f.Text)
		assert.Len(t, f.Spans, 2, f.Text)
	}
	assert.Equal(t, "75%", c.Facts[0].Text)
}

func TestOtherEntitysNumber(t *testing.T) {
	tr := call(1, "kubectl_get", `{}`, rows)
	c := one(t, tr, "cart-0 已重启 253 次。", "quote-0     0/1     Error     253")
	require.Equal(t, []string{"C004"}, blocking(c))
	f := finding(t, c.Findings, "C004")
	assert.Contains(t, f.Message.EN, "quote-0")
	assert.Contains(t, f.Message.EN, "18")
	assert.Equal(t, gate.Contradicted, c.Verdict)
	assert.Empty(t, blocking(one(t, tr, "cart-0 重启 18 次，quote-0 重启 253 次。", "cart-0      1/1     Running   18")))
	kafka := call(1, "describe_group", `{}`, "TOPIC    PARTITION  LAG\norders   2          160751\norders   3          99214\n")
	assert.Equal(t, []string{"C004"}, blocking(one(t, kafka, "orders 的 3 号分区积压 160751 条。", "orders   2          160751")))
	assert.Empty(t, blocking(one(t, kafka, "orders 的 2 号分区积压 160751 条。", "orders   2          160751")))
}

func TestPolarity(t *testing.T) {
	node := call(1, "describe_node", `{}`, "Conditions:\n  Type            Status  Reason\n  DiskPressure    False   KubeletHasNoDiskPressure\n  Ready           True    KubeletReady\n")
	line := "DiskPressure    False   KubeletHasNoDiskPressure"
	for text, want := range map[string][]string{
		"节点已触发 DiskPressure。": {"C006"}, "DiskPressure 为 True。": {"C006"}, "DiskPressure 为 False，没有磁盘压力。": {}, "节点未处于 DiskPressure。": {},
	} {
		assert.Equal(t, want, blocking(one(t, node, text, line)), text)
	}
	flag := call(1, "cluster_status", `{}`, "{\n  \"network_partitions_detected\": true,\n  \"mem_alarm\": false\n}")
	assert.Equal(t, []string{"C006"}, blocking(one(t, flag, "集群未检测到网络分区。", `"network_partitions_detected": true`)))
	assert.Empty(t, blocking(one(t, flag, "集群检测到网络分区。", `"network_partitions_detected": true`)))
	assert.Equal(t, []string{"C006"}, blocking(one(t, flag, "内存告警已触发。", `"mem_alarm": false`)))
	log := call(1, "query_logs", `{}`, "10:15:28 Reloaded edge proxy\n10:15:29 Scaled up replica set web from 0 to 3\n")
	for _, c := range []struct{ output, text string }{
		{"/dev/nvme1n1 on /data type ext4 (ro,noatime)\n/dev/nvme2n1 on /backup type ext4 (rw,noatime)\n", "/data 目前仍以 rw 方式挂载。"},
		{"Replica_IO_Running: Yes\nReplica_SQL_Running: Yes\n", "SQL 线程已经停止。"},
		{"11:19:58 | sunyu | consumer/bus-1 | delete\n", "消费者 bus-1 目前仍然保留着。"},
		{"rule BOT-7 action=observe hits=4102\n", "WAF 已经拦截了这批请求。"},
		{"rule cache: miss, compiling anew\n", "规则缓存命中率高。"},
		{`failed_total{instance="prom-1"} 0` + "\n", "prom-1 同样出现发送失败，持续增长。"},
		{"/dev/vdb  104857600  1183402  103674198  2% /var/lib\n", "/dev/vdb 的 inode 接近耗尽。"},
		{"the usage of cpu stayed flat over the window\n", "CPU 同步飙升。"},
		{"The database ledger-0 shows no saturation in the window.\n", "ledger-0 在窗口内已经饱和。"},
		{"Available  False  MinimumReplicasUnavailable\n", "Available 条件仍为 True。"},
		{"REV 34  pending-upgrade  mail-2.9.0\n", "修订 34 已升级完成。"},
		{"ts,host,value,threshold,is_anomaly\n1614849180,web-4,65.11,83.44,False\n1614849180,web-5,91.20,83.44,True\n", "web-4 被判为异常。"},
	} {
		tr := call(1, "run", `{}`, c.output)
		line, rest, _ := strings.Cut(c.output, "\n")
		if strings.HasPrefix(line, "ts,") {
			line, _, _ = strings.Cut(rest, "\n")
		}
		assert.Equal(t, []string{"C006"}, blocking(one(t, tr, c.text, line)), c.text)
	}
	for _, c := range []struct{ output, text string }{
		{"db_003 False 1246\ndb_009 True 4107\n", "db_009 没有失败。"},
		{"\"unackedMessages\": 50000, \"blockedSubscriptionOnUnackedMsgs\": true\n", "未确认消息到了 50000 并且订阅已被阻塞。"},
		{"FailedScheduling pod/web-7 persistentvolumeclaim \"web-data\" not found\n", "调度器以 PVC not found 拒绝 web-7。"},
		{"Failed to pull image reg.local/web:2: NotFound\n", "新 Pod 起不来是因为找不到镜像 reg.local/web:2。"},
	} {
		line, _, _ := strings.Cut(c.output, "\n")
		assert.Empty(t, blocking(one(t, call(1, "run", `{}`, c.output), c.text, line)), c.text)
	}
	assert.Equal(t, []string{"C006"}, blocking(one(t, log, "edge 的重载失败。", "Reloaded edge proxy")))
	assert.Equal(t, []string{"C006"}, blocking(one(t, log, "web 从 3 缩到 0。", "Scaled up replica set web from 0 to 3")))
	assert.Empty(t, blocking(one(t, log, "web 从 0 扩到 3。", "Scaled up replica set web from 0 to 3")))
}

func TestLevelAndWording(t *testing.T) {
	tr := call(1, "kubectl_get", `{}`, rows)
	c := claimOf("quote-0 可能已重启 253 次。", bind(tr, "quote-0     0/1     Error     253"))
	rep := verify([]trace.Trace{tr}, c).Claims[0]
	assert.Equal(t, gate.Warn, finding(t, rep.Findings, "C008").Severity)
	assert.Equal(t, gate.Supported, rep.Verdict)
	c.SupportLevel = contract.None
	assert.Equal(t, []string{"C005"}, blocking(verify([]trace.Trace{tr}, c).Claims[0]))
	c.SupportLevel = contract.Contradicted
	assert.Equal(t, gate.Contradicted, verify([]trace.Trace{tr}, c).Claims[0].Verdict)
	c = claimOf("quote-0 已重启 18 次。", bind(tr, "cart-0      1/1     Running   18"))
	c.ClaimType = contract.RootCause
	finding(t, verify([]trace.Trace{tr}, c).Claims[0].Findings, "C009")
}

func TestSchemaIssuesBecomeFindings(t *testing.T) {
	p := contract.Parse([]byte(`{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"a","claim_type":"symptom","claim_text":"x","support_level":"sure","evidence_bindings":[]},{"claim_id":"a","claim_type":"symptom","claim_text":"y","support_level":"direct","evidence_bindings":[]}],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`))
	rep := gate.Verify(gate.Input{Parsed: p}, gate.Policy{})
	finding(t, rep.Claims[0].Findings, "S005")
	finding(t, rep.Claims[0].Findings, "B001")
	assert.Contains(t, rep.Causes, "schema_violation")
	assert.Contains(t, rep.Causes, "unsupported_claim")
	assert.Equal(t, gate.Blocked, rep.Decision)
}

func TestPolicyOverridesSeverity(t *testing.T) {
	tr := call(1, "kubectl_get", `{}`, rows)
	c := &contract.Contract{Claims: []contract.Claim{claimOf("quote-0 已重启 254 次。", bind(tr, "quote-0     0/1     Error     253"))}}
	in := gate.Input{Parsed: contract.Parsed{Status: contract.StatusOK, Contract: c}, Traces: []trace.Trace{tr}}
	assert.Equal(t, gate.Blocked, gate.Verify(in, gate.Policy{}).Decision)
	rep := gate.Verify(in, gate.Policy{Severities: map[gate.Code]gate.Severity{"C001": gate.Warn}})
	assert.Equal(t, gate.Clean, rep.Decision)
	assert.Equal(t, gate.Warn, finding(t, rep.Claims[0].Findings, "C001").Severity)
}

func TestEveryCodeHasASeverity(t *testing.T) {
	assert.Len(t, gate.Codes(), 35)
	for _, c := range gate.Codes() {
		assert.NotEmpty(t, gate.DefaultSeverity(c), c)
	}
	assert.Equal(t, gate.Code("S001"), gate.Codes()[0])
}

func TestMalformedOutputIsACauseOfItsOwn(t *testing.T) {
	rep := gate.Verify(gate.Input{Parsed: contract.Parse([]byte("no json here"))}, gate.Policy{})
	assert.Equal(t, gate.Blocked, rep.Decision)
	assert.Contains(t, rep.Causes, "malformed_output")
	assert.Contains(t, rep.Causes, "no_confirmed_claims")
	_, err := json.Marshal(rep)
	require.NoError(t, err)
}
