package session

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/state"
)

func clock() func() time.Time {
	at := time.Date(2026, 11, 30, 15, 45, 1, 0, time.UTC)
	return func() time.Time { at = at.Add(100 * time.Millisecond); return at }
}

func TestMemoryLogFoldsWhatItTakes(t *testing.T) {
	l := NewMemory(event.Header{Schema: 1, ID: "x", Time: clock()()}, clock(), "no folder")
	_, err := l.Append(1, event.Planner, event.StageStarted{})
	require.NoError(t, err)
	before := l.State()
	e, err := l.Append(1, event.Executor, event.StageStarted{})
	require.NoError(t, err)
	require.Equal(t, 2, e.Seq)
	require.Equal(t, event.Planner, before.Stage, "a snapshot does not move")
	require.Equal(t, state.StageRunning, before.Attempts[0].Stages[0].Status)
	now := l.State()
	require.Equal(t, state.StageDone, now.Attempts[0].Stages[0].Status)
	require.True(t, now.Unsaved)
	_, err = l.Append(0, "", event.Cancelled{Why: "ctrl-c"})
	require.NoError(t, err)
	_, err = l.Append(1, event.Executor, event.StageStarted{})
	require.ErrorIs(t, err, event.ErrAfterEnd)
	require.Len(t, l.Events(), 3)
}
