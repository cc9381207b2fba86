package verdict

import (
	"encoding/json"
	"errors"
	"strings"

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

// readObject reads the one JSON object of a reply.
func readObject(reply string) (*contract.Node, []string, error) {
	dec := json.NewDecoder(strings.NewReader(reply))
	dec.UseNumber()
	n, err := readNode(dec)
	if err != nil || n.Kind != contract.ObjectNode {
		return nil, nil, errNoObject
	}
	return n, nil, nil
}

func readNode(dec *json.Decoder) (*contract.Node, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := t.(type) {
	case json.Delim:
		n := &contract.Node{Kind: contract.ArrayNode}
		if v == '{' {
			n.Kind = contract.ObjectNode
		}
		for dec.More() {
			key := ""
			if n.Kind == contract.ObjectNode {
				k, err := dec.Token()
				if err != nil {
					return nil, err
				}
				key, _ = k.(string)
			}
			item, err := readNode(dec)
			if err != nil {
				return nil, err
			}
			item.Key = key
			n.Items = append(n.Items, item)
		}
		_, err := dec.Token()
		return n, err
	case string:
		return &contract.Node{Kind: contract.StringNode, Text: v}, nil
	case json.Number:
		return &contract.Node{Kind: contract.NumberNode, Text: v.String()}, nil
	}
	return &contract.Node{}, nil
}
