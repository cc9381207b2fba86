package contract_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
)

func compile(t *testing.T, v contract.Version) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(contract.Schema(v)))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("contract.json", doc))
	s, err := c.Compile("contract.json")
	require.NoError(t, err)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return s.Validate(doc)
}

// full is a contract with every field set.
func full(v contract.Version) contract.Contract {
	b := contract.Binding{SourceType: contract.SourceToolTrace, SourceID: "trace-3", ToolName: "query_logs", SourceInvocationIDs: []int64{4, 5}, EvidenceExcerpt: "pool exhausted after 30s"}
	k := contract.Contract{
		AnswerVersion: v,
		Claims: []contract.Claim{
			{ClaimID: "c1", ClaimType: contract.RootCause, ClaimText: "连接池耗尽。", SupportLevel: contract.Direct, EvidenceBindings: []contract.Binding{b}},
			{ClaimID: "c2", ClaimType: "other", ClaimText: "未见磁盘告警。", SupportLevel: contract.None},
		},
		Hypotheses:         []contract.Hypothesis{{HypothesisText: "可能有慢查询。", Basis: "耗时上升", NeededEvidence: []string{"慢查询日志"}}},
		RecommendedActions: []contract.Action{{ActionText: "调大连接池。", Reason: "已耗尽", EvidenceBindings: []contract.Binding{b}}},
		MissingInfo:        []string{"数据库侧指标"},
	}
	if v == contract.V1 {
		k.DiagnosisSummary, k.UserFacingAnswer = "连接池耗尽导致超时。", "连接池耗尽，请调大。"
	}
	return k
}

// TestSchemaTakesWhatTheTypesWrite keeps the types and the schema in step: what
// the types write is valid, full or empty.
func TestSchemaTakesWhatTheTypesWrite(t *testing.T) {
	for _, v := range []contract.Version{contract.V1, contract.V2} {
		s := compile(t, v)
		for name, k := range map[string]contract.Contract{"full": full(v), "empty": {AnswerVersion: v}} {
			data, err := json.Marshal(k)
			require.NoError(t, err)
			assert.NoError(t, validate(t, s, data), "%s %s: %s", v, name, data)
		}
	}
}

// TestSchemaRefuses shows that the schema says no where the contract does.
func TestSchemaRefuses(t *testing.T) {
	for name, change := range map[string]func(m map[string]any){
		"missing claims": func(m map[string]any) { delete(m, "claims") },
		"null array":     func(m map[string]any) { m["missing_info"] = nil },
		"unknown field":  func(m map[string]any) { m["note"] = "x" },
		"removed field":  func(m map[string]any) { m["diagnosis_summary"] = "x" },
		"wrong version":  func(m map[string]any) { m["answer_version"] = "executor_evidence_v1" },
		"support level":  func(m map[string]any) { m["claims"].([]any)[0].(map[string]any)["support_level"] = "partial" },
		"claim as text":  func(m map[string]any) { m["claims"] = []any{"x"} },
		"binding without id": func(m map[string]any) {
			delete(m["claims"].([]any)[0].(map[string]any)["evidence_bindings"].([]any)[0].(map[string]any), "source_id")
		},
		"id as string": func(m map[string]any) {
			m["claims"].([]any)[0].(map[string]any)["evidence_bindings"].([]any)[0].(map[string]any)["source_invocation_ids"] = []any{"9"}
		},
	} {
		data, err := json.Marshal(full(contract.V2))
		require.NoError(t, err)
		var m map[string]any
		require.NoError(t, json.Unmarshal(data, &m))
		change(m)
		data, err = json.Marshal(m)
		require.NoError(t, err)
		assert.Error(t, validate(t, compile(t, contract.V2), data), name)
	}
}

// TestSchemaIsStrict checks what strict structured output modes demand of every
// object: no other fields, and all of its own required.
func TestSchemaIsStrict(t *testing.T) {
	for _, v := range []contract.Version{contract.V1, contract.V2} {
		require.Equal(t, contract.Schema(v), contract.Schema(v))
		var doc map[string]any
		require.NoError(t, json.Unmarshal(contract.Schema(v), &doc))
		objects := 0
		var walk func(any)
		walk = func(x any) {
			switch x := x.(type) {
			case map[string]any:
				if x["type"] == "object" {
					objects++
					assert.Equal(t, false, x["additionalProperties"])
					assert.Len(t, x["required"], len(x["properties"].(map[string]any)))
				}
				for _, v := range x {
					walk(v)
				}
			case []any:
				for _, v := range x {
					walk(v)
				}
			}
		}
		walk(doc)
		assert.Equal(t, 5, objects)
	}
	assert.Nil(t, contract.Schema("executor_evidence_v9"))
}

// TestSchemaHasEveryTypeField compares the fields of the Go types with the
// properties of the schema, name by name.
func TestSchemaHasEveryTypeField(t *testing.T) {
	var doc struct {
		Properties map[string]any
		Defs       map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(contract.Schema(contract.V1), &doc))
	for _, tt := range []struct {
		typ   any
		props map[string]any
	}{
		{contract.Contract{}, doc.Properties},
		{contract.Claim{}, doc.Defs["claim"].Properties},
		{contract.Binding{}, doc.Defs["binding"].Properties},
		{contract.Hypothesis{}, doc.Defs["hypothesis"].Properties},
		{contract.Action{}, doc.Defs["action"].Properties},
	} {
		typ := reflect.TypeOf(tt.typ)
		names := map[string]bool{}
		for i := range typ.NumField() {
			if f := typ.Field(i).Name; f != "Extra" && f != "Repaired" {
				names[snake(f)] = true
			}
		}
		require.NotEmpty(t, names)
		for name := range names {
			assert.Contains(t, tt.props, name, "%s", typ)
		}
		assert.Len(t, tt.props, len(names), "%s", typ)
	}
}

// snake turns a Go field name into the contract's spelling.
func snake(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "IDs", "Ids"), "ID", "Id")
	var b strings.Builder
	for i, r := range s {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
