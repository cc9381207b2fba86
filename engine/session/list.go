package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"claimscope/engine/state"
)

// Entry is a session in a list. A broken file has Err set, and of the summary at
// least the id.
type Entry struct {
	state.Summary
	Path string // of its file; "" for one in memory or bundled
	Err  error
}

// cached is a listed file as it was.
type cached struct {
	size    int64
	changed time.Time
	sum     state.Summary
	err     error
}

// List gives every session, newest first: those in the folder, the bundled ones and
// those in memory. Files are skimmed, on all cores, and only when they changed since
// the last listing: damage in the middle of a file shows when it is opened. When the
// folder cannot be read, the others come with the error.
func (s *Store) List() ([]Entry, error) {
	list, _, err := s.Newest(0)
	return list, err
}

// Newest is List with no more than the n newest files, as their names have it, and the
// number of the others; 0 means all.
func (s *Store) Newest(n int) (newest []Entry, more int, err error) {
	all, folderErr := s.places()
	if n > 0 {
		more = keepNewest(all, n)
	}
	list := make([]Entry, 0, len(all))
	for _, p := range all {
		list = append(list, Entry{Summary: state.Summary{ID: p.id}, Path: p.path})
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(list)); i = next.Add(1) - 1 {
				list[i] = s.entry(all[list[i].ID])
			}
		})
	}
	workers.Wait()
	list = slices.DeleteFunc(list, func(e Entry) bool { return errors.Is(e.Err, fs.ErrNotExist) })
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.ID, a.ID))
	})
	return list, more, folderErr
}

// keepNewest takes all but the n newest files out, and says how many.
func keepNewest(all map[string]place, n int) (out int) {
	var files []string
	for id, p := range all {
		if p.live == nil && p.bundled == "" {
			files = append(files, id)
		}
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(timeOf(b).Compare(timeOf(a)), strings.Compare(b, a)) })
	for _, id := range files[min(n, len(files)):] {
		delete(all, id)
		out++
	}
	return out
}

// Check says why a session cannot be opened, as far as its file tells without its large
// values. Errors as Open.
func (s *Store) Check(name string) error {
	p, err := s.find(name)
	if err != nil {
		return err
	}
	if p.id == "" { // a path
		_, err = s.readAt(p)
		return err
	}
	return s.entry(p).Err
}

// entry summarises one session.
func (s *Store) entry(p place) Entry {
	if p.live != nil {
		state := p.live.State()
		return Entry{Summary: state.Summary(), Path: p.live.Path()}
	}
	key, name, info, err := p.path, p.path, fs.FileInfo(nil), error(nil)
	if p.bundled != "" {
		key, name = "bundled:"+p.bundled, p.bundled
		info, err = fs.Stat(s.bundled, name)
	} else {
		info, err = os.Stat(name)
	}
	if err != nil {
		return Entry{Summary: state.Summary{ID: p.id}, Path: p.path, Err: err}
	}
	s.mu.Lock()
	known, ok := s.cache[key]
	s.mu.Unlock()
	if !ok || known.size != info.Size() || !known.changed.Equal(info.ModTime()) {
		known = cached{size: info.Size(), changed: info.ModTime()}
		known.sum, known.err = s.summarise(p)
		s.mu.Lock()
		s.cache[key] = known
		s.mu.Unlock()
	}
	return Entry{Summary: known.sum, Path: p.path, Err: known.err}
}

// summarise skims a file, and reads it whole where skimming cannot tell.
func (s *Store) summarise(p place) (state.Summary, error) {
	sum, ok, err := s.skimAt(p)
	if err == nil && !ok {
		var rec *Recording
		if rec, err = s.readAt(p); err == nil {
			whole := rec.State()
			sum = whole.Summary()
		}
	}
	if err == nil && sum.ID != p.id {
		err = fmt.Errorf("%s%s: holds session %s; a copy must be made by fork", p.id, Ext, sum.ID)
	}
	if err != nil {
		sum = state.Summary{Time: timeOf(p.id)}
	}
	sum.ID, sum.Bundled = p.id, p.bundled != ""
	return sum, err
}

func (s *Store) skimAt(p place) (sum state.Summary, ok bool, err error) {
	var f fs.File
	if p.bundled != "" {
		f, err = s.bundled.Open(p.bundled)
	} else {
		f, err = os.Open(p.path)
	}
	if err != nil {
		return state.Summary{}, false, err
	}
	defer func() { _ = f.Close() }()
	return skim(f)
}

// timeOf reads the time off an id, so that a broken file stands where it belongs.
func timeOf(id string) time.Time {
	at, err := time.Parse("20060102-150405", id[:min(len(id), 15)])
	if err != nil {
		return time.Time{}
	}
	return at
}
