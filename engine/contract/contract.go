// Package contract holds the evidence contract: the JSON object in which an
// Executor binds every confirmed claim to tool evidence. It reads what models
// really emit, keeps the byte position of every value, and lists each repair.
//
// The package is pure: bytes in, values out. It imports nothing of ours.
package contract

import "encoding/json"

// Version names a contract version, as written in answer_version.
type Version string

// The contract versions this program reads.
const (
	V1 Version = "executor_evidence_v1"
	V2 Version = "executor_evidence_v2"
)

// SupportLevel says how far the Executor itself holds a claim confirmed.
type SupportLevel string

// The support levels of the contract. None and Contradicted are no confirmation.
const (
	Direct       SupportLevel = "direct"
	Indirect     SupportLevel = "indirect"
	None         SupportLevel = "none"
	Contradicted SupportLevel = "contradicted"
)

// Known claim types. The set is open: another type is legal.
const (
	RootCause     = "root_cause"
	Symptom       = "symptom"
	Impact        = "impact"
	Timeline      = "timeline"
	Configuration = "configuration"
	Exclusion     = "exclusion"
)

// Source types with a meaning of their own. The set is open: another family is
// legal and cannot be checked.
const (
	SourceToolTrace   = "tool_trace"
	SourceLookupBlock = "lookup_evidence_block"
)

// MaxExcerptRunes bounds an evidence_excerpt, in runes (spec section 2).
const MaxExcerptRunes = 500

// Contract is the evidence contract, version 1 or 2. Removed fields that a
// version 2 output still carries are kept, so that they can be audited.
type Contract struct {
	AnswerVersion      Version
	DiagnosisSummary   string
	Claims             []Claim
	Hypotheses         []Hypothesis
	RecommendedActions []Action
	MissingInfo        []string
	UserFacingAnswer   string
	// Extra holds unknown fields, so that a round trip loses nothing.
	Extra map[string]json.RawMessage
}

// Claim is one confirmed statement with its evidence.
type Claim struct {
	ClaimID          string
	ClaimType        string
	ClaimText        string
	SupportLevel     SupportLevel
	EvidenceBindings []Binding
	Extra            map[string]json.RawMessage
	// Repaired is true when a repair touched the claim's text.
	Repaired bool
}

// Binding ties a claim or an action to a piece of tool evidence.
type Binding struct {
	SourceType          string
	SourceID            string
	ToolName            string
	SourceInvocationIDs []int64
	EvidenceExcerpt     string
	Extra               map[string]json.RawMessage
	// Repaired is true when a repair touched the excerpt.
	Repaired bool
}

// Hypothesis is an idea that the evidence does not prove.
type Hypothesis struct {
	HypothesisText string
	Basis          string
	NeededEvidence []string
	Extra          map[string]json.RawMessage
}

// Action is a recommended step.
type Action struct {
	ActionText       string
	Reason           string
	EvidenceBindings []Binding
	Extra            map[string]json.RawMessage
}

// ParseStatus is executor_output_parse_status (spec C5).
type ParseStatus string

// The parse statuses.
const (
	StatusOK        ParseStatus = "ok"
	StatusRepaired  ParseStatus = "repaired"
	StatusTruncated ParseStatus = "truncated"
	StatusAmbiguous ParseStatus = "ambiguous"
	StatusInvalid   ParseStatus = "invalid"
	StatusEmpty     ParseStatus = "empty"
)

// Malformed reports whether the status makes the natural-language fallback run
// (spec P11).
func (s ParseStatus) Malformed() bool {
	switch s {
	case StatusTruncated, StatusAmbiguous, StatusInvalid, StatusEmpty:
		return true
	case StatusOK, StatusRepaired:
		return false
	}
	return true
}

// Step is the rung of the parsing ladder that succeeded (spec C4).
type Step string

// The rungs of the ladder.
const (
	StepStrict    Step = "strict"    // the text is one JSON value as it stands
	StepUnwrapped Step = "unwrapped" // after removing what is not the answer
	StepRepaired  Step = "repaired"  // after textual repair
	StepNone      Step = "none"      // nothing parsed
)

// Span is a half-open range of byte offsets into the message as it came.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Edit is one textual repair.
type Edit struct {
	Offset   int    `json:"offset"` // byte offset into the message as it came
	Removed  string `json:"removed"`
	Inserted string `json:"inserted"`
	Why      string `json:"why"`
}

// Coercion is one change of type or case that left the text alone.
type Coercion struct {
	Pointer string `json:"pointer"` // JSON pointer (RFC 6901) into the contract
	From    string `json:"from"`
	To      string `json:"to"`
	Why     string `json:"why"`
}

// Issue is a schema finding of the reader, before the gate gives it a severity.
type Issue struct {
	Code    string // S001 … S010
	Pointer string // JSON pointer (RFC 6901) into the contract
	Span    Span   // where it stands in the message; empty when it stands nowhere
	ZH, EN  string // what is wrong and what was expected
}

// Parsed is what a message yields.
type Parsed struct {
	Status    ParseStatus
	Step      Step
	Contract  *Contract // nil when no object was read
	Root      *Node     // the contract as a value tree, positions in the message; nil when nothing parsed
	Raw       *Node     // the value as it stands in the message: wrappers, unknown spellings and cut values included
	Edits     []Edit
	Coercions []Coercion
	Issues    []Issue
	Reasoning []Span // <think> blocks, tags included
	Reason    string // for any status but ok: why, one line, English
	ReasonZH  string // the same in Chinese
}

// NodeKind is the JSON type of a Node.
type NodeKind uint8

// The JSON types.
const (
	NullNode NodeKind = iota
	BoolNode
	NumberNode
	StringNode
	ArrayNode
	ObjectNode
)

// Node is one JSON value with the bytes it came from.
type Node struct {
	Kind    NodeKind
	flags   flags
	Span    Span    // the value in the message, quotes and brackets included
	Key     string  // member name, when the parent is an object
	KeySpan Span    // the member name in the message
	Text    string  // decoded string, or the number, true, false, null as written
	Items   []*Node // array items or object members, in order
}
