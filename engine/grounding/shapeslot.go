package grounding

import (
	"bytes"
	"strings"
)

// SlotOf tells which slot the bytes at s fill in their record, when the record is a
// row, an object of an array, or a block among sibling blocks; ok is false in plain text.
func (s *Shape) SlotOf(at Span) (Record, Slot, bool) {
	if s.tree != nil {
		return s.objectSlot(at)
	}
	if t, r, ok := s.rowAt(at.Start); ok {
		c, ok := s.tables[t].cellAt(r, at.Start)
		if !ok || c < 0 {
			return Record{}, Slot{}, false
		}
		return Record{Span: s.tables[t].rows[r].span, kind: rowRecord, table: t, row: r}, Slot{kind: rowRecord, table: t, col: c}, true
	}
	return s.blockSlot(at)
}

func (s *Shape) objectSlot(at Span) (Record, Slot, bool) {
	sc, ok := s.tree.scalarAt(at.Start)
	if !ok {
		return Record{}, Slot{}, false
	}
	rec := s.tree.recordOf(s.tree.scalars[sc].node)
	if s.tree.nodes[rec].parent < 0 && s.tree.nodes[rec].array {
		return Record{}, Slot{}, false
	}
	return Record{Span: s.tree.nodes[rec].at.span(), kind: objectRecord, node: rec}, Slot{kind: objectRecord, path: s.tree.pathOf(sc, rec)}, true
}

// InSlot returns what fills the slot in the record that holds the byte at offset.
func (s *Shape) InSlot(offset int, slot Slot) (owner Span, ok bool) {
	switch slot.kind {
	case rowRecord:
		t, r, ok := s.rowAt(offset)
		if !ok || t != slot.table {
			return Span{}, false
		}
		c, ok := s.tables[t].cellOf(r, slot.col)
		return c, ok && c.End > c.Start
	case objectRecord:
		n, ok := s.tree.nodeAt(offset)
		if !ok {
			return Span{}, false
		}
		// Climb from the innermost record to the outermost until one has the slot.
		for n = s.tree.recordOf(n); n >= 0; n = s.tree.parentRecord(n) {
			lo, hi := s.tree.scalarsIn(n)
			for i := lo; i < min(hi, lo+4096); i++ {
				if s.tree.recordOf(s.tree.scalars[i].node) == n && s.tree.hasPath(i, n, slot.path) {
					return s.tree.scalars[i].at.span(), true
				}
			}
		}
		return Span{}, false
	case blockRecord:
		return s.blockKeyAt(offset, slot.depth)
	case lineRecord:
		return s.lineKey(offset, slot.path)
	}
	return Span{}, false
}

// parentRecord is the record that encloses record n, -1 for none.
func (t *jsonTree) parentRecord(n int32) int32 {
	if p := t.nodes[n].parent; p >= 0 {
		return t.recordOf(p)
	}
	return -1
}

// ColumnName names the column or path of a slot, for matching against a noun.
func (s *Shape) ColumnName(slot Slot) string {
	switch slot.kind {
	case rowRecord:
		return s.tables[slot.table].headerOf(slot.col)
	case objectRecord:
		path := strings.TrimSuffix(slot.path, "\x00#1")
		return path[strings.LastIndexByte(path, 0)+1:]
	case lineRecord:
		return slot.path
	case blockRecord:
	}
	return ""
}

// blockSlot reads a name in key position of an indented block ("  engine:") or in a
// key=value pair of a log line.
func (s *Shape) blockSlot(at Span) (Record, Slot, bool) {
	raw := s.text.Raw()
	_, line := s.text.Line(at.Start)
	if k := inlineKey(raw, at.Start, line.Start); k != "" && at.Start > line.Start && bytes.IndexByte(raw[line.Start:at.Start], '=') >= 0 {
		return Record{Span: line, kind: lineRecord}, Slot{kind: lineRecord, path: k}, true
	}
	if key, depth, ok := blockKey(raw, line); ok && key.Start <= at.Start && at.End <= key.End {
		return Record{Span: s.blockSpan(line, depth), kind: blockRecord}, Slot{kind: blockRecord, depth: depth}, true
	}
	return Record{}, Slot{}, false
}

// lineKey finds the value of key=… in the line at offset.
func (s *Shape) lineKey(offset int, key string) (Span, bool) {
	raw := s.text.Raw()
	_, line := s.text.Line(offset)
	if line.End-line.Start > maxLineBytes*4 {
		return Span{}, false
	}
	i := bytes.Index(raw[line.Start:line.End], []byte(key+"="))
	if i < 0 {
		return Span{}, false
	}
	start := line.Start + i + len(key) + 1
	end := start
	for end < line.End && strings.IndexByte(" ,;)]}", raw[end]) < 0 {
		end++
	}
	return Span{start, end}, end > start
}

// blockKey reads a line that only opens a block: indentation, a name and a colon.
func blockKey(raw []byte, line Span) (Span, int, bool) {
	depth := leading(raw, line)
	body := bytes.TrimRight(raw[line.Start+depth:line.End], " \t")
	if depth == 0 || len(body) < 2 || body[len(body)-1] != ':' || bytes.IndexByte(body, ' ') >= 0 {
		return Span{}, 0, false
	}
	start := line.Start + depth
	return Span{start, start + len(body) - 1}, depth, true
}

const maxBlockLines = 4000

// blockSpan is the line and the deeper lines below it.
func (s *Shape) blockSpan(line Span, depth int) Span {
	raw := s.text.Raw()
	end := line.End
	for i := 0; i < maxBlockLines && end < len(raw); i++ {
		_, next := s.text.Line(min(end+breakWidth(raw, end), len(raw)))
		if next.Start >= len(raw) || len(bytes.TrimSpace(raw[next.Start:next.End])) > 0 && leading(raw, next) <= depth {
			break
		}
		if next.End <= end {
			break
		}
		end = next.End
	}
	return Span{line.Start, end}
}

func breakWidth(raw []byte, i int) int {
	if i < len(raw) && raw[i] == '\r' {
		return 2
	}
	return 1
}

// blockKeyAt finds the block of the given depth that holds offset and returns its key.
func (s *Shape) blockKeyAt(offset, depth int) (Span, bool) {
	raw := s.text.Raw()
	_, line := s.text.Line(offset)
	if leading(raw, line) < depth {
		return Span{}, false
	}
	for i := 0; i < maxBlockLines; i++ {
		if len(bytes.TrimSpace(raw[line.Start:line.End])) > 0 {
			d := leading(raw, line)
			if d < depth {
				return Span{}, false
			}
			if d == depth {
				key, _, ok := blockKey(raw, line)
				return key, ok
			}
		}
		if line.Start == 0 {
			break
		}
		_, line = s.text.Line(line.Start - 1)
	}
	return Span{}, false
}

// ItemAt is the record around offset; in indented text the list item or block that its
// line belongs to.
func (s *Shape) ItemAt(offset int) Span {
	rec := s.RecordAt(offset)
	if rec.kind != lineRecord {
		return rec.Span
	}
	raw := s.text.Raw()
	line := rec.Span
	depth := leading(raw, line)
	if depth == 0 || startsItem(raw, line) {
		return s.blockSpan(line, depth)
	}
	for i := 0; i < maxBlockLines && line.Start > 0; i++ {
		_, line = s.text.Line(line.Start - 1)
		d := leading(raw, line)
		if len(bytes.TrimSpace(raw[line.Start:line.End])) == 0 {
			return rec.Span
		}
		if d < depth {
			return s.blockSpan(line, d)
		}
	}
	return rec.Span
}

// startsItem reports a line that opens a list item: "- name: x".
func startsItem(raw []byte, line Span) bool {
	i := line.Start + leading(raw, line)
	return i+1 < line.End && raw[i] == '-' && raw[i+1] == ' '
}
