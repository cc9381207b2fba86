package grounding

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// findWindows finds the places where all pieces stand in order such that none lies
// within another: from each start the pieces are taken as early as they come, then
// from the last one back as late as they come.
func findWindows(f *folded, all []piece) []window {
	cursors := make([]cursor, len(all))
	for i, p := range all {
		cursors[i] = cursor{piece: p, back: tracer{folded: f}, find: newFinder(f.text, p[0].text, f.absent)}
	}
	var found []window
	for at := 0; len(found) < maxWindows; {
		places := make([]window, 0, len(all))
		for i := range cursors {
			c := &cursors[i]
			if !c.seek(at) {
				return found
			}
			if i > 0 && c.place.from()-places[i-1].to() > maxOmission {
				break
			}
			places = append(places, c.place)
			at = c.place.to()
		}
		if len(places) < len(all) {
			at = places[0].from() + 1
			continue
		}
		for i := len(all) - 2; i >= 0; i-- {
			if later := cursors[i].last(places[i].from(), places[i+1].from()); later != nil {
				places[i] = later
			}
		}
		w := slices.Concat(places...)
		found = append(found, w)
		at = w.from() + 1
	}
	return found
}

// cursor walks over the places of one piece.
type cursor struct {
	piece
	back  tracer
	find  finder
	place window // where it stands; nil before the first
}

// seek moves to the first place at or after offset at, and reports whether there
// is one. It never moves back.
func (c *cursor) seek(at int) bool {
	if c.place != nil && c.place.from() >= at {
		return true
	}
	for {
		if at = c.find.next(at); at < 0 {
			return false
		}
		if c.place = c.match(at); c.place != nil {
			return true
		}
		at = max(at+1, wordEnd(c.back.text, at))
	}
}

// last gives the last place within [from, to), or nil.
func (c *cursor) last(from, to int) window {
	for end := to; ; {
		i := bytes.LastIndex(c.back.text[from:end], c.piece[0].text)
		if i < 0 {
			return nil
		}
		if w := c.match(from + i); w != nil && w.to() <= to {
			return w
		}
		end = from + i + len(c.piece[0].text) - 1
	}
}

// plainMarks may stand between the parts of a piece, folded. A sign or a comparison may
// not, for it says something.
const plainMarks = ` ,;:="()[]{}.`

// match gives the place of the piece that starts at offset from with its first part,
// or nil when another part does not follow or an end cuts a word.
func (c *cursor) match(from int) window {
	text := c.back.text
	w := make(window, 0, len(c.piece))
	for i, p := range c.piece {
		if i > 0 {
			after := text[from:min(from+maxMarks+len(p.text), len(text))]
			n := bytes.Index(after, p.text)
			if n < 0 || len(bytes.Trim(after[:n], plainMarks)) > 0 {
				return nil
			}
			from += n
		}
		if !c.fits(p, from) {
			return nil
		}
		w = append(w, [2]int{from, from + len(p.text)})
		from += len(p.text)
	}
	return w
}

// fits reports whether a part at offset from begins and ends where words do, or is
// cut off on purpose.
func (c *cursor) fits(p part, from int) bool {
	text, to := c.back.text, from+len(p.text)
	left, right := cutAt(around(text, from)), cutAt(around(text, to))
	if p.openLeft && trimmed(p.text, true) {
		left = cutNone
	}
	if p.openRight && trimmed(p.text, false) {
		right = cutNone
	}
	if right == cutJoin && text[to] == '.' {
		right = cutNone // the first part of a host's full name stands for it
	}
	switch max(left, right) {
	case cutNone:
		return true
	case cutJoin:
		if p.long {
			return true
		}
		s, whole := c.back.span(from, to)
		return whole && rawCut(c.back.raw, s) != cutJoin
	case cutWord, cutFact:
	}
	return false
}

// trimmed reports whether the word at one end of a text can be a part of a longer
// one: a word or a hash, but no number, whose digits would say something else.
func trimmed(text []byte, left bool) bool {
	n, letters := 0, 0
	for len(text) > 0 {
		r, w := utf8.DecodeRune(text)
		if !left {
			r, w = utf8.DecodeLastRune(text)
		}
		if !isWord(r) {
			break
		}
		n++
		if !isDigit(r) {
			letters++
		}
		if left {
			text = text[w:]
		} else {
			text = text[:len(text)-w]
		}
	}
	return letters == n || letters > 0 && n >= 4
}
