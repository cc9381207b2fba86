// Package replay is a model that answers from recorded replies, with a token
// stream like a live one. The n-th request of a stage in an attempt gets the n-th
// reply recorded for them (spec E5).
package replay

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"claimscope/engine/model"
)

// Reply is one recorded outcome of a request.
type Reply struct {
	Stage    string // as in model.Request
	Attempt  int
	Response model.Response
	Fault    *model.Fault // instead of a response
}

// Pacer waits between two pieces of a stream. It returns the context's error when
// that ends first.
type Pacer func(ctx context.Context, d time.Duration) error

// Wait paces in real time.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Speed says how fast replies stream. The zero value gives each reply at once, in
// the same pieces.
type Speed struct {
	// TokensPerSecond paces the stream; 0 does not wait at all. A live model writes
	// some 60 to 120.
	TokensPerSecond float64
	// FirstToken is the wait before the first piece.
	FirstToken time.Duration
	Pace       Pacer // nil means Wait
}

type key struct {
	stage   string
	attempt int
}

// Model answers from a recording. It is safe for concurrent use. Each value
// replays the recording once, from its beginning.
type Model struct {
	speed Speed

	mu      sync.Mutex
	replies map[key][]Reply
}

// New makes a model that replays replies. Their order counts within a stage and
// attempt only.
func New(replies []Reply, speed Speed) *Model {
	if speed.Pace == nil {
		speed.Pace = Wait
	}
	m := &Model{speed: speed, replies: map[key][]Reply{}}
	for _, r := range replies {
		k := key{r.Stage, r.Attempt}
		m.replies[k] = append(m.replies[k], r)
	}
	return m
}

// Chat gives the next reply of the request's stage and attempt, or a Fault of kind
// FaultExhausted when there is none.
func (m *Model) Chat(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, err
	}
	r, ok := m.next(key{req.Stage, req.Attempt})
	if !ok {
		return model.Response{}, &model.Fault{Kind: model.FaultExhausted,
			Text: fmt.Sprintf("the recording holds no further reply for stage %s of attempt %d", req.Stage, req.Attempt)}
	}
	if r.Fault != nil {
		return model.Response{}, r.Fault
	}
	if err := m.stream(ctx, r.Response.Message, onDelta); err != nil {
		return model.Response{}, err
	}
	return r.Response, nil
}

func (m *Model) next(k key) (Reply, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	queue := m.replies[k]
	if len(queue) == 0 {
		return Reply{}, false
	}
	m.replies[k] = queue[1:]
	return queue[0], true
}

// stream plays the message as deltas: reasoning, content, then the tool calls.
func (m *Model) stream(ctx context.Context, msg model.Message, onDelta func(model.Delta)) error {
	if err := m.wait(ctx, m.speed.FirstToken); err != nil {
		return err
	}
	send := func(text string, make func(string) model.Delta) error {
		for _, piece := range Tokens(text) {
			if err := m.token(ctx); err != nil {
				return err
			}
			if onDelta != nil {
				onDelta(make(piece))
			}
		}
		return nil
	}
	if err := send(msg.Reasoning, func(s string) model.Delta { return model.Delta{Reasoning: s} }); err != nil {
		return err
	}
	if err := send(msg.Content, func(s string) model.Delta { return model.Delta{Content: s} }); err != nil {
		return err
	}
	for i, call := range msg.ToolCalls {
		if onDelta != nil {
			onDelta(model.Delta{ToolIndex: i, ToolName: call.Name})
		}
		if err := send(call.Arguments, func(s string) model.Delta { return model.Delta{ToolIndex: i, ToolArguments: s} }); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (m *Model) token(ctx context.Context) error {
	if m.speed.TokensPerSecond <= 0 {
		return ctx.Err()
	}
	return m.wait(ctx, time.Duration(float64(time.Second)/m.speed.TokensPerSecond))
}

func (m *Model) wait(ctx context.Context, d time.Duration) error {
	if d <= 0 || m.speed.TokensPerSecond <= 0 {
		return ctx.Err()
	}
	return m.speed.Pace(ctx, d)
}

// Tokens cuts text into pieces about as long as a tokenizer's: up to four letters
// or digits of a word, one or two Chinese characters, a run of spaces, a mark.
// Joined they are the text.
func Tokens(text string) []string {
	var out []string
	var piece strings.Builder
	class, count := other, 0
	flush := func() {
		if piece.Len() > 0 {
			out = append(out, piece.String())
			piece.Reset()
		}
		count = 0
	}
	// Not by range: bytes that are no UTF-8 stay what they are.
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := classOf(r)
		if count > 0 && (c != class || count == longest(c)) {
			flush()
		}
		class = c
		count++
		piece.WriteString(text[i : i+size])
		i += size
	}
	flush()
	return out
}

type runeClass uint8

const (
	other runeClass = iota
	word
	han
	space
)

func classOf(r rune) runeClass {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return word
	}
	return other
}

// longest is how many runes of a class make one piece.
func longest(c runeClass) int {
	switch c {
	case word:
		return 4
	case han, other:
		return 2
	case space:
		return 16
	}
	return 1
}
