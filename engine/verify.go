package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/session"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// ErrNoOutput says that a session holds no Executor output to verify.
var ErrNoOutput = errors.New("the session holds no Executor output")

// Verification is the outcome of parsing and gating one file without any model.
type Verification struct {
	File     string
	ID       string
	Contract *contract.Contract // nil when nothing parsed
	Reason   string             // why the output did not parse as it stands, or ""
	ReasonZH string
	Traces   []trace.Trace
	Report   gate.Report
	// Recorded is the decision recorded in a session, "" when it ended without one; nil
	// for what is no session.
	Recorded *verdict.Decision
	Torn     int // length in bytes of a session's cut last line, which is left out
}

// MarshalJSON writes the form of spec I5.
func (v Verification) MarshalJSON() ([]byte, error) {
	report := v.Report
	return json.Marshal(struct {
		File string `json:"file"`
		ID   string `json:"id"`
		*gate.Report
		Recorded *verdict.Decision `json:"recorded,omitempty"`
	}{v.File, v.ID, &report, v.Recorded})
}

// VerifyFile parses and gates a case, a snapshot or a session file, anew and without
// any model. Errors say what is wrong and where.
func (e *Engine) VerifyFile(name string) (Verification, error) {
	f, info, err := openInput(name)
	if err != nil {
		return Verification{}, err
	}
	defer func() { _ = f.Close() }()
	if !info.Mode().IsRegular() { // a pipe can be read once only
		data, err := readBounded(f, name)
		if err != nil {
			return Verification{}, err
		}
		return e.Verify(name, data)
	}
	in := bufio.NewReaderSize(f, headerBytes)
	head, err := in.Peek(headerBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return Verification{}, err
	}
	if strings.HasSuffix(name, session.Ext) || isSession(head) {
		rec, err := session.ReadFile(name)
		if err != nil {
			return Verification{}, err
		}
		return e.verifySession(name, rec)
	}
	if info.Size() > session.MaxImportBytes {
		return Verification{}, tooLarge(name)
	}
	data, err := readBounded(in, name)
	if err != nil {
		return Verification{}, err
	}
	return e.verifyImport(name, data)
}

// Verify is VerifyFile for bytes from anywhere, such as standard input ("-").
func (e *Engine) Verify(name string, data []byte) (Verification, error) {
	if !isSession(data) {
		return e.verifyImport(name, data)
	}
	rec, err := session.Read(bytes.NewReader(data))
	if err != nil {
		return Verification{}, fmt.Errorf("%s: %w", name, err)
	}
	return e.verifySession(name, rec)
}

// VerifyOutput parses and gates bytes as the Executor's final output, without traces.
func (e *Engine) VerifyOutput(name string, data []byte) Verification {
	v := e.verify(contract.Parse(e.mask.Bytes(data)), nil, "")
	v.File, v.ID = name, name
	return v
}

// verifySession gates the last attempt that has an output.
func (e *Engine) verifySession(name string, rec *Recording) (Verification, error) {
	st := rec.State()
	last := lastOutput(&st)
	if last == nil {
		return Verification{}, fmt.Errorf("%s: %w", name, ErrNoOutput)
	}
	decision := st.Summary().Decision
	v := e.verify(last.Reading(), st.Traces(last.Number), st.Header.Query)
	v.File, v.ID, v.Recorded, v.Torn = name, rec.Header.ID, &decision, rec.Torn
	return v, nil
}

// lastOutput is the last attempt in which the Executor gave its output, or nil.
func lastOutput(st *state.Session) *state.Attempt {
	for i := len(st.Attempts) - 1; i >= 0; i-- {
		if st.Attempts[i].HasOutput {
			return &st.Attempts[i]
		}
	}
	return nil
}

// verifyImport imports a file, which gates it.
func (e *Engine) verifyImport(name string, data []byte) (Verification, error) {
	rec, err := session.Import(data, session.ImportOptions{
		Name: name, Format: detect(data), Redact: e.mask, Gate: e.gatePolicy(), Policy: e.runner.o.Policy, Program: Version, Now: e.env.Now(),
	})
	if err != nil {
		return Verification{}, err
	}
	st := rec.State()
	last := st.Current()
	v := Verification{File: name, ID: rec.Header.ID, Traces: st.Traces(last.Number), Report: *last.Gate}
	v.read(last.Reading())
	return v, nil
}

func (e *Engine) verify(parsed contract.Parsed, traces []trace.Trace, query string) Verification {
	v := Verification{Traces: traces, Report: gate.Verify(gate.Input{Parsed: parsed, Traces: traces, Query: query}, e.gatePolicy())}
	v.read(parsed)
	return v
}

func (v *Verification) read(parsed contract.Parsed) {
	v.Contract, v.Reason, v.ReasonZH = parsed.Contract, parsed.Reason, parsed.ReasonZH
}

// ReadInput reads a whole file that is to be imported, or r to its end for "-". Errors
// name the file; one that is larger than session.MaxImportBytes is refused before it is
// read, where its size is known.
func ReadInput(name string, r io.Reader) ([]byte, error) {
	if name == "-" {
		return readBounded(r, name)
	}
	f, info, err := openInput(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info.Size() > session.MaxImportBytes {
		return nil, tooLarge(name)
	}
	return readBounded(f, name)
}

// openInput opens a file for reading: no folder.
func openInput(name string) (*os.File, fs.FileInfo, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &fs.PathError{Op: "read", Path: name, Err: unix.EISDIR}
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func readBounded(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, session.MaxImportBytes+1))
	if err == nil && len(data) > session.MaxImportBytes {
		err = tooLarge(name)
	}
	return data, err
}

func tooLarge(name string) error { return &session.ImportError{File: name, Err: session.ErrTooLarge} }

// detect finds out the format of an imported file; for one that has none the errors of
// a case say what is needed.
func detect(data []byte) session.Format {
	if f, ok := session.DetectFormat(data); ok {
		return f
	}
	return session.FormatCase
}

// headerBytes bounds the first line of a session file, in bytes, as far as it is looked
// at to tell what a file is.
const headerBytes = 256 << 10

// isSession tells a session file by its first line: a header.
func isSession(data []byte) bool {
	line, _, _ := bytes.Cut(data[:min(len(data), headerBytes)], []byte("\n"))
	var head struct {
		Schema int    `json:"schema"`
		ID     string `json:"id"`
	}
	return json.Unmarshal(line, &head) == nil && head.Schema > 0 && head.ID != ""
}
