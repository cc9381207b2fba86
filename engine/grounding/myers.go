package grounding

import "unicode/utf8"

// pattern is a text prepared for Myers' bit-vector search: for each rune, the
// rows where it stands, in blocks of 64. See G. Myers, "A fast bit-vector algorithm
// for approximate string matching based on dynamic programming", J. ACM 46(3),
// 1999, with the cut-off of its section 4: only blocks that can still lead to a
// distance within the bound are worked out.
type pattern struct {
	runes  []rune
	blocks int
	last   uint64 // the bit of the last row in the last block
	ascii  [utf8.RuneSelf][]uint64
	others map[rune][]uint64
	none   []uint64
}

func newPattern(runes []rune) *pattern {
	p := &pattern{
		runes:  runes,
		blocks: (len(runes) + 63) / 64,
		last:   1 << ((len(runes) - 1) & 63),
		others: map[rune][]uint64{},
	}
	p.none = make([]uint64, p.blocks)
	for i := range p.ascii {
		p.ascii[i] = p.none
	}
	for i, r := range runes {
		rows := p.rows(r)
		if &rows[0] == &p.none[0] {
			rows = make([]uint64, p.blocks)
			if r < utf8.RuneSelf {
				p.ascii[r] = rows
			} else {
				p.others[r] = rows
			}
		}
		rows[i>>6] |= 1 << (i & 63)
	}
	return p
}

// rows gives the rows where r stands in the pattern.
func (p *pattern) rows(r rune) []uint64 {
	if r < utf8.RuneSelf {
		return p.ascii[r]
	}
	if rows, ok := p.others[r]; ok {
		return rows
	}
	return p.none
}

// column is one column of the matrix of distances between a pattern and a text, as
// vertical differences, block by block from the top as far as it matters.
type column struct {
	*pattern
	limit    int
	plus     []uint64
	minus    []uint64
	score    []int // distance at the last row of each block
	active   int   // the last block that is worked out
	anywhere bool  // a match may start anywhere, else at the start of the text
}

// newColumn starts a search for places within limit edits.
func (p *pattern) newColumn(limit int, anywhere bool) *column {
	c := &column{pattern: p, plus: make([]uint64, p.blocks), minus: make([]uint64, p.blocks), score: make([]int, p.blocks)}
	c.reset(limit, anywhere)
	return c
}

func (c *column) reset(limit int, anywhere bool) {
	c.limit, c.anywhere = limit, anywhere
	c.active = min(limit/64, c.blocks-1)
	for b := range c.plus {
		c.plus[b], c.minus[b] = ^uint64(0), 0
		c.score[b] = min((b+1)*64, len(c.runes))
	}
}

// step takes the next rune of the text and gives the least distance of the pattern
// to a text that ends there, or limit+1 when it is greater than limit.
func (c *column) step(r rune) int {
	rows := c.rows(r)
	carry := 0
	if !c.anywhere {
		carry = 1
	}
	for b := 0; b <= c.active; b++ {
		carry = c.advance(b, rows[b], carry)
	}
	c.adapt(rows, carry)
	if c.active == c.blocks-1 && c.score[c.active] <= c.limit {
		return c.score[c.active]
	}
	return c.limit + 1
}

// adapt grows or shrinks the part of the column that is worked out.
func (c *column) adapt(rows []uint64, carry int) {
	b := c.active
	if b < c.blocks-1 && c.score[b]-carry <= c.limit && (rows[b+1]&1 != 0 || carry < 0) {
		b++
		c.active = b
		c.plus[b], c.minus[b] = ^uint64(0), 0
		c.score[b] = c.score[b-1] - carry + min(64, len(c.runes)-b*64)
		c.advance(b, rows[b], carry)
		return
	}
	for c.active > 0 && c.score[c.active] >= c.limit+64 {
		c.active--
	}
}

// advance moves one block one text rune on, given the horizontal difference that
// comes in above it, and gives the one that goes out below.
func (c *column) advance(b int, eq uint64, carry int) int {
	plus, minus := c.plus[b], c.minus[b]
	vertical := eq | minus
	if carry < 0 {
		eq |= 1
	}
	horizontal := ((eq & plus) + plus) ^ plus | eq
	up := minus | ^(horizontal | plus)
	down := plus & horizontal

	row := uint64(1 << 63)
	if b == c.blocks-1 {
		row = c.last
	}
	out := 0
	if up&row != 0 {
		out = 1
	} else if down&row != 0 {
		out = -1
	}
	up <<= 1
	down <<= 1
	if carry > 0 {
		up |= 1
	} else if carry < 0 {
		down |= 1
	}
	c.plus[b] = down | ^(vertical | up)
	c.minus[b] = up & vertical
	c.score[b] += out
	return out
}
