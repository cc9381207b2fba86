package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"
)

var (
	errTimeout  = errors.New("the whole reply took too long")
	errStalled  = errors.New("the stream stood still")
	errTooLarge = errors.New("the reply outgrew its bound")
	errRequest  = errors.New("the request could not be written")
	errNotUTF8  = errors.New("the reply holds bytes that are not UTF-8")
)

// contentTypeError is a success status with something that is no reply.
type contentTypeError struct{ got, head string }

func (e *contentTypeError) Error() string {
	return fmt.Sprintf("got %s instead of a chat completion stream: %s", e.got, e.head)
}

// guard is the HTTP client of one request. It bounds the reply's size and its
// pauses, refuses what is no event stream, and keeps Retry-After.
type guard struct {
	http   *http.Client
	stall  time.Duration
	max    int64
	cancel context.CancelCauseFunc
	plain  bool // a plain JSON reply is expected
	// body completes the request's body; nil leaves it as it is.
	body func([]byte) ([]byte, error)

	mu         sync.Mutex
	timer      *time.Timer
	retryAfter time.Duration
}

// stop ends the stall timer.
func (g *guard) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.timer != nil {
		g.timer.Stop()
	}
}

// moved restarts the stall timer.
func (g *guard) moved() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.timer == nil {
		g.timer = time.AfterFunc(g.stall, func() { g.cancel(errStalled) })
		return
	}
	g.timer.Reset(g.stall)
}

// Do sends the request.
func (g *guard) Do(req *http.Request) (*http.Response, error) {
	if err := g.rewrite(req); err != nil {
		return nil, err
	}
	g.moved()
	resp, err := g.http.Do(req)
	if err != nil {
		return nil, err
	}
	g.moved()
	g.retryAfter = retryAfter(resp.Header, time.Now())
	resp.Body = &guardedBody{ReadCloser: resp.Body, g: g}
	if resp.StatusCode == http.StatusOK && !g.plain {
		if err := checkContentType(resp); err != nil {
			_ = resp.Body.Close()
			return nil, err
		}
	}
	return resp, nil
}

// rewrite gives the request its completed body.
func (g *guard) rewrite(req *http.Request) error {
	if g.body == nil || req.Body == nil {
		return nil
	}
	raw, err := io.ReadAll(req.Body)
	if err == nil {
		raw, err = g.body(raw)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errRequest, err)
	}
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return nil
}

// checkContentType refuses a success that is no event stream, and quotes its head.
func checkContentType(resp *http.Response) error {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err == nil && kind == "text/event-stream" {
		return nil
	}
	head := make([]byte, 4096)
	n, _ := io.ReadFull(resp.Body, head)
	head = head[:n]
	// Some small servers stream without saying so.
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("data:")) {
		resp.Body = &rejoined{Reader: io.MultiReader(bytes.NewReader(head), resp.Body), Closer: resp.Body}
		return nil
	}
	if kind == "" {
		kind = "an unnamed content type"
	}
	return &contentTypeError{got: kind, head: excerpt(head)}
}

type rejoined struct {
	io.Reader
	io.Closer
}

// retryAfter reads Retry-After (RFC 9110 section 10.2.3: seconds or an HTTP date),
// or the milliseconds that some endpoints send; 0 when there is none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(t.Sub(now), 0)
	}
	return 0
}

// guardedBody bounds a reply as it is read.
type guardedBody struct {
	io.ReadCloser
	g    *guard
	read int64
	rest []byte // the start of a rune whose end has not come yet
}

func (b *guardedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.g.moved()
		b.read += int64(n)
		if b.read > b.g.max {
			return 0, errTooLarge
		}
		if !b.valid(p[:n]) {
			return 0, errNotUTF8
		}
	}
	return n, err
}

// valid checks that the bytes so far are UTF-8, a rune cut by the end of a read aside.
func (b *guardedBody) valid(p []byte) bool {
	if len(b.rest) > 0 {
		p = append(b.rest, p...)
		b.rest = nil
	}
	for i := len(p) - 1; i >= 0 && i >= len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				b.rest = bytes.Clone(p[i:])
				p = p[:i]
			}
			break
		}
	}
	return utf8.Valid(p)
}
