package claims_test

import (
	"testing"

	"claimscope/tui/pane"
	"claimscope/tui/pane/claims"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/theme"
)

func fresh(t theme.Theme) pane.Pane { return claims.New(t) }

func TestEveryWidth(t *testing.T) { panetest.Sweep(t, fresh) }
