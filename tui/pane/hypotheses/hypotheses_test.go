package hypotheses_test

import (
	"testing"

	"claimscope/tui/pane"
	"claimscope/tui/pane/hypotheses"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/theme"
)

func fresh(t theme.Theme) pane.Pane { return hypotheses.New(t) }

func TestEveryWidth(t *testing.T) { panetest.Sweep(t, fresh) }
