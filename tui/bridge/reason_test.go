package bridge_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/engine/session"
	"claimscope/tui/bridge"
)

func TestReasonsAreInBothLanguages(t *testing.T) {
	for _, err := range []error{
		engine.ErrNoModel, engine.ErrDecided, engine.ErrNoTools, engine.ErrNoPrompts, engine.ErrNothingToRun, engine.ErrNotPaused,
		session.ErrLocked, session.ErrNotFound, session.ErrNotEnded,
	} {
		why := bridge.Reason(fmt.Errorf("session x: %w", err))
		require.NotEqual(t, why.ZH, why.EN)
		require.NotEmpty(t, why.EN)
	}
	require.Contains(t, bridge.Reason(engine.ErrNoModel).EN, "OPENAI_BASE_URL")
	require.Equal(t, bridge.Note{ZH: "disk full", EN: "disk full"}, bridge.Reason(errors.New("disk full")))
}
