package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/tui/bridge"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view/viewtest"
)

// screens are the console in every screen and dialog, on a session.
func screens(t *testing.T, s *viewtest.Script, lang text.Lang, kind theme.Kind) map[string]*console {
	t.Helper()
	fresh := func() *fakeEngine {
		child := *s
		child.Header.ID, child.Header.Parent = "s-child", &event.Parent{ID: s.Header.ID, Mode: s.Header.Title}
		child.Header.Prompts = map[string]event.PromptSource{s.Header.Title: {SHA256: "1"}}
		return newFakeEngine(&child, s, viewtest.Running(), viewtest.Malformed())
	}
	list := func(keys ...string) *console {
		return newConsole(t, Options{Lang: lang, Theme: kind}, fresh()).press(keys...)
	}
	open := func(keys ...string) *console {
		return newConsole(t, Options{Lang: lang, Theme: kind, Session: s.Header.ID}, fresh()).press(keys...)
	}
	out := map[string]*console{
		"list": list("j"), "filter": list("/", "x"), "chosen": list("d"), "fork menu": list("f"), "empty list": list("/").typed("nothing like it").press("enter"),
		"claims": open("e"), "pipeline": open("1", "j"), "json": open("3", "e"), "json raw": open("3", "t"), "answer": open("4", "j"),
		"trace": open("5", "e"), "trace sideways": open("5", "Z", "l", "l", "l"), "trace details": open("5", "t"), "hypotheses": open("6", "j"),
		"zoomed": open("5", "z"), "verifier": open("v"), "help": open("?"), "help narrowed": open("?").typed("a"), "finding": open("e", "?"),
		"export menu": open("x"), "mark menu": open("e", "m"), "reason": open("o"), "search": open("5", "/"), "searched": open("5", "/", "a", "enter"),
		"past": open("[", "[", "["), "breakpoints": open("b"), "compare": list("d", "j", "d"), "compare right": list("d", "j", "d", "tab", "Z"),
	}
	out["complaint"] = open()
	out["complaint"].m.complain(fmt.Errorf("it broke: %s", s.Header.Title))
	run := list("j", "c")
	paused := *s
	paused.Events = append(append([]event.Event(nil), s.Events...), event.Event{
		Seq: len(s.Events) + 1, Attempt: 1, Stage: event.Verifier, Body: event.Paused{Boundary: s.Header.Title, Why: s.Header.Title},
	})
	run.push(&paused, len(paused.Events), false)
	out["paused"] = run
	pending := list("j", "c")
	pending.push(&paused, len(paused.Events), false)
	pending.send(bridge.Looked{Gen: pending.m.debug.gen, OK: true, Pending: bridge.Pending{Boundary: "verifier"}, Parts: []bridge.Part{
		{Target: "request", Text: s.Header.Title}, {Target: event.EditPrompt + s.Header.Title, Text: s.Header.Title},
	}})
	out["pending"] = pending
	live := list("j", "c")
	live.push(s, max(len(s.Events)/2, 1), false)
	d := bridge.Delta{Stage: event.Executor}
	d.Content, d.Reasoning, d.ToolName, d.ToolArguments = s.Header.Title, s.Header.Title, s.Header.Title, s.Header.Title
	live.send(bridge.Streamed{Gen: live.m.debug.gen, Deltas: []bridge.Delta{d}})
	out["live"] = live
	counts := open()
	counts.m.dialog = newReader(counts.m, s.Header.Title, s.Header.Title)
	out["reader"] = counts
	return out
}

func TestEveryWidthOfEveryScreen(t *testing.T) {
	every := map[string]bool{"list": true, "claims": true, "trace": true, "compare": true}
	for name, c := range screens(t, viewtest.LowConfid(), text.ZH, theme.Dark) {
		step := 4 // the screens begin at different widths, so that none is left out
		if every[name] {
			step = 1
		}
		t.Run(name, func(t *testing.T) {
			for w := minWidth + len(name)%step; w <= 240; w += step {
				c.size(w, minHeight+w*7%45).lines()
			}
		})
	}
	for name, c := range screens(t, viewtest.Pass(), text.EN, theme.None) {
		t.Run("plain "+name, func(t *testing.T) {
			for w := minWidth; w <= 240; w += 7 {
				c.size(w, minHeight+w*11%45).lines()
			}
		})
	}
	for w := range minWidth + 3 {
		c := newConsole(t, english(), fake())
		c.size(w+1, 1+w%20).lines()
	}
}

// TestHostileTextIsOnlyText: every text of the session is hostile, in every screen.
func TestHostileTextIsOnlyText(t *testing.T) {
	for _, kind := range []theme.Kind{theme.Dark, theme.None} {
		for name, c := range screens(t, viewtest.Hostile(), text.EN, kind) {
			t.Run(kind.String()+" "+name, func(t *testing.T) {
				for _, size := range [][2]int{{200, 50}, {120, 40}, {100, 30}, {80, 24}, {61, 17}} {
					for i, l := range c.size(size[0], size[1]).lines() {
						require.True(t, panetest.Safe(l), "line %d of %v: %q", i, size, l)
					}
				}
			})
		}
	}
}

// TestHostileTextByEveryKey walks through a hostile session.
func TestHostileTextByEveryKey(t *testing.T) {
	c := opened(t, viewtest.Hostile())
	for range 3 {
		for _, k := range []string{"e", "w", ".", "j", "tab", "enter", "esc", "l", "h", "t", "J", "Z", " ", "G", "g", "n", "[", "]", "L", "T", "pgdown", "z"} {
			if c.press(k); c.m.screen != screenDebugger {
				c.press("enter")
			}
			for _, l := range c.lines() {
				require.True(t, panetest.Safe(l), "after %q: %q", k, l)
			}
		}
	}
}

// Whatever Bubble Tea writes for a screen: styles, and a few movements.
var written = regexp.MustCompile(`\x1b\[[0-9;]*m|\x1b\[[0-9;]*[HKJABCD]|\x1b\[\?(25|1049|2004|100[236])[hl]|\r\n|\r|\x1b\[2J`)

// TestBytesOnTheWire looks at what a program really writes to its terminal.
func TestBytesOnTheWire(t *testing.T) {
	s := viewtest.Hostile()
	e := emulate(t, Options{Lang: text.EN, Theme: theme.Dark, Session: s.Header.ID}, newFakeEngine(s), 120, 40)
	e.wait("the session", func(screen string) bool { return strings.Contains(screen, "2 Claims") })
	for _, k := range []string{"e", "5", "t", "v", "v", "?", "esc", "4", "j", "3", "t"} {
		e.p.Send(key(k))
		e.p.Send(tea.WindowSizeMsg{Width: 100 + len(k)*20, Height: 40})
	}
	e.p.Send(key("z"))
	e.stop()
	rest := written.ReplaceAllString(e.bytes(), "")
	for i, r := range rest {
		if r < 0x20 && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			require.Failf(t, "a control was written", "%q", rest[max(i-20, 0):min(i+20, len(rest))])
		}
	}
}

func TestTheScreenIsWhatWasDrawn(t *testing.T) {
	s := viewtest.LowConfid()
	o := Options{Lang: text.ZH, Theme: theme.Dark}
	e, c := emulate(t, o, newFakeEngine(s), 120, 40), newConsole(t, o, newFakeEngine(s))
	e.wait("the list", func(screen string) bool { return strings.Contains(screen, "LOW_CONFID") })
	for _, k := range []string{"enter", "e", ".", "z"} {
		e.p.Send(key(k))
		want := c.press(k).plain()
		e.wait("the screen after "+k, func(screen string) bool { return screen == want })
	}
	e.resize(80, 24)
	want := c.size(80, 24).plain()
	e.wait("the small screen", func(screen string) bool { return screen == want })
	e.stop()
}

// TestKeysFasterThanFrames types so fast that no frame is drawn between the keys: they lead
// to the same place, as long as none goes back (what was on screen stays there then).
func TestKeysFasterThanFrames(t *testing.T) {
	for _, s := range []*viewtest.Script{viewtest.LowConfid(), viewtest.Pass()} {
		for _, keys := range [][]string{{"e"}, {"e", "e"}, {"w", "."}, {"5", "w"}} {
			o := Options{Lang: text.ZH, Theme: theme.Dark}
			drawn, burst := newConsole(t, o, newFakeEngine(s)), newConsole(t, o, newFakeEngine(s))
			drawn.lines()
			for _, k := range append([]string{"enter"}, keys...) {
				drawn.press(k).lines()
				burst.press(k)
			}
			require.Equal(t, drawn.plain(), burst.plain(), "%v in %s", keys, s.Header.ID)
		}
	}
}
