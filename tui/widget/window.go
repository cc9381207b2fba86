package widget

// from returns where a cursor at row at of total rows goes, in a window of h
// rows. Moves to the side leave it.
func (m Move) from(at, h, total int) int {
	switch m {
	case MoveUp:
		at--
	case MoveDown:
		at++
	case MovePageUp:
		at -= max(h-1, 1)
	case MovePageDown:
		at += max(h-1, 1)
	case MoveHalfUp:
		at -= max(h/2, 1)
	case MoveHalfDown:
		at += max(h/2, 1)
	case MoveHome:
		at = 0
	case MoveEnd:
		at = total - 1
	case MoveLeft, MoveRight:
	}
	return min(max(at, 0), max(total-1, 0))
}

// Window is the part of a number of rows that is on screen. The zero value shows
// nothing.
type Window struct{ top, h, total int }

// SetHeight sets the number of rows on screen, at least one.
func (w *Window) SetHeight(h int) {
	w.h = max(h, 1)
	w.clamp()
}

// SetTotal sets the number of rows there are.
func (w *Window) SetTotal(n int) {
	w.total = max(n, 0)
	w.clamp()
}

func (w *Window) clamp() { w.top = min(max(w.top, 0), max(w.total-w.h, 0)) }

// Range returns the rows on screen, [from, to).
func (w *Window) Range() (from, to int) { return w.top, min(w.top+w.h, w.total) }

// Scroll moves the window by rows, down if positive.
func (w *Window) Scroll(rows int) {
	w.top += rows
	w.clamp()
}

// Do moves the window, for panes without a cursor.
func (w *Window) Do(m Move) {
	if m == MoveEnd {
		w.top = w.total
	} else {
		w.top = m.from(w.top, w.h, w.total)
	}
	w.clamp()
}

// Reveal moves the window as little as possible so that rows [from, to) are on
// screen, or as many of the first of them as fit. Before the height is known it
// stays, or it would go too far.
func (w *Window) Reveal(from, to int) {
	if w.h == 0 {
		return
	}
	if to > w.top+w.h {
		w.top = to - w.h
	}
	if from < w.top {
		w.top = from
	}
	w.clamp()
}

// List is a cursor in a number of items of one row each.
type List struct {
	Window
	cursor int
}

// SetTotal sets the number of items and keeps the cursor among them.
func (l *List) SetTotal(n int) {
	l.Window.SetTotal(n)
	l.Select(l.cursor)
}

// SetHeight sets the number of rows on screen and keeps the cursor there.
func (l *List) SetHeight(h int) {
	l.Window.SetHeight(h)
	l.Reveal(l.cursor, l.cursor+1)
}

// Cursor returns the item under the cursor, or -1 if there is none.
func (l *List) Cursor() int {
	if l.total == 0 {
		return -1
	}
	return l.cursor
}

// Select puts the cursor on an item.
func (l *List) Select(i int) {
	l.cursor = min(max(i, 0), max(l.total-1, 0))
	l.Reveal(l.cursor, l.cursor+1)
}

// Do moves the cursor.
func (l *List) Do(m Move) { l.Select(m.from(l.cursor, l.h, l.total)) }

// Click puts the cursor on the item in a row of the screen; ok is false if there
// is none.
func (l *List) Click(y int) (item int, ok bool) {
	from, to := l.Range()
	if y < 0 || from+y >= to {
		return 0, false
	}
	l.Select(from + y)
	return l.cursor, true
}
