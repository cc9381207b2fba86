package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/view"
)

// focusKeys are the keys that name a pane.
var focusKeys = map[keymap.Action]view.PaneID{
	keymap.FocusPipeline: view.PanePipeline, keymap.FocusClaims: view.PaneClaims, keymap.FocusJSON: view.PaneJSON,
	keymap.FocusAnswer: view.PaneAnswer, keymap.FocusTrace: view.PaneTrace, keymap.FocusHypotheses: view.PaneHypotheses,
}

// walkKeys are the keys that walk findings and places, whichever pane has the focus.
var walkKeys = map[keymap.Action]view.Intent{
	keymap.NextBlocking:   view.WalkFindings{Severity: gate.Block},
	keymap.PrevBlocking:   view.WalkFindings{Severity: gate.Block, Back: true},
	keymap.NextWarning:    view.WalkFindings{Severity: gate.Warn},
	keymap.PrevWarning:    view.WalkFindings{Severity: gate.Warn, Back: true},
	keymap.NextOccurrence: view.WalkSpots{},
	keymap.PrevOccurrence: view.WalkSpots{Back: true},
}

// debuggerKey acts on the session on screen.
func (m *Model) debuggerKey(a keymap.Action) tea.Cmd {
	d := m.debug
	if i, ok := walkKeys[a]; ok {
		if w, walk := i.(view.WalkFindings); walk && !m.hasFindings(w.Severity) {
			m.tell(m.say("没有这一类问题", "there is none of that kind"))
		}
		return m.intent(i)
	}
	if i, ok := d.active().Key(a, d.view); ok {
		return m.intent(i)
	}
	if id, ok := focusKeys[a]; ok {
		d.overlay = nil
		d.setFocus(id)
		return nil
	}
	switch a {
	case keymap.FocusNext:
		d.cycle(1)
	case keymap.FocusPrev:
		d.cycle(-1)
	case keymap.Zoom:
		d.zoomed = !d.zoomed
	case keymap.Back:
		return m.back()
	case keymap.VerifierView:
		return m.intent(view.ShowVerifier{})
	case keymap.SearchStart:
		if d.searcher() != nil {
			m.dialog = newSearch(m)
		}
	case keymap.GotoLine:
		if g, ok := d.active().(pane.Goer); ok {
			m.dialog = newGoto(m, g)
		}
	default:
		return m.runKey(a)
	}
	return nil
}

func (m *Model) hasFindings(s gate.Severity) bool {
	for i := range m.debug.view.Findings {
		if m.debug.view.Findings[i].Severity == s {
			return true
		}
	}
	return false
}

// runKey acts on the run or the recording behind the screen.
func (m *Model) runKey(a keymap.Action) tea.Cmd {
	d := m.debug
	switch a {
	case keymap.Step, keymap.Continue, keymap.Pause:
		return m.drive(a)
	case keymap.Breakpoints:
		m.dialog = newBreakpoints(m)
	case keymap.EventBack:
		return m.travel(-1)
	case keymap.EventForward:
		return m.travel(1)
	case keymap.Fork, keymap.Rerun:
		return m.rerun(a)
	case keymap.Accept, keymap.Override, keymap.Mark:
		return m.review(a)
	case keymap.Copy:
		return m.copy()
	case keymap.Export:
		if d.run == nil {
			m.dialog = m.exportMenu(d.session)
		}
	default:
	}
	return nil
}

// intent does what a pane or a key asked for: the view's own intents move the
// selection, the others are the root's.
func (m *Model) intent(i view.Intent) tea.Cmd {
	d := m.debug
	if i == nil || d.view.Apply(i) {
		return nil
	}
	switch i := i.(type) {
	case view.FocusPane:
		d.setFocus(i.Pane)
	case view.ShowVerifier:
		d.openVerifier(m.theme)
	case view.CopyText:
		return m.copyText(i.Text, i.What)
	case view.SaveRaw:
		return m.o.Bridge.SaveOutput(d.session, i.Ref)
	case view.OpenFull:
		m.dialog = newReader(m, i.Title, i.Text)
	case view.Explain:
		m.dialog = newReader(m, m.say("问题说明", "about this finding"), m.explain(i.Finding))
	}
	return nil
}

// back goes one step out: overlay, zoom, selection, session list.
func (m *Model) back() tea.Cmd {
	d := m.debug
	switch {
	case d.overlay != nil:
		d.overlay = nil
	case d.zoomed:
		d.zoomed = false
	case d.run != nil:
		m.tell(m.say("运行中：ctrl+c 取消，q 退出", "a run is under way: ctrl+c cancels it, q leaves"))
	default:
		m.screen = screenSessions
		return m.o.Bridge.List()
	}
	return nil
}

// drive steps, continues or pauses. Without a run, step and continue replay the
// recorded session from its beginning.
func (m *Model) drive(a keymap.Action) tea.Cmd {
	run := m.debug.run
	if run == nil {
		if a == keymap.Pause {
			return nil
		}
		if m.debug.now.Header.Model == "import" {
			m.tell(m.say("导入的会话没有模型回复，无法重放", "an imported session has no model replies to replay"))
			return nil
		}
		return m.start(bridge.Request{Replay: m.debug.session, Debug: bridge.Debug{Paused: a == keymap.Step, Breakpoints: m.debug.breaks}})
	}
	m.debug.at = 0
	return m.o.Bridge.Control(func() error {
		switch a {
		case keymap.Step:
			run.Step()
		case keymap.Continue:
			run.Continue()
		default:
			run.Pause()
		}
		return nil
	})
}

// travel shows the session as it was some events earlier or later.
func (m *Model) travel(step int) tea.Cmd {
	d := m.debug
	if d.rec == nil {
		m.tell(m.say("运行结束后可以回看事件", "events can be walked when the run has ended"))
		return nil
	}
	last := d.now.Seq()
	at := d.at
	if at == 0 {
		at = last
	}
	at = min(max(at+step, 1), last)
	if at == last {
		d.at = 0
		d.view.SetState(&d.now, last)
		return nil
	}
	d.at = at
	return m.o.Bridge.At(m.gen, d.rec, at)
}

// rerun forks the session at the place shown: the Executor's turn with r, the stage
// selected with f.
func (m *Model) rerun(a keymap.Action) tea.Cmd {
	d := m.debug
	if d.run != nil {
		return nil
	}
	f := bridge.Fork{Session: d.session, Mode: bridge.ForkExecutor, Seq: d.at, Debug: bridge.Debug{Breakpoints: d.breaks, Paused: a == keymap.Fork}}
	switch d.view.Sel.Stage {
	case event.Gatekeeper, event.Verifier, event.Route, event.Answer:
		f.Mode = bridge.ForkVerifier
	case event.Planner:
		f.Stage = event.Planner
	case event.Executor, event.Parse, "":
	}
	m.gen++
	return m.o.Bridge.Fork(m.gen, f)
}

// review records a person's word on the session, or on the claim selected.
func (m *Model) review(a keymap.Action) tea.Cmd {
	d := m.debug
	if d.run != nil || d.now.Status == state.Running {
		m.tell(m.say("运行结束后才能复核", "a session can be reviewed when it has ended"))
		return nil
	}
	r := event.Reviewed{By: m.o.User}
	switch a {
	case keymap.Accept:
		r.Action = event.ReviewAccept
		return m.o.Bridge.Review(d.session, r)
	case keymap.Override:
		r.Action = event.ReviewOverride
		m.dialog = newReason(m, r)
	default:
		c := d.view.Claim()
		if c == nil {
			m.tell(m.say("先选中一条结论", "select a claim first"))
			return nil
		}
		r.ClaimID, r.Action = c.ID, event.ReviewClaimWrong
		if c.Marked == view.MarkedWrong {
			r.Action = event.ReviewClaimRight
		}
		return m.o.Bridge.Review(d.session, r)
	}
	return nil
}
