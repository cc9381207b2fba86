package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/verdict"
)

// Boundary is a place where a run can pause: before what it names happens.
type Boundary string

// The boundaries, in the order of a run. BeforeTool comes before each tool call.
const (
	BeforePlanner  Boundary = "planner"
	BeforeExecutor Boundary = "executor"
	BeforeTool     Boundary = "tool"
	BeforeOutput   Boundary = "executor_output" // the Executor's final answer is there and not used yet
	BeforeGate     Boundary = "gatekeeper"
	BeforeVerifier Boundary = "verifier"
	BeforeRoute    Boundary = "route"
	BeforeAnswer   Boundary = "answer"
)

// Boundaries lists them in order.
func Boundaries() []Boundary {
	return []Boundary{BeforePlanner, BeforeExecutor, BeforeTool, BeforeOutput, BeforeGate, BeforeVerifier, BeforeRoute, BeforeAnswer}
}

// stage is the stage that a boundary's events belong to.
func (b Boundary) stage() event.Stage {
	switch b {
	case BeforePlanner:
		return event.Planner
	case BeforeExecutor, BeforeTool, BeforeOutput:
		return event.Executor
	case BeforeGate:
		return event.Gatekeeper
	case BeforeVerifier:
		return event.Verifier
	case BeforeRoute:
		return event.Route
	case BeforeAnswer:
		return event.Answer
	}
	return ""
}

// BreakKind says what a breakpoint watches.
type BreakKind string

// The kinds of breakpoint.
const (
	BreakStage   BreakKind = "stage"   // a boundary, by its name
	BreakTool    BreakKind = "tool"    // a call of the named tool
	BreakCode    BreakKind = "code"    // a finding of the Gatekeeper
	BreakVerdict BreakKind = "verdict" // the routing decision
	BreakClaim   BreakKind = "claim"   // the verdict on any claim
)

// Breakpoint pauses a run. The run stops at the boundary itself, or at the next
// one after what it watches has happened.
type Breakpoint struct {
	Kind  BreakKind
	Value string
	// Nth makes it pause at the n-th hit and every one after; 0 and 1 mean the first.
	Nth  int
	Hits int // so far, counted by the run
}

// String is the form that ParseBreakpoint reads.
func (b Breakpoint) String() string {
	sep := ":"
	if b.Kind == BreakVerdict {
		sep = "=="
	}
	s := string(b.Kind) + sep + b.Value
	if b.Nth > 1 {
		s += " x" + strconv.Itoa(b.Nth)
	}
	return s
}

// ErrBreakpoint is the class of every breakpoint text that cannot be read.
var ErrBreakpoint = errors.New("bad breakpoint")

// ParseBreakpoint reads stage:verifier, tool:query_logs, code:B005,
// verdict==low_confid, claim:unsupported; a count behind it (x3) makes it pause at
// the third hit. The kind may be left out where the value tells it: verifier, B005.
func ParseBreakpoint(text string) (Breakpoint, error) {
	var b Breakpoint
	fields := strings.Fields(text)
	if len(fields) == 2 && strings.HasPrefix(fields[1], "x") {
		n, err := strconv.Atoi(fields[1][1:])
		if err != nil || n < 1 {
			return b, fmt.Errorf("%w: %q is no count; write x3", ErrBreakpoint, fields[1])
		}
		b.Nth = n
		fields = fields[:1]
	}
	if len(fields) != 1 {
		return b, fmt.Errorf("%w: %q; write stage:verifier, tool:NAME, code:B005, verdict==low_confid or claim:unsupported", ErrBreakpoint, text)
	}
	kind, value, ok := strings.Cut(strings.Replace(fields[0], "==", ":", 1), ":")
	if !ok {
		kind, value = guessKind(fields[0]), fields[0]
	}
	b.Kind, b.Value = BreakKind(kind), value
	return b, b.check()
}

func guessKind(value string) string {
	if slices.Contains(Boundaries(), Boundary(value)) {
		return string(BreakStage)
	}
	if isCode(value) {
		return string(BreakCode)
	}
	return string(BreakTool)
}

func isCode(s string) bool {
	return len(s) == 4 && strings.ContainsRune("SBCF", rune(s[0])) && strings.Trim(s[1:], "0123456789") == ""
}

func (b *Breakpoint) check() error {
	switch b.Kind {
	case BreakStage:
		if !slices.Contains(Boundaries(), Boundary(b.Value)) {
			return fmt.Errorf("%w: no stage %q; stages: %v", ErrBreakpoint, b.Value, Boundaries())
		}
	case BreakCode:
		b.Value = strings.ToUpper(b.Value)
		if !isCode(b.Value) {
			return fmt.Errorf("%w: %q is no finding code such as B005", ErrBreakpoint, b.Value)
		}
	case BreakVerdict:
		b.Value = strings.ToLower(b.Value)
		switch b.Value {
		case "pass", "retry", "low_confid":
		default:
			return fmt.Errorf("%w: no verdict %q; write pass, retry or low_confid", ErrBreakpoint, b.Value)
		}
	case BreakClaim:
		switch verdict.CheckVerdict(b.Value) {
		case verdict.Supported, verdict.NotChecked, verdict.Insufficient, verdict.Unsupported, verdict.Contradicted:
		default:
			return fmt.Errorf("%w: no claim verdict %q", ErrBreakpoint, b.Value)
		}
	case BreakTool:
		if b.Value == "" {
			return fmt.Errorf("%w: name a tool", ErrBreakpoint)
		}
	default:
		return fmt.Errorf("%w: %q is no kind; kinds: stage, tool, code, verdict, claim", ErrBreakpoint, b.Kind)
	}
	return nil
}

// at reports whether the breakpoint watches this boundary.
func (b *Breakpoint) at(boundary Boundary, p *Pending) bool {
	switch b.Kind {
	case BreakStage:
		return b.Value == string(boundary)
	case BreakTool:
		return boundary == BeforeTool && p.Call != nil && p.Call.Name == b.Value
	case BreakCode, BreakVerdict, BreakClaim:
	}
	return false
}

// seen reports whether the breakpoint watches what this event tells.
func (b *Breakpoint) seen(e event.Event) bool {
	switch body := e.Body.(type) {
	case event.Gated:
		return b.Kind == BreakCode && hasCode(body.Report, gate.Code(b.Value))
	case event.Routed:
		if b.Kind == BreakVerdict {
			return strings.EqualFold(b.Value, string(body.Routing.Decision))
		}
		return b.Kind == BreakClaim && slices.ContainsFunc(body.Routing.Claims, func(c verdict.FinalClaim) bool { return string(c.Verdict) == b.Value })
	}
	return false
}

func hasCode(r gate.Report, code gate.Code) bool {
	is := func(f gate.Finding) bool { return f.Code == code }
	if slices.ContainsFunc(r.Findings, is) {
		return true
	}
	return slices.ContainsFunc(r.Claims, func(c gate.ClaimReport) bool { return slices.ContainsFunc(c.Findings, is) })
}
