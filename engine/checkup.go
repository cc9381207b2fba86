package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"claimscope/engine/model"
	"claimscope/engine/model/openai"
	"claimscope/engine/session"
	"claimscope/engine/tool"
	"claimscope/engine/tool/incident"
)

// Check is one line of a checkup.
type Check struct {
	What   Note
	Detail string
	Note   string // why nothing was checked
	Err    error
}

// Checkup looks at what is configured: the folders, the bundled incidents, and, where
// one is configured, the endpoint: its models and a reply of one token.
func (e *Engine) Checkup(ctx context.Context) []Check {
	checks := []Check{e.checkFolder(), e.checkBundled()}
	if !e.config.Live() {
		why := "not configured: set OPENAI_BASE_URL (or OPENAI_API_KEY and CLAIMSCOPE_MODEL); recorded sessions work without"
		if e.config.Key != "" {
			why = "a key is set and no model: set CLAIMSCOPE_MODEL (or OPENAI_BASE_URL); until then nothing is sent anywhere"
		}
		return append(checks, Check{What: Note{"模型端点", "endpoint"}, Note: why})
	}
	return append(checks, e.checkEndpoint(ctx)...)
}

// checkEndpoint asks for the models and for a reply of one token.
func (e *Engine) checkEndpoint(ctx context.Context) []Check {
	o := e.env.Client
	o.BaseURL, o.Key, o.Tries = e.config.Endpoint(), e.config.Key, 1
	client := openai.New(o)
	ids, err := client.Models(ctx)
	list := Check{What: Note{"端点的模型", "models of the endpoint"}, Detail: offered(ids), Err: err}
	call := Check{What: Note{"一次最短的请求", "a call of one token"}}
	name := e.config.Stages["executor"].Model
	switch {
	case name == "" && len(ids) == 1:
		name = ids[0]
		list.Note = "; none is configured: the only one is taken"
	case name == "" && err != nil:
		call.Note = "not tried: no model is configured, and none is known"
		return []Check{list, call}
	case name == "":
		call.Err = fmt.Errorf("%w: set CLAIMSCOPE_MODEL", ErrNoModel)
		return []Check{list, call}
	case err == nil && !slices.Contains(ids, name):
		list.Note = fmt.Sprintf("; %q is not among them", name)
	}
	began := e.env.Now()
	res, err := client.Chat(ctx, model.Request{
		Params: model.Params{Model: name, MaxTokens: 1}, Messages: []model.Message{{Role: model.User, Content: "1"}},
	}, nil)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer after %s", e.env.Now().Sub(began).Round(time.Second))
	}
	call.Err = err
	call.Detail = fmt.Sprintf("%s answered in %d ms, %d tokens", res.Model, e.env.Now().Sub(began).Milliseconds(), res.Usage.Total())
	return []Check{list, call}
}

// checkFolder tries whether sessions can be saved, and leaves nothing behind.
func (e *Engine) checkFolder() Check {
	c := Check{What: Note{"会话目录", "folder of sessions"}, Detail: e.config.Sessions}
	if e.config.Sessions == "" {
		c.Err = fmt.Errorf("none: HOME is not set; sessions live in memory")
		return c
	}
	dir := e.config.Sessions
	for { // the nearest folder that exists decides
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	f, err := os.CreateTemp(dir, ".claimscope-check-*")
	if err != nil {
		c.Err = fmt.Errorf("%s cannot be written; sessions live in memory", e.config.Sessions)
		return c
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	return c
}

func (e *Engine) checkBundled() Check {
	incidents, err := e.Incidents()
	return Check{What: Note{"内置故障", "bundled incidents"}, Detail: fmt.Sprintf("%d", len(incidents)), Err: err}
}

// CheckIncident validates an incident folder by reading all of it, and says in one
// line each what is there. Errors are ErrInvalidIncident.
func CheckIncident(ctx context.Context, dir string) ([]Note, error) {
	folder := os.DirFS(dir)
	inc, err := incident.Load(filepath.Base(dir), folder)
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf("%s: %s (%s – %s)", incident.FileName, inc.Title, inc.Window.Start.Format("2006-01-02 15:04:05Z07:00"), inc.Window.End.Format("15:04:05Z07:00"))
	lines := []Note{{head, head}}
	for _, part := range []struct{ dir, tool, args string }{
		{"logs", "query_logs", `{"limit":1}`}, {"metrics", "query_metrics", `{"promql":"count({__name__!=\"\"})"}`}, {"knowledge", "lookup_knowledge", `{"query":"a","top_k":1}`},
	} {
		sub, err := fs.Sub(folder, part.dir)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalidIncident, err)
		}
		names, err := tool.Files(sub)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrInvalidIncident, part.dir, err)
		}
		for _, t := range inc.Tools() {
			if t.Spec().Name != part.tool {
				continue
			}
			if _, err := t.Call(ctx, []byte(part.args)); err != nil {
				return nil, fmt.Errorf("%w: %s: %w", ErrInvalidIncident, part.dir, err)
			}
		}
		lines = append(lines, Note{fmt.Sprintf("%s：%d 个文件", part.dir, len(names)), fmt.Sprintf("%s: %d files", part.dir, len(names))})
	}
	return lines, nil
}

// ImportRequest says where an imported file comes from.
type ImportRequest struct {
	Name   string // of the file, for errors
	Format string // case or snapshot; "" to find it out
	Traces fs.FS  // raw outputs named by trace ref; nil for none
}

// Import brings a session in from elsewhere and saves it. Unsaved says why it lives in
// memory only, or is "". Errors are *session.ImportError, or about the format.
func (e *Engine) Import(data []byte, req ImportRequest) (id, unsaved string, err error) {
	format := detect(data)
	if req.Format != "" {
		if format, err = session.ParseFormat(req.Format); err != nil {
			return "", "", &session.ImportError{File: req.Name, Err: err}
		}
	}
	rec, err := session.Import(data, session.ImportOptions{
		Name: req.Name, Format: format, Traces: req.Traces, Redact: e.mask, Gate: e.gatePolicy(), Policy: e.runner.o.Policy, Program: Version, Now: e.env.Now(),
	})
	if err != nil {
		return "", "", err
	}
	log, err := e.store.Save(rec)
	if err != nil {
		return "", "", err
	}
	if is, why := log.Unsaved(); is {
		unsaved = why
	}
	return log.Header().ID, unsaved, log.Close()
}
