package openai

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"claimscope/engine/model"
)

// plan is what a request asks of an endpoint beyond the plain protocol.
type plan struct {
	json  model.JSONMode
	usage bool // ask for token counts in the stream
}

// lesser is the plan to try after an endpoint refused the request because of it.
func (p plan) lesser(f *wireFault) (next plan, note string, ok bool) {
	if f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity && f.Status != http.StatusNotImplemented {
		return p, "", false
	}
	text := strings.ToLower(f.Text)
	switch {
	case p.usage && strings.Contains(text, "stream_options"):
		p.usage = false
		return p, "the endpoint refused stream_options: token counts are unknown", true
	case p.json == model.JSONSchema && mentionsFormat(text):
		p.json = model.JSONObject
		return p, "the endpoint refused JSON mode schema: fell back to object", true
	case p.json == model.JSONObject && mentionsFormat(text):
		p.json = model.JSONOff
		return p, "the endpoint refused JSON mode object: fell back to off", true
	}
	return p, "", false
}

func mentionsFormat(text string) bool {
	for _, word := range []string{"response_format", "json_schema", "json_object", "json mode", "schema", "guided", "grammar"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// wireRequest writes the request in the library's terms.
func wireRequest(req model.Request, p plan) goopenai.ChatCompletionRequest {
	out := goopenai.ChatCompletionRequest{
		Model:    req.Params.Model,
		Messages: wireMessages(req.Messages),
		Tools:    wireTools(req.Tools),
		Seed:     req.Params.Seed,
		Stream:   true,
	}
	if p.usage {
		out.StreamOptions = &goopenai.StreamOptions{IncludeUsage: true}
	}
	if t := req.Params.Temperature; t != nil {
		out.Temperature = nonZero(*t)
	}
	if t := req.Params.TopP; t != nil {
		out.TopP = nonZero(*t)
	}
	if completionTokensOnly(req.Params.Model) {
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
		if len(req.Schema) == 0 {
			out.ResponseFormat = &goopenai.ChatCompletionResponseFormat{Type: goopenai.ChatCompletionResponseFormatTypeJSONObject}
		}
	case model.JSONObject:
		out.ResponseFormat = &goopenai.ChatCompletionResponseFormat{Type: goopenai.ChatCompletionResponseFormatTypeJSONObject}
	case model.JSONOff, "":
	}
	return out
}

func schemaName(stage string) string {
	if stage == "" {
		return "reply"
	}
	return stage + "_reply"
}

// nonZero keeps an explicit zero on the wire: the library leaves out a plain one.
func nonZero(f float64) float32 {
	if f == 0 {
		return math.SmallestNonzeroFloat32
	}
	return float32(f)
}

// completionTokensOnly tells the reasoning models of OpenAI, which refuse max_tokens.
func completionTokensOnly(name string) bool {
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// wireMessages writes the conversation. Reasoning is never sent on.
func wireMessages(messages []model.Message) []goopenai.ChatCompletionMessage {
	out := make([]goopenai.ChatCompletionMessage, len(messages))
	for i, m := range messages {
		w := goopenai.ChatCompletionMessage{Role: string(m.Role), Content: m.Content, ToolCallID: m.ToolCallID}
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
