package event

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"claimscope/engine/model"
)

// executorOutputWire is ExecutorOutput in the file. A message that is not UTF-8
// goes to message_base64, so that positions in it stay what they are.
type executorOutputWire struct {
	Message       string             `json:"message"`
	MessageBase64 string             `json:"message_base64,omitempty"`
	Finish        model.FinishReason `json:"finish_reason,omitempty"`
}

// MarshalJSON writes the message so that no byte is lost.
func (o ExecutorOutput) MarshalJSON() ([]byte, error) {
	w := executorOutputWire{Message: o.Message, Finish: o.Finish}
	if !utf8.ValidString(o.Message) {
		w.Message, w.MessageBase64 = "", base64.StdEncoding.EncodeToString([]byte(o.Message))
	}
	return marshal(w)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (o *ExecutorOutput) UnmarshalJSON(data []byte) error {
	var w executorOutputWire
	if err := unmarshal(data, &w); err != nil {
		return err
	}
	*o = ExecutorOutput{Message: w.Message, Finish: w.Finish}
	if w.MessageBase64 != "" {
		raw, err := base64.StdEncoding.DecodeString(w.MessageBase64)
		if err != nil {
			return fmt.Errorf("message_base64: %w", err)
		}
		o.Message = string(raw)
	}
	return nil
}

// Normalise gives e as it will be read back: time in UTC without a monotonic
// reading, embedded JSON in compact form. Writers publish this form, so that what
// is seen live and what is replayed are the same.
func Normalise(e Event) (Event, error) {
	e.Time = e.Time.Round(0).UTC()
	var err error
	switch b := e.Body.(type) {
	case ToolCalled:
		b.Arguments, err = compact(b.Arguments)
		e.Body = b
	case ToolReturned:
		b.Trace.Arguments, err = compact(b.Trace.Arguments)
		b.Trace.Started = b.Trace.Started.Round(0).UTC()
		e.Body = b
	case VerifierPayload:
		b.Payload, err = compact(b.Payload)
		e.Body = b
	}
	if err != nil {
		return Event{}, fmt.Errorf("event %d: %s: %w", e.Seq, e.Body.Type(), err)
	}
	return e, nil
}

func compact(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return raw, nil
	}
	var buf bytes.Buffer
	buf.Grow(len(raw))
	if err := json.Compact(&buf, raw); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
