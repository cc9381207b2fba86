package tui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"claimscope/engine/event"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/text"
)

// again runs the session anew: from the place shown (f), from the stage selected (r),
// or from there several times (R). Tools answer from the recording.
func (m *Model) again(a keymap.Action) tea.Cmd {
	if !m.idle() {
		return nil
	}
	d := m.debug
	f := bridge.Fork{Session: d.session, Mode: bridge.ForkExecutor, Seq: d.at, Debug: bridge.Debug{Breakpoints: d.breaks}}
	if a == keymap.Fork {
		m.dialog = m.forkMenu(f)
		return nil
	}
	switch d.view.Sel.Stage {
	case event.Gatekeeper, event.Verifier, event.Route, event.Answer:
		f.Mode = bridge.ForkVerifier
	case event.Planner:
		f.Stage = event.Planner
	case event.Executor, event.Parse, "":
	}
	if a == keymap.Rerun {
		return m.o.Bridge.Fork(m.ask(), f)
	}
	m.dialog = newCount(m, func(m *Model, n int) tea.Cmd {
		m.gen++
		m.repeat = &repeating{gen: m.gen, n: n, Repetition: m.o.Bridge.Repetition(n)}
		return tea.Batch(m.o.Bridge.Repeat(m.gen, m.repeat.Repetition, f, n), m.o.Bridge.Progress(m.gen, m.repeat.Repetition))
	})
	return nil
}

// resume takes up a session that stopped before its verdict.
func (m *Model) resume(session, model string, s state.Status, runs bool) tea.Cmd {
	switch {
	case runs:
		m.warn("会话正在运行", "the session is running")
		return nil
	case model == imported:
		m.warn("导入的会话没有可接续的运行", "an imported session has no run to take up")
		return nil
	case s == state.Finished:
		m.warn("会话没有中断，无可接续；c 重放，f 分叉", "the session was not interrupted: there is nothing to resume; c replays it, f forks it")
		return nil
	}
	req := bridge.Request{Resume: session}
	if m.screen == screenDebugger && m.debug != nil {
		req.Breakpoints = m.debug.breaks
	}
	return m.start(req)
}

// repeating is a repetition under way.
type repeating struct {
	gen, n, begun int
	*bridge.Repetition
}

func (m *Model) onBegun(msg bridge.Begun) tea.Cmd {
	if m.repeat == nil || m.repeat.gen != msg.Gen {
		return nil
	}
	m.repeat.begun = msg.Run
	return m.o.Bridge.Progress(msg.Gen, m.repeat.Repetition)
}

func (m *Model) onRepeated(msg bridge.Repeated) tea.Cmd {
	if m.repeat == nil || m.repeat.gen != msg.Gen {
		return nil
	}
	m.repeat, m.armed = nil, false
	if msg.Err != nil && !errors.Is(msg.Err, context.Canceled) {
		m.complain(msg.Err)
	}
	if len(msg.Repeats.Sessions) > 0 {
		m.dialog = newReader(m, m.say(fmt.Sprintf("%d 次重跑的结果", len(msg.Repeats.Sessions)), fmt.Sprintf("what %d runs came to", len(msg.Repeats.Sessions))), m.counts(msg.Repeats))
	}
	return m.relist()
}

// barCells is the width of the bars of a count.
const barCells = 20

// counts writes what several runs came to.
func (m *Model) counts(r bridge.Repeats) string {
	var b strings.Builder
	n := len(r.Sessions)
	row := func(name string, count int) {
		fill := (count*barCells + n - 1) / n
		fmt.Fprintf(&b, "  %s %3d/%d  %s\n", text.Fit(text.SanitiseLine(name), 20, "…"), count, n, strings.Repeat("█", min(fill, barCells)))
	}
	b.WriteString(m.say("判定", "verdicts") + "\n")
	for _, d := range slices.Sorted(maps.Keys(r.Decisions)) {
		row(string(d), r.Decisions[d])
	}
	if r.Unfinished > 0 {
		row(m.say("未完成", "unfinished"), r.Unfinished)
	}
	if len(r.Causes) > 0 {
		b.WriteString("\n" + m.say("原因", "causes") + "\n")
		for _, c := range slices.Sorted(maps.Keys(r.Causes)) {
			row(string(c), r.Causes[c])
		}
	}
	b.WriteString("\n" + m.say("各结论的判定", "verdicts on each claim") + "\n")
	for _, c := range r.Claims {
		mark := "="
		if len(c.Verdicts) > 1 {
			mark = "≠" // it is judged differently from run to run
		}
		fmt.Fprintf(&b, "  %s %s  %s\n", mark, text.SanitiseLine(c.ClaimID), text.SanitiseLine(c.Text))
		for _, v := range slices.SortedFunc(maps.Keys(c.Verdicts), func(x, y verdict.CheckVerdict) int { return c.Verdicts[y] - c.Verdicts[x] }) {
			row("  "+string(v), c.Verdicts[v])
		}
	}
	b.WriteString("\n" + m.say("会话", "sessions") + "\n")
	for _, s := range r.Sessions {
		b.WriteString("  " + s + "\n")
	}
	return b.String()
}
