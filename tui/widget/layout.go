package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"claimscope/tui/text"
)

// Part is a share of a length that is split.
type Part struct {
	Min    int // cells it needs; without them it gets none
	Weight int // its share of what is left over
	Max    int // cells it takes at most; 0 for no bound
}

// Split divides total cells among parts, in their order. Parts whose Min does
// not fit any more get 0; what is left over is shared by weight, to the cell. The
// sum is total unless every part is at its Max.
func Split(total int, parts ...Part) []int {
	parts = slices.Clone(parts)
	sizes := make([]int, len(parts))
	left := max(total, 0)
	for i, p := range parts {
		if need := max(p.Min, 0); need <= left {
			sizes[i] = need
			left -= need
		} else {
			parts[i].Weight = 0
		}
	}
	for left > 0 {
		weight := 0
		grows := func(i int) bool {
			return parts[i].Weight > 0 && (parts[i].Max == 0 || sizes[i] < parts[i].Max)
		}
		for i := range parts {
			if grows(i) {
				weight += parts[i].Weight
			}
		}
		if weight == 0 {
			break
		}
		share := left
		for i := range parts {
			if !grows(i) {
				continue
			}
			// Rounded so that the shares of all add up.
			n := share * parts[i].Weight / weight
			share, weight = share-n, weight-parts[i].Weight
			if parts[i].Max > 0 {
				n = min(n, parts[i].Max-sizes[i])
			}
			sizes[i] += n
			left -= n
		}
	}
	return sizes
}

// TabStyles are the styles of a [TabBar].
type TabStyles struct{ Tab, Active lipgloss.Style }

// TabBar draws labels side by side on one line of exactly w cells, the active one
// in brackets and always in sight. spans gives the cells [from, to) of each label,
// empty for those that are not in sight.
func TabBar(labels []string, active, w int, styles TabStyles) (line string, spans [][2]int) {
	spans = make([][2]int, len(labels))
	if len(labels) == 0 || w <= 0 {
		return text.Spaces(w), spans
	}
	active = min(max(active, 0), len(labels)-1)
	width := func(i int) int { return text.Width(labels[i]) + 2 }
	// As many labels as fit, around the active one.
	from, to, used := active, active+1, width(active)
	for grown := true; grown; {
		grown = false
		if to < len(labels) && used+width(to) <= w {
			used, to, grown = used+width(to), to+1, true
		}
		if from > 0 && used+width(from-1) <= w {
			from, grown = from-1, true
			used += width(from)
		}
	}
	var b strings.Builder
	at := 0
	for i := from; i < to; i++ {
		n := min(width(i), w-at)
		spans[i] = [2]int{at, at + n}
		at += n
		if i == active {
			b.WriteString(styles.Active.Render(text.Fit("["+labels[i]+"]", n, "…")))
		} else {
			b.WriteString(styles.Tab.Render(text.Fit(" "+labels[i]+" ", n, "…")))
		}
	}
	return b.String() + text.Spaces(w-at), spans
}
