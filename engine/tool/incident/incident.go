// Package incident reads an incident folder (spec I3) and makes the three tools
// over it:
//
//	incident.yaml   title, query, time window, services
//	logs/           plain text or JSON Lines, one file a service
//	metrics/        OpenMetrics text with timestamps
//	knowledge/      Markdown runbooks
package incident

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/goccy/go-yaml"

	"claimscope/engine/tool"
	"claimscope/engine/tool/knowledge"
	"claimscope/engine/tool/logs"
	"claimscope/engine/tool/metrics"
)

// ErrInvalid is the class of every incident folder that cannot be used.
var ErrInvalid = errors.New("invalid incident folder")

// FileName is the description inside an incident folder.
const FileName = "incident.yaml"

// description is incident.yaml.
type description struct {
	Title    string   `yaml:"title"`
	Query    string   `yaml:"query"`
	Services []string `yaml:"services"`
	Window   struct {
		Start string `yaml:"start"`
		End   string `yaml:"end"`
	} `yaml:"window"`
}

// Incident is an incident folder, described. Its files are read when a tool asks.
type Incident struct {
	Name     string // the folder's base name
	Title    string
	Query    string
	Services []string
	Window   tool.Window
	files    fs.FS
}

// Load reads incident.yaml of the folder. An error is an ErrInvalid that names the
// line or the field.
func Load(name string, folder fs.FS) (*Incident, error) {
	data, err := fs.ReadFile(folder, FileName)
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrInvalid, name, err)
	}
	var d description
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&d); err != nil {
		return nil, fmt.Errorf("%w %s: %s: %s", ErrInvalid, name, FileName, oneLine(err))
	}
	inc := &Incident{Name: name, Title: d.Title, Query: d.Query, Services: d.Services, files: folder}
	for _, field := range []struct{ name, value string }{
		{"title", d.Title}, {"query", d.Query}, {"window.start", d.Window.Start}, {"window.end", d.Window.End},
	} {
		if field.value == "" {
			return nil, fmt.Errorf("%w %s: %s: %s is missing", ErrInvalid, name, FileName, field.name)
		}
	}
	if inc.Window, err = tool.ParseWindow(d.Window.Start, d.Window.End, time.UTC); err != nil {
		return nil, fmt.Errorf("%w %s: %s: window: %w", ErrInvalid, name, FileName, err)
	}
	return inc, nil
}

// oneLine is the first line of a YAML error, which says position and reason.
func oneLine(err error) string {
	text, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	return string(text)
}

// Tools makes query_logs, query_metrics and lookup_knowledge over the folder. A
// folder that is missing reads as an empty one.
func (i *Incident) Tools() []tool.Tool {
	zone := i.Window.Start.Location()
	return []tool.Tool{
		logs.New(sub(i.files, "logs"), zone),
		metrics.New(sub(i.files, "metrics"), i.Window, zone),
		knowledge.New(sub(i.files, "knowledge")),
	}
}

// sub is a folder of the incident; its name is a constant and valid.
func sub(files fs.FS, name string) fs.FS {
	dir, err := fs.Sub(files, name)
	if err != nil {
		panic(err)
	}
	return dir
}
