package tui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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
func firstFrame(b *testing.B, home string, words []string, bin string, args ...string) (took time.Duration, held float64) {
	b.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Env = environment(home)
	screen := vt.NewEmulator(120, 40)
	start := time.Now()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	require.NoError(b, err)
	answered := make(chan struct{})
	go func() { // the terminal's answers
		defer close(answered)
		_, _ = io.Copy(tty, screen)
	}()
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
	held = resident(cmd.Process.Pid)
	if err := cmd.Process.Kill(); !errors.Is(err, os.ErrProcessDone) {
		require.NoError(b, err)
	}
	_ = cmd.Wait() // it was killed
	require.NoError(b, screen.Close())
	<-answered
	require.NoError(b, tty.Close())
	return took, held
}

func environment(home string) []string {
	return []string{"HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=en_US.UTF-8", "TZ=UTC"}
}

// resident is the most memory that a process has held so far, in MB; 0 where the system
// does not say.
func resident(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kb, err := strconv.Atoi(fields[0])
	if err != nil {
		return 0
	}
	return float64(kb) / 1024
}

// longSession imports a session whose one trace has about 100 MB into a home, and gives
// its id.
func longSession(b *testing.B, bin, home string) string {
	b.Helper()
	dir := b.TempDir()
	require.NoError(b, os.WriteFile(filepath.Join(dir, "trace-1.log"), logLines(100<<20), 0o600))
	file := filepath.Join(dir, "case.json")
	require.NoError(b, os.WriteFile(file, []byte(`{"case_version":"claimscope_case_v1","id":"long","original_query":"q","executor_final_answer":"{\"answer_version\":\"executor_evidence_v2\",\"claims\":[{\"claim_id\":\"claim-1\",\"claim_type\":\"symptom\",\"claim_text\":\"连接池已满\",\"support_level\":\"direct\",\"evidence_bindings\":[{\"source_type\":\"tool_trace\",\"source_id\":\"trace-1\",\"evidence_excerpt\":\"active=50 idle=0 waiting=7\"}]}],\"hypotheses\":[],\"recommended_actions\":[],\"missing_info\":[]}","traces":[{"trace_ref":"trace-1","tool_name":"query_logs","arguments":{},"invocation_ids":[101],"status":"ok","output":""}]}`), 0o600))
	cmd := exec.Command(bin, "import", file, "--format", "case", "--traces", dir)
	cmd.Env = environment(home)
	out, err := cmd.Output()
	require.NoError(b, err)
	return strings.TrimSpace(string(out))
}

// BenchmarkFirstFrame is from the start of the built program to its first whole frame in
// a pseudo-terminal (aim: 150 ms), in ms: of the list, of a session named on the command
// line, and of one of its claims; and the most memory that it then has held. The start of
// a program that does nothing is the baseline. With a session of 100 MB, whose every byte
// is read and hashed, there are two frames to wait for: the first one, and the session's.
func BenchmarkFirstFrame(b *testing.B) {
	bin, home, large := built(b, "claimscope"), b.TempDir(), b.TempDir()
	long := longSession(b, bin, large)
	for _, x := range []struct {
		name  string
		home  string
		bin   string
		args  []string
		words []string
	}{
		{"list", home, bin, nil, []string{"3/3", "LOW_CONFID", "? help"}},
		{"session", home, bin, []string{"bundled-payment-pool-lowconfid"}, []string{"1 Pipeline", "claim-1", "1/3 claims", "? help"}},
		{"claim", home, bin, []string{"bundled-payment-pool-lowconfid#claim-2"}, []string{"only text of trace-2", "place 1 of 1", "? help"}},
		{"100MB-first", large, bin, []string{long}, []string{"sessions", "esc cancels"}},
		{"100MB-session", large, bin, []string{long}, []string{"claim-1", "获取数据库连接超时", "? help"}},
		{"baseline", home, trivial(b), nil, []string{"hello"}},
	} {
		b.Run(x.name, func(b *testing.B) {
			var all []time.Duration
			most := 0.0
			for b.Loop() {
				took, held := firstFrame(b, x.home, x.words, x.bin, x.args...)
				all, most = append(all, took), max(most, held)
			}
			slices.Sort(all)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(all[len(all)/2]), "ms-median")
			b.ReportMetric(ms(all[0]), "ms-best")
			b.ReportMetric(most, "MB-held")
			b.ReportMetric(ms(all[len(all)-1]), "ms-worst")
		})
	}
}
