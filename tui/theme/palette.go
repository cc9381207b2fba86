package theme

import "github.com/charmbracelet/lipgloss"

// palette is the set of hues a theme is made of. They follow Okabe and Ito,
// "Color Universal Design" (2008), made lighter or darker until each has a
// contrast of at least 4.5:1 (WCAG 2.1, 1.4.3) on the page and on every background
// that it may come to stand on; faint has 3:1 (1.4.11) on the latter. Tests check
// that, and that the hues stay apart for red-green blind eyes. The 256 and 16 colour
// values are chosen by hand: automatic conversion merges them.
type palette struct {
	text, dim, faint   lipgloss.TerminalColor
	green, red, orange lipgloss.TerminalColor
	blue, purple       lipgloss.TerminalColor
	// Backgrounds, with the text colour to put on them.
	current, currentText lipgloss.TerminalColor
	other, otherText     lipgloss.TerminalColor
	search, searchText   lipgloss.TerminalColor
	insert, remove       lipgloss.TerminalColor
	// Backgrounds under text that keeps its own colours; but for the bar there is none
	// among the 16.
	bar, selection, linked lipgloss.TerminalColor
	inverse                lipgloss.TerminalColor // text on a hue used as background
}

func colour(trueColour, ansi256, ansi string) lipgloss.TerminalColor {
	return lipgloss.CompleteColor{TrueColor: trueColour, ANSI256: ansi256, ANSI: ansi}
}

var dark = palette{
	text: lipgloss.NoColor{}, dim: colour("#ababab", "248", "7"), faint: colour("#8c8c8c", "245", "8"),
	green: colour("#2ac79b", "43", "10"), red: colour("#ff8552", "209", "9"), orange: colour("#e6b000", "178", "11"),
	blue: colour("#5cb8ec", "74", "14"), purple: colour("#dc97bd", "176", "13"),
	current: colour("#f0e442", "227", "11"), currentText: colour("#000000", "16", "0"),
	other: colour("#1f4e70", "24", "4"), otherText: colour("#ffffff", "231", "15"),
	search: colour("#7a3f66", "96", "5"), searchText: colour("#ffffff", "231", "15"),
	insert: colour("#5cb8ec", "74", "14"), remove: colour("#ff8552", "209", "9"),
	bar: colour("#2c2c2c", "235", "0"), selection: colour("#37393f", "237", ""), linked: colour("#1b3346", "17", ""),
	inverse: colour("#000000", "16", "0"),
}

var light = palette{
	text: lipgloss.NoColor{}, dim: colour("#575757", "240", "8"), faint: colour("#6b6b6b", "242", "8"),
	green: colour("#00694c", "23", "2"), red: colour("#b03a00", "124", "1"), orange: colour("#7d5a00", "94", "3"),
	blue: colour("#005a91", "24", "4"), purple: colour("#8a3b68", "89", "5"),
	current: colour("#ffe14d", "221", "11"), currentText: colour("#000000", "16", "0"),
	other: colour("#b9dcf2", "153", "14"), otherText: colour("#000000", "16", "0"),
	search: colour("#ecc6da", "182", "13"), searchText: colour("#000000", "16", "0"),
	insert: colour("#005a91", "24", "4"), remove: colour("#b03a00", "124", "1"),
	bar: colour("#e8e8e8", "255", "15"), selection: colour("#dbe4ee", "254", ""), linked: colour("#d3e8f6", "195", ""),
	inverse: colour("#ffffff", "231", "15"),
}
