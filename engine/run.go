package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"claimscope/engine/event"
	"claimscope/engine/model/replay"
	"claimscope/engine/session"
	"claimscope/engine/tool"
	"claimscope/engine/tool/incident"
	"claimscope/engine/verdict"
)

// incidentTools begins the name of a session's tools that read an incident folder.
const incidentTools = "incident:"

// ErrNothingToRun says that a run was asked for that nothing can answer.
var ErrNothingToRun = errors.New("nothing to run")

// Request says what to run.
type Request struct {
	Incident string // bundled name or folder; "" means the recording's, or the first bundled one
	Query    string // "" means the incident's
	Replay   string // session whose recorded replies answer; "" for live, or the bundled recording
	Resume   string // interrupted session to go on with, in its own file
	Like     string // session whose incident to run on, instead of Incident
	Debug
}

// Note is one line for a person, in both languages.
type Note struct{ ZH, EN string }

// Run begins a run. Model replies come from the named recording; else from the
// endpoint, where one is configured; else from the bundled recording of the incident.
// The notes say what was chosen. The run ends by itself or with ctx.
func (e *Engine) Run(ctx context.Context, req Request) (*Run, []Note, error) {
	if req.Resume != "" {
		return e.resume(ctx, req)
	}
	if req.Replay != "" {
		return e.replay(ctx, req, req.Replay, nil)
	}
	if req.Like != "" {
		var err error
		if req.Incident, err = e.incidentOf(req.Like); err != nil {
			return nil, nil, err
		}
	}
	if req.Incident == "" {
		req.Incident = defaultIncident(e.incidentNames())
	}
	if e.runner.Live() {
		return e.live(ctx, req)
	}
	id, err := e.bundledFor(req.Incident)
	if err != nil {
		return nil, nil, err
	}
	return e.replay(ctx, req, id, []Note{e.notLive(id)})
}

// defaultIncident is the incident that a run takes when none is named.
func defaultIncident(names []string) string {
	const preferred = "payment-pool"
	if slices.Contains(names, preferred) || len(names) == 0 {
		return preferred
	}
	return names[0]
}

// bundledFor finds the bundled recording of an incident, one that passed if there is.
func (e *Engine) bundledFor(name string) (string, error) {
	entries, err := e.store.List()
	if err != nil {
		return "", err
	}
	found := ""
	for _, s := range entries {
		if !s.Bundled || s.Err != nil || found != "" && s.Decision != verdict.Pass {
			continue
		}
		rec, err := e.store.Open(s.ID)
		if err != nil {
			return "", err
		}
		if rec.Header.Tools == incidentTools+name {
			found = s.ID
		}
	}
	if found == "" {
		return "", fmt.Errorf("%w: no endpoint is configured and no bundled recording of incident %q exists; set OPENAI_BASE_URL and CLAIMSCOPE_MODEL, or name a session with --replay", ErrNothingToRun, name)
	}
	return found, nil
}

// replay runs on the replies of a recording. Its tools answer from the recording too,
// so that the outcome is the same wherever it runs (spec E5).
func (e *Engine) replay(ctx context.Context, req Request, id string, notes []Note) (*Run, []Note, error) {
	rec, err := e.store.Open(id)
	if err != nil {
		return nil, nil, err
	}
	if req.Incident != "" && rec.Header.Tools != incidentTools+req.Incident {
		return nil, nil, fmt.Errorf("%w: session %s was not recorded on incident %q but on %q", ErrNothingToRun, rec.Header.ID, req.Incident, rec.Header.Tools)
	}
	query := e.mask.String(cmp.Or(req.Query, rec.Header.Query))
	if query != rec.Header.Query {
		notes = append(notes, Note{
			ZH: "问题与录制时不同，但模型回复来自录制，不会随之改变",
			EN: "the query differs from the recorded one; the recorded replies do not change with it",
		})
	}
	notes = append(notes, e.replayKeeps(rec.Header)...)
	run, err := e.runner.Replay(ctx, id, req.Debug, func(h *event.Header) { h.Policy, h.Query = e.policyOver(h.Policy), query })
	return run, e.unsaved(run, notes), err
}

// replayKeeps says which settings recorded replies cannot follow.
func (e *Engine) replayKeeps(h event.Header) []Note {
	var notes []Note
	if e.config.Set("contract") && e.version() != h.ContractVersion {
		notes = append(notes, Note{
			ZH: fmt.Sprintf("录制的回复遵循 %s，contract 设置对它不起作用", h.ContractVersion),
			EN: fmt.Sprintf("the recorded replies follow %s; the setting contract changes nothing about them", h.ContractVersion),
		})
	}
	if e.config.Composer && !h.Composer {
		notes = append(notes, Note{
			ZH: "录制中没有 Composer 的回复，答案由程序生成",
			EN: "the recording has no reply of a Composer: the answer is rendered",
		})
	}
	return notes
}

// live runs against the configured endpoint with the incident's tools.
func (e *Engine) live(ctx context.Context, req Request) (*Run, []Note, error) {
	inc, err := e.Incident(req.Incident)
	if err != nil {
		return nil, nil, err
	}
	query := req.Query
	if query == "" {
		query = inc.Query
	}
	runner, notes, err := e.liveRunner(ctx)
	if err != nil {
		return nil, nil, err
	}
	run, err := runner.Start(ctx, Start{
		Query: e.mask.String(query), Title: e.mask.String(inc.Title), Tools: e.registry(inc), ToolsFrom: incidentTools + inc.Name, Now: inc.Window.End, Debug: req.Debug,
	})
	return run, e.unsaved(run, notes), err
}

// unsaved adds a note when the run's session lives in memory only.
func (e *Engine) unsaved(run *Run, notes []Note) []Note {
	if run == nil {
		return notes
	}
	if unsaved, why := run.Unsaved(); unsaved {
		notes = append(notes, Note{ZH: "会话未保存：" + why, EN: "the session is unsaved: " + why})
	}
	return notes
}

// policyOver is the recorded policy with what the configuration sets explicitly.
func (e *Engine) policyOver(p verdict.Policy) verdict.Policy {
	if e.config.Set("gate") {
		p.Gate = verdict.GateMode(e.config.Gate)
	}
	if e.config.Set("malformed_policy") {
		p.Malformed = verdict.MalformedPolicy(e.config.Malformed)
	}
	if e.config.Set("retries") {
		p.Retries = e.config.Retries
	}
	return p
}

// registry holds the incident's tools behind the edge that masks and bounds.
func (e *Engine) registry(inc *incident.Incident) *tool.Registry {
	return tool.NewRegistry(e.mask.Bytes, tool.DefaultLimits(), inc.Tools()...)
}

// resume takes up an interrupted session where it stands, in the same file: a replay on
// the recording that it replays, others live with the tools of their incident (spec E2).
func (e *Engine) resume(ctx context.Context, req Request) (*Run, []Note, error) {
	rec, err := e.store.Open(req.Resume)
	if err != nil {
		return nil, nil, err
	}
	runner, notes, err := e.liveRunner(ctx)
	if err != nil {
		return nil, nil, err
	}
	var tools Tools
	if !onRecording(rec.Header) {
		name, err := e.incidentOf(req.Resume)
		if err != nil {
			return nil, nil, err
		}
		inc, err := e.Incident(name)
		if err != nil {
			return nil, nil, err
		}
		tools = e.registry(inc)
	}
	run, err := runner.Resume(ctx, req.Resume, tools, req.Debug)
	return run, e.unsaved(run, notes), err
}

// Fork begins a re-run of a recorded session from a place in it. A live fork uses the
// tools of the session's incident.
func (e *Engine) Fork(ctx context.Context, f Fork) (*Run, error) {
	f, err := e.prepare(f)
	if err != nil {
		return nil, err
	}
	runner, _, err := e.liveRunner(ctx)
	if err != nil {
		return nil, err
	}
	return runner.Fork(ctx, f)
}

// Repeat runs a fork n times and counts what came of it; see Runner.Repeat.
func (e *Engine) Repeat(ctx context.Context, f Fork, n int, each func(i int, run *Run)) (Repeats, error) {
	f, err := e.prepare(f)
	if err != nil {
		return Repeats{}, err
	}
	runner, _, err := e.liveRunner(ctx)
	if err != nil {
		return Repeats{}, err
	}
	// Nobody reads along: recorded replies come at once.
	return runner.With(func(o *Options) { o.Speed = replay.Speed{} }).Repeat(ctx, f, n, each)
}

// prepare gives a fork what the configuration sets explicitly, and a live one the tools
// of its session's incident. What recorded replies cannot follow is left as it was.
func (e *Engine) prepare(f Fork) (Fork, error) {
	change := f.Change
	f.Change = func(h *event.Header) {
		h.Policy = e.policyOver(h.Policy)
		if e.runner.Live() {
			if e.config.Set("contract") && f.Mode != session.ForkVerifier {
				h.ContractVersion = e.version()
			}
			if e.config.Set("composer") {
				h.Composer = e.config.Composer
			}
		}
		if change != nil {
			change(h)
		}
	}
	if f.Mode != session.ForkLive || f.Tools != nil {
		return f, nil
	}
	name, err := e.incidentOf(f.Session)
	if err != nil {
		return f, fmt.Errorf("%w: %w", ErrNoTools, err)
	}
	inc, err := e.Incident(name)
	if err != nil {
		return f, err
	}
	f.Tools, f.ToolsFrom = e.registry(inc), incidentTools+inc.Name
	return f, nil
}

// incidentOf is the incident that a session ran on, or that the session did whose
// recording answered it.
func (e *Engine) incidentOf(session string) (string, error) {
	const recording, most = "recording:", 32 // forks of forks
	for range most {
		rec, err := e.store.Open(session)
		if err != nil {
			return "", err
		}
		if name, ok := strings.CutPrefix(rec.Header.Tools, incidentTools); ok {
			return name, nil
		}
		parent, ok := strings.CutPrefix(rec.Header.Tools, recording)
		if !ok {
			return "", fmt.Errorf("%w: session %s ran on no incident folder but on %q", ErrNothingToRun, rec.Header.ID, rec.Header.Tools)
		}
		session = parent
	}
	return "", fmt.Errorf("%w: session %s is too many forks away from an incident", ErrNothingToRun, session)
}
