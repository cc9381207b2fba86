package enginetest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/enginetest"
)

const (
	scripts    = "../../sessions/scripts"
	recordings = "../../sessions/recordings"
)

// TestBundledRecordings runs every script of the bundled sessions anew: what it
// expects must hold, and the recording must be what it gives, byte for byte.
// UPDATE_GOLDEN=1 writes the recordings.
func TestBundledRecordings(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scripts, "*.scenario"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	known := map[string]bool{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			s, err := enginetest.Parse(filepath.Base(file), string(text))
			require.NoError(t, err)
			name := s.ID + ".session.jsonl"
			known[name] = true
			dir := t.TempDir()
			r, err := s.Record(context.Background(), dir)
			require.NoError(t, err)
			for _, failure := range r.Check() {
				t.Error(failure)
			}
			got, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			assert.NoDirExists(t, filepath.Join(dir, "blobs"), "bundled sessions are one file each")
			golden := filepath.Join(recordings, name)
			if os.Getenv("UPDATE_GOLDEN") != "" {
				require.NoError(t, os.MkdirAll(recordings, 0o755))
				require.NoError(t, os.WriteFile(golden, got, 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.True(t, string(want) == string(got), "the recording is stale: run make golden and read the diff")
		})
	}
	entries, err := os.ReadDir(recordings)
	require.NoError(t, err)
	for _, e := range entries {
		assert.True(t, known[e.Name()], "%s has no script", e.Name())
	}
}
