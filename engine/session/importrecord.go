package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/verdict"
)

// record writes the session as events.
func (in *imported) record(o ImportOptions) *Recording {
	parsed := contract.Parse([]byte(in.message))
	version := contract.V2
	if parsed.Contract != nil && parsed.Contract.AnswerVersion == contract.V1 {
		version = contract.V1
	}
	rec := &Recording{Unsaved: true, Header: event.Header{
		Schema: event.SchemaVersion, ID: in.id, Time: o.Now.Round(0).UTC(), Program: o.Program, Title: in.id, Query: in.query,
		ContractVersion: version, Model: "import", Policy: o.Policy, Tools: "import",
	}}
	attempt := 1
	add := func(stage event.Stage, body event.Body) {
		e := event.Event{Seq: len(rec.Events) + 1, Time: rec.Header.Time, Attempt: attempt, Stage: stage, Body: body}
		if normal, err := event.Normalise(e); err == nil {
			e = normal
		}
		rec.Events = append(rec.Events, e)
		rec.order.Last = e.Seq
	}
	if in.retry != nil {
		attempt = max(in.retry.Attempt, 1)
		add("", event.RetryStarted{Context: *in.retry})
	}
	add(event.Executor, event.StageStarted{})
	for _, t := range in.traces {
		call := event.ToolCalled{Ref: t.Ref, ToolName: t.ToolName, Arguments: t.Arguments}
		if len(call.Arguments) == 0 {
			call.Arguments = json.RawMessage("null")
		}
		if len(t.InvocationIDs) > 0 {
			call.InvocationID = t.InvocationIDs[0]
		}
		add(event.Executor, call)
		add(event.Executor, event.ToolReturned{Trace: t})
	}
	add(event.Executor, event.ExecutorOutput{Message: in.message})
	add(event.Parse, event.StageStarted{})
	add(event.Parse, event.Parsed{
		Status: parsed.Status, Step: parsed.Step, Edits: list(parsed.Edits), Coercions: list(parsed.Coercions),
		Structured: parsed.Contract, Reason: parsed.Reason, ReasonZH: parsed.ReasonZH,
	})
	add(event.Gatekeeper, event.StageStarted{})
	report := gate.Verify(gate.Input{Parsed: parsed, Traces: in.traces, Query: in.query}, o.Gate)
	add(event.Gatekeeper, event.Gated{Report: report})
	evaluation := in.judge(parsed, &report, attempt, o.Policy, add)
	attempt = 0
	add("", event.Finished{Evaluation: evaluation})
	rec.order.Ended = true
	return rec
}

// judge records what the verifier of a snapshot said, and gives the record. Without
// an evaluation there is no decision: every claim is not_checked.
func (in *imported) judge(parsed contract.Parsed, report *gate.Report, attempt int, policy verdict.Policy, add func(event.Stage, event.Body)) verdict.Evaluation {
	e := verdict.Evaluation{
		SessionID: in.id, Attempt: attempt, Causes: []verdict.CauseItem{}, ParseStatus: parsed.Status,
		Edits: list(parsed.Edits), Coercions: list(parsed.Coercions), StructuredOutput: parsed.Contract, GateReport: report,
		ClaimChecks: []verdict.ClaimCheck{}, ExtraFacts: []verdict.ExtraFact{},
	}
	var claims []contract.Claim
	if parsed.Contract != nil {
		claims = parsed.Contract.Claims
	}
	if parsed.Contract == nil || parsed.Status.Malformed() {
		final, _ := contract.FinalAnswer([]byte(in.message))
		e.ExecutorFinalAnswer = string(final)
	}
	if len(in.payload) > 0 {
		add(event.Verifier, event.StageStarted{})
		add(event.Verifier, event.VerifierPayload{Payload: in.payload})
	}
	if len(in.evaluation) == 0 {
		for _, c := range claims {
			e.ClaimChecks = append(e.ClaimChecks, verdict.ClaimCheck{ClaimID: c.ClaimID, Verdict: verdict.NotChecked, EvidenceRefs: []string{}})
		}
		return e
	}
	result := verdict.ParseVerifier(string(in.evaluation), claims, parsed.Contract == nil || parsed.Status.Malformed())
	add(event.Verifier, event.Verified{Result: result})
	routing := verdict.Route(verdict.Input{
		Status: parsed.Status, Contract: parsed.Contract, Gate: report, Verifier: result, Policy: policy, Attempt: attempt + policy.Retries,
	})
	var recorded struct {
		Causes []verdict.CauseItem `json:"causes"`
		Answer string              `json:"answer"`
		Tokens int                 `json:"tokens"`
		Cost   float64             `json:"cost"`
	}
	// Members of other types than ours leave their zero: the verdicts count.
	_ = json.Unmarshal(in.evaluation, &recorded)
	add(event.Route, event.Routed{Routing: routing})
	if recorded.Answer != "" {
		add(event.Answer, event.Answered{Markdown: recorded.Answer, Style: event.StyleRendered, Sentences: []gate.SentenceSource{}})
	}
	e.ClaimChecks, e.ExtraFacts = list(result.ClaimChecks), list(result.ExtraFacts)
	e.Decision, e.Causes, e.Answer = result.Decision, list(recorded.Causes), recorded.Answer
	if e.Decision == "" {
		e.Decision = routing.Decision
	}
	if len(e.Causes) == 0 && e.Decision != verdict.Pass {
		e.Causes = list(routing.Causes)
	}
	e.Tokens, e.Cost = recorded.Tokens, recorded.Cost
	return e
}

// list gives s, never nil.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Save keeps an imported session under a new id, which its evaluation record then names.
func (s *Store) Save(rec *Recording) (*Log, error) {
	h, events := rec.Header, slices.Clone(rec.Events)
	const tries = 20
	for range tries {
		var err error
		if h.ID, err = NewID(h.Time, s.random); err != nil {
			return nil, err
		}
		for i, e := range events {
			if f, ok := e.Body.(event.Finished); ok {
				f.Evaluation.SessionID = h.ID
				events[i].Body = f
			}
		}
		l, err := s.create(h, events)
		if !errors.Is(err, fs.ErrExist) {
			return l, err
		}
	}
	return nil, fmt.Errorf("session: no free id after %d tries", tries)
}
