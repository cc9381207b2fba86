// Package text is the one door through which outside text (tool output, model
// text, names from files) enters a view. It makes hostile text harmless and
// visible ([Sanitise], [Map]), measures it in terminal cells ([Width],
// [FirstCluster]), cuts and pads it ([Truncate], [Pad], [Fit], [Cut]), breaks it
// into lines by the Unicode line breaking rules ([Wrap], [WrapStyled]) and holds
// the two-language labels of the console ([Label]).
//
// Units are named everywhere: byte offsets into a string, or cells of the
// terminal. Width follows github.com/charmbracelet/x/ansi, the measure that
// Lip Gloss and the Bubble Tea renderer use, so borders line up with theirs;
// characters of ambiguous East Asian width are one cell.
package text
