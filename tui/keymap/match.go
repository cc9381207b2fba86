package keymap

import (
	"strings"

	"claimscope/tui/text"
)

// index is built once from the table.
var index = func() map[Scope]map[string]Action {
	out := make(map[Scope]map[string]Action)
	for _, b := range table {
		if out[b.Scope] == nil {
			out[b.Scope] = make(map[string]Action)
		}
		for _, k := range b.Keys {
			out[b.Scope][k] = b.Action
		}
	}
	return out
}()

// Match returns what a key does in a scope: the binding of the scope itself or of
// the nearest scope around it, else None.
func Match(scope Scope, key string) Action {
	for {
		if a, ok := index[scope][key]; ok {
			return a
		}
		outer, ok := scope.Outer()
		if !ok {
			return None
		}
		scope = outer
	}
}

// Bindings returns the whole table, in the order of the help. The slice is the
// caller's.
func Bindings() []Binding { return append([]Binding(nil), table...) }

// Find returns the binding of an action in a scope or the scopes around it.
func Find(scope Scope, a Action) (Binding, bool) {
	for {
		for _, b := range table {
			if b.Scope == scope && b.Action == a {
				return b, true
			}
		}
		outer, ok := scope.Outer()
		if !ok {
			return Binding{}, false
		}
		scope = outer
	}
}

// Hint returns the key to show and the short label of an action, for the bottom
// bar; ok is false if no key does it in that scope.
func Hint(scope Scope, a Action, lang text.Lang) (key, label string, ok bool) {
	b, ok := Find(scope, a)
	if !ok {
		return "", "", false
	}
	return KeyName(b.Keys[0]), b.Short.In(lang), true
}

// Group is a section of the help.
type Group struct {
	Scope    Scope
	Bindings []Binding
}

// Help returns the table by scope, in the order of the help. With a scope given,
// its group and those around it come first.
func Help(first Scope) []Group {
	var order []Scope
	seen := make(map[Scope]bool)
	for s := first; ; {
		order, seen[s] = append(order, s), true
		outer, ok := s.Outer()
		if !ok {
			break
		}
		s = outer
	}
	for _, s := range Scopes() {
		if !seen[s] {
			order = append(order, s)
		}
	}
	var out []Group
	for _, s := range order {
		g := Group{Scope: s}
		for _, b := range table {
			if b.Scope == s {
				g.Bindings = append(g.Bindings, b)
			}
		}
		if len(g.Bindings) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// Search returns the groups of [Help] with only the bindings that match all words
// of the query: in a key, or in either language of a label, case ignored. An empty
// query matches everything.
func Search(first Scope, query string) []Group {
	words := strings.Fields(strings.ToLower(query))
	var out []Group
	for _, g := range Help(first) {
		kept := Group{Scope: g.Scope}
		for _, b := range g.Bindings {
			if b.matches(words) {
				kept.Bindings = append(kept.Bindings, b)
			}
		}
		if len(kept.Bindings) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

func (b Binding) matches(words []string) bool {
	title := b.Scope.Title()
	hay := strings.ToLower(strings.Join([]string{
		b.Short.ZH, b.Short.EN, b.Long.ZH, b.Long.EN, title.ZH, title.EN, b.KeyNames(),
	}, "\n"))
	for _, w := range words {
		if !strings.Contains(hay, w) {
			return false
		}
	}
	return true
}

// KeyNames returns the keys of the binding as the help shows them, "↑ k".
func (b Binding) KeyNames() string {
	names := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		names[i] = KeyName(k)
	}
	return strings.Join(names, " ")
}

// KeyName returns how a key is shown: "ctrl+d" as "^D", "up" as "↑".
func KeyName(key string) string {
	switch key {
	case " ":
		return "space"
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "shift+tab":
		return "⇧tab"
	case "pgdown":
		return "pgdn"
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok {
		return "^" + strings.ToUpper(letter)
	}
	return key
}

// Title returns the heading of a scope in the help.
func (s Scope) Title() text.Label {
	switch s {
	case Global:
		return text.Label{ZH: "通用", EN: "Everywhere"}
	case Sessions:
		return text.Label{ZH: "会话列表", EN: "Sessions"}
	case Debugger:
		return text.Label{ZH: "调试器", EN: "Debugger"}
	case Comparing:
		return text.Label{ZH: "对比", EN: "Compare"}
	case Pipeline:
		return text.Label{ZH: "流程", EN: "Pipeline"}
	case Claims:
		return text.Label{ZH: "结论", EN: "Claims"}
	case JSON:
		return text.Label{ZH: "Executor JSON", EN: "Executor JSON"}
	case Answer:
		return text.Label{ZH: "答复", EN: "Answer"}
	case Trace:
		return text.Label{ZH: "工具轨迹", EN: "Trace"}
	case Hypotheses:
		return text.Label{ZH: "假设与缺失信息", EN: "Hypotheses & missing info"}
	case Dialog:
		return text.Label{ZH: "对话框", EN: "Dialogs"}
	case Input:
		return text.Label{ZH: "文本输入", EN: "Text input"}
	case scopeCount:
	}
	return text.Label{}
}
