package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"claimscope/engine/session"
	"claimscope/prompts"
)

// ErrNoTrace says that a session has no trace of that ref.
var ErrNoTrace = errors.New("no such trace")

// Export writes a session to w. Format is json, case, md or html; lang, zh or en, is
// the language of a report.
func (e *Engine) Export(w io.Writer, name, format, lang string) error {
	f, err := session.ParseExportFormat(format)
	if err != nil {
		return err
	}
	rec, err := e.store.Open(name)
	if err != nil {
		return err
	}
	return rec.Export(w, f, session.Lang(lang))
}

// ExportFile writes a session to a new file in the working folder, or in the folder
// for temporary files where that cannot be written, and gives its path.
func (e *Engine) ExportFile(name, format, lang string) (path string, err error) {
	var b bytes.Buffer
	if err := e.Export(&b, name, format, lang); err != nil {
		return "", err
	}
	ext := format
	if format == string(session.ExportCase) {
		ext = "case.json"
	}
	return newFile(name, ext, b.Bytes())
}

// SaveOutput writes the raw output of a trace to a new file, as ExportFile does.
func (e *Engine) SaveOutput(name, ref string) (path string, err error) {
	rec, err := e.store.Open(name)
	if err != nil {
		return "", err
	}
	st := rec.State()
	for _, t := range st.Traces(len(st.Attempts)) {
		if t.Ref == ref {
			return newFile(name+"-"+ref, "txt", t.Output)
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNoTrace, ref)
}

// newFile writes data into a file that did not exist: base.ext, base-2.ext …
func newFile(base, ext string, data []byte) (string, error) {
	base = filepath.Base(base)
	var err error
	for _, dir := range []string{".", os.TempDir()} {
		for n := 1; n < 1000; n++ {
			name := base + "." + ext
			if n > 1 {
				name = fmt.Sprintf("%s-%d.%s", base, n, ext)
			}
			path := filepath.Join(dir, name)
			var f *os.File
			f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if errors.Is(err, os.ErrExist) {
				continue
			}
			if err != nil {
				break
			}
			_, err = f.Write(data)
			return path, errors.Join(err, f.Close())
		}
	}
	return "", fmt.Errorf("cannot write %s: %w", base, err)
}

// ErrNoPrompts says that no folder of prompts is configured.
var ErrNoPrompts = errors.New("no folder of prompts: start with --prompts DIR")

// SavePrompt writes a prompt's text into the configured folder of prompts and gives
// the file's path. Errors: ErrNoPrompts, and those of prompts.Save.
func (e *Engine) SavePrompt(name, text string) (path string, err error) {
	if e.config.Prompts == "" {
		return "", ErrNoPrompts
	}
	n := prompts.Name(name)
	return filepath.Join(e.config.Prompts, n.File()), prompts.Save(e.config.Prompts, n, text)
}
