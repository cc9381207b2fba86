package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// MaxLine bounds a line of a session file, in bytes. Values over BlobLimit live
// outside the line, so only a damaged or foreign file comes near it.
const MaxLine = 64 << 20

// wire is an event as it stands in the file. The order of the fields is part of
// the format: a listing reads the type without decoding the data.
type wire struct {
	Seq     int             `json:"seq"`
	Time    time.Time       `json:"time"`
	Attempt int             `json:"attempt"`
	Stage   Stage           `json:"stage"`
	Type    Type            `json:"type"`
	Data    json.RawMessage `json:"data"`
	Blobs   []BlobRef       `json:"blobs,omitempty"`
}

// EncodeHeader gives the first line of a session file, newline included.
func EncodeHeader(h Header) ([]byte, error) {
	line, err := marshal(h)
	if err != nil {
		return nil, fmt.Errorf("event: header: %w", err)
	}
	return append(line, '\n'), nil
}

// Encode gives the line of an event, newline included. Each string of the data
// that is longer than BlobLimit is handed to put and replaced by a reference; with
// a nil put everything stays in the line.
func Encode(e Event, put PutBlob) ([]byte, error) {
	if e.Body == nil {
		return nil, fmt.Errorf("event %d: no body", e.Seq)
	}
	data, refs, err := encodeBody(e.Body, put)
	if err != nil {
		return nil, fmt.Errorf("event %d: %s: %w", e.Seq, e.Body.Type(), err)
	}
	line, err := envelope(e, data, refs)
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	if len(line) >= MaxLine {
		return nil, fmt.Errorf("event %d: %s: %w", e.Seq, e.Body.Type(), ErrLineTooLong)
	}
	return append(line, '\n'), nil
}

// DecodeHeader reads the first line of a session file. A file of a newer schema
// gives a *NewerError, anything that is no header ErrNoHeader.
func DecodeHeader(line []byte) (Header, error) {
	var probe struct {
		Schema *int   `json:"schema"`
		ID     string `json:"id"`
	}
	if err := json.Unmarshal(line, &probe); err != nil || probe.Schema == nil || *probe.Schema < 1 {
		return Header{}, ErrNoHeader
	}
	if *probe.Schema > SchemaVersion {
		return Header{}, &NewerError{Schema: *probe.Schema}
	}
	if probe.ID == "" {
		return Header{}, fmt.Errorf("%w: it has no id", ErrNoHeader)
	}
	var h Header
	if err := unmarshal(line, &h); err != nil {
		return Header{}, fmt.Errorf("%w: %w", ErrNoHeader, err)
	}
	return h, nil
}

// Decode reads the line of one event. Values outside the line are fetched by get
// and their hashes checked; with a nil get an event that refers to any is an error.
func Decode(line []byte, get GetBlob) (Event, error) {
	if len(line) > MaxLine {
		return Event{}, ErrLineTooLong
	}
	// The data is most of a line. As this program writes it, it is the last member,
	// and need not be scanned once more just to find its end.
	if w, ok := splitLine(line); ok {
		if e, err := w.event(get); err == nil {
			return e, nil
		}
	}
	var w wire
	if err := unmarshal(line, &w); err != nil {
		return Event{}, err
	}
	return w.event(get)
}

// splitLine reads an envelope that ends in its data; false when it does not look so.
func splitLine(line []byte) (wire, bool) {
	const mark = `,"data":`
	at := bytes.Index(line[:min(len(line), 256)], []byte(mark))
	line = bytes.TrimSuffix(line, []byte("\n"))
	if at < 0 || !bytes.HasSuffix(line, []byte("}")) {
		return wire{}, false
	}
	var w wire
	if unmarshal(append(bytes.Clone(line[:at]), '}'), &w) != nil {
		return wire{}, false
	}
	w.Data = line[at+len(mark) : len(line)-1]
	return w, true
}

// event checks the envelope and reads the data.
func (w wire) event(get GetBlob) (Event, error) {
	if w.Attempt < 0 {
		return Event{}, fmt.Errorf("%w: attempt %d", ErrBadEvent, w.Attempt)
	}
	if !knownStage(w.Stage) {
		return Event{}, fmt.Errorf("%w %q", ErrUnknownStage, w.Stage)
	}
	body, outside, err := w.decodeOutside(get)
	if err == nil && !outside {
		body, err = w.body(get)
	}
	if err != nil {
		return Event{}, err
	}
	return Event{Seq: w.Seq, Time: w.Time, Attempt: w.Attempt, Stage: w.Stage, Body: body}, nil
}

// body reads the data, with what is kept outside put back.
func (w wire) body(get GetBlob) (Body, error) {
	data := []byte(w.Data)
	if len(w.Blobs) > 0 {
		var err error
		if data, err = restore(data, w.Blobs, get); err != nil {
			return nil, err
		}
	}
	if len(data) == 0 || data[0] != '{' {
		return nil, fmt.Errorf("%w: %s: data is no object", ErrBadEvent, w.Type)
	}
	return decodeBody(w.Type, data)
}

// envelope wraps the data, which is compact JSON already and is copied once.
func envelope(e Event, data []byte, refs []BlobRef) ([]byte, error) {
	at, err := e.Time.MarshalJSON()
	if err != nil {
		return nil, err
	}
	line := make([]byte, 0, len(data)+256)
	line = fmt.Appendf(line, `{"seq":%d,"time":%s,"attempt":%d,"stage":%q,"type":%q,"data":`,
		e.Seq, at, e.Attempt, e.Stage, e.Body.Type())
	line = append(line, data...)
	if len(refs) > 0 {
		list, err := marshal(refs)
		if err != nil {
			return nil, err
		}
		line = append(append(line, `,"blobs":`...), list...)
	}
	return append(line, '}'), nil
}

// marshal writes JSON on one line and leaves <, > and & as they are, so that
// arguments and payloads keep their bytes.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// unmarshal reads exactly one JSON value without unknown fields.
func unmarshal(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return fmt.Errorf("%w: the line is cut", ErrBadEvent)
		}
		return fmt.Errorf("%w: %w", ErrBadEvent, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: text after the value", ErrBadEvent)
	}
	return nil
}

func knownStage(s Stage) bool {
	switch s {
	case "", Planner, Executor, Parse, Gatekeeper, Verifier, Route, Answer:
		return true
	}
	return false
}
