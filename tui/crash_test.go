//go:build tmux

package tui

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// TestCrashForReal is run by testdata/tmux.sh on a terminal of its own: the console
// breaks where CLAIMSCOPE_CRASH says, and the program ends as the product does.
func TestCrashForReal(t *testing.T) {
	t.Helper()
	terminal := NewTerminal(os.Stdin, os.Stdout, os.Getenv)
	err := terminal.Run(context.Background(), faulty{os.Getenv("CLAIMSCOPE_CRASH")}, true)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
