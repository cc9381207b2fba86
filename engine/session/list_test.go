package session

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
)

func TestListShowsBrokenFilesAndWhatSkimmingSees(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	id := recorded(t, s)
	open, err := s.Create(header())
	require.NoError(t, err)
	play(t, open, wholeRun("x")[:11])
	require.NoError(t, open.Close())
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+Ext), []byte(text), 0o600))
	}
	write("20200101-000000-aaaa", "rubbish\n")
	write("20200101-000000-bbbb", `{"schema":7,"id":"20200101-000000-bbbb"}`+"\n")
	write("20200101-000000-cccc", "")
	data, err := os.ReadFile(filepath.Join(dir, id+Ext))
	require.NoError(t, err)
	write("20200101-000000-dddd", string(data))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"+Ext), 0o700))

	list, err := s.List()
	require.NoError(t, err)
	require.Len(t, list, 6)
	for _, e := range list[:2] {
		require.NoError(t, e.Err)
		rec, err := s.Open(e.ID)
		require.NoError(t, err)
		whole := rec.State()
		require.Equal(t, whole.Summary(), e.Summary)
	}
	require.Equal(t, id, list[1].ID)
	require.Equal(t, 2, list[1].Supported)
	require.Equal(t, 2, list[1].Total)
	require.Equal(t, verdict.Pass, list[1].Decision)
	require.Equal(t, []string{"query_logs"}, list[1].Tools)
	require.Equal(t, []verdict.Cause{verdict.MissingRef}, list[0].Causes)
	require.Equal(t, state.Running, list[0].Status)
	for _, e := range list[2:] {
		require.Error(t, e.Err, e.ID)
		assert.Equal(t, 2020, e.Time.Year())
	}
	var newer *event.NewerError
	require.ErrorAs(t, list[4].Err, &newer)
	require.ErrorContains(t, list[2].Err, "holds session "+id)
}

func TestPruneAndRemoveSweepLargeValues(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	s := NewStore(dir, Options{Now: func() time.Time { return now }, Random: rand.New(rand.NewSource(3))})
	at := func(days int, output string) string {
		h := header()
		h.Time = now.Add(-time.Duration(days) * 24 * time.Hour)
		l, err := s.Create(h)
		require.NoError(t, err)
		play(t, l, wholeRun(output))
		require.NoError(t, l.Close())
		return l.Header().ID
	}
	shared, single := strings.Repeat("a", 300<<10), strings.Repeat("b", 300<<10)
	old, reviewed, mid, young := at(40, shared), at(50, shared), at(20, single), at(1, "x")
	_, err := s.Review(reviewed, event.Reviewed{Action: event.ReviewAccept, By: "li"})
	require.NoError(t, err)
	blobs := func() int {
		list, err := os.ReadDir(filepath.Join(dir, "blobs"))
		require.NoError(t, err)
		return len(list)
	}
	require.Equal(t, 2, blobs())
	now = now.Add(2 * time.Hour)

	gone, err := s.Prune(PruneRule{Age: 30 * 24 * time.Hour, Keep: 1, DryRun: true})
	require.NoError(t, err)
	require.Len(t, gone, 2)
	require.Equal(t, []string{mid, old}, []string{gone[0].ID, gone[1].ID})
	require.Equal(t, 2, blobs())
	gone, err = s.Prune(PruneRule{Age: 30 * 24 * time.Hour})
	require.NoError(t, err)
	require.Len(t, gone, 1)
	require.Equal(t, 2, blobs(), "the reviewed session still uses it")
	require.NoError(t, s.Remove(mid))
	require.Equal(t, 1, blobs())
	rec, err := s.Open(reviewed)
	require.NoError(t, err)
	require.Equal(t, shared, string(traces(rec)[0].Output))
	require.NoError(t, s.Remove(young))
	list, err := s.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestCheckReadsNoLargeValues(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	log, err := s.Create(header())
	require.NoError(t, err)
	play(t, log, wholeRun(strings.Repeat("line\n", event.BlobLimit)))
	id := log.Header().ID
	require.NoError(t, log.Close())
	require.NoError(t, os.RemoveAll(filepath.Join(dir, blobFolder)))
	require.NoError(t, s.Check(id))
	_, err = s.Open(id)
	require.ErrorIs(t, err, event.ErrBlob)
	require.ErrorIs(t, s.Check("nothing"), ErrNotFound)
	require.Error(t, s.Check(filepath.Join(dir, "none"+Ext)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, id+Ext), []byte("no header\n"), 0o600))
	require.ErrorIs(t, s.Check(id), event.ErrNoHeader)
}

func TestTheNewestFilesFirst(t *testing.T) {
	dir := t.TempDir()
	s := newStore(t, dir, nil)
	for _, id := range []string{"20260101-000000-aaaa", "20260103-000000-aaaa", "20260102-000000-zzzz", "20260102-000000-aaaa"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, id+Ext), []byte("no session\n"), 0o600))
	}
	ids := func(list []Entry) (out []string) {
		for _, e := range list {
			out = append(out, e.ID)
		}
		return out
	}
	some, more, err := s.Newest(2)
	require.NoError(t, err)
	require.Equal(t, 2, more)
	require.ElementsMatch(t, []string{"20260103-000000-aaaa", "20260102-000000-zzzz"}, ids(some))
	all, more, err := s.Newest(9)
	require.NoError(t, err)
	require.Zero(t, more)
	require.Len(t, all, 4)
}
