package grounding

import (
	"bytes"
	"sync/atomic"
)

// finder finds all places of a needle in one text by the byte of the needle that is
// the rarest in the text. It is as fast as [bytes.Index] at its best also for long
// needles and those that begin like every line.
type finder struct {
	text, needle []byte
	rare         int      // offset of the rare byte in the needle
	absent       *byteSet // what earlier searches of the text learned; may be nil
	hopeless     bool     // the needle has a byte that the text has not
}

// byteSet is a set of bytes. It is safe for concurrent use; its zero value is empty.
type byteSet [4]atomic.Uint64

func (s *byteSet) has(c byte) bool { return s[c/64].Load()>>(c%64)&1 == 1 }

func (s *byteSet) add(c byte) { s[c/64].Or(1 << (c % 64)) }

const (
	// samples and sampleLen say how much of a text is counted to tell rare bytes.
	samples   = 16
	sampleLen = 128
)

// newFinder prepares a search. absent, when it is not nil, holds bytes that text has not.
func newFinder(text, needle []byte, absent *byteSet) finder {
	f := finder{text: text, needle: needle, absent: absent}
	if absent != nil {
		for _, c := range needle {
			if absent.has(c) {
				f.hopeless = true
				return f
			}
		}
	}
	var count [256]int
	if len(text) <= samples*sampleLen {
		for _, c := range text {
			count[c]++
		}
	} else {
		stride := (len(text) - sampleLen) / (samples - 1)
		for at := 0; at+sampleLen <= len(text); at += stride {
			for _, c := range text[at : at+sampleLen] {
				count[c]++
			}
		}
	}
	for i, c := range needle {
		// Of two that were not seen, one that is not ASCII is likelier nowhere at all.
		if best := needle[f.rare]; count[c] < count[best] || count[c] == count[best] && c >= 0x80 && best < 0x80 {
			f.rare = i
		}
	}
	return f
}

// next gives the first place at or after offset at, or -1. Where the byte turns out
// not to be rare, [bytes.Index] takes over.
func (f *finder) next(at int) int {
	n := len(f.needle)
	if f.hopeless {
		return -1
	}
	start, misses := at, 0
	for at+n <= len(f.text) {
		i := bytes.IndexByte(f.text[at+f.rare:len(f.text)-n+f.rare+1], f.needle[f.rare])
		if i < 0 {
			if at == 0 {
				f.learn()
			}
			return -1
		}
		at += i
		if bytes.Equal(f.text[at:at+n], f.needle) {
			return at
		}
		at++
		if misses++; misses > 64+(at-start)/16 {
			i := bytes.Index(f.text[at:], f.needle)
			if i < 0 {
				return -1
			}
			return at + i
		}
	}
	return -1
}

// learn notes that the rare byte is nowhere in the text, where that is so: it was looked
// for but at the ends, where the needle would not fit.
func (f *finder) learn() {
	c := f.needle[f.rare]
	tail := len(f.text) - len(f.needle) + f.rare + 1
	if f.absent != nil && bytes.IndexByte(f.text[:f.rare], c) < 0 && bytes.IndexByte(f.text[tail:], c) < 0 {
		f.absent.add(c)
	}
}
