package config

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxFile bounds config.yaml, in bytes.
const maxFile = 1 << 20

var severityCode = regexp.MustCompile(`^[SBCF]\d{3}$`)

// entry is one scalar of config.yaml with the names above it.
type entry struct {
	path  []string
	value string
	typed any // the value as YAML reads it
	line  int
}

func (e entry) name() string { return strings.Join(e.path, ".") }

// readFile applies config.yaml. Unknown keys are errors with their line.
func (c *Config) readFile(name string, data []byte) error {
	base := filepath.Base(name)
	if len(data) > maxFile {
		return fmt.Errorf("%w: %s: larger than %d bytes", ErrInvalid, base, maxFile)
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		return fmt.Errorf("%w: %s: %s", ErrInvalid, base, text)
	}
	var entries []entry
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if entries, err = flatten(entries, nil, doc.Body); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrInvalid, base, err)
		}
	}
	// model stands for every stage, so what a stage says itself comes after it.
	for _, general := range []bool{true, false} {
		for _, e := range entries {
			if (e.name() == "model") != general {
				continue
			}
			if err := c.take(e, fmt.Sprintf("%s:%d", base, e.line)); err != nil {
				return err
			}
		}
	}
	return nil
}

// flatten lists the scalars below a node.
func flatten(into []entry, path []string, node ast.Node) ([]entry, error) {
	var err error
	switch n := node.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			if into, err = flatten(into, path, v); err != nil {
				return nil, err
			}
		}
		return into, nil
	case *ast.MappingValueNode:
		below := append(path[:len(path):len(path)], strings.Trim(n.Key.String(), `"'`))
		return flatten(into, below, n.Value)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			if into, err = flatten(into, path, v); err != nil {
				return nil, err
			}
		}
		return into, nil
	case *ast.NullNode:
		return into, nil
	case *ast.StringNode:
		return append(into, entry{path, n.Value, n.Value, n.GetToken().Position.Line}), nil
	case *ast.IntegerNode:
		return append(into, entry{path, n.String(), n.Value, n.GetToken().Position.Line}), nil
	case *ast.FloatNode:
		return append(into, entry{path, n.String(), n.Value, n.GetToken().Position.Line}), nil
	case *ast.BoolNode:
		return append(into, entry{path, n.String(), n.Value, n.GetToken().Position.Line}), nil
	}
	return nil, fmt.Errorf("line %d: %s: a plain value is wanted here", node.GetToken().Position.Line, strings.Join(path, "."))
}

// take applies one entry.
func (c *Config) take(e entry, from string) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s: %s: %s", ErrInvalid, from, e.name(), fmt.Sprintf(format, args...))
	}
	switch {
	case len(e.path) == 0:
		return fail("settings are written as name: value")
	case e.path[0] == "prices" && len(e.path) == 3:
		f, err := strconv.ParseFloat(e.value, 64)
		if err != nil || f < 0 {
			return fail("%q; want a price per million tokens", e.value)
		}
		p := c.Prices[e.path[1]]
		switch e.path[2] {
		case "input":
			p.Input = f
		case "output":
			p.Output = f
		default:
			return fail("unknown key; known: input, output")
		}
		c.Prices[e.path[1]] = p
		c.from["prices."+e.path[1]] = from
		return nil
	case e.path[0] == "severities" && len(e.path) == 2:
		var severity string
		if err := setChoice(&severity, e.value, "block", "warn", "info"); err != nil {
			return fail("%v", err)
		}
		if !severityCode.MatchString(e.path[1]) {
			return fail("no such finding code")
		}
		c.Severities[e.path[1]] = severity
		c.from[e.name()] = from
		return nil
	case len(e.path) > 2 && e.path[1] == "extra" && slices.Contains(Stages(), e.path[0]):
		if f, ok := e.typed.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
			return fail("%q; want a number that JSON has", e.value)
		}
		s := c.Stages[e.path[0]]
		if err := s.addExtra(e.path[2:], e.typed); err != nil {
			return fail("%v", err)
		}
		c.Stages[e.path[0]], c.from[e.path[0]+".extra"] = s, from
		return nil
	case e.name() == "masks":
		if _, err := regexp.Compile(e.value); err != nil {
			return fail("%v", err)
		}
		c.Masks = append(c.Masks, e.value)
		c.from["masks"] = from
		return nil
	}
	d, ok := find(e.name())
	if !ok {
		return fail("unknown key")
	}
	return c.apply(d, e.value, from)
}
