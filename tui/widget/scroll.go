package widget

// Move is a way to move a cursor or a view.
type Move uint8

// The moves there are.
const (
	MoveUp Move = iota
	MoveDown
	MoveLeft
	MoveRight
	MovePageUp
	MovePageDown
	MoveHalfUp
	MoveHalfDown
	MoveHome
	MoveEnd
)

// sidewaysStep is how far MoveLeft and MoveRight scroll, in cells.
const sidewaysStep = 8

// Do moves the view.
func (v *TextView) Do(m Move) {
	switch m {
	case MoveUp:
		v.Scroll(-1)
	case MoveDown:
		v.Scroll(1)
	case MoveLeft:
		v.ScrollSideways(-sidewaysStep)
	case MoveRight:
		v.ScrollSideways(sidewaysStep)
	case MovePageUp:
		v.Scroll(-max(v.h-1, 1))
	case MovePageDown:
		v.Scroll(max(v.h-1, 1))
	case MoveHalfUp:
		v.Scroll(-max(v.h/2, 1))
	case MoveHalfDown:
		v.Scroll(max(v.h/2, 1))
	case MoveHome:
		v.follow = false
		v.setTop(0)
		v.x, v.drawn = 0, nil
	case MoveEnd:
		v.end()
		v.x, v.drawn = 0, nil
	}
}

// Scroll moves the view by rows, down if positive.
func (v *TextView) Scroll(rows int) {
	if rows < 0 {
		v.follow = false
		v.setTop(v.up(v.top, -rows))
		return
	}
	v.setTop(v.down(v.top, rows))
	v.settle()
}

func (v *TextView) setTop(off int) {
	if off != v.top {
		v.top = off
		v.moved()
	}
}

// end shows the last rows.
func (v *TextView) end() { v.setTop(v.up(v.lastRow(), v.h-1)) }

// ScrollSideways moves the view by cells, right if positive, as far as a row on
// screen has text there. A wrapped view does not move.
func (v *TextView) ScrollSideways(cells int) {
	v.x = max(v.x+cells, 0)
	if v.wrap {
		v.x = 0
	}
	v.drawn = nil
	if cells <= 0 {
		return
	}
	widest := 0
	for _, r := range v.visibleRows() {
		if r.wrapped {
			continue
		}
		at, column := v.seekColumn(r.start, r.end, v.x)
		_, _, stop := v.segmentOf(r.start, r.end, at)
		widest = max(widest, column+v.cells(at, stop, column))
	}
	if widest <= v.x {
		v.x = max(widest-1, 0)
	}
}

// GotoLine shows a line, counted from 1, in the middle.
func (v *TextView) GotoLine(line int) (ok bool) {
	off, ok := v.src.Offset(line - 1)
	v.Show(off, off)
	return ok
}

// Show brings the raw bytes [start, end) on screen: nothing moves if they are,
// else the row of start comes to the middle. The place is kept when the size
// changes, until it is scrolled away.
func (v *TextView) Show(start, end int) {
	start = min(max(start, 0), v.src.Len())
	size := max(end-start, 0)
	v.focus, v.fspan = start, size
	v.drawn = nil
	if !v.visible(start) || !v.visible(max(start, min(end, start+segment)-1)) {
		v.centre(start, size)
	}
}

// centre puts the row of off in the middle, or higher for a span of many rows.
func (v *TextView) centre(off, size int) {
	v.follow = false
	r := v.rowContaining(off)
	above := v.h / 2
	if size > 0 {
		last := v.rowContaining(min(off+size, off+segment) - 1).start
		rows := 1
		for at := r.start; at < last && rows < v.h; rows++ {
			at = v.rowAt(at).next
		}
		above = max((v.h-rows)/2, 0)
	}
	v.setTop(v.up(r.start, above))
	v.settle()
	if from, to := v.src.LineStart(off), v.src.LineEnd(off); !v.wraps(from, to) {
		column, room := v.column(from, to, off), v.room()
		if column < v.x || column+min(size, room/2) >= v.x+room {
			v.drawn = nil
			v.x = max(column-room/3, 0)
			if column < room-room/3 {
				v.x = 0
			}
		}
	}
}

// VisibleRange returns the raw bytes on screen, [from, to); with lines scrolled
// sideways, the whole of them. At the end of the text, to is one past it.
func (v *TextView) VisibleRange() (from, to int) {
	rows := v.visibleRows()
	if to = rows[len(rows)-1].next; to >= v.src.Len() {
		to = v.src.Len() + 1
	}
	return v.top, to
}

// Visible reports whether any of the raw bytes [start, end) is on a row on
// screen.
func (v *TextView) Visible(start, end int) bool {
	from, to := v.VisibleRange()
	return start < to && max(end, start+1) > from
}

// visible reports whether the byte at off is on screen, sideways too.
func (v *TextView) visible(off int) bool {
	if !v.Visible(off, off) {
		return false
	}
	from, to := v.src.LineStart(off), v.src.LineEnd(off)
	if v.wraps(from, to) {
		return true
	}
	column := v.column(from, to, off)
	return column >= v.x && column < v.x+v.room()
}
