package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func choice(name, env string, field func(*Config) *string, values ...string) def {
	return def{
		name, env,
		func(c *Config, v string) error { return setChoice(field(c), v, values...) },
		func(c *Config) string { return *field(c) },
	}
}

func count(name string, field func(*Config) *int, most int) def {
	return def{
		name, "",
		func(c *Config, v string) error { return setCount(field(c), v, most) },
		func(c *Config) string { return strconv.Itoa(*field(c)) },
	}
}

func setChoice(to *string, v string, values ...string) error {
	if !slices.Contains(values, v) {
		return fmt.Errorf("%q; want one of %s", v, strings.Join(values, ", "))
	}
	*to = v
	return nil
}

func setCount(to *int, v string, most int) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > most {
		return fmt.Errorf("%q; want a whole number from 0 to %d", v, most)
	}
	*to = n
	return nil
}

func setFloat(to **float64, v string, least, most float64) error {
	if v == "" || v == "default" {
		*to = nil
		return nil
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || f < least || f > most {
		return fmt.Errorf("%q; want a number from %g to %g, or default", v, least, most)
	}
	*to = &f
	return nil
}

func showFloat(f *float64) string {
	if f == nil {
		return "default"
	}
	return strconv.FormatFloat(*f, 'g', -1, 64)
}

func showCount(n int) string {
	if n == 0 {
		return "default"
	}
	return strconv.Itoa(n)
}

func setSeed(s *Stage, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil {
		return fmt.Errorf("%q; want a whole number", v)
	}
	s.Seed = &n
	return nil
}

func showSeed(s Stage) string {
	if s.Seed == nil {
		return "default"
	}
	return strconv.Itoa(*s.Seed)
}

// setJSONMode holds a stage to JSON. The Planner and the Composer write plain text.
func setJSONMode(s *Stage, stage, v string) error {
	if err := setChoice(&s.JSONMode, v, "off", "object", "schema"); err != nil {
		return err
	}
	if v != "off" && (stage == "planner" || stage == "composer") {
		return fmt.Errorf("%q; the %s writes plain text: leave it off", v, stage)
	}
	return nil
}

// reserved are the members of a request that the program itself decides.
var reserved = []string{"model", "messages", "tools", "stream", "stream_options", "response_format", "n"}

// setExtra replaces the extra members with those of a JSON object.
func setExtra(s *Stage, v string) error {
	var extra map[string]any
	if err := json.Unmarshal([]byte(v), &extra); err != nil {
		return fmt.Errorf("%q; want a JSON object such as {\"enable_thinking\":false}", v)
	}
	s.Extra = nil
	for name, value := range extra {
		if err := s.addExtra([]string{name}, value); err != nil {
			return err
		}
	}
	return nil
}

// addExtra adds a value below a path of names.
func (s *Stage) addExtra(path []string, value any) error {
	if slices.Contains(reserved, path[0]) {
		return fmt.Errorf("%s is decided by the program", path[0])
	}
	if s.Extra == nil {
		s.Extra = map[string]any{}
	}
	at := s.Extra
	for _, name := range path[:len(path)-1] {
		below, ok := at[name].(map[string]any)
		if !ok {
			below = map[string]any{}
			at[name] = below
		}
		at = below
	}
	at[path[len(path)-1]] = value
	return nil
}

// ExtraJSON is Extra as a JSON object, or nil when there is none.
func (s Stage) ExtraJSON() json.RawMessage {
	if len(s.Extra) == 0 {
		return nil
	}
	raw, err := json.Marshal(s.Extra)
	if err != nil {
		return nil // values are what JSON or YAML gave: they encode
	}
	return raw
}

func showExtra(s Stage) string { return cmp.Or(string(s.ExtraJSON()), "none") }

func setTimeout(s *Stage, v string) error {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 || d > 24*time.Hour {
		return fmt.Errorf("%q; want a duration such as 90s or 5m", v)
	}
	s.Timeout = d
	return nil
}

func setURL(c *Config, v string) error {
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%q; want an http or https address such as http://127.0.0.1:8000/v1", v)
	}
	if u.User != nil {
		return fmt.Errorf("an address must not hold a password; use api_key")
	}
	c.BaseURL = v
	return nil
}

// setModel names the model of every stage that has none of its own from a source as high.
func setModel(c *Config, v string) error {
	for _, name := range Stages() {
		s := c.Stages[name]
		s.Model = v
		c.Stages[name] = s
	}
	return nil
}

func setComposer(c *Config, v string) error {
	b, err := strconv.ParseBool(v)
	if err != nil {
		return fmt.Errorf("%q; want true or false", v)
	}
	c.Composer = b
	return nil
}

func setDir(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		abs, err := filepath.Abs(v)
		if err != nil {
			return err
		}
		*field(c) = abs
		return nil
	}
}
