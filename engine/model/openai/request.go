package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"claimscope/engine/model"
)

// plan is what a request asks of an endpoint beyond the plain protocol.
type plan struct {
	wanted, json     model.JSONMode
	noUsage          bool // token counts in the stream are not asked for
	noSampling       bool // temperature and top_p are left to the endpoint
	completionTokens bool // the bound of a reply is max_completion_tokens
	reasoning        bool // reasoning goes back within the tool loop that it came from
}

// newPlan asks for all that the request wants. The reasoning models of OpenAI take
// neither max_tokens nor sampling parameters, which is known beforehand.
func newPlan(req model.Request) plan {
	known := reasoningModel(req.Params.Model)
	return plan{wanted: req.Params.JSONMode, json: jsonMode(req), noSampling: known, completionTokens: known}
}

// jsonMode is the mode to ask for: a schema mode needs a schema.
func jsonMode(req model.Request) model.JSONMode {
	if req.Params.JSONMode == model.JSONSchema && len(req.Schema) == 0 {
		return model.JSONObject
	}
	return req.Params.JSONMode
}

// lesser is the plan to try after an endpoint refused the request because of it.
// Endpoints have no codes for this; the words are those of OpenAI, DashScope, DeepSeek,
// vLLM, Ollama and llama.cpp.
func (p plan) lesser(f *wireFault) (next plan, ok bool) {
	if f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity && f.Status != http.StatusNotImplemented {
		return p, false
	}
	text := strings.ToLower(f.Text)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	switch {
	case !p.noUsage && has("stream_options", "include_usage"):
		p.noUsage = true
	case !p.reasoning && has("reasoning_content"):
		p.reasoning = true
	case !p.completionTokens && has("max_completion_tokens"):
		p.completionTokens = true
	case !p.noSampling && has("temperature", "top_p") && has("support", "unknown", "unrecognized", "not allowed", "default"):
		p.noSampling = true
	case p.json == model.JSONSchema && has(formatWords...):
		p.json = model.JSONObject
	case p.json == model.JSONObject && has(formatWords...):
		p.json = model.JSONOff
	default:
		return p, false
	}
	return p, true
}

// formatWords name JSON modes in refusals.
var formatWords = []string{"response_format", "json_schema", "json_object", "json mode", "schema", "guided", "grammar", "structured output"}

// notes tell what the request did not get, for the record.
func (p plan) notes(req model.Request) []string {
	var out []string
	if asked := jsonMode(req); p.json != asked {
		out = append(out, fmt.Sprintf("the endpoint refused JSON mode %s: fell back to %s", asked, p.json))
	}
	if p.noUsage {
		out = append(out, "the endpoint refused stream_options: token counts may be unknown")
	}
	if p.noSampling && !reasoningModel(req.Params.Model) {
		out = append(out, "the endpoint refused temperature and top_p: they are left to it")
	}
	if p.reasoning {
		out = append(out, "the endpoint wants its reasoning back within a tool loop: sent")
	}
	return out
}

// wireRequest writes the request in the library's terms.
func wireRequest(req model.Request, p plan) goopenai.ChatCompletionRequest {
	out := goopenai.ChatCompletionRequest{
		Model:    req.Params.Model,
		Messages: wireMessages(req.Messages, p),
		Tools:    wireTools(req.Tools),
		Seed:     req.Params.Seed,
		Stream:   true,
	}
	if !p.noUsage {
		out.StreamOptions = &goopenai.StreamOptions{IncludeUsage: true}
	}
	if t := req.Params.Temperature; t != nil && !p.noSampling {
		out.Temperature = float32(*t)
	}
	if t := req.Params.TopP; t != nil && !p.noSampling {
		out.TopP = float32(*t)
	}
	if p.completionTokens {
		out.MaxCompletionTokens = req.Params.MaxTokens
	} else {
		out.MaxTokens = req.Params.MaxTokens //nolint:staticcheck // what every other endpoint understands
	}
	switch p.json {
	case model.JSONSchema:
		out.ResponseFormat = &goopenai.ChatCompletionResponseFormat{
			Type:       goopenai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &goopenai.ChatCompletionResponseFormatJSONSchema{Name: schemaName(req.Stage), Schema: req.Schema, Strict: true},
		}
	case model.JSONObject:
		out.ResponseFormat = &goopenai.ChatCompletionResponseFormat{Type: goopenai.ChatCompletionResponseFormatTypeJSONObject}
	case model.JSONOff, "":
	}
	return out
}

// complete writes what the library cannot into the body: extra members, an explicit zero, the content
// of a message without one (DeepSeek wants the field), and reasoning that is empty.
func (p plan) complete(req model.Request, body []byte) ([]byte, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(body, &top); err != nil {
		return nil, err
	}
	zero := func(name string, v *float64) {
		if v != nil && *v == 0 && !p.noSampling {
			top[name] = json.RawMessage("0")
		}
	}
	zero("temperature", req.Params.Temperature)
	zero("top_p", req.Params.TopP)
	if len(req.Params.Extra) > 0 {
		if err := json.Unmarshal(req.Params.Extra, &top); err != nil { // adds to what is there
			return nil, err
		}
	}
	var messages []map[string]json.RawMessage
	if err := json.Unmarshal(top["messages"], &messages); err != nil {
		return nil, err
	}
	for _, m := range messages {
		fill(m, "content")
		if p.reasoning && len(m["tool_calls"]) > 0 {
			fill(m, "reasoning_content")
		}
	}
	raw, err := json.Marshal(messages)
	if err != nil {
		return nil, err
	}
	top["messages"] = raw
	return json.Marshal(top)
}

func fill(m map[string]json.RawMessage, name string) {
	if _, ok := m[name]; !ok {
		m[name] = json.RawMessage(`""`)
	}
}

func schemaName(stage string) string {
	if stage == "" {
		return "reply"
	}
	return stage + "_reply"
}

// reasoningModel tells the reasoning models of OpenAI by their names.
func reasoningModel(name string) bool {
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// wireMessages writes the conversation. Reasoning goes back only where the plan says
// so, and only with the tool calls that it led to.
func wireMessages(messages []model.Message, p plan) []goopenai.ChatCompletionMessage {
	out := make([]goopenai.ChatCompletionMessage, len(messages))
	for i, m := range messages {
		w := goopenai.ChatCompletionMessage{Role: string(m.Role), Content: m.Content, ToolCallID: m.ToolCallID}
		if p.reasoning && len(m.ToolCalls) > 0 {
			w.ReasoningContent = m.Reasoning
		}
		for _, call := range m.ToolCalls {
			w.ToolCalls = append(w.ToolCalls, goopenai.ToolCall{
				ID: call.ID, Type: goopenai.ToolTypeFunction,
				Function: goopenai.FunctionCall{Name: call.Name, Arguments: sendable(call.Arguments)},
			})
		}
		out[i] = w
	}
	return out
}

// sendable keeps a conversation alive after a model wrote arguments that are no
// JSON: several endpoints refuse to take those back.
func sendable(arguments string) string {
	if json.Valid([]byte(arguments)) {
		return arguments
	}
	return "{}"
}

func wireTools(tools []model.ToolSpec) []goopenai.Tool {
	out := make([]goopenai.Tool, len(tools))
	for i, t := range tools {
		out[i] = goopenai.Tool{
			Type:     goopenai.ToolTypeFunction,
			Function: &goopenai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters},
		}
	}
	return out
}
