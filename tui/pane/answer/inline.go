package answer

import (
	"bytes"
	"fmt"
	"html"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"
	gtext "github.com/yuin/goldmark/text"

	"claimscope/tui/text"
)

// leaf draws the inline content of a block as one styled text, unwrapped. glamour gets
// a tree of our making: of the node kinds that it is known to handle, with texts that
// are decoded and sanitised first, since it decodes entities after the fact. Each text
// starts with a sentinel that names its sentence; the layout takes them out again.
func (d *document) leaf(block ast.Node, heading int) string {
	b := leafBuilder{d: d}
	var parent ast.Node = ast.NewParagraph()
	if heading > 0 {
		parent = ast.NewHeading(heading)
	}
	b.children(parent, block, false)
	return unhide(d.render(parent, b.source))
}

// render lets glamour draw one block.
func (d *document) render(block ast.Node, source []byte) string {
	doc := ast.NewDocument()
	doc.AppendChild(doc, block)
	var out bytes.Buffer
	if err := d.renderer.Render(&out, source, doc); err != nil {
		return text.Sanitise(string(source))
	}
	return strings.Trim(out.String(), "\n")
}

// leafBuilder rebuilds the inline nodes of one block.
type leafBuilder struct {
	d      *document
	source []byte
	depth  int
}

// maxInline bounds the nesting of emphasis and links.
const maxInline = 16

func (b *leafBuilder) children(to, from ast.Node, code bool) {
	b.depth++
	defer func() { b.depth-- }()
	for n := from.FirstChild(); n != nil; n = n.NextSibling() {
		b.node(to, n, code)
	}
}

func (b *leafBuilder) node(to, n ast.Node, code bool) {
	if b.depth > maxInline {
		return
	}
	nest := func(made ast.Node, code bool) {
		b.children(made, n, code)
		if made.FirstChild() != nil {
			to.AppendChild(to, made)
		}
	}
	switch n := n.(type) {
	case *ast.Text:
		b.text(to, n, code)
	case *ast.String:
		b.plain(to, string(n.Value), code)
	case *ast.CodeSpan:
		nest(ast.NewCodeSpan(), true)
	case *ast.Emphasis:
		nest(ast.NewEmphasis(n.Level), code)
	case *astext.Strikethrough:
		nest(astext.NewStrikethrough(), code)
	case *ast.Link:
		nest(b.link(), code)
		b.address(to, n.Destination)
	case *ast.Image:
		nest(b.link(), code)
		b.address(to, n.Destination)
	case *ast.AutoLink:
		b.plain(to, string(n.URL(b.d.source)), code)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			b.span(to, s.Start, s.Stop, code)
		}
	case *astext.TaskCheckBox:
		box := "[ ] "
		if n.IsChecked {
			box = "[✓] "
		}
		b.plain(to, box, code)
	default:
		b.children(to, n, code)
	}
}

// link is a link without an address: glamour writes an address in a form of its own,
// which could decode it, unless it is an empty anchor.
func (b *leafBuilder) link() *ast.Link {
	l := ast.NewLink()
	l.Destination = []byte("#")
	return l
}

func (b *leafBuilder) address(to ast.Node, destination []byte) {
	if s := string(destination); s != "" && !strings.HasPrefix(s, "#") {
		b.plain(to, " ("+s+")", false)
	}
}

// text adds a text and its line break. Between Chinese characters a soft break is no
// space.
func (b *leafBuilder) text(to ast.Node, n *ast.Text, code bool) {
	b.span(to, n.Segment.Start, n.Segment.Stop, code)
	switch {
	case n.HardLineBreak():
		b.raw(to, "\n", code)
	case n.SoftLineBreak():
		before, _ := utf8.DecodeLastRune(b.d.source[:n.Segment.Stop])
		after, _ := utf8.DecodeRune(bytes.TrimLeft(b.d.source[n.Segment.Stop:], " \n"))
		if !wide(before) && !wide(after) {
			b.raw(to, " ", code)
		}
	}
}

func wide(r rune) bool {
	return unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60
}

// span adds source[from:to], cut where sentences and extra facts begin and end.
func (b *leafBuilder) span(to ast.Node, from, end int, code bool) {
	for from < end {
		stop := end
		if i := sort.SearchInts(b.d.cuts, from+1); i < len(b.d.cuts) {
			stop = min(stop, b.d.cuts[i])
		}
		b.piece(to, from, stop, code)
		from = stop
	}
}

// piece adds text of one sentence.
func (b *leafBuilder) piece(to ast.Node, from, end int, code bool) {
	s := string(b.d.source[from:end])
	if !code {
		s = html.UnescapeString(unescaped(s))
	}
	s = text.SanitiseLine(s)
	k := b.d.sentenceAt(from)
	if b.d.extraAt(from) {
		s = b.d.p.Block.Raw(markExtra + s)
	}
	s = hidden(k) + s
	if k > 0 && b.d.last[k] == end {
		s += hidden(0) + b.d.tags[k]
	}
	b.raw(to, s, code)
}

// unescaped takes the backslashes of Markdown out, which goldmark leaves in texts.
func unescaped(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// plain adds text that does not stand in the source as such.
func (b *leafBuilder) plain(to ast.Node, s string, code bool) {
	b.raw(to, text.SanitiseLine(s), code)
}

// raw adds safe text, written so that glamour's own decoding gives it back.
func (b *leafBuilder) raw(to ast.Node, s string, code bool) {
	s = strings.ReplaceAll(s, "&", "&amp;")
	if !code {
		s = strings.ReplaceAll(s, `\`, `\\`)
	}
	from := len(b.source)
	b.source = append(b.source, s...)
	to.AppendChild(to, ast.NewTextSegment(gtext.NewSegment(from, len(b.source))))
}

// sentinel is a control sequence that no text can hold and no terminal gets: it names
// the sentence of what follows, 0 for none.
func sentinel(sentence int) string { return fmt.Sprintf("\x1b[%dz", sentence) }

// Sentinels pass through glamour as noncharacters, which sanitised text cannot hold
// either: it would take a control sequence for a style and end it.
const (
	openHidden  = '\ufdd0'
	zeroHidden  = '\ufdd1' // ten of them, one for each digit
	closeHidden = '\ufddb'
)

// hidden is a sentinel as it passes through glamour.
func hidden(sentence int) string {
	b := []rune{openHidden}
	for _, digit := range strconv.Itoa(sentence) {
		b = append(b, zeroHidden+digit-'0')
	}
	return string(append(b, closeHidden))
}

// unhide turns hidden sentinels into control sequences.
func unhide(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= zeroHidden && r < closeHidden {
			return r - zeroHidden + '0'
		}
		return r
	}, strings.NewReplacer(string(openHidden), "\x1b[", string(closeHidden), "z").Replace(s))
}
