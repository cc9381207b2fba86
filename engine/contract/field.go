package contract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fieldKind says what a field of the contract holds.
type fieldKind uint8

const (
	versionField fieldKind = iota
	textField
	supportField
	textsField   // array of strings
	idsField     // array of integers
	objectsField // array of objects of the field's role
)

// need says how far a field must be there.
type need uint8

const (
	required need = iota
	optional
	expected // an array that should be present, even when empty (S009)
	either   // source_id: an excerpt alone can stand for it (spec C2b)
)

// field is one field of an object of the contract. The reader, the writer and
// the JSON Schema all follow this table, so they cannot drift apart.
type field struct {
	name string
	kind fieldKind
	need need
	v1   bool // only in version 1; removed in version 2
	role *role
	doc  string // description in the schema
}

// role is one kind of object of the contract.
type role struct {
	name   string
	fields []field
	loose  bool // its fields may stand in any object below it
	exact  map[string]*field
	folded map[string]*field
	first  string // the first letters of the names, in both cases
}

func newRole(name string, fields ...field) *role {
	r := &role{name: name, fields: fields, exact: map[string]*field{}, folded: map[string]*field{}}
	for i := range fields {
		f := &fields[i]
		r.exact[f.name] = f
		r.folded[foldName(f.name)] = f
		c, _ := utf8.DecodeRuneInString(f.name)
		r.first += string(unicode.ToLower(c)) + string(unicode.ToUpper(c))
	}
	return r
}

// foldName makes claim_id, claimId, "Claim ID" and CLAIM-ID alike.
func foldName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// maxName bounds what is looked at as a field name, in bytes.
const maxName = 96

// lookup finds the field that a member name means; renamed is true when it is
// not written as the contract has it.
func (r *role) lookup(name string) (f *field, renamed bool) {
	if f = r.exact[name]; f != nil {
		return f, false
	}
	if len(name) > maxName || !r.mayMean(name) {
		return nil, false
	}
	f = r.folded[foldName(name)]
	return f, f != nil
}

// mayMean reports whether a name can be another spelling of a field: the cheap
// test before the dear one.
func (r *role) mayMean(name string) bool {
	for _, c := range name {
		if c != ' ' && c != '_' && c != '-' && !unicode.IsSpace(c) && c != '.' {
			return strings.ContainsRune(r.first, c)
		}
	}
	return false
}

var bindingRole = newRole("binding",
	field{name: "source_type", kind: textField, doc: "tool_trace for a tool call of this session, lookup_evidence_block for a knowledge block, or another stable family."},
	field{name: "source_id", kind: textField, need: either, doc: "The trace_ref (trace-1, trace-2 ...) or evidence block id that holds the excerpt."},
	field{name: "tool_name", kind: textField, need: optional, doc: "The tool of that trace; null when there is none."},
	field{name: "source_invocation_ids", kind: idsField, need: optional, doc: "Invocation ids of that trace; empty when there are none."},
	field{name: "evidence_excerpt", kind: textField, doc: "At most 500 characters, copied from the tool's output."},
)

var claimRole = newRole("claim",
	field{name: "claim_id", kind: textField, doc: "Unique in this answer."},
	field{name: "claim_type", kind: textField, doc: "root_cause, symptom, impact, timeline, configuration, exclusion, or another fitting word."},
	field{name: "claim_text", kind: textField, doc: "One confirmed statement, in Chinese."},
	field{name: "support_level", kind: supportField, doc: "How far the bound evidence carries the statement."},
	field{name: "evidence_bindings", kind: objectsField, need: expected, role: bindingRole, doc: "The evidence of this claim."},
)

var hypothesisRole = newRole("hypothesis",
	field{name: "hypothesis_text", kind: textField, doc: "An idea that the evidence does not prove, in Chinese."},
	field{name: "basis", kind: textField, doc: "What suggests it."},
	field{name: "needed_evidence", kind: textsField, need: expected, doc: "What would prove or refute it."},
)

var actionRole = newRole("action",
	field{name: "action_text", kind: textField, doc: "A recommended step, in Chinese."},
	field{name: "reason", kind: textField, doc: "Why."},
	field{name: "evidence_bindings", kind: objectsField, need: expected, role: bindingRole, doc: "Evidence that suggests the step; may be empty."},
)

var rootRole = newRole("contract",
	field{name: "answer_version", kind: versionField},
	field{name: "diagnosis_summary", kind: textField, v1: true, doc: "One or two sentences, supported facts only, in Chinese."},
	field{name: "claims", kind: objectsField, role: claimRole, doc: "Confirmed statements, each proven by evidence of this session."},
	field{name: "hypotheses", kind: objectsField, need: expected, role: hypothesisRole, doc: "Unproven ideas; may be empty."},
	field{name: "recommended_actions", kind: objectsField, need: expected, role: actionRole, doc: "Recommended steps; may be empty."},
	field{name: "missing_info", kind: textsField, need: expected, doc: "What could not be found out; may be empty."},
	field{name: "user_facing_answer", kind: textField, need: optional, v1: true, doc: "The answer for the user, in Chinese; null to have it rendered from the structure."},
)

// isField reports whether some object of the contract has a field of the name.
func isField(name string) bool {
	for _, r := range []*role{rootRole, claimRole, bindingRole, hypothesisRole, actionRole} {
		if r.exact[name] != nil {
			return true
		}
	}
	return false
}
