package widget

// Bar draws the scroll bar of rows, one cell wide and h high: a thumb beside the part
// that is on screen, nothing where all of the total is. The thumb is at an end only
// when the rows are.
func Bar(top, h, total int, thumb Paint) []string {
	out := make([]string, max(h, 0))
	from, length := 0, 0
	if total > h && h > 0 {
		length = max(h*h/total, 1)
		from = top * (h - length) / (total - h)
		if top > 0 {
			from = max(from, min(1, h-length))
		}
	}
	for i := range out {
		if out[i] = " "; i >= from && i < from+length {
			out[i] = thumb.Render("▐")
		}
	}
	return out
}
