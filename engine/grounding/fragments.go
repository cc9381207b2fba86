package grounding

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxPieces bounds the pieces of a fragmented quote.
	maxPieces = 64
	// maxOmission is the most folded bytes that may be left out between two pieces:
	// beyond, they do not belong to one quote.
	maxOmission = 64 << 10
	// minPiece and minQuoted are the least widths of the longest piece and of all
	// together, where a Chinese character counts 2: shorter ones stand anywhere.
	minPiece  = 4
	minQuoted = 10
	// maxWindows bounds the places that are compared.
	maxWindows = 10000
)

// omission matches what stands in a quote for text that was left out.
var omission = regexp.MustCompile(`(?i)` +
	`[\[(（【<〈{]\s*(?:` + omitted + `|` + ellipses + `)(?:\s*(?:` + omitted + `|` + ellipses + `))*\s*[\])）】>〉}]` +
	`|` + ellipses + `(?:\s*` + omitted + `\s*` + ellipses + `)?` +
	`|中略` +
	`|(?:^|\s)(?:中间|以下|此处)?省略(?:\s|$)`)

const (
	ellipses = `(?:…|⋯|\.{3,}|。{3,})+`
	omitted  = `(?:snip(?:ped)?|omitted|truncated|skipped|(?:中间|以下|此处|部分)?省略(?:[^\])）】>〉}]{0,12})|[前中后]?略)`
)

// lineBreak matches a line break as it is or escaped.
var lineBreak = regexp.MustCompile(`\r?\n|(?:\\+r)?\\+n`)

// piece is one stretch of a quote between omissions, folded.
type piece struct {
	text []byte
	// openLeft and openRight say that an ellipsis stands right at the piece's end,
	// which thus may be cut off inside a word.
	openLeft, openRight bool
	long                bool
}

// window is one place of all pieces in order, as folded offsets.
type window struct{ at [][2]int }

func (w window) from() int { return w.at[0][0] }
func (w window) to() int   { return w.at[len(w.at)-1][1] }
func (w window) size() int { return w.to() - w.from() }

// fragments finds a quote from which text was left out: at marks such as …, or,
// with or without marks, between its lines.
func (t *Text) fragments(excerpt string) Location {
	marked := pieces(omission.FindAllStringIndex(excerpt, maxPieces), excerpt)
	if l := t.inOrder(marked); l.Total > 0 {
		return l
	}
	cuts := slices.Concat(omission.FindAllStringIndex(excerpt, maxPieces), lineBreak.FindAllStringIndex(excerpt, maxPieces))
	slices.SortFunc(cuts, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	lines := pieces(cuts, excerpt)
	if len(lines) <= max(len(marked), 1) {
		return Location{Tier: Absent}
	}
	return t.inOrder(lines)
}

// pieces cuts a quote. Pieces without a letter or digit say nothing and are left
// out. The result is nil when there is no cut or the pieces are too many or short.
func pieces(cuts [][]int, excerpt string) []piece {
	if len(cuts) == 0 || len(cuts) >= maxPieces {
		return nil
	}
	var all []piece
	longest, total := 0, 0
	at, open := 0, false
	for i := 0; i <= len(cuts); i++ {
		cut := []int{len(excerpt), len(excerpt)}
		if i < len(cuts) {
			cut = cuts[i]
		}
		if cut[0] < at { // a line break within an omission
			continue
		}
		raw := excerpt[at:cut[0]]
		p := piece{openLeft: open && glued(raw, true), openRight: i < len(cuts) && glued(raw, false)}
		p.text = []byte(Fold(raw))
		if open {
			p.text = bytes.TrimLeft(p.text, " ,;:.")
		}
		if i < len(cuts) {
			p.text = bytes.TrimRight(p.text, " ,;:.")
		}
		p.long = utf8.RuneCount(p.text) >= longQuote
		if width, says := weigh(p.text); says {
			all = append(all, p)
			longest, total = max(longest, width), total+width
		}
		at, open = cut[1], true
	}
	if longest < minPiece || total < minQuoted {
		return nil
	}
	return all
}

// glued reports whether a piece goes right up to the mark on its side.
func glued(raw string, left bool) bool {
	if left {
		return strings.TrimLeft(raw, " \t\r\n") == raw
	}
	return strings.TrimRight(raw, " \t\r\n") == raw
}

// weigh gives the width of a folded text, where a Chinese character counts 2, and
// whether it has a letter or digit at all.
func weigh(text []byte) (width int, says bool) {
	for _, r := range string(text) {
		width++
		if isCJK(r) {
			width++
		}
		says = says || isWord(r) || isCJK(r) && special(r) == 0
	}
	return width, says
}

// inOrder finds the tightest places where all pieces stand in order.
func (t *Text) inOrder(all []piece) Location {
	if len(all) == 0 {
		return Location{Tier: Absent}
	}
	f := t.folded()
	windows := findWindows(f, all)
	if len(windows) == 0 {
		return Location{Tier: Absent}
	}
	slices.SortStableFunc(windows, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.size(), b.size()), cmp.Compare(a.from(), b.from()))
	})
	l := Location{Tier: Absent}
	back := tracer{folded: f}
	var first []byte
	for _, w := range windows {
		text := f.text[w.from():w.to()]
		if first != nil && len(text) > 2*len(first) {
			break
		}
		if len(l.Occurrences) < MaxOccurrences {
			o, ok := back.occurrence(w, all)
			if !ok {
				continue
			}
			l.Occurrences = append(l.Occurrences, o)
		}
		if first == nil {
			first = text
		}
		l.Total++
		l.Ambiguous = l.Ambiguous || !bytes.Equal(first, text)
	}
	if l.Total > 0 {
		l.Tier, l.Score = Fragments, 1
	}
	return l
}

// occurrence maps a window to raw spans and checks each.
func (t *tracer) occurrence(w window, all []piece) (Occurrence, bool) {
	o := Occurrence{Spans: make([]Span, 0, len(all))}
	for i, p := range all {
		s, ok := t.place(w.at[i][0], w.at[i][1], p.text)
		if !ok {
			return o, false
		}
		o.Spans = append(o.Spans, s)
	}
	return o, true
}

// findWindows finds the places where all pieces stand in order such that none lies
// within another: from each start the pieces are taken as early as they come, then
// from the last one back as late as they come.
func findWindows(f *folded, all []piece) []window {
	cursors := make([]cursor, len(all))
	for i, p := range all {
		cursors[i] = cursor{piece: p, back: tracer{folded: f}, from: -1}
	}
	var found []window
	for at := 0; len(found) < maxWindows; {
		w := window{at: make([][2]int, len(all))}
		reached := 0
		for i := range cursors {
			c := &cursors[i]
			if !c.seek(at) {
				return found
			}
			if i > 0 && c.from-w.at[i-1][1] > maxOmission {
				break
			}
			w.at[i] = [2]int{c.from, c.to()}
			at = c.to()
			reached++
		}
		if reached < len(all) {
			at = cursors[0].from + 1
			continue
		}
		for i := len(all) - 2; i >= 0; i-- {
			if from, ok := cursors[i].last(w.at[i][0], w.at[i+1][0]); ok {
				w.at[i] = [2]int{from, from + len(all[i].text)}
			}
		}
		found = append(found, w)
		at = w.from() + 1
	}
	return found
}

// cursor walks over the places of one piece.
type cursor struct {
	piece
	back tracer
	from int // the place it stands at; -1 before the first
}

func (c *cursor) to() int { return c.from + len(c.text) }

// seek moves to the first place at or after offset at, and reports whether there
// is one. It never moves back.
func (c *cursor) seek(at int) bool {
	if c.from >= at {
		return true
	}
	for {
		i := bytes.Index(c.back.text[at:], c.text)
		if i < 0 {
			return false
		}
		c.from = at + i
		if c.fits(c.from) {
			return true
		}
		at = max(c.from+1, wordEnd(c.back.text, c.from))
	}
}

// last gives the last place within [from, to), which holds one.
func (c *cursor) last(from, to int) (int, bool) {
	for {
		i := bytes.LastIndex(c.back.text[from:to], c.text)
		if i < 0 {
			return 0, false
		}
		if c.fits(from + i) {
			return from + i, true
		}
		to = from + i + len(c.text) - 1
	}
}

// fits reports whether the piece at offset from begins and ends where words do, or
// is cut off on purpose.
func (c *cursor) fits(from int) bool {
	text, to := c.back.text, from+len(c.text)
	left, right := cutAt(around(text, from)), cutAt(around(text, to))
	if c.openLeft && trimmed(c.text, true) {
		left = cutNone
	}
	if c.openRight && trimmed(c.text, false) {
		right = cutNone
	}
	switch max(left, right) {
	case cutNone:
		return true
	case cutJoin:
		if c.long {
			return true
		}
		s, whole := c.back.span(from, to)
		return whole && rawCut(c.back.raw, s) != cutJoin
	case cutWord, cutFact:
	}
	return false
}

// trimmed reports whether the word at one end of a piece can be a part of a longer
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
