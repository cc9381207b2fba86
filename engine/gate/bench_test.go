package gate_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/trace"
)

// bigLog makes about size bytes of service log with n planted lines, which it returns.
func bigLog(size, n int, seed int64) (log []byte, planted []string) {
	r := rand.New(rand.NewSource(seed))
	var b bytes.Buffer
	at := time.Date(2026, 3, 1, 4, 0, 0, 0, time.UTC)
	levels := []string{"INFO", "INFO", "INFO", "WARN", "ERROR"}
	for i := 0; b.Len() < size; i++ {
		at = at.Add(time.Duration(r.Intn(40)) * time.Millisecond)
		line := fmt.Sprintf("%s %-5s [worker-%d] svc=cart-%d request_id=%08x path=/v1/items/%d status=%d latency_ms=%d bytes=%d",
			at.Format("2006-01-02T15:04:05.000Z"), levels[r.Intn(len(levels))], r.Intn(16), r.Intn(12), r.Uint32(), r.Intn(90000), 200+r.Intn(4)*100, r.Intn(900), r.Intn(50000))
		if len(planted) < n && b.Len() > size/(n+1)*(len(planted)+1) {
			line = fmt.Sprintf("%s ERROR [worker-3] svc=ledger-%d upstream ledger-db-%d refused the connection after %d attempts, queue depth %d",
				at.Format("2006-01-02T15:04:05.000Z"), len(planted), len(planted), 3+len(planted), 4100+7*len(planted))
			planted = append(planted, line)
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.Bytes(), planted
}

// bigSession is 10 claims with 30 bindings over traces of size bytes in all.
func bigSession(size int) gate.Input {
	var in gate.Input
	var lines [][]string
	const traces = 5
	for i := range traces {
		log, planted := bigLog(size/traces, 6, int64(i))
		lines = append(lines, planted)
		in.Traces = append(in.Traces, trace.Trace{
			Ref: fmt.Sprintf("trace-%d", i+1), ToolName: "query_logs", InvocationIDs: []int64{int64(100 + i)}, Status: trace.OK, Output: log, Kind: trace.Observation,
		})
	}
	c := &contract.Contract{AnswerVersion: contract.V2}
	for i := range 10 {
		t, k := i%traces, i/traces*3
		cl := contract.Claim{
			ClaimID: fmt.Sprintf("claim-%d", i+1), ClaimType: contract.Symptom, SupportLevel: contract.Direct,
			ClaimText: fmt.Sprintf("ledger-%d 连接 ledger-db-%d 被拒绝，重试 %d 次，队列深度 %d。", k, k, 3+k, 4100+7*k),
		}
		for j := range 3 {
			cl.EvidenceBindings = append(cl.EvidenceBindings, contract.Binding{
				SourceType: contract.SourceToolTrace, SourceID: fmt.Sprintf("trace-%d", t+1), ToolName: "query_logs", SourceInvocationIDs: []int64{int64(100 + t)},
				EvidenceExcerpt: lines[t][k+j],
			})
		}
		c.Claims = append(c.Claims, cl)
	}
	in.Parsed = contract.Parsed{Status: contract.StatusOK, Contract: c}
	return in
}

func BenchmarkVerify(b *testing.B) {
	for _, size := range []int{100 << 10, 1 << 20, 10 << 20} {
		in := bigSession(size)
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				rep := gate.Verify(in, gate.Policy{})
				if rep.Decision != gate.Clean {
					b.Fatalf("decision %s: %+v", rep.Decision, rep.Claims[0].Findings)
				}
			}
		})
	}
}

// BenchmarkVerifySummaries has excerpts that stand nowhere as quotes: every trace is
// searched in all tiers and for facts.
func BenchmarkVerifySummaries(b *testing.B) {
	in := bigSession(10 << 20)
	for i := range in.Parsed.Contract.Claims {
		cl := &in.Parsed.Contract.Claims[i]
		k := i / 5 * 3
		for j := range cl.EvidenceBindings {
			cl.EvidenceBindings[j].EvidenceExcerpt = fmt.Sprintf("ledger-%d 连不上 ledger-db-%d，共 %d 次尝试，队列深度 %d", k+j, k+j, 3+k+j, 4100+7*(k+j))
		}
	}
	b.SetBytes(10 << 20)
	for b.Loop() {
		gate.Verify(in, gate.Policy{})
	}
}

// BenchmarkScan is the yardstick for the others: one pass over as many bytes that only
// counts lines, on the same machine in the same run.
func BenchmarkScan(b *testing.B) {
	in := bigSession(10 << 20)
	b.SetBytes(10 << 20)
	for b.Loop() {
		n := 0
		for _, t := range in.Traces {
			for _, c := range t.Output {
				if c == '\n' {
					n++
				}
			}
		}
		if n == 0 {
			b.Fatal("no lines")
		}
	}
}
