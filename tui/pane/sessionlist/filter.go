package sessionlist

import (
	"strings"

	"claimscope/engine/state"
)

// Filter is what a person types to narrow the list: words that must all match, in any
// case. A word is text of the title, the query or the id, or a field with a value:
// verdict:low_confid, cause:missing_ref, tool:query_logs, contract:v1, model:scripted,
// status:failed, is:bundled|unsaved|reviewed|fork. A minus before a word turns it round.
type Filter []term

type term struct {
	field, value string
	not          bool
}

// ParseFilter reads a filter. Any text is one; an unknown field is plain text.
func ParseFilter(s string) Filter {
	var f Filter
	for _, word := range strings.Fields(strings.ToLower(s)) {
		t := term{value: word}
		if rest, ok := strings.CutPrefix(word, "-"); ok && rest != "" {
			t.not, t.value = true, rest
		}
		if field, value, ok := strings.Cut(t.value, ":"); ok && fields[field] != nil {
			t.field, t.value = field, value
		}
		f = append(f, t)
	}
	return f
}

// fields says what a field's value is compared with.
var fields = map[string]func(s *state.Summary) []string{
	"verdict": func(s *state.Summary) []string { return []string{string(s.Decision)} },
	"cause": func(s *state.Summary) []string {
		out := make([]string, len(s.Causes))
		for i, c := range s.Causes {
			out[i] = string(c)
		}
		return out
	},
	"tool":     func(s *state.Summary) []string { return s.Tools },
	"contract": func(s *state.Summary) []string { return []string{string(s.Version)} },
	"model":    func(s *state.Summary) []string { return []string{s.Model} },
	"status":   func(s *state.Summary) []string { return []string{string(s.Status)} },
	"is": func(s *state.Summary) []string {
		var out []string
		for name, is := range map[string]bool{"bundled": s.Bundled, "unsaved": s.Unsaved, "reviewed": s.Reviews > 0, "fork": s.Parent != nil} {
			if is {
				out = append(out, name)
			}
		}
		return out
	},
}

// Match reports whether a session passes.
func (f Filter) Match(s *state.Summary) bool {
	for _, t := range f {
		if t.match(s) == t.not {
			return false
		}
	}
	return true
}

func (t term) match(s *state.Summary) bool {
	texts := []string{s.Title, s.Query, s.ID}
	if t.field != "" {
		texts = fields[t.field](s)
	}
	for _, x := range texts {
		if strings.Contains(strings.ToLower(x), t.value) {
			return true
		}
	}
	return false
}
