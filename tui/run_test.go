package tui

import (
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/tui/bridge"
	"claimscope/tui/view"
	"claimscope/tui/view/viewtest"
)

func TestARunThatNobodyWaitsForIsCancelled(t *testing.T) {
	c := newConsole(t, english(), fake())
	_, starting := c.m.Update(key("c"))
	c.press("esc")
	c.do(starting)
	require.Nil(t, c.m.debug)
	require.True(t, c.engine.did("cancel superseded"))
}

func replay(t *testing.T) (*console, *viewtest.Script) {
	c := newConsole(t, english(), fake())
	c.press("c")
	require.True(t, c.engine.did("run s-pass"))
	return c, viewtest.Pass()
}

func TestARunIsFollowedToItsEnd(t *testing.T) {
	c, s := replay(t)
	require.NotNil(t, c.m.debug.run)
	for n := 1; n < len(s.Events); n++ {
		c.push(s, n, false)
		require.Equal(t, n, c.m.debug.now.Seq())
	}
	c.shows("2/2 claims").press("s", "c", "p")
	require.True(t, c.engine.did("step\ncontinue\npause"))
	c.push(s, len(s.Events), true)
	require.Nil(t, c.m.debug.run)
	require.NotNil(t, c.m.debug.rec, "it was read again")
	require.Contains(t, c.last(), "the run has ended: PASS")
	require.Empty(t, c.m.running)
}

func TestAMiddlingScreenShowsTheRun(t *testing.T) {
	c := newConsole(t, english(), fake()).size(110, 30).press("c").shows("1 Pipeline ─", "2 Claims ━")
	s := viewtest.Pass()
	c.push(s, len(s.Events), true)
	c.shows("3 Executor JSON", "2 Claims  2/2 ━")
}

func TestANarrowScreenShowsTheRun(t *testing.T) {
	for _, elsewhere := range []bool{false, true} {
		c := newConsole(t, english(), fake()).size(80, 24).press("c")
		require.Equal(t, view.PanePipeline, c.m.debug.focus)
		end := view.PaneClaims
		if elsewhere {
			c.press("5")
			end = view.PaneTrace
		}
		s := viewtest.Pass()
		c.push(s, len(s.Events), true)
		require.Equal(t, end, c.m.debug.focus)
	}
}

func TestARunGoesOnBehindTheList(t *testing.T) {
	c, s := replay(t)
	c.push(s, 5, false)
	c.press("esc")
	c.shows("1 running", "running")
	c.press("g")
	row, _ := c.m.list.Selected()
	require.Equal(t, "run-1", row.ID, "live runs stand on top")

	c.press("j", "j", "enter") // another session
	require.Equal(t, "s-low", c.m.debug.session)
	c.push(s, 9, false)
	require.Equal(t, "s-low", c.m.debug.session)
	c.press("esc", "g", "enter") // back to the run: nothing of it was missed
	require.Equal(t, "run-1", c.m.debug.session)
	require.Equal(t, 9, c.m.debug.now.Seq())
	c.press("esc")
	c.push(s, len(s.Events), true)
	require.Contains(t, c.last(), "a run has ended: PASS")
}

func TestLeavingDuringARun(t *testing.T) {
	c, _ := replay(t)
	c.press("q")
	require.False(t, c.quit)
	require.Contains(t, c.last(), "a run is under way")
	c.press("x") // no answer
	require.Contains(t, c.last(), "a run is under way")
	c.press("n")
	require.Nil(t, c.m.dialog)
	c.press("ctrl+c")
	require.True(t, c.engine.did("cancel ctrl+c"))
	require.False(t, c.quit)
	c.press("j", "ctrl+c") // not the second press of two
	require.False(t, c.quit)
	c.press("ctrl+c")
	require.True(t, c.quit)
	require.Empty(t, c.m.View())

	c, _ = replay(t)
	c.press("q", "y")
	require.True(t, c.quit)
}

func paused() *viewtest.Script {
	s := viewtest.Running()
	return s.Add(1, event.Verifier, event.Paused{Boundary: "verifier", Why: "step"})
}

func TestLookEditAndSkipWhilePaused(t *testing.T) {
	c, _ := replay(t)
	c.press("i")
	require.Contains(t, c.last(), "only while paused")
	s := paused()
	c.push(s, len(s.Events), false)
	require.Contains(t, c.last(), "paused before verifier (step)")
	c.press("j").shows("‖ paused before verifier")
	require.Contains(t, c.last(), "K skip")

	c.press("i").shows("paused before verifier", "[request]", "chat-verifier-prompt", `"what": "request"`)
	c.press("i")
	require.Contains(t, c.last(), "nothing was changed")
	c.editing = func(string) string { return `{"what":"else"}` }
	c.press("i")
	require.True(t, c.engine.did(`edit request {"what":"else"}`))
	require.Contains(t, c.last(), "changed, and recorded")
	c.press("S")
	require.Contains(t, c.last(), "only a prompt can be saved")
	c.press("tab").shows("[prompt chat-verifier-prompt]")
	c.press("S")
	require.True(t, c.engine.did("prompt chat-verifier-prompt"))
	c.press("K")
	require.True(t, c.engine.did("skip"))
	require.Nil(t, c.m.dialog)
	c.press("K")
	require.True(t, c.engine.did("skip"))
}

func TestARefusedEditIsNotLost(t *testing.T) {
	c, _ := replay(t)
	s := paused()
	c.push(s, len(s.Events), false)
	c.press("i")
	c.editing = func(string) string { c.engine.refuse = errNoSession; return "half a request" }
	c.press("i")
	require.Contains(t, c.last(), "i takes your text up again")
	c.engine.refuse = nil
	got := ""
	c.editing = func(s string) string { got = s; return `{"whole":"request"}` }
	c.press("i")
	require.Equal(t, "half a request", got)
	require.True(t, c.engine.did(`edit request {"whole":"request"}`))
	c.press("i")
	require.NotEqual(t, "half a request", got)
}

func TestAnEditThatComesTooLate(t *testing.T) {
	c, _ := replay(t)
	s := paused()
	c.push(s, len(s.Events), false)
	c.press("i")
	full := viewtest.Pass()
	c.push(full, len(full.Events)-1, false) // it went on while the editor was open
	c.send(edited{gen: c.m.debug.gen, part: bridge.Part{Target: "request"}, text: "x"})
	require.Contains(t, c.last(), "the edit is not used")
	require.False(t, c.engine.did("edit"))
	c.send(edited{gen: c.m.debug.gen, failed: errors.New("the editor vi: exit status 1")})
	require.Contains(t, c.last(), "exit status 1")
}

func TestBreakpoints(t *testing.T) {
	c, _ := replay(t)
	c.press("b").typed("B005，tool:query_logs x2").press("enter")
	require.True(t, c.engine.did("breakpoints code:B005 tool:query_logs x2"))
	c.press("b").shows("> code:B005, tool:query_logs x2")
	c.typed("; nonsense:1").press("enter")
	require.NotNil(t, c.m.dialog, "it stays to be put right")
	c.shows("✗ ")
	c.press("ctrl+u", "enter")
	require.Empty(t, c.m.debug.breaks)
	require.Contains(t, c.last(), "no breakpoints")
}

func TestRerunFromTheStageSelected(t *testing.T) {
	for _, x := range []struct {
		stage event.Stage
		call  string
	}{
		{event.Planner, "fork s-low executor planner"}, {event.Executor, "fork s-low executor \n"}, {event.Verifier, "fork s-low verifier "},
	} {
		c := opened(t, viewtest.LowConfid())
		c.m.debug.view.Apply(view.SelectStage{Attempt: 2, Stage: x.stage})
		c.press("r")
		require.True(t, c.engine.did(x.call[:len(x.call)-1]), x.stage)
		require.NotNil(t, c.m.debug.run)
	}
}

func TestAnInterruptedSessionIsTakenUp(t *testing.T) {
	c := opened(t, viewtest.Running())
	c.shows("? unfinished", "? Executor")
	require.Contains(t, c.last(), "this session has not come to its verdict; u resumes it")
	c.press("2").shows("u resume").press("u")
	require.True(t, c.engine.did("resume s-live"))
	require.NotNil(t, c.m.debug.run)
	c.press("u")
	require.Contains(t, c.last(), "is running")

	c = newConsole(t, english(), newFakeEngine(viewtest.Running(), viewtest.Pass()))
	c.shows("interrupted").press("u")
	require.True(t, c.engine.did("resume s-live"))
	// A replay that was cut short is replayed from what it replays.
	cut := viewtest.Running()
	cut.Header.Model, cut.Header.Parent = "replay", &event.Parent{ID: "s-pass", Mode: "replay"}
	for _, keys := range [][]string{{"c"}, {"enter", "c"}} {
		c = newConsole(t, english(), newFakeEngine(cut, viewtest.Pass())).press(keys...)
		require.True(t, c.engine.did("run s-pass"), keys)
	}
	c = newConsole(t, english(), fake()).press("u")
	require.Contains(t, c.last(), "there is nothing to resume")
	require.False(t, c.engine.did("resume"))
}

func TestAnImportShowsWhatTheGateSaid(t *testing.T) {
	for decision, badge := range map[gate.Decision]string{gate.Blocked: " ✗ BLOCKED ", gate.Clean: " CLEAN ", gate.Unchecked: " UNCHECKED "} {
		s := viewtest.NewScript("s-import", "案例", contract.V2)
		s.Header.Model = imported
		r := viewtest.LowReport()
		r.Decision = decision
		s.Output(1, "{}").Gate(1, r).Add(0, "", event.Finished{})
		c := opened(t, s).shows(badge)
		c.press("u")
		require.Contains(t, c.last(), "no run to take up")
		c.press("c")
		require.Contains(t, c.last(), "no model replies to replay")
	}
}

func TestRepeat(t *testing.T) {
	c := opened(t, viewtest.LowConfid())
	c.press("R").typed("x").press("enter")
	require.Contains(t, c.last(), "from 1 to 100")
	c.press("R").typed("3").press("enter")
	require.True(t, c.engine.did("repeat s-low"))
	c.shows("what 3 runs came to")
	c.press("y")
	require.Contains(t, c.copied, "verdicts")
}

func TestABurstThatStartsARun(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.typed("cq") // the question comes when the run has begun
	require.False(t, c.quit)
	require.Contains(t, c.last(), "a run is under way")
	c.press("y")
	require.True(t, c.quit)
}

func TestWhatStreamsIn(t *testing.T) {
	c, s := replay(t)
	c.push(s, 4, false)
	long := bridge.Delta{Stage: event.Executor}
	long.Content = "先看指标" + string(make([]byte, 3*maxTail)) + "最后的字"
	c.send(bridge.Streamed{Gen: c.m.debug.gen, Deltas: []bridge.Delta{long}})
	require.LessOrEqual(t, len(c.m.debug.live.Content), maxTail)
	require.Contains(t, c.m.debug.live.Content, "最后的字")
	again := bridge.Delta{Stage: event.Executor}
	again.Restart, again.Content = true, "重来"
	c.send(bridge.Streamed{Gen: c.m.debug.gen, Deltas: []bridge.Delta{again}})
	require.Equal(t, "重来", c.m.debug.live.Content)
	c.send(tick{c.m.debug.gen})
	require.Equal(t, 1, c.m.debug.live.Tick)
	require.Contains(t, c.later, tea.Msg(tick{c.m.debug.gen}))
}
