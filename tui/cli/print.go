package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"claimscope/engine/trace"
	"claimscope/tui/text"
)

// The marks carry the meaning; nothing depends on colour.
const (
	markGood     = "✓"
	markBad      = "✗"
	markContrary = "≠"
	markUnknown  = "?"
	markWarn     = "~"
	markInfo     = "·"
)

// Bounds of the width of a report, in cells: narrower is not readable, wider is not read.
const (
	minWidth     = 40
	maxWidth     = 160
	defaultWidth = 100 // where the output is no terminal
)

// width is how wide reports are: COLUMNS, else the terminal's width.
func (a *App) width() int {
	w, err := strconv.Atoi(a.Getenv("COLUMNS"))
	if (err != nil || w <= 0) && a.Width != nil {
		w = a.Width()
	}
	if w <= 0 {
		w = defaultWidth
	}
	return min(max(w, minWidth), maxWidth)
}

// colour reports whether stdout takes colour (https://no-color.org).
func (a *App) colour() bool {
	return a.StdoutIsTerminal && a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
}

// safe is text that may go to a terminal: sanitised, or made here.
type safe string

// clean makes text from outside safe. It stays on one line.
func clean(s string) safe { return safe(text.SanitiseLine(s)) }

// cleanf is clean of a formatted text.
func cleanf(format string, args ...any) safe { return clean(fmt.Sprintf(format, args...)) }

// style is one of the few that a report uses, as SGR parameters.
type style string

const (
	green  style = "32"
	red    style = "31"
	yellow style = "33"
	bold   style = "1"
	dim    style = "2"
)

// printer writes reports for a person, wrapped to its width. The first error of the
// writer stays, and nothing is written after it.
type printer struct {
	w      io.Writer
	lang   text.Lang
	width  int // in cells
	colour bool
	traces map[string]trace.Trace
	shown  map[place]bool // lines of outputs printed for the claim at hand
	err    error
}

// place is a line of a trace's output.
type place struct {
	ref  string
	line int // 1 for the first
}

// printer makes a report on stdout.
func (a *App) printer(w io.Writer) *printer {
	return &printer{w: w, lang: a.lang, width: a.width(), colour: a.colour(), traces: map[string]trace.Trace{}, shown: map[place]bool{}}
}

// know tells the printer which outputs the report may quote.
func (p *printer) know(traces []trace.Trace) {
	for _, t := range traces {
		if _, twice := p.traces[t.Ref]; !twice {
			p.traces[t.Ref] = t
		}
	}
}

func (p *printer) say(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(p.lang) }

// paint styles text where colour is allowed.
func (p *printer) paint(s style, t safe) safe {
	if !p.colour || t == "" {
		return t
	}
	return safe("\x1b["+string(s)+"m") + t + "\x1b[0m"
}

// put prints the parts as one paragraph: indented, wrapped, the lines after the first
// hanging by hang cells more.
func (p *printer) put(indent, hang int, parts ...safe) {
	var b strings.Builder
	for _, s := range parts {
		b.WriteString(string(s))
	}
	for _, l := range text.WrapStyled(b.String(), p.width-indent, hang) {
		p.raw(safe(text.Spaces(indent) + l))
	}
}

// line prints a paragraph of one formatted text.
func (p *printer) line(format string, args ...any) { p.put(0, 2, cleanf(format, args...)) }

// raw prints a line as it is.
func (p *printer) raw(line safe) {
	if p.err != nil {
		return
	}
	if _, err := io.WriteString(p.w, strings.TrimRight(string(line), " ")+"\n"); err != nil {
		p.err = &outputError{err}
	}
}

// block prints text of several lines, each wrapped.
func (p *printer) block(indent int, s string) {
	for l := range strings.SplitSeq(s, "\n") {
		p.put(indent, 0, clean(strings.TrimRight(l, "\r")))
	}
}

// mark is a mark in its colour.
func (p *printer) mark(m string) safe {
	switch m {
	case markGood:
		return p.paint(green, safe(m))
	case markBad, markContrary:
		return p.paint(red, safe(m))
	case markWarn, markUnknown:
		return p.paint(yellow, safe(m))
	}
	return p.paint(dim, safe(m))
}
