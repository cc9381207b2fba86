package event

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// BlobLimit is the length, in bytes of JSON text, over which a string of an event
// is kept outside the line (spec E1).
const BlobLimit = 256 << 10

// maxBlobs bounds the values of one event that are kept outside the line, in bytes.
const maxBlobs = 1 << 30

// BlobRef says where a value that is kept outside the line belongs.
//
// References stand beside the data, not in it: the data holds JSON of a model's
// own writing (arguments, payloads), which could otherwise forge one.
type BlobRef struct {
	At     int    `json:"at"`     // byte offset, in the data as stored, of the "" that stands for the value
	SHA256 string `json:"sha256"` // of the content, hexadecimal
	Bytes  int    `json:"bytes"`  // length of the content
	// JSON is true when the content is the string in JSON notation, because
	// encoding it anew would not give the same bytes.
	JSON bool `json:"json,omitempty"`
}

// PutBlob stores content under its SHA-256. Storing the same content again is no error.
type PutBlob func(sha256hex string, content []byte) error

// GetBlob fetches a content. Its result is verified by the caller.
type GetBlob func(sha256hex string) ([]byte, error)

// extract hands each string value of data that is longer than BlobLimit to put and
// leaves "" in its place. Data is valid compact JSON.
func extract(data []byte, put PutBlob) ([]byte, []BlobRef, error) {
	var refs []BlobRef
	out := make([]byte, 0, BlobLimit)
	copied := 0
	for i := 0; i < len(data); {
		if data[i] != '"' {
			i++
			continue
		}
		end := stringEnd(data, i)
		key := end < len(data) && data[end] == ':'
		if end-i-2 > BlobLimit && !key {
			content, asJSON, err := blobContent(data[i:end])
			if err != nil {
				return nil, nil, err
			}
			ref, err := store(content, put)
			if err != nil {
				return nil, nil, err
			}
			out = append(out, data[copied:i]...)
			ref.At, ref.JSON = len(out), asJSON
			refs = append(refs, ref)
			out = append(out, `""`...)
			copied = end
		}
		i = end
	}
	return append(out, data[copied:]...), refs, nil
}

// store hands content to put and gives its reference, without a place.
func store(content []byte, put PutBlob) (BlobRef, error) {
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:])
	if err := put(name, content); err != nil {
		return BlobRef{}, fmt.Errorf("large value: %w", err)
	}
	return BlobRef{SHA256: name, Bytes: len(content)}, nil
}

// blobContent gives the text of a JSON string, or the string itself when the text
// does not lead back to it.
func blobContent(token []byte) (content []byte, asJSON bool, err error) {
	var s string
	if err := json.Unmarshal(token, &s); err != nil {
		return nil, false, err
	}
	again, err := marshal(s)
	if err != nil {
		return nil, false, err
	}
	if bytes.Equal(again, token) {
		return []byte(s), false, nil
	}
	return token, true, nil
}

// restore puts the values back. A reference that does not fit the data, or whose
// content is missing or has another hash, is an error that wraps ErrBlob.
func restore(data []byte, refs []BlobRef, get GetBlob) ([]byte, error) {
	if get == nil {
		return nil, fmt.Errorf("%w: it is kept outside the file", ErrBlob)
	}
	out := make([]byte, 0, len(data))
	copied, total := 0, 0
	for _, ref := range refs {
		if total += max(ref.Bytes, 0); total > maxBlobs {
			return nil, fmt.Errorf("%w: more than 1 GiB in one event", ErrBlob)
		}
		if ref.At < copied || ref.At > len(data)-2 || string(data[ref.At:ref.At+2]) != `""` {
			return nil, fmt.Errorf("%w: reference to offset %d does not fit", ErrBlob, ref.At)
		}
		token, err := fetchToken(ref, get)
		if err != nil {
			return nil, err
		}
		out = append(append(out, data[copied:ref.At]...), token...)
		copied = ref.At + 2
	}
	return append(out, data[copied:]...), nil
}

// fetch gives the content of a reference after checking its hash.
func fetch(ref BlobRef, get GetBlob) ([]byte, error) {
	if !validSum(ref.SHA256) || ref.Bytes < 0 || ref.Bytes > maxBlobs {
		return nil, fmt.Errorf("%w: bad reference", ErrBlob)
	}
	content, err := get(ref.SHA256)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBlob, err)
	}
	if sum := sha256.Sum256(content); len(content) != ref.Bytes || hex.EncodeToString(sum[:]) != ref.SHA256 {
		return nil, fmt.Errorf("%w: content of %s is damaged", ErrBlob, ref.SHA256)
	}
	return content, nil
}

// fetchToken gives the JSON string that ref stands for.
func fetchToken(ref BlobRef, get GetBlob) ([]byte, error) {
	content, err := fetch(ref, get)
	if err != nil {
		return nil, err
	}
	if !ref.JSON {
		return marshal(string(content))
	}
	if len(content) < 2 || content[0] != '"' || !json.Valid(content) {
		return nil, fmt.Errorf("%w: content of %s is no JSON string", ErrBlob, ref.SHA256)
	}
	return content, nil
}

// validSum reports whether s is a SHA-256 in lower-case hexadecimal; such a string
// is a safe file name.
func validSum(s string) bool {
	return len(s) == 2*sha256.Size && !slices.ContainsFunc([]byte(s), func(b byte) bool {
		return (b < '0' || b > '9') && (b < 'a' || b > 'f')
	})
}

// stringEnd gives the offset just after the JSON string that starts at i, or the
// length of data when it is not closed.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return len(data)
		}
		i += n
		slashes := 0
		for data[i-1-slashes] == '\\' {
			slashes++
		}
		i++
		if slashes%2 == 0 {
			return i
		}
	}
	return len(data)
}
