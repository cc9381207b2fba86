package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"claimscope/engine/event"
	"claimscope/engine/state"
)

// Recording is a session as read: whole, without a lock.
type Recording struct {
	Header  event.Header
	Events  []event.Event
	Torn    int    // length in bytes of a cut last line, which is left out
	Path    string // of its file; "" for a session in memory
	Bundled bool
	Unsaved bool

	end   int64
	order event.Order
}

// State folds the recording.
func (r *Recording) State() state.Session {
	s := state.Fold(r.Header, r.Events)
	s.Bundled, s.Unsaved = r.Bundled, r.Unsaved
	s.MarkTorn(r.Torn)
	return s
}

// StateAt folds the events up to and including number seq.
func (r *Recording) StateAt(seq int) state.Session {
	s := state.FoldPrefix(r.Header, r.Events, seq)
	s.Bundled, s.Unsaved = r.Bundled, r.Unsaved
	if seq >= r.order.Last {
		s.MarkTorn(r.Torn)
	}
	return s
}

// ReadFile reads a session file anywhere on disk. It takes no lock and creates nothing.
func ReadFile(name string) (*Recording, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	rec, err := read(f, blobsOf(os.DirFS(filepath.Dir(name)), "."))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	rec.Path = name
	return rec, nil
}

// readBundled reads a session that ships with the program.
func readBundled(fsys fs.FS, name string) (*Recording, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	rec, err := read(f, blobsOf(fsys, path.Dir(name)))
	if err != nil {
		return nil, fmt.Errorf("bundled %s: %w", name, err)
	}
	rec.Bundled = true
	return rec, nil
}

// Read reads a session in the file format from anywhere, such as standard input. A
// session with large values outside the file cannot be read this way.
func Read(r io.Reader) (*Recording, error) { return read(r, nil) }

func read(r io.Reader, get event.GetBlob) (*Recording, error) {
	in, err := event.NewReader(r, get)
	if err != nil {
		return nil, err
	}
	rec := &Recording{Header: in.Header}
	for {
		e, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		rec.Events = append(rec.Events, e)
	}
	rec.Torn, rec.end, rec.order = in.Torn(), in.End(), in.Order()
	return rec, nil
}

// isPath reports whether a name given by a person means a file, not an id.
func isPath(name string) bool {
	return strings.ContainsRune(name, filepath.Separator) || strings.HasSuffix(name, Ext)
}
