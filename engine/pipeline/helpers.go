package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/stage/answer"
	"claimscope/engine/stage/verifier"
	"claimscope/engine/verdict"
)

// await runs f on a goroutine of its own, so that a cancelled run need not wait for
// work that cannot be interrupted; what f gives then is dropped. A panic of f, over
// hostile input, is an error.
func await[T any](ctx context.Context, f func() T) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var res result
		defer func() {
			if p := recover(); p != nil {
				res.err = fmt.Errorf("it broke: %v", p)
			}
			done <- res
		}()
		res.value = f()
	}()
	select {
	case res := <-done:
		return res.value, res.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}

// encoded is a payload as bytes, or why there is none.
type encoded struct {
	bytes json.RawMessage
	err   error
}

func encodePayload(r *Run, w *work) encoded {
	p, err := verifier.NewPayload(verifier.Input{
		Query: r.cfg.Query, Message: w.message, Parsed: w.parsed, Traces: r.traces,
		Cites: citesOf(w.parsed.Contract, w.report, r.traces), Retry: w.retry,
	})
	if err != nil {
		return encoded{err: err}
	}
	raw, err := p.Encode()
	return encoded{raw, err}
}

// sentPayload is what the request really sends, after a person's edit of it: the
// last user message, as JSON.
func sentPayload(req model.Request) json.RawMessage {
	text := ""
	for _, m := range req.Messages {
		if m.Role == model.User {
			text = m.Content
		}
	}
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	raw, err := json.Marshal(text)
	if err != nil {
		return json.RawMessage("null") // a string always encodes
	}
	return raw
}

// evaluate makes the evaluation record (spec I6).
func (r *Run) evaluate(w *work) *verdict.Evaluation {
	e := &verdict.Evaluation{
		SessionID: r.cfg.SessionID, Attempt: r.attempt, Decision: w.routing.Decision,
		Causes: orEmpty(w.routing.Causes), ParseStatus: w.parsed.Status,
		Edits: orEmpty(w.parsed.Edits), Coercions: orEmpty(w.parsed.Coercions),
		StructuredOutput: w.parsed.Contract, GateReport: w.report,
		ClaimChecks: orEmpty(w.result.ClaimChecks), ExtraFacts: orEmpty(w.result.ExtraFacts),
		Answer: w.answered.Markdown, Tokens: r.tokens.Total(), Cost: r.cost,
	}
	if w.fallback() {
		final, _ := contract.FinalAnswer([]byte(w.message))
		e.ExecutorFinalAnswer = string(final)
	}
	return e
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// audit gates the Composer's text as the answer of what survived: it may say no more
// than the surviving claims do.
func (r *Run) audit(ctx context.Context, in answer.Input) answer.Audit {
	return func(text string) ([]gate.SentenceSource, string) {
		if r.cfg.Gate == nil {
			return nil, "没有 Gatekeeper，无法审核 Composer 的答案"
		}
		c, indices := answer.Surviving(in)
		c.AnswerVersion, c.UserFacingAnswer = contract.V1, text
		report, err := r.gate(ctx, contract.Parsed{Status: contract.StatusOK, Step: contract.StepStrict, Contract: &c})
		if err != nil {
			return nil, "审核 Composer 的答案时出错：" + err.Error()
		}
		for _, f := range report.Findings {
			if strings.HasPrefix(string(f.Code), "F") && f.Severity == gate.Block {
				return nil, "Composer 的答案未通过审核（" + string(f.Code) + "）：" + f.Message.ZH
			}
		}
		return sentences(report, indices), ""
	}
}

// sentences gives the sources of the audited answer in terms of the whole contract.
func sentences(report gate.Report, indices []int) []gate.SentenceSource {
	var out []gate.SentenceSource
	for _, s := range report.Sentences {
		if s.Field != "user_facing_answer" {
			continue
		}
		sources := make([]string, 0, len(s.Sources))
		for _, p := range s.Sources {
			sources = append(sources, moved(p, indices))
		}
		s.Sources = sources
		out = append(out, s)
	}
	return out
}

// moved turns a pointer into the surviving contract into one into the whole.
func moved(pointer string, indices []int) string {
	var i int
	if n, err := fmt.Sscanf(pointer, "/claims/%d", &i); n == 1 && err == nil && i >= 0 && i < len(indices) {
		rest := strings.TrimPrefix(pointer, fmt.Sprintf("/claims/%d", i))
		return fmt.Sprintf("/claims/%d%s", indices[i], rest)
	}
	return pointer
}
