package answer

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"

	"claimscope/tui/text"
)

// Limits of the layout.
const (
	maxDepth = 24 // nested lists and quotes that are laid out as such
	minWidth = 8  // cells; narrower blocks are not indented further
)

// layout draws the blocks below a node in lines of at most w cells. Lines still hold
// the sentinels.
func (d *document) layout(parent ast.Node, w, depth int, tight bool) []string {
	var out []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		lines := d.block(n, w, depth)
		if len(lines) == 0 {
			continue
		}
		if len(out) > 0 && !tight {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

func (d *document) block(n ast.Node, w, depth int) []string {
	if depth > maxDepth {
		return text.WrapStyled(d.p.Text.Text(string(blockText(n, d.source))), w, 0)
	}
	switch n := n.(type) {
	case *ast.Heading:
		return d.heading(n, w)
	case *ast.Paragraph, *ast.TextBlock:
		return text.WrapStyled(d.leaf(n, 0), w, 0)
	case *ast.List:
		return d.list(n, w, depth)
	case *ast.Blockquote:
		return prefixed(d.layout(n, inner(w, 2), depth+1, false), d.p.Faint.Raw("│ "), d.p.Faint.Raw("│ "), w)
	case *ast.FencedCodeBlock:
		return d.code(n, string(n.Language(d.source)), w)
	case *ast.CodeBlock:
		return d.code(n, "", w)
	case *ast.ThematicBreak:
		return []string{d.p.Faint.Raw(strings.Repeat("─", w))}
	case *ast.HTMLBlock:
		return text.WrapStyled(d.p.Dim.Text(string(blockText(n, d.source))), w, 0)
	case *astext.Table:
		return d.table(n, w)
	}
	return d.layout(n, w, depth+1, false)
}

func (d *document) heading(n *ast.Heading, w int) []string {
	mark := ""
	if d.p.Theme.Brackets() {
		mark = strings.Repeat("#", n.Level) + " "
	}
	return text.WrapStyled(mark+d.leaf(n, n.Level), w, len(mark))
}

// list draws items behind their bullets or numbers.
func (d *document) list(n *ast.List, w, depth int) []string {
	var out []string
	number := n.Start
	widest := len(strconv.Itoa(n.Start+n.ChildCount()-1)) + 2
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		bullet := "• "
		if n.IsOrdered() {
			bullet = text.PadLeft(fmt.Sprintf("%d. ", number), widest)
			number++
		}
		cells := text.Width(bullet)
		lines := d.layout(item, inner(w, cells), depth+1, n.IsTight)
		if len(lines) == 0 {
			lines = []string{""}
		}
		if len(out) > 0 && !n.IsTight {
			out = append(out, "")
		}
		out = append(out, prefixed(lines, d.p.Dim.Raw(bullet), text.Spaces(cells), w)...)
	}
	return out
}

// code draws a code block, highlighted by glamour and broken where it is too long.
func (d *document) code(n ast.Node, language string, w int) []string {
	code := bytes.TrimRight(blockText(n, d.source), "\n")
	// The style of unknown languages stays plain; the fence's name is outside text.
	block := ast.NewFencedCodeBlock(nil)
	source := append([]byte(language), '\n')
	if language != "" {
		block.Info = ast.NewTextSegment(segment(0, len(language)))
	}
	for line := range bytes.SplitSeq(code, []byte("\n")) {
		from := len(source)
		source = append(append(source, text.SanitiseLine(string(line))...), '\n')
		block.Lines().Append(segment(from, len(source)))
	}
	drawn := strings.ReplaceAll(d.render(block, source), "\r", "")
	return prefixed(text.WrapStyled(drawn, inner(w, 2), 0), "  ", "  ", w)
}

// blockText is the raw text of a block.
func blockText(n ast.Node, source []byte) []byte {
	var out []byte
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		out = append(out, s.Value(source)...)
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		out = append(out, h.ClosureLine.Value(source)...)
	}
	return bytes.TrimRight(out, "\n")
}

// inner is the width that is left beside a prefix.
func inner(w, prefix int) int {
	if w-prefix < minWidth {
		return w
	}
	return w - prefix
}

// prefixed puts one prefix before the first line and another before the others, unless
// there is no room for them.
func prefixed(lines []string, first, rest string, w int) []string {
	if w-text.Width(first) < minWidth {
		return lines
	}
	for i := range lines {
		if i == 0 {
			lines[i] = first + lines[i]
		} else {
			lines[i] = rest + lines[i]
		}
	}
	return lines
}
