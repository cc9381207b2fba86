// Package openai is the model adapter for every OpenAI-compatible endpoint. It
// streams, bounds what comes back, tells faults apart and tries again where that
// helps.
package openai

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"claimscope/engine/model"
)

// Options configure a Client. Zero values mean the defaults.
type Options struct {
	BaseURL string // up to and including /v1; required
	Key     string // never appears in an error, a note or a request body
	// HTTP makes the connections; nil uses the standard transport, which honours the
	// proxy variables of the environment and the system's certificates.
	HTTP *http.Client
	// Stall is how long a stream may stand still; default 60 s.
	Stall time.Duration
	// MaxBytes bounds one reply as it comes over the wire; default 32 MiB.
	MaxBytes int64
	// Tries is the number of tries of one request in all; default 4.
	Tries int
	// Wait sleeps between tries, or returns the context's error; nil uses a timer.
	Wait func(ctx context.Context, d time.Duration) error
	// Jitter is a number in [0,1) that spreads tries; nil uses a random one.
	Jitter func() float64
}

const (
	defaultStall    = 60 * time.Second
	defaultMaxBytes = 32 << 20
	defaultTries    = 4
	// backoffBase doubles with each try up to backoffMax (exponential backoff with
	// jitter, as RFC 9110 leaves to clients and AWS's "Backoff and Jitter" describes).
	backoffBase = time.Second
	backoffMax  = 30 * time.Second
	// retryAfterMax bounds how long an endpoint may make us wait.
	retryAfterMax = 2 * time.Minute
)

// Client is a model behind an OpenAI-compatible endpoint.
type Client struct {
	o Options

	mu    sync.Mutex
	plans map[planKey]plan // what an endpoint was found to take, so that it is asked once
}

// planKey is what a plan holds for: a model may take what another refuses, and stages
// ask for different things.
type planKey struct{ model, stage string }

// New makes a client. It opens no connection.
func New(o Options) *Client {
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	if o.Stall == 0 {
		o.Stall = defaultStall
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Tries == 0 {
		o.Tries = defaultTries
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return &Client{o: o, plans: map[planKey]plan{}}
}

// api makes the library's client over a guarded transport of one request.
func (c *Client) api(g *guard) *goopenai.Client {
	cfg := goopenai.DefaultConfig(c.o.Key)
	cfg.BaseURL = strings.TrimRight(c.o.BaseURL, "/")
	cfg.HTTPClient = g
	// Comments and blank lines keep a waiting connection alive (DeepSeek sends one every
	// few seconds, for minutes); the bounds of the guard hold instead.
	cfg.EmptyMessagesLimit = 1 << 20
	return goopenai.NewClientWithConfig(cfg)
}

// Chat sends the request and streams the reply. Rate limits, server errors and
// connections that failed before or while the reply came are tried again, within
// bounds; a JSON mode that the endpoint refuses is given up for a lesser one, and
// that is noted.
func (c *Client) Chat(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Response, error) {
	if req.Params.TimeoutMS > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(req.Params.TimeoutMS)*time.Millisecond, errTimeout)
		defer cancel()
	}
	key := planKey{req.Params.Model, req.Stage}
	p := c.planFor(key, req)
	var notes []string
	for try := 1; ; try++ {
		res, fault := c.once(ctx, req, p, onDelta)
		if fault == nil {
			res.Notes = append(append(notes, p.notes(req)...), res.Notes...)
			return res, nil
		}
		if err := ctx.Err(); err != nil && !errors.Is(context.Cause(ctx), errTimeout) {
			return model.Response{}, err
		}
		if next, ok := p.lesser(fault); ok {
			p = next
			c.learn(key, p)
			try--
			continue
		}
		if try >= c.o.Tries || !retryable(fault.Fault) {
			if try > 1 {
				fault.Text = fmt.Sprintf("%s (gave up after %d tries)", fault.Text, try)
			}
			return model.Response{}, fault.Fault
		}
		d := c.backoff(try, fault.retryAfter)
		note := fmt.Sprintf("try %d: %s; next try after %s", try, fault.Text, d.Round(time.Millisecond))
		notes = append(notes, note)
		if onDelta != nil {
			onDelta(model.Delta{Restart: true, Note: note})
		}
		if err := c.o.Wait(ctx, d); err != nil {
			if errors.Is(context.Cause(ctx), errTimeout) {
				return model.Response{}, &model.Fault{Kind: model.FaultTimeout, Text: timeoutText(req) + "; " + note, Err: fault.Fault}
			}
			return model.Response{}, err
		}
	}
}

// planFor is what to ask for: what was learned, or all that the request wants.
func (c *Client) planFor(key planKey, req model.Request) plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.plans[key]; ok && p.wanted == req.Params.JSONMode {
		return p
	}
	return newPlan(req)
}

func (c *Client) learn(key planKey, p plan) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.plans[key] = p
}

// backoff is how long to wait after the given try: what the endpoint asks for, or
// an exponential step with jitter.
func (c *Client) backoff(try int, retryAfter time.Duration) time.Duration {
	if retryAfter > 0 {
		return min(retryAfter, retryAfterMax)
	}
	d := min(backoffBase<<(try-1), backoffMax)
	return d/2 + time.Duration(c.o.Jitter()*float64(d/2))
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// once is one try.
func (c *Client) once(ctx context.Context, req model.Request, p plan, onDelta func(model.Delta)) (model.Response, *wireFault) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g := &guard{http: c.o.HTTP, stall: c.o.Stall, max: c.o.MaxBytes, cancel: cancel, body: func(b []byte) ([]byte, error) { return p.complete(req, b) }}
	defer g.stop()
	stream, err := c.api(g).CreateChatCompletionStream(ctx, wireRequest(req, p))
	if err != nil {
		return model.Response{}, c.classify(ctx, req, g, err)
	}
	defer stream.Close() //nolint:errcheck // the body is read or given up
	res, err := collect(stream, onDelta)
	if err != nil {
		return model.Response{}, c.classify(ctx, req, g, err)
	}
	return res, nil
}

// Models lists the models that the endpoint offers, by id.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g := &guard{http: c.o.HTTP, stall: c.o.Stall, max: c.o.MaxBytes, cancel: cancel, plain: true}
	defer g.stop()
	list, err := c.api(g).ListModels(ctx)
	if err != nil {
		return nil, c.classify(ctx, model.Request{}, g, err).Fault
	}
	ids := make([]string, 0, len(list.Models))
	for _, m := range list.Models {
		ids = append(ids, m.ID)
	}
	return ids, nil
}
