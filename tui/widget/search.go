package widget

import (
	"bytes"
	"sort"
)

// searchBlock is the distance in bytes of the entries of a search's index, 16
// bytes each: hits are counted once and found again when they are needed, so
// that a text of nothing but hits costs no memory.
const searchBlock = 64 << 10

// Search finds a string in a [Source] piece by piece, off the way of a frame:
// [Search.Step] does a bounded amount of work. Hits do not overlap; their number
// is that of bytes.Count. It is not safe for concurrent use.
type Search struct {
	src     *Source
	query   []byte
	fold    bool
	blocks  []hitBlock // of the blocks counted for good
	count   int        // hits that start in them
	resume  int        // where the next block's search starts
	tail    int        // hits after them, in the text as it was at tailEnd
	tailEnd int        // -1: the end was not reached yet
	scratch []byte

	near struct { // the hits of the block looked at last
		block, end int
		valid      bool
		hits       []int
	}
}

// hitBlock describes the hits that start in one block.
type hitBlock struct {
	before int // hits that start before the block
	resume int // first offset at which a hit may start: one may reach into the block
}

// NewSearch returns a search that has not begun. With fold, ASCII letters match
// in both cases. An empty query has no hits.
func NewSearch(src *Source, query string, fold bool) *Search {
	s := &Search{src: src, query: []byte(query), tailEnd: -1}
	if fold && hasLetter(query) { // without letters the text need not be folded
		s.query, s.fold = appendLower(nil, s.query), true
	}
	return s
}

func hasLetter(s string) bool {
	for i := range len(s) {
		if s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' {
			return true
		}
	}
	return false
}

// Query returns what is searched for.
func (s *Search) Query() string { return string(s.query) }

// Step searches about the given number of bytes further and reports whether the
// end of the text, as it is now, was reached.
func (s *Search) Step(budget int) (done bool) {
	if len(s.query) == 0 {
		s.tailEnd = s.src.Len()
		return true
	}
	for {
		start := len(s.blocks) * searchBlock
		if start+searchBlock+len(s.query) > s.src.Len() {
			break
		}
		if budget <= 0 {
			return false
		}
		b := hitBlock{before: s.count, resume: s.resume}
		s.resume = s.scan(max(s.resume, start), start+searchBlock, func(int) bool { s.count++; return true })
		s.blocks = append(s.blocks, b)
		budget -= searchBlock
	}
	if s.tailEnd != s.src.Len() {
		s.tail = 0
		s.scan(s.tailStart(), s.src.Len(), func(int) bool { s.tail++; return true })
		s.tailEnd = s.src.Len()
	}
	return true
}

func (s *Search) tailStart() int { return max(s.resume, len(s.blocks)*searchBlock) }

// Done reports whether all of the text was searched.
func (s *Search) Done() bool { return s.tailEnd == s.src.Len() }

// Count returns the number of hits found so far.
func (s *Search) Count() int { return s.count + s.tail }

// Progress returns the searched part of the text, 0 to 1.
func (s *Search) Progress() float64 {
	if s.Done() || s.src.Len() == 0 {
		return 1
	}
	return float64(len(s.blocks)*searchBlock) / float64(s.src.Len())
}

// scan calls f with each hit that starts in [from, to), until f returns false. It
// returns where the search for the next hit goes on.
func (s *Search) scan(from, to int, f func(off int) bool) (resume int) {
	if from >= to || len(s.query) == 0 {
		return from
	}
	text := s.src.Bytes(from, to+len(s.query)-1)
	if s.fold {
		s.scratch = appendLower(s.scratch[:0], text)
		text = s.scratch
	}
	at := 0
	for {
		i := bytes.Index(text[at:], s.query)
		if i < 0 {
			return max(to, from+at)
		}
		hit := from + at + i
		at += i + len(s.query)
		if !f(hit) {
			return from + at
		}
	}
}

// appendLower appends text with ASCII letters in lower case.
func appendLower(dst, text []byte) []byte {
	n := len(dst)
	dst = append(dst, text...)
	for i, c := range dst[n:] {
		if c-'A' < 26 {
			dst[n+i] = c + 'a' - 'A'
		}
	}
	return dst
}

// blockRange returns the offsets in which the hits of block i start; for i past
// the blocks it is the tail.
func (s *Search) blockRange(i int) (from, to int) {
	if i >= len(s.blocks) {
		return s.tailStart(), s.src.Len()
	}
	return max(s.blocks[i].resume, i*searchBlock), (i + 1) * searchBlock
}

// beforeBlock returns the number of hits before block i, which may be one past
// the last.
func (s *Search) beforeBlock(i int) int {
	if i < len(s.blocks) {
		return s.blocks[i].before
	}
	return s.count
}

// Next returns the first hit at or after off. If there is none among those found
// so far, ok is false; then pending tells whether the search goes on.
func (s *Search) Next(off int) (hit int, ok, pending bool) {
	find := func(block int) bool {
		from, to := s.blockRange(block)
		s.scan(from, to, func(h int) bool {
			if h >= off {
				hit, ok = h, true
			}
			return !ok
		})
		return ok
	}
	block := min(max(off, 0)/searchBlock, len(s.blocks))
	if block < len(s.blocks) {
		if find(block) {
			return hit, true, false
		}
		known := s.beforeBlock(block + 1)
		block += 1 + sort.Search(len(s.blocks)-block-1, func(i int) bool { return s.beforeBlock(block+2+i) > known })
		if block < len(s.blocks) && find(block) {
			return hit, true, false
		}
	}
	if s.Done() && find(len(s.blocks)) {
		return hit, true, false
	}
	return 0, false, !s.Done()
}

// Prev returns the last hit that starts before off, of those found so far.
func (s *Search) Prev(off int) (hit int, ok bool) {
	find := func(block int) bool {
		from, to := s.blockRange(block)
		s.scan(from, to, func(h int) bool {
			if h < off {
				hit, ok = h, true
			}
			return h < off
		})
		return ok
	}
	block := min(max(off, 0)/searchBlock, len(s.blocks))
	if (block < len(s.blocks) || s.Done()) && find(block) {
		return hit, true
	}
	known := s.beforeBlock(block)
	// The last block before this one that has a hit.
	block = sort.Search(block, func(i int) bool { return s.beforeBlock(i+1) >= known })
	if known == 0 || block >= len(s.blocks) {
		return 0, false
	}
	return hit, find(block)
}

// Last returns the last hit found so far.
func (s *Search) Last() (hit int, ok bool) { return s.Prev(s.src.Len() + 1) }

// Number returns which hit starts at off, counted from 1; 0 if none is known to.
func (s *Search) Number(off int) int {
	block := min(max(off, 0)/searchBlock, len(s.blocks))
	if block == len(s.blocks) && !s.Done() {
		return 0
	}
	n, found := s.beforeBlock(block), false
	from, to := s.blockRange(block)
	s.scan(from, to, func(h int) bool {
		if h <= off {
			n++
		}
		found = h == off
		return h < off
	})
	if !found {
		return 0
	}
	return n
}

// each calls f with each hit that reaches into [from, to), in the part not yet
// searched too, where hits that overlap may be cut differently.
func (s *Search) each(from, to int, f func(off int)) {
	if len(s.query) == 0 || from >= to {
		return
	}
	for at := max(from-len(s.query)+1, 0); at < to; {
		block := at / searchBlock
		if block >= len(s.blocks) && !s.Done() {
			s.scan(at, to, func(h int) bool { f(h); return true })
			return
		}
		hits := s.hitsOf(min(block, len(s.blocks)))
		for _, h := range hits[sort.SearchInts(hits, at):] {
			if h >= to {
				return
			}
			f(h)
		}
		if block >= len(s.blocks) {
			return
		}
		at = (block + 1) * searchBlock
	}
}

// hitsOf returns the hits that start in a block, or in the tail. The last one
// asked for is kept, since the rows of a screen lie close together.
func (s *Search) hitsOf(block int) []int {
	if !s.near.valid || s.near.block != block || s.near.end != s.src.Len() {
		s.near.block, s.near.end, s.near.valid = block, s.src.Len(), true
		s.near.hits = s.near.hits[:0]
		from, to := s.blockRange(block)
		s.scan(from, to, func(h int) bool {
			s.near.hits = append(s.near.hits, h)
			return true
		})
	}
	return s.near.hits
}
