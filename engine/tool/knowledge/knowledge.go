// Package knowledge is lookup_knowledge over a folder of Markdown runbooks:
// full-text search with Chinese analysis (bigrams), one evidence block a section.
package knowledge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"

	"claimscope/engine/tool"
	"claimscope/engine/trace"
)

const (
	defaultTopK = 3
	maxTopK     = 20
	// maxDocument bounds one document, in bytes.
	maxDocument = 8 << 20
)

// parameters is the JSON Schema of the arguments. It is final.
const parameters = `{
  "type": "object",
  "properties": {
    "query": {"type": "string", "description": "要检索的问题或关键词"},
    "top_k": {"type": "integer", "minimum": 1, "maximum": 20, "description": "返回的证据块数，默认 3"}
  },
  "required": ["query"],
  "additionalProperties": false
}`

type args struct {
	Query string `json:"query"`
	TopK  int    `json:"top_k"`
}

// section is a heading of a document with the text under it.
type section struct {
	id       string // document#n
	document string
	heading  string // the headings above it, joined by " › "
	text     string // heading line included, verbatim
}

type corpus struct {
	sections map[string]section
	index    bleve.Index
}

// Tool is lookup_knowledge.
type Tool struct {
	load func() (*corpus, error)
}

// New makes the tool over a folder of Markdown files, read at the first call.
func New(files fs.FS) *Tool {
	return &Tool{load: sync.OnceValues(func() (*corpus, error) { return loadCorpus(files) })}
}

// Spec describes lookup_knowledge.
func (t *Tool) Spec() tool.Spec {
	return tool.Spec{
		Name:        "lookup_knowledge",
		Description: "检索运维知识库。返回若干证据块（block_id、文档、标题、正文）。知识库内容是一般性经验，不能当作本次故障的事实。",
		Parameters:  json.RawMessage(parameters),
		Kind:        trace.Knowledge,
	}
}

// Call returns the best sections, best first. No section is a Result with Status Empty.
func (t *Tool) Call(ctx context.Context, raw json.RawMessage) (tool.Result, error) {
	var a args
	if err := tool.DecodeArgs(raw, &a); err != nil {
		return tool.Refuse(err)
	}
	if strings.TrimSpace(a.Query) == "" {
		return tool.Refuse(fmt.Errorf("%w: query is empty", tool.ErrArgument))
	}
	switch {
	case a.TopK == 0:
		a.TopK = defaultTopK
	case a.TopK < 0 || a.TopK > maxTopK:
		return tool.Refuse(fmt.Errorf("%w: top_k %d; from 1 to %d", tool.ErrArgument, a.TopK, maxTopK))
	}
	c, err := t.load()
	if err != nil {
		return tool.Result{}, err
	}
	return c.search(ctx, a.Query, a.TopK)
}

func (c *corpus) search(ctx context.Context, text string, topK int) (tool.Result, error) {
	heading := bleve.NewMatchQuery(text)
	heading.SetField("heading")
	heading.SetBoost(2) // a heading says what a section is about
	body := bleve.NewMatchQuery(text)
	body.SetField("body")
	req := bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(heading, body), topK, 0, false)
	req.SortBy([]string{"-_score", "_id"}) // equal scores in a fixed order
	found, err := c.index.SearchInContext(ctx, req)
	if err != nil {
		return tool.Result{}, fmt.Errorf("knowledge: %w", err)
	}
	if len(found.Hits) == 0 {
		return tool.Result{Output: fmt.Appendf(nil, "no section of %d matches\n", len(c.sections)), Status: trace.Empty}, nil
	}
	var out bytes.Buffer
	var blocks []trace.Block
	for _, hit := range found.Hits {
		s := c.sections[hit.ID]
		fmt.Fprintf(&out, "[%s] %s › %s (score %.2f)\n", s.id, s.document, s.heading, hit.Score)
		start := out.Len()
		out.WriteString(s.text)
		blocks = append(blocks, trace.Block{
			BlockID: s.id, Document: s.document, Heading: s.heading,
			Span: trace.Span{Start: start, End: out.Len()}, Score: hit.Score,
		})
		out.WriteString("\n\n")
	}
	return tool.Result{Output: out.Bytes(), Status: trace.OK, Blocks: blocks}, nil
}

func loadCorpus(files fs.FS) (*corpus, error) {
	names, err := tool.Files(files)
	if err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	mapping := bleve.NewIndexMapping()
	mapping.DefaultAnalyzer = cjk.AnalyzerName
	index, err := bleve.NewMemOnly(mapping)
	if err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	c := &corpus{sections: map[string]section{}, index: index}
	batch := index.NewBatch()
	for _, name := range names {
		if !strings.EqualFold(path.Ext(name), ".md") {
			continue
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("knowledge: %w", err)
		}
		if len(data) > maxDocument {
			return nil, fmt.Errorf("knowledge: %s: larger than %d bytes", name, maxDocument)
		}
		for _, s := range split(strings.TrimSuffix(path.Base(name), path.Ext(name)), string(data)) {
			c.sections[s.id] = s
			if err := batch.Index(s.id, map[string]string{"heading": s.document + " " + s.heading, "body": s.text}); err != nil {
				return nil, fmt.Errorf("knowledge: %s: %w", name, err)
			}
		}
	}
	if err := index.Batch(batch); err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	return c, nil
}

// split cuts a Markdown document into sections at its ATX headings, fenced code
// left whole. Text before the first heading is a section of its own.
func split(document, text string) []section {
	var sections []section
	var path [6]string
	var body strings.Builder
	heading := document
	flush := func() {
		if s := strings.TrimSpace(body.String()); s != "" {
			sections = append(sections, section{
				id:       fmt.Sprintf("%s#%d", document, len(sections)+1),
				document: document, heading: heading, text: s,
			})
		}
		body.Reset()
	}
	fenced := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		if level := headingLevel(trimmed); level > 0 && !fenced {
			flush()
			path[level-1] = strings.TrimSpace(strings.Trim(trimmed, "#"))
			clear(path[level:])
			heading = joinPath(path[:level])
		}
		body.WriteString(line)
	}
	flush()
	return sections
}

// headingLevel is 1 to 6 for an ATX heading, else 0.
func headingLevel(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n == 0 || n > 6 || len(line) == n || line[n] != ' ' {
		return 0
	}
	return n
}

func joinPath(parts []string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " › ")
}
