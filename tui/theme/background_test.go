package theme_test

import (
	"io"
	"testing"

	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/tui/theme"
)

func TestParseBackground(t *testing.T) {
	for reply, want := range map[string][2]bool{
		"\x1b]11;rgb:1e1e/1e1e/1e1e\x07":       {true, true},
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\":     {false, true},
		"\x1b]11;rgb:f/f/e\x07":                {false, true},
		"\x1b]11;rgba:0000/0000/0000/ffff\x07": {true, true},
		"\x1b]11;#fdf6e3\x07":                  {false, true},
		"\x1b]11;#000000000000\x1b\\":          {true, true},
		"\x1b]11;rgb:zz/00/00\x07":             {false, false},
		"\x1b]11;rgb:11111/00/00\x07":          {false, false},
		"\x1b]11;rgb://\x07":                   {false, false},
		"\x1b]10;rgb:ffff/ffff/ffff\x07":       {false, false},
		"":                                     {false, false},
	} {
		dark, ok := theme.ParseBackground(reply)
		assert.Equal(t, want, [2]bool{dark, ok}, "%q", reply)
	}
	for v, want := range map[string][2]bool{
		"15;0": {true, true}, "0;15": {false, true}, "0;default;7": {false, true}, "15;8": {true, true}, "x": {false, false}, "0;99": {false, false},
	} {
		dark, ok := theme.ParseColorFGBG(v)
		assert.Equal(t, want, [2]bool{dark, ok}, v)
	}
}

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(k string) string { return m[k] }
}

func TestStart(t *testing.T) {
	for _, c := range []struct {
		env  func(string) string
		kind theme.Kind
		sure bool
	}{
		{env(), theme.Dark, false},
		{env("COLORFGBG", "0;15"), theme.Light, true},
		{env("COLORFGBG", "15;0"), theme.Dark, true},
		{env("NO_COLOR", "1", "COLORFGBG", "0;15"), theme.None, true},
		{env("TERM", "dumb"), theme.None, true},
	} {
		kind, sure := theme.Start(c.env)
		assert.Equal(t, c.kind, kind)
		assert.Equal(t, c.sure, sure)
	}
}

func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		env      func(string) string
		terminal bool
		want     termenv.Profile
	}{
		{env("TERM", "xterm-256color"), true, termenv.ANSI256},
		{env("TERM", "xterm-256color", "COLORTERM", "truecolor"), true, termenv.TrueColor},
		{env("TERM", "screen", "COLORTERM", "truecolor"), true, termenv.ANSI256},
		{env("TERM", "screen", "COLORTERM", "truecolor", "TERM_PROGRAM", "tmux"), true, termenv.TrueColor},
		{env("TERM", "xterm", "COLORTERM", "yes"), true, termenv.ANSI256},
		{env("TERM", "xterm-kitty"), true, termenv.TrueColor},
		{env("TERM", "xterm"), true, termenv.ANSI},
		{env("TERM", "xterm-kitty", "NO_COLOR", "1"), true, termenv.ANSI},
		{env("TERM", "dumb"), true, termenv.Ascii},
		{env(), true, termenv.Ascii},
		{env("TERM", "xterm-kitty"), false, termenv.Ascii},
	} {
		assert.Equal(t, c.want, theme.NewRenderer(io.Discard, c.env, c.terminal).ColorProfile())
	}
}

func TestReplyFilterTakesAnswersOutWhereverReadsAreCut(t *testing.T) {
	const answer = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
	stream := "j\x1b[A" + answer + "k\x1b]x\x1b"
	for cut := 0; cut <= len(stream); cut++ {
		if stream[max(cut-1, 0)] == 0x1b && cut < len(stream) && cut != 0 {
			continue // an escape byte that ends a read is passed on: it may be a key
		}
		var answers []bool
		f := theme.ReplyFilter{Found: func(dark bool) { answers = append(answers, dark) }}
		got := string(f.Filter([]byte(stream[:cut]))) + string(f.Filter([]byte(stream[cut:])))
		require.Equal(t, "j\x1b[Ak\x1b]x\x1b", got, "cut at %d", cut)
		require.Equal(t, []bool{false}, answers)
	}
}

func FuzzReplyFilter(f *testing.F) {
	f.Add([]byte("a\x1b]11;rgb:0/0/0\x07b"), 5)
	f.Add([]byte("\x1b]11;"+"0000000000000000000000000000000000000000000000000000000000000000000000"), 70)
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		cut = min(max(cut, 0), len(in))
		rf := theme.ReplyFilter{Found: func(bool) {}}
		n := len(rf.Filter(in[:cut])) + len(rf.Filter(in[cut:]))
		require.LessOrEqual(t, n, len(in))
	})
}
