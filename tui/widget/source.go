package widget

import (
	"bytes"
	"sort"
	"unsafe"
)

// indexBlock is the distance in bytes of the entries of a line index: eight
// bytes for each block, 0.2% of the text whatever its lines look like, and a
// block is searched in less than a microsecond.
const indexBlock = 4096

// Source is a text with an index of its lines that is built as far as it is
// needed. The bytes are not copied and must not change; Append adds to them. It is
// not safe for concurrent use.
//
// Lines end with \n, which is no part of them. A text that ends with \n has no
// empty line after it; an empty text has one line.
type Source struct {
	data []byte
	// before[i] is the number of newlines before byte i*indexBlock.
	before []int
}

// NewSource returns a source for data, at once: nothing is read yet.
func NewSource(data []byte) *Source {
	// The capacity is cut so that Append never writes into the caller's array.
	return &Source{data: data[:len(data):len(data)], before: []int{0}}
}

// NewSourceString is [NewSource] for a string, without a copy.
func NewSourceString(s string) *Source {
	if s == "" {
		return NewSource(nil)
	}
	return NewSource(unsafe.Slice(unsafe.StringData(s), len(s))) // never written to
}

// Len returns the length in bytes.
func (s *Source) Len() int { return len(s.data) }

// Bytes returns the raw bytes [from, to), clamped; they must not be changed.
func (s *Source) Bytes(from, to int) []byte {
	to = min(max(to, 0), len(s.data))
	return s.data[min(max(from, 0), to):to]
}

// text is Bytes as a string without a copy: bytes once there never change.
func (s *Source) text(from, to int) string {
	b := s.Bytes(from, to)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Append adds to the end of the text.
func (s *Source) Append(p []byte) { s.data = append(s.data, p...) }

// indexed returns the number of bytes the index covers.
func (s *Source) indexed() int { return (len(s.before) - 1) * indexBlock }

// Index extends the line index by about the given number of bytes and reports
// whether it covers the text. It runs at memory speed, about 5 ms for 100 MB.
func (s *Source) Index(budget int) (done bool) {
	for n := s.indexed(); n+indexBlock <= len(s.data); n += indexBlock {
		if budget <= 0 {
			return false
		}
		if cap(s.before) == len(s.before) {
			s.grow()
		}
		newlines := bytes.Count(s.data[n:n+indexBlock], newline)
		s.before = append(s.before, s.before[len(s.before)-1]+newlines)
		budget -= indexBlock
	}
	return true
}

var newline = []byte{'\n'}

// grow makes room for the index of all bytes there are, at once.
func (s *Source) grow() {
	grown := make([]int, len(s.before), max(len(s.data)/indexBlock+2, 2*len(s.before)))
	copy(grown, s.before)
	s.before = grown
}

// Lines returns the number of lines of the text as far as it is indexed, and
// whether that is all of it.
func (s *Source) Lines() (n int, exact bool) {
	if len(s.data)-s.indexed() >= indexBlock {
		return s.before[len(s.before)-1], false
	}
	tail := s.data[s.indexed():]
	n = s.before[len(s.before)-1] + bytes.Count(tail, newline)
	if len(s.data) == 0 || s.data[len(s.data)-1] != '\n' {
		n++
	}
	return n, true
}

// Line returns the number, from 0, of the line that holds the byte at off.
func (s *Source) Line(off int) int {
	off = min(max(off, 0), len(s.data))
	s.Index(off - s.indexed())
	block := min(off/indexBlock, len(s.before)-1)
	return s.before[block] + bytes.Count(s.data[block*indexBlock:off], newline)
}

// Offset returns where a line, counted from 0, starts; for a line past the end
// it is the start of the last one, and ok is false. It indexes as far as needed.
func (s *Source) Offset(line int) (off int, ok bool) {
	if line <= 0 {
		return 0, line == 0
	}
	for s.before[len(s.before)-1] < line && !s.Index(1<<20) {
		continue
	}
	// The block that holds the newline number line, counted from 1.
	block := sort.SearchInts(s.before, line) - 1
	at, left := block*indexBlock, line-s.before[block]
	for left > 0 {
		i := bytes.IndexByte(s.data[at:], '\n')
		if i < 0 || at+i+1 >= len(s.data) {
			return s.LineStart(len(s.data) - 1), false
		}
		at += i + 1
		left--
	}
	return at, true
}

// LineStart returns where the line with the byte at off starts. A newline
// belongs to the line it ends.
func (s *Source) LineStart(off int) int {
	off = min(max(off, 0), len(s.data))
	s.Index(off - s.indexed())
	block := min(off/indexBlock, len(s.before)-1)
	if i := bytes.LastIndexByte(s.data[block*indexBlock:off], '\n'); i >= 0 {
		return block*indexBlock + i + 1
	}
	if s.before[block] == 0 {
		return 0
	}
	// The newline number before[block] is the one that ends the line before.
	block = sort.SearchInts(s.before, s.before[block]) - 1
	i := bytes.LastIndexByte(s.data[block*indexBlock:(block+1)*indexBlock], '\n')
	return block*indexBlock + i + 1
}

// LineEnd returns where the line with the byte at off ends: the offset of its
// newline, or the length of the text.
func (s *Source) LineEnd(off int) int {
	off = min(max(off, 0), len(s.data))
	block := off / indexBlock
	end := min((block+1)*indexBlock, len(s.data))
	if i := bytes.IndexByte(s.data[off:end], '\n'); i >= 0 {
		return off + i
	}
	// Over many blocks the index is faster than the text.
	for at := end; at < len(s.data); {
		block = at / indexBlock
		s.Index(at + indexBlock - s.indexed())
		if block+1 < len(s.before) {
			here := s.before[block]
			next := sort.Search(len(s.before), func(i int) bool { return s.before[i] > here })
			if next == len(s.before) {
				at = s.indexed()
				s.Index(1 << 20)
				if at == s.indexed() {
					return s.tailEnd(at)
				}
				continue
			}
			at = (next - 1) * indexBlock
			return at + bytes.IndexByte(s.data[at:at+indexBlock], '\n')
		}
		return s.tailEnd(at)
	}
	return len(s.data)
}

// tailEnd finds the first newline from at on, within the last block.
func (s *Source) tailEnd(at int) int {
	if i := bytes.IndexByte(s.data[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(s.data)
}
