package answer_test

import (
	"testing"

	"claimscope/tui/pane"
	"claimscope/tui/pane/answer"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/theme"
)

func fresh(t theme.Theme) pane.Pane { return answer.New(t) }

func TestEveryWidth(t *testing.T) { panetest.Sweep(t, fresh) }
