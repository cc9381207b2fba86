package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"claimscope/sessions"
	"claimscope/tui/cli"
	"claimscope/tui/text"
)

// TestNoLineIsWiderThanTheTerminal sweeps the widths: every report fits, in both
// languages, plain and in colour, and holds nothing that a terminal may obey but the
// program's own styles.
func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	dir := t.TempDir()
	archive, err := txtar.ParseFile("testdata/script/verify_report.txtar")
	require.NoError(t, err)
	for _, f := range archive.Files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600))
	}
	commands := [][]string{
		{"verify", filepath.Join(dir, "faulty.case.json"), filepath.Join(dir, "honest.case.json")},
		{"demo"}, {"list"}, {"help"}, {"help", "run"}, {"doctor"},
		{"show", "bundled-payment-pool-pass"}, {"show", "bundled-payment-pool-lowconfid"}, {"show", "bundled-payment-pool-lowconfid", "--why"},
		{"diff", "bundled-payment-pool-pass", "bundled-payment-pool-lowconfid"},
	}
	const narrowest, widest = 40, 160
	for width := narrowest; width <= widest; width += 15 {
		for _, args := range commands {
			for _, lang := range []string{"zh", "en"} {
				colour := (width/15)%2 == 0
				var out, errs bytes.Buffer
				app := &cli.App{
					Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Bundled: sessions.FS(), Random: rand.NewChaCha8([32]byte{}),
					Now: func() time.Time { return time.Unix(0, 0) }, StdoutIsTerminal: colour,
					Width: func() int { return width }, Getenv: func(string) string { return "" },
				}
				code := app.Main(context.Background(), append([]string{"--lang", lang}, args...))
				require.NotEqual(t, cli.ExitInternal, code, errs.String())
				require.NotEmpty(t, out.String())
				for line := range strings.Lines(out.String()) {
					line = strings.TrimSuffix(line, "\n")
					plain := text.Unstyle(line)
					what := fmt.Sprintf("%s at %d: %s", strings.Join(args, " "), width, strconv.Quote(line))
					require.LessOrEqual(t, text.Width(plain), width, what)
					require.Equal(t, text.SanitiseLine(plain), plain, what)
					require.Equal(t, colour && plain != line, plain != line, what)
				}
			}
		}
	}
}
