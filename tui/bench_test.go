package tui

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/tui/bridge"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
	"claimscope/tui/view/viewtest"
)

// logLines are Chinese log lines of size bytes in all, at least.
func logLines(size int) []byte {
	var b bytes.Buffer
	b.Grow(size + 200)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "2026-11-30T15:%02d:%02d.%03d WARN payment-api 获取数据库连接超时，已等待 %d 毫秒 pool=HikariPool-1 active=50 idle=0 waiting=%d\n", i/60%60, i%60, i%1000, 3000+i%97, i%31)
	}
	return b.Bytes()
}

// withTrace is a LOW_CONFID session whose cited log is that long.
func withTrace(size int) *viewtest.Script {
	s := viewtest.LowConfid()
	for i := range s.Events {
		if r, ok := s.Events[i].Body.(event.ToolReturned); ok && r.Trace.Ref == "trace-2" {
			r.Trace.Output = append(append([]byte(nil), r.Trace.Output...), logLines(size)...)
			s.Events[i].Body = r
		}
	}
	return s
}

// reading is a console at 200×50 on such a session, the trace in focus.
func reading(tb testing.TB, s *viewtest.Script) *Model {
	tb.Helper()
	m := New(Options{Lang: text.ZH, Theme: theme.Dark, Now: func() time.Time { return noon }, Zone: time.UTC, Bridge: bridge.New(tb.Context(), newFakeEngine(s))})
	m.w, m.h = 200, 50
	m.waiting = 0
	m.show(*s.State(), 1)
	m.debug.view.Apply(view.SelectClaim{Claim: 0})
	m.debug.setFocus(view.PaneTrace)
	require.NotEmpty(tb, m.View())
	return m
}

var sizes = []struct {
	name string
	size int
}{{"1KB", 1 << 10}, {"1MB", 1 << 20}, {"10MB", 10 << 20}, {"100MB", 100 << 20}}

// BenchmarkScroll is one key and the frame after it: the whole debugger at 200×50 with a
// long trace (aim: 2 ms, whatever the length). The stock viewport on 1 MB in the place of
// one pane, without any other, is the baseline.
func BenchmarkScroll(b *testing.B) {
	for _, x := range sizes {
		b.Run(x.name, func(b *testing.B) {
			m := reading(b, withTrace(x.size))
			keys := []string{"j", "j", "j", "k"}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				m.Update(key(keys[i%len(keys)]))
				_ = m.View()
				i++
			}
		})
	}
	b.Run("viewport-1MB", func(b *testing.B) {
		v := viewport.New(90, 30)
		v.SetContent(string(logLines(1 << 20)))
		b.ReportAllocs()
		for b.Loop() {
			v.ScrollDown(1)
			_ = v.View()
		}
	})
}

// BenchmarkFrame is a frame in which nothing changed but the clock of a run, and the
// walk from finding to finding, which moves every pane.
func BenchmarkFrame(b *testing.B) {
	b.Run("clock", func(b *testing.B) {
		m := reading(b, withTrace(10<<20))
		b.ReportAllocs()
		for b.Loop() {
			m.debug.live.Tick++
			m.debug.setLive(noon)
			_ = m.View()
		}
	})
	b.Run("walk", func(b *testing.B) {
		m := reading(b, withTrace(10<<20))
		b.ReportAllocs()
		for b.Loop() {
			m.Update(key("e"))
			_ = m.View()
		}
	})
}

// BenchmarkOpen is from the state to the first frame (aim: 150 ms at 100 MB). What the
// console then holds beside the trace, once its end was looked at too, is reported in
// percent of the trace (aim: 20).
func BenchmarkOpen(b *testing.B) {
	for _, x := range sizes {
		b.Run(x.name, func(b *testing.B) {
			s := withTrace(x.size)
			b.ReportAllocs()
			for b.Loop() {
				_ = reading(b, s)
			}
			before := heap()
			m := reading(b, s)
			m.Update(key("G"))
			require.Contains(b, m.View(), "HikariPool-1")
			b.ReportMetric(float64(heap()-before)*100/float64(x.size), "%-of-trace")
			runtime.KeepAlive(m)
		})
	}
}

// heap is what is alive, in bytes.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkSearch looks for a word that stands only at the end of the trace, step by step
// as the program does, with a frame after each step. Counting the word, in one call and
// with its case, is the baseline.
func BenchmarkSearch(b *testing.B) {
	const size, word = 100 << 20, "Zuletzt"
	s := withTrace(size)
	var output []byte
	for i := range s.Events {
		if r, ok := s.Events[i].Body.(event.ToolReturned); ok && r.Trace.Ref == "trace-2" {
			r.Trace.Output = append(r.Trace.Output, word...)
			s.Events[i].Body, output = r, r.Trace.Output
		}
	}
	b.Run("100MB", func(b *testing.B) {
		m := reading(b, s)
		b.SetBytes(int64(len(output)))
		b.ReportAllocs()
		longest := time.Duration(0)
		for b.Loop() {
			m.Update(key("/"))
			m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.ToLower(word))})
			_, cmd := m.Update(key("enter"))
			for cmd != nil {
				start := time.Now()
				_, cmd = m.Update(cmd())
				_ = m.View()
				longest = max(longest, time.Since(start))
			}
			require.Contains(b, m.View(), "1/1 /zuletzt")
		}
		b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest-step")
	})
	b.Run("bytes.Count-100MB", func(b *testing.B) {
		b.SetBytes(int64(len(output)))
		for b.Loop() {
			require.Equal(b, 1, bytes.Count(output, []byte(word)))
		}
	})
}

// TestALongTraceCostsNoCopy: the console holds an index of a trace, not the trace again.
func TestALongTraceCostsNoCopy(t *testing.T) {
	const size = 32 << 20
	s := withTrace(size)
	before := heap()
	m := reading(t, s)
	m.Update(key("G"))
	require.Contains(t, m.View(), "HikariPool-1")
	require.Less(t, heap()-before, int64(size/5))
	runtime.KeepAlive(m)
}
