package tui

import (
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/tui/bridge"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/view/viewtest"
)

func fake() *fakeEngine {
	return newFakeEngine(viewtest.Pass(), viewtest.LowConfid(), viewtest.Malformed())
}

// opened is a console on a session.
func opened(t *testing.T, s *viewtest.Script) *console {
	o := english()
	o.Session = s.Header.ID
	return newConsole(t, o, newFakeEngine(s))
}

func TestThreeKeysFromTheListToTheBytes(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.press("e", "enter", "e")
	c.shows(
		"LOW_CONFID", "2/5 claims",
		"▸  ✗ Verifier: 只能说明症状",                      // the failing claim's finding
		"trace-2 query_logs #102", "2▌15:44:10 WARN", // and the place in the raw output
	)
	c.press("e").shows("▸    ✗ the excerpt is not in the output", "nowhere in 3 traces, 608 B")
}

func TestKeysTypedAheadWaitForTheSession(t *testing.T) {
	c := newConsole(t, english(), fake())
	_, opening := c.m.Update(key("enter")) // the session is being read …
	c.press("2")
	c.typed("ee") // … while keys arrive
	require.Nil(t, c.m.debug)
	require.Contains(t, c.last(), "esc cancels")
	c.do(opening)
	require.Equal(t, "s-pass", c.m.debug.session)
	require.Empty(t, c.m.early)

	// Before the list is there, too.
	early := New(Options{Bridge: c.m.o.Bridge, Lang: text.EN, Now: c.m.o.Now, Zone: c.m.o.Zone, After: c.m.o.After})
	c.m = early
	c.size(120, 40)
	c.shows("reading…")
	init := c.m.Init()
	c.typed("j").press("enter", "e")
	c.do(init)
	require.Equal(t, "s-low", c.m.debug.session)
	require.NotNil(t, c.m.debug.view.Finding())
}

func TestEscapeEndsTheWaiting(t *testing.T) {
	c := newConsole(t, english(), fake())
	_, opening := c.m.Update(key("enter"))
	c.press("j", "esc")
	c.do(opening)
	require.Nil(t, c.m.debug, "what comes after escape is late")
	c.press("j").shows("▸") // keys work at once again
	row, _ := c.m.list.Selected()
	require.Equal(t, "s-low", row.ID)

	_, _ = c.m.Update(key("enter"))
	c.press("ctrl+c")
	require.True(t, c.quit)
}

func TestLateMessagesAreDropped(t *testing.T) {
	c := newConsole(t, english(), fake())
	_, first := c.m.Update(key("enter"))
	c.press("esc", "j")
	_, second := c.m.Update(key("enter"))
	c.do(second)
	require.Equal(t, "s-low", c.m.debug.session)
	c.do(first)
	require.Equal(t, "s-low", c.m.debug.session)

	// A list that was asked for before the one shown.
	c.press("esc", "esc")
	require.Equal(t, screenSessions, c.m.screen)
	c.send(bridge.Listed{Gen: 0})
	c.shows("3/3")

	// Everything else of another generation.
	other := c.m.gen + 7
	before := c.plain()
	for _, msg := range []tea.Msg{
		bridge.Opened{Gen: other, Err: errNoSession}, bridge.Shown{Gen: other}, bridge.Started{Gen: other, Err: errNoSession},
		bridge.Happened{Gen: other, Err: errNoSession}, bridge.Streamed{Gen: other, Deltas: []bridge.Delta{{Stage: "executor"}}},
		bridge.Looked{Gen: other}, bridge.Compared{Gen: other, Err: errNoSession}, bridge.Begun{Gen: other}, bridge.Repeated{Gen: other, Err: errNoSession},
		tick{other}, searchStep{},
	} {
		c.send(msg)
		require.Equal(t, before, c.plain(), "%T", msg)
	}
}

// replay is a console with a run of the passing session, at its first event.
// TestANarrowScreenShowsTheRun: the pipeline while it goes on, the claims at its end,
// unless the person went elsewhere.
// paused is a script that waits before its Verifier.
// TestARefusedEditIsNotLost: what was typed comes back in the editor.
func TestReview(t *testing.T) {
	c := opened(t, viewtest.LowConfid())
	c.press("a")
	require.True(t, c.engine.did("review s-low accept   张三"))
	c.press("o").typed("手工核对过").press("enter", "enter")
	require.True(t, c.engine.did("review s-low override  手工核对过 张三"))
	c.press("o", "enter")
	require.Contains(t, c.last(), "needs a reason")
	c.press("m")
	require.Contains(t, c.last(), "select a claim first")
	c.press("e", "m", "w")
	require.True(t, c.engine.did("review s-low claim_wrong claim-1  张三"))
	require.NotNil(t, c.m.debug.view.Finding(), "the place stays")

	reviewed := viewtest.LowConfid()
	reviewed.Add(0, "", event.Reviewed{Action: event.ReviewOverride, By: "张三", Reason: "手工核对过"})
	reviewed.Add(0, "", event.Reviewed{Action: event.ReviewClaimWrong, By: "李四", ClaimID: "claim-2"})
	opened(t, reviewed).shows("overridden by 张三", "── reviews", "overridden by 张三:", "claim-2 marked wrong")

	c = opened(t, viewtest.Pass())
	c.press("a")
	require.Contains(t, c.last(), "only a LOW_CONFID")
	c = opened(t, viewtest.Running())
	c.press("o")
	require.Contains(t, c.last(), "has not ended")
}

func TestReviewOfABundledSessionKeepsThePlace(t *testing.T) {
	c := opened(t, viewtest.LowConfid())
	forked := viewtest.LowConfid()
	forked.Header.ID, forked.Header.Parent = "s-fork", &event.Parent{ID: "s-low"}
	c.engine.scripts["s-fork"] = forked
	c.press("e", "5")
	c.send(bridge.Done{Session: "s-fork", Note: bridge.Note{EN: "recorded"}})
	require.Equal(t, "s-fork", c.m.debug.session)
	require.Equal(t, view.PaneTrace, c.m.debug.focus)
	require.NotNil(t, c.m.debug.view.Finding())
	require.Contains(t, c.last(), "recorded")
}

func TestEventsAreWalked(t *testing.T) {
	c := opened(t, viewtest.LowConfid())
	last := c.m.debug.now.Seq()
	c.press("]")
	require.Zero(t, c.m.debug.at)
	c.press("[", "[", "[")
	require.Equal(t, last-3, c.m.debug.at)
	require.True(t, c.m.debug.view.Past())
	require.Contains(t, c.last(), "●")
	c.press("[").press("]", "]")
	require.Equal(t, last-2, c.m.debug.view.State.Seq())
	c.press("f", "e")
	require.True(t, c.engine.did("fork s-low executor"))
	c = opened(t, viewtest.LowConfid())
	c.press("[", "[", "esc")
	require.Zero(t, c.m.debug.at)
	require.False(t, c.m.debug.view.Past())
}

// TestAnInterruptedSessionIsTakenUp: from the list and from the session itself.
// TestAnImportShowsWhatTheGateSaid, as nobody else has looked at it.
func TestCompare(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.press("d")
	c.shows("◆ 11-30")
	c.press("d") // takes it back
	require.Empty(t, c.m.chosen)
	c.press("d", "j", "d").shows("two sessions", "only at the left", "s-pass", "s-low")
	c.press("tab", "Z", "j").press("enter")
	require.Equal(t, "s-low", c.m.debug.session)
	c.press("esc")
	require.Equal(t, screenCompare, c.m.screen, "back where it came from")
	c.press("/").typed("claim-2").press("enter", "n", "esc")
	require.Equal(t, screenSessions, c.m.screen)

	child := viewtest.LowConfid()
	child.Header.ID, child.Header.Parent = "s-child", &event.Parent{ID: "s-low", Mode: "verifier"}
	o := english()
	o.Session = "s-child"
	c = newConsole(t, o, newFakeEngine(child, viewtest.LowConfid()))
	c.press("d").shows("forked from s-low (verifier)", "the same")
	c.press("esc")
	require.Equal(t, screenDebugger, c.m.screen)
}

func TestFilterAndHistory(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.press("/").typed("verdict:low").shows("2/3")
	c.press("esc").shows("3/3") // taken back
	c.press("/").typed("verdict:pass").press("enter").shows("1/3", "filter verdict:pass")
	c.press("esc").shows("3/3")
	c.press("/", "up").shows("1/3")
	c.press("down").shows("3/3")
	c.press("esc", "/").typed("没有这样的").press("enter").shows("0/3", "no session passes")
	c.press("enter")
	require.Contains(t, c.last(), "no session is selected")
}

func TestSearchGotoAndHelp(t *testing.T) {
	c := opened(t, viewtest.LowConfid())
	c.press("n")
	require.Contains(t, c.last(), "/ searches")
	c.press("e", "5", "/").typed("ERROR").press("enter").shows("1/3 /ERROR")
	c.press("n").shows("2/3 /ERROR")
	c.press("/").typed("nirgends").press("enter")
	require.Contains(t, c.last(), "nirgends is not found")
	c.press(":").typed("2").press("enter")
	c.press(":").typed("9999").press("enter")
	require.Contains(t, c.last(), "no such line")

	c.press("?").shows("about this finding") // a finding is selected
	c.press("?").typed("断点").shows("set breakpoints")
	c.press("esc").press("L", "?").shows("问题说明")
	c.press("esc")
	require.Nil(t, c.m.dialog)
}

func TestCopySaveExport(t *testing.T) {
	list := newConsole(t, english(), fake()).press("y")
	require.Equal(t, "s-pass", list.copied)
	require.Contains(t, list.last(), "copied the id s-pass")
	c := opened(t, viewtest.LowConfid())
	c.press("y")
	require.Contains(t, c.last(), "select a claim first")
	c.press("e", "2", "y")
	require.Contains(t, c.copied, "连接池已饱和")
	require.Contains(t, c.last(), "copied the claim")
	c.press("4", "y")
	require.Contains(t, c.copied, "低置信度")
	c.press("5", "y")
	require.Contains(t, c.copied, "active connections")
	c.press("S")
	require.True(t, c.engine.did("save s-low trace-2"))
	for key, format := range map[string]string{"m": "md", "h": "html", "j": "json", "c": "case"} {
		c.press("x", key)
		require.True(t, c.engine.did("export s-low "+format+" en"), format)
	}
	c.engine.fail = errors.New("disk is full\x1b[31m")
	c.press("x", "m")
	require.Contains(t, c.last(), "⚠ disk is full")
}

func TestPastesAreNoKeys(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("qqq"), Paste: true})
	require.False(t, c.quit)
	c.press("/")
	c.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q\x1b[31m\nq"), Paste: true})
	require.Contains(t, c.last(), "q")
	require.False(t, c.quit)
}

func TestABurstIsSeveralKeys(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.typed("jj")
	row, _ := c.m.list.Selected()
	require.Equal(t, "s-malformed", row.ID)
	c.typed("/low")
	require.Contains(t, c.last(), "filter low")
}

func TestClaimInTheArguments(t *testing.T) {
	o := english()
	o.Session, o.Claim = "s-low", "claim-4"
	c := newConsole(t, o, fake())
	require.Equal(t, "claim-4", c.m.debug.view.Claim().ID)
	o.Claim = "claim-99\x1b"
	c = newConsole(t, o, fake())
	require.Contains(t, c.last(), "there is no claim claim-99")
	o.Session = "nothing"
	c = newConsole(t, o, fake())
	require.Contains(t, c.last(), "no such session")
	c.press("j", "enter")
	require.Equal(t, "s-low", c.m.debug.session)
}

func TestLinkedPanesByKeys(t *testing.T) {
	c := opened(t, viewtest.LowConfid())
	v := func() *view.View { return c.m.debug.view }
	c.press("e", "e", "e", "e", "e")
	require.Equal(t, gate.Block, v().Finding().Severity)
	claim := v().Sel.Claim
	c.press("E")
	require.LessOrEqual(t, v().Sel.Claim, claim)
	c.press("w")
	require.NotEqual(t, gate.Block, v().Finding().Severity)
	c.press("2", "g", "j", "j", ".", ",")
	require.GreaterOrEqual(t, v().Sel.Claim, 0)
	require.Equal(t, v().Claim().Pointer, v().Sel.Pointer[:len(v().Claim().Pointer)], "the JSON follows")
	require.Equal(t, v().Evidence.Spots[v().Sel.Spot].Ref, v().Sel.Trace, "the trace follows")
	c.press("enter")
	require.Equal(t, view.PaneTrace, c.m.debug.focus)
	c.press("3", "G", "g")
	c.press("v")
	require.NotNil(t, c.m.debug.overlay)
	c.press("e")
	require.Nil(t, c.m.debug.overlay, "a walk shows where it goes")
	c.press("z").press("tab", "shift+tab", "z", "esc", "esc")
	require.Equal(t, screenSessions, c.m.screen)
}

func TestMouse(t *testing.T) {
	c := newConsole(t, english(), fake())
	click := func(x, y int) {
		c.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	c.lines()
	click(10, 3)
	row, _ := c.m.list.Selected()
	require.Equal(t, "s-low", row.ID)
	click(10, 3) // on the cursor: opens
	require.Equal(t, "s-low", c.m.debug.session)
	c.lines()
	for _, cell := range c.m.debug.cells {
		click(cell.x+cell.w/2, cell.y+cell.h-2)
		require.Equal(t, cell.pane.ID(), c.m.debug.focus)
		c.send(tea.MouseMsg{X: cell.x + 2, Y: cell.y + 2, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
		c.lines()
	}
	c.press("2").size(80, 24).lines()
	span := c.m.debug.tabSpans[0]
	click(span[0]+1, 1)
	require.Equal(t, view.PanePipeline, c.m.debug.focus)
	c.send(tea.MouseMsg{X: 1, Y: 1, Action: tea.MouseActionRelease})
}

func TestResizingKeepsThePlace(t *testing.T) {
	c := opened(t, viewtest.LowConfid())
	c.press("e", "e", "5")
	for _, size := range [][2]int{{80, 24}, {59, 15}, {1, 1}, {0, 0}, {200, 50}, {100, 30}, {60, 16}, {120, 40}} {
		c.size(size[0], size[1])
		if size[0] > 0 {
			c.lines()
		}
	}
	c.shows("▸    ✗ the excerpt is not in the output", "nowhere in 3 traces", "✗ B005", "▸• 下游超时率 35%")
	c.size(59, 15).shows("too small: at least 60×16")
}

func TestTheBackgroundChoosesTheTheme(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.press("enter")
	c.send(Background{Dark: false})
	require.Equal(t, theme.Light, c.m.theme.Kind)
	c.lines()
	c.m.setTheme(theme.None)
	c.send(Background{Dark: true})
	require.Equal(t, theme.None, c.m.theme.Kind, "no colour was wanted")
}

func TestThePollReadsTheListAgain(t *testing.T) {
	c := newConsole(t, english(), fake())
	require.Contains(t, c.later, tea.Msg(poll{}))
	c.engine.log = nil
	c.send(poll{})
	require.True(t, c.engine.did("list"))
	c.press("enter")
	c.engine.log = nil
	c.send(poll{})
	require.False(t, c.engine.did("list"), "a session is on screen")

	// A run of another program is live for a while after its last event.
	s := viewtest.Running()
	s.Header.Time = noon
	for i := range s.Events {
		s.Events[i].Time = noon
	}
	killed := viewtest.Running()
	killed.Header.ID = "s-killed"
	c = newConsole(t, english(), newFakeEngine(viewtest.Pass(), s, killed))
	row, _ := c.m.list.Selected()
	require.Equal(t, "s-live", row.ID)
	c.shows("running", "interrupted") // the other one was killed long ago
}

// TestTheNewestSessionsComeFirst: with thousands of sessions the newest are on screen
// while the others are read.
func TestTheNewestSessionsComeFirst(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.engine.did("")
	c.m.listGen++
	c.m.listing = true
	_, rest := c.m.Update(bridge.Listed{Gen: c.m.listGen, Entries: []bridge.Entry{{Summary: viewtest.Pass().State().Summary()}}, More: 2})
	c.shows("sessions  1/3  reading…").press("e")
	require.Contains(t, c.last(), "older sessions are still being read")
	require.Nil(t, c.m.relist(), "one list at a time")
	c.do(rest)
	require.Contains(t, c.shows("sessions  3/3").plain(), "LOW_CONFID")
	require.NotContains(t, c.plain(), "reading…")
	require.False(t, c.m.listing)
}

func TestAListWithABrokenFile(t *testing.T) {
	c := newConsole(t, english(), fake())
	c.send(bridge.Listed{Gen: 99, Entries: []bridge.Entry{{Summary: state.Summary{ID: "s-broken"}, Err: errors.New("line 3: not JSON")}}, Err: errors.New("the folder cannot be read")})
	c.shows("line 3: not JSON", "the folder cannot be read")
	c.press("enter")
	require.Contains(t, c.last(), "line 3: not JSON")
}
