package pipeline_test

import (
	"testing"

	"claimscope/tui/pane"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/pane/pipeline"
	"claimscope/tui/theme"
)

func fresh(t theme.Theme) pane.Pane { return pipeline.New(t) }

func TestEveryWidth(t *testing.T) { panetest.Sweep(t, fresh) }
