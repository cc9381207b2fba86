// Package widget holds the parts that panes are made of: a virtual view of texts
// of any size ([TextView] over a [Source]), a foldable [Tree], a [List], frames
// and layout. They are plain structs with methods, know nothing of Bubble Tea,
// and draw themselves as lines of exactly the width they were given.
//
// Offsets are bytes of the raw text, spans are half open, widths and columns are
// cells. Everything drawn has passed claimscope/tui/text.
package widget
