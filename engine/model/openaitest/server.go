// Package openaitest is an OpenAI-compatible endpoint for tests and for trying the
// program by hand: it speaks the real wire format (server-sent events) and answers
// from a script, faults included.
package openaitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"claimscope/engine/model"
)

// Reply is one scripted answer. The zero Fault is an honest reply.
type Reply struct {
	Response model.Response
	Fault    Fault
	// Status and Header go with StatusFault, Body with StatusFault and the faults
	// that send a body of their own.
	Status int
	Header map[string]string
	Body   string
}

// Fault is a way in which an endpoint misbehaves.
type Fault string

// The faults.
const (
	None         Fault = ""
	StatusFault  Fault = "status"        // an HTTP error status
	Reset        Fault = "reset"         // the connection breaks in mid-stream
	Stall        Fault = "stall"         // the stream stands still, open
	Endless      Fault = "endless"       // the stream never ends
	HTML         Fault = "html"          // 200 with a web page
	InvalidSSE   Fault = "invalid_sse"   // an event that is no JSON
	EmptyChoices Fault = "empty_choices" // a stream without a choice
	BadUTF8      Fault = "bad_utf8"      // bytes that are no UTF-8
	Unfinished   Fault = "unfinished"    // the stream ends without a finish reason
	ErrorEvent   Fault = "error_event"   // an error inside the stream
	NotFound     Fault = "not_found"     // as an endpoint answers an unknown path
)

// Faults lists the ways in which an endpoint misbehaves by itself.
func Faults() []Fault {
	return []Fault{Reset, Stall, Endless, HTML, InvalidSSE, EmptyChoices, BadUTF8, Unfinished, ErrorEvent, NotFound}
}

// IsFault reports whether a name is among Faults.
func IsFault(name string) bool { return slices.Contains(Faults(), Fault(name)) }

// Server answers chat completion requests from a script, one reply a request, in
// order. When the script is over it starts anew if Loop is set, else it answers 500.
type Server struct {
	Loop  bool
	Pace  time.Duration // between deltas
	Runes int           // runes a delta; default 12
	// Models are the ids to offer; default "stub".
	Models []string
	// Begins reports whether a request is the first of a run: the script starts anew
	// then. Nil means never.
	Begins func(body []byte) bool

	mu     sync.Mutex
	script []Reply
	next   int
	bodies [][]byte
}

// New makes a server with a script.
func New(script ...Reply) *Server { return &Server{script: script} }

// OK is an honest reply with the given content.
func OK(content string) Reply {
	return Reply{Response: model.Response{
		Message: model.Message{Content: content}, Finish: model.FinishStop,
		Usage: model.Usage{PromptTokens: 100, CompletionTokens: len(content) / 4},
	}}
}

// Calls is an honest reply that calls tools.
func Calls(calls ...model.ToolCall) Reply {
	return Reply{Response: model.Response{
		Message: model.Message{ToolCalls: calls}, Finish: model.FinishToolCalls,
		Usage: model.Usage{PromptTokens: 100, CompletionTokens: 20},
	}}
}

// Requests returns the bodies received so far, in order.
func (s *Server) Requests() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]byte(nil), s.bodies...)
}

// ServeHTTP answers /v1/models and /v1/chat/completions.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		s.models(w)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil || !json.Valid(body) {
		http.Error(w, `{"error":{"message":"the request is no JSON"}}`, http.StatusBadRequest)
		return
	}
	s.answer(w, r, s.take(body))
}

func (s *Server) models(w http.ResponseWriter) {
	ids := s.Models
	if ids == nil {
		ids = []string{"stub"}
	}
	list := []map[string]string{}
	for _, id := range ids {
		list = append(list, map[string]string{"id": id, "object": "model"})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": list})
}

func (s *Server) take(body []byte) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies = append(s.bodies, body)
	if s.next == len(s.script) && s.Loop || s.Begins != nil && s.next > 0 && s.Begins(body) && !s.again() {
		s.next = 0
	}
	if s.next == len(s.script) {
		return Reply{Fault: StatusFault, Status: http.StatusInternalServerError, Body: `{"error":{"message":"the script is over"}}`}
	}
	s.next++
	return s.script[s.next-1]
}

// again reports whether the reply before was a fault: the same request comes again then.
func (s *Server) again() bool { return s.script[s.next-1].Fault != None }

func (s *Server) answer(w http.ResponseWriter, r *http.Request, reply Reply) {
	switch reply.Fault {
	case StatusFault, NotFound, HTML:
		plainAnswer(w, reply)
		return
	case None, Reset, Stall, Endless, InvalidSSE, EmptyChoices, BadUTF8, Unfinished, ErrorEvent:
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := &events{w: w, r: r, pace: s.Pace}
	switch reply.Fault {
	case EmptyChoices:
		out.data(`{"id":"x","object":"chat.completion.chunk","model":"stub","choices":[]}`)
		out.data("[DONE]")
	case InvalidSSE:
		out.data(`{"choices":[{"index":0,"delta":{"content":`)
	case BadUTF8:
		out.data("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xff\xfe\"}}]}")
	case ErrorEvent:
		out.data(`{"error":{"message":"overloaded","type":"server_error"}}`)
	case Endless:
		for out.delta(map[string]any{"content": strings.Repeat("还在说", 400)}) {
		}
	case Stall:
		out.delta(map[string]any{"content": "开了头"})
		<-r.Context().Done()
	case Reset:
		out.delta(map[string]any{"content": "说到一半"})
		panic(http.ErrAbortHandler) // net/http breaks the connection
	case Unfinished:
		out.delta(map[string]any{"content": "说到一半"})
		out.data("[DONE]")
	case None, StatusFault, NotFound, HTML:
		s.stream(out, reply.Response)
	}
}

func plainAnswer(w http.ResponseWriter, reply Reply) {
	switch reply.Fault {
	case HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<html><head><title>Sign in</title></head><body>Please sign in to the proxy.</body></html>")
	case NotFound:
		http.NotFound(w, nil)
	default:
		w.Header().Set("Content-Type", "application/json")
		for k, v := range reply.Header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(reply.Status)
		_, _ = io.WriteString(w, reply.Body)
	}
}

// stream sends an honest reply in pieces, tool arguments in pieces too, and the
// token counts at the end.
func (s *Server) stream(out *events, res model.Response) {
	size := s.Runes
	if size == 0 {
		size = 12
	}
	out.delta(map[string]any{"role": "assistant"})
	for _, piece := range pieces(res.Message.Reasoning, size) {
		out.delta(map[string]any{"reasoning_content": piece})
	}
	for _, piece := range pieces(res.Message.Content, size) {
		out.delta(map[string]any{"content": piece})
	}
	for i, call := range res.Message.ToolCalls {
		out.delta(toolDelta(i, map[string]any{"id": call.ID, "type": "function", "function": map[string]any{"name": call.Name, "arguments": ""}}))
		for _, piece := range pieces(call.Arguments, size) {
			out.delta(toolDelta(i, map[string]any{"function": map[string]any{"arguments": piece}}))
		}
	}
	out.chunk(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": res.Finish}}})
	out.chunk(map[string]any{"choices": []any{}, "usage": map[string]any{
		"prompt_tokens": res.Usage.PromptTokens, "completion_tokens": res.Usage.CompletionTokens, "total_tokens": res.Usage.Total(),
	}})
	out.data("[DONE]")
}

func toolDelta(index int, call map[string]any) map[string]any {
	call["index"] = index
	return map[string]any{"tool_calls": []any{call}}
}

func pieces(s string, size int) []string {
	var out []string
	runes := []rune(s)
	for len(runes) > 0 {
		n := min(size, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

// events writes server-sent events.
type events struct {
	w    http.ResponseWriter
	r    *http.Request
	pace time.Duration
}

// data writes one event; false when the client is gone.
func (e *events) data(s string) bool {
	if _, err := fmt.Fprintf(e.w, "data: %s\n\n", s); err != nil {
		return false
	}
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
	if e.pace > 0 {
		t := time.NewTimer(e.pace)
		defer t.Stop()
		select {
		case <-t.C:
		case <-e.r.Context().Done():
		}
	}
	return e.r.Context().Err() == nil
}

func (e *events) chunk(fields map[string]any) bool {
	fields["id"], fields["object"], fields["model"] = "chatcmpl-stub", "chat.completion.chunk", "stub"
	b, err := json.Marshal(fields)
	if err != nil {
		panic(err) // maps of plain values always encode
	}
	return e.data(string(b))
}

func (e *events) delta(delta map[string]any) bool {
	return e.chunk(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta}}})
}
