package tracepane

import (
	"claimscope/tui/view"
	"claimscope/tui/widget"
)

// id identifies an output: snapshots of the state share its bytes.
type id struct {
	ref  string
	data *byte
	len  int
}

// shown is one output with its place.
type shown struct {
	ref    string
	output []byte
	text   *widget.TextView
	// laid is the output with its JSON laid out, once it was asked for; nil before that,
	// and when there is no JSON in it or too much.
	laid   *widget.TextView
	layout widget.PrettyText
	asked  bool
}

// maxLaid is the largest output that is laid out, in bytes: it is done within a key press.
const maxLaid = 16 << 20

// view is the text on screen.
func (s *shown) view(pretty bool) *widget.TextView {
	if pretty && s.laid != nil {
		return s.laid
	}
	return s.text
}

// span moves raw bytes to the text on screen.
func (s *shown) span(pretty bool, start, end int) (from, to int) {
	if pretty && s.laid != nil {
		return s.layout.Span(start, end)
	}
	return start, end
}

// layOut lays the JSON of the output out.
func (s *shown) layOut(made func(*widget.Source) *widget.TextView) {
	if s.asked {
		return
	}
	s.asked = true
	if len(s.output) > maxLaid {
		return
	}
	laid, err := widget.Pretty(string(s.output))
	if err != nil || !laid.Changed {
		return
	}
	s.layout = laid
	s.laid = made(widget.NewSourceString(laid.Text))
}

// marks translates the evidence's marks. The edited characters of a near quote are cut
// out of the current place, so that they are seen in it.
func marks(all []view.Mark) []widget.Mark {
	var out, edited []widget.Mark
	for _, m := range all {
		if m.Kind == view.MarkEdited {
			edited = append(edited, widget.Mark{Start: m.Span.Start, End: m.Span.End, Class: widget.ClassDelete})
		}
	}
	for _, m := range all {
		k := widget.Mark{Start: m.Span.Start, End: m.Span.End}
		switch m.Kind {
		case view.MarkOther:
			k.Class = widget.ClassOther
		case view.MarkFact:
			k.Class = widget.ClassFact
		case view.MarkCurrent:
			k.Class = widget.ClassCurrent
			for _, e := range edited { // in order
				if e.Start > k.Start && e.Start < k.End {
					out = append(out, widget.Mark{Start: k.Start, End: e.Start, Class: k.Class})
				}
				if e.Start < k.End && e.End > k.Start {
					k.Start = e.End
				}
			}
		case view.MarkEdited:
			continue
		}
		out = append(out, k)
	}
	return append(out, edited...)
}
