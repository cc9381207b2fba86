package grounding

import "bytes"

// finder finds all places of a needle in one text by the byte of the needle that is
// the rarest in the text. It is as fast as [bytes.Index] at its best also for long
// needles and those that begin like every line.
type finder struct {
	text, needle []byte
	rare         int // offset of the rare byte in the needle
}

const (
	// samples and sampleLen say how much of a text is counted to tell rare bytes.
	samples   = 16
	sampleLen = 128
)

func newFinder(text, needle []byte) finder {
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
	f := finder{text: text, needle: needle}
	for i, c := range needle {
		if count[c] < count[needle[f.rare]] {
			f.rare = i
		}
	}
	return f
}

// next gives the first place at or after offset at, or -1. Where the byte turns out
// not to be rare, [bytes.Index] takes over.
func (f *finder) next(at int) int {
	n := len(f.needle)
	start, misses := at, 0
	for at+n <= len(f.text) {
		i := bytes.IndexByte(f.text[at+f.rare:len(f.text)-n+f.rare+1], f.needle[f.rare])
		if i < 0 {
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
