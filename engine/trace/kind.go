package trace

import "strings"

// kindWords maps words of a tool's name to what such a tool returns. Used only
// where nothing declares the kind: an imported trace of a foreign tool.
var kindWords = []struct {
	kind  Kind
	words []string
}{
	{Knowledge, []string{"knowledge", "runbook", "playbook", "wiki", "kb", "docs", "doc", "document", "documentation", "handbook", "faq", "sop"}},
	{Skill, []string{"skill", "skills", "guide", "guidance"}},
	{History, []string{"past", "history", "historical", "similar", "postmortem", "postmortems"}},
}

// historyObjects are words that make "history" in a tool's name an observation:
// the history of a deployment is no past case.
var historyObjects = []string{"deploy", "deployment", "deployments", "rollout", "revision", "alert", "alerts", "metric", "metrics", "config", "change", "changes", "git", "command", "job", "helm", "release", "event", "events", "log", "logs", "pod"}

// guessKind reads the evidence kind off a tool's name; Observation when no word tells.
func guessKind(tool string) Kind {
	words := nameWords(tool)
	for _, row := range kindWords {
		for _, w := range row.words {
			if !words[w] {
				continue
			}
			if row.kind == History && hasAny(words, historyObjects) {
				continue
			}
			return row.kind
		}
	}
	return Observation
}

func hasAny(set map[string]bool, words []string) bool {
	for _, w := range words {
		if set[w] {
			return true
		}
	}
	return false
}

// nameWords splits snake_case, kebab-case, dotted and camelCase names into lower-case words.
func nameWords(name string) map[string]bool {
	words := map[string]bool{}
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			words[strings.ToLower(b.String())] = true
			b.Reset()
		}
	}
	lower := false
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				flush()
			}
			lower = false
			b.WriteRune(r)
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			lower = true
			b.WriteRune(r)
		default:
			flush()
			lower = false
		}
	}
	flush()
	return words
}
