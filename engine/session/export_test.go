package session

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/verdict"
)

func export(t *testing.T, rec *Recording, f ExportFormat, lang Lang) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, rec.Export(&b, f, lang))
	return b.String()
}

// reviewed is an imported session that failed and was reviewed.
func reviewed(t *testing.T, answer, output string) *Recording {
	t.Helper()
	rec, err := Import(caseFile(func(m map[string]any) {
		m["executor_final_answer"] = answer
		m["traces"].([]any)[0].(map[string]any)["output"] = output
	}), options(FormatCase))
	require.NoError(t, err)
	rec.Events = append(rec.Events, event.Event{Seq: len(rec.Events) + 1, Time: rec.Header.Time,
		Body: event.Reviewed{Action: event.ReviewOverride, Reason: "日志属实", By: "李雷"}})
	return rec
}

func TestReportShowsVerdictEvidenceAndReviews(t *testing.T) {
	rec := reviewed(t, message("trace-1"), output)
	zh := export(t, rec, ExportMarkdown, ZH)
	for _, want := range []string{
		"# pool-1", "| 判定 | 未判定 |", "支付连接池 50 个连接全部占用", "trace-1 query\\_logs \\#101: exact",
		"1  15:40:02 WARN pool payment: ▌50 of 50 connections in use▐", "缺少连接泄漏的日志", "李雷: 推翻判定: 日志属实", "生成过程",
	} {
		require.Contains(t, zh, want)
	}
	en := export(t, rec, ExportMarkdown, EN)
	require.Contains(t, en, "| Verdict | not decided |")
	require.Contains(t, en, "overrides the verdict")
	page := export(t, rec, ExportHTML, EN)
	require.Contains(t, page, "<mark>50 of 50 connections in use</mark>")

	rec = reviewed(t, message("trace-9"), output)
	require.Contains(t, export(t, rec, ExportMarkdown, ZH), "引用 trace-9：没有这个来源")
	require.Contains(t, export(t, rec, ExportMarkdown, EN), "B002 block")
}

func TestReportOfAWholeRun(t *testing.T) {
	s := newStore(t, t.TempDir(), nil)
	rec, err := s.Open(recorded(t, s))
	require.NoError(t, err)
	text := export(t, rec, ExportMarkdown, EN)
	for _, want := range []string{"| Verdict | PASS |", "| Claims supported | 2 / 2 |", "### ✓ claim-1", "> 结论：连接池已满。", "| Attempts | 2 |", "attempt 1 planner: done"} {
		require.Contains(t, text, want)
	}
	fork, err := s.Fork(rec.Header.ID, 2, ForkLive, nil)
	require.NoError(t, err)
	require.Contains(t, export(t, fork.recording(), ExportMarkdown, EN), "Forked from")
	require.NoError(t, fork.Close())
}

func TestReportsAreHarmless(t *testing.T) {
	evil := "<script>alert(1)</script> ![x](http://evil.example/a.png) [a](javascript:b) `c` ```\n\x1b[31m\u202egnp\u200b ]]> & \"q\" | **x**"
	answer := strings.ReplaceAll(message("trace-1"), "缺少连接泄漏的日志", jsonEscape(t, evil))
	rec := reviewed(t, answer, "```` "+evil+"\n50 of 50 connections in use "+evil)
	rec.Header.Query, rec.Header.Title = evil, evil
	rec.Events = append(rec.Events[:len(rec.Events)-2], event.Event{Seq: len(rec.Events) - 1, Attempt: 1, Stage: event.Answer,
		Body: event.Answered{Markdown: "# 结论\n\n" + evil}},
		event.Event{Seq: len(rec.Events), Body: event.Failed{Error: evil, Evaluation: &verdict.Evaluation{
			Causes: []verdict.CauseItem{{Cause: verdict.StageError, Message: evil, MessageZH: evil}}}}})
	for _, f := range []ExportFormat{ExportMarkdown, ExportHTML} {
		text := export(t, rec, f, ZH)
		require.NotContains(t, text, "\x1b")
		require.NotContains(t, text, "\u202e")
		require.NotContains(t, text, "\u200b")
		require.NotContains(t, withoutFences(text), "<script>")
		require.Contains(t, text, "⟪U+202E⟫")
	}
	outside := withoutFences(export(t, rec, ExportMarkdown, EN))
	require.NotContains(t, outside, "![x](")
	require.NotContains(t, outside, "[a](javascript")

	page := export(t, rec, ExportHTML, EN)
	require.NotRegexp(t, `(?i)<(img|a|link|iframe|script)\b`, page)
	// The page is well formed: every element of the text is closed.
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, []string{"meta"}, xml.HTMLEntity
	depth := 0
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch tok.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	require.Zero(t, depth)
}

func jsonEscape(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	require.NoError(t, err)
	return string(b[1 : len(b)-1])
}

// withoutFences drops the code blocks of a Markdown text.
func withoutFences(text string) string {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			fence = strings.TrimSuffix(trimmed, "text")
		case fence != "" && trimmed == fence:
			fence = ""
		case fence == "":
			out.WriteString(line)
		}
	}
	return out.String()
}

func TestCaseGoesOutAndComesIn(t *testing.T) {
	rec, err := Import(caseFile(nil), options(FormatCase))
	require.NoError(t, err)
	again, err := Import([]byte(export(t, rec, ExportCase, EN)), options(FormatCase))
	require.NoError(t, err)
	require.Equal(t, rec.Events, again.Events)

	empty := &Recording{Header: header()}
	require.ErrorContains(t, empty.Export(io.Discard, ExportCase, EN), "no output")
	for _, f := range []ExportFormat{ExportMarkdown, ExportHTML} {
		require.NotEmpty(t, export(t, empty, f, EN))
	}
	_, err = ParseExportFormat("pdf")
	require.ErrorContains(t, err, `unknown export format "pdf"`)
}

func TestJSONHoldsTheWholeSession(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	l, err := s.Create(header())
	require.NoError(t, err)
	large := strings.Repeat("日志", event.BlobLimit)
	play(t, l, wholeRun(large))
	require.NoError(t, l.Close())
	rec, err := s.Open(l.Header().ID)
	require.NoError(t, err)
	var all struct {
		Header event.Header      `json:"header"`
		Events []json.RawMessage `json:"events"`
	}
	require.NoError(t, json.Unmarshal([]byte(export(t, rec, ExportJSON, EN)), &all))
	require.Equal(t, rec.Header, all.Header)
	require.Len(t, all.Events, len(rec.Events))
	for i, line := range all.Events {
		e, err := event.Decode(line, nil)
		require.NoError(t, err)
		require.Equal(t, rec.Events[i], e)
	}
}
