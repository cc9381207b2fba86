package session

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// evidenceLines cuts the lines of a span out of an output: at most five, each at most
// about 240 runes around the marked words.
func evidenceLines(output []byte, start, end int) []evidenceLine {
	const most = 5
	start = min(max(start, 0), len(output))
	end = min(max(end, start), len(output))
	number := 1 + bytes.Count(output[:start], []byte("\n"))
	var lines []evidenceLine
	for at := start; len(lines) < most; number++ {
		first := bytes.LastIndexByte(output[:at], '\n') + 1
		last := len(output)
		if n := bytes.IndexByte(output[at:], '\n'); n >= 0 {
			last = at + n
		}
		from, to := max(first, start), min(last, end)
		lines = append(lines, evidenceLine{
			number: number, before: tail(output[first:from]), marked: clean(shorten(string(output[from:to]), 240)),
			after: clean(shorten(string(output[to:last]), 120)),
		})
		if last >= end || last == len(output) {
			break
		}
		at = last + 1
	}
	return lines
}

// tail gives the end of what stands before the marked words.
func tail(b []byte) string {
	const runes, bytesMost = 120, 480
	cut := len(b) > bytesMost
	if cut {
		b = b[len(b)-bytesMost:]
		for len(b) > 0 && !utf8.RuneStart(b[0]) {
			b = b[1:]
		}
	}
	text := []rune(clean(string(b)))
	if len(text) > runes {
		text, cut = text[len(text)-runes:], true
	}
	if cut {
		return "…" + string(text)
	}
	return string(text)
}

// shorten cuts text to so many runes.
func shorten(text string, runes int) string {
	n := 0
	for i := range text {
		if n == runes {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// clean makes text of models and tools safe to show: control characters, bidirectional
// and invisible ones and bytes that are no text are spelled out (spec H1). Line breaks
// and tabs stay.
func clean(text string) string {
	bad := func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029)
	}
	if utf8.ValidString(text) && strings.IndexFunc(text, bad) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case bad(r):
			fmt.Fprintf(&b, "⟪U+%04X⟫", r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// mdEscape takes away the meaning that inline text has in Markdown.
var mdEscape = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `&lt;`, ">", `&gt;`, "#", `\#`, "|", `\|`,
	"!", `\!`, "~", `\~`, "&", "&amp;", "\n", " ", "$", `\$`,
)

// mdProse leaves Markdown as it is, but for what reaches out of the text.
var mdProse = strings.NewReplacer("<", "&lt;", "![", `!\[`, "](", `]\(`)

// writeMarkdown writes a report as GitHub-flavoured Markdown.
func writeMarkdown(w io.Writer, blocks []block) error {
	var b strings.Builder
	for i, bl := range blocks {
		if _, list := bl.(bullet); i > 0 && (!list || !isBullet(blocks[i-1])) {
			b.WriteByte('\n')
		}
		switch x := bl.(type) {
		case heading:
			fmt.Fprintf(&b, "%s %s\n", strings.Repeat("#", x.level), mdEscape.Replace(x.text))
		case facts:
			b.WriteString("| | |\n|---|---|\n")
			for _, row := range x {
				fmt.Fprintf(&b, "| %s | %s |\n", mdEscape.Replace(row[0]), mdEscape.Replace(row[1]))
			}
		case bullet:
			text := mdEscape.Replace(x.text)
			if x.bad {
				text = "**" + strings.TrimSpace(text) + "**"
			}
			fmt.Fprintf(&b, "%s- %s\n", strings.Repeat("  ", x.depth), text)
		case evidence:
			var lines strings.Builder
			for _, l := range x.lines {
				fmt.Fprintf(&lines, "%d  %s▌%s▐%s\n", l.number, l.before, l.marked, l.after)
			}
			fence := strings.Repeat("`", max(3, longestRun(lines.String(), '`')+1))
			fmt.Fprintf(&b, "%stext\n%s%s\n", fence, lines.String(), fence)
		case prose:
			for line := range strings.Lines(mdProse.Replace(x.text)) {
				fmt.Fprintf(&b, "> %s\n", strings.TrimRight(line, "\n"))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func isBullet(b block) bool { _, ok := b.(bullet); return ok }

// longestRun is the length of the longest run of c.
func longestRun(text string, c byte) int {
	longest, n := 0, 0
	for i := range len(text) {
		if text[i] == c {
			n++
			longest = max(longest, n)
		} else {
			n = 0
		}
	}
	return longest
}

const htmlHead = `<!DOCTYPE html>
<html lang="%s">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
body{font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.2rem;border-bottom:1px solid #d0d7de;margin-top:2rem}h3{font-size:1rem}
table{border-collapse:collapse}td{border:1px solid #d0d7de;padding:.2rem .6rem;vertical-align:top}td:first-child{color:#57606a;white-space:nowrap}
pre{background:#f6f8fa;padding:.6rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
mark{background:#ffe08a;color:inherit;outline:1px solid #9a6700}.n{color:#57606a;user-select:none}
li.bad{font-weight:600;color:#a40e26}li.d1{margin-left:1.5rem}blockquote{border-left:4px solid #d0d7de;margin:0;padding:0 1rem;white-space:pre-wrap}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}pre{background:#161b22}mark{background:#5c4400}li.bad{color:#ff9ba0}}
@media print{body{max-width:none}}
</style>
</head>
<body>
`

// writeHTML writes a report as one HTML file without scripts or outer resources.
func writeHTML(w io.Writer, blocks []block, lang Lang) error {
	var b strings.Builder
	title := ""
	if h, ok := blocks[0].(heading); ok {
		title = h.text
	}
	code := "en"
	if lang == ZH {
		code = "zh-CN"
	}
	esc := html.EscapeString
	fmt.Fprintf(&b, htmlHead, code, esc(title))
	for i, bl := range blocks {
		if i > 0 && isBullet(blocks[i-1]) && !isBullet(bl) {
			b.WriteString("</ul>\n")
		}
		switch x := bl.(type) {
		case heading:
			fmt.Fprintf(&b, "<h%d>%s</h%d>\n", x.level, esc(x.text), x.level)
		case facts:
			b.WriteString("<table>\n")
			for _, row := range x {
				fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td></tr>\n", esc(row[0]), esc(row[1]))
			}
			b.WriteString("</table>\n")
		case bullet:
			if i == 0 || !isBullet(blocks[i-1]) {
				b.WriteString("<ul>\n")
			}
			class := fmt.Sprintf("d%d", x.depth)
			if x.bad {
				class += " bad"
			}
			fmt.Fprintf(&b, "<li class=\"%s\">%s</li>\n", class, esc(x.text))
		case evidence:
			b.WriteString("<pre>")
			for _, l := range x.lines {
				fmt.Fprintf(&b, "<span class=\"n\">%d</span>  %s<mark>%s</mark>%s\n", l.number, esc(l.before), esc(l.marked), esc(l.after))
			}
			b.WriteString("</pre>\n")
		case prose:
			fmt.Fprintf(&b, "<blockquote>%s</blockquote>\n", esc(x.text))
		}
	}
	if isBullet(blocks[len(blocks)-1]) {
		b.WriteString("</ul>\n")
	}
	b.WriteString("</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
