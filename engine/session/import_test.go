package session

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
)

func options(f Format) ImportOptions {
	return ImportOptions{Name: "x.json", Format: f, Policy: verdict.DefaultPolicy(), Program: "test", Now: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}
}

const output = "15:40:02 WARN pool payment: 50 of 50 connections in use\n15:40:03 ERROR no connection within 3000 ms\n"

func message(source string) string {
	return fmt.Sprintf(`{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"claim-1","claim_type":"symptom",`+
		`"claim_text":"支付连接池 50 个连接全部占用","support_level":"direct","evidence_bindings":[{"source_type":"tool_trace","source_id":%q,`+
		`"tool_name":"query_logs","source_invocation_ids":[101],"evidence_excerpt":"50 of 50 connections in use"}]}],`+
		`"hypotheses":[],"recommended_actions":[],"missing_info":["缺少连接泄漏的日志"]}`, source)
}

func caseFile(change func(m map[string]any)) []byte {
	m := map[string]any{
		"case_version": CaseVersion, "id": "pool-1", "original_query": "支付为什么超时？", "expect": map[string]any{"ignored": true},
		"traces": []any{map[string]any{
			"trace_ref": "trace-1", "tool_name": "query_logs", "arguments": map[string]any{"contains": "pool <x>"},
			"invocation_ids": []int{101}, "status": "ok", "output": output,
		}},
		"executor_final_answer": message("trace-1"),
	}
	if change != nil {
		change(m)
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err)
	}
	return data
}

func TestCaseComesIn(t *testing.T) {
	rec, err := Import(caseFile(nil), options(FormatCase))
	require.NoError(t, err)
	s := rec.State()
	require.Equal(t, state.Finished, s.Status)
	require.Equal(t, "pool-1", s.Header.ID)
	require.Equal(t, "import", s.Header.Model)
	require.Equal(t, contract.V2, s.Header.ContractVersion)
	a := s.Current()
	require.Equal(t, message("trace-1"), a.Message)
	require.Equal(t, contract.StatusOK, a.Parsed.Status)
	require.Equal(t, gate.Supported, a.Gate.Claims[0].Verdict)
	traces := s.Traces(0)
	require.Len(t, traces, 1)
	require.Equal(t, output, string(traces[0].Output))
	require.JSONEq(t, `{"contains":"pool <x>"}`, string(traces[0].Arguments))
	require.Empty(t, s.Evaluation.Decision, "nobody decided")
	require.Equal(t, verdict.NotChecked, s.Evaluation.ClaimChecks[0].Verdict)

	store := newStore(t, t.TempDir(), nil)
	l, err := store.Save(rec)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	saved, err := store.Open(l.Header().ID)
	require.NoError(t, err)
	end := len(rec.Events) - 1
	require.Equal(t, rec.Events[:end], saved.Events[:end])
	require.Equal(t, "pool-1", saved.Header.Title)
	state := saved.State()
	require.Equal(t, l.Header().ID, state.Evaluation.SessionID, "the record names the session that holds it")
	original := rec.State()
	require.Equal(t, "pool-1", original.Evaluation.SessionID, "the imported recording is not changed")
}

func TestCaseOfARetryAndOfV1(t *testing.T) {
	rec, err := Import(caseFile(func(m map[string]any) {
		m["retry_context"] = map[string]any{"attempt": 2, "failed_claims": []any{}, "facts_to_drop_or_prove": []string{"password=abc"}}
		m["executor_final_answer"] = strings.Replace(message("trace-1"), "_v2", "_v1", 1)
	}), options(FormatCase))
	require.NoError(t, err)
	s := rec.State()
	require.Equal(t, contract.V1, s.Header.ContractVersion)
	require.Equal(t, 2, s.Current().Number)
	require.Equal(t, []string{"password=‹masked:password›"}, s.Current().Retry.FactsToProve)
}

func TestSecretsDoNotComeIn(t *testing.T) {
	secret := "hunter2-secret"
	text := "db.password=" + secret + " 50 of 50 connections in use"
	rec, err := Import(caseFile(func(m map[string]any) {
		tr := m["traces"].([]any)[0].(map[string]any)
		tr["output"] = text
		tr["arguments"] = map[string]any{"password": secret}
		tr["evidence_blocks"] = []any{map[string]any{"block_id": "b-1", "span": map[string]int{"start": strings.Index(text, "50"), "end": len(text)}}}
		m["original_query"] = "password=" + secret
		m["executor_final_answer"] = strings.Replace(message("trace-1"), "缺少", "password="+secret+" 缺少", 1)
	}), options(FormatCase))
	require.NoError(t, err)
	all, err := json.Marshal(rec.Events)
	require.NoError(t, err)
	require.NotContains(t, string(all), secret)
	tr := traces(rec)[0]
	require.Equal(t, "50 of 50 connections in use", string(tr.Output[tr.Blocks[0].Span.Start:tr.Blocks[0].Span.End]))
}

func TestBadCasesSayWhatAndWhere(t *testing.T) {
	first := func(m map[string]any) map[string]any { return m["traces"].([]any)[0].(map[string]any) }
	for _, c := range []struct {
		name    string
		data    []byte
		message string
	}{
		{"empty", nil, "x.json: file is empty"},
		{"rubbish", []byte("hello"), "x.json:1: not JSON"},
		{"cut", caseFile(nil)[:100], "not JSON: the text is cut"},
		{"syntax", []byte("{\n \"id\": \"a\",\n oops }"), "x.json:3: not JSON"},
		{"two", []byte("{} {}"), "text after"},
		{"array", []byte("[1]"), "is an array, not an object"},
		{"latin", []byte("{\"id\":\n\"caf\xe9\"}"), "x.json:2: byte 0xe9 is not UTF-8"},
		{"utf-16", []byte("\xff\xfe{\x00}\x00"), "UTF-16"},
		{"version", caseFile(func(m map[string]any) { m["case_version"] = "v9" }), `/case_version: want "claimscope_case_v1"`},
		{"no version", caseFile(func(m map[string]any) { delete(m, "case_version") }), "no case_version"},
		{"no query", caseFile(func(m map[string]any) { delete(m, "original_query") }), "no original_query"},
		{"answer", caseFile(func(m map[string]any) { m["executor_final_answer"] = map[string]any{} }), "/executor_final_answer: is an object, not a string"},
		{"no traces", caseFile(func(m map[string]any) { delete(m, "traces") }), "no traces"},
		{"traces", caseFile(func(m map[string]any) { m["traces"] = "x" }), "/traces: is a string, not an array"},
		{"twice", caseFile(func(m map[string]any) { m["traces"] = []any{first(m), first(m)} }), `/traces/1/trace_ref: "trace-1" is the ref of an earlier trace`},
		{"no ref", caseFile(func(m map[string]any) { delete(first(m), "trace_ref") }), "/traces/0: no trace_ref"},
		{"blank ref", caseFile(func(m map[string]any) { first(m)["trace_ref"] = " " }), "/traces/0/trace_ref: is empty"},
		{"no tool", caseFile(func(m map[string]any) { delete(first(m), "tool_name") }), "/traces/0: no tool_name"},
		{"status", caseFile(func(m map[string]any) { first(m)["status"] = "fine" }), `/traces/0: trace trace-1: unknown status "fine"`},
		{"ids", caseFile(func(m map[string]any) { first(m)["invocation_ids"] = "101" }), "invocation_ids"},
		{"kind", caseFile(func(m map[string]any) { first(m)["evidence_kind"] = "gossip" }), `unknown evidence_kind "gossip"`},
		{"base64", caseFile(func(m map[string]any) { first(m)["output_base64"] = "%%" }), "output_base64"},
		{"key twice", []byte(`{"id":"a","id":"b"}`), "/id: stands in the object twice"},
		{"retry", caseFile(func(m map[string]any) { m["retry_context"] = 7 }), "/retry_context"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Import(c.data, options(FormatCase))
			var where *ImportError
			require.ErrorAs(t, err, &where)
			require.ErrorContains(t, err, c.message)
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), "Go struct")
		})
	}
	_, err := ParseFormat("yaml")
	require.ErrorContains(t, err, `unknown format "yaml"`)
}

func snapshot(change func(m map[string]any)) []byte {
	item := map[string]any{
		"trace_ref": "trace-1", "tool_name": "query_logs", "arguments": map[string]any{"contains": "pool"}, "invocation_ids": []int{101},
		"status": "ok", "evidence_kind": "observation", "output_bytes": 9000, "extract": "15:40:02 WARN …（略 8000 字节）… 50 of 50 connections in use",
		"evidence_blocks": []any{map[string]any{"block_id": "kb-1"}},
	}
	m := map[string]any{
		"original_query": "支付为什么超时？", "executor_final_answer": message("trace-1"), "tool_trace_summary": []any{item},
		"retry_context": nil, "executor_structured_output": nil, "executor_output_parse_status": "ok",
	}
	if change != nil {
		change(m)
	}
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return data
}

func TestSnapshotComesInWithoutRawOutputs(t *testing.T) {
	rec, err := Import(snapshot(nil), options(FormatSnapshot))
	require.NoError(t, err)
	s := rec.State()
	tr := s.Traces(0)[0]
	require.True(t, tr.Unavailable)
	require.Equal(t, "kb-1", tr.Blocks[0].BlockID)
	require.NotEmpty(t, s.Current().Payload)
	require.Empty(t, s.Evaluation.Decision)

	invented := strings.Replace(message("trace-1"), "50 of 50 connections in use", "the disk of the database is full", 1)
	rec, err = Import(snapshot(func(m map[string]any) { m["executor_final_answer"] = invented }), options(FormatSnapshot))
	require.NoError(t, err)
	s = rec.State()
	require.Equal(t, gate.Unverifiable, s.Current().Gate.Claims[0].Verdict, "it may stand in what was cut")

	rec, err = Import(snapshot(func(m map[string]any) {
		item := m["tool_trace_summary"].([]any)[0].(map[string]any)
		item["extract"], item["output_bytes"] = output, len(output)
	}), options(FormatSnapshot))
	require.NoError(t, err)
	require.False(t, traces(rec)[0].Unavailable, "the extract is the whole output")
}

func TestSnapshotWithItsEvaluation(t *testing.T) {
	with := func(evaluation any) state.Session {
		rec, err := Import(snapshot(func(m map[string]any) { m["verifier_evaluation"] = evaluation }), options(FormatSnapshot))
		require.NoError(t, err)
		return rec.State()
	}
	s := with(map[string]any{
		"decision": "LOW_CONFID", "answer": "低置信度", "tokens": 9, "claim_checks": []any{map[string]any{"claim_id": "claim-1", "verdict": "unsupported", "reason": "无"}},
	})
	require.Equal(t, verdict.LowConfid, s.Evaluation.Decision)
	require.Equal(t, verdict.Unsupported, s.Evaluation.ClaimChecks[0].Verdict)
	require.Equal(t, "低置信度", s.Current().Answer.Markdown)
	require.Equal(t, 9, s.Evaluation.Tokens)
	require.Equal(t, verdict.Unsupported, s.Current().Routing.Claims[0].Verdict)

	s = with(map[string]any{"decision": "PASS", "causes": "none"})
	require.Equal(t, verdict.Pass, s.Evaluation.Decision)
	require.Equal(t, verdict.NotChecked, s.Evaluation.ClaimChecks[0].Verdict)

	s = with("no JSON at all")
	require.NotEmpty(t, s.Current().Verified.Err)
	require.Equal(t, verdict.LowConfid, s.Evaluation.Decision)
	require.Equal(t, verdict.VerifierError, s.Evaluation.Causes[0].Cause)
}

func TestSnapshotsOfOtherShapes(t *testing.T) {
	rec, err := Import(snapshot(func(m map[string]any) {
		m["tool_trace_summary"] = "trace-1 query_logs: 50 of 50 connections in use\ntrace-2 query_metrics: empty\ntrace-1 again"
		m["executor_final_answer"] = nil
		m["executor_structured_output"] = json.RawMessage(message("trace-1"))
	}), options(FormatSnapshot))
	require.NoError(t, err)
	all := traces(rec)
	require.Len(t, all, 2)
	s := rec.State()
	require.NotEqual(t, gate.Unsupported, s.Current().Gate.Claims[0].Verdict)

	for want, change := range map[string]func(m map[string]any){
		"no tool_trace_summary":         func(m map[string]any) { delete(m, "tool_trace_summary") },
		"neither executor_final_answer": func(m map[string]any) { delete(m, "executor_final_answer") },
		"/tool_trace_summary/0: no trace_ref": func(m map[string]any) {
			delete(m["tool_trace_summary"].([]any)[0].(map[string]any), "trace_ref")
		},
		"/tool_trace_summary/0/output_bytes": func(m map[string]any) {
			m["tool_trace_summary"].([]any)[0].(map[string]any)["output_bytes"] = "many"
		},
		"/tool_trace_summary: is a number": func(m map[string]any) { m["tool_trace_summary"] = 3 },
	} {
		_, err := Import(snapshot(change), options(FormatSnapshot))
		require.ErrorContains(t, err, want)
	}
}

func TestRawOutputsAreAttached(t *testing.T) {
	o := options(FormatSnapshot)
	for _, name := range []string{"trace-1", "trace-1.txt", "trace-1.log"} {
		o.Traces = fstest.MapFS{name: {Data: []byte(output + "password=abc\n")}, "README": {}, "sub/x": {}}
		rec, err := Import(snapshot(nil), o)
		require.NoError(t, err)
		tr := traces(rec)[0]
		require.False(t, tr.Unavailable)
		require.Equal(t, output+"password=‹masked:password›\n", string(tr.Output))
		s := rec.State()
		require.Equal(t, gate.Supported, s.Current().Gate.Claims[0].Verdict)
	}
	for want, folder := range map[string]fs.FS{
		"both for trace-1":     fstest.MapFS{"trace-1": {}, "trace-1.txt": {}},
		"such as trace-1.txt":  fstest.MapFS{"other.txt": {}},
		"folder of raw output": os.DirFS("testdata/none"),
	} {
		o.Traces = folder
		_, err := Import(snapshot(nil), o)
		require.ErrorContains(t, err, want)
	}
}

func TestFormatIsDetected(t *testing.T) {
	f, ok := DetectFormat(caseFile(nil))
	require.True(t, ok)
	require.Equal(t, FormatCase, f)
	f, ok = DetectFormat(snapshot(nil))
	require.True(t, ok)
	require.Equal(t, FormatSnapshot, f)
	for _, data := range []string{"", "[]", `{"messages":[]}`} {
		_, ok = DetectFormat([]byte(data))
		require.False(t, ok)
	}
}

func FuzzImport(f *testing.F) {
	f.Add(caseFile(nil), true)
	f.Add(snapshot(nil), false)
	f.Add(snapshot(func(m map[string]any) { m["verifier_evaluation"] = map[string]any{"decision": "PASS"} }), false)
	f.Add([]byte(`{"case_version":"claimscope_case_v1","traces":[{"trace_ref":"a","tool_name":"t"}],"original_query":"","executor_final_answer":""}`), true)
	f.Fuzz(func(t *testing.T, data []byte, isCase bool) {
		o := options(FormatSnapshot)
		if isCase {
			o.Format = FormatCase
		}
		rec, err := Import(data, o)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for i, e := range rec.Events {
			line, err := event.Encode(e, nil)
			require.NoError(t, err)
			_, err = event.Decode(line, nil)
			require.NoError(t, err, "event %d: %s", i+1, line)
		}
		s := rec.State()
		require.Equal(t, state.Finished, s.Status)
		require.LessOrEqual(t, len(s.Traces(0)), len(data))
	})
}
