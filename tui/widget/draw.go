package widget

import (
	"strconv"

	"claimscope/tui/text"
)

// Lines draws the view: h lines of exactly w cells each. The slice is valid
// until the view changes and must not be written to.
func (v *TextView) Lines() []string {
	if v.drawn != nil {
		return v.drawn
	}
	rows := v.visibleRows()
	lines := make([]string, 0, v.h)
	from, to := v.thumbRows(rows)
	number := -1
	for i := range v.h {
		if i < len(rows) {
			if number < 0 {
				number = v.src.Line(rows[i].start)
			} else if rows[i].first {
				number++
			}
			v.drawRow(rows[i], number)
		}
		if v.bar && v.w > 1 {
			v.out.put(Paint{}, text.Spaces(v.w-1-v.out.cells))
			if i >= from && i < to {
				v.out.put(v.thumb, "▐")
			} else {
				v.out.put(v.barPaint, " ")
			}
		} else {
			v.out.put(Paint{}, text.Spaces(v.w-v.out.cells))
		}
		lines = append(lines, v.out.take())
	}
	v.drawn = lines
	return lines
}

func (v *TextView) drawRow(r row, number int) {
	if g := v.gutter(); g > 0 {
		label := ""
		if r.first {
			label = strconv.Itoa(number + 1)
			if len(label) > g-1 {
				label = label[len(label)-g+1:]
			}
		}
		v.out.put(v.number, text.Spaces(g-1-len(label)))
		v.out.put(v.number, label)
		sign, c := " ", v.marks.strongest(r.start, r.end)
		switch c {
		case ClassNone:
		case ClassCurrent:
			sign = "▌"
		default:
			sign = "▏"
		}
		paint := Paint{}
		if c != ClassNone {
			paint = v.number
		}
		v.out.put(paint, sign)
		v.out.cells += g
	}
	start, limit, f := v.frameOf(r, v.room())
	v.lay(&v.out, start, limit, f)
}

// frameOf returns what of a row is laid out in the given cells.
func (v *TextView) frameOf(r row, cells int) (start, limit int, f frame) {
	if r.wrapped {
		return r.start, r.end, frame{width: cells, wrap: true}
	}
	start, column := v.seekColumn(r.start, r.end, v.x)
	return start, r.end, frame{skip: v.x - column, width: cells, column: column}
}

// thumbRows returns the rows of the scroll bar that stand for what is on screen.
// They follow bytes, not lines, so that no index is needed.
func (v *TextView) thumbRows(rows []row) (from, to int) {
	size := v.src.Len()
	if size == 0 || len(rows) == 0 {
		return 0, v.h
	}
	end := max(rows[len(rows)-1].next, rows[len(rows)-1].end)
	scale := float64(v.h) / float64(size)
	from = min(int(float64(v.top)*scale), v.h-1)
	to = max(int(float64(end)*scale), from+1)
	if end >= size {
		to = v.h
	}
	return from, min(to, v.h)
}

// OffsetAt returns the raw offset of what is shown in a cell of the view, for a
// click. ok is false outside of the text.
func (v *TextView) OffsetAt(x, y int) (off int, ok bool) {
	rows := v.visibleRows()
	if y < 0 || y >= len(rows) || x < 0 || x >= v.w {
		return 0, false
	}
	r := rows[y]
	x -= v.gutter()
	start, limit, f := v.frameOf(r, max(x, 0))
	if off = start; f.width+f.skip > 0 {
		off = v.lay(nil, start, limit, f)
	}
	return off, off < r.end
}

// Status describes the place of a view, for a status line.
type Status struct {
	Line, Lines int  // of the first row, from 1; the number of lines so far
	Exact       bool // whether Lines is final
	Offset, Len int  // bytes
	Column      int  // first cell shown when scrolled sideways
	Percent     int  // of the text above the end of the screen
}

// Status returns the place of the view.
func (v *TextView) Status() Status {
	s := Status{Line: v.src.Line(v.top) + 1, Offset: v.top, Len: v.src.Len(), Column: v.x, Percent: 100}
	s.Lines, s.Exact = v.src.Lines()
	if rows := v.visibleRows(); s.Len > 0 {
		s.Percent = int(int64(rows[len(rows)-1].end) * 100 / int64(s.Len))
	}
	return s
}
