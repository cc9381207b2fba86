package view

import (
	"encoding/json"
	"strings"

	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/state"
	"claimscope/tui/text"
)

// Payload is the Verifier's view: what it was shown, and what was withheld from it.
type Payload struct {
	Sent     bool // the payload exists
	Bytes    int
	Fields   []PayloadField
	Withheld []Withheld
}

// PayloadField is one field of the payload.
type PayloadField struct {
	Name   string
	Text   string // a string as it is, any other value as indented JSON
	IsJSON bool
	Bytes  int // as sent
}

// Withheld is something that the Verifier is not shown.
type Withheld struct {
	What text.Label
	// Count and Bytes say how much of it this run had up to the attempt shown.
	Count, Bytes int
	// Never is true for what no run passes on and nobody counts.
	Never bool
}

// payloadFields are the six fields of the payload (spec P7).
var payloadFields = []string{
	"original_query", "executor_final_answer", "tool_trace_summary", "retry_context",
	"executor_structured_output", "executor_output_parse_status",
}

// VerifierPayload derives the Verifier's view of the attempt shown. It parses the
// payload: call it when the overlay opens, not for a frame.
func (v *View) VerifierPayload() Payload {
	a := v.Attempt
	p := Payload{Sent: len(a.Payload) > 0, Bytes: len(a.Payload), Withheld: v.withheld()}
	var values map[string]json.RawMessage
	if !p.Sent || json.Unmarshal(a.Payload, &values) != nil {
		return p
	}
	for _, name := range payloadFields {
		raw, ok := values[name]
		if !ok {
			continue
		}
		delete(values, name)
		p.Fields = append(p.Fields, field(name, raw))
	}
	// There are no others; should there ever be, nobody shall overlook them.
	for name, raw := range values {
		p.Fields = append(p.Fields, field("!"+name, raw))
	}
	return p
}

func field(name string, raw json.RawMessage) PayloadField {
	f := PayloadField{Name: name, Bytes: len(raw)}
	if json.Unmarshal(raw, &f.Text) == nil {
		return f
	}
	f.IsJSON, f.Text = true, string(raw)
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(raw) == nil {
		f.Text = strings.TrimSuffix(b.String(), "\n")
	}
	return f
}

// withheld counts what the Verifier must not see.
func (v *View) withheld() []Withheld {
	var plan, reasoning, between, raw Withheld
	plan.What = text.Label{ZH: "Planner 的计划与推理", EN: "the Planner's plan and reasoning"}
	reasoning.What = text.Label{ZH: "Executor 的推理（reasoning_content 与 <think>）", EN: "the Executor's reasoning (reasoning_content and <think>)"}
	between.What = text.Label{ZH: "Executor 的中间消息", EN: "the Executor's intermediate messages"}
	raw.What = text.Label{ZH: "工具原始输出（只给出摘要）", EN: "the raw tool outputs (only extracts are shown)"}
	count := func(w *Withheld, s string) {
		if s != "" {
			w.Count++
			w.Bytes += len(s)
		}
	}
	var exchanges []state.Exchange
	for i := range v.State.Attempts {
		if a := &v.State.Attempts[i]; a.Number <= v.Attempt.Number {
			exchanges = append(exchanges, a.Exchanges...)
		}
	}
	for _, x := range exchanges {
		if x.Response == nil {
			continue
		}
		m := &x.Response.Message
		switch x.Stage {
		case event.Planner:
			count(&plan, m.Content)
			count(&plan, m.Reasoning)
		case event.Executor:
			count(&reasoning, m.Reasoning)
			if len(m.ToolCalls) > 0 || x.Response.Finish == model.FinishToolCalls {
				count(&between, m.Content)
			}
		case event.Parse, event.Gatekeeper, event.Verifier, event.Route, event.Answer:
		}
	}
	for _, s := range v.Doc.Reading.Reasoning {
		count(&reasoning, v.Doc.Text[s.Start:s.End])
	}
	raw.Count, raw.Bytes = v.TracesSize()
	return []Withheld{
		plan, reasoning, between, raw,
		{What: text.Label{ZH: "对话历史", EN: "chat history"}, Never: true},
		{What: text.Label{ZH: "工具（Verifier 不能调用任何工具）", EN: "tools (the Verifier can call none)"}, Never: true},
	}
}
