package session

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"claimscope/engine/event"
)

// Ext ends the name of a session file.
const Ext = ".session.jsonl"

// blobFolder is the folder of large values beside session files.
const blobFolder = "blobs"

// ErrLocked says that another process writes the session.
var ErrLocked = errors.New("session is being written by another process")

// logFile is a session file open for appending. An advisory lock (flock) on the file
// itself keeps other writers out and ends with the process; readers take none.
//
// Each event is one write of one whole line followed by fdatasync, so that what was
// acknowledged survives kill -9 and a loss of power, and a crash in the middle
// leaves at most one cut last line.
type logFile struct {
	path string
	f    *os.File
}

// createFile makes a new session file with its header and the events it starts with.
// Under an existing name it gives fs.ErrExist.
func createFile(path string, h event.Header, events []event.Event) (*logFile, error) {
	start, err := event.EncodeHeader(h)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	lf := &logFile{path: path, f: f}
	err = lf.lock()
	for i := 0; i < len(events) && err == nil; i++ {
		var line []byte
		line, err = event.Encode(events[i], lf.putBlob)
		start = append(start, line...)
	}
	if err == nil {
		err = lf.write(start)
	}
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, lf.close(), os.Remove(path))
	}
	return lf, nil
}

// openFile opens an existing session file for appending: ErrLocked when another
// writer has it.
func openFile(path string) (*logFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	lf := &logFile{path: path, f: f}
	if err := lf.lock(); err != nil {
		return nil, errors.Join(err, lf.close())
	}
	return lf, nil
}

// cutTo removes the torn bytes of a last line, which begins at end.
func (lf *logFile) cutTo(end int64, torn int) error {
	if torn == 0 {
		return nil
	}
	return errors.Join(lf.f.Truncate(end), lf.f.Sync())
}

// readOnly reports whether err says that the file system cannot be written.
func readOnly(err error) bool { return errors.Is(err, unix.EROFS) }

// lock takes the writer's lock or gives ErrLocked.
func (lf *logFile) lock() error {
	err := unix.Flock(int(lf.f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return fmt.Errorf("%s: %w", lf.path, ErrLocked)
	}
	if err != nil {
		return fmt.Errorf("%s: lock: %w", lf.path, err)
	}
	return nil
}

// append writes an event's large values, then its line.
func (lf *logFile) append(e event.Event) error {
	line, err := event.Encode(e, lf.putBlob)
	if err != nil {
		return err
	}
	return lf.write(line)
}

func (lf *logFile) write(line []byte) error {
	if _, err := lf.f.Write(line); err != nil {
		return err
	}
	if err := flush(lf.f); err != nil {
		return fmt.Errorf("%s: flush: %w", lf.path, err)
	}
	return nil
}

func (lf *logFile) close() error { return lf.f.Close() }

// putBlob stores a large value under its hash: written to a temporary name, flushed,
// then renamed, so that a file under a hash is always whole.
func (lf *logFile) putBlob(sum string, content []byte) (err error) {
	dir := filepath.Join(filepath.Dir(lf.path), blobFolder)
	path := filepath.Join(dir, sum)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(content)) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	suffix := make([]byte, 6)
	if _, err := rand.Read(suffix); err != nil {
		return err
	}
	tmp := filepath.Join(dir, ".tmp-"+hex.EncodeToString(suffix))
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp))
		}
	}()
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Rename(tmp, path); err != nil {
		return err
	}
	return syncDir(dir)
}

// blobsOf gives the reader of the large values that belong to a session file at
// name in fsys.
func blobsOf(fsys fs.FS, folder string) event.GetBlob {
	return func(sum string) ([]byte, error) {
		name := blobFolder + "/" + sum
		if folder != "." && folder != "" {
			name = folder + "/" + name
		}
		f, err := fsys.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		const most = 1 << 30
		if info.Size() > most {
			return nil, fmt.Errorf("%s: larger than 1 GiB", name)
		}
		// All at once: growing on the way would take the memory of several.
		data := make([]byte, info.Size())
		_, err = io.ReadFull(f, data)
		return data, err
	}
}

// syncDir makes a new name in a folder last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
