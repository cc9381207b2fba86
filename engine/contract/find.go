package contract

// maxVisits bounds how many values are looked at for a contract inside others.
const maxVisits = 20_000

// isContract reports whether an object has a field that only a contract has.
func isContract(n *Node) bool {
	if n.Kind != ObjectNode {
		return false
	}
	for _, m := range n.Items {
		if f, _ := rootRole.lookup(m.Key); f != nil && (f.kind == versionField || f.role == claimRole) {
			return true
		}
	}
	return false
}

// found is a contract inside a value, and the repairs of JSON in strings on the
// way to it.
type found struct {
	node  *Node
	edits []Edit
}

// find lists the contracts in a value: itself, or those that wrappers of any
// shape hold (an outer key, an array, a tool call with its arguments written as
// a string). Nothing is looked for inside a contract.
func find(text string, n *Node) []found {
	var all []found
	var edits []Edit
	visits := 0
	level := []*Node{n}
	for depth := 0; len(level) > 0 && depth < 8; depth++ {
		var next []*Node
		for _, v := range level {
			if visits++; visits > maxVisits {
				return all
			}
			if v.Kind == StringNode {
				var more []Edit
				if v, more = readNested(text, v); v == nil {
					continue
				}
				edits = append(edits, more...)
			}
			if isContract(v) {
				all = append(all, found{v, edits})
				continue
			}
			next = append(next, v.Items...)
		}
		level = next
	}
	return all
}
