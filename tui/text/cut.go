package text

import "strings"

const reset = "\x1b[0m"

// Spaces returns n spaces; none for n <= 0.
func Spaces(n int) string {
	const some = "                                                                                                                                "
	if n <= 0 {
		return ""
	}
	if n <= len(some) {
		return some[:n]
	}
	return strings.Repeat(" ", n)
}

// Truncate returns s if it fits into the given cells, else its start followed by
// tail, at most that wide together. Styled text stays styled and is closed. A
// tail wider than the room is cut itself.
func Truncate(s string, cells int, tail string) string {
	if cells <= 0 {
		return ""
	}
	if n := printable(s); n == len(s) && n <= cells {
		return s
	}
	if end, _ := head(s, cells); end == len(s) {
		return s
	}
	if tw := Width(tail); tw > cells {
		tail, cells = Truncate(tail, cells, ""), 0
	} else {
		cells -= tw
	}
	end, styled := head(s, cells)
	if styled {
		return s[:end] + tail + reset
	}
	return s[:end] + tail
}

// head returns the length of the longest start of s within the cells, and whether
// a style is open there. Control sequences after the last cell are
// taken along when nothing visible follows.
func head(s string, cells int) (end int, styled bool) {
	i, width := 0, 0
	for i < len(s) {
		n, w := next(s[i:])
		if width+w > cells {
			return end, styled
		}
		if s[i] == 0x1b {
			styled = !isReset(s[i : i+n])
		}
		width += w
		i += n
		end = i
	}
	return len(s), styled
}

func isReset(seq string) bool { return seq == reset || seq == "\x1b[m" }

// Pad returns s at exactly the given cells: filled with spaces or cut, where a
// wide character that does not fit becomes a space.
func Pad(s string, cells int) string { return Fit(s, cells, "") }

// Fit is [Pad] with a tail that marks a cut, such as "…".
func Fit(s string, cells int, tail string) string {
	w := Width(s)
	if w > cells {
		s = Truncate(s, cells, tail)
		w = Width(s)
	}
	if w < cells {
		return s + Spaces(cells-w)
	}
	return s
}

// PadLeft returns s at exactly the given cells with the text at the right.
func PadLeft(s string, cells int) string {
	if w := Width(s); w < cells {
		return Spaces(cells-w) + s
	}
	return Pad(s, cells)
}

// Cut returns the cells [from, to) of s. A wide character of which only half is
// inside becomes a space. Styles that were open at from are open in the result,
// and closed at its end. The result is narrower than to-from only where s ends.
func Cut(s string, from, to int) string {
	from = max(from, 0)
	if to <= from {
		return ""
	}
	var b strings.Builder
	at, styled := 0, false
	for i := 0; i < len(s) && at < to; {
		n, w := next(s[i:])
		piece := s[i : i+n]
		i += n
		switch {
		case piece[0] == 0x1b:
			styled = !isReset(piece)
			b.WriteString(piece)
			continue
		case at >= from && at+w <= to:
			b.WriteString(piece)
		case at+w > from:
			b.WriteString(Spaces(min(at+w, to) - max(at, from)))
		}
		at += w
	}
	if styled {
		b.WriteString(reset)
	}
	return b.String()
}
