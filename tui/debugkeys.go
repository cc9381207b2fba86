package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
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
		return m.walk(i)
	}
	if a == keymap.Back {
		return m.back()
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
	case keymap.FocusNext, keymap.FocusPrev:
		if d.overlay != nil {
			d.overlay = nil
			return nil
		}
		d.cycle(map[keymap.Action]int{keymap.FocusNext: 1, keymap.FocusPrev: -1}[a])
	case keymap.Zoom:
		d.zoomed = !d.zoomed
	case keymap.VerifierView:
		if d.overlay != nil {
			d.overlay = nil
			return nil
		}
		return m.intent(view.ShowVerifier{})
	case keymap.SearchStart:
		if d.searcher() == nil {
			m.warn("这个窗格不能搜索", "this pane has nothing to search")
			return nil
		}
		m.dialog = newSearch(m)
	case keymap.SearchNext, keymap.SearchPrev:
		m.warn("没有搜索结果；按 / 搜索", "no search hits; / searches")
	case keymap.Confirm:
		m.warn("这里没有可以打开的内容", "there is nothing to open here")
	case keymap.GotoLine:
		if g, ok := d.active().(pane.Goer); ok {
			m.dialog = newGoto(m, g)
		}
	default:
		return m.runKey(a)
	}
	return nil
}

// walk goes to a finding or a place of the evidence.
func (m *Model) walk(i view.Intent) tea.Cmd {
	d := m.debug
	d.overlay = nil
	switch i := i.(type) {
	case view.WalkFindings:
		if !m.hasFindings(i.Severity) {
			if i.Severity == gate.Block {
				m.warn("没有阻断问题", "there is no blocking finding")
			} else {
				m.warn("没有警告", "there is no warning")
			}
			return nil
		}
	case view.WalkSpots:
		if len(d.view.Evidence.Spots) == 0 {
			m.warn("所选内容在轨迹中没有出现之处", "what is selected stands nowhere in the traces")
			return nil
		}
	}
	return m.intent(i)
}

func (m *Model) hasFindings(s gate.Severity) bool {
	for i := range m.debug.view.Findings {
		if f := m.debug.view.Findings[i].Severity; f == s || s == gate.Warn && f == gate.Info {
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
		return m.openBreakpoints()
	case keymap.Edit, keymap.Skip:
		return m.paused(a)
	case keymap.EventBack:
		return m.travel(-1)
	case keymap.EventForward:
		return m.travel(1)
	case keymap.Resume:
		return m.resume(d.session, d.now.Header.Model, d.now.Status, d.run != nil)
	case keymap.Fork, keymap.Rerun, keymap.RerunMany:
		return m.again(a)
	case keymap.Compare:
		return m.compareThis()
	case keymap.Accept, keymap.Override, keymap.Mark:
		return m.review(a)
	case keymap.Copy:
		return m.copy()
	case keymap.Export:
		if m.idle() {
			m.dialog = m.exportMenu(d.session)
		}
	default:
	}
	return nil
}

// idle says so when the session on screen has not ended.
func (m *Model) idle() bool {
	if m.debug.run == nil && m.repeat == nil {
		return true
	}
	m.warn("运行结束后才能这样做", "this can be done when the run has ended")
	return false
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

// back goes one step out: overlay, zoom, the past, selection, list of sessions. A run
// goes on behind the list.
func (m *Model) back() tea.Cmd {
	d := m.debug
	switch {
	case d.overlay != nil:
		d.overlay = nil
	case d.zoomed && m.w >= twoColumnsFrom:
		d.zoomed = false
	case d.at != 0:
		return m.travel(d.now.Seq())
	case d.view.Sel.Claim >= 0 || d.view.Sel.Finding >= 0:
		for d.view.Sel.Claim >= 0 || d.view.Sel.Finding >= 0 {
			d.view.Apply(view.ClearSelection{})
		}
	case d.compared && m.compare != nil:
		m.screen = screenCompare
	default:
		m.screen = screenSessions
		return m.relist()
	}
	return nil
}

// imported is the model of an imported session, which has no replies.
const imported = "import"

// replayable is the session whose replies a replay of a session takes: a replay that was
// cut short has not all of them, the one that it replays has.
func replayable(session, model string, parent *event.Parent, s state.Status) string {
	if model == "replay" && parent != nil && stopped(s) {
		return parent.ID
	}
	return session
}

// drive steps, continues or pauses. Without a run, step and continue replay the
// recorded session from its beginning.
func (m *Model) drive(a keymap.Action) tea.Cmd {
	run := m.debug.run
	if run == nil {
		switch {
		case a == keymap.Pause:
			m.warn("没有运行可以暂停", "there is no run to pause")
			return nil
		case m.debug.now.Header.Model == imported:
			m.warn("导入的会话没有模型回复，无法重放", "an imported session has no model replies to replay")
			return nil
		}
		h := m.debug.now.Header
		return m.start(bridge.Request{Replay: replayable(h.ID, h.Model, h.Parent, m.debug.now.Status), Debug: bridge.Debug{Paused: a == keymap.Step, Breakpoints: m.debug.breaks}})
	}
	if a == keymap.Pause && m.debug.now.Status == state.Running {
		m.tell(m.say("将在下一个阶段边界暂停", "pausing at the next stage boundary"))
	}
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
		m.warn("运行结束后可以回看事件", "events can be walked when the run has ended")
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
	return m.o.Bridge.At(d.gen, d.rec, at)
}

// review records a person's word on the session, or on the claim selected.
func (m *Model) review(a keymap.Action) tea.Cmd {
	d := m.debug
	if !m.idle() {
		return nil
	}
	if !d.now.Done() {
		m.warn("会话没有结束，不能复核", "a session that has not ended cannot be reviewed")
		return nil
	}
	switch decision := d.now.Current().Decision(); {
	case a == keymap.Accept && decision != verdict.LowConfid:
		m.warn("只有 LOW_CONFID 判定需要接受；o 可推翻判定", "only a LOW_CONFID verdict needs to be accepted; o overrides a verdict")
		return nil
	case a == keymap.Accept:
		return m.o.Bridge.Review(d.session, event.Reviewed{Action: event.ReviewAccept, By: m.o.User})
	case a == keymap.Override:
		m.dialog = newReason(m)
		return nil
	}
	c := d.view.Claim()
	if c == nil {
		m.warn("先选中一条结论", "select a claim first")
		return nil
	}
	m.dialog = m.markMenu(c.ID)
	return nil
}
