package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/state"
	"claimscope/tui/bridge"
	"claimscope/tui/view"
)

// tickEvery is how often the clock and the spinner move while something runs.
const tickEvery = 120 * time.Millisecond

// tick moves the clock of a generation.
type tick struct{ gen int }

func tickLater(gen int) tea.Cmd {
	return tea.Tick(tickEvery, func(time.Time) tea.Msg { return tick{gen} })
}

func (m *Model) onTick(t tick) tea.Cmd {
	if m.debug == nil || m.debug.run == nil || t.gen != m.gen {
		return nil
	}
	m.debug.live.Tick++
	m.debug.setLive(m.o.Now())
	return tickLater(t.gen)
}

// open shows a recorded session.
func (m *Model) open(name string) tea.Cmd {
	m.gen++
	return m.o.Bridge.Open(m.gen, name)
}

// start begins a run.
func (m *Model) start(req bridge.Request) tea.Cmd {
	m.gen++
	return m.o.Bridge.Start(m.gen, req)
}

func (m *Model) onOpened(msg bridge.Opened) tea.Cmd {
	if msg.Gen != m.gen {
		return nil
	}
	if msg.Err != nil {
		m.complain(msg.Err)
		return nil
	}
	m.show(msg.State)
	m.debug.rec = msg.Recording
	if m.o.Claim != "" {
		m.selectClaim(m.o.Claim)
		m.o.Claim = ""
	}
	if msg.State.Status == state.Torn || msg.State.TornBytes > 0 {
		m.tell(m.say("文件末尾有一行没有写完，已略过", "the last line of the file was cut and is left out"))
	}
	return nil
}

// show puts a session on screen. The same session keeps focus, zoom and place.
func (m *Model) show(s state.Session) {
	m.screen = screenDebugger
	if m.debug != nil && m.debug.session == s.Header.ID {
		m.debug.at, m.debug.rec, m.debug.run = 0, nil, nil
		m.debug.setState(s)
		return
	}
	var old *debugger
	old, m.debug = m.debug, newDebugger(&s, m.lang, m.theme)
	if old != nil {
		m.debug.breaks = old.breaks
	}
	m.debug.setLive(m.o.Now())
}

func (m *Model) selectClaim(id string) {
	for i := range m.debug.view.Claims {
		if m.debug.view.Claims[i].ID == id {
			m.debug.view.Apply(view.SelectClaim{Claim: i})
			return
		}
	}
	m.tell(m.say("没有结论 "+id, "there is no claim "+id))
}

func (m *Model) onShown(msg bridge.Shown) tea.Cmd {
	if msg.Gen == m.gen && m.debug != nil && m.debug.at == msg.State.Seq() {
		m.debug.view.SetState(&msg.State, m.debug.now.Seq())
	}
	return nil
}

func (m *Model) onStarted(msg bridge.Started) tea.Cmd {
	if msg.Err != nil {
		if msg.Gen == m.gen {
			m.complain(msg.Err)
		}
		return nil
	}
	if msg.Gen != m.gen { // another session was opened meanwhile
		return m.o.Bridge.Control(func() error { msg.Run.Cancel("superseded"); return nil })
	}
	m.show(msg.Run.State())
	m.debug.run = msg.Run
	if n := len(msg.Notes); n > 0 {
		m.tell(m.say(msg.Notes[n-1].ZH, msg.Notes[n-1].EN))
	}
	return tea.Batch(m.o.Bridge.Watch(m.gen, msg.Run, m.debug.now.Seq()), m.o.Bridge.Stream(m.gen, msg.Run), tickLater(m.gen))
}

func (m *Model) onHappened(msg bridge.Happened) tea.Cmd {
	if msg.Gen != m.gen || m.debug == nil || m.debug.run == nil {
		return nil
	}
	d := m.debug
	before := d.now.Status
	d.setState(msg.State)
	if msg.State.Status == state.Paused && before != state.Paused && msg.State.Pause != nil {
		m.tell(m.say("已暂停在 ", "paused before ") + msg.State.Pause.Boundary + " (" + msg.State.Pause.Why + ")")
	}
	if !msg.Ended {
		return m.o.Bridge.Watch(m.gen, d.run, msg.State.Seq())
	}
	d.run, d.live = nil, view.Live{Now: m.o.Now()}
	d.view.SetLive(d.live)
	if msg.Err != nil {
		m.complain(msg.Err)
	}
	return tea.Batch(m.o.Bridge.Open(m.gen, d.session), m.o.Bridge.List())
}

func (m *Model) onStreamed(msg bridge.Streamed) tea.Cmd {
	if msg.Gen != m.gen || m.debug == nil || m.debug.run == nil {
		return nil
	}
	m.debug.stream(msg.Deltas)
	if msg.Ended {
		return nil
	}
	return m.o.Bridge.Stream(m.gen, m.debug.run)
}
