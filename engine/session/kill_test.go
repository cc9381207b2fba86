package session

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/trace"
)

// appendForever is the child's whole life: it appends, and says so only afterwards.
func appendForever(dir string) error {
	s := NewStore(dir, Options{Now: clock(), Random: rand.New(rand.NewSource(int64(os.Getpid())))})
	l, err := s.Create(header())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for n := 1; ; n++ {
		size := 10
		if n%20 == 0 {
			size = event.BlobLimit + n
		}
		e, err := l.Append(1, event.Executor, event.ToolReturned{Trace: trace.Trace{
			Ref: fmt.Sprintf("trace-%d", n), ToolName: "t", Status: trace.OK, Kind: trace.Observation,
			Output: []byte(strings.Repeat("x", size)), InvocationIDs: []int64{int64(n)},
		}})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s %d\n", l.Header().ID, e.Seq); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

const childDir = "CLAIMSCOPE_TEST_APPEND"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		fmt.Fprintln(os.Stderr, appendForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestWhatWasAcknowledgedSurvivesKill(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	for round := range 12 {
		dir := t.TempDir()
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childDir+"="+dir)
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		// Kill it after so many acknowledgements, while it goes on appending.
		lines := bufio.NewScanner(out)
		var id string
		acknowledged := 0
		read := func() bool {
			if !lines.Scan() {
				return false
			}
			_, err := fmt.Sscanf(lines.Text(), "%s %d", &id, &acknowledged)
			require.NoError(t, err)
			return true
		}
		for range 1 + r.Intn(80) {
			require.True(t, read(), "the child appends until it is killed")
		}
		require.NoError(t, child.Process.Kill())
		for read() { // what it had still said before it died
		}
		require.Error(t, child.Wait())

		s := newStore(t, dir, nil)
		rec, err := s.Open(id)
		require.NoError(t, err, "round %d", round)
		require.GreaterOrEqual(t, len(rec.Events), acknowledged)
		l, err := s.Resume(id)
		require.NoError(t, err, "the lock died with the child")
		play(t, l, wholeRun("x"))
		require.NoError(t, l.Close())
		again, err := s.Open(id)
		require.NoError(t, err)
		require.Zero(t, again.Torn)
		require.Equal(t, rec.Events, again.Events[:len(rec.Events)])
	}
}

func TestFullDiskGoesOnInMemory(t *testing.T) {
	s := newStore(t, t.TempDir(), nil)
	l, err := s.Create(header())
	require.NoError(t, err)
	play(t, l, wholeRun("x")[:3])
	path := l.Path()
	require.NoError(t, l.file.f.Close()) // from now on every write fails
	play(t, l, wholeRun("x")[3:])
	unsaved, why := l.Unsaved()
	require.True(t, unsaved)
	require.Contains(t, why, "closed")
	state := l.State()
	require.True(t, state.Done())
	require.True(t, state.Unsaved)
	rec, err := s.Open(l.Header().ID)
	require.NoError(t, err)
	require.Len(t, rec.Events, len(wholeRun("x")), "the store knows the whole session")
	onDisk, err := ReadFile(path)
	require.NoError(t, err)
	require.Len(t, onDisk.Events, 3)
}

func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	s := newStore(b, dir, nil)
	id := recorded(b, s)
	data, err := os.ReadFile(filepath.Join(dir, id+Ext))
	require.NoError(b, err)
	// Sessions of about 120 KB: the run, and requests as large as real ones.
	lines := strings.SplitAfter(string(data), "\n")
	lines[2] = strings.Replace(lines[2], `"messages":null`, `"messages":[{"role":"user","content":"`+strings.Repeat("x", 110_000)+`"}]`, 1)
	require.Greater(b, len(lines[2]), 110_000)
	const sessions = 5000
	for i := range sessions {
		name := fmt.Sprintf("20261130-%06d-aaaa", i)
		text := strings.Replace(strings.Join(lines, ""), id, name, 1)
		require.NoError(b, os.WriteFile(filepath.Join(dir, name+Ext), []byte(text), 0o600))
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			list, err := newStore(b, dir, nil).List()
			require.NoError(b, err)
			require.Len(b, list, sessions+1)
			require.NoError(b, list[7].Err)
		}
	})
	b.Run("again", func(b *testing.B) {
		_, err := s.List()
		require.NoError(b, err)
		for b.Loop() {
			_, err := s.List()
			require.NoError(b, err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	s := newStore(b, b.TempDir(), nil)
	l, err := s.Create(header())
	require.NoError(b, err)
	for b.Loop() {
		_, err := l.Append(1, event.Executor, event.StageStarted{})
		require.NoError(b, err)
	}
}
