package widget

import "claimscope/tui/text"

// frame says which cells of a text are laid out.
type frame struct {
	skip   int  // cells at the start that are not shown
	width  int  // cells shown
	column int  // column in which the text starts, for tabs
	wrap   bool // what does not fit goes to the next row; else it is cut
}

// lay lays out the raw bytes from start to at most limit, all of one line, and
// returns where the first byte that did not fit is. With out it draws them,
// without padding.
//
// Measuring and drawing are one code so that they cannot differ.
func (v *TextView) lay(out *line, start, limit int, f frame) (end int) {
	// Most rows hold up to three bytes for two cells; the rest is tried again.
	need := 2*(f.skip+f.width) + 64
	for {
		stop := limit
		if start+need < limit {
			stop = start + need + text.Boundary(v.src.text(start+need, min(start+need+128, limit)), 0)
		}
		p := pass{v: v, out: out, start: start, f: f}
		if out == nil && !v.brackets {
			if n := text.ASCIIRun(v.src.text(start, min(stop, start+f.skip+f.width+1))); n > f.skip+f.width || n == limit-start {
				return start + min(n, f.skip+f.width)
			}
		}
		var before line
		if out != nil {
			before = *out
		}
		end, full := p.run(v.src.text(start, stop))
		if full || stop == limit {
			return end
		}
		if out != nil {
			before.buf = out.buf[:len(before.buf)] // the memory may have moved
			*out = before
		}
		need *= 4
	}
}

// pass is one attempt to lay out a piece of a line.
type pass struct {
	v     *TextView
	out   *line
	start int
	f     frame
	z     text.Sanitised
	cls   []Class // of each shown byte; nil if all are ClassNone
	cells int     // laid out so far, skipped ones included
}

// run lays out s and reports whether the frame is full.
func (p *pass) run(s string) (end int, full bool) {
	p.z = text.Map(s, text.Options{Tab: text.DefaultTab, Column: p.f.column})
	if p.out != nil || p.v.brackets {
		p.classify(len(s))
	}
	at := 0
	for at < len(p.z.Text) {
		replaced, stop := p.z.Replaced(at)
		var next int
		if replaced {
			next = p.unit(at, stop)
		} else {
			next = p.copied(at, stop)
		}
		if next < stop {
			return p.start + p.z.ToSource(next), true
		}
		at = next
	}
	p.bracket(at)
	return p.start + len(s), p.cells >= p.f.skip+p.f.width
}

// classify fills cls from the marks and search hits that reach into the piece of
// n raw bytes.
func (p *pass) classify(n int) {
	from, to := p.start, p.start+n
	p.cls = nil
	fill := func(c Class, start, end int) {
		if p.cls == nil {
			p.cls = p.v.scratch(len(p.z.Text))
		}
		a, b := p.z.Span(max(start-from, 0), min(end, to)-from)
		for i := a; i < b; i++ {
			p.cls[i] = max(p.cls[i], c)
		}
	}
	for c := range p.v.marks {
		for _, s := range p.v.marks[c].in(from, to) {
			fill(Class(c), s.start, s.end)
		}
	}
	if p.v.search != nil && p.out != nil {
		size := len(p.v.search.query)
		p.v.search.each(from, to, func(off int) {
			if off == p.v.hit {
				fill(ClassSearchCurrent, off, off+size)
			} else {
				fill(ClassSearch, off, off+size)
			}
		})
	}
}

// scratch returns n classes, all none.
func (v *TextView) scratch(n int) []Class {
	if cap(v.cls) < n {
		v.cls = make([]Class, n)
	}
	v.cls = v.cls[:n]
	clear(v.cls)
	return v.cls
}

// class returns the class of the shown bytes [from, to).
func (p *pass) class(from, to int) Class {
	c := ClassNone
	if p.cls != nil {
		for _, k := range p.cls[from:to] {
			c = max(c, k)
		}
	}
	return c
}

// limit is the cell after the last one shown.
func (p *pass) limit() int { return p.f.skip + p.f.width }

// unit lays out what stands for a replaced piece of text, which is not broken
// between rows. It returns stop, or at if the unit goes to the next row.
func (p *pass) unit(at, stop int) int {
	shown := p.z.Text[at:stop]
	cells := text.Width(shown)
	c := p.class(at, stop)
	tab := shown[0] == ' '
	if p.cells >= p.limit() || p.f.wrap && at > 0 && p.cells+cells > p.limit() && !tab {
		return at
	}
	if !p.bracket(at) {
		return at
	}
	paint := p.v.classes[c]
	if c == ClassNone && !tab {
		paint = p.v.escape
	}
	for rest := shown; rest != ""; {
		cluster, w := text.FirstCluster(rest)
		p.put(paint, cluster, w)
		rest = rest[len(cluster):]
	}
	return stop
}

// copied lays out text that is shown as it is, and returns where it stopped.
func (p *pass) copied(at, stop int) int {
	for at < stop && p.cells < p.limit() {
		n, cells, c := p.piece(at, stop)
		over := p.f.wrap && at > 0 // whether what does not fit goes to the next row
		if over && p.cells+cells > p.limit() {
			return at
		}
		if !p.bracket(at) || over && p.cells+cells > p.limit() {
			return at
		}
		p.put(p.v.classes[c], p.z.Text[at:at+n], cells)
		at += n
	}
	return at
}

// piece returns the next bytes of one class: a run of ASCII that fits, or a
// cluster.
func (p *pass) piece(at, stop int) (n, cells int, c Class) {
	rest := p.z.Text[at:stop]
	most := p.limit() - p.cells
	if p.cells < p.f.skip {
		most = p.f.skip - p.cells // the skipped part apart
	}
	run := min(text.ASCIIRun(rest[:min(len(rest), most+1)]), most)
	if p.cls == nil {
		if run > 0 {
			return run, run, ClassNone
		}
	} else if run > 0 {
		c = p.cls[at]
		n = 1
		for n < run && p.cls[at+n] == c {
			n++
		}
		return n, n, c
	}
	cluster, cells := text.FirstCluster(rest)
	return len(cluster), cells, p.class(at, at+len(cluster))
}

// put draws a piece of a given width, as far as it is inside the frame.
func (p *pass) put(paint Paint, s string, cells int) {
	from, to := p.cells, p.cells+cells
	p.cells = to
	if p.out == nil || to <= p.f.skip || from >= p.limit() {
		return
	}
	from, to = max(from, p.f.skip), min(to, p.limit())
	if to-from < cells {
		s = text.Spaces(to - from) // half of a wide character
	}
	p.out.put(paint, s)
	p.out.cells += to - from
}

// bracket draws ▌ or ▐ before the shown byte at if a current highlight starts or
// ends there. It reports false if ▌ and the character after it go to the next row.
// A ▐ for which the row has no cell left is left out.
func (p *pass) bracket(at int) bool {
	if !p.v.brackets {
		return true
	}
	inside, before := p.current(at), p.current(at-1)
	switch {
	case inside == before:
	case before && at > 0 && p.cells < p.limit():
		p.put(p.v.classes[ClassCurrent], "▐", 1)
	case inside && p.f.wrap && at > 0 && p.cells >= p.limit()-1:
		return false
	case inside && p.cells < p.limit():
		p.put(p.v.classes[ClassCurrent], "▌", 1)
	}
	return true
}

// current reports whether the shown byte at, which may be one outside of the
// piece, is in a highlight of ClassCurrent.
func (p *pass) current(at int) bool {
	if at >= 0 && at < len(p.z.Text) {
		return p.cls != nil && p.cls[at] == ClassCurrent
	}
	raw := p.start - 1
	if at >= 0 {
		raw = p.start + p.z.SourceLen()
	}
	return len(p.v.marks[ClassCurrent].in(raw, raw+1)) > 0
}
