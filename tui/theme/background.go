package theme

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// BackgroundQuery is the control sequence that asks a terminal for its
// background colour (xterm control sequences, OSC 11). The answer arrives on the
// input like a key; [ReplyFilter] takes it out.
const BackgroundQuery = "\x1b]11;?\x1b\\"

// ParseBackground reads an answer to [BackgroundQuery], such as
// "\x1b]11;rgb:1e1e/1e1e/1e1e\x07" (one to four hexadecimal digits a part), and
// reports whether the background is dark. ok is false for anything else.
func ParseBackground(reply string) (isDark, ok bool) {
	body, found := strings.CutPrefix(reply, replyPrefix)
	if !found {
		return false, false
	}
	body = strings.TrimSuffix(strings.TrimSuffix(body, "\x07"), "\x1b\\")
	var parts []string
	switch {
	case strings.HasPrefix(body, "rgb:"):
		parts = strings.Split(body[4:], "/")
	case strings.HasPrefix(body, "rgba:"):
		if parts = strings.Split(body[5:], "/"); len(parts) == 4 {
			parts = parts[:3]
		}
	case strings.HasPrefix(body, "#") && (len(body) == 7 || len(body) == 13):
		n := (len(body) - 1) / 3
		parts = []string{body[1 : 1+n], body[1+n : 1+2*n], body[1+2*n:]}
	}
	if len(parts) != 3 {
		return false, false
	}
	var rgb [3]float64
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return false, false
		}
		rgb[i] = float64(v) / float64(uint(1)<<(4*len(p))-1)
	}
	// Luma of Rec. 601, as xterm and vim use for the same question.
	return 0.299*rgb[0]+0.587*rgb[1]+0.114*rgb[2] < 0.5, true
}

// ParseColorFGBG reads the variable COLORFGBG ("15;0", "0;default;15") that some
// terminals set: the last field is the background colour of the 16. Dark are 0-6
// and 8, as in vim and rxvt.
func ParseColorFGBG(v string) (isDark, ok bool) {
	i := strings.LastIndexByte(v, ';')
	if i < 0 {
		return false, false
	}
	n, err := strconv.Atoi(v[i+1:])
	if err != nil || n < 0 || n > 15 {
		return false, false
	}
	return n <= 6 || n == 8, true
}

// Start chooses the theme of the first frame without asking the terminal: None
// for NO_COLOR (https://no-color.org) or TERM=dumb, else what COLORFGBG says,
// else Dark. sure is false for that last guess; then a later answer to
// [BackgroundQuery] may replace it.
func Start(getenv func(string) string) (kind Kind, sure bool) {
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return None, true
	}
	if isDark, ok := ParseColorFGBG(getenv("COLORFGBG")); ok {
		if isDark {
			return Dark, true
		}
		return Light, true
	}
	return Dark, false
}

// NewRenderer returns a Lip Gloss renderer that never asks the terminal
// anything. The profile is the environment's; NO_COLOR keeps attributes such as
// bold, which are no colour, and TERM=dumb or an output that is no terminal has
// none.
func NewRenderer(w io.Writer, getenv func(string) string, terminal bool) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(w)
	r.SetHasDarkBackground(true)
	r.SetColorProfile(profile(getenv, terminal))
	return r
}

// profile follows termenv's reading of TERM and COLORTERM, without its queries.
func profile(getenv func(string) string, terminal bool) termenv.Profile {
	term := getenv("TERM")
	switch {
	case !terminal || term == "dumb" || term == "":
		return termenv.Ascii
	case getenv("NO_COLOR") != "":
		return termenv.ANSI
	}
	switch strings.ToLower(getenv("COLORTERM")) {
	case "24bit", "truecolor":
		if strings.HasPrefix(term, "screen") && getenv("TERM_PROGRAM") != "tmux" {
			return termenv.ANSI256 // GNU screen hands the variable on but not the colours
		}
		return termenv.TrueColor
	case "yes", "true":
		return termenv.ANSI256
	}
	switch {
	case strings.Contains(term, "direct"), strings.Contains(term, "kitty"), strings.Contains(term, "ghostty"),
		strings.Contains(term, "wezterm"), strings.Contains(term, "alacritty"), strings.Contains(term, "foot"):
		return termenv.TrueColor
	case strings.Contains(term, "256color"), strings.HasPrefix(term, "tmux"), strings.HasPrefix(term, "screen"):
		return termenv.ANSI256
	}
	return termenv.ANSI
}

// ReplyFilter takes answers to [BackgroundQuery] out of the bytes of a
// terminal's input, wherever reads cut them. The zero value is ready.
type ReplyFilter struct {
	held []byte // the start of what may be an answer
	// Found is called for each answer.
	Found func(isDark bool)
}

const replyPrefix = "\x1b]11;"

// maxReply bounds what is held back, in bytes; answers have at most 32.
const maxReply = 64

// Filter returns the input without answers. A single escape byte at the end is
// never held back: it may be a key.
func (f *ReplyFilter) Filter(input []byte) []byte {
	in := input
	if len(f.held) > 0 {
		in = append(f.held, input...)
		f.held = nil
	}
	var out []byte
	for {
		i := bytes.Index(in, []byte("\x1b]"))
		if i < 0 {
			return append(out, in...)
		}
		out = append(out, in[:i]...)
		in = in[i:]
		n := min(len(in), len(replyPrefix))
		if string(in[:n]) != replyPrefix[:n] {
			out = append(out, in[:2]...)
			in = in[2:]
			continue
		}
		end := replyEnd(in)
		switch {
		case end > 0:
			if isDark, ok := ParseBackground(string(in[:end])); ok && f.Found != nil {
				f.Found(isDark)
			}
			in = in[end:]
		case len(in) < maxReply:
			f.held = append([]byte(nil), in...)
			return out
		default:
			return append(out, in...)
		}
	}
}

// replyEnd returns the length of the OSC string at the start of b, its
// terminator included, or 0 if it is not complete.
func replyEnd(b []byte) int {
	for i := 2; i < len(b); i++ {
		if b[i] == 0x07 {
			return i + 1
		}
		if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
			return i + 2
		}
	}
	return 0
}
