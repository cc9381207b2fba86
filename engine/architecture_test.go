package engine_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The rooms of the house and what each may import of ours. A path ending in /...
// stands for the package and all below it. Change the house and this table together.
var (
	pure = []string{"engine/contract", "engine/trace", "engine/grounding", "engine/gate", "engine/verdict"}

	// What the events carry: the pure rooms, and the types of the model's root package.
	carried = append(slices.Clone(pure), "engine/model")

	rooms = []room{
		{"prompts", nil},
		{"sessions", nil},
		{"engine/contract", nil},
		{"engine/trace", nil},
		{"engine/grounding", nil},
		{"engine/redact", nil},
		{"engine/config", nil},
		{"engine/gate", []string{"engine/contract", "engine/trace", "engine/grounding"}},
		{"engine/verdict", []string{"engine/contract", "engine/trace", "engine/gate"}},
		{"engine/event", carried},
		{"engine/state", append(slices.Clone(carried), "engine/event")},
		{"engine/session", append(slices.Clone(carried), "engine/event", "engine/state", "engine/redact")},
		{"engine/model", nil},
		// The stub endpoint answers with bundled recordings.
		{"engine/model/openaitest/stub", []string{"engine/...", "sessions"}},
		{"engine/model/...", []string{"engine/model/..."}},
		{"engine/tool", []string{"engine/trace", "engine/redact"}},
		// The incident folder wires the three adapters that read it.
		{"engine/tool/incident", []string{"engine/tool/...", "engine/trace"}},
		{"engine/tool/...", []string{"engine/tool", "engine/trace", "engine/redact"}},
		// The answer stage gives the event's own Answered, rather than a copy of it.
		{"engine/stage/...", append(slices.Clone(carried), "engine/event", "engine/tool", "prompts")},
		{"engine/pipeline", []string{"engine/...", "prompts"}},
		{"engine/enginetest", []string{"engine/...", "prompts", "sessions"}},
		{"engine", []string{"engine/...", "prompts"}},
		{"tui/text", nil},
		{"tui/widget", []string{"tui/text", "tui/theme", "tui/keymap"}},
		{"tui/theme", []string{"tui/text"}},
		{"tui/keymap", []string{"tui/text"}},
		{"tui/view/viewtest", append(slices.Clone(carried), "engine/event", "engine/state", "tui/view", "tui/text")},
		{"tui/view", append(slices.Clone(carried), "engine/event", "engine/state", "tui/text")},
		// What all panes share stands in tui/pane itself; siblings stay apart.
		{"tui/pane/...", append(slices.Clone(carried), "engine/event", "engine/state", "tui/pane", "tui/view/...", "tui/widget", "tui/text", "tui/theme", "tui/keymap")},
		// The bridge words the errors of the store for a person.
		{"tui/bridge", []string{"engine", "engine/event", "engine/session", "engine/state"}},
		{"tui/cli", []string{"engine/...", "tui/text", "prompts", "sessions"}},
		{"tui", append(slices.Clone(carried), "tui/...", "engine/event", "engine/state")},
		{"", []string{"engine/...", "tui/...", "prompts", "sessions"}}, // main.go
	}

	// terminal libraries stay out of the engine.
	terminal = []string{"github.com/charmbracelet/", "github.com/muesli/", "golang.org/x/term", "github.com/rivo/uniseg"}
	// The views know nothing of networks, processes or files.
	world = []string{"os/exec", "net/http", "io/fs", "embed"}
)

type room struct {
	path string
	may  []string
}

type listed struct {
	ImportPath string
	Imports    []string
}

func covers(pattern, path string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == base || strings.HasPrefix(path, base+"/")
	}
	return pattern == path
}

// roomOf finds the most exact room of a package.
func roomOf(path string) (room, bool) {
	for _, r := range rooms {
		if r.path == path {
			return r, true
		}
	}
	for _, r := range rooms {
		if covers(r.path, path) {
			return r, true
		}
	}
	return room{}, false
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		all = append(all, p)
	}
	require.Greater(t, len(all), 10, "the list of packages is too short to be true")
	return all
}

func TestImportDirections(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "claimscope"), "/")
		r, ok := roomOf(path)
		if !assert.True(t, ok, "%s stands in no room of the table", p.ImportPath) {
			continue
		}
		for _, imp := range p.Imports {
			if ours, ok := strings.CutPrefix(imp, "claimscope/"); ok {
				allowed := slices.ContainsFunc(r.may, func(m string) bool { return covers(m, ours) })
				assert.True(t, allowed, "%s imports %s", path, ours)
				continue
			}
			if strings.HasPrefix(path, "engine") {
				for _, lib := range terminal {
					assert.False(t, strings.HasPrefix(imp, lib), "%s imports the terminal library %s", path, imp)
				}
			}
			if strings.HasPrefix(path, "tui") && path != "tui/cli" {
				assert.NotContains(t, world, imp, "%s reaches outside", path)
			}
		}
	}
}

// TestGuardBites holds the guard itself to account: forbidden pairs must be refused.
func TestGuardBites(t *testing.T) {
	for _, pair := range [][2]string{
		{"engine/contract", "engine/trace"}, {"engine/gate", "engine/event"}, {"engine/stage/planner", "engine/stage/executor"},
		{"tui/pane/claims", "tui/pane/trace"}, {"tui/pane/claims", "engine/session"}, {"tui/view", "tui/theme"}, {"tui", "engine"},
		{"engine/pipeline", "tui/text"},
	} {
		r, ok := roomOf(pair[0])
		require.True(t, ok, pair[0])
		assert.False(t, slices.ContainsFunc(r.may, func(m string) bool { return covers(m, pair[1]) }), "%s may import %s", pair[0], pair[1])
	}
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir("..")
	require.NoError(t, err)
	want := []string{"go.mod", "go.sum", "main.go", "tui", "engine", "prompts", "sessions", "Makefile", "README.md"}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			assert.Contains(t, want, e.Name())
		}
	}
	for _, name := range want {
		_, err := os.Stat(filepath.Join("..", name))
		assert.NoError(t, err)
	}
}
