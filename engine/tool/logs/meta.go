package logs

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// meta is what a log line says of itself. Zero values mean that it does not say.
type meta struct {
	time    time.Time
	level   int
	service string
}

// levelRank orders level words; 0 for a word that is none.
func levelRank(word string) int {
	switch strings.ToLower(word) {
	case "trace", "debug":
		return 1
	case "info", "notice":
		return 2
	case "warn", "warning":
		return 3
	case "error", "err", "severe":
		return 4
	case "fatal", "critical", "crit", "panic", "emerg", "alert":
		return 5
	}
	return 0
}

// readMeta reads time, level and service off a line. A line without a time of its
// own (a stack trace) belongs to the line before it.
func readMeta(line []byte, before meta, zone *time.Location) meta {
	if trimmed := bytes.TrimSpace(line); len(trimmed) > 1 && trimmed[0] == '{' {
		if m, ok := jsonMeta(trimmed, zone); ok {
			return m
		}
	}
	t, ok := textTime(line, zone)
	if !ok {
		return before
	}
	return meta{time: t, level: textLevel(line)}
}

func jsonMeta(line []byte, zone *time.Location) (meta, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(line, &fields) != nil {
		return meta{}, false
	}
	text := func(keys ...string) string {
		for _, k := range keys {
			var s string
			if v, ok := fields[k]; ok {
				if json.Unmarshal(v, &s) == nil {
					return s
				}
				return string(v)
			}
		}
		return ""
	}
	m := meta{
		level:   levelRank(text("level", "severity", "lvl")),
		service: text("service", "component", "app", "logger"),
	}
	m.time, _ = parseStamp(text("time", "ts", "timestamp", "@timestamp", "t"), zone)
	return m, true
}

// stamps finds a time near the start of a plain text line.
var stamps = regexp.MustCompile(`\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?|\d{2}/[A-Z][a-z]{2}/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4}`)

// stampWindow is how far into a line its time may start, in bytes: behind a remote
// address and user in an access log.
const stampWindow = 160

func textTime(line []byte, zone *time.Location) (time.Time, bool) {
	head := line[:min(len(line), stampWindow)]
	found := stamps.Find(head)
	if found == nil {
		return time.Time{}, false
	}
	return parseStamp(string(found), zone)
}

var stampLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05Z0700",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006/01/02 15:04:05", "02/Jan/2006:15:04:05 -0700",
}

func parseStamp(s string, zone *time.Location) (time.Time, bool) {
	if s == "" {
		return time.Time{}, false
	}
	s = strings.Replace(s, ",", ".", 1)
	for _, layout := range stampLayouts {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return t, true
		}
	}
	return epoch(s)
}

// epoch reads seconds, milliseconds, microseconds or nanoseconds since 1970, told
// apart by size.
func epoch(s string) (time.Time, bool) {
	f := json.Number(s)
	v, err := f.Float64()
	if err != nil || v < 1e8 {
		return time.Time{}, false
	}
	for v >= 1e11 {
		v /= 1000
	}
	return time.UnixMicro(int64(v * 1e6)), true
}

// levels finds a level word in the head of a plain text line.
var levels = regexp.MustCompile(`(?i)\b(trace|debug|info|notice|warn|warning|error|err|severe|fatal|critical|crit|panic)\b`)

func textLevel(line []byte) int {
	return levelRank(string(levels.Find(line[:min(len(line), stampWindow)])))
}
