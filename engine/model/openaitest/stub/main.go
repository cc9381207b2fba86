// Command stub is an OpenAI-compatible endpoint to try claimscope by hand: it answers
// with the model replies of a bundled recording, in order, over the real wire format,
// and misbehaves on demand. It is no model: it never reads the question.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"claimscope/engine/model"
	"claimscope/engine/model/openaitest"
	"claimscope/engine/session"
	"claimscope/sessions"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "stub:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("stub", flag.ContinueOnError)
	addr := fs.String("addr", "127.0.0.1:18080", "address to listen on")
	recording := fs.String("recording", "bundled-payment-pool-pass", "session whose model replies answer")
	pace := fs.Duration("pace", 20*time.Millisecond, "wait between the pieces of a stream")
	fault := fs.String("fault", "", "how to misbehave: an HTTP status such as 429, or one of "+faultNames()+"; with @N only the N-th request of a run does")
	retryAfter := fs.String("retry-after", "", "Retry-After header of an HTTP status fault")
	models := fs.String("models", "stub", "models to offer, separated by commas")
	if err := fs.Parse(args); err != nil {
		return err
	}
	replies, err := repliesOf(*recording)
	if err != nil {
		return err
	}
	script, err := withFault(replies, *fault, *retryAfter)
	if err != nil {
		return err
	}
	server := openaitest.New(script...)
	server.Loop, server.Pace, server.Begins, server.Models = true, *pace, begins, strings.Split(*models, ",")
	return serve(ctx, *addr, logged(server))
}

// repliesOf lists the model replies of a session in the order they came.
func repliesOf(name string) ([]openaitest.Reply, error) {
	store := session.NewStore("", session.Options{Now: time.Now, Bundled: sessions.FS()})
	rec, err := store.Open(name)
	if err != nil {
		return nil, err
	}
	var out []openaitest.Reply
	for _, r := range rec.Replies() {
		if r.Fault == nil {
			out = append(out, openaitest.Reply{Response: r.Response})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("session %s holds no model reply", name)
	}
	return out, nil
}

func faultNames() string {
	var names []string
	for _, f := range openaitest.Faults() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// withFault puts the fault in front of the N-th reply, or in place of all.
func withFault(replies []openaitest.Reply, fault, retryAfter string) ([]openaitest.Reply, error) {
	if fault == "" {
		return replies, nil
	}
	kind, at, once := strings.Cut(fault, "@")
	bad := openaitest.Reply{Fault: openaitest.Fault(kind)}
	if status, err := strconv.Atoi(kind); err == nil && status >= 400 && status <= 599 {
		bad = openaitest.Reply{Fault: openaitest.StatusFault, Status: status, Body: fmt.Sprintf(`{"error":{"message":"a fault on demand: %s"}}`, http.StatusText(status))}
		if retryAfter != "" {
			bad.Header = map[string]string{"Retry-After": retryAfter}
		}
	} else if !openaitest.IsFault(kind) {
		return nil, fmt.Errorf("no fault %q; an HTTP status, or one of %s", kind, faultNames())
	}
	if !once {
		return []openaitest.Reply{bad}, nil
	}
	n, err := strconv.Atoi(at)
	if err != nil || n < 1 || n > len(replies) {
		return nil, fmt.Errorf("fault %q: want @1 to @%d", fault, len(replies))
	}
	return append(append(append([]openaitest.Reply{}, replies[:n-1]...), bad), replies[n-1:]...), nil
}

// begins tells the first request of a run, so that one that was broken off leaves no
// replies behind: the Planner gets no tools, and its question is no JSON.
func begins(body []byte) bool {
	var req struct {
		Messages []struct {
			Role    model.Role `json:"role"`
			Content string     `json:"content"`
		} `json:"messages"`
		Tools []json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(body, &req) != nil || len(req.Tools) > 0 || len(req.Messages) != 2 {
		return false
	}
	return !strings.HasPrefix(strings.TrimSpace(req.Messages[1].Content), "{")
}

// logged tells each request in a line.
func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Printf("%s %s %s\n", time.Now().Format("15:04:05.000"), r.Method, r.URL.Path)
		next.ServeHTTP(w, r)
	})
}

func serve(ctx context.Context, addr string, handler http.Handler) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	var hint bytes.Buffer
	fmt.Fprintf(&hint, "listening; in another terminal:\n  OPENAI_BASE_URL=http://%s/v1 OPENAI_API_KEY=x .bin/claimscope run --incident payment-pool\n", listener.Addr())
	fmt.Fprintf(&hint, "  OPENAI_BASE_URL=http://%s/v1 OPENAI_API_KEY=x .bin/claimscope\nctrl+c ends it\n", listener.Addr())
	if _, err := os.Stdout.Write(hint.Bytes()); err != nil {
		return err
	}
	srv := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	stopped := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stopped()
	if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
