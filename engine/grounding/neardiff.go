package grounding

import "unicode/utf8"

// view is a stretch of folded text, rune by rune, with where it comes from.
type view struct {
	raw    []byte
	span   Span   // of the stretch in raw
	runes  []rune // folded
	at     []int  // where each rune's source starts in raw
	parted []bool // white space was left out before the rune
}

// newView gives the folded bytes [from, to), from < to.
func newView(t *tracer, from, to int) view {
	v := view{raw: t.raw}
	v.span, _ = t.span(from, to)
	for _, a := range t.atoms {
		if a.foldEnd <= from || a.fold >= to {
			continue
		}
		first := len(v.runes)
		for i := max(a.fold, from); i < min(a.foldEnd, to); {
			r, n := utf8.DecodeRune(t.text[i:])
			at := a.raw
			if a.copy {
				at += i - a.fold
			}
			v.runes, v.at, v.parted = append(v.runes, r), append(v.at, at), append(v.parted, false)
			i += n
		}
		if first < len(v.runes) {
			v.parted[first] = a.parted
		}
	}
	return v
}

// rawSpan gives the raw bytes of the runes [from, to): up to where the next one
// starts, and at the ends of the stretch all that belongs to it.
func (v view) rawSpan(from, to int) Span {
	s := Span{v.span.Start, v.span.End}
	if from > 0 {
		s.Start = v.offset(from)
	}
	if to < len(v.runes) {
		s.End = v.offset(to)
	}
	return s
}

func (v view) offset(i int) int {
	if i >= len(v.at) {
		return v.span.End
	}
	return v.at[i]
}

func (v view) text(from, to int) string {
	s := v.rawSpan(from, to)
	return string(v.raw[s.Start:s.End])
}

// step is one move through the matrix of distances.
type step byte

const (
	stepBoth    step = iota // one rune in both
	stepExcerpt             // one rune in the excerpt only
	stepSource              // one rune in the source only
)

// align gives the moves of a shortest edit from the runes a to the runes b
// (Wagner and Fischer's dynamic program). Memory is len(a)*len(b) bytes.
func align(a, b []rune) []step {
	width := len(b) + 1
	moves := make([]step, (len(a)+1)*width)
	row := make([]int, width)
	for j := range row {
		row[j] = j
		moves[j] = stepSource
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		moves[i*width] = stepExcerpt
		for j := 1; j <= len(b); j++ {
			best, move := diagonal, stepBoth
			if a[i-1] != b[j-1] {
				best++
			}
			if row[j]+1 < best {
				best, move = row[j]+1, stepExcerpt
			}
			if row[j-1]+1 < best {
				best, move = row[j-1]+1, stepSource
			}
			diagonal, row[j] = row[j], best
			moves[i*width+j] = move
		}
	}
	var path []step
	for i, j := len(a), len(b); i > 0 || j > 0; {
		move := moves[i*width+j]
		path = append(path, move)
		if move != stepSource {
			i--
		}
		if move != stepExcerpt {
			j--
		}
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// distance is the least number of edits from the runes a to the runes b.
func distance(a, b []rune) int {
	i, j, edits := 0, 0, 0
	for _, move := range align(a, b) {
		if move != stepBoth || a[i] != b[j] {
			edits++
		}
		if move != stepSource {
			i++
		}
		if move != stepExcerpt {
			j++
		}
	}
	return edits
}

// diff gives the difference from an excerpt to its source. Together the steps hold
// all of the excerpt and all of the source's span, in order, and none splits what
// the fold made of one character.
func diff(excerpt, source view) []DiffOp {
	path := align(excerpt.runes, source.runes)
	same := sameSteps(path, excerpt, source)
	var ops []DiffOp
	var i, j, fromI, fromJ int
	for k, move := range path {
		if move != stepSource {
			i++
		}
		if move != stepExcerpt {
			j++
		}
		if k+1 < len(path) && same[k+1] == same[k] {
			continue
		}
		op := DiffOp{Kind: DiffReplace, Excerpt: excerpt.text(fromI, i), Source: source.rawSpan(fromJ, j)}
		switch {
		case same[k]:
			op.Kind = DiffEqual
		case j == fromJ:
			op.Kind = DiffInsert
		case i == fromI:
			op.Kind = DiffDelete
		}
		ops = append(ops, op)
		fromI, fromJ = i, j
	}
	return ops
}

// sameSteps says for each move whether excerpt and source are the same there, and in
// all of the character that the rune was folded from.
func sameSteps(path []step, excerpt, source view) []bool {
	same := make([]bool, len(path))
	is, js := make([]int, len(path)), make([]int, len(path))
	i, j := 0, 0
	for k, move := range path {
		is[k], js[k] = i, j
		same[k] = move == stepBoth && excerpt.runes[i] == source.runes[j]
		if move != stepSource {
			i++
		}
		if move != stepExcerpt {
			j++
		}
	}
	for changed := true; changed; {
		changed = false
		for k := 1; k < len(path); k++ {
			if same[k] != same[k-1] && (excerpt.splits(is[k]) || source.splits(js[k])) {
				same[k], same[k-1], changed = false, false, true
			}
		}
	}
	return same
}

// splits reports whether rune i comes from the same character as the rune before.
func (v view) splits(i int) bool { return i > 0 && i < len(v.at) && v.at[i] == v.at[i-1] }
