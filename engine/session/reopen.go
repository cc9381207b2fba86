package session

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"

	"claimscope/engine/event"
)

// Resume opens a session for appending and records that it was resumed. A cut last
// line is removed. Errors: ErrLocked, ErrBundled, and those of Open.
func (s *Store) Resume(name string) (*Log, error) {
	l, torn, err := s.openLog(name)
	if err != nil {
		return nil, err
	}
	if _, err := l.Append(0, "", event.Resumed{Dropped: torn}); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// openLog opens an existing session for appending and removes a cut last line, whose
// length it gives. Where the file cannot be written, the session goes on in memory.
func (s *Store) openLog(name string) (*Log, int, error) {
	p, err := s.find(name)
	if err != nil {
		return nil, 0, err
	}
	if p.live != nil {
		return nil, 0, fmt.Errorf("session %s: open in this program: %w", p.id, ErrLocked)
	}
	if p.bundled != "" {
		return nil, 0, fmt.Errorf("session %s: %w", p.id, ErrBundled)
	}
	file, openErr := openFile(p.path)
	if openErr != nil && !errors.Is(openErr, fs.ErrPermission) && !readOnly(openErr) {
		return nil, 0, openErr
	}
	rec, err := s.readAt(p)
	if err == nil && file != nil {
		err = file.cutTo(rec.end, rec.Torn)
	}
	if err != nil {
		if file != nil {
			err = errors.Join(err, file.close())
		}
		return nil, 0, err
	}
	l := newLog(rec.Header, rec.Events, s.now)
	if file == nil {
		l.setUnsaved(openErr.Error())
	}
	l.file, l.onClose = file, s.forget
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[rec.Header.ID] = l
	return l, rec.Torn, nil
}

// Fork opens a new session that starts with the events of another up to and including
// number seq, and names it as its parent. The parent is only read. Change may alter
// the copied header (nil for not).
func (s *Store) Fork(name string, seq int, mode string, change func(*event.Header)) (*Log, error) {
	parent, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	if seq < 0 || seq > parent.order.Last {
		return nil, fmt.Errorf("session %s: no event %d: it has %d", parent.Header.ID, seq, parent.order.Last)
	}
	h := parent.Header
	h.Params, h.Prompts = maps.Clone(h.Params), maps.Clone(h.Prompts)
	if change != nil {
		change(&h)
	}
	h.ID, h.Time = "", s.now()
	h.Parent = &event.Parent{ID: parent.Header.ID, Seq: seq, Mode: mode}
	return s.create(h, parent.Events[:seq:seq])
}

// The modes of a fork (spec E4).
const (
	ForkVerifier = "verifier"
	ForkExecutor = "executor"
	ForkLive     = "live"
	ForkReview   = "review"
)

// Review appends a person's word to a session that has ended, and gives the id of the
// session that now holds it: a bundled session is forked for that. Errors: ErrNotEnded
// and those of Resume.
func (s *Store) Review(name string, r event.Reviewed) (string, error) {
	if err := checkReview(r); err != nil {
		return "", err
	}
	p, err := s.find(name)
	if err != nil {
		return "", err
	}
	l, owned := p.live, p.live == nil
	switch {
	case p.live != nil:
	case p.bundled != "":
		rec, err := s.readAt(p)
		if err != nil {
			return "", err
		}
		if l, err = s.Fork(name, rec.order.Last, ForkReview, nil); err != nil {
			return "", err
		}
	default:
		if l, _, err = s.openLog(name); err != nil {
			return "", err
		}
	}
	err = l.review(r)
	if owned {
		err = errors.Join(err, l.Close())
	}
	return l.Header().ID, err
}

func checkReview(r event.Reviewed) error {
	switch r.Action {
	case event.ReviewAccept:
		return nil
	case event.ReviewOverride:
		if r.Reason == "" || r.By == "" {
			return errors.New("an override needs a reason and a name")
		}
		return nil
	case event.ReviewClaimRight, event.ReviewClaimWrong:
		if r.ClaimID == "" {
			return errors.New("a mark needs the claim it is about")
		}
		return nil
	}
	return fmt.Errorf("unknown review action %q", r.Action)
}
