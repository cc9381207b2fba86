package jsonpane_test

import (
	"testing"

	"claimscope/tui/pane"
	"claimscope/tui/pane/jsonpane"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/theme"
)

func fresh(t theme.Theme) pane.Pane { return jsonpane.New(t) }

func TestEveryWidth(t *testing.T) { panetest.Sweep(t, fresh) }
