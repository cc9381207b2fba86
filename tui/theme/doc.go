// Package theme holds the styles of the console by meaning, in three kinds
// (dark, light, without colour) and for true colour, 256 and 16 colours; the
// marks that carry the same meaning without colour; and the detection of the
// terminal's background, which never waits.
//
// Importing Bubble Tea asks the terminal for its background colour while the
// program initialises and waits up to five seconds for the answer, headless
// commands included. This package prevents that: its init tells Lip Gloss a
// background first. It runs first because packages are initialised in the order
// of their import paths once their imports are (Go specification, "Program
// initialization"), and claimscope/tui/theme sorts before github.com/…. It must
// therefore never import Bubble Tea, and whatever imports Bubble Tea must be in
// a program that imports this package. TestInitialisedBeforeBubbleTea holds it.
package theme

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
