package config_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/config"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{"HOME": filepath.FromSlash("/home/u")}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(k string) string { return m[k] }
}

const file = `# a comment
base_url: http://127.0.0.1:8000/v1
model: qwen-plus
gate: warn
executor:
  temperature: 0.7
  timeout: 90s
verifier:
  model: "deepseek-chat"
  json_mode: schema
prices:
  qwen2.5-72b: {input: 0.8, output: 2}
severities:
  B006: block
masks:
  - 'corp-[0-9]+'
limits:
  rounds: 5
`

func TestPrecedence(t *testing.T) {
	c, err := config.Load("config.yaml", []byte(file), env("CLAIMSCOPE_MODEL", "from-env", "CLAIMSCOPE_GATE", "off"), map[string]string{"gate": "enforce"})
	require.NoError(t, err)
	assert.Equal(t, "enforce", c.Gate)
	assert.Equal(t, "from-env", c.Stages["planner"].Model, "the environment wins over the file")
	assert.InDelta(t, 0.7, *c.Stages["executor"].Temperature, 0)
	assert.InDelta(t, 0, *c.Stages["planner"].Temperature, 0)
	assert.Equal(t, 90*time.Second, c.Stages["executor"].Timeout)
	assert.Equal(t, "schema", c.Stages["verifier"].JSONMode)
	assert.Equal(t, config.Price{Input: 0.8, Output: 2}, c.Prices["qwen2.5-72b"])
	assert.InDelta(t, 2.8, c.Cost("qwen2.5-72b", "", 1e6, 1e6), 1e-9)
	assert.InDelta(t, 0.8, c.Cost("alias", "qwen2.5-72b", 1e6, 0), 1e-9, "as answered")
	assert.InDelta(t, 0.8, c.Cost("qwen2.5-72b", "qwen2.5-72b-0919", 1e6, 0), 1e-9, "as asked")
	assert.Zero(t, c.Cost("other", "other", 1e6, 1e6))
	assert.Equal(t, "block", c.Severities["B006"])
	assert.Equal(t, []string{"corp-[0-9]+"}, c.Masks)
	assert.Equal(t, 5, c.MaxRounds)
	assert.True(t, c.Live())

	from := map[string]string{}
	for _, s := range c.Settings() {
		from[s.Name] = s.From
	}
	assert.Equal(t, "flag --gate", from["gate"])
	assert.Equal(t, "environment CLAIMSCOPE_MODEL", from["model"])
	assert.Equal(t, "config.yaml:2", from["base_url"])
	assert.Equal(t, "config.yaml:6", from["executor.temperature"])
	assert.Equal(t, "default", from["retries"])
	assert.Equal(t, "config.yaml:12", from["prices.qwen2.5-72b"])
}

func TestStageModelInTheFileStaysWithoutEnvironment(t *testing.T) {
	c, err := config.Load("config.yaml", []byte("verifier: {model: b}\nmodel: a\n"), env(), nil)
	require.NoError(t, err)
	assert.Equal(t, "a", c.Stages["planner"].Model)
	assert.Equal(t, "b", c.Stages["verifier"].Model)
}

func TestTheExecutorsModelStandsForStagesWithoutOne(t *testing.T) {
	c, err := config.Load("config.yaml", []byte("executor: {model: a}\nverifier: {model: b}\n"), env(), nil)
	require.NoError(t, err)
	assert.Equal(t, "a", c.Stages["planner"].Model)
	assert.Equal(t, "b", c.Stages["verifier"].Model)
	for _, s := range c.Settings() {
		if s.Name == "planner.model" {
			assert.Equal(t, "executor.model", s.From)
		}
	}
}

func TestAKeyAloneIsNoEndpoint(t *testing.T) {
	for _, tt := range []struct {
		env  []string
		live bool
	}{
		{[]string{"OPENAI_API_KEY", "k"}, false},
		{[]string{"CLAIMSCOPE_MODEL", "m"}, false},
		{[]string{"OPENAI_API_KEY", "k", "CLAIMSCOPE_MODEL", "m"}, true},
		{[]string{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"}, true},
	} {
		c, err := config.Load("", nil, env(tt.env...), nil)
		require.NoError(t, err)
		assert.Equal(t, tt.live, c.Live(), "%v", tt.env)
	}
}

func TestExtraMembers(t *testing.T) {
	text := "executor:\n  extra:\n    enable_thinking: false\n    reasoning_effort: low\n    chat_template_kwargs: {a: 1, b: 0.5}\n"
	c, err := config.Load("config.yaml", []byte(text), env(), nil)
	require.NoError(t, err)
	want := `{"chat_template_kwargs":{"a":1,"b":0.5},"enable_thinking":false,"reasoning_effort":"low"}`
	for _, s := range c.Settings() {
		if s.Name == "executor.extra" {
			assert.Equal(t, config.Setting{Name: "executor.extra", Value: want, From: "config.yaml:5"}, s)
		}
	}
	c, err = config.Load("config.yaml", []byte(text), env(), map[string]string{"executor.extra": `{"x":[1]}`})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"x": []any{1.0}}, c.Stages["executor"].Extra, "a flag replaces them all")
	for _, bad := range []string{`{"model":"x"}`, `[]`, `{`} {
		_, err = config.Load("", nil, env(), map[string]string{"executor.extra": bad})
		assert.ErrorIs(t, err, config.ErrInvalid)
	}
	_, err = config.Load("c", []byte("executor: {extra: {messages: 1}}"), env(), nil)
	assert.ErrorContains(t, err, "c:1: executor.extra.messages: messages is decided by the program")
	_, err = config.Load("c", []byte("executor: {extra: {a: .inf}}"), env(), nil)
	assert.Error(t, err)
}

func TestFlagsOfOneStage(t *testing.T) {
	c, err := config.Load("config.yaml", []byte("executor: {temperature: 1}\n"), env(), map[string]string{"executor.temperature": "0.2"})
	require.NoError(t, err)
	assert.InDelta(t, 0.2, *c.Stages["executor"].Temperature, 1e-9)
	_, err = config.Load("", nil, env(), map[string]string{"executor.seed": "x"})
	assert.ErrorContains(t, err, "flag --set executor.seed")
}

func TestNothingConfigured(t *testing.T) {
	c, err := config.Load("", nil, env(), nil)
	require.NoError(t, err)
	assert.False(t, c.Live())
	assert.Equal(t, filepath.FromSlash("/home/u/.local/state/claimscope/sessions"), c.Sessions)
	assert.Equal(t, filepath.FromSlash("/home/u/.config/claimscope/config.yaml"), config.Path(env()))
	assert.Empty(t, config.Path(func(string) string { return "" }))
}

func TestKeyIsNeverShown(t *testing.T) {
	c, err := config.Load("", nil, env("OPENAI_API_KEY", "sk-very-secret"), nil)
	require.NoError(t, err)
	for _, s := range c.Settings() {
		assert.NotContains(t, s.Value, "secret")
	}
	assert.Equal(t, "sk-very-secret", c.Key)
}

func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"mdl: x\n":                        "config.yaml:1: mdl: unknown key",
		"executor:\n  temprature: 1\n":    "config.yaml:2: executor.temprature: unknown key",
		"gate: maybe\n":                   `config.yaml:1: gate: "maybe"; want one of off, warn, enforce`,
		"executor: {temperature: hot}\n":  "want a number from 0 to 2",
		"executor: {timeout: soon}\n":     "want a duration",
		"retries: -1\n":                   "want a whole number from 0 to 10",
		"base_url: ftp://x\n":             "want an http or https address",
		"base_url: https://u:p@host/v1\n": "must not hold a password",
		"masks: ['(']\n":                  "missing closing",
		"severities: {Z999: warn}\n":      "no such finding code",
		"severities: {B001: loud}\n":      "want one of block, warn, info",
		"prices: {m: {in: 1}}\n":          "known: input, output",
		"prices: {m: {input: cheap}}\n":   "want a price",
		"a: [\n":                          "config.yaml: [",
		"- x\n":                           "settings are written as name: value",
		"composer: perhaps\n":             "want true or false",
		"planner: {json_mode: object}\n":  "the planner writes plain text",
		"model: &a x\n":                   "a plain value is wanted",
	} {
		_, err := config.Load("/etc/config.yaml", []byte(text), env(), nil)
		require.ErrorIs(t, err, config.ErrInvalid, text)
		assert.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := config.Load("", nil, env("CLAIMSCOPE_GATE", "x"), nil)
	assert.ErrorContains(t, err, "environment CLAIMSCOPE_GATE: gate")
	_, err = config.Load("", nil, env(), map[string]string{"malformed_policy": "x"})
	assert.ErrorContains(t, err, "flag --malformed-policy")
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(file))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Load("config.yaml", data, env(), nil)
		if err == nil {
			_ = c.Settings()
		}
	})
}
