package theme

// Marks say without colour what the styles say with it. Each is one cell wide.
const (
	MarkSupported    = "✓"
	MarkUnsupported  = "✗"
	MarkContradicted = "≠"
	MarkNear         = "~"
	MarkUnknown      = "?"
	MarkWarn         = "⚠"
	MarkInfo         = "·"
	MarkNothing      = "∅"

	MarkDone    = "✓"
	MarkRunning = "●"
	MarkWaiting = "○"
	MarkPaused  = "‖"
	MarkFailed  = "✗"

	MarkCursor     = "▸"
	MarkFolded     = "▸"
	MarkBreakpoint = "◆"
	MarkRepaired   = "✎"
)

// Spinner returns the frame of the spinner for a tick count.
func Spinner(tick int) string {
	frames := [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}
	return frames[uint(tick)%uint(len(frames))]
}
