package gate_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/trace"

	"github.com/stretchr/testify/require"
)

// call makes trace n with a tool and its output.
func call(n int, tool, args, output string) trace.Trace {
	return trace.Trace{Ref: fmt.Sprintf("trace-%d", n), ToolName: tool, Arguments: []byte(args), InvocationIDs: []int64{int64(700 + n)}, Status: trace.OK, Output: []byte(output), Kind: trace.Observation}
}

// bind cites an excerpt of trace n.
func bind(t trace.Trace, excerpt string) contract.Binding {
	return contract.Binding{SourceType: contract.SourceToolTrace, SourceID: t.Ref, ToolName: t.ToolName, SourceInvocationIDs: append([]int64{}, t.InvocationIDs...), EvidenceExcerpt: excerpt}
}

func claimOf(text string, bs ...contract.Binding) contract.Claim {
	return contract.Claim{ClaimID: "claim-1", ClaimType: contract.Symptom, ClaimText: text, SupportLevel: contract.Direct, EvidenceBindings: bs}
}

func verify(traces []trace.Trace, claims ...contract.Claim) gate.Report {
	for i := range claims {
		claims[i].ClaimID = fmt.Sprintf("claim-%d", i+1)
	}
	c := &contract.Contract{AnswerVersion: contract.V2, Claims: claims}
	return gate.Verify(gate.Input{Parsed: contract.Parsed{Status: contract.StatusOK, Contract: c}, Traces: traces}, gate.Policy{})
}

// blocking lists the codes that block a claim.
func blocking(c gate.ClaimReport) []string {
	out := []string{}
	for _, f := range c.Findings {
		if f.Severity == gate.Block {
			out = append(out, string(f.Code))
		}
	}
	return out
}

// world is a made-up incident: traces of many shapes, and claims that hold.
type world struct {
	traces []trace.Trace
	claims []contract.Claim
}

// newWorld makes an incident from a seed. Names and numbers differ from seed to seed;
// no two entities share a value.
func newWorld(seed int64) world {
	r := rand.New(rand.NewSource(seed))
	id := func() string { return fmt.Sprintf("%x", 0xa0000+r.Intn(0x5ffff)) }
	svc := []string{"ledger", "quote", "mailer", "search", "billing", "roster"}
	r.Shuffle(len(svc), func(i, j int) { svc[i], svc[j] = svc[j], svc[i] })
	n := func(lo, span int) int { return lo + r.Intn(span) }
	var w world

	// A kubectl table.
	pods := make([]string, 4)
	restarts := []int{n(110, 80), n(210, 80), n(310, 80), 0}
	state := []string{"CrashLoopBackOff", "Running", "Running", "Running"}
	var b strings.Builder
	b.WriteString("NAME                          READY   STATUS             RESTARTS   AGE\n")
	for i := range pods {
		pods[i] = fmt.Sprintf("%s-%s-%s", svc[i], id(), id())
		fmt.Fprintf(&b, "%-29s %s     %-18s %-10d %dd\n", pods[i], []string{"0/1", "1/1"}[min(i, 1)], state[i], restarts[i], 31+i)
	}
	t1 := call(1, "kubectl_get", `{"kind":"pod","namespace":"retail"}`, b.String())
	row := strings.Split(b.String(), "\n")[1]

	// A describe block.
	limit := n(3, 5)
	t2 := call(2, "kubectl_describe", fmt.Sprintf(`{"name":%q}`, pods[0]), fmt.Sprintf("Name:         %s\nNode:         worker-%d/10.9.0.%d\nContainers:\n  app:\n    State:          Waiting\n      Reason:       CrashLoopBackOff\n    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n      Finished:     Tue, 03 Mar 2026 08:14:26 +0100\n    Limits:\n      memory:  %dGi\n  sidecar:\n    State:          Running\n    Limits:\n      memory:  256Mi\nConditions:\n  Type            Status\n  PodScheduled    True\n  Ready           False\nEvents:\n  Type     Reason   Age                    From     Message\n  ----     ------   ---                    ----     -------\n  Warning  BackOff  2m4s (x%d over 3h12m)  kubelet  Back-off restarting failed container app\n", pods[0], n(2, 7), n(20, 200), limit, n(400, 90)))
	backoff := strings.Split(strings.Split(string(t2.Output), "(x")[1], " ")[0]

	// A Prometheus vector of shares, and one of seconds.
	rate := []int{n(3100, 800), n(210, 70), n(40, 30)}
	var series []string
	for i, v := range rate {
		series = append(series, fmt.Sprintf(`{"metric":{"service":"%s"},"value":[1772522066,"0.%04d"]}`, svc[i], v))
	}
	t3 := call(3, "query_metrics", `{"query":"sum by (service)(rate(errors_total[5m]))/sum by (service)(rate(requests_total[5m]))"}`, `{"status":"success","data":{"resultType":"vector","result":[`+strings.Join(series, ",")+`]}}`)

	// Application logs in JSON Lines.
	host := fmt.Sprintf("db-%s.internal:5432", svc[1])
	lat := []int{n(4100, 700), n(5100, 700), n(6100, 700)}
	b.Reset()
	for i, l := range lat {
		fmt.Fprintf(&b, `{"ts":"2026-03-03T07:1%d:0%d.500Z","level":"ERROR","service":"%s","msg":"query timeout","host":"%s","latency_ms":%d}`+"\n", i, i+2, svc[0], host, l)
	}
	fmt.Fprintf(&b, `{"ts":"2026-03-03T07:14:11.002Z","level":"INFO","service":"%s","msg":"pool resized","size":%d}`+"\n", svc[0], n(52, 40))
	t4 := call(4, "query_logs", fmt.Sprintf(`{"query":"service:%s"}`, svc[0]), b.String())
	logLines := strings.Split(b.String(), "\n")

	// Key-value status of a store.
	used, total := n(600_000_000, 90_000_000), 1<<30
	t5 := call(5, "store_info", `{"instance":"store-a"}`, fmt.Sprintf("# Memory\nused_memory:%d\nmaxmemory:%d\n# Stats\nrejected_connections:0\nappend_only:false\n", used, total))

	// A CSV of a metric, a failed call, a knowledge lookup.
	lag := []int{n(11, 9), n(120, 80), n(900, 80), n(2300, 500)}
	t6 := call(6, "query_metrics", `{"query":"replica_lag_seconds"}`, fmt.Sprintf("time,replica_lag_seconds\n2026-03-03T07:00:00Z,%d\n2026-03-03T07:05:00Z,%d\n2026-03-03T07:10:00Z,%d\n2026-03-03T07:15:00Z,%d\n", lag[0], lag[1], lag[2], lag[3]))
	t7 := call(7, "fetch_slow_log", fmt.Sprintf(`{"instance":%q}`, host), "Command `slowlog` failed with return code 1\nstdout:\n\nstderr:\ndial tcp 10.9.3.3:9600: connect: connection refused\n")
	t8 := call(8, "lookup_knowledge", `{"query":"OOM"}`, "# 容器内存手册\n容器超过内存上限会被内核杀死，退出码 137。\n常见原因：缓存没有上限。\n")
	t8.Kind = trace.Knowledge
	w.traces = []trace.Trace{t1, t2, t3, t4, t5, t6, t7, t8}

	mib := fmt.Sprintf("%.1f", float64(used)/(1<<20))
	w.claims = []contract.Claim{
		claimOf(fmt.Sprintf("Pod %s 处于 CrashLoopBackOff，已重启 %d 次。", pods[0], restarts[0]), bind(t1, row)),
		claimOf(fmt.Sprintf("%s 已重启 %d 次，仍为 1/1 Running。", pods[1], restarts[1]), bind(t1, strings.Join(strings.Fields(strings.Split(string(t1.Output), "\n")[2]), " | "))),
		claimOf(fmt.Sprintf("app 容器上次因 OOMKilled 终止（退出码 137），时间是北京时间 2026-03-03 15:14:26，内存上限 %dGi。", limit), bind(t2, "Reason:       OOMKilled\n      Exit Code:    137 … Finished:     Tue, 03 Mar 2026 08:14:26 +0100 … memory:  "+fmt.Sprint(limit)+"Gi")),
		claimOf(fmt.Sprintf("kubelet 在 3 小时 12 分内上报 BackOff %s 次。", backoff), bind(t2, "BackOff（x"+backoff+" over 3h12m）：容器 app 反复重启失败")),
		claimOf(fmt.Sprintf("%s 的错误率为 %.2f%%，是三者中最高的。", svc[0], float64(rate[0])/100), bind(t3, series[0])),
		claimOf(fmt.Sprintf("%s 在 07:10:02（UTC）查询 %s 超时，耗时 %d ms。", svc[0], host, lat[0]), bind(t4, logLines[0])),
		claimOf("日志里 query timeout 共出现 3 次，首末两次相隔 2 分 2 秒。", bind(t4, `"msg":"query timeout"`), bind(t4, logLines[0]), bind(t4, logLines[2])),
		claimOf(fmt.Sprintf("store-a 已用内存 %s MiB，上限 1 GiB，没有拒绝连接（rejected_connections 为 0）。", mib), bind(t5, fmt.Sprintf("used_memory:%d\nmaxmemory:%d", used, total)), bind(t5, "rejected_connections:0")),
		claimOf(fmt.Sprintf("副本延迟从 07:00 的 %d 秒上升到 07:15（UTC）的 %d 秒。", lag[0], lag[3]), bind(t6, fmt.Sprintf("2026-03-03T07:00:00Z,%d … 2026-03-03T07:15:00Z,%d", lag[0], lag[3]))),
		claimOf("慢日志没有取到：对 10.9.3.3:9600 的连接被拒绝。", bind(t7, "dial tcp 10.9.3.3:9600: connect: connection refused")),
		claimOf(fmt.Sprintf("Pod %s 的 Ready 条件为 False，PodScheduled 为 True。", pods[0]), bind(t2, "PodScheduled    True\n  Ready           False")),
	}
	for i := range w.claims {
		w.claims[i].ClaimID = fmt.Sprintf("claim-%d", i+1)
	}
	return w
}

func (w world) verify() gate.Report {
	return verify(w.traces, append([]contract.Claim{}, w.claims...)...)
}

const worlds = 12

func TestHonestClaimsAreSupported(t *testing.T) {
	for seed := range int64(worlds) {
		w := newWorld(seed)
		rep := w.verify()
		for i, c := range rep.Claims {
			require.Empty(t, blocking(c), "seed %d: %s\n%+v", seed, w.claims[i].ClaimText, c.Findings)
			require.Equal(t, gate.Supported, c.Verdict)
		}
		require.Equal(t, gate.Clean, rep.Decision)
		require.Empty(t, rep.Causes)
	}
}
