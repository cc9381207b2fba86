// Package prompts holds the prompt templates of the pipeline: Markdown with a YAML
// front matter (name, version) and a Go template as its body. They are embedded and
// can be overridden, one by one, from a folder.
//
// The package imports nothing of ours.
package prompts

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/goccy/go-yaml"
)

//go:embed *.md
var embedded embed.FS

// Name names a prompt. Its file is the name with ".md".
type Name string

// The prompts.
const (
	Planner  Name = "chat-planner-prompt"
	Executor Name = "chat-executor-prompt"
	Verifier Name = "chat-verifier-prompt"
	Composer Name = "chat-composer-prompt"
)

// Names lists the prompts in the order of a run.
func Names() []Name { return []Name{Planner, Executor, Verifier, Composer} }

// File is the base name of the prompt's file.
func (n Name) File() string { return string(n) + ".md" }

// maxBytes bounds a prompt file.
const maxBytes = 1 << 20

// Errors of loading. They are wrapped with the file and, where there is one, the
// line.
var (
	ErrUnknown     = errors.New("no such prompt")
	ErrNone        = errors.New("the folder holds no prompt file")
	ErrFrontMatter = errors.New("bad front matter")
	ErrTemplate    = errors.New("bad template")
)

// Source identifies a prompt's text.
type Source struct {
	Name    Name
	Version string
	SHA256  string // of the whole file, hex
	From    string // "embedded", the file's base name, or "edited"
}

// Set is one text for each prompt. It is immutable.
type Set struct{ prompts map[Name]*prompt }

type prompt struct {
	source Source
	text   string
	body   *template.Template
}

// Embedded gives the prompts that ship with the program.
func Embedded() *Set {
	s := &Set{prompts: map[Name]*prompt{}}
	for _, n := range Names() {
		text, err := embedded.ReadFile(n.File())
		if err == nil {
			s.prompts[n], err = parse(n, string(text), "embedded")
		}
		if err != nil {
			panic(err) // a test loads them
		}
	}
	return s
}

// Load gives the embedded prompts, overridden by the files of a folder; "" means
// none. A Markdown file that is no prompt, a folder without any, and a prompt that
// does not parse or render are errors that name file and line.
func Load(dir string) (*Set, error) {
	s := Embedded()
	if dir == "" {
		return s, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	found := 0
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".md" {
			continue
		}
		n := Name(strings.TrimSuffix(e.Name(), ".md"))
		if !slices.Contains(Names(), n) {
			return nil, fmt.Errorf("prompts: %s: %w; known: %s", e.Name(), ErrUnknown, known())
		}
		text, err := readFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if s.prompts[n], err = parse(n, text, e.Name()); err != nil {
			return nil, err
		}
		found++
	}
	if found == 0 {
		return nil, fmt.Errorf("prompts: %s: %w; known: %s", dir, ErrNone, known())
	}
	return s, nil
}

func known() string {
	var files []string
	for _, n := range Names() {
		files = append(files, n.File())
	}
	return strings.Join(files, ", ")
}

func readFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("prompts: %w", err)
	}
	if info.Size() > maxBytes {
		return "", fmt.Errorf("prompts: %s: %d bytes are more than the %d a prompt may have", filepath.Base(path), info.Size(), maxBytes)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("prompts: %w", err)
	}
	return string(text), nil
}

// With gives a set with one prompt's text exchanged, front matter included.
func (s *Set) With(n Name, text string) (*Set, error) {
	if _, ok := s.prompts[n]; !ok {
		return nil, fmt.Errorf("prompts: %s: %w; known: %s", n, ErrUnknown, known())
	}
	p, err := parse(n, text, "edited")
	if err != nil {
		return nil, err
	}
	next := &Set{prompts: map[Name]*prompt{}}
	for k, v := range s.prompts {
		next.prompts[k] = v
	}
	next.prompts[n] = p
	return next, nil
}

// Text is the whole file of a prompt, front matter included; "" for an unknown one.
func (s *Set) Text(n Name) string {
	if p := s.prompts[n]; p != nil {
		return p.text
	}
	return ""
}

// Sources lists the prompts' identities in the order of Names.
func (s *Set) Sources() []Source {
	var out []Source
	for _, n := range Names() {
		out = append(out, s.prompts[n].source)
	}
	return out
}

// Export writes every prompt of the set into a folder, which is made. A file that
// is there already is an error of class fs.ErrExist, and nothing is overwritten.
func (s *Set) Export(dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	var written []string
	for _, n := range Names() {
		path := filepath.Join(dir, n.File())
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return written, fmt.Errorf("prompts: %w", err)
		}
		_, err = f.WriteString(s.Text(n))
		if err = errors.Join(err, f.Close()); err != nil {
			return written, fmt.Errorf("prompts: %w", err)
		}
		written = append(written, path)
	}
	return written, nil
}

// Save writes one prompt's text into a folder, over what is there. The text must
// load.
func Save(dir string, n Name, text string) error {
	if _, err := parse(n, text, n.File()); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("prompts: %w", err)
	}
	path := filepath.Join(dir, n.File())
	if err := os.WriteFile(path+".tmp", []byte(text), 0o644); err != nil {
		return fmt.Errorf("prompts: %w", err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return fmt.Errorf("prompts: %w", err)
	}
	return nil
}

// parse reads one prompt file and renders it once with sample data, so that a
// mistake shows at load and not in the middle of a run.
func parse(n Name, text, from string) (*prompt, error) {
	file := n.File()
	head, body, lines, err := split(text)
	if err != nil {
		return nil, fmt.Errorf("prompts: %s: %w", file, err)
	}
	var meta struct {
		Name    string `yaml:"name"`
		Version string `yaml:"version"`
	}
	if err := yaml.UnmarshalWithOptions([]byte(head), &meta, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("prompts: %s: %w: %s", file, ErrFrontMatter, oneLine(yaml.FormatError(err, false, false)))
	}
	if meta.Name != string(n) {
		return nil, fmt.Errorf("prompts: %s: %w: name is %q, want %q", file, ErrFrontMatter, meta.Name, n)
	}
	if meta.Version == "" {
		return nil, fmt.Errorf("prompts: %s: %w: version is missing", file, ErrFrontMatter)
	}
	// The front matter's lines stay in as blank ones, so that errors name lines of the file.
	t, err := template.New(file).Option("missingkey=error").Parse(strings.Repeat("\n", lines) + body)
	if err != nil {
		return nil, fmt.Errorf("prompts: %w: %s", ErrTemplate, strings.TrimPrefix(err.Error(), "template: "))
	}
	sum := sha256.Sum256([]byte(text))
	p := &prompt{text: text, body: t, source: Source{Name: n, Version: meta.Version, SHA256: hex.EncodeToString(sum[:]), From: from}}
	for _, data := range samples(n) {
		if _, err := p.render(data); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// split parts the front matter from the body; lines counts the lines before the body.
func split(text string) (head, body string, lines int, err error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", "", 0, fmt.Errorf("%w: line 1 must be ---", ErrFrontMatter)
	}
	head, body, ok = strings.Cut(rest, "\n---\n")
	if !ok {
		return "", "", 0, fmt.Errorf("%w: it is not closed by ---", ErrFrontMatter)
	}
	if strings.TrimSpace(body) == "" {
		return "", "", 0, fmt.Errorf("%w: the body is empty", ErrTemplate)
	}
	return head, body, strings.Count(head, "\n") + 3, nil
}

func (p *prompt) render(data any) (string, error) {
	var b strings.Builder
	if err := p.body.Execute(&b, data); err != nil {
		return "", fmt.Errorf("prompts: %w: %s", ErrTemplate, strings.TrimPrefix(err.Error(), "template: "))
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}
