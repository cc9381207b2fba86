package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// Remove deletes a session's file, and the large values that no other session of the
// folder uses. Errors: ErrLocked while it is written, ErrBundled, and those of Open.
func (s *Store) Remove(name string) error {
	p, err := s.find(name)
	if err != nil {
		return err
	}
	if err := s.remove(p); err != nil {
		return err
	}
	return s.sweep()
}

func (s *Store) remove(p place) error {
	if p.bundled != "" {
		return fmt.Errorf("session %s: %w", p.id, ErrBundled)
	}
	if p.live != nil {
		if unsaved, _ := p.live.Unsaved(); !unsaved {
			return fmt.Errorf("session %s: open in this program: %w", p.id, ErrLocked)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.live, p.id)
		return nil
	}
	if p.id == "" {
		// A path may name anything: only what reads as a session is deleted.
		if _, err := ReadFile(p.path); err != nil {
			return err
		}
	}
	file, err := openFile(p.path)
	if err != nil {
		return err
	}
	return errors.Join(os.Remove(p.path), file.close())
}

// PruneRule says which sessions go: those older than Age, and of the others those
// beyond the newest Keep. Zero switches a rule off.
type PruneRule struct {
	Age    time.Duration
	Keep   int
	DryRun bool // only tell
}

// Prune deletes sessions of the folder by rule and gives the ones that went, newest
// first. Sessions being written, reviewed ones, bundled ones and broken files stay.
func (s *Store) Prune(rule PruneRule) ([]Entry, error) {
	list, err := s.List()
	if err != nil {
		return nil, err
	}
	var gone []Entry
	kept := 0
	for _, e := range list {
		if e.Err != nil || e.Bundled || e.Unsaved || e.Reviews > 0 {
			continue
		}
		old := rule.Age > 0 && s.now().Sub(e.Time) > rule.Age
		if !old && (rule.Keep <= 0 || kept < rule.Keep) {
			kept++
			continue
		}
		if !rule.DryRun {
			err := s.remove(place{id: e.ID, path: e.Path})
			if errors.Is(err, ErrLocked) || errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return gone, err
			}
		}
		gone = append(gone, e)
	}
	if rule.DryRun || len(gone) == 0 {
		return gone, nil
	}
	return gone, s.sweep()
}

// sweepAge spares large values younger than this: a writer stores a value before the
// line that refers to it.
const sweepAge = time.Hour

// sweep deletes the large values that no session file of the folder refers to.
func (s *Store) sweep() error {
	dir := filepath.Join(s.dir, blobFolder)
	blobs, err := os.ReadDir(dir)
	if s.dir == "" || errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return err
	}
	used, err := s.usedBlobs()
	if err != nil {
		return err
	}
	for _, b := range blobs {
		info, err := b.Info()
		if err != nil || used[b.Name()] || !b.Type().IsRegular() || s.now().Sub(info.ModTime()) < sweepAge {
			continue
		}
		if err := os.Remove(filepath.Join(dir, b.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// usedBlobs gathers whatever looks like a reference in the session files, readable or not.
func (s *Store) usedBlobs() (map[string]bool, error) {
	ids, err := s.files()
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, id := range ids {
		data, err := os.ReadFile(s.fileOf(id))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		const mark, length = `"sha256":"`, 64
		for {
			at := bytes.Index(data, []byte(mark))
			if at < 0 {
				break
			}
			data = data[at+len(mark):]
			used[string(data[:min(length, len(data))])] = true
		}
	}
	return used, nil
}
