package contract

import "strings"

// candidate is one JSON value that stands in a text.
type candidate struct {
	root  *Node
	edits []Edit // repairs inside it
	err   error  // a limit that stopped its reading
}

// scanned is what a look over a whole text finds.
type scanned struct {
	candidates []candidate
	reasoning  []Span
}

// shape is what the repairing reader knows about the objects to expect.
type shape struct{ role *role }

var rootShape = &shape{role: rootRole}

// scan goes over the text once, from its start: it passes over reasoning blocks
// and reads the values that stand between prose.
func scan(text string, _ *shape) scanned {
	var s scanned
	for i := 0; i < len(text); {
		switch text[i] {
		case '<':
			if strings.HasPrefix(text[i:], "<think>") {
				end := len(text)
				if j := strings.Index(text[i:], "</think>"); j >= 0 {
					end = i + j + len("</think>")
				}
				s.reasoning = append(s.reasoning, Span{i, end})
				i = end
				continue
			}
		case '{', '[', '"':
			r := strict{s: text, pos: i}
			if n := r.value(0); n != nil && (n.Kind >= ArrayNode || holdsJSON(n.Text)) {
				s.candidates = append(s.candidates, candidate{root: n})
				i = r.pos
				continue
			}
		}
		i++
	}
	return s
}

func repairNested(string) *Node { return nil }
