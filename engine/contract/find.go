package contract

// maxVisits bounds how many values are looked at for a contract inside others.
const maxVisits = 20_000

// fitted counts the members of an object that tell it for one of the role: for a
// contract those that no other object has. A role without fields is any container.
func (r *role) fitted(n *Node) int {
	if len(r.fields) == 0 && n.Kind >= ArrayNode {
		return 1
	}
	if n.Kind != ObjectNode {
		return 0
	}
	count := 0
	for _, m := range n.Items {
		if f, _ := r.lookup(m.Key); f != nil && (r.loose || f.kind == versionField || f.role == claimRole) {
			count++
		}
	}
	return count
}

// found is an object of a role inside a value, and the repairs of JSON in strings on the
// way to it.
type found struct {
	node  *Node
	edits []Edit
}

// find lists the objects of a role in a value: itself, or those that wrappers of any
// shape hold (an outer key, an array, a tool call with its arguments written as
// a string). Nothing is looked for inside one that was found.
func find(text string, n *Node, r *role) []found {
	var all, lesser []found // lesser ones have a version but no claims
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
			if r.fitted(v) > 0 {
				if r == rootRole && !hasClaims(v) {
					lesser = append(lesser, found{v, edits})
				} else {
					all = append(all, found{v, edits})
					continue
				}
			}
			next = append(next, v.Items...)
		}
		level = next
	}
	if len(all) == 0 {
		return lesser
	}
	return all
}

func hasClaims(n *Node) bool {
	for _, m := range n.Items {
		if f, _ := rootRole.lookup(m.Key); f != nil && f.role == claimRole {
			return true
		}
	}
	return false
}
