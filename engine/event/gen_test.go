package event

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"strings"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/trace"
)

// words are strings that encodings trip over.
var words = []string{
	"", "a", "连接池已饱和", "<b>&amp;</b>", "\u2028\u2029", "\x00\x1f\x7f", `"\\"`, "😀👩‍👩‍👧", "\ufeff", "\r\n\t",
	`{"seq":1,"type":"finished"}`, `""`, "\\u0000", "é", strings.Repeat("x", 300),
}

var rawValues = []string{`{}`, `{"q":"a<b","n":1.50}`, `[1,2]`, `"\u003c"`, `7`, `{"$blob":"x","a":{"b":[]}}`}

// fill gives v random content that survives a round trip.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(r.Int63n(4e9), r.Int63n(1e9)).UTC()
		return
	case *json.RawMessage:
		*p = json.RawMessage(rawValues[r.Intn(len(rawValues))])
		return
	case *trace.Trace:
		*p = someTrace(r)
		return
	case *contract.Contract:
		*p = someContract(r)
		return
	case *gate.Message:
		*p = gate.Message{}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(words[r.Intn(len(words))])
	case reflect.Int, reflect.Int64:
		v.SetInt(r.Int63n(1 << 50))
	case reflect.Float64:
		v.SetFloat(float64(r.Int63n(1<<30)) / 8)
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(r, v.Field(i), depth+1)
			}
		}
	case reflect.Pointer:
		if r.Intn(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Slice:
		if n := r.Intn(3); n > 0 && depth < 12 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(r, v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if r.Intn(2) == 0 {
			v.Set(reflect.MakeMap(v.Type()))
			key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key, depth+1)
			fill(r, val, depth+1)
			v.SetMapIndex(key, val)
		}
	default:
		panic("generator does not know " + v.Type().String())
	}
}

func someTrace(r *rand.Rand) trace.Trace {
	t := trace.Trace{
		Ref: "trace-1", ToolName: "query_logs", Arguments: json.RawMessage(`{"contains":"a<b"}`),
		InvocationIDs: []int64{r.Int63n(1 << 60)}, Status: trace.OK,
		Started: time.Unix(r.Int63n(4e9), 0).UTC(), Duration: time.Duration(r.Int63n(1e12)),
		Output: []byte(words[1+r.Intn(len(words)-1)]), Kind: trace.Observation,
	}
	if r.Intn(2) == 0 {
		t.Output = []byte("bad \xff\xfe bytes")
		t.Blocks = []trace.Block{{BlockID: "kb-1", Document: "d", Heading: "h", Span: trace.Span{End: 3}, Score: 0.5}}
	}
	return t
}

func someContract(r *rand.Rand) contract.Contract {
	return contract.Contract{
		AnswerVersion: contract.V2,
		Claims: []contract.Claim{{
			ClaimID: "claim-1", ClaimType: contract.Symptom, ClaimText: words[1+r.Intn(len(words)-1)], SupportLevel: contract.Direct,
			EvidenceBindings: []contract.Binding{{
				SourceType: contract.SourceToolTrace, SourceID: "trace-1", ToolName: "query_logs",
				SourceInvocationIDs: []int64{101}, EvidenceExcerpt: words[1+r.Intn(len(words)-1)],
			}},
		}},
		Hypotheses:         []contract.Hypothesis{{HypothesisText: "可能泄漏", Basis: "b", NeededEvidence: []string{"n"}}},
		RecommendedActions: []contract.Action{{ActionText: "重启", Reason: "r", EvidenceBindings: []contract.Binding{}}},
		MissingInfo:        []string{"m"},
	}
}

// someEvent gives an event of type t with random content.
func someEvent(r *rand.Rand, t Type, seq int) Event {
	empty, err := decodeBody(t, []byte(`{}`))
	if err != nil {
		panic(err)
	}
	body := reflect.New(reflect.TypeOf(empty)).Elem()
	fill(r, body, 0)
	stages := append(Stages(), "")
	return Event{
		Seq: seq, Time: time.Unix(r.Int63n(4e9), r.Int63n(1e9)).UTC(), Attempt: r.Intn(3),
		Stage: stages[r.Intn(len(stages))], Body: body.Interface().(Body),
	}
}
