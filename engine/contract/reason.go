package contract

import "strings"

// reasoningTags are the names of tags around a model's reasoning. The contract
// of the pipeline names <think>; the others are what other models write.
var reasoningTags = []string{"think", "thinking", "thought", "reasoning", "seed:think"}

// reasoningMarks are pairs of marks with the same meaning.
var reasoningMarks = [][2]string{
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
	{"<|begin_of_thought|>", "<|end_of_thought|>"},
}

// analysisChannel opens the reasoning of a reply in several channels; it ends
// where another message or channel starts.
const analysisChannel = "<|channel|>analysis"

// tag is a reasoning tag or mark that stands in a text.
type tag struct {
	name  string
	close bool
	size  int // bytes
}

// tagAt reads a reasoning tag at i; size is 0 when there is none.
func tagAt(s string, i int) tag {
	switch s[i] {
	case '<', '[', "◁"[0]:
	default:
		return tag{}
	}
	for _, m := range reasoningMarks {
		if strings.HasPrefix(s[i:], m[0]) {
			return tag{m[0], false, len(m[0])}
		}
		if strings.HasPrefix(s[i:], m[1]) {
			return tag{m[0], true, len(m[1])}
		}
	}
	if s[i] != '<' {
		return tag{}
	}
	if strings.HasPrefix(s[i:], analysisChannel) {
		return tag{analysisChannel, false, len(analysisChannel)}
	}
	const longest = 64
	rest := s[i+1 : min(len(s), i+longest)]
	end := strings.IndexByte(rest, '>')
	if end < 0 {
		return tag{}
	}
	name := strings.ToLower(strings.TrimSpace(rest[:end]))
	closing := strings.HasPrefix(name, "/")
	name = strings.TrimSpace(strings.TrimPrefix(name, "/"))
	if sp := strings.IndexByte(name, ' '); sp > 0 && !closing {
		name = name[:sp] // attributes
	}
	for _, t := range reasoningTags {
		if name == t {
			return tag{t, closing, end + 2}
		}
	}
	return tag{}
}

// blockEnd returns where the reasoning block that opens at i with t ends: after
// its closing tag, or at the end of the text when it is never closed.
func blockEnd(s string, i int, t tag) int {
	at := i + t.size
	if t.name == analysisChannel {
		for at < len(s) {
			j := strings.Index(s[at:], "<|")
			if j < 0 {
				break
			}
			at += j
			if rest := s[at:]; strings.HasPrefix(rest, "<|end|>") || strings.HasPrefix(rest, "<|start|>") || strings.HasPrefix(rest, "<|channel|>") {
				return at
			}
			at += 2
		}
		return len(s)
	}
	for at < len(s) {
		j := strings.IndexAny(s[at:], "<[◁")
		if j < 0 {
			break
		}
		at += j
		if u := tagAt(s, at); u.close && u.name == t.name {
			return at + u.size
		}
		at++
		for at < len(s) && s[at]&0xC0 == 0x80 {
			at++
		}
	}
	return len(s)
}

// templateToken returns the size in bytes of a chat-template token such as
// <|im_end|> at i, 0 when there is none.
func templateToken(s string, i int) int {
	const longest = 48
	for _, m := range [][2]string{{"<|", "|>"}, {"<｜", "｜>"}} {
		if !strings.HasPrefix(s[i:], m[0]) {
			continue
		}
		rest := s[i+len(m[0]) : min(len(s), i+longest)]
		end := strings.Index(rest, m[1])
		if end >= 0 && !strings.ContainsAny(rest[:end], "\n\"{}[]") {
			return len(m[0]) + end + len(m[1])
		}
	}
	for _, w := range []string{"</s>", "<s>", "[INST]", "[/INST]", "<eos>", "<bos>", "<end_of_turn>", "<start_of_turn>"} {
		if strings.HasPrefix(s[i:], w) {
			return len(w)
		}
	}
	return 0
}
