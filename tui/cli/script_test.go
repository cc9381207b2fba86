package cli_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/sessions"
	"claimscope/tui/cli"
)

// TestMain lets the test binary be the program when a script calls it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"claimscope": program})
}

// program is main.go with a clock that stands still, ids that are always the same and
// a console that only tells where it would open.
func program() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	engine.Version = "test"
	bundled := sessions.FS()
	if dir := os.Getenv("TEST_BUNDLED"); dir != "" {
		bundled = os.DirFS(dir)
	}
	app := &cli.App{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Bundled: bundled,
		Now:              func() time.Time { return time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC) },
		Random:           rand.NewChaCha8([32]byte{}),
		StdoutIsTerminal: os.Getenv("TEST_TERMINAL") != "",
		Console: func(_ context.Context, o cli.ConsoleOptions) error {
			_, err := fmt.Printf("console session=%q claim=%q lang=%s\n", o.Session, o.Claim, o.Lang)
			return err
		},
	}
	os.Exit(app.Main(ctx, os.Args[1:]))
}

// TestScripts runs testdata/script/*.txtar: each is a stranger at the command line, with
// what is written to stdout and stderr and the exit code. UPDATE_GOLDEN=1 writes the
// expected outputs anew.
func TestScripts(t *testing.T) {
	const dir = "testdata/script"
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	require.NoError(t, err)
	require.Greater(t, len(files), 10, "the scripts are gone")
	recordings, err := filepath.Abs("../../sessions/recordings")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir: dir, UpdateScripts: os.Getenv("UPDATE_GOLDEN") != "", RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, ".home"))
			env.Setenv("TZ", "UTC")
			env.Setenv("COLUMNS", "100")
			env.Setenv("LANG", "zh_CN.UTF-8")
			env.Setenv("RECORDINGS", recordings)
			return os.Mkdir(filepath.Join(env.WorkDir, ".home"), 0o700)
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" { // whom no permission stops
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("no condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"oneline": oneline,
			"bytes":   writeBytes,
			"visible": visible,
		},
	})
}

// exits CODE claimscope ARGS… runs the program and asserts its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// oneline asserts that stderr is one line that begins with the program's name, and that
// nothing was printed to stdout.
func oneline(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile("stderr")
	if neg || len(args) > 0 || !strings.HasPrefix(text, "claimscope: ") || strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		ts.Fatalf("want one line on stderr")
	}
	if ts.ReadFile("stdout") != "" {
		ts.Fatalf("want nothing on stdout")
	}
}

// bytes FILE GO-STRING writes the bytes of a Go string literal, such as "\x00\xff".
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE STRING")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// visible FILE asserts that a file (stdout, stderr) holds nothing that a terminal may obey.
func visible(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: visible FILE")
	}
	for i, r := range ts.ReadFile(args[0]) {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0xfffd || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			ts.Fatalf("%s holds %U at byte %d", args[0], r, i)
		}
	}
}
