package event

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"claimscope/engine/trace"
)

// Outputs are the bulk of a session. They are read and written through the wire form
// of a trace, which goes over them once, and large ones pass between memory and their
// place outside the line without becoming JSON at all.

// toolReturnedWire is ToolReturned in the file.
type toolReturnedWire struct {
	Trace trace.Wire `json:"trace"`
}

// noOutput is where a large output was. It is the last such member of the data: what
// may hold another one, the arguments, comes before.
const noOutput = `"output":""`

// encodeBody gives the data of an event, with large strings handed to put.
func encodeBody(b Body, put PutBlob) ([]byte, []BlobRef, error) {
	r, ok := b.(ToolReturned)
	if !ok {
		data, err := marshal(b)
		if err != nil || put == nil || len(data) <= BlobLimit {
			return data, nil, err
		}
		return extract(data, put)
	}
	output := r.Trace.Output
	outside := put != nil && len(output) > BlobLimit && utf8.Valid(output)
	if outside {
		r.Trace.Output = nil
	}
	data, err := marshal(toolReturnedWire{Trace: r.Trace.Wire()})
	if err != nil {
		return nil, nil, err
	}
	var refs []BlobRef
	if put != nil && len(data) > BlobLimit {
		if data, refs, err = extract(data, put); err != nil {
			return nil, nil, err
		}
	}
	if outside {
		ref, err := store(output, put)
		if err != nil {
			return nil, nil, err
		}
		ref.At = bytes.LastIndex(data, []byte(noOutput)) + len(noOutput) - 2
		refs = append(refs, ref)
	}
	return data, refs, nil
}

// decodeOutside reads a ToolReturned whose large output alone is kept outside the
// line; false when it is not such a one.
func (w wire) decodeOutside(get GetBlob) (Body, bool, error) {
	if w.Type != TypeToolReturned || len(w.Blobs) != 1 || w.Blobs[0].JSON || get == nil ||
		w.Blobs[0].At != bytes.LastIndex(w.Data, []byte(noOutput))+len(noOutput)-2 {
		return nil, false, nil
	}
	var r toolReturnedWire
	if unmarshal(w.Data, &r) != nil || r.Trace.Output != "" {
		return nil, false, nil // the reference is of an argument that is called output
	}
	content, err := fetch(w.Blobs[0], get)
	if err != nil {
		return nil, true, err
	}
	body, err := r.body(content)
	return body, true, err
}

func decodeToolReturned(data []byte) (Body, error) {
	var r toolReturnedWire
	if err := unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", TypeToolReturned, err)
	}
	return r.body([]byte(r.Trace.Output))
}

func (r toolReturnedWire) body(output []byte) (Body, error) {
	t, err := r.Trace.TraceOf(output)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", TypeToolReturned, ErrBadEvent, err)
	}
	return ToolReturned{Trace: t}, nil
}
