package answer

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	gtext "github.com/yuin/goldmark/text"

	"claimscope/tui/pane"
	"claimscope/tui/text"
	"claimscope/tui/theme"
	"claimscope/tui/view"
)

// Limits of what is read as Markdown; other text is shown as it is. Answers have a few
// thousand bytes, and the parser takes quadratic time for the last two.
const (
	maxMarkdown  = 64 << 10 // bytes
	maxBrackets  = 1000     // opening ones
	maxContainer = 40       // quotes and list items begun in one line
)

// readable reports whether a text is within the limits.
func readable(s string) bool {
	if len(s) > maxMarkdown || strings.Count(s, "[") > maxBrackets {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		marks := 0
		for i := 0; i < len(line) && strings.IndexByte(">-*+.) \t0123456789", line[i]) >= 0; i++ {
			if strings.IndexByte(">-*+.)", line[i]) >= 0 {
				marks++
			}
		}
		if marks > maxContainer && strings.Trim(line, "-* \t\r") != "" {
			return false
		}
	}
	return true
}

// markExtra stands before a fact that no claim states.
const markExtra = theme.MarkWarn

// document is one text being drawn. Sentences are numbered from 1 here.
type document struct {
	p        *pane.Paints
	renderer renderer.Renderer
	source   []byte   // sanitised Markdown
	starts   []int    // of the sentences, in source, rising
	ends     []int    // of the sentences
	index    []int    // of the sentences, in view.Text.Sentences
	extras   [][2]int // spans in source
	cuts     []int    // where sentences and extra facts begin and end, rising
	last     map[int]int
	tags     map[int]string
}

// newDocument sanitises a text and moves its sentences along.
func newDocument(p *pane.Paints, r renderer.Renderer, v *view.View, t *view.Text) *document {
	clean := text.Map(t.Markdown, text.Options{Lines: true, Tab: text.DefaultTab})
	d := &document{p: p, renderer: r, source: []byte(clean.Text), last: map[int]int{}, tags: map[int]string{}}
	order := make([]int, len(t.Sentences))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return t.Sentences[order[a]].Start < t.Sentences[order[b]].Start })
	for _, i := range order {
		s := &t.Sentences[i]
		from, to := whole(clean.Text, clean.ToShown(s.Start), clean.ToShownEnd(s.End))
		if n := len(d.ends); n > 0 && from < d.ends[n-1] {
			continue // overlapping sentences: the first one counts
		}
		d.starts, d.ends, d.index = append(d.starts, from), append(d.ends, to), append(d.index, i)
		d.tags[len(d.starts)] = tag(p, v, s)
		d.cuts = append(d.cuts, from, to)
	}
	for _, x := range t.Extras {
		from, to := whole(clean.Text, clean.ToShown(x.Start), clean.ToShownEnd(x.End))
		d.extras = append(d.extras, [2]int{from, to})
		d.cuts = append(d.cuts, from, to)
	}
	sort.Ints(d.cuts)
	return d
}

// tag says what a sentence comes from, after it: the claims with their standing, or the
// mark of a hypothesis, an action or a gap; a warning for a sentence without a source.
func tag(p *pane.Paints, v *view.View, s *view.Sentence) string {
	var b strings.Builder
	for _, i := range s.Claims {
		paint, mark := p.Standing(v.Claims[i].Standing)
		b.WriteString(paint.Raw(mark) + p.Faint.Raw(fmt.Sprint(i+1)))
	}
	for _, source := range s.Sources {
		for _, k := range []struct{ prefix, mark string }{
			{"/hypotheses/", theme.MarkUnknown}, {"/missing_info/", theme.MarkNothing}, {"/recommended_actions/", "→"},
		} {
			if strings.HasPrefix(source, k.prefix) {
				b.WriteString(p.Faint.Raw(k.mark))
			}
		}
	}
	if len(s.Sources) == 0 {
		b.WriteString(p.Warn.Raw(theme.MarkWarn + theme.MarkUnknown))
	}
	if b.Len() == 0 {
		return ""
	}
	return p.Faint.Raw("‹") + b.String() + p.Faint.Raw("›")
}

// sentenceAt gives the number of the sentence that holds a byte, or 0.
func (d *document) sentenceAt(at int) int {
	i := sort.SearchInts(d.starts, at+1)
	if i == 0 || at >= d.ends[i-1] {
		return 0
	}
	return i
}

// extraAt reports whether an extra fact begins at a byte or holds it.
func (d *document) extraAt(at int) bool {
	for _, x := range d.extras {
		if x[0] <= at && at < x[1] {
			return true
		}
	}
	return false
}

// parse reads the Markdown and notes where the text of each sentence ends.
func (d *document) parse() ast.Node {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	root := md.Parser().Parse(gtext.NewReader(d.source))
	note := func(from, to int) {
		for k := range d.starts {
			if a, b := max(from, d.starts[k]), min(to, d.ends[k]); a < b {
				d.last[k+1] = max(d.last[k+1], b)
			}
		}
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker gives no error
		if t, ok := n.(*ast.Text); ok && entering {
			note(t.Segment.Start, t.Segment.Stop)
		}
		return ast.WalkContinue, nil
	})
	return root
}

// whole widens a span to whole runes.
func whole(s string, from, to int) (start, end int) {
	for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
		from--
	}
	for to > 0 && to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	return from, to
}
