package executor_test

import (
	"encoding/json"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
)

// schemaFields lists the names of all properties in a version's JSON Schema.
func schemaFields(t *testing.T, v contract.Version) []string {
	t.Helper()
	var schema any
	require.NoError(t, json.Unmarshal(contract.Schema(v), &schema))
	seen := map[string]bool{}
	var walk func(any)
	walk = func(node any) {
		switch n := node.(type) {
		case map[string]any:
			if props, ok := n["properties"].(map[string]any); ok {
				for name := range props {
					seen[name] = true
				}
			}
			for _, child := range n {
				walk(child)
			}
		case []any:
			for _, child := range n {
				walk(child)
			}
		}
	}
	walk(schema)
	require.NotEmpty(t, seen)
	var names []string
	for name := range seen {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
