package session

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzWalk holds the parts of a document against what encoding/json makes of them: the same
// members and items, at the places that they say.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, ` {"a" : 1 , "b":[ ] }`, "\ufeff[1,\"x\\\"]\",{\"k\\n\": null}\t,-1.5e3 ]\n", `{"a":1,"a":2}`, `"text"`, `[1] 2`, `{"a":`, `[[[[]]],{"":{"~/":true}}]`, "", "\xff",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := parseDocument("f", data)
		if err != nil {
			require.ErrorAs(t, err, new(*ImportError))
			return
		}
		require.True(t, json.Valid(root.doc.data))
		walk(t, root, 0)
	})
}

func walk(t *testing.T, v value, depth int) {
	t.Helper()
	require.Equal(t, string(v.doc.data[v.offset:v.offset+len(v.raw)]), string(v.raw))
	if depth > 50 {
		return
	}
	switch v.kind() {
	case "an object":
		members, err := v.object()
		if err != nil {
			require.ErrorContains(t, err, "twice")
			return
		}
		var want map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(v.raw, &want))
		require.Len(t, members, len(want))
		for name, m := range members {
			require.Equal(t, string(want[name]), string(m.raw))
			walk(t, m, depth+1)
		}
	case "an array":
		items, err := v.array()
		require.NoError(t, err)
		var want []json.RawMessage
		require.NoError(t, json.Unmarshal(v.raw, &want))
		require.Len(t, items, len(want))
		for i, m := range items {
			require.Equal(t, string(want[i]), string(m.raw))
			walk(t, m, depth+1)
		}
	}
}
