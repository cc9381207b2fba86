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
	last   uint // the last row in the last block
	ascii  [utf8.RuneSelf][]uint64
	others map[rune][]uint64
	none   []uint64
}

func newPattern(runes []rune) *pattern {
	p := &pattern{
		runes:  runes,
		blocks: (len(runes) + 63) / 64,
		last:   uint(len(runes)-1) & 63,
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

// block is 64 rows of one column of the matrix of distances between a pattern and a
// text: where the distance grows and falls from one row to the next, and what it is
// at the last row.
type block struct {
	plus, minus uint64
	score       int
}

// column is one column of the matrix, block by block from the top as far as it matters.
type column struct {
	*pattern
	limit  int
	matrix []block
	active int // the last block that is worked out
	above  int // the horizontal difference above: 0 when a match may start anywhere, else 1
}

// newColumn starts a search for places within limit edits, anywhere in the text or
// only at its start.
func (p *pattern) newColumn(limit int, anywhere bool) *column {
	c := &column{pattern: p, matrix: make([]block, p.blocks)}
	if !anywhere {
		c.above = 1
	}
	c.reset(limit)
	return c
}

// reset starts anew.
func (c *column) reset(limit int) {
	c.limit = limit
	c.active = min(limit/64, c.blocks-1)
	for b := range c.matrix {
		c.matrix[b] = block{plus: ^uint64(0), score: min((b+1)*64, len(c.runes))}
	}
}

// step takes the next rune of the text and gives the least distance of the pattern
// to a text that ends there, or limit+1 when it is greater than limit.
func (c *column) step(r rune) int {
	rows := c.rows(r)
	carry := c.above
	for b := range c.matrix[:c.active+1] {
		carry = c.matrix[b].advance(rows[b], carry, c.lastRow(b))
	}
	last := &c.matrix[c.active]
	switch {
	case c.active < c.blocks-1 && last.score-carry <= c.limit && (carry < 0 || rows[c.active+1]&1 != 0):
		b := c.active + 1
		next := block{plus: ^uint64(0), score: last.score - carry + min(64, len(c.runes)-b*64)}
		next.advance(rows[b], carry, c.lastRow(b))
		c.matrix[b], c.active = next, b
	case last.score >= c.limit+64:
		for c.active > 0 && c.matrix[c.active].score >= c.limit+64 {
			c.active--
		}
	}
	if c.active == c.blocks-1 && c.matrix[c.active].score <= c.limit {
		return c.matrix[c.active].score
	}
	return c.limit + 1
}

// skim takes the runes of an ASCII text as long as the first block of several says
// that no match is near, and gives how many these are. It is step for what most of a
// text is like.
func (c *column) skim(text []byte) int {
	if c.active > 0 || c.blocks == 1 || c.above != 0 {
		return 0
	}
	b := c.matrix[0]
	n := 0
	for ; n < len(text) && text[n] < utf8.RuneSelf; n++ {
		rows := c.ascii[text[n]]
		eq := rows[0]
		horizontal := ((eq & b.plus) + b.plus) ^ b.plus | eq
		up := b.minus | ^(horizontal | b.plus)
		down := b.plus & horizontal
		if b.score <= c.limit && (down>>63 != 0 || rows[1]&1 != 0) {
			break // step works out the next block
		}
		b.score += int(up>>63) - int(down>>63)
		vertical := eq | b.minus
		up <<= 1
		b.plus = down<<1 | ^(vertical | up)
		b.minus = up & vertical
	}
	c.matrix[0] = b
	return n
}

// lastRow is the last row of block b that belongs to the pattern.
func (c *column) lastRow(b int) uint {
	if b == c.blocks-1 {
		return c.last
	}
	return 63
}

// advance moves the block one text rune on: eq are the rows where the rune stands,
// carry is the horizontal difference (-1, 0, 1) that comes in above. It gives the one
// that goes out at the last row. There is no branch on data that could be guessed wrong.
func (b *block) advance(eq uint64, carry int, last uint) int {
	negative := uint64(carry) >> 63
	vertical := eq | b.minus
	eq |= negative
	horizontal := ((eq & b.plus) + b.plus) ^ b.plus | eq
	up := b.minus | ^(horizontal | b.plus)
	down := b.plus & horizontal
	out := int(up>>(last&63)&1) - int(down>>(last&63)&1)
	up = up<<1 | uint64(carry+1)>>1
	down = down<<1 | negative
	b.plus = down | ^(vertical | up)
	b.minus = up & vertical
	b.score += out
	return out
}
