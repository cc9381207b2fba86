package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// writer builds one JSON object in the order of the field table.
type writer struct {
	b     []byte
	role  *role
	extra map[string]json.RawMessage
	any   bool
}

// member starts the named member. It reports false when the field could not be
// read and its original value stands in extra: that one is written instead.
func (w *writer) member(name string) bool {
	raw, kept := w.extra[name]
	if w.any {
		w.b = append(w.b, ',')
	}
	w.any = true
	w.b = append(appendString(w.b, name), ':')
	if kept {
		w.b = append(w.b, raw...)
	}
	return !kept
}

func (w *writer) text(name, value string) {
	if w.member(name) {
		w.b = appendString(w.b, value)
	}
}

// orNull writes an optional string: null when there is none.
func (w *writer) orNull(name, value string) {
	if !w.member(name) {
		return
	}
	if value == "" {
		w.b = append(w.b, "null"...)
		return
	}
	w.b = appendString(w.b, value)
}

func (w *writer) texts(name string, values []string) {
	if !w.member(name) {
		return
	}
	w.b = append(w.b, '[')
	for i, v := range values {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = appendString(w.b, v)
	}
	w.b = append(w.b, ']')
}

// list writes an array of objects.
func list[T any](w *writer, name string, values []T, write func([]byte, *T) []byte) {
	if !w.member(name) {
		return
	}
	w.b = append(w.b, '[')
	for i := range values {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = write(w.b, &values[i])
	}
	w.b = append(w.b, ']')
}

// rest writes the unknown fields, in order of their names, and ends the object.
func (w *writer) rest() []byte {
	names := make([]string, 0, len(w.extra))
	for name := range w.extra {
		if w.role.exact[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		w.member(name)
	}
	return append(w.b, '}')
}

func newWriter(b []byte, r *role, extra map[string]json.RawMessage) *writer {
	return &writer{b: append(b, '{'), role: r, extra: extra}
}

// MarshalJSON writes the contract in the field order of the specification:
// arrays are never null, unknown fields follow in order of their names, and
// fields that version 2 removed are left out there unless they hold something.
func (k Contract) MarshalJSON() ([]byte, error) {
	w := newWriter(nil, rootRole, k.Extra)
	w.text("answer_version", string(k.AnswerVersion))
	if k.AnswerVersion != V2 || k.DiagnosisSummary != "" || k.Extra["diagnosis_summary"] != nil {
		w.text("diagnosis_summary", k.DiagnosisSummary)
	}
	list(w, "claims", k.Claims, appendClaim)
	list(w, "hypotheses", k.Hypotheses, appendHypothesis)
	list(w, "recommended_actions", k.RecommendedActions, appendAction)
	w.texts("missing_info", k.MissingInfo)
	if k.AnswerVersion != V2 || k.UserFacingAnswer != "" || k.Extra["user_facing_answer"] != nil {
		w.orNull("user_facing_answer", k.UserFacingAnswer)
	}
	return w.rest(), nil
}

// MarshalJSON writes the claim in the field order of the specification.
func (k Claim) MarshalJSON() ([]byte, error) { return appendClaim(nil, &k), nil }

// MarshalJSON writes the binding in the field order of the specification.
func (k Binding) MarshalJSON() ([]byte, error) { return appendBinding(nil, &k), nil }

// MarshalJSON writes the hypothesis in the field order of the specification.
func (k Hypothesis) MarshalJSON() ([]byte, error) { return appendHypothesis(nil, &k), nil }

// MarshalJSON writes the action in the field order of the specification.
func (k Action) MarshalJSON() ([]byte, error) { return appendAction(nil, &k), nil }

func appendClaim(b []byte, k *Claim) []byte {
	w := newWriter(b, claimRole, k.Extra)
	w.text("claim_id", k.ClaimID)
	w.text("claim_type", k.ClaimType)
	w.text("claim_text", k.ClaimText)
	w.text("support_level", string(k.SupportLevel))
	list(w, "evidence_bindings", k.EvidenceBindings, appendBinding)
	return w.rest()
}

func appendBinding(b []byte, k *Binding) []byte {
	w := newWriter(b, bindingRole, k.Extra)
	w.text("source_type", k.SourceType)
	w.text("source_id", k.SourceID)
	w.orNull("tool_name", k.ToolName)
	if w.member("source_invocation_ids") {
		w.b = append(w.b, '[')
		for i, id := range k.SourceInvocationIDs {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = strconv.AppendInt(w.b, id, 10)
		}
		w.b = append(w.b, ']')
	}
	w.text("evidence_excerpt", k.EvidenceExcerpt)
	return w.rest()
}

func appendHypothesis(b []byte, k *Hypothesis) []byte {
	w := newWriter(b, hypothesisRole, k.Extra)
	w.text("hypothesis_text", k.HypothesisText)
	w.text("basis", k.Basis)
	w.texts("needed_evidence", k.NeededEvidence)
	return w.rest()
}

func appendAction(b []byte, k *Action) []byte {
	w := newWriter(b, actionRole, k.Extra)
	w.text("action_text", k.ActionText)
	w.text("reason", k.Reason)
	list(w, "evidence_bindings", k.EvidenceBindings, appendBinding)
	return w.rest()
}

// unmarshal reads data as one strict JSON object into k, for an UnmarshalJSON method.
func unmarshal[T any](data []byte, k *T, read func(*canon, *Node) (T, *Node)) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("contract: %w", ErrEncoding)
	}
	text := string(data)
	n, err := readStrict(text)
	if err != nil {
		return fmt.Errorf("contract: %w", err)
	}
	if n.Kind != ObjectNode {
		return fmt.Errorf("contract: %w", ErrNotObject)
	}
	c := &canon{src: text}
	got, _ := read(c, n)
	if c.err != nil {
		return fmt.Errorf("contract: %w", c.err)
	}
	*k = got
	return nil
}

// UnmarshalJSON reads strict JSON; other types and spellings are accepted as
// Parse does. Errors wrap ErrSyntax, ErrNotObject or a limit.
func (k *Contract) UnmarshalJSON(data []byte) error {
	return unmarshal(data, k, func(c *canon, n *Node) (Contract, *Node) {
		got, node := c.contract(n)
		if got == nil {
			return Contract{}, nil // beyond a limit
		}
		return *got, node
	})
}

// UnmarshalJSON reads strict JSON; see Contract.UnmarshalJSON.
func (k *Claim) UnmarshalJSON(data []byte) error {
	return unmarshal(data, k, func(c *canon, n *Node) (Claim, *Node) { return c.claim(n, 1) })
}

// UnmarshalJSON reads strict JSON; see Contract.UnmarshalJSON.
func (k *Binding) UnmarshalJSON(data []byte) error { return unmarshal(data, k, (*canon).binding) }

// UnmarshalJSON reads strict JSON; see Contract.UnmarshalJSON.
func (k *Hypothesis) UnmarshalJSON(data []byte) error {
	return unmarshal(data, k, (*canon).hypothesis)
}

// UnmarshalJSON reads strict JSON; see Contract.UnmarshalJSON.
func (k *Action) UnmarshalJSON(data []byte) error { return unmarshal(data, k, (*canon).action) }
