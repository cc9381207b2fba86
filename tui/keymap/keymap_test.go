package keymap

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/tui/text"
)

func TestNoKeyMeansTwoThings(t *testing.T) {
	type place struct {
		scope Scope
		key   string
	}
	seen := map[place]Action{}
	for _, b := range table {
		require.NotEmpty(t, b.Keys)
		for _, k := range b.Keys {
			at := place{b.Scope, k}
			require.NotContains(t, seen, at, "%q twice", k)
			seen[at] = b.Action
			// An inner scope does not hide a key of the scopes around it, but for the
			// dialog, which is over everything.
			for s := b.Scope; b.Scope != Dialog; {
				outer, ok := s.Outer()
				if !ok {
					break
				}
				s = outer
				for _, o := range table {
					if o.Scope == s {
						require.NotContains(t, o.Keys, k, "%s hides %q", b.Scope.Title().EN, k)
					}
				}
			}
		}
	}
}

func TestEveryActionHasAKeyAndALabel(t *testing.T) {
	bound := map[Action]bool{}
	for _, b := range table {
		bound[b.Action] = true
		assert.True(t, b.Short.Complete(), "%v", b)
		assert.True(t, b.Long.Complete(), "%v", b)
		assert.LessOrEqual(t, text.Width(b.Short.ZH), 14)
		assert.LessOrEqual(t, text.Width(b.Short.EN), 20)
		got := Match(b.Scope, b.Keys[0])
		assert.Equal(t, b.Action, got)
	}
	for a := None + 1; a < actionCount; a++ {
		assert.True(t, bound[a], "action %d has no key", a)
	}
	for _, s := range Scopes() {
		assert.True(t, s.Title().Complete(), "scope %d", s)
	}
}

func TestMatchAsksOuterScopes(t *testing.T) {
	assert.Equal(t, ToggleFold, Match(JSON, " "))
	assert.Equal(t, Step, Match(JSON, "s"))
	assert.Equal(t, Quit, Match(JSON, "q"))
	assert.Equal(t, None, Match(Sessions, "v"))
	assert.Equal(t, None, Match(Input, "q"), "letters are text while typing")
	assert.Equal(t, Confirm, Match(Input, "enter"))
	assert.Equal(t, None, Match(Trace, "ctrl+alt+f12"))
}

func TestHelp(t *testing.T) {
	groups := Help(Trace)
	require.Equal(t, Trace, groups[0].Scope)
	require.Equal(t, Debugger, groups[1].Scope)
	n := 0
	for _, g := range groups {
		n += len(g.Bindings)
	}
	assert.Equal(t, len(Bindings()), n, "the help is complete")

	for query, want := range map[string]Action{"设置断点": Breakpoints, "VERIFIER view": None, "withheld": VerifierView, "^d": HalfDown} {
		found := Search(Debugger, query)
		if want == None {
			assert.Empty(t, found, query)
			continue
		}
		require.NotEmpty(t, found, query)
		assert.Equal(t, want, found[0].Bindings[0].Action, query)
	}
	assert.Equal(t, Help(Trace), Search(Trace, " "))

	key, label, ok := Hint(Trace, HalfDown, text.ZH)
	assert.True(t, ok)
	assert.Equal(t, "^D 下半页", key+" "+label)
	_, _, ok = Hint(Sessions, VerifierView, text.EN)
	assert.False(t, ok)
	up, _ := Find(Trace, Up)
	assert.Equal(t, "↑ k", up.KeyNames())
	for key, want := range map[string]string{" ": "space", "shift+tab": "⇧tab", "pgdown": "pgdn", "left": "←", "right": "→", "down": "↓"} {
		assert.Equal(t, want, KeyName(key))
	}
}
