package widget

import "claimscope/tui/text"

// row is one row of the view: raw bytes [start, end), and where the next starts.
// Rows end where text ends, so next <= start only in an empty text.
type row struct {
	start, end, next int
	first            bool // the row starts a line
	wrapped          bool // the line is wrapped; else it is scrolled sideways
}

// wraps reports whether the line [from, to) is wrapped.
func (v *TextView) wraps(from, to int) bool { return v.wrap || to-from > maxSideways }

// anchor returns where the k-th segment of the line [from, to) starts.
func (v *TextView) anchor(from, to, k int) int {
	at := from + k*segment
	if k == 0 || at >= to {
		return min(at, to)
	}
	return at + text.Boundary(v.src.text(at, min(at+128, to)), 0)
}

// segmentOf returns the segment of the line [from, to) that holds off.
func (v *TextView) segmentOf(from, to, off int) (k, start, end int) {
	k = (off - from) / segment
	if start = v.anchor(from, to, k); start > off {
		k--
		start, end = v.anchor(from, to, k), start
		return k, start, end
	}
	return k, start, v.anchor(from, to, k+1)
}

// rowAt returns the row that starts at off.
func (v *TextView) rowAt(off int) row {
	from := v.src.LineStart(off)
	to := v.src.LineEnd(off)
	r := row{start: off, end: to, first: off == from, wrapped: v.wraps(from, to)}
	if r.wrapped {
		_, _, limit := v.segmentOf(from, to, off)
		if off < limit {
			r.end = v.lay(nil, off, limit, frame{width: v.room(), wrap: true})
		}
	}
	r.next = r.end
	if r.end == to {
		r.next = min(to+1, v.src.Len())
	}
	return r
}

// rowStarts returns the starts of the rows from the beginning of the segment
// that holds off to the row that holds off.
func (v *TextView) rowStarts(off int) []int {
	off = min(max(off, 0), max(v.src.Len()-1, 0))
	from := v.src.LineStart(off)
	to := v.src.LineEnd(off)
	if !v.wraps(from, to) {
		return []int{from}
	}
	_, at, limit := v.segmentOf(from, to, off)
	starts := []int{at}
	for at < limit {
		at = v.lay(nil, at, limit, frame{width: v.room(), wrap: true})
		if at > off || at >= limit {
			break
		}
		starts = append(starts, at)
	}
	return starts
}

// rowContaining returns the row that shows the byte at off.
func (v *TextView) rowContaining(off int) row {
	starts := v.rowStarts(off)
	return v.rowAt(starts[len(starts)-1])
}

// up returns the start of the row n rows above the one at off, or the first.
func (v *TextView) up(off, n int) int {
	for n > 0 && off > 0 {
		starts := v.rowStarts(off - 1)
		if len(starts) >= n {
			return starts[len(starts)-n]
		}
		n -= len(starts)
		off = starts[0]
	}
	return off
}

// down returns the start of the row n rows below the one at off, or the last.
func (v *TextView) down(off, n int) int {
	for ; n > 0; n-- {
		r := v.rowAt(off)
		if r.next <= off || r.next >= v.src.Len() {
			return off
		}
		off = r.next
	}
	return off
}

// lastRow returns the start of the last row of the text.
func (v *TextView) lastRow() int { return v.rowContaining(v.src.Len() - 1).start }

// visibleRows returns the rows on screen, at most h.
func (v *TextView) visibleRows() []row {
	if v.rows != nil {
		return v.rows
	}
	v.fitNumbers()
	rows := make([]row, 0, v.h)
	for off := v.top; len(rows) < v.h; {
		r := v.rowAt(off)
		rows = append(rows, r)
		if r.next <= off || r.next >= v.src.Len() {
			break
		}
		off = r.next
	}
	v.rows = rows
	return rows
}

// settle moves the top up so that no rows are blank while there is text above.
func (v *TextView) settle() {
	rows := v.visibleRows()
	if missing := v.h - len(rows); missing > 0 && v.top > 0 {
		v.setTop(v.up(v.top, missing))
	}
}

// column returns the cells before off in the line [from, to), which is not
// wrapped.
func (v *TextView) column(from, to, off int) int {
	k, start, _ := v.segmentOf(from, to, off)
	cells := v.segmentColumn(from, to, k)
	return cells + v.cells(start, off, cells)
}

// cells returns the width of the bytes [from, to) that start in a column.
func (v *TextView) cells(from, to, column int) int {
	s := v.src.text(from, to)
	if n := text.ASCIIRun(s); n == len(s) {
		return n
	}
	return text.Width(text.Map(s, text.Options{Tab: text.DefaultTab, Column: column}).Text)
}

// segmentColumn returns the cells before segment k of the line [from, to).
func (v *TextView) segmentColumn(from, to, k int) int {
	known := v.columns[from]
	if known == nil {
		if len(v.columns) > 256 {
			clear(v.columns)
		}
		known = []int{0}
	}
	for len(known) <= k {
		i := len(known) - 1
		a, b := v.anchor(from, to, i), v.anchor(from, to, i+1)
		known = append(known, known[i]+v.cells(a, b, known[i]))
	}
	if k > 0 {
		v.columns[from] = known
	}
	return known[k]
}

// seekColumn returns the segment of the line [from, to) that holds a column.
func (v *TextView) seekColumn(from, to, column int) (start, cells int) {
	k := 0
	for v.anchor(from, to, k+1) < to && v.segmentColumn(from, to, k+1) <= column {
		k++
	}
	return v.anchor(from, to, k), v.segmentColumn(from, to, k)
}
