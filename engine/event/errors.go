package event

import (
	"errors"
	"fmt"
)

// The errors of the codec. Reader wraps them in a *LineError.
var (
	ErrNoHeader     = errors.New("not a claimscope session file")
	ErrBadEvent     = errors.New("malformed event")
	ErrUnknownType  = errors.New("unknown event type")
	ErrUnknownStage = errors.New("unknown stage")
	ErrGap          = errors.New("gap in the event numbers")
	ErrAfterEnd     = errors.New("event after the end of the session")
	ErrLineTooLong  = errors.New("line is longer than 64 MiB")
	ErrBlob         = errors.New("large value cannot be read")
)

// NewerError refuses a file of a schema that this program does not know.
type NewerError struct{ Schema int }

// Error names the schema.
func (e *NewerError) Error() string {
	return fmt.Sprintf("written by a newer claimscope (schema %d, this one reads up to %d)", e.Schema, SchemaVersion)
}

// LineError says at which line of a session file reading failed.
type LineError struct {
	Line int // 1 is the header
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap gives the cause.
func (e *LineError) Unwrap() error { return e.Err }
