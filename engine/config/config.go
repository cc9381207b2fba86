// Package config is the configuration with its sources: defaults, config.yaml, the
// environment and flags, the later ones winning. Each value knows where it came from.
package config

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// ErrInvalid is the class of every configuration that cannot be used.
var ErrInvalid = errors.New("invalid configuration")

// Stages lists the stages that have settings of their own.
func Stages() []string { return []string{"planner", "executor", "verifier", "composer"} }

// Stage holds the model settings of one stage. Nil and zero mean the endpoint's default.
type Stage struct {
	Model       string
	Temperature *float64
	TopP        *float64
	Seed        *int
	MaxTokens   int
	Timeout     time.Duration // for a whole reply
	JSONMode    string        // off, object, schema
	// Extra are members of the request's body beyond the plain protocol, such as
	// enable_thinking; values are as in JSON.
	Extra map[string]any
}

// Price is what a model costs, per million tokens.
type Price struct{ Input, Output float64 }

// Config is what is in force.
type Config struct {
	BaseURL string // of the OpenAI-compatible endpoint; "" when none is configured
	Key     string // never printed
	Stages  map[string]Stage
	Prices  map[string]Price // by model name

	Contract  string // v1, v2
	Gate      string // off, warn, enforce
	Malformed string // cap, verifier
	Retries   int
	Composer  bool

	MaxRounds int // model turns of one Executor run
	MaxCalls  int // tool calls of one Executor run
	MaxTokens int // tokens of one Executor run; 0 means no bound

	Severities map[string]string // gate code to block, warn, info
	Masks      []string          // regular expressions of secrets

	Sessions string // folder of session files
	Prompts  string // folder that overrides prompts, or ""

	from map[string]string // setting to its source
}

// Setting is one value in force, for people.
type Setting struct {
	Name  string
	Value string // a key is masked
	From  string // "default", "config.yaml:12", "environment NAME", "flag --name"
}

// def is one setting: its name in config.yaml, where else it may come from, and how
// it is read and shown.
type def struct {
	name string
	env  string
	set  func(c *Config, value string) error
	get  func(c *Config) string
}

// defs lists the settings with fixed names, in the order of doctor's list.
func defs() []def {
	list := []def{
		{"base_url", "OPENAI_BASE_URL", setURL, func(c *Config) string { return c.BaseURL }},
		{"api_key", "OPENAI_API_KEY", func(c *Config, v string) error { c.Key = v; return nil }, func(c *Config) string { return maskKey(c.Key) }},
		{"model", "CLAIMSCOPE_MODEL", setModel, func(c *Config) string { return c.Stages["executor"].Model }},
		choice("contract", "CLAIMSCOPE_CONTRACT", func(c *Config) *string { return &c.Contract }, "v1", "v2"),
		choice("gate", "CLAIMSCOPE_GATE", func(c *Config) *string { return &c.Gate }, "off", "warn", "enforce"),
		choice("malformed_policy", "", func(c *Config) *string { return &c.Malformed }, "cap", "verifier"),
		count("retries", func(c *Config) *int { return &c.Retries }, 10),
		{"composer", "", setComposer, func(c *Config) string { return strconv.FormatBool(c.Composer) }},
		count("limits.rounds", func(c *Config) *int { return &c.MaxRounds }, 200),
		count("limits.calls", func(c *Config) *int { return &c.MaxCalls }, 1000),
		count("limits.tokens", func(c *Config) *int { return &c.MaxTokens }, 1_000_000_000),
		{"sessions", "CLAIMSCOPE_SESSIONS", setDir(func(c *Config) *string { return &c.Sessions }), func(c *Config) string { return c.Sessions }},
		{"prompts", "CLAIMSCOPE_PROMPTS", setDir(func(c *Config) *string { return &c.Prompts }), func(c *Config) string { return c.Prompts }},
	}
	for _, stage := range Stages() {
		list = append(list, stageDefs(stage)...)
	}
	return list
}

func stageDefs(stage string) []def {
	on := func(name string, set func(s *Stage, v string) error, get func(s Stage) string) def {
		return def{
			name: stage + "." + name,
			set: func(c *Config, v string) error {
				s := c.Stages[stage]
				if err := set(&s, v); err != nil {
					return err
				}
				c.Stages[stage] = s
				return nil
			},
			get: func(c *Config) string { return get(c.Stages[stage]) },
		}
	}
	return []def{
		on("model", func(s *Stage, v string) error { s.Model = v; return nil }, func(s Stage) string { return s.Model }),
		on("temperature", func(s *Stage, v string) error { return setFloat(&s.Temperature, v, 0, 2) }, func(s Stage) string { return showFloat(s.Temperature) }),
		on("top_p", func(s *Stage, v string) error { return setFloat(&s.TopP, v, 0, 1) }, func(s Stage) string { return showFloat(s.TopP) }),
		on("seed", setSeed, showSeed),
		on("max_tokens", func(s *Stage, v string) error { return setCount(&s.MaxTokens, v, 10_000_000) }, func(s Stage) string { return showCount(s.MaxTokens) }),
		on("timeout", setTimeout, func(s Stage) string { return s.Timeout.String() }),
		on("json_mode", func(s *Stage, v string) error { return setJSONMode(s, stage, v) }, func(s Stage) string { return s.JSONMode }),
		on("extra", setExtra, showExtra),
	}
}

// Default is what is in force when nothing is configured. Sessions lie in the folder
// that the XDG base directory specification gives for state.
func Default(getenv func(string) string) Config {
	zero := 0.0
	c := Config{
		Contract: "v2", Gate: "enforce", Malformed: "cap", Retries: 1,
		MaxRounds: 12, MaxCalls: 40, MaxTokens: 400_000,
		Stages: map[string]Stage{}, Prices: map[string]Price{}, Severities: map[string]string{},
		from: map[string]string{},
	}
	for _, s := range Stages() {
		c.Stages[s] = Stage{Temperature: &zero, Timeout: 5 * time.Minute, JSONMode: "off"}
	}
	if dir := xdg(getenv, "XDG_STATE_HOME", ".local/state"); dir != "" {
		c.Sessions = filepath.Join(dir, "claimscope", "sessions")
	}
	return c
}

// Path is where config.yaml lies, or "" without a home.
func Path(getenv func(string) string) string {
	if dir := xdg(getenv, "XDG_CONFIG_HOME", ".config"); dir != "" {
		return filepath.Join(dir, "claimscope", "config.yaml")
	}
	return ""
}

func xdg(getenv func(string) string, name, below string) string {
	if dir := getenv(name); filepath.IsAbs(dir) {
		return dir
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, below)
	}
	return ""
}

// Load gives the configuration in force: defaults, then the file (nil when there is
// none; name is for messages), then the environment, then flags (setting to value).
// An error is an ErrInvalid that names the source and the setting.
func Load(name string, file []byte, getenv func(string) string, flags map[string]string) (Config, error) {
	c := Default(getenv)
	if file != nil {
		if err := c.readFile(name, file); err != nil {
			return c, err
		}
	}
	for _, d := range defs() {
		if d.env == "" {
			continue
		}
		if v := getenv(d.env); v != "" {
			if err := c.apply(d, v, "environment "+d.env); err != nil {
				return c, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		d, ok := find(name)
		if !ok {
			return c, fmt.Errorf("%w: no setting %q", ErrInvalid, name)
		}
		flag := "flag --" + strings.ReplaceAll(name, "_", "-")
		if strings.Contains(name, ".") {
			flag = "flag --set " + name
		}
		if err := c.apply(d, flags[name], flag); err != nil {
			return c, err
		}
	}
	c.fillModels()
	return c, nil
}

// fillModels lets the Executor's model stand for stages that have none.
func (c *Config) fillModels() {
	executor := c.Stages["executor"].Model
	for _, name := range Stages() {
		if s := c.Stages[name]; s.Model == "" && executor != "" {
			s.Model = executor
			c.Stages[name], c.from[name+".model"] = s, "executor.model"
		}
	}
}

func find(name string) (def, bool) {
	list := defs()
	i := slices.IndexFunc(list, func(d def) bool { return d.name == name })
	if i < 0 {
		return def{}, false
	}
	return list[i], true
}

func (c *Config) apply(d def, value, from string) error {
	if err := d.set(c, value); err != nil {
		return fmt.Errorf("%w: %s: %s: %w", ErrInvalid, from, d.name, err)
	}
	c.from[d.name] = from
	if d.name == "model" { // it stands for every stage that has none of its own
		for _, s := range Stages() {
			if c.from[s+".model"] == "" || outranks(from, c.from[s+".model"]) {
				c.from[s+".model"] = from
			}
		}
	}
	return nil
}

// outranks reports whether a source wins over another one.
func outranks(a, b string) bool { return rank(a) > rank(b) }

func rank(from string) int {
	switch {
	case strings.HasPrefix(from, "flag "):
		return 2
	case strings.HasPrefix(from, "environment "):
		return 1
	}
	return 0
}

// Settings lists what is in force and where each value came from, the key masked.
func (c *Config) Settings() []Setting {
	var out []Setting
	for _, d := range defs() {
		out = append(out, Setting{Name: d.name, Value: d.get(c), From: c.source(d.name)})
	}
	for _, m := range slices.Sorted(maps.Keys(c.Prices)) {
		p := c.Prices[m]
		out = append(out, Setting{"prices." + m, fmt.Sprintf("input %g, output %g per million tokens", p.Input, p.Output), c.source("prices." + m)})
	}
	codes := slices.Collect(maps.Keys(c.Severities))
	sort.Strings(codes)
	for _, code := range codes {
		out = append(out, Setting{"severities." + code, c.Severities[code], c.source("severities." + code)})
	}
	if len(c.Masks) > 0 {
		out = append(out, Setting{"masks", fmt.Sprintf("%d patterns", len(c.Masks)), c.source("masks")})
	}
	return out
}

func (c *Config) source(name string) string {
	if f := c.from[name]; f != "" {
		return f
	}
	return "default"
}

// Set reports whether a setting was given anywhere, rather than left at its default.
func (c *Config) Set(name string) bool { return c.from[name] != "" }

// Live reports whether an endpoint is configured: an address, or a key with a model
// for the public one. A key alone, which many environments hold for other programs,
// sends nothing anywhere.
func (c *Config) Live() bool {
	return c.BaseURL != "" || c.Key != "" && c.Stages["executor"].Model != ""
}

// Endpoint is the address in force, with the public one as the default.
func (c *Config) Endpoint() string {
	if c.BaseURL == "" {
		return "https://api.openai.com/v1"
	}
	return c.BaseURL
}

// Cost is the price of tokens of a model, 0 when it is not known. Endpoints answer
// with a name of their own, such as a dated one: what was asked for counts first.
func (c *Config) Cost(asked, answered string, prompt, completion int) float64 {
	p, ok := c.Prices[asked]
	if !ok {
		p = c.Prices[answered]
	}
	return (float64(prompt)*p.Input + float64(completion)*p.Output) / 1e6
}

func maskKey(key string) string {
	if key == "" {
		return ""
	}
	return "set (" + strconv.Itoa(len(key)) + " characters)"
}
