package verifier_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/model"
	"claimscope/engine/stage/verifier"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// node is the part of a JSON Schema that strict modes look at.
type node struct {
	Type                 any             `json:"type"`
	Enum                 []string        `json:"enum"`
	Items                *node           `json:"items"`
	Properties           map[string]node `json:"properties"`
	Required             []string        `json:"required"`
	AdditionalProperties *bool           `json:"additionalProperties"`
}

// walk visits all objects of a schema.
func (n node) walk(visit func(node)) {
	if n.Type == "object" {
		visit(n)
	}
	if n.Items != nil {
		n.Items.walk(visit)
	}
	for _, p := range n.Properties {
		p.walk(visit)
	}
}

// TestSchemaPromptAndReaderAreInStep: what the schema asks for is what the prompt asks
// for, and the reader takes each word as it is.
func TestSchemaPromptAndReaderAreInStep(t *testing.T) {
	var schema node
	require.NoError(t, json.Unmarshal(verifier.Schema(), &schema))
	req, err := verifier.Request(prompts.Embedded(), json.RawMessage(`{}`), model.Params{}, 1)
	require.NoError(t, err)
	assert.JSONEq(t, string(verifier.Schema()), string(req.Schema))
	prompt := req.Messages[0].Content
	objects := 0
	schema.walk(func(o node) {
		objects++
		require.NotNil(t, o.AdditionalProperties)
		assert.False(t, *o.AdditionalProperties)
		names := make([]string, 0, len(o.Properties))
		for name := range o.Properties {
			names = append(names, name)
			assert.Contains(t, prompt, `"`+name+`":`)
		}
		assert.ElementsMatch(t, names, o.Required, "strict modes want every field required")
	})
	assert.Equal(t, 3, objects)
	claims := []contract.Claim{{ClaimID: "c"}}
	for _, word := range schema.Properties["claim_checks"].Items.Properties["verdict"].Enum {
		for _, decision := range schema.Properties["decision"].Enum {
			reply, err := json.Marshal(map[string]any{
				"claim_checks": []any{map[string]any{"claim_id": "c", "claim_text": nil, "verdict": word, "evidence_refs": []string{}, "reason": "因"}},
				"extra_facts":  []any{}, "decision": decision, "summary": "",
			})
			require.NoError(t, err)
			r := verdict.ParseVerifier(string(reply), claims, false)
			assert.Empty(t, r.Err)
			assert.Empty(t, r.Notes)
			assert.Equal(t, verdict.CheckVerdict(word), r.ClaimChecks[0].Verdict)
			assert.Equal(t, verdict.Decision(decision), r.Decision)
		}
	}
}
