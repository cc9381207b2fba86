package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	goopenai "github.com/sashabaranov/go-openai"

	"claimscope/engine/model"
)

// wireFault is a fault with what the endpoint said about trying again.
type wireFault struct {
	*model.Fault
	retryAfter time.Duration
}

// retryable reports whether the same request may succeed a moment later. A reply
// that outgrew its bound or took its whole time would only do so again.
func retryable(f *model.Fault) bool {
	switch f.Kind {
	case model.FaultRateLimit, model.FaultServer, model.FaultNetwork, model.FaultStalled:
		return true
	case model.FaultProtocol:
		return f.Status == 0 // a stream that broke off or made no sense
	case model.FaultAuth, model.FaultRequest, model.FaultTimeout, model.FaultTooLarge, model.FaultExhausted, model.FaultNoModel:
		return false
	}
	return false
}

func timeoutText(req model.Request) string {
	return fmt.Sprintf("no whole reply within %s", time.Duration(req.Params.TimeoutMS)*time.Millisecond)
}

// classify finds out what went wrong. The key is removed from every text.
func (c *Client) classify(ctx context.Context, req model.Request, g *guard, err error) *wireFault {
	f := &model.Fault{Err: err}
	var api *goopenai.APIError
	var plain *goopenai.RequestError
	var kind *contentTypeError
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errTimeout):
		f.Kind, f.Text = model.FaultTimeout, timeoutText(req)
	case errors.Is(cause, errStalled):
		f.Kind, f.Text = model.FaultStalled, fmt.Sprintf("the stream stood still for %s", c.o.Stall)
	case errors.Is(err, errTooLarge):
		f.Kind, f.Text = model.FaultTooLarge, fmt.Sprintf("the reply is larger than %d bytes", c.o.MaxBytes)
	case errors.Is(err, errNotUTF8):
		f.Kind, f.Text = model.FaultProtocol, errNotUTF8.Error()
	case errors.As(err, &kind):
		f.Kind, f.Text, f.Status = model.FaultProtocol, kind.Error(), http.StatusOK
	case errors.As(err, &api):
		f.Status, f.Text = api.HTTPStatusCode, statusText(api.HTTPStatusCode, api.Message)
		f.Kind = kindOf(api.HTTPStatusCode)
	case errors.As(err, &plain):
		f.Status, f.Text = plain.HTTPStatusCode, statusText(plain.HTTPStatusCode, excerpt(plain.Body))
		f.Kind = kindOf(plain.HTTPStatusCode)
	case errors.Is(err, errNoChoice), errors.Is(err, errUnfinished), errors.Is(err, errToolCalls), errors.Is(err, goopenai.ErrTooManyEmptyStreamMessages):
		f.Kind, f.Text = model.FaultProtocol, err.Error()
	case errors.Is(err, errRequest), refusedByLibrary(err):
		f.Kind, f.Text = model.FaultRequest, err.Error()
	case errors.As(err, &syntax), errors.As(err, &typed):
		f.Kind, f.Text = model.FaultProtocol, "an event of the stream is no chat completion: "+err.Error()
	default:
		f.Kind, f.Text = model.FaultNetwork, err.Error()
	}
	if f.Status == http.StatusNotFound && !strings.HasSuffix(strings.TrimRight(c.o.BaseURL, "/"), "/v1") {
		f.Text += " (the address of most endpoints ends in /v1)"
	}
	f.Text = c.clean(f.Text)
	return &wireFault{Fault: f, retryAfter: g.retryAfter}
}

// refusedByLibrary tells requests that the library did not send.
func refusedByLibrary(err error) bool {
	return slices.ContainsFunc([]error{
		goopenai.ErrChatCompletionInvalidModel, goopenai.ErrReasoningToolsRequireResponses, goopenai.ErrReasoningSamplingUnsupported,
		goopenai.ErrReasoningModelMaxTokensDeprecated, goopenai.ErrReasoningModelLimitationsOther,
	}, func(target error) bool { return errors.Is(err, target) })
}

// kindOf tells faults apart by HTTP status. An error inside a stream has none and
// is the server's.
func kindOf(status int) model.FaultKind {
	switch {
	case status == http.StatusTooManyRequests:
		return model.FaultRateLimit
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return model.FaultAuth
	case status >= 500, status == 0, status == http.StatusRequestTimeout:
		return model.FaultServer
	default:
		return model.FaultRequest
	}
}

func statusText(status int, message string) string {
	if status == 0 {
		return "the endpoint reported an error in the stream: " + message
	}
	return fmt.Sprintf("HTTP %d %s: %s", status, http.StatusText(status), message)
}

// ShortestKey is the length in bytes from which a key can be a secret: local servers are
// given a word or a letter, which stands in any text.
const ShortestKey = 8

// clean makes one bounded line without the key.
func (c *Client) clean(s string) string {
	if len(c.o.Key) >= ShortestKey {
		s = strings.ReplaceAll(s, c.o.Key, "‹key›")
	}
	return excerpt([]byte(s))
}

// excerpt is the head of a text as one line, without control characters.
func excerpt(b []byte) string {
	const maxRunes = 300
	var out strings.Builder
	space, n := false, 0
	for _, r := range string(b) {
		if unicode.IsSpace(r) {
			space = out.Len() > 0
			continue
		}
		if unicode.IsControl(r) {
			continue
		}
		if n == maxRunes {
			out.WriteString("…")
			break
		}
		if space {
			out.WriteByte(' ')
			space = false
		}
		out.WriteRune(r)
		n++
	}
	return out.String()
}
