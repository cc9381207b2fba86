package event

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Reader reads a session file from its header on, one event at a time, and holds
// it to its order: numbers without gaps, nothing but resumed and reviewed after a
// terminal event.
type Reader struct {
	Header Header

	in    *bufio.Reader
	get   GetBlob
	line  int
	order Order
	end   int64 // offset after the last whole line
	torn  int
}

// NewReader reads the header. Values outside the lines come from get, which may be nil.
// Errors are a *LineError.
func NewReader(r io.Reader, get GetBlob) (*Reader, error) {
	d := &Reader{in: bufio.NewReaderSize(r, 64<<10), get: get}
	line, whole, err := d.next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, &LineError{Line: 1, Err: fmt.Errorf("%w: it is empty", ErrNoHeader)}
	case err != nil:
		return nil, &LineError{Line: 1, Err: err}
	case !whole:
		return nil, &LineError{Line: 1, Err: fmt.Errorf("%w: the first line is cut", ErrNoHeader)}
	}
	if d.Header, err = DecodeHeader(line); err != nil {
		return nil, &LineError{Line: 1, Err: err}
	}
	return d, nil
}

// Next gives the next event, io.EOF after the last whole line, or a *LineError. A
// last line without its newline was never acknowledged: it is left out, and Torn
// tells its length.
func (d *Reader) Next() (Event, error) {
	line, whole, err := d.next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return Event{}, io.EOF
		}
		return Event{}, &LineError{Line: d.line, Err: err}
	}
	if !whole {
		return Event{}, io.EOF
	}
	e, err := Decode(line, d.get)
	if err == nil {
		err = d.order.Check(e)
	}
	if err != nil {
		return Event{}, &LineError{Line: d.line, Err: err}
	}
	return e, nil
}

// Torn is the length in bytes of a last line that was cut, or 0.
func (d *Reader) Torn() int { return d.torn }

// End is the offset in bytes after the last whole line.
func (d *Reader) End() int64 { return d.end }

// Order gives the order that the events read so far obey, for a writer that goes on.
func (d *Reader) Order() Order { return d.order }

// next gives a line without its newline; whole is false for a cut last line.
func (d *Reader) next() (line []byte, whole bool, err error) {
	d.line++
	var buf []byte
	for {
		piece, err := d.in.ReadSlice('\n')
		if len(buf)+len(piece) > MaxLine {
			return nil, false, ErrLineTooLong
		}
		buf = append(buf, piece...)
		switch {
		case err == nil:
			d.end += int64(len(buf))
			return bytes.TrimSuffix(buf, []byte("\n")), true, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			if len(buf) == 0 {
				return nil, false, io.EOF
			}
			d.torn = len(buf)
			return buf, false, nil
		default:
			return nil, false, err
		}
	}
}

// Order is what the sequence of events obeys. The zero value stands before the
// first event.
type Order struct {
	Last  int  // number of the last event
	Ended bool // a terminal event came, and no resumed after it
}

// Check accepts the next event or says why it cannot come here: ErrGap, ErrAfterEnd.
func (o *Order) Check(e Event) error {
	if e.Seq != o.Last+1 {
		return fmt.Errorf("%w: %d after %d", ErrGap, e.Seq, o.Last)
	}
	t := e.Body.Type()
	if o.Ended && t != TypeResumed && t != TypeReviewed {
		return fmt.Errorf("%w: %s", ErrAfterEnd, t)
	}
	o.Last = e.Seq
	switch {
	case t.Terminal():
		o.Ended = true
	case t == TypeResumed:
		o.Ended = false
	}
	return nil
}
