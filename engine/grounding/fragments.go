package grounding

import (
	"bytes"
	"cmp"
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
	// maxMarks is the most folded bytes of white space and punctuation between two
	// parts of a piece.
	maxMarks = 64
	// longestFragmented bounds the quotes that are cut into pieces, in bytes.
	longestFragmented = 64 << 10
)

// omission matches what stands in a quote for text that was left out.
var omission = NewPattern(`(?i)` +
	`[\[(（【<〈{]\s*(?:` + omitted + `|` + ellipses + `)(?:\s*(?:` + omitted + `|` + ellipses + `))*\s*[\])）】>〉}]` +
	`|` + ellipses + `(?:\s*` + omitted + `\s*` + ellipses + `)?` +
	`|中略` +
	`|(?:^|\s)(?:中间|以下|此处)?省略(?:\s|$)`)

const (
	ellipses = `(?:…|⋯|\.{3,}|。{3,})+`
	omitted  = `(?:snip(?:ped)?|omitted|truncated|skipped|(?:中间|以下|此处|部分)?省略(?:[^\])）】>〉}]{0,12})|[前中后]?略)`
)

// lineBreak matches a line break as it is or escaped.
var lineBreak = NewPattern(`\r?\n|(?:\\+r)?\\+n`)

// The marks with which a quote lists the cells of a row or the lines of a block, and
// those and the ones between keys and values.
const (
	listMarks = ",，;；、"
	allMarks  = listMarks + "=:："
)

// separators finds the given marks where they do not stand in a number.
func separators(raw, marks string) [][]int {
	var found [][]int
	var before rune
	for i, r := range raw {
		if strings.ContainsRune(marks, r) && len(found) < maxPieces {
			end := i + utf8.RuneLen(r)
			next, _ := utf8.DecodeRuneInString(raw[end:])
			if !isDigit(before) || !isDigit(next) {
				found = append(found, []int{i, end})
			}
		}
		before = r
	}
	return found
}

// part is a stretch of a quote, folded.
type part struct {
	text []byte
	// openLeft and openRight say that an ellipsis stands right at the part's end,
	// which thus may be cut off inside a word.
	openLeft, openRight bool
	long                bool
}

// piece is a stretch of a quote between omissions: parts with nothing but white space
// and punctuation between them.
type piece []part

// window is one place of all pieces in order: the folded offsets of each part.
type window [][2]int

func (w window) from() int { return w[0][0] }
func (w window) to() int   { return w[len(w)-1][1] }
func (w window) size() int { return w.to() - w.from() }

// fragments finds a quote from which text was left out: at marks such as …; or, with
// or without marks, between its lines; or only the punctuation between its parts,
// as when the cells of a row are listed with commas.
func (t *Text) fragments(excerpt string) Location {
	if len(excerpt) > longestFragmented {
		return Location{Tier: Absent}
	}
	marks := omission.FindAllStringIndex(excerpt, maxPieces)
	breaks := slices.Concat(marks, lineBreak.FindAllStringIndex(excerpt, maxPieces))
	slices.SortFunc(breaks, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	tried := 0
	for _, all := range [][]piece{
		pieces(marks, excerpt, ""), pieces(breaks, excerpt, ""), pieces(breaks, excerpt, listMarks), pieces(breaks, excerpt, allMarks),
	} {
		parts := 0
		for _, p := range all {
			parts += len(p)
		}
		if parts <= tried {
			continue // nothing else than before
		}
		if l := t.inOrder(all); l.Total > 0 {
			return l
		}
		tried = parts
	}
	return Location{Tier: Absent}
}

// pieces cuts a quote, and its pieces at the given marks. Parts without a letter or
// digit say nothing and are left out. The result is nil when there are too many
// pieces or they are too short.
func pieces(cuts [][]int, excerpt, marks string) []piece {
	if len(cuts) >= maxPieces || len(cuts) == 0 && marks == "" {
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
		var p piece
		for _, one := range parts(excerpt[at:cut[0]], open, i < len(cuts), marks) {
			if width, says := weigh(one.text); says {
				p = append(p, one)
				longest, total = max(longest, width), total+width
			}
		}
		if len(p) > 0 {
			all = append(all, p)
		}
		at, open = cut[1], true
	}
	if longest < minPiece || total < minQuoted {
		return nil
	}
	return all
}

// parts folds a stretch of a quote that is open to an omission on some sides, and
// cuts it at the given marks. With marks, punctuation at the ends of a part does not
// count.
func parts(raw string, openLeft, openRight bool, marks string) []part {
	loose := marks != ""
	cuts := separators(raw, marks)
	trim := " ,;:."
	if loose {
		trim = ` ,;:.!"`
	}
	var all []part
	at := 0
	for i := 0; i <= len(cuts); i++ {
		end, next := len(raw), len(raw)
		if i < len(cuts) {
			end, next = cuts[i][0], cuts[i][1]
		}
		s := raw[at:end]
		at = next
		p := part{text: []byte(Fold(s))}
		p.openLeft = openLeft && i == 0 && s == strings.TrimLeft(s, " \t\r\n")
		p.openRight = openRight && i == len(cuts) && s == strings.TrimRight(s, " \t\r\n")
		if loose || openLeft {
			p.text = bytes.TrimLeft(p.text, trim)
		}
		if loose || openRight {
			p.text = bytes.TrimRight(p.text, trim)
		}
		p.long = utf8.RuneCount(p.text) >= longQuote
		all = append(all, p)
	}
	return all
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
	f := t.folded()
	windows := findWindows(f, all)
	slices.SortStableFunc(windows, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.size(), b.size()), cmp.Compare(a.from(), b.from()))
	})
	l := Location{Tier: Absent}
	back := tracer{folded: f}
	parts := slices.Concat(all...)
	var first []byte
	for _, w := range windows {
		text := f.text[w.from():w.to()]
		if first != nil && len(text) > 2*len(first) {
			break
		}
		if len(l.Occurrences) < MaxOccurrences {
			o, ok := back.occurrence(w, parts)
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
func (t *tracer) occurrence(w window, parts []part) (Occurrence, bool) {
	o := Occurrence{Spans: make([]Span, 0, len(parts))}
	for i, p := range parts {
		s, ok := t.place(w[i][0], w[i][1], p.text)
		if !ok {
			return o, false
		}
		o.Spans = append(o.Spans, s)
	}
	return o, true
}
