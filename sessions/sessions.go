// Package sessions ships the bundled incidents and the sessions recorded on them inside the binary.
//
// An incident folder holds incident.yaml, logs/, metrics/ and knowledge/ (spec I3). Its logs and metrics come from the
// program in sessions/lab, a module of its own; `make incident` records them anew.
package sessions

import (
	"embed"
	"io/fs"
)

//go:embed incidents recordings
var files embed.FS

// FS returns the bundled files, read-only: incidents/NAME/ holds one incident folder each, recordings/ the session
// files (*.session.jsonl).
func FS() fs.FS { return files }
