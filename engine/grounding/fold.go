package grounding

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the form in which an excerpt and a text are compared.
func Fold(s string) string { return string(foldAll([]byte(s)).text) }

type folded struct {
	text  []byte
	start []int // raw offset of each folded byte's source
	end   []int
}

func foldAll(raw []byte) folded {
	var f folded
	space := -1
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if unicode.IsSpace(r) {
			if space < 0 {
				space = i
			}
			i += n
			continue
		}
		if space >= 0 && len(f.text) > 0 {
			f.text, f.start, f.end = append(f.text, ' '), append(f.start, space), append(f.end, i)
		}
		space = -1
		for _, b := range norm.NFKC.AppendString(nil, string(unicode.ToLower(r))) {
			f.text, f.start, f.end = append(f.text, b), append(f.start, i), append(f.end, i+n)
		}
		i += n
	}
	return f
}
