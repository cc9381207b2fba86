package tui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/state"
	"claimscope/tui/bridge"
	"claimscope/tui/pane/sessionlist"
	"claimscope/tui/view"
)

const (
	// tickEvery is how often the clock and the spinner move while something runs.
	tickEvery = 120 * time.Millisecond
	// pollEvery is how often the list of sessions is read again while it is on screen.
	pollEvery = 2 * time.Second
	// liveFor is how long a session without an end counts as running after its last
	// event, when another program writes it: a model may think for minutes.
	liveFor = 5 * time.Minute
)

type (
	// tick moves the clock of a run.
	tick struct{ gen int }
	// poll reads the list of sessions again.
	poll struct{}
)

func (m *Model) onTick(t tick) tea.Cmd {
	d := m.of(t.gen)
	if d == nil || d.run == nil {
		return nil
	}
	d.live.Tick++
	d.setLive(m.o.Now())
	m.list.SetTick(d.live.Tick)
	return m.o.After(tickEvery, t)
}

func (m *Model) onPoll() tea.Cmd {
	later := m.o.After(pollEvery, poll{})
	if m.screen != screenSessions {
		return later
	}
	return tea.Batch(m.relist(), later)
}

// relist reads the list of sessions, one time after the other.
func (m *Model) relist() tea.Cmd {
	if m.listing {
		m.relists = true
		return nil
	}
	m.listing = true
	m.listGen++
	return m.o.Bridge.List(m.listGen)
}

func (m *Model) onListed(msg bridge.Listed) tea.Cmd {
	if msg.Gen < m.listed {
		return nil
	}
	m.listed, m.loaded, m.older = msg.Gen, true, msg.More
	now := m.o.Now()
	rows := make([]sessionlist.Row, len(msg.Entries))
	for i, e := range msg.Entries {
		own := slices.ContainsFunc(m.running, func(d *debugger) bool { return d.session == e.ID })
		going := e.Status == state.Running || e.Status == state.Paused
		rows[i] = sessionlist.Row{
			Summary: e.Summary, Err: e.Err, Chosen: e.ID != "" && e.ID == m.chosen,
			Live: own || going && e.Err == nil && now.Sub(e.Time.Add(e.Duration)) < liveFor,
		}
	}
	m.list.SetRows(rows)
	if msg.Err != nil {
		m.complain(msg.Err)
	}
	early := m.release(waitList)
	if msg.Gen != m.listGen {
		return early
	}
	again := m.relists || m.older > 0
	m.listing, m.relists = false, false
	if again {
		return tea.Batch(early, m.relist())
	}
	return early
}

// ask begins to wait for an answer: keys that come before it are kept, so that one can
// type ahead.
func (m *Model) ask() (gen int) {
	m.gen++
	m.waiting = m.gen
	return m.gen
}

// maxEarly bounds the keys that are kept.
const maxEarly = 64

// release hands out the keys that were typed ahead, when that is what they wait for.
func (m *Model) release(gen int) tea.Cmd {
	if m.waiting != gen {
		return nil
	}
	early := m.early
	m.waiting, m.early = 0, nil
	cmds := make([]tea.Cmd, len(early))
	for i, k := range early {
		cmds[i] = m.keys(k)
	}
	return tea.Batch(cmds...)
}

// open shows a session: one that runs here, or a recorded one.
func (m *Model) open(name string) tea.Cmd {
	for _, d := range m.running {
		if d.session == name {
			m.gen++ // drops what was asked for before
			m.debug, m.screen = d, screenDebugger
			return nil
		}
	}
	return m.o.Bridge.Open(m.ask(), name)
}

// start begins a run.
func (m *Model) start(req bridge.Request) tea.Cmd { return m.o.Bridge.Start(m.ask(), req) }

func (m *Model) onOpened(msg bridge.Opened) tea.Cmd {
	d := m.of(msg.Gen)
	if d == nil && msg.Gen != m.gen {
		return nil
	}
	if msg.Err != nil {
		m.o.Claim = ""
		m.complain(msg.Err)
		return m.release(msg.Gen)
	}
	if d != nil { // it has ended or was reviewed; place and focus stay
		if d.run == nil && (msg.Name == d.session || msg.Name == d.becomes) {
			d.session, d.becomes = msg.State.Header.ID, ""
			d.rec, d.at = msg.Recording, 0
			d.setState(msg.State)
		}
		return nil
	}
	m.show(msg.State, msg.Gen)
	m.debug.rec = msg.Recording
	if m.o.Claim != "" {
		m.selectClaim(m.o.Claim)
		m.o.Claim = ""
	}
	switch {
	case msg.State.Done():
	case msg.State.TornBytes > 0:
		m.tell(m.say("会话没有走到判定，最后一行没有写完，已略过；u 接续，c 从头重放", "this session has not come to its verdict, its last line was cut and is left out; u resumes it, c replays it"))
	default:
		m.tell(m.say("会话没有走到判定；u 接续，c 从头重放", "this session has not come to its verdict; u resumes it, c replays it"))
	}
	return m.release(msg.Gen)
}

// show puts a session on screen. The same session keeps focus, zoom and place.
func (m *Model) show(s state.Session, gen int) {
	from := m.screen
	m.screen = screenDebugger
	if m.debug != nil && m.debug.session == s.Header.ID && m.debug.run == nil {
		m.debug.gen, m.debug.at, m.debug.rec, m.debug.compared = gen, 0, nil, from == screenCompare
		m.debug.setState(s)
		return
	}
	var old *debugger
	old, m.debug = m.debug, newDebugger(&s, m.lang, m.theme)
	if m.debug.gen = gen; old != nil {
		m.debug.breaks = old.breaks
	}
	m.debug.compared = from == screenCompare
	m.debug.setLive(m.o.Now())
}

func (m *Model) selectClaim(id string) {
	for i := range m.debug.view.Claims {
		if m.debug.view.Claims[i].ID == id {
			m.debug.view.Apply(view.SelectClaim{Claim: i})
			return
		}
	}
	m.warn("没有结论 "+id, "there is no claim "+id)
}

func (m *Model) onShown(msg bridge.Shown) tea.Cmd {
	if d := m.of(msg.Gen); d != nil && d.run == nil && d.at == msg.State.Seq() {
		d.view.SetState(&msg.State, d.now.Seq())
	}
	return nil
}

func (m *Model) onStarted(msg bridge.Started) tea.Cmd {
	late := msg.Gen != m.gen
	if msg.Err != nil {
		if late {
			return nil
		}
		m.complain(msg.Err)
		return m.release(msg.Gen)
	}
	if late { // another session was asked for meanwhile
		return m.o.Bridge.Control(func() error { msg.Run.Cancel("superseded"); return nil })
	}
	m.show(msg.State, msg.Gen)
	d := m.debug
	d.run = msg.Run
	d.setLive(m.o.Now())
	d.watch(m.w)
	m.running = append(m.running, d)
	if n := len(msg.Notes); n > 0 {
		m.tell(m.say(msg.Notes[n-1].ZH, msg.Notes[n-1].EN))
	}
	return tea.Batch(m.release(msg.Gen), m.o.Bridge.Watch(d.gen, d.run, d.now.Seq()), m.o.Bridge.Stream(d.gen, d.run), m.o.After(tickEvery, tick{d.gen}))
}

func (m *Model) onHappened(msg bridge.Happened) tea.Cmd {
	d := m.of(msg.Gen)
	if d == nil || d.run == nil {
		return nil
	}
	pauses := d.now.Pauses
	if msg.Err == nil || msg.State.Seq() > 0 {
		d.setState(msg.State)
	}
	if p := msg.State.Pause; p != nil && msg.State.Pauses > pauses && d == m.debug {
		m.tell(m.say("暂停在 ", "paused before ") + p.Boundary + " (" + p.Why + ")")
	}
	var cmds []tea.Cmd
	if m.screen == screenSessions {
		cmds = append(cmds, m.relist())
	}
	if !msg.Ended {
		return tea.Batch(append(cmds, m.o.Bridge.Watch(d.gen, d.run, msg.State.Seq()))...)
	}
	d.run, d.live = nil, view.Live{Now: m.o.Now()}
	d.view.SetLive(d.live)
	d.watched()
	m.running = slices.DeleteFunc(m.running, func(x *debugger) bool { return x == d })
	if len(m.running) == 0 {
		m.armed = false
	}
	if msg.Err != nil {
		m.complain(msg.Err)
	} else {
		m.tellEnd(d)
	}
	if d == m.debug {
		cmds = append(cmds, m.o.Bridge.Open(d.gen, d.session))
	}
	return tea.Batch(append(cmds, m.relist())...)
}

// tellEnd says how a run ended, and what can be done now.
func (m *Model) tellEnd(d *debugger) {
	end := string(d.now.Current().Decision())
	switch d.now.Status {
	case state.Failed:
		end = m.say("失败", "failed") + ": " + d.now.Error
	case state.Cancelled:
		end = m.say("已取消", "cancelled")
	case state.Finished, state.Running, state.Paused, state.Torn:
	}
	if m.screen != screenDebugger || d != m.debug {
		m.tell(m.say("运行结束：", "a run has ended: ") + end)
		return
	}
	line := m.say("运行结束：", "the run has ended: ") + end
	if d.now.Header.Parent != nil {
		line += m.say("；d 与父会话对比", "; d compares it with its parent")
	}
	m.tell(line)
}

func (m *Model) onStreamed(msg bridge.Streamed) tea.Cmd {
	d := m.of(msg.Gen)
	if d == nil || d.run == nil {
		return nil
	}
	d.stream(msg.Deltas)
	for _, x := range msg.Deltas {
		if x.Note != "" && d == m.debug { // a try failed; the wait before the next one may be long
			m.tell(x.Note)
		}
	}
	if msg.Ended {
		return nil
	}
	return m.o.Bridge.Stream(d.gen, d.run)
}
