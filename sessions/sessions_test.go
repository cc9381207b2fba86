package sessions_test

import (
	"io/fs"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/sessions"
)

// TestBundledIncidentsAreWhole asks that every bundled incident folder has what spec I3 wants.
func TestBundledIncidentsAreWhole(t *testing.T) {
	dirs, err := fs.ReadDir(sessions.FS(), "incidents")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, d := range dirs {
		t.Run(d.Name(), func(t *testing.T) {
			incident, err := fs.Sub(sessions.FS(), "incidents/"+d.Name())
			require.NoError(t, err)
			for _, want := range []string{"logs/*", "metrics/*.om", "knowledge/*.md"} {
				files, err := fs.Glob(incident, want)
				require.NoError(t, err)
				assert.NotEmpty(t, files, want)
			}
			text, err := fs.ReadFile(incident, "incident.yaml")
			require.NoError(t, err)
			var head struct {
				Title, Query string
				Window       struct{ Start, End string }
				Services     []string
			}
			require.NoError(t, yaml.UnmarshalWithOptions(text, &head, yaml.Strict()))
			assert.NotEmpty(t, head.Title)
			assert.NotEmpty(t, head.Query)
			assert.Less(t, head.Window.Start, head.Window.End)
			assert.NotEmpty(t, head.Services)
		})
	}
}
