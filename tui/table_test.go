package tui

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"claimscope/engine/event"
	"claimscope/tui/keymap"
	"claimscope/tui/view/viewtest"
)

// moments are consoles in which a scope of the key table holds, each with a place that
// its keys can change.
func moments() map[keymap.Scope][]func(t *testing.T) *console {
	type maker = func(t *testing.T) *console
	list := func(keys ...string) maker {
		return func(t *testing.T) *console { return newConsole(t, english(), fake()).press(keys...) }
	}
	low := func(keys ...string) maker {
		return func(t *testing.T) *console { return opened(t, viewtest.LowConfid()).size(120, 30).press(keys...) }
	}
	pausedRun := func(keys ...string) maker {
		return func(t *testing.T) *console {
			c, _ := replay(t)
			s := viewtest.LowConfid()
			s.Add(1, event.Verifier, event.Paused{Boundary: "verifier", Why: "step"})
			c.push(s, len(s.Events), false)
			return c.press(keys...)
		}
	}
	compared := func(keys ...string) maker {
		return func(t *testing.T) *console { return list("d", "j", "d")(t).size(120, 24).press(keys...) }
	}
	history := func(t *testing.T) *console {
		c := list()(t)
		return c.press("/").typed("low").press("enter", "/").typed("pass").press("enter", "/").typed("v1").press("enter", "/", "up", "up")
	}
	child := func(t *testing.T) *console {
		s := viewtest.LowConfid()
		s.Header.ID, s.Header.Parent = "s-child", &event.Parent{ID: "s-low"}
		o := english()
		o.Session = "s-child"
		return newConsole(t, o, newFakeEngine(s, viewtest.LowConfid())).press("d")
	}
	return map[keymap.Scope][]func(t *testing.T) *console{
		keymap.Sessions:   {list("j"), list("/", "l", "enter"), list("d")},
		keymap.Debugger:   {low("e", "2"), low("[", "["), pausedRun(), low("e", "w", "5")},
		keymap.Comparing:  {compared("j"), compared("/", "c", "enter"), compared("l"), child},
		keymap.Pipeline:   {low("1", "j")},
		keymap.Claims:     {low("e", "2"), low("2", "j", "h")},
		keymap.JSON:       {low("e", "3", "j"), low("e", "3", "-"), low("3", "t"), low("3", "G")},
		keymap.Answer:     {low("4", "j")},
		keymap.Trace:      {low("e", "5"), low("e", "5", "J"), low("w", "w", "5", "G"), low("1", "j", "j", "5")},
		keymap.Hypotheses: {low("6", "j")},
		keymap.Dialog:     {pausedRun("i"), pausedRun("i", "tab"), low("x"), low("e", "?")},
		keymap.Input:      {history, low("/")},
	}
}

// effect tells whether a key did something that a person or the engine can notice.
func effect(c *console, name string) bool {
	before, calls := strings.Join(c.lines(), "\n"), c.engine.count()
	c.copied = ""
	c.press(name)
	return c.quit || c.copied != "" || c.suspended || c.engine.count() != calls || strings.Join(c.lines(), "\n") != before
}

func TestEveryKeyInTheTableDoesSomething(t *testing.T) {
	all := moments()
	for _, b := range keymap.Bindings() {
		for _, k := range b.Keys {
			t.Run(fmt.Sprintf("%s %s", b.Scope.Title().EN, k), func(t *testing.T) {
				makers := all[b.Scope]
				if b.Scope == keymap.Global {
					for _, s := range []keymap.Scope{keymap.Sessions, keymap.Debugger, keymap.JSON, keymap.Trace, keymap.Dialog} {
						makers = append(makers, all[s]...)
					}
				}
				require.NotEmpty(t, makers)
				for _, m := range makers {
					c := m(t)
					if b.Scope != keymap.Global && b.Scope != keymap.Debugger {
						require.Equal(t, b.Scope, c.m.scope())
					}
					if effect(c, k) {
						return
					}
				}
				t.Errorf("%q (%s) does nothing", k, b.Long.EN)
			})
		}
	}
}

// TestNoKeyIsDead presses every bound key wherever it is bound: the answer may be that
// it cannot be done here, but there is one, unless it moves or folds and is at an end.
func TestNoKeyIsDead(t *testing.T) {
	quiet := map[keymap.Action]bool{
		keymap.Up: true, keymap.Down: true, keymap.Left: true, keymap.Right: true, keymap.PageUp: true, keymap.PageDown: true,
		keymap.HalfUp: true, keymap.HalfDown: true, keymap.Home: true, keymap.End: true, keymap.ExpandAll: true, keymap.CollapseAll: true,
		keymap.ToggleFold: true, keymap.ToggleWrap: true, keymap.TogglePretty: true, keymap.ToggleFollow: true,
	}
	for scope, makers := range moments() {
		if scope == keymap.Dialog || scope == keymap.Input {
			continue // a question takes its own letters only
		}
		for i, m := range makers {
			seen := map[string]bool{}
			for s := scope; ; {
				for _, b := range keymap.Bindings() {
					if b.Scope != s || quiet[b.Action] || seen[b.Keys[0]] {
						continue
					}
					seen[b.Keys[0]] = true
					c := m(t)
					if !effect(c, b.Keys[0]) && !already(c, b.Action) {
						t.Errorf("%s, moment %d: %q (%s) is dead", scope.Title().EN, i, b.Keys[0], b.Long.EN)
					}
				}
				outer, ok := s.Outer()
				if !ok {
					break
				}
				s = outer
			}
		}
	}
}

// already reports whether what a key would do is so already.
func already(c *console, a keymap.Action) bool {
	switch {
	case c.m.screen == screenDebugger && focusKeys[a] == c.m.debug.focus:
		return true
	case a == keymap.Back: // nothing to go back from
		return c.m.screen == screenSessions
	case a == keymap.EventForward:
		return c.m.debug.at == 0
	case a == keymap.NextOccurrence || a == keymap.PrevOccurrence:
		return len(c.m.debug.view.Evidence.Spots) < 2
	case a == keymap.SearchNext || a == keymap.SearchPrev: // one hit, or a list, which is filtered
		return true
	}
	return false
}

// TestEveryLabelIsInBothLanguages reads the source: each label has both languages, and
// the one is Chinese where the other has words.
func TestEveryLabelIsInBothLanguages(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	more, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	compare, err := filepath.Glob("pane/compare/*.go")
	require.NoError(t, err)
	lists, err := filepath.Glob("pane/sessionlist/*.go")
	require.NoError(t, err)
	n := 0
	fset := token.NewFileSet()
	for _, name := range append(append(append(files, more...), compare...), lists...) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cli/") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(x ast.Node) bool {
			zh, en, ok := label(x)
			if ok {
				n++
				checkLabel(t, fset.Position(x.Pos()).String(), zh, en)
			}
			return true
		})
	}
	require.Greater(t, n, 200)
}

// label gives the two languages of a call of say or warn, or of a literal with ZH and EN.
func label(x ast.Node) (zh, en ast.Expr, ok bool) {
	switch x := x.(type) {
	case *ast.CallExpr:
		if s, is := x.Fun.(*ast.SelectorExpr); is && (s.Sel.Name == "say" || s.Sel.Name == "warn") && len(x.Args) == 2 {
			return x.Args[0], x.Args[1], true
		}
		if s, is := x.Fun.(*ast.Ident); is && s.Name == "say" && len(x.Args) == 2 {
			return x.Args[0], x.Args[1], true
		}
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			if kv, is := e.(*ast.KeyValueExpr); is {
				switch k, _ := kv.Key.(*ast.Ident); {
				case k == nil:
				case k.Name == "ZH":
					zh = kv.Value
				case k.Name == "EN":
					en = kv.Value
				}
			}
		}
		return zh, en, zh != nil || en != nil
	}
	return nil, nil, false
}

func checkLabel(t *testing.T, at string, zh, en ast.Expr) {
	t.Helper()
	if zh == nil || en == nil {
		t.Errorf("%s: one language is missing", at)
		return
	}
	z, isZH := literal(zh)
	e, isEN := literal(en)
	if !isZH || !isEN {
		return // made of parts that are labels themselves
	}
	han := func(s string) bool {
		return strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0
	}
	words := strings.IndexFunc(e, unicode.IsLower) >= 0
	if z == "" || e == "" || han(e) || words && z != e && !han(z) {
		t.Errorf("%s: %q and %q", at, z, e)
	}
}

func literal(x ast.Expr) (string, bool) {
	l, ok := x.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}
