package gate_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/trace"
)

// sheet is an output of many records, each of a thing with a name and a number.
type sheet struct {
	output  []byte
	names   []string
	values  []int
	records []string // as they stand in the output
	label   string   // what the number is called
}

// newSheet writes records of the form that write gives until there are size bytes.
func newSheet(size int, head, between, tail, label string, write func(r *rand.Rand, name string, value int) string) sheet {
	r := rand.New(rand.NewSource(7))
	s := sheet{label: label}
	var b bytes.Buffer
	b.WriteString(head)
	for i := 0; b.Len() < size; i++ {
		name, value := fmt.Sprintf("cart-%05x-%04x", i, r.Intn(1<<16)), 1000+r.Intn(900_000)
		rec := write(r, name, value)
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(rec)
		s.names, s.values, s.records = append(s.names, name), append(s.values, value), append(s.records, rec)
	}
	b.WriteString(tail)
	s.output = b.Bytes()
	return s
}

// sheets are the shapes of output that are measured.
var sheets = []struct {
	name string
	make func(size int) sheet
}{
	{"json-records", func(size int) sheet {
		return newSheet(size, "[\n", ",\n", "\n]\n", "restarts", jsonRecord)
	}},
	{"json-one-line", func(size int) sheet {
		return newSheet(size, `{"kind":"List","items":[`, ",", "]}", "restarts", jsonRecord)
	}},
	{"json-lines", func(size int) sheet {
		return newSheet(size, "", "\n", "\n", "restarts", jsonRecord)
	}},
	{"json-samples", func(size int) sheet {
		at := 1_760_000_000
		return newSheet(size, `{"status":"success","data":{"resultType":"matrix","result":[`, ",", "]}}", "restarts", func(r *rand.Rand, name string, value int) string {
			var b strings.Builder
			fmt.Fprintf(&b, `{"metric":{"__name__":"restarts_total","pod":%q},"values":[[%d,"%d"]`, name, at, value)
			for i := range 200 {
				fmt.Fprintf(&b, `,[%d,"%d"]`, at+15*i+15, r.Intn(900_000))
			}
			return b.String() + "]}"
		})
	}},
	{"csv-200-columns", func(size int) sheet {
		head := "name,restarts"
		for i := range 198 {
			head += fmt.Sprintf(",col_%d", i)
		}
		return newSheet(size, head+"\n", "\n", "\n", "restarts", func(r *rand.Rand, name string, value int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "%s,%d", name, value)
			for range 198 {
				fmt.Fprintf(&b, ",%d.%d", r.Intn(9000), r.Intn(100))
			}
			return b.String()
		})
	}},
	{"kubectl-table", func(size int) sheet {
		return newSheet(size, "NAMESPACE   NAME                 READY   STATUS    RESTARTS   AGE\n", "\n", "\n", "restarts", func(r *rand.Rand, name string, value int) string {
			return fmt.Sprintf("retail      %-20s 1/1     Running   %-10d %dd", name, value, 1+r.Intn(90))
		})
	}},
	{"log-of-numbers", func(size int) sheet {
		at := time.Date(2026, 3, 1, 4, 0, 0, 0, time.UTC)
		return newSheet(size, "", "\n", "\n", "restarts", func(r *rand.Rand, name string, value int) string {
			at = at.Add(time.Duration(r.Intn(40)) * time.Millisecond)
			var b strings.Builder
			fmt.Fprintf(&b, "%s INFO pod=%s restarts=%d", at.Format("2006-01-02T15:04:05.000Z"), name, value)
			for i := range 20 {
				fmt.Fprintf(&b, " m%d=%d.%03d", i, r.Intn(5000), r.Intn(1000))
			}
			return b.String()
		})
	}},
	{"one-line-of-words", func(size int) sheet {
		return newSheet(size, "", "; ", "", "restarts", func(r *rand.Rand, name string, value int) string {
			return fmt.Sprintf("pod %s restarts: %d, last seen %d s ago", name, value, r.Intn(4000))
		})
	}},
	{"chinese-log", func(size int) sheet {
		return newSheet(size, "", "\n", "\n", "重启", func(r *rand.Rand, name string, value int) string {
			return fmt.Sprintf("2026年3月1日 %02d:%02d:%02d 【信息】 实例 %s 重启%d次，耗时%d毫秒，占用内存%d兆，剩余%d个连接", r.Intn(24), r.Intn(60), r.Intn(60), name, value, r.Intn(5000), r.Intn(900), r.Intn(80))
		})
	}},
	{"log-in-a-string", func(size int) sheet {
		return newSheet(size, `{"exit":0,"log":"`, `\n`, `"}`, "restarts", func(r *rand.Rand, name string, value int) string {
			return fmt.Sprintf("pod %s restarts %d, took %dm%ds", name, value, r.Intn(60), r.Intn(60))
		})
	}},
	{"flat-object", func(size int) sheet {
		return newSheet(size, "{\n", ",\n", "\n}\n", "restarts", func(r *rand.Rand, name string, value int) string {
			return fmt.Sprintf(`  "%s.restarts": %d`, name, value)
		})
	}},
	{"describe-blocks", func(size int) sheet {
		return newSheet(size, "", "\n", "\n", "restarts", func(r *rand.Rand, name string, value int) string {
			return fmt.Sprintf("Name:         %s\nStatus:       Running\nContainers:\n  app:\n    State:          Running\n    Restarts:       %d\n    Limits:\n      memory:  %dMi\nEvents:  <none>", name, value, 64+r.Intn(4000))
		})
	}},
}

func jsonRecord(r *rand.Rand, name string, value int) string {
	return fmt.Sprintf(`{"name":%q,"namespace":"retail","restarts":%d,"ready":true,"node":"worker-%d","age_seconds":%d}`, name, value, r.Intn(40), r.Intn(90000))
}

// claims are ten sentences on a sheet that ask for every search the gate has: right ones,
// wrong numbers, names and owners, derived numbers, summaries, an excerpt of nowhere.
func (s sheet) claims() []contract.Claim {
	n := len(s.names)
	at := func(k int) int { return n * k / 11 }
	quote := func(i int) string { return s.records[i][:min(len(s.records[i]), 200)] }
	is := func(name string, value int) string { return fmt.Sprintf("%s 的 %s 为 %d。", name, s.label, value) }
	top, sum := 0, 0
	for i, v := range s.values {
		if sum += v; v > s.values[top] {
			top = i
		}
	}
	type c struct {
		text     string
		excerpts []string
	}
	a, b := at(3), at(7)
	return claimsOf(func(yield func(string, ...string)) {
		for _, x := range []c{
			{is(s.names[at(1)], s.values[at(1)]), []string{quote(at(1)), quote(at(2)), quote(a)}},
			{is(s.names[at(2)], s.values[at(2)]+1), []string{quote(at(2)), quote(at(2) + 1), quote(at(2) + 2)}},
			{is(s.names[a]+"9", s.values[a]), []string{quote(a)}},
			{is(s.names[a], s.values[b]), []string{quote(a), quote(b)}},
			{fmt.Sprintf("%s 的 %s 比 %s 多出 %d，共 %d 个。", s.names[a], s.label, s.names[b], s.values[a]-s.values[b], n), []string{quote(a), quote(b)}},
			{fmt.Sprintf("共有 %d 个 pod，合计 %s %d，平均 %d。", n, s.label, sum, sum/n), []string{quote(0), quote(n - 1)}},
			{fmt.Sprintf("%s 的 %s 最高，达到 %d。", s.names[top], s.label, s.values[top]), []string{quote(top)}},
			{is(s.names[b], s.values[b]), []string{fmt.Sprintf("%s 一项 %s 计数 %d", s.names[b], s.label, s.values[b])}},
			{is(s.names[b], s.values[b]), []string{fmt.Sprintf("connection to %s was refused by upstream after %d attempts", s.names[b], s.values[b]+3), "no such pod was ever scheduled on any of the nodes"}},
			{fmt.Sprintf("2026-03-01 04:00:07 起 %s 未重启，%s 升至 %d，占 37.5%%，下降 12 倍。", s.names[a], s.label, s.values[a]), []string{quote(a), quote(a + 1)}},
		} {
			yield(x.text, x.excerpts...)
		}
	})
}

// claimsOf collects claims that cite trace-1.
func claimsOf(each func(yield func(text string, excerpts ...string))) []contract.Claim {
	var out []contract.Claim
	each(func(text string, excerpts ...string) {
		cl := contract.Claim{ClaimID: fmt.Sprintf("claim-%d", len(out)+1), ClaimType: contract.Symptom, SupportLevel: contract.Direct, ClaimText: text}
		for _, e := range excerpts {
			cl.EvidenceBindings = append(cl.EvidenceBindings, contract.Binding{SourceType: contract.SourceToolTrace, SourceID: "trace-1", ToolName: "query", EvidenceExcerpt: e})
		}
		out = append(out, cl)
	})
	return out
}

func sheetInput(output []byte, claims []contract.Claim) gate.Input {
	return gate.Input{
		Traces: []trace.Trace{{Ref: "trace-1", ToolName: "query", Status: trace.OK, Output: output, Kind: trace.Observation}},
		Parsed: contract.Parsed{Status: contract.StatusOK, Contract: &contract.Contract{AnswerVersion: contract.V2, Claims: claims}},
	}
}

// BenchmarkShapes verifies ten claims over one output of each shape; the bytes a second of
// the two sizes are alike where the time is linear.
func BenchmarkShapes(b *testing.B) {
	for _, s := range sheets {
		for _, size := range []int{256 << 10, 1 << 20, 10 << 20} {
			b.Run(fmt.Sprintf("%s/%dKiB", s.name, size>>10), func(b *testing.B) {
				sh := s.make(size)
				in := sheetInput(sh.output, sh.claims())
				b.SetBytes(int64(size))
				for b.Loop() {
					if rep := gate.Verify(in, gate.Policy{}); len(rep.Claims) != 10 {
						b.Fatal("claims are missing")
					}
				}
			})
		}
	}
}

// BenchmarkWideClaims verifies claims of many numbers and of many bindings to one output.
func BenchmarkWideClaims(b *testing.B) {
	sh := newSheet(10<<20, "", "\n", "\n", "restarts", jsonRecord)
	numbers := func(n int) []contract.Claim {
		var text []string
		var excerpts []string
		for i := range n {
			k := i * len(sh.names) / n
			text = append(text, fmt.Sprintf("%s 的 restarts 为 %d", sh.names[k], sh.values[k]+i%3))
			excerpts = append(excerpts, sh.records[k])
		}
		return claimsOf(func(yield func(string, ...string)) { yield(strings.Join(text, "，")+"。", excerpts[:min(10, n)]...) })
	}
	bindings := func(n int) []contract.Claim {
		var excerpts []string
		for i := range n {
			excerpts = append(excerpts, sh.records[i*len(sh.names)/n])
		}
		return claimsOf(func(yield func(string, ...string)) {
			yield(fmt.Sprintf("%s 的 restarts 为 %d，比上一项多出 %d。", sh.names[0], sh.values[0], 77), excerpts...)
		})
	}
	for _, x := range []struct {
		name   string
		claims []contract.Claim
	}{{"10-numbers", numbers(10)}, {"40-numbers", numbers(40)}, {"10-bindings", bindings(10)}, {"100-bindings", bindings(100)}} {
		b.Run(x.name, func(b *testing.B) {
			in := sheetInput(sh.output, x.claims)
			b.SetBytes(10 << 20)
			for b.Loop() {
				if rep := gate.Verify(in, gate.Policy{}); len(rep.Claims) != 1 {
					b.Fatal("claims are missing")
				}
			}
		})
	}
}
