package sessionlist

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/tui/keymap"
	"claimscope/tui/pane/panetest"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view/viewtest"
)

func row(id string, change func(*Row)) Row {
	r := Row{Summary: state.Summary{ID: id, Title: "支付服务超时 " + id, Time: viewtest.Start, Status: state.Finished, Decision: verdict.Pass, Version: "executor_evidence_v2"}}
	if change != nil {
		change(&r)
	}
	return r
}

func some() []Row {
	return []Row{
		row("a", nil),
		row("b", func(r *Row) {
			r.Decision, r.Causes, r.Tools = verdict.LowConfid, []verdict.Cause{verdict.MissingRef}, []string{"query_logs"}
		}),
		row("c", func(r *Row) { r.Status, r.Decision, r.Live = state.Running, verdict.Retry, true }),
		row("d", func(r *Row) { r.Status, r.Decision = state.Failed, "" }),
		row("e", func(r *Row) { r.Status, r.Decision = state.Cancelled, verdict.LowConfid }),
		row("f", func(r *Row) { r.Decision, r.Reviews, r.Reviewed = verdict.LowConfid, 1, event.ReviewAccept }),
		row("g", func(r *Row) { r.Status, r.Decision = state.Running, "" }),
		row("h", func(r *Row) { r.Status, r.Live, r.Decision = state.Paused, true, "" }),
		row("i", func(r *Row) { r.Err = errors.New("line 3 is no JSON\x1b[2J") }),
		row("j", func(r *Row) {
			r.Status, r.Decision, r.Bundled, r.Unsaved, r.Model = state.Torn, "", true, true, "import"
		}),
		row("k", func(r *Row) { r.Decision, r.Title, r.Query = "", "", viewtest.HostileStrings()[0] }),
	}
}

func list(rows []Row) *List {
	l := New(theme.New(theme.Dark, nil), time.UTC)
	l.SetRows(rows)
	l.Lines(120, 30, text.EN)
	return l
}

func shown(l *List) string {
	s := ""
	for _, i := range l.shown {
		s += l.rows[i].ID
	}
	return s
}

func TestFilter(t *testing.T) {
	for filter, want := range map[string]string{
		"": "chabdefgijk", "verdict:low": "bef", "VERDICT:LOW_CONFID -is:reviewed": "be", "cause:missing_ref": "b", "tool:query": "b",
		"status:running": "cg", "is:bundled is:unsaved": "j", "model:import": "j", "contract:v2 b": "b", "contract:v1": "", "支付 b": "b",
		"nofield:x": "", "-支付": "k", "-": "", "is:fork": "",
	} {
		l := list(some())
		l.SetFilter(filter)
		require.Equal(t, want, shown(l), filter)
	}
}

func TestLiveOnesStandOnTopAndTheCursorStays(t *testing.T) {
	l := list(some())
	require.Equal(t, "chabdefgijk", shown(l))
	l.Key(keymap.Down)
	l.Key(keymap.Down)
	r, _ := l.Selected()
	require.Equal(t, "a", r.ID)
	l.SetRows(append([]Row{row("z", func(r *Row) { r.Live, r.Status = true, state.Running })}, some()...))
	r, _ = l.Selected()
	require.Equal(t, "a", r.ID)
	require.Equal(t, "zchab", shown(l)[:5])
}

func TestNextThatNeedsALook(t *testing.T) {
	l := list(some())
	var seen string
	for range 3 {
		require.True(t, l.Next(NeedsLook, false))
		r, _ := l.Selected()
		seen += r.ID
	}
	require.Equal(t, "bdb", seen)
	require.True(t, l.Next(NeedsLook, true))
	r, _ := l.Selected()
	require.Equal(t, "d", r.ID)
	l.SetFilter("a")
	require.False(t, list(nil).Next(NeedsLook, false))
	l.SetFilter("zzz")
	require.False(t, l.Next(NeedsLook, true))
}

func TestWords(t *testing.T) {
	l := list(some())
	l.SetTick(1)
	lines := l.Lines(160, 14, text.EN)
	for i, word := range []string{"verdict", "running", "paused", "PASS", "LOW_CONFID", "failed", "cancelled", "reviewed", "interrupted", "line 3 is no JSON", "bundled unsaved", "imported"} {
		require.Contains(t, text.Unstyle(lines[i]), word, "row %d", i)
	}
}

func TestEveryWidth(t *testing.T) {
	for _, kind := range []theme.Kind{theme.Dark, theme.None} {
		l := list(some())
		l.SetTheme(theme.New(kind, nil))
		for w := 20; w <= 240; w++ {
			l.Key(keymap.Down)
			panetest.Exact(t, l.Lines(w, 1+w%31, text.ZH), w, 1+w%31)
		}
	}
	panetest.Exact(t, list(nil).Lines(60, 10, text.EN), 60, 10)
}

func BenchmarkThousandsOfSessions(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rows := make([]Row, n)
			for i := range rows {
				rows[i] = row(fmt.Sprintf("session-%06d", i), nil)
			}
			l := list(rows)
			b.ReportAllocs()
			for b.Loop() {
				l.Key(keymap.Down)
				l.Lines(200, 50, text.ZH)
			}
		})
	}
}
