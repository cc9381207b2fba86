package widget

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/lipgloss"

	"claimscope/tui/text"
)

// maxInput bounds what is typed, in bytes.
const maxInput = 64 << 10

// Input is a line of text being typed. What is typed or pasted is sanitised, so
// its value can be drawn as it is.
type Input struct {
	Prompt string // sanitised, drawn before the text

	before, after string // the text around the cursor
	prompt        Paint
	cursor        Paint
}

// NewInput returns an input with a text and the cursor at its end.
func NewInput(prompt, value string) *Input {
	in := &Input{Prompt: prompt, cursor: Paint{open: "\x1b[7m", close: "\x1b[0m"}}
	in.Insert(value)
	return in
}

// SetStyles sets the styles of the prompt and of the cell of the cursor.
func (in *Input) SetStyles(prompt, cursor lipgloss.Style) {
	in.prompt, in.cursor = NewPaint(prompt), NewPaint(cursor)
}

// Value returns the text.
func (in *Input) Value() string { return in.before + in.after }

// SetValue replaces the text and puts the cursor at its end.
func (in *Input) SetValue(s string) {
	in.before, in.after = "", ""
	in.Insert(s)
}

// Insert types or pastes a text at the cursor. Line breaks and tabs become
// spaces.
func (in *Input) Insert(s string) {
	s = text.SanitiseLine(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s))
	if room := maxInput - len(in.before) - len(in.after); len(s) > room {
		if room <= 0 {
			return
		}
		s = s[:text.Boundary(s, room)]
	}
	in.before += s
}

// Key does what a key, named as Bubble Tea prints it, does to the line, and
// reports whether it is one that moves or deletes. Typed text goes to
// [Input.Insert].
func (in *Input) Key(key string) bool {
	switch key {
	case "left", "ctrl+b":
		n := lastCluster(in.before)
		in.before, in.after = in.before[:n], in.before[n:]+in.after
	case "right", "ctrl+f":
		c, _ := text.FirstCluster(in.after)
		in.before, in.after = in.before+c, in.after[len(c):]
	case "home", "ctrl+a":
		in.before, in.after = "", in.Value()
	case "end", "ctrl+e":
		in.before, in.after = in.Value(), ""
	case "alt+left", "alt+b", "ctrl+left":
		n := lastWord(in.before)
		in.before, in.after = in.before[:n], in.before[n:]+in.after
	case "alt+right", "alt+f", "ctrl+right":
		n := firstWord(in.after)
		in.before, in.after = in.before+in.after[:n], in.after[n:]
	case "backspace", "ctrl+h":
		in.before = in.before[:lastCluster(in.before)]
	case "delete", "ctrl+d":
		c, _ := text.FirstCluster(in.after)
		in.after = in.after[len(c):]
	case "ctrl+w", "alt+backspace":
		in.before = in.before[:lastWord(in.before)]
	case "ctrl+u":
		in.before = ""
	case "ctrl+k":
		in.after = ""
	default:
		return false
	}
	return true
}

// lastCluster returns where the last cluster of s starts.
func lastCluster(s string) int {
	// Clusters of sanitised text are short: look at the end only.
	at := max(len(s)-64, 0)
	at += text.Boundary(s[at:], 0)
	if at == len(s) {
		at = 0
	}
	start := at
	for at < len(s) {
		start = at
		c, _ := text.FirstCluster(s[at:])
		at += len(c)
	}
	return start
}

func lastWord(s string) int {
	trimmed := strings.TrimRightFunc(s, unicode.IsSpace)
	i := strings.LastIndexFunc(trimmed, unicode.IsSpace)
	return i + 1
}

func firstWord(s string) int {
	rest := strings.TrimLeftFunc(s, unicode.IsSpace)
	i := strings.IndexFunc(rest, unicode.IsSpace)
	if i < 0 {
		return len(s)
	}
	return len(s) - len(rest) + i
}

// Line draws the input in exactly w cells, scrolled so that the cursor is in
// sight.
func (in *Input) Line(w int) string {
	prompt := text.Truncate(in.Prompt, max(w/2, 0), "…")
	room := w - text.Width(prompt)
	if room <= 0 {
		return text.Fit(prompt, w, "")
	}
	under, cells := text.FirstCluster(in.after)
	rest := in.after[len(under):]
	switch {
	case cells > 0 && cells <= room:
	case in.cursor.open == "":
		under, cells = "▏", 1 // no style can show it
	default:
		under, cells = " ", 1
	}
	left := in.before
	if lw := text.Width(left); lw > room-cells {
		left = text.Cut(left, lw-(room-cells), lw)
	}
	right := text.Pad(rest, room-cells-text.Width(left))
	return in.prompt.Render(prompt) + left + in.cursor.Render(under) + right
}
