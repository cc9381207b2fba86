package tracepane_test

import (
	"testing"

	"claimscope/tui/pane"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/pane/tracepane"
	"claimscope/tui/theme"
)

func fresh(t theme.Theme) pane.Pane { return tracepane.New(t) }

func TestEveryWidth(t *testing.T) { panetest.Sweep(t, fresh) }
