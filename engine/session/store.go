package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"claimscope/engine/event"
)

// The errors of a Store. They are wrapped with the session concerned.
var (
	ErrNotFound = errors.New("no such session")
	ErrBundled  = errors.New("bundled sessions are never written; fork it")
	ErrNotEnded = errors.New("session has not ended")
	ErrBadID    = errors.New("not a session id")
)

// AmbiguousError says that a short name fits several sessions.
type AmbiguousError struct {
	Name string
	IDs  []string // sorted
}

// Error lists the first few ids.
func (e *AmbiguousError) Error() string {
	const show = 5
	more := ""
	if len(e.IDs) > show {
		more = " …"
	}
	return fmt.Sprintf("%q fits %d sessions: %s%s", e.Name, len(e.IDs), strings.Join(e.IDs[:min(show, len(e.IDs))], ", "), more)
}

// Options are what a Store needs from outside.
type Options struct {
	Now    func() time.Time
	Random io.Reader // for ids; crypto/rand.Reader outside tests
	// Bundled holds the session files that ship with the program, in any folder of
	// it; nil for none. It is never written.
	Bundled fs.FS
}

// Store is a folder of sessions, the bundled ones, and those that live in memory. It
// is safe for concurrent use.
type Store struct {
	dir     string
	now     func() time.Time
	random  io.Reader
	bundled fs.FS

	mu    sync.Mutex
	live  map[string]*Log // open in this program, or in memory only
	cache map[string]cached
}

// NewStore gives the store over folder dir, which need not exist: it is made when the
// first session is saved. With an empty dir every session lives in memory.
func NewStore(dir string, o Options) *Store {
	return &Store{
		dir: dir, now: o.Now, random: o.Random, bundled: o.Bundled,
		live: map[string]*Log{}, cache: map[string]cached{},
	}
}

// Create opens a new session. Schema, ID and Time of the header are filled in where
// they are empty. Where the folder cannot be written, the session lives in memory:
// see Log.Unsaved.
func (s *Store) Create(h event.Header) (*Log, error) { return s.create(h, nil) }

// create opens a new session that starts with events.
func (s *Store) create(h event.Header, events []event.Event) (*Log, error) {
	h.Schema = event.SchemaVersion
	if h.Time.IsZero() {
		h.Time = s.now()
	}
	h.Time = h.Time.Round(0).UTC()
	given := h.ID != ""
	const tries = 20
	for range tries {
		if !given {
			var err error
			if h.ID, err = NewID(h.Time, s.random); err != nil {
				return nil, err
			}
		}
		if !ValidID(h.ID) {
			return nil, fmt.Errorf("%w: %q", ErrBadID, h.ID)
		}
		l, err := s.tryCreate(h, events)
		if errors.Is(err, fs.ErrExist) && !given {
			continue
		}
		return l, err
	}
	return nil, fmt.Errorf("session: no free id after %d tries", tries)
}

// tryCreate opens a session under the header's id; fs.ErrExist when that is taken.
func (s *Store) tryCreate(h event.Header, events []event.Event) (*Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, taken := s.live[h.ID]
	taken = taken || slices.ContainsFunc(bundledNames(s.bundled), func(name string) bool { return path.Base(name) == h.ID+Ext })
	if taken {
		return nil, fmt.Errorf("session %s: %w", h.ID, fs.ErrExist)
	}
	l := newLog(h, events, s.now)
	file, err := s.makeFile(h, events)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, fmt.Errorf("session %s: %w", h.ID, err)
	case err != nil:
		l.setUnsaved(err.Error())
	default:
		l.file = file
	}
	l.onClose = s.forget
	s.live[h.ID] = l
	return l, nil
}

func (s *Store) makeFile(h event.Header, events []event.Event) (*logFile, error) {
	if s.dir == "" {
		return nil, errors.New("no folder for sessions is configured")
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	return createFile(s.fileOf(h.ID), h, events)
}

func (s *Store) fileOf(id string) string { return filepath.Join(s.dir, id+Ext) }

// forget drops a closed log, whose file has it all.
func (s *Store) forget(l *Log) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, l.Header().ID)
}

// place says where a session is.
type place struct {
	id      string
	live    *Log
	path    string // of its file
	bundled string // its name in the bundled file system
}

// find resolves a name: a path, an id, or the unique beginning or last part of an id.
// An id in the folder hides a bundled one.
func (s *Store) find(name string) (place, error) {
	if isPath(name) {
		return place{path: name}, nil
	}
	all, err := s.places()
	if p, ok := all[name]; ok {
		return p, nil
	}
	var fits []string
	for id := range all {
		if name != "" && (strings.HasPrefix(id, name) || strings.HasSuffix(id, "-"+name)) {
			fits = append(fits, id)
		}
	}
	slices.Sort(fits)
	switch len(fits) {
	case 0:
		if err != nil {
			return place{}, err
		}
		return place{}, fmt.Errorf("%q: %w", name, ErrNotFound)
	case 1:
		return all[fits[0]], nil
	}
	return place{}, &AmbiguousError{Name: name, IDs: fits}
}

// places finds every session by id. With an error it still gives those that were found.
func (s *Store) places() (map[string]place, error) {
	all := map[string]place{}
	for _, name := range bundledNames(s.bundled) {
		id := strings.TrimSuffix(path.Base(name), Ext)
		all[id] = place{id: id, bundled: name}
	}
	files, err := s.files()
	for _, id := range files {
		all[id] = place{id: id, path: s.fileOf(id)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, l := range s.live {
		all[id] = place{id: id, live: l}
	}
	return all, err
}

// files lists the ids of the session files in the folder.
func (s *Store) files() ([]string, error) {
	if s.dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("sessions: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), Ext); ok && e.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// bundledNames lists the session files of fsys; what cannot be walked is left out.
func bundledNames(fsys fs.FS) []string {
	if fsys == nil {
		return nil
	}
	var names []string
	_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, Ext) {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// Open reads a session whole: by id, by the unique beginning or last part of an id,
// or by the path of its file. Errors: ErrNotFound, *AmbiguousError, and those of event.
func (s *Store) Open(name string) (*Recording, error) {
	p, err := s.find(name)
	if err != nil {
		return nil, err
	}
	return s.readAt(p)
}

func (s *Store) readAt(p place) (*Recording, error) {
	switch {
	case p.live != nil:
		return p.live.recording(), nil
	case p.bundled != "":
		rec, err := readBundled(s.bundled, p.bundled)
		return sameID(rec, err, p)
	default:
		rec, err := ReadFile(p.path)
		return sameID(rec, err, p)
	}
}

// sameID refuses a file that was copied under the name of another session: two files
// of one session would drift apart.
func sameID(rec *Recording, err error, p place) (*Recording, error) {
	if err == nil && p.id != "" && rec.Header.ID != p.id {
		return nil, fmt.Errorf("%s%s: holds session %s; a copy must be made by fork", p.id, Ext, rec.Header.ID)
	}
	return rec, err
}
