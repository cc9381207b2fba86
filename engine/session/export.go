package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"claimscope/engine/event"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// ExportFormat is a kind of file that a session goes out as.
type ExportFormat string

// The export formats.
const (
	ExportJSON     ExportFormat = "json" // the whole session as one JSON object
	ExportCase     ExportFormat = "case" // a case file of the last attempt (spec I4)
	ExportMarkdown ExportFormat = "md"   // a report for the incident ticket
	ExportHTML     ExportFormat = "html" // the same, one file without outer resources
)

// ExportFormats lists the export formats.
func ExportFormats() []ExportFormat {
	return []ExportFormat{ExportJSON, ExportCase, ExportMarkdown, ExportHTML}
}

// ParseExportFormat reads the name of an export format.
func ParseExportFormat(name string) (ExportFormat, error) {
	if f := ExportFormat(name); slices.Contains(ExportFormats(), f) {
		return f, nil
	}
	return "", fmt.Errorf("unknown export format %q: want one of %v", name, ExportFormats())
}

// Lang is the language of a report.
type Lang string

// The languages.
const (
	ZH Lang = "zh"
	EN Lang = "en"
)

// Export writes the session in a format. Reports are in lang; the other formats have none.
func (r *Recording) Export(w io.Writer, f ExportFormat, lang Lang) error {
	switch f {
	case ExportJSON:
		return r.exportJSON(w)
	case ExportCase:
		return r.exportCase(w)
	case ExportMarkdown:
		return writeMarkdown(w, r.report(lang))
	case ExportHTML:
		return writeHTML(w, r.report(lang), lang)
	}
	return fmt.Errorf("unknown export format %q", f)
}

// exportJSON writes {"header":…,"events":[…]}, the events as in the session file with
// their large values in place.
func (r *Recording) exportJSON(w io.Writer) error {
	head, err := event.EncodeHeader(r.Header)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "{\"header\":%s,\"events\":[", bytes.TrimSpace(head)); err != nil {
		return err
	}
	for i, e := range r.Events {
		line, err := event.Encode(e, nil)
		if err != nil {
			return err
		}
		sep := ",\n"
		if i == 0 {
			sep = "\n"
		}
		if _, err := fmt.Fprintf(w, "%s%s", sep, bytes.TrimSpace(line)); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "\n]}\n")
	return err
}

// caseOut is a case file (spec I4).
type caseOut struct {
	Version string                `json:"case_version"`
	ID      string                `json:"id"`
	Query   string                `json:"original_query"`
	Traces  []trace.Trace         `json:"traces"`
	Answer  string                `json:"executor_final_answer"`
	Retry   *verdict.RetryContext `json:"retry_context,omitempty"`
}

// exportCase writes the last attempt that has an output, with every trace that it may cite.
func (r *Recording) exportCase(w io.Writer) error {
	s := r.State()
	for i := len(s.Attempts) - 1; i >= 0; i-- {
		a := &s.Attempts[i]
		if !a.HasOutput {
			continue
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(caseOut{
			Version: CaseVersion, ID: r.Header.ID, Query: r.Header.Query, Traces: list(s.Traces(a.Number)), Answer: a.Message, Retry: a.Retry,
		})
	}
	return fmt.Errorf("session %s: the Executor gave no output, there is no case to export", r.Header.ID)
}
