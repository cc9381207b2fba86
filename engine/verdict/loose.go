package verdict

import (
	"errors"
	"fmt"

	"claimscope/engine/contract"
)

// errNoObject says that a text holds no JSON object.
var errNoObject = errors.New("no JSON object in the reply")

// maxResultItems bounds the claim checks and the extra facts that are read: the
// number of claims that a contract may hold (spec C7).
const maxResultItems = 1000

// member returns the first member of an object under one of the names, read
// without regard to case and underscores; nil when there is none.
func member(object *contract.Node, names ...string) *contract.Node {
	if object == nil || object.Kind != contract.ObjectNode {
		return nil
	}
	for _, name := range names {
		for _, item := range object.Items {
			if foldKey(item.Key) == foldKey(name) {
				return item
			}
		}
	}
	return nil
}

func foldKey(key string) string {
	out := make([]byte, 0, len(key))
	for i := range len(key) {
		switch c := key[i]; {
		case c == '_' || c == '-' || c == ' ':
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// text is the node's text when it is a scalar, or "".
func text(n *contract.Node) string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case contract.StringNode, contract.NumberNode, contract.BoolNode:
		return n.Text
	case contract.NullNode, contract.ArrayNode, contract.ObjectNode:
	}
	return ""
}

// list reads an array; a single object or scalar stands for an array of one, null
// for none.
func list(n *contract.Node) []*contract.Node {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case contract.ArrayNode:
		return n.Items
	case contract.NullNode:
		return nil
	case contract.StringNode, contract.NumberNode, contract.BoolNode, contract.ObjectNode:
		return []*contract.Node{n}
	}
	return nil
}

func texts(n *contract.Node) []string {
	out := []string{}
	for _, item := range list(n) {
		if s := text(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// readObject reads the one JSON object of a reply; notes say how it was read when
// it was not plain JSON.
func readObject(reply string) (object *contract.Node, notes []string, err error) {
	loose, err := contract.ParseLoose([]byte(reply), "claim_checks", "extra_facts", "decision", "summary", "claim_id", "verdict", "evidence_refs", "reason", "text")
	if err != nil {
		return nil, nil, fmt.Errorf("no JSON in the reply: %w", err)
	}
	object = loose.Root
	if object != nil && object.Kind == contract.ArrayNode && len(object.Items) == 1 {
		object = object.Items[0]
	}
	if object == nil || object.Kind != contract.ObjectNode {
		return nil, nil, errNoObject
	}
	if loose.Truncated {
		notes = append(notes, "the reply was cut; what was complete before the cut was read")
	}
	if len(loose.Edits) > 0 {
		notes = append(notes, fmt.Sprintf("the reply's JSON was repaired in %d places", len(loose.Edits)))
	}
	return object, notes, nil
}
