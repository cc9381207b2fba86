package grounding

import (
	"bytes"
	"sort"
	"strings"
)

// Shape is the structure of a tool output: JSON objects, table rows, indented
// blocks. It says which record and which field a byte lies in, so that a value can be
// tied to the entity it belongs to. It is built once; look-ups are cheap.
type Shape struct {
	text   *Text
	tree   *jsonTree
	tables []table
}

// Record is one row, object, block or line that describes one thing.
type Record struct {
	Span Span
	kind recordKind
	// table and row are set for rows; node for objects.
	table, row int
	node       int32
}

type recordKind uint8

const (
	lineRecord recordKind = iota
	rowRecord
	objectRecord
	blockRecord
)

// Slot is a place that records of one kind share: a column, a path in an object, the
// key position among sibling blocks.
type Slot struct {
	kind  recordKind
	table int
	col   int
	path  string
	depth int // indentation of sibling block keys
}

// Sample reports a place in a sample list such as [time, value].
func (s Slot) Sample() bool { return s.kind == objectRecord && strings.HasPrefix(s.path, "#") }

// NewShape analyses text.
func NewShape(text *Text) *Shape {
	s := &Shape{text: text}
	raw := text.Raw()
	if len(raw) > maxScan {
		return s
	}
	if looksJSON(raw) {
		s.tree = parseJSONTree(raw)
	}
	if s.tree == nil {
		s.tables = findTables(text)
	}
	return s
}

// looksJSON reports whether the first thing in raw is an object or array.
func looksJSON(raw []byte) bool {
	for i, c := range raw {
		if i > 4096 {
			return false
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '{':
			return true
		case '[':
			// A log line [2025-…] or [INFO] is no array.
			for _, d := range raw[i+1 : min(i+64, len(raw))] {
				switch d {
				case ' ', '\t', '\r', '\n':
					continue
				case '{', '[', '"', '\'', ']':
					return true
				}
				return false
			}
		}
		return false
	}
	return false
}

// RecordAt returns the record that holds the byte at offset.
func (s *Shape) RecordAt(offset int) Record {
	if s.tree != nil {
		if n, ok := s.tree.recordAt(offset); ok {
			return Record{Span: s.tree.nodes[n].at.span(), kind: objectRecord, node: n}
		}
	}
	if t, r, ok := s.rowAt(offset); ok {
		return Record{Span: s.tables[t].rows[r].span, kind: rowRecord, table: t, row: r}
	}
	_, line := s.text.Line(offset)
	return Record{Span: line, kind: lineRecord}
}

func (s *Shape) rowAt(offset int) (t, r int, ok bool) {
	t = sort.Search(len(s.tables), func(i int) bool { return s.tables[i].span.End >= offset })
	if t == len(s.tables) || s.tables[t].span.Start > offset {
		return 0, 0, false
	}
	rows := s.tables[t].rows
	r = sort.Search(len(rows), func(i int) bool { return rows[i].span.End >= offset })
	if r == len(rows) || rows[r].span.Start > offset {
		return 0, 0, false
	}
	return t, r, true
}

// HeadersIn lists the column names of the tables that overlap span.
func (s *Shape) HeadersIn(span Span) []string {
	var out []string
	for i := range s.tables {
		if t := &s.tables[i]; t.span.Start < span.End && span.Start < t.span.End {
			out = append(out, t.names...)
		}
	}
	return out
}

// FieldAt names the field of the value at offset: the column header, the JSON key or
// the key of a "key: value" or key=value pair; "" when there is none.
func (s *Shape) FieldAt(offset int) string {
	if s.tree != nil {
		if sc, ok := s.tree.scalarAt(offset); ok {
			return s.tree.fieldOf(sc)
		}
	}
	if t, r, ok := s.rowAt(offset); ok {
		if c, ok := s.tables[t].cellAt(r, offset); ok {
			if name := s.tables[t].headerOf(c); name != "" {
				if cell, ok := s.tables[t].cellOf(r, c); ok {
					if k := inlineKey(s.text.Raw(), offset, cell.Start); k != "" {
						return k
					}
				}
				if first, ok := s.tables[t].cellOf(r, 0); ok && c > 0 && genericFields[strings.ToLower(name)] {
					return string(s.text.Raw()[first.Start:first.End]) // a table of names and values
				}
				return name
			}
		}
	}
	_, line := s.text.Line(offset)
	return inlineKey(s.text.Raw(), offset, line.Start)
}

// inlineKey reads the key that stands before a value: key=value, key: value, "key": value.
func inlineKey(raw []byte, offset, from int) string {
	i := offset
	for i > from && (raw[i-1] == ' ' || raw[i-1] == '"' || raw[i-1] == '\'' || raw[i-1] == '\t' || raw[i-1] == '[' || raw[i-1] == '(' || raw[i-1] == '-' || raw[i-1] == '|') {
		i--
	}
	switch {
	case i <= from:
		return ""
	case raw[i-1] == '=' || raw[i-1] == ':':
		i--
	case bytes.IndexByte(raw[i:offset], '(') >= 0 && isWordByte(raw[i-1]):
		// max.poll.interval.ms (300000): the name before the parenthesis.
		k := keyBefore(raw, i, from)
		if !strings.ContainsAny(k, "._") {
			return ""
		}
		return k
	default:
		return ""
	}
	for i > from && (raw[i-1] == ' ' || raw[i-1] == '"' || raw[i-1] == '\'') {
		i--
	}
	return keyBefore(raw, i, from)
}

// keyBefore is the name that ends at i.
func keyBefore(raw []byte, i, from int) string {
	end := i
	for i > from && end-i < 80 && (isWordByte(raw[i-1]) || raw[i-1] == '.' || raw[i-1] == '-' || raw[i-1] == '/' || raw[i-1] == '%' || raw[i-1] == ')' || raw[i-1] == '(' || raw[i-1] >= 0x80) {
		i--
	}
	return string(raw[i:end])
}

// UnitAt tells the unit of a bare number at offset from its field, or from a metric
// name with a unit suffix in its row or object; nil when nothing tells.
func (s *Shape) UnitAt(offset int) []Unit {
	field := s.FieldAt(offset)
	if u := FieldUnit(field); u != nil {
		return u
	}
	if s.tree != nil && s.tree.jaeger && (field == "duration" || field == "startTime") {
		return []Unit{microsecond} // Jaeger's JSON gives span times in microseconds
	}
	if t, _, ok := s.rowAt(offset); ok && field == "Time" && s.tables[t].has("Command") && s.tables[t].has("State") {
		return []Unit{second} // MySQL's SHOW PROCESSLIST gives Time in seconds
	}
	if s.tree == nil && s.slowlogDuration(offset) {
		return []Unit{microsecond}
	}
	if field == "" && s.tree == nil {
		// A comment behind "key: value # was 10000" measures what the key measures.
		if u := FieldUnit(s.leadingKey(offset)); u != nil {
			return u
		}
	}
	rec := s.RecordAt(offset)
	switch rec.kind {
	case rowRecord:
		if f := strings.ToLower(field); f == "timestamp" || f == "time" || f == "index" {
			return nil
		}
		for _, c := range s.tables[rec.table].rows[rec.row].cells {
			if c.Start <= offset && offset < c.End {
				continue
			}
			cell := string(s.text.Raw()[c.Start:c.End])
			if u := metricUnit(cell); u != nil {
				return u
			}
			if name := strings.ToLower(s.FieldAt(c.Start)); name == "unit" || name == "units" {
				if u := lookUnit(cell); u != nil {
					return u // as pg_settings has it
				}
			}
		}
	case objectRecord:
		return s.tree.metricUnit(rec.node)
	case lineRecord, blockRecord:
	}
	return nil
}

// metricUnit reads a unit off a cell that is a metric name such as
// avg_request_latency_seconds.
func metricUnit(cell string) []Unit {
	cell = strings.TrimSpace(cell)
	if strings.ContainsAny(cell, " \t") || !strings.Contains(cell, "_") {
		return nil
	}
	if i := strings.IndexByte(cell, '{'); i > 0 {
		cell = cell[:i]
	}
	return FieldUnit(cell)
}

// leadingKey is the key that the line at offset opens with: "key: …".
func (s *Shape) leadingKey(offset int) string {
	raw := s.text.Raw()
	_, line := s.text.Line(offset)
	start := line.Start + leading(raw, line)
	i := start
	for i < line.End && i-start < 80 && (isWordByte(raw[i]) || raw[i] == '.' || raw[i] == '-') {
		i++
	}
	if i == start || i >= offset || i >= line.End || raw[i] != ':' {
		return ""
	}
	return string(raw[start:i])
}

// slowlogDuration reports the third field of a Redis SLOWLOG entry as redis-cli prints it:
// id, Unix time, duration in microseconds (https://redis.io/commands/slowlog-get).
func (s *Shape) slowlogDuration(offset int) bool {
	raw := s.text.Raw()
	_, line := s.text.Line(offset)
	start := line.Start
	for start < offset && start < line.End && raw[start] == ' ' {
		start++
	}
	if line.Start == 0 || !bytes.HasPrefix(raw[start:min(offset, line.End)], []byte("3) (integer)")) {
		return false
	}
	_, before := s.text.Line(line.Start - 1)
	return bytes.Contains(raw[before.Start:before.End], []byte("2) (integer) 1"))
}

// genericFields are column names that say nothing about what they hold.
var genericFields = map[string]bool{"value": true, "values": true, "val": true, "current": true, "setting": true}

// PathAt is the field of the value at offset with the keys that enclose it: "memory
// limits" in an indented block, the path of a JSON value; "" when there is no field.
func (s *Shape) PathAt(offset int) string {
	field := s.FieldAt(offset)
	if s.tree != nil {
		if sc, ok := s.tree.scalarAt(offset); ok {
			return strings.ReplaceAll(s.tree.pathOf(sc, -1), "\x00", " ") + " " + field
		}
		return field
	}
	if field == "" {
		return ""
	}
	if _, _, ok := s.rowAt(offset); ok {
		return field
	}
	raw := s.text.Raw()
	_, line := s.text.Line(offset)
	depth := leading(raw, line)
	for i := 0; i < maxBlockLines && depth > 0 && line.Start > 0; i++ {
		_, line = s.text.Line(line.Start - 1)
		if d := leading(raw, line); d < depth && line.End > line.Start+d {
			depth = d
			field += " " + s.leadingKey(line.End)
		}
	}
	return field
}
