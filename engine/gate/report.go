// Package gate is the Gatekeeper: what code, without a model, can prove about an
// evidence contract over tool traces (spec section 4). It vetoes; it never passes
// a session by itself. The same input gives the same report, byte for byte.
package gate

import (
	"claimscope/engine/contract"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"
)

// Severity says what a finding does to a claim.
type Severity string

// The severities. Only Block makes a claim fail.
const (
	Block Severity = "block"
	Warn  Severity = "warn"
	Info  Severity = "info"
)

// Code is the stable name of a finding, such as B005.
type Code string

// Message says one thing in both languages.
type Message struct {
	ZH string `json:"zh"`
	EN string `json:"en"`
}

// Place is a span of a trace's raw output that a finding points at.
type Place struct {
	TraceRef string         `json:"trace_ref"`
	Span     grounding.Span `json:"span"`
	// Role says what stands there: "nearest", "owner", "elsewhere", "contrary", "arguments" …
	Role string `json:"role"`
}

// Finding is one thing the gate holds against (or notes about) a contract.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Pointer  string   `json:"pointer"`         // JSON pointer (RFC 6901) into the contract
	Message  Message  `json:"-"`               // written as message (English) and message_zh
	Quote    string   `json:"quote,omitempty"` // the words of the contract it is about
	Places   []Place  `json:"places,omitempty"`
}

// ClaimVerdict is what the gate alone says of a claim (spec G4).
type ClaimVerdict string

// The gate's verdicts, from best to worst.
const (
	Supported    ClaimVerdict = "supported"
	Unverifiable ClaimVerdict = "unverifiable"
	Unsupported  ClaimVerdict = "unsupported"
	Contradicted ClaimVerdict = "contradicted"
)

// Decision is the gate's word on the whole output (spec I5).
type Decision string

// The gate's decisions.
const (
	Clean     Decision = "CLEAN"
	Blocked   Decision = "BLOCKED"
	Unchecked Decision = "UNCHECKED"
)

// FactMark ties a fact of a claim to the bytes that carry it, or to none.
type FactMark struct {
	Text     string           `json:"text"`  // the fact as the claim words it
	Kind     string           `json:"kind"`  // number, time, identifier
	Start    int              `json:"start"` // byte offset in claim_text
	End      int              `json:"end"`
	Found    bool             `json:"found"`
	Derived  string           `json:"derived,omitempty"` // how, when derived: "count of 4 lines", "31.0-30.2"
	TraceRef string           `json:"trace_ref,omitempty"`
	Spans    []grounding.Span `json:"spans"` // the fact, or its operands, in that trace
}

// BindingReport is what became of one evidence binding.
type BindingReport struct {
	Pointer     string                 `json:"pointer"`
	SourceID    string                 `json:"source_id"`
	Resolved    bool                   `json:"resolved"`
	TraceRef    string                 `json:"trace_ref"`
	Tier        grounding.Tier         `json:"tier"`
	Score       float64                `json:"score"`
	Spans       []grounding.Span       `json:"spans"`          // the first occurrence
	Occurrences []grounding.Occurrence `json:"places"`         // all, the first included
	Total       int                    `json:"occurrences"`    // how many places there are
	Diff        []grounding.DiffOp     `json:"diff,omitempty"` // for tier near
}

// ClaimReport is the gate's word on one claim.
type ClaimReport struct {
	ClaimID  string          `json:"claim_id"`
	Pointer  string          `json:"pointer"`
	Verdict  ClaimVerdict    `json:"verdict"`
	Findings []Finding       `json:"findings"`
	Bindings []BindingReport `json:"bindings"`
	Facts    []FactMark      `json:"facts"`
}

// ExtraFact is a piece of the answer that no claim states.
type ExtraFact struct {
	Text  string `json:"text"`
	Start int    `json:"start"` // byte offset in the answer text
	End   int    `json:"end"`
	Field string `json:"field"` // user_facing_answer or diagnosis_summary
}

// SentenceSource ties a sentence of an answer to what it comes from (spec A3).
type SentenceSource struct {
	Field   string   `json:"field"`
	Start   int      `json:"start"` // byte offsets in that text
	End     int      `json:"end"`
	Sources []string `json:"sources"` // JSON pointers: /claims/0, /hypotheses/1, /recommended_actions/0, /missing_info/2
}

// Report is the gate's report.
type Report struct {
	Decision      Decision             `json:"decision"`
	Causes        []string             `json:"causes"`
	ParseStatus   contract.ParseStatus `json:"parse_status"`
	AnswerVersion contract.Version     `json:"answer_version"`
	Claims        []ClaimReport        `json:"claims"`
	Findings      []Finding            `json:"findings"` // those of no claim
	ExtraFacts    []ExtraFact          `json:"extra_facts"`
	Sentences     []SentenceSource     `json:"sentences"`
}

// Input is what the gate judges.
type Input struct {
	Parsed contract.Parsed
	Traces []trace.Trace
	// Query is the question of the session; its words are no extra facts of an answer.
	Query string
}

// Policy configures the gate.
type Policy struct {
	// Severities overrides the default severity of a code.
	Severities map[Code]Severity
}
