package tui

import (
	"time"

	"claimscope/engine/state"
	"claimscope/tui/bridge"
	"claimscope/tui/keymap"
	"claimscope/tui/pane"
	"claimscope/tui/pane/answer"
	"claimscope/tui/pane/claims"
	"claimscope/tui/pane/hypotheses"
	"claimscope/tui/pane/jsonpane"
	"claimscope/tui/pane/pipeline"
	"claimscope/tui/pane/tracepane"
	"claimscope/tui/pane/verifierview"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

// debugger is one session on screen: the view, the panes over it, and the run behind
// it while there is one.
type debugger struct {
	gen     int // messages about it carry this
	view    *view.View
	session string
	becomes string            // the session that a review made of it and that is being read; "" for none
	rec     *bridge.Recording // nil while a run is under way
	run     bridge.Run        // nil when none is
	now     state.Session     // the newest state
	at      int               // the event shown; 0 for the newest

	panes    map[view.PaneID]pane.Pane
	focus    view.PaneID
	aux      view.PaneID // the pane that shares the left column on middling screens
	zoomed   bool
	watching bool      // the pipeline came on screen by itself, to show a run
	overlay  pane.Pane // the Verifier's view, over everything; nil for none
	seen     int       // version of the view that the panes have followed
	live     view.Live
	breaks   []bridge.Breakpoint
	compared bool   // it was opened from a comparison; escape goes back there
	cells    []cell // where panes were drawn last, for the mouse
	tabSpans [][2]int
}

// paneOrder is the order of tab, by number.
var paneOrder = []view.PaneID{view.PanePipeline, view.PaneClaims, view.PaneJSON, view.PaneAnswer, view.PaneTrace, view.PaneHypotheses}

func newDebugger(s *state.Session, lang text.Lang, t theme.Theme) *debugger {
	d := &debugger{
		view: view.New(s, lang), session: s.Header.ID, now: *s,
		panes: map[view.PaneID]pane.Pane{
			view.PanePipeline: pipeline.New(t), view.PaneClaims: claims.New(t), view.PaneJSON: jsonpane.New(t),
			view.PaneAnswer: answer.New(t), view.PaneTrace: tracepane.New(t), view.PaneHypotheses: hypotheses.New(t),
		},
		focus: view.PaneClaims, aux: view.PaneJSON, seen: -1,
	}
	return d
}

func (d *debugger) setTheme(t theme.Theme) {
	for _, p := range d.panes {
		p.SetTheme(t)
	}
	if d.overlay != nil {
		d.overlay.SetTheme(t)
	}
}

// active is the pane that keys go to.
func (d *debugger) active() pane.Pane {
	if d.overlay != nil {
		return d.overlay
	}
	return d.panes[d.focus]
}

// scope is the part of the key table that holds: an overlay takes none of the keys of
// the debugger away.
func (d *debugger) scope() keymap.Scope {
	if d.overlay != nil {
		return keymap.Debugger
	}
	return d.panes[d.focus].Scope()
}

// searcher is the active pane, if it can be searched.
func (d *debugger) searcher() pane.Searcher {
	s, _ := d.active().(pane.Searcher)
	return s
}

// setFocus moves the focus; on a narrow screen it chooses what is shown.
func (d *debugger) setFocus(id view.PaneID) {
	if d.panes[id] == nil {
		return
	}
	d.focus, d.watching = id, false
	if id == view.PanePipeline || id == view.PaneJSON || id == view.PaneHypotheses {
		d.aux = id
	}
}

// watch brings the pipeline on a screen of w cells that does not show it, where a run is
// seen, unless the person is elsewhere.
func (d *debugger) watch(w int) {
	switch {
	case w >= allPanesFrom || d.focus != view.PaneClaims:
		return
	case w < twoColumnsFrom:
		d.setFocus(view.PanePipeline)
	default:
		d.aux = view.PanePipeline
	}
	d.watching = true
}

// watched puts back what watch changed, unless the person went elsewhere since.
func (d *debugger) watched() {
	if d.watching {
		d.setFocus(view.PaneClaims)
		d.aux = view.PaneJSON
	}
}

func (d *debugger) cycle(step int) {
	for i, id := range paneOrder {
		if id == d.focus {
			d.setFocus(paneOrder[(i+step+len(paneOrder))%len(paneOrder)])
			return
		}
	}
}

// sync lets the panes follow the selection, once for each change.
func (d *debugger) sync() {
	if d.seen == d.view.Version() {
		return
	}
	d.seen = d.view.Version()
	for _, id := range paneOrder {
		d.panes[id].Sync(d.view)
	}
	if d.overlay != nil {
		d.overlay.Sync(d.view)
	}
}

// setState shows a newer state, or keeps an earlier one on screen while it is looked at.
func (d *debugger) setState(s state.Session) {
	d.now = s
	if d.at == 0 {
		d.view.SetState(&s, s.Seq())
	}
}

// setLive shows the clock and what streams in.
func (d *debugger) setLive(now time.Time) {
	d.live.Now, d.live.Going = now, d.run != nil
	d.view.SetLive(d.live)
}

// maxTail bounds the tail of a reply that streams in, in bytes.
const maxTail = 8 << 10

// stream takes pieces of a reply.
func (d *debugger) stream(deltas []bridge.Delta) {
	for _, x := range deltas {
		if x.Restart || x.Stage != d.live.Stage {
			d.live = view.Live{Stage: x.Stage, Now: d.live.Now, Tick: d.live.Tick, Going: d.live.Going}
		}
		d.live.Content = tail(d.live.Content + x.Content)
		d.live.Reasoning = tail(d.live.Reasoning + x.Reasoning)
		if x.Content != "" {
			d.live.ToolName, d.live.Arguments = "", "" // the call is written
		}
		if x.ToolName != "" {
			d.live.ToolName, d.live.Arguments = x.ToolName, ""
		}
		d.live.Arguments = tail(d.live.Arguments + x.ToolArguments)
	}
	d.view.SetLive(d.live)
}

func tail(s string) string {
	if len(s) <= maxTail {
		return s
	}
	cut := len(s) - maxTail/2
	for cut < len(s) && s[cut]&0xC0 == 0x80 {
		cut++
	}
	return s[cut:]
}

// openVerifier opens the Verifier's view.
func (d *debugger) openVerifier(t theme.Theme) {
	d.overlay = verifierview.New(t)
	d.overlay.Sync(d.view)
}
