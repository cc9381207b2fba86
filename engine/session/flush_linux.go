package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush puts what was appended on the disk. fdatasync leaves out only what reading
// does not need, such as the time of change.
func flush(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }
