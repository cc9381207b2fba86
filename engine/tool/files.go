package tool

import (
	"errors"
	"io/fs"
)

// Files lists the regular files below the root of a folder, in name order. A folder
// that does not exist has none.
func Files(folder fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(folder, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if p == "." && errors.Is(err, fs.ErrNotExist) {
				return fs.SkipAll
			}
			return err
		}
		if d.Type().IsRegular() {
			names = append(names, p)
		}
		return nil
	})
	return names, err
}
