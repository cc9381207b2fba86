package verifierview_test

import (
	"testing"

	"claimscope/tui/pane"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/pane/verifierview"
	"claimscope/tui/theme"
)

func fresh(t theme.Theme) pane.Pane { return verifierview.New(t) }

func TestEveryWidth(t *testing.T) { panetest.Sweep(t, fresh) }
