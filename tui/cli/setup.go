package cli

import (
	"crypto/rand"
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"claimscope/engine"
	"claimscope/engine/config"
	"claimscope/engine/session"
)

// setupFlags adds the settings that every command with an engine takes, and returns
// what opens it. Errors are usage errors of one line.
func (a *App) setupFlags(fs *pflag.FlagSet) func() (*engine.Engine, error) {
	values := map[string]*string{}
	for _, s := range []struct{ name, usage string }{
		{"sessions", "folder of the session files"},
	} {
		values[s.name] = fs.String(s.name, "", s.usage)
	}
	return func() (*engine.Engine, error) { return a.open(given(fs, values), 0) }
}

// runFlags adds the settings of a run besides.
func (a *App) runFlags(fs *pflag.FlagSet) func(tokensPerSecond float64) (*engine.Engine, error) {
	values := map[string]*string{}
	for _, s := range []struct{ name, usage string }{
		{"sessions", "folder of the session files"},
		{"prompts", "folder of prompts that override the embedded ones"},
		{"base-url", "OpenAI-compatible endpoint, up to and including /v1"},
		{"model", "model of every stage"},
		{"contract", "contract version: v1 or v2"},
		{"gate", "off, warn or enforce"},
		{"malformed-policy", "cap or verifier"},
		{"retries", "retries after the first attempt"},
	} {
		values[s.name] = fs.String(s.name, "", s.usage)
	}
	composer := fs.Bool("composer", false, "let a model word the answer, audited")
	more := fs.StringArray("set", nil, "any setting of config.yaml, such as executor.temperature=0.2; may be repeated")
	return func(tokensPerSecond float64) (*engine.Engine, error) {
		flags := given(fs, values)
		if *composer {
			flags["composer"] = "true"
		}
		for _, s := range *more {
			name, value, ok := strings.Cut(s, "=")
			if !ok {
				return nil, usagef("--set %s: want NAME=VALUE", s)
			}
			flags[name] = value
		}
		return a.open(flags, tokensPerSecond)
	}
}

// given are the settings that were given as flags, by their names in config.yaml.
func given(fs *pflag.FlagSet, values map[string]*string) map[string]string {
	flags := map[string]string{}
	for name, v := range values {
		if fs.Changed(name) {
			flags[strings.ReplaceAll(name, "-", "_")] = *v
		}
	}
	return flags
}

// open opens the engine with the settings that were given as flags.
func (a *App) open(flags map[string]string, tokensPerSecond float64) (*engine.Engine, error) {
	e, err := engine.Open(engine.Environment{
		Getenv: a.Getenv, Flags: flags, Bundled: a.Bundled, Now: a.Now, Random: rand.Reader, TokensPerSecond: tokensPerSecond,
	})
	if err != nil {
		return nil, usagef("%w", err)
	}
	return e, nil
}

// asUsage makes errors about what a person named (a session, an incident, a file) or
// configured usage errors; others stay internal.
func asUsage(err error) error {
	var ambiguous *session.AmbiguousError
	var imported *session.ImportError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ambiguous), errors.As(err, &imported):
	case errors.Is(err, session.ErrNotFound), errors.Is(err, session.ErrBundled), errors.Is(err, session.ErrLocked),
		errors.Is(err, session.ErrBadID), errors.Is(err, session.ErrNotEnded),
		errors.Is(err, engine.ErrNothingToRun), errors.Is(err, engine.ErrInvalidIncident), errors.Is(err, engine.ErrNoModel),
		errors.Is(err, engine.ErrNoTools), errors.Is(err, engine.ErrMode), errors.Is(err, config.ErrInvalid):
	default:
		return err
	}
	return usagef("%w", err)
}
