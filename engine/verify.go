package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/session"
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
	Traces   []trace.Trace
	Report   gate.Report
	Recorded verdict.Decision // the decision recorded in a session, or ""
}

// MarshalJSON writes the form of spec I5.
func (v Verification) MarshalJSON() ([]byte, error) {
	report := v.Report
	return json.Marshal(struct {
		File string `json:"file"`
		ID   string `json:"id"`
		*gate.Report
		Recorded verdict.Decision `json:"recorded,omitempty"`
	}{v.File, v.ID, &report, v.Recorded})
}

// Verify parses and gates a case, a snapshot or a session file, anew and without any
// model. Name is the file's, "-" for standard input. Errors say what is wrong and where.
func (e *Engine) Verify(name string, data []byte) (Verification, error) {
	rec, recorded, err := e.read(name, data)
	if err != nil {
		return Verification{}, err
	}
	st := rec.State()
	last := st.Current()
	if !last.HasOutput {
		return Verification{}, fmt.Errorf("%s: %w", name, ErrNoOutput)
	}
	if !recorded { // an import has just been gated
		return Verification{
			File: name, ID: rec.Header.ID, Contract: last.Reading().Contract, Traces: st.Traces(last.Number), Report: *last.Gate,
		}, nil
	}
	v := e.verify(last.Reading(), st.Traces(last.Number), st.Header.Query)
	v.File, v.ID, v.Recorded = name, rec.Header.ID, last.Decision()
	return v, nil
}

// VerifyOutput parses and gates bytes as the Executor's final output, without traces.
func (e *Engine) VerifyOutput(name string, data []byte) Verification {
	v := e.verify(contract.Parse(data), nil, "")
	v.File, v.ID = name, name
	return v
}

func (e *Engine) verify(parsed contract.Parsed, traces []trace.Trace, query string) Verification {
	report := gate.Verify(gate.Input{Parsed: parsed, Traces: traces, Query: query}, e.gatePolicy())
	return Verification{Contract: parsed.Contract, Traces: traces, Report: report}
}

// read reads a session file, or imports what else the bytes are. Recorded is true for
// a session: it has a decision of its own.
func (e *Engine) read(name string, data []byte) (rec *Recording, recorded bool, err error) {
	if isSession(data) {
		if name != "-" {
			rec, err = session.ReadFile(name)
		} else {
			rec, err = session.Read(bytes.NewReader(data))
		}
		if err != nil {
			return nil, true, fmt.Errorf("%s: %w", name, err)
		}
		return rec, true, nil
	}
	rec, err = session.Import(data, session.ImportOptions{
		Name: name, Format: detect(data), Redact: e.mask, Gate: e.gatePolicy(), Policy: e.runner.o.Policy, Program: Version, Now: e.env.Now(),
	})
	return rec, false, err
}

// detect finds out the format of an imported file; for one that has none the errors of
// a case say what is needed.
func detect(data []byte) session.Format {
	if f, ok := session.DetectFormat(data); ok {
		return f
	}
	return session.FormatCase
}

// isSession tells a session file by its first line: a header.
func isSession(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	var head struct {
		Schema int    `json:"schema"`
		ID     string `json:"id"`
	}
	return json.Unmarshal(line, &head) == nil && head.Schema > 0 && head.ID != ""
}
