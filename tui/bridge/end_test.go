package bridge_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"claimscope/engine"
	"claimscope/engine/state"
	"claimscope/sessions"
	"claimscope/tui/bridge"
)

// TestEndLeavesNoSessionInterrupted: whatever runs when the console is closed is
// recorded as cancelled, paused runs included.
func TestEndLeavesNoSessionInterrupted(t *testing.T) {
	home := t.TempDir()
	open := func() *engine.Engine {
		e, err := engine.Open(engine.Environment{
			Getenv:  func(name string) string { return map[string]string{"HOME": home}[name] },
			Bundled: sessions.FS(), Now: time.Now, Random: strings.NewReader(strings.Repeat("seed of the ids ", 64)),
		})
		require.NoError(t, err)
		return e
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := bridge.New(ctx, bridge.Of(open()))
	var ids []string
	for _, paused := range []bool{true, false} {
		msg, ok := b.Start(1, bridge.Request{Replay: "bundled-payment-pool-pass", Debug: bridge.Debug{Paused: paused}})().(bridge.Started)
		require.True(t, ok)
		require.NoError(t, msg.Err)
		ids = append(ids, msg.State.Header.ID)
	}
	b.End("the console was closed", time.Minute)
	cancel()
	e := open() // another program, so to say
	for _, id := range ids {
		rec, err := e.Open(id)
		require.NoError(t, err)
		st := rec.State()
		require.Equal(t, state.Cancelled, st.Status)
		require.Equal(t, "the console was closed", st.Error)
	}
}
