package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ImportError says what is wrong with an imported file, and where.
type ImportError struct {
	File    string // as given, or "-"
	Line    int    // 1 for the first; 0 when it is not of one line
	Pointer string // JSON pointer (RFC 6901), or ""
	Err     error
}

// Error is one line: file, line, pointer, what is wrong.
func (e *ImportError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, ": %s", e.Pointer)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	return b.String()
}

// Unwrap gives the cause.
func (e *ImportError) Unwrap() error { return e.Err }

// value is a JSON value of the imported file that knows where it stands. The whole file
// was found valid before.
type value struct {
	doc     *document
	raw     []byte
	offset  int // of raw in the document
	pointer string
}

// document is an imported file.
type document struct {
	file string
	data []byte
}

// parseDocument checks that data is one JSON value in UTF-8 and gives it. Errors are
// *ImportError.
func parseDocument(file string, data []byte) (value, error) {
	d := &document{file: file, data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return value{}, d.fail(-1, "", errors.New("text is UTF-16; save it as UTF-8"))
	}
	if !utf8.Valid(d.data) {
		at := 0
		for at < len(d.data) {
			r, size := utf8.DecodeRune(d.data[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return value{}, d.fail(at, "", fmt.Errorf("byte 0x%02x is not UTF-8 (a raw output in other bytes belongs into output_base64)", d.data[at]))
	}
	if len(bytes.TrimSpace(d.data)) == 0 {
		return value{}, d.fail(-1, "", errors.New("file is empty"))
	}
	if json.Valid(d.data) {
		raw := bytes.TrimSpace(d.data)
		return value{doc: d, raw: raw, offset: bytes.IndexByte(d.data, raw[0])}, nil
	}
	return value{}, d.invalid()
}

// invalid says why the document is not one JSON value.
func (d *document) invalid() error {
	dec := json.NewDecoder(bytes.NewReader(d.data))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return d.syntax(err)
	}
	_, _ = dec.Token()
	return d.fail(int(dec.InputOffset()), "", errors.New("text after the JSON value"))
}

// fail makes the error at an offset of the document; -1 for none.
func (d *document) fail(offset int, pointer string, err error) error {
	e := &ImportError{File: d.file, Pointer: pointer, Err: err}
	if offset >= 0 {
		e.Line = 1 + bytes.Count(d.data[:min(offset, len(d.data))], []byte("\n"))
	}
	return e
}

func (d *document) syntax(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return d.fail(int(syntax.Offset)-1, "", fmt.Errorf("not JSON: %w", err))
	}
	return d.fail(len(bytes.TrimRight(d.data, "\r\n")), "", errors.New("not JSON: the text is cut"))
}

// fail makes the error at this value.
func (v value) fail(format string, args ...any) error {
	return v.doc.fail(v.offset, v.pointer, fmt.Errorf(format, args...))
}

func (v value) null() bool { return len(v.raw) == 0 || string(v.raw) == "null" }

// kind names the JSON type.
func (v value) kind() string {
	if len(v.raw) == 0 {
		return "missing"
	}
	switch v.raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// child is the value within v that begins at offset at of its bytes, and the offset of
// what follows it and the comma.
func (v value) child(at int, name string) (c value, next int) {
	end := valueEnd(v.raw, at)
	name = strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
	c = value{doc: v.doc, raw: bytes.TrimRight(v.raw[at:end], jsonSpace), offset: v.offset + at, pointer: v.pointer + "/" + name}
	if end = v.skipSpace(end); v.raw[end] == ',' {
		end = v.skipSpace(end + 1)
	}
	return c, end
}

const jsonSpace = " \t\r\n"

func (v value) skipSpace(i int) int {
	for strings.IndexByte(jsonSpace, v.raw[i]) >= 0 {
		i++
	}
	return i
}

// object gives the members of an object; a member that stands there twice is an error.
func (v value) object() (map[string]value, error) {
	if len(v.raw) == 0 || v.raw[0] != '{' {
		return nil, v.fail("is %s, not an object", v.kind())
	}
	members := map[string]value{}
	for i := v.skipSpace(1); v.raw[i] != '}'; {
		colon := v.skipSpace(stringEnd(v.raw, i))
		name := text(v.raw[i:colon])
		c, next := v.child(v.skipSpace(colon+1), name)
		if _, twice := members[name]; twice {
			return nil, c.fail("stands in the object twice")
		}
		members[name], i = c, next
	}
	return members, nil
}

// array gives the items of an array.
func (v value) array() ([]value, error) {
	if len(v.raw) == 0 || v.raw[0] != '[' {
		return nil, v.fail("is %s, not an array", v.kind())
	}
	var items []value
	for i := v.skipSpace(1); v.raw[i] != ']'; {
		c, next := v.child(i, strconv.Itoa(len(items)))
		items, i = append(items, c), next
	}
	return items, nil
}

// text gives a string; missing and null are "".
func (v value) text() (string, error) {
	if v.null() {
		return "", nil
	}
	if v.raw[0] != '"' {
		return "", v.fail("is %s, not a string", v.kind())
	}
	var s string
	if err := json.Unmarshal(v.raw, &s); err != nil {
		return "", v.fail("%w", err)
	}
	return s, nil
}

// into decodes the value; an error of type names the member concerned.
func (v value) into(target any) error {
	err := json.Unmarshal(v.raw, target)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		pointer := v.pointer
		if kind.Field != "" {
			pointer += "/" + strings.ReplaceAll(kind.Field, ".", "/")
		}
		return v.doc.fail(v.offset+int(kind.Offset)-1, pointer, fmt.Errorf("is a JSON %s, want %s", kind.Value, goKind(kind.Type.String())))
	}
	if err != nil {
		return v.fail("%w", err)
	}
	return nil
}

// goKind words a Go type for people who write JSON.
func goKind(name string) string {
	switch {
	case strings.HasPrefix(name, "[]"):
		return "an array"
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "float"):
		return "a number"
	case name == "string", strings.HasPrefix(name, "*time"), strings.HasPrefix(name, "time"):
		return "a string"
	case name == "bool":
		return "true or false"
	}
	return "an object"
}
