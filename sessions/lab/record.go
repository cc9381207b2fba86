package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"text/template"
	"time"
)

// beijing is the zone in which the plain-text components log. The JSON components log in UTC, as such systems do.
var beijing = time.FixedZone("CST", 8*60*60)

// recording is an incident folder being written.
type recording struct {
	dir     string
	metrics *scraper
	files   []*os.File
}

// newRecording clears the logs and metrics of an earlier recording in dir; knowledge stays.
func newRecording(dir string) (*recording, error) {
	for _, sub := range []string{"logs", "metrics"} {
		if err := errors.Join(os.RemoveAll(filepath.Join(dir, sub)), os.MkdirAll(filepath.Join(dir, sub), 0o755)); err != nil {
			return nil, err
		}
	}
	return &recording{dir: dir, metrics: newScraper()}, nil
}

// create opens a new log file of the recording.
func (r *recording) create(name string) (io.Writer, error) {
	f, err := os.Create(filepath.Join(r.dir, "logs", name))
	if err != nil {
		return nil, err
	}
	r.files = append(r.files, f)
	return f, nil
}

func (r *recording) close() {
	for _, f := range r.files {
		_ = f.Close() // the lines were written one by one; finish has reported what could fail
	}
}

// incidentFile is the format of incident.yaml (spec I3).
var incidentFile = template.Must(template.New("incident.yaml").Parse(`# One incident. Written by sessions/lab: record anew instead of editing.
#   title         short name, for lists
#   query         what the person on call asked, the input of the pipeline
#   window.start  RFC 3339, first and last moment that logs/ and metrics/ cover
#   window.end
#   services      the names that query_logs takes as its service argument
title: {{.Title}}
query: {{.Query}}
window:
  start: {{.Start}}
  end: {{.End}}
services:
{{- range .Services}}
  - {{.}}
{{- end}}
`))

// finish writes the metrics and incident.yaml of a recording that ran from start to end.
func (r *recording) finish(sc scenario, start, end, began time.Time) error {
	om, err := os.Create(filepath.Join(r.dir, "metrics", "metrics.om"))
	if err != nil {
		return err
	}
	if err := errors.Join(r.metrics.writeTo(om), om.Close()); err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	var yaml strings.Builder
	err = incidentFile.Execute(&yaml, map[string]any{
		"Title":    sc.title,
		"Query":    fmt.Sprintf(sc.query, began.In(beijing).Format("15:04")),
		"Start":    start.UTC().Truncate(time.Second).Format(time.RFC3339),
		"End":      end.UTC().Add(time.Second).Truncate(time.Second).Format(time.RFC3339),
		"Services": sc.services,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, "incident.yaml"), []byte(yaml.String()), 0o644)
}

// jsonLog returns a logger of JSON Lines in UTC with millisecond times, every line marked with service and pod.
func jsonLog(w io.Writer, service, pod string) *slog.Logger {
	h := slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindTime {
			a.Value = slog.StringValue(a.Value.Time().UTC().Format("2006-01-02T15:04:05.000Z"))
		}
		return a
	}})
	return slog.New(h).With("service", service, "pod", pod)
}

// textLog writes plain lines: Beijing time, level, pod, message.
type textLog struct {
	mu  sync.Mutex
	w   io.Writer
	pod string
}

func (l *textLog) printf(level slog.Level, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := time.Now().In(beijing).Format("2006-01-02T15:04:05.000-07:00")
	fmt.Fprintf(l.w, "%s %-5s [%s] %s\n", at, level, l.pod, fmt.Sprintf(format, args...))
}

func (l *textLog) info(format string, args ...any)  { l.printf(slog.LevelInfo, format, args...) }
func (l *textLog) warn(format string, args ...any)  { l.printf(slog.LevelWarn, format, args...) }
func (l *textLog) error(format string, args ...any) { l.printf(slog.LevelError, format, args...) }

// onset notes when an outage began: the first of five failures in a row, so that a single hiccup is none.
type onset struct {
	mu    sync.Mutex
	run   int       // failures in a row
	first time.Time // of them
	began time.Time
}

// note takes the outcome of one request that was sent at the given time.
func (o *onset) note(sent time.Time, failed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !failed {
		o.run = 0
		return
	}
	if o.run++; o.run == 1 {
		o.first = sent
	}
	if o.run == 5 && o.began.IsZero() {
		o.began = o.first
	}
}

// time returns when the outage began, or an error if there was none.
func (o *onset) time() (time.Time, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.began.IsZero() {
		return time.Time{}, errors.New("nothing broke")
	}
	return o.began, nil
}
