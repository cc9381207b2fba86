package tui

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// built is a program built as a release is, in a folder of the benchmark.
func built(b *testing.B, pkg string) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "program")
	out, err := exec.Command("go", "build", "-trimpath", "-o", bin, pkg).CombinedOutput()
	require.NoError(b, err, "%s", out)
	return bin
}

// trivial is a program that only writes a word: what any program of this language costs.
func trivial(b *testing.B) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), "main.go")
	require.NoError(b, os.WriteFile(file, []byte("package main\n\nfunc main() { print(\"hello\") }\n"), 0o600))
	return built(b, file)
}

// firstFrame starts a program in a pseudo-terminal of 120×40 and gives the time until
// its screen, as a terminal emulator has it, shows all the words. The program is ended.
func firstFrame(b *testing.B, home string, words []string, bin string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Env = []string{"HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=en_US.UTF-8", "TZ=UTC"}
	screen := vt.NewEmulator(120, 40)
	start := time.Now()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	require.NoError(b, err)
	answered := make(chan struct{})
	go func() { // the terminal's answers
		defer close(answered)
		_, _ = io.Copy(tty, screen)
	}()
	var took time.Duration
	chunk := make([]byte, 64<<10)
	for took == 0 {
		n, err := tty.Read(chunk)
		_, _ = screen.Write(chunk[:n])
		if shown := screen.String(); !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(shown, w) }) {
			took = time.Since(start)
			break
		}
		require.NoError(b, err, "%q of %v:\n%s", args, words, screen.String())
	}
	if err := cmd.Process.Kill(); !errors.Is(err, os.ErrProcessDone) {
		require.NoError(b, err)
	}
	_ = cmd.Wait() // it was killed
	require.NoError(b, screen.Close())
	<-answered
	require.NoError(b, tty.Close())
	return took
}

// BenchmarkFirstFrame is from the start of the built program to its first whole frame in
// a pseudo-terminal (aim: 150 ms), in ms: of the list, of a session named on the command
// line, and of one of its claims. The start of a program that does nothing is the baseline.
func BenchmarkFirstFrame(b *testing.B) {
	bin, home := built(b, "claimscope"), b.TempDir()
	for _, x := range []struct {
		name  string
		bin   string
		args  []string
		words []string
	}{
		{"list", bin, nil, []string{"3/3", "LOW_CONFID", "? help"}},
		{"session", bin, []string{"bundled-payment-pool-lowconfid"}, []string{"1 Pipeline", "claim-1", "1/3 claims", "? help"}},
		{"claim", bin, []string{"bundled-payment-pool-lowconfid#claim-2"}, []string{"only text of trace-2", "place 1 of 1", "? help"}},
		{"baseline", trivial(b), nil, []string{"hello"}},
	} {
		b.Run(x.name, func(b *testing.B) {
			var all []time.Duration
			for b.Loop() {
				all = append(all, firstFrame(b, home, x.words, x.bin, x.args...))
			}
			slices.Sort(all)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(all[len(all)/2]), "ms-median")
			b.ReportMetric(ms(all[0]), "ms-best")
			b.ReportMetric(ms(all[len(all)-1]), "ms-worst")
		})
	}
}
