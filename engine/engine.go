// Package engine is the façade: what the console and the headless commands may ask
// of the engine, and nothing else.
package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"claimscope/engine/config"
	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/model/openai"
	"claimscope/engine/model/replay"
	"claimscope/engine/redact"
	"claimscope/engine/session"
	"claimscope/engine/stage/executor"
	"claimscope/engine/tool/incident"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// Version is the version of the program, set when it is built.
var Version = "dev"

// Environment is what an Engine needs from outside.
type Environment struct {
	Getenv  func(string) string
	Flags   map[string]string // settings given as flags, by their names in config.yaml
	Bundled fs.FS             // incidents/ and recordings/ as shipped
	Now     func() time.Time
	Random  io.Reader // for session ids
	// TokensPerSecond paces replayed replies; 0 gives them at once.
	TokensPerSecond float64
	// Client is how connections to the endpoint are made, bounded and waited for; the
	// address and the key come from the configuration.
	Client openai.Options
}

// Engine is the façade's root: configuration, sessions, incidents and runs. It is
// safe for concurrent use.
type Engine struct {
	env    Environment
	config config.Config
	store  *session.Store
	runner *Runner
	mask   *redact.Redactor

	mu    sync.Mutex
	found *Runner // with the endpoint's only model, once it was asked
}

// Open reads the configuration and the prompts. It opens no connection and writes
// nothing. Errors name the source and the setting.
func Open(env Environment) (*Engine, error) {
	name := config.Path(env.Getenv)
	var file []byte
	if name != "" {
		data, err := os.ReadFile(name)
		switch {
		case err == nil:
			file = data
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR): // none, or a home that is no folder
		default:
			return nil, fmt.Errorf("%w: %w", config.ErrInvalid, err)
		}
	}
	cfg, err := config.Load(name, file, env.Getenv, env.Flags)
	if err != nil {
		return nil, err
	}
	set, err := prompts.Load(cfg.Prompts)
	if err != nil {
		return nil, err
	}
	masks := slices.Clone(cfg.Masks)
	if len(cfg.Key) >= openai.ShortestKey { // of any form, wherever it turns up
		masks = append(masks, regexp.QuoteMeta(cfg.Key))
	}
	mask, err := redact.New(masks...)
	if err != nil {
		return nil, fmt.Errorf("%w: masks: %w", config.ErrInvalid, err)
	}
	e := &Engine{
		env: env, config: cfg, mask: mask,
		store: session.NewStore(cfg.Sessions, session.Options{Now: env.Now, Random: env.Random, Bundled: env.Bundled}),
	}
	e.runner = NewRunner(e.options(set))
	return e, nil
}

// options are what the configuration means for every run.
func (e *Engine) options(set *prompts.Set) Options {
	o := Options{
		Store: e.store, Prompts: set, Params: e.params(), Composer: e.config.Composer, Version: e.version(),
		Policy: verdict.Policy{
			Gate: verdict.GateMode(e.config.Gate), Malformed: verdict.MalformedPolicy(e.config.Malformed), Retries: e.config.Retries,
		},
		Limits: executor.DefaultLimits(),
		Gate:   func(in gate.Input) gate.Report { return gate.Verify(in, e.gatePolicy()) },
		Schema: contract.Schema,
		Cost: func(asked, answered string, u model.Usage) float64 {
			return e.config.Cost(asked, answered, u.PromptTokens, u.CompletionTokens)
		},
		Clock: e.env.Now, Program: Version,
		Speed: replay.Speed{TokensPerSecond: e.env.TokensPerSecond},
	}
	if o.Speed.TokensPerSecond > 0 {
		o.Speed.FirstToken = 300 * time.Millisecond // as live models have one
	}
	o.Limits.Rounds, o.Limits.Calls, o.Limits.Tokens = e.config.MaxRounds, e.config.MaxCalls, e.config.MaxTokens
	if e.config.Live() {
		o.Model = e.client()
	}
	return o
}

// params are the model parameters by stage; the Composer's go under the answer stage.
func (e *Engine) params() map[event.Stage]model.Params {
	out := map[event.Stage]model.Params{}
	for name, stage := range map[string]event.Stage{"planner": event.Planner, "executor": event.Executor, "verifier": event.Verifier, "composer": event.Answer} {
		s := e.config.Stages[name]
		out[stage] = model.Params{
			Model: s.Model, Temperature: s.Temperature, TopP: s.TopP, Seed: s.Seed, MaxTokens: s.MaxTokens,
			JSONMode: model.JSONMode(s.JSONMode), TimeoutMS: s.Timeout.Milliseconds(), Extra: s.ExtraJSON(),
		}
	}
	return out
}

// version is the contract version that is asked of the Executor.
func (e *Engine) version() contract.Version {
	if e.config.Contract == "v1" {
		return contract.V1
	}
	return contract.V2
}

// Config is what is in force.
func (e *Engine) Config() config.Config { return e.config }

// Sessions is the store.
func (e *Engine) Sessions() *session.Store { return e.store }

// gatePolicy is the gate's policy from the configuration.
func (e *Engine) gatePolicy() gate.Policy {
	p := gate.Policy{Severities: map[gate.Code]gate.Severity{}}
	for code, severity := range e.config.Severities {
		p.Severities[gate.Code(code)] = gate.Severity(severity)
	}
	return p
}

// incidentsDir is where the bundled files keep incident folders.
const incidentsDir = "incidents"

// Incidents lists the bundled incidents, in name order.
func (e *Engine) Incidents() ([]*incident.Incident, error) {
	entries, err := fs.ReadDir(e.env.Bundled, incidentsDir)
	if err != nil {
		return nil, fmt.Errorf("bundled incidents: %w", err)
	}
	var out []*incident.Incident
	for _, d := range entries {
		inc, err := e.Incident(d.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, inc)
	}
	return out, nil
}

// Incident loads an incident: a bundled one by name, or a folder.
func (e *Engine) Incident(name string) (*incident.Incident, error) {
	if fs.ValidPath(name) && !strings.Contains(name, "/") {
		if sub, err := fs.Sub(e.env.Bundled, path.Join(incidentsDir, name)); err == nil {
			if _, err := fs.Stat(sub, incident.FileName); err == nil {
				return incident.Load(name, sub)
			}
		}
	}
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w %s: no bundled incident and no folder of that name (bundled: %s)", incident.ErrInvalid, name, strings.Join(e.incidentNames(), ", "))
	}
	return incident.Load(name, os.DirFS(name))
}

func (e *Engine) incidentNames() []string {
	entries, err := fs.ReadDir(e.env.Bundled, incidentsDir)
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, d := range entries {
		names[i] = d.Name()
	}
	return names
}

type (
	// Entry is a session in a list.
	Entry = session.Entry
	// Recording is a session as read.
	Recording = session.Recording
)

// List lists every session, newest first; see session.Store.List.
func (e *Engine) List() ([]Entry, error) { return e.store.List() }

// Newest lists the newest sessions, and says how many more there are; see
// session.Store.Newest.
func (e *Engine) Newest(n int) (newest []Entry, more int, err error) { return e.store.Newest(n) }

// Check says why a session cannot be opened; see session.Store.Check.
func (e *Engine) Check(name string) error { return e.store.Check(name) }

// Open reads a session whole; see session.Store.Open.
func (e *Engine) Open(name string) (*Recording, error) { return e.store.Open(name) }

// Review appends a person's word to a session; see session.Store.Review.
func (e *Engine) Review(name string, r event.Reviewed) (id string, err error) {
	return e.store.Review(name, r)
}

// ErrInvalidIncident is the class of every incident folder that cannot be used.
var ErrInvalidIncident = incident.ErrInvalid
