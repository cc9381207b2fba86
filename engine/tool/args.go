package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"claimscope/engine/trace"
)

// ErrArgument is the class of every argument that a tool cannot use. Its text is
// for the model.
var ErrArgument = errors.New("bad argument")

// DecodeArgs reads the arguments into the struct that args points to. An unknown
// argument or a wrong type is an ErrArgument that names it.
func DecodeArgs(raw json.RawMessage, args any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(args); err != nil {
		return fmt.Errorf("%w: %s", ErrArgument, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// Refuse turns an ErrArgument into the reply that a model can act on; any other
// error stays one.
func Refuse(err error) (Result, error) {
	if errors.Is(err, ErrArgument) {
		return Result{Output: []byte("error: " + err.Error() + "\n"), Status: trace.Error}, nil
	}
	return Result{}, err
}

// timeLayouts are the layouts of ParseTime that state no zone.
var timeLayouts = []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02"}

// ParseTime reads a time argument: RFC 3339, seconds or milliseconds since the
// epoch, or a date and time without a zone, which is read in the given zone.
// Another text is an ErrArgument.
func ParseTime(s string, zone *time.Location) (time.Time, error) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t, nil
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && f > 0 && f < 1e14 {
		const msFrom = 1e11 // in seconds: the year 5138
		if f >= msFrom {
			f /= 1000
		}
		return time.UnixMilli(int64(f * 1000)).In(zone), nil
	}
	for _, layout := range timeLayouts {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: %q is no time; write 2006-01-02T15:04:05+08:00 or seconds since the epoch", ErrArgument, s)
}

// Window is a time range; a zero bound is open.
type Window struct{ Start, End time.Time }

// ParseWindow reads optional start and end arguments.
func ParseWindow(start, end string, zone *time.Location) (Window, error) {
	var w Window
	var err error
	if start != "" {
		if w.Start, err = ParseTime(start, zone); err != nil {
			return w, err
		}
	}
	if end != "" {
		if w.End, err = ParseTime(end, zone); err != nil {
			return w, err
		}
	}
	if !w.Start.IsZero() && !w.End.IsZero() && w.End.Before(w.Start) {
		return w, fmt.Errorf("%w: end lies before start", ErrArgument)
	}
	return w, nil
}

// Contains reports whether t lies in the window, bounds included.
func (w Window) Contains(t time.Time) bool {
	return (w.Start.IsZero() || !t.Before(w.Start)) && (w.End.IsZero() || !t.After(w.End))
}
