package verifier

import (
	"encoding/json"
	"fmt"
)

// schemaFormat is the Verifier's answer (spec P9) for the strict structured output
// modes: every field required, no other allowed, what may be left out nullable. The
// verb stands for the words of a verdict.
const schemaFormat = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "verifier_result",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "claim_checks": {
      "type": "array",
      "description": "Exactly one verdict for each claim.",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "properties": {
          "claim_id": {"type": "string", "description": "As in the contract, or nl-1, nl-2 ... for claims taken from the text."},
          "claim_text": {"type": ["string", "null"], "description": "Only for claims taken from the text, else null."},
          "verdict": %[1]s,
          "evidence_refs": {"type": "array", "items": {"type": "string"}, "description": "trace_refs or evidence block ids."},
          "reason": {"type": "string", "description": "One or two sentences, in Chinese."}
        },
        "required": ["claim_id", "claim_text", "verdict", "evidence_refs", "reason"]
      }
    },
    "extra_facts": {
      "type": "array",
      "description": "Facts that the answer states and no claim does.",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "properties": {
          "text": {"type": "string"},
          "verdict": %[1]s,
          "reason": {"type": "string", "description": "One or two sentences, in Chinese."}
        },
        "required": ["text", "verdict", "reason"]
      }
    },
    "decision": {"type": "string", "enum": ["PASS", "RETRY", "LOW_CONFID"]},
    "summary": {"type": "string", "description": "One or two sentences, in Chinese."}
  },
  "required": ["claim_checks", "extra_facts", "decision", "summary"]
}`

// Schema is the JSON Schema (draft 2020-12) of the Verifier's answer, which structured
// output modes send to the model. The reader is more tolerant.
func Schema() json.RawMessage {
	return json.RawMessage(fmt.Sprintf(schemaFormat, `{"type": "string", "enum": ["supported", "unsupported", "contradicted", "insufficient"]}`))
}
