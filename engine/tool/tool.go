// Package tool is what the Executor can call: a small interface, a registry, and
// the guard at the tool's edge that masks secrets and bounds output. Adapters live
// in the packages below it (logs, metrics, knowledge).
package tool

import (
	"context"
	"encoding/json"

	"claimscope/engine/trace"
)

// Spec describes a tool.
type Spec struct {
	Name        string
	Description string          // for the model, Chinese
	Parameters  json.RawMessage // JSON Schema of the arguments
	Kind        trace.Kind      // what its output can prove
}

// Result is what a call brought back. An error message for the model is Output
// with Status Error.
type Result struct {
	Output []byte
	Status trace.Status
	Blocks []trace.Block // spans into Output
}

// Tool is one callable tool. Implementations are safe for concurrent use.
type Tool interface {
	Spec() Spec
	// Call runs the tool. Arguments is one valid JSON object. An error means that
	// the tool itself broke; what a person would call "an error reply" (bad
	// argument, no such service) is a Result with Status Error.
	Call(ctx context.Context, arguments json.RawMessage) (Result, error)
}
