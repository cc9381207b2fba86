package prompts

import "fmt"

// Tool is a tool as a prompt names it.
type Tool struct {
	Name        string
	Description string
	Kind        string // observation, knowledge, skill or history
}

// PlannerData fills the Planner's prompt.
type PlannerData struct {
	Now   string
	Tools []Tool
}

// ExecutorData fills the Executor's prompt.
type ExecutorData struct {
	Now          string
	Tools        []Tool
	Version      string // answer_version of the contract
	V1           bool   // the contract is version 1
	ExcerptRunes int    // bound of an evidence_excerpt
	MaxRounds    int    // messages with tool calls
	MaxCalls     int    // tool calls in all
	Attempt      int
	Retry        bool // there is a retry_context
}

// VerifierData fills the Verifier's prompt.
type VerifierData struct{}

// ComposerData fills the Composer's prompt.
type ComposerData struct {
	Degraded bool // the decision is LOW_CONFID
}

// Planner renders the Planner's prompt.
func (s *Set) Planner(d PlannerData) (string, error) { return s.render(Planner, d) }

// Executor renders the Executor's prompt.
func (s *Set) Executor(d ExecutorData) (string, error) { return s.render(Executor, d) }

// Verifier renders the Verifier's prompt.
func (s *Set) Verifier(d VerifierData) (string, error) { return s.render(Verifier, d) }

// Composer renders the Composer's prompt.
func (s *Set) Composer(d ComposerData) (string, error) { return s.render(Composer, d) }

func (s *Set) render(n Name, data any) (string, error) {
	p := s.prompts[n]
	if p == nil {
		return "", fmt.Errorf("prompts: %s: %w", n, ErrUnknown)
	}
	return p.render(data)
}

// samples are the data that a prompt is tried with when it is loaded.
func samples(n Name) []any {
	tools := []Tool{{Name: "query_logs", Description: "x", Kind: "observation"}}
	switch n {
	case Planner:
		return []any{PlannerData{}, PlannerData{Now: "t", Tools: tools}}
	case Executor:
		return []any{
			ExecutorData{Version: "executor_evidence_v2"},
			ExecutorData{Version: "executor_evidence_v1", V1: true, Retry: true, Attempt: 2, Tools: tools},
		}
	case Verifier:
		return []any{VerifierData{}}
	case Composer:
		return []any{ComposerData{}, ComposerData{Degraded: true}}
	}
	return nil
}
