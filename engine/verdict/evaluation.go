package verdict

import (
	"claimscope/engine/contract"
	"claimscope/engine/gate"
)

// Evaluation is the evaluation record, verifier_evaluation (spec I6).
type Evaluation struct {
	SessionID           string               `json:"session_id"`
	Attempt             int                  `json:"attempt"`
	Decision            Decision             `json:"decision"`
	Causes              []CauseItem          `json:"causes"`
	ParseStatus         contract.ParseStatus `json:"parse_status"`
	Edits               []contract.Edit      `json:"edits"`
	Coercions           []contract.Coercion  `json:"coercions"`
	StructuredOutput    *contract.Contract   `json:"executor_structured_output,omitempty"`
	ExecutorFinalAnswer string               `json:"executor_final_answer,omitempty"`
	GateReport          *gate.Report         `json:"gate_report"`
	ClaimChecks         []ClaimCheck         `json:"claim_checks"`
	ExtraFacts          []ExtraFact          `json:"extra_facts"`
	Answer              string               `json:"answer"`
	Tokens              int                  `json:"tokens"`
	Cost                float64              `json:"cost"`
}
