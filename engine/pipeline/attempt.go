package pipeline

import (
	"context"
	"errors"
	"fmt"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/stage/answer"
	"claimscope/engine/stage/executor"
	"claimscope/engine/stage/planner"
	"claimscope/engine/stage/verifier"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// Kinds of stage_failed that are no model fault.
const (
	kindInternal      = "internal"
	kindVerifierError = "verifier_error"
)

// stageError is a stage that failed for good.
type stageError struct {
	stage event.Stage
	kind  string
	err   error
}

func (e *stageError) Error() string { return e.message() }
func (e *stageError) Unwrap() error { return e.err }

func (e *stageError) message() string {
	if e.stage == "" {
		return e.text()
	}
	return fmt.Sprintf("stage %s failed: %s", e.stage, e.text())
}

func (e *stageError) messageZH() string {
	if e.stage == "" {
		return "运行失败：" + e.text()
	}
	return fmt.Sprintf("阶段 %s 失败：%s", e.stage, e.text())
}

// text is what is recorded: of a fault its own line, so that a replay of the recorded
// fault reads the same.
func (e *stageError) text() string {
	var fault *model.Fault
	if errors.As(e.err, &fault) {
		return fault.Text
	}
	return e.err.Error()
}

// work is what one attempt has reached.
type work struct {
	retry      *verdict.RetryContext
	message    string
	finish     model.FinishReason
	parsed     contract.Parsed
	report     *gate.Report
	result     verdict.Result
	routing    verdict.Routing
	answered   event.Answered
	evaluation *verdict.Evaluation
}

// input is what routing depends on.
func (w *work) input(r *Run, stop *verdict.CauseItem) verdict.Input {
	return verdict.Input{
		Status: w.parsed.Status, Contract: w.parsed.Contract, Gate: w.report, Verifier: w.result,
		Policy: r.cfg.Policy, Attempt: r.attempt, Stop: stop,
	}
}

func (w *work) answerInput() answer.Input {
	return answer.Input{Routing: w.routing, Contract: w.parsed.Contract, Report: w.report}
}

func (w *work) render() event.Answered { return answer.Render(w.answerInput()) }

// fallback reports whether the Verifier has to find the claims itself (spec P8).
func (w *work) fallback() bool { return w.parsed.Contract == nil || w.parsed.Status.Malformed() }

// attempts runs attempt after attempt until one is decided.
func (r *Run) attempts(ctx context.Context, w *work) (event.Body, error) {
	from := r.cfg.From
	w.retry = from.Retry
	if from.Stage == event.Planner {
		if err := r.planner(ctx); err != nil {
			return nil, err
		}
	}
	if from.Stage == event.Parse {
		w.message, w.finish = from.Message, from.Finish
	} else if err := r.executor(ctx, w); err != nil {
		return nil, err
	}
	for {
		if err := r.judge(ctx, w); err != nil {
			return nil, err
		}
		if w.routing.Decision != verdict.Retry {
			break
		}
		rc := verdict.NewRetryContext(r.attempt+1, w.input(r, nil), w.routing)
		*w = work{retry: &rc}
		r.attempt++
		if err := r.emit("", event.RetryStarted{Context: rc}); err != nil {
			return nil, err
		}
		if err := r.executor(ctx, w); err != nil {
			return nil, err
		}
	}
	if err := r.answer(ctx, w); err != nil {
		return nil, err
	}
	w.evaluation = r.evaluate(w)
	return event.Finished{Evaluation: *w.evaluation}, nil
}

// judge runs everything from parsing to routing.
func (r *Run) judge(ctx context.Context, w *work) error {
	for _, stage := range []func(context.Context, *work) error{r.parse, r.gatekeeper, r.verifier, r.route} {
		if err := stage(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// ask is the model of one stage: it records requests and replies, and publishes the
// deltas in between.
type ask struct {
	run   *Run
	stage event.Stage
}

// Chat implements model.Model. An error is the context's, a *model.Fault, or a log
// that failed.
func (a ask) Chat(ctx context.Context, req model.Request, _ func(model.Delta)) (model.Response, error) {
	r := a.run
	if err := r.emit(a.stage, event.ModelRequest{Request: req}); err != nil {
		return model.Response{}, err
	}
	start := r.cfg.Clock()
	resp, err := r.cfg.Model.Chat(ctx, req, func(d model.Delta) {
		r.feed.send(Delta{Attempt: r.attempt, Stage: a.stage, Delta: d})
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return model.Response{}, err
	}
	cost := 0.0
	if r.cfg.Cost != nil {
		cost = r.cfg.Cost(req.Params.Model, resp.Model, resp.Usage)
	}
	r.tokens = r.tokens.Add(resp.Usage)
	r.cost += cost
	took := float64(r.cfg.Clock().Sub(start).Microseconds()) / 1000
	return resp, r.emit(a.stage, event.ModelResponse{Response: resp, DurationMS: took, Cost: cost})
}

// wrap says which stage an error stopped for good.
func wrap(stage event.Stage, err error) error {
	if err == nil {
		return nil
	}
	var fault *model.Fault
	if errors.As(err, &fault) {
		return &stageError{stage: stage, kind: string(fault.Kind), err: err}
	}
	return &stageError{stage: stage, kind: kindInternal, err: err}
}

// promptTools are the tools as the prompts name them. Without tools a recording tells
// what its tools' outputs could prove.
func (r *Run) promptTools() []prompts.Tool {
	var out []prompts.Tool
	if r.cfg.Tools != nil {
		for _, s := range r.cfg.Tools.Specs() {
			out = append(out, prompts.Tool{Name: s.Name, Description: s.Description, Kind: string(s.Kind)})
		}
		return out
	}
	for _, s := range r.cfg.Specs {
		kind := trace.Observation
		if r.cfg.Frozen != nil {
			kind = r.cfg.Frozen.kind(s.Name)
		}
		out = append(out, prompts.Tool{Name: s.Name, Description: s.Description, Kind: string(kind)})
	}
	return out
}

func (r *Run) toolSpecs() []model.ToolSpec {
	if r.cfg.Specs != nil {
		return r.cfg.Specs
	}
	var out []model.ToolSpec
	if r.cfg.Tools != nil {
		for _, s := range r.cfg.Tools.Specs() {
			out = append(out, model.ToolSpec{Name: s.Name, Description: s.Description, Parameters: s.Parameters})
		}
	}
	return out
}

func (r *Run) planner(ctx context.Context) error {
	build := func() (*model.Request, error) {
		req, err := planner.Request(r.Prompts(), planner.Input{
			Query: r.cfg.Query, Now: r.cfg.now(), Tools: r.promptTools(), Params: r.cfg.Params[event.Planner], Attempt: r.attempt})
		return &req, err
	}
	req, err := build()
	if err != nil {
		return wrap(event.Planner, err)
	}
	skip, err := r.boundary(ctx, &Pending{Boundary: BeforePlanner, Request: req}, build)
	if err != nil || skip {
		return err
	}
	if err := r.emit(event.Planner, event.StageStarted{}); err != nil {
		return err
	}
	r.plan, err = planner.Run(ctx, ask{r, event.Planner}, *req)
	return wrap(event.Planner, err)
}

func (r *Run) executor(ctx context.Context, w *work) error {
	build := func() (*model.Request, error) {
		in := executor.Input{
			Query: r.cfg.Query, Plan: r.plan, Now: r.cfg.now(), Version: r.cfg.Version, Tools: r.toolSpecs(), Kinds: r.promptTools(),
			Retry: w.retry, Earlier: r.traces, Limits: r.cfg.Limits, Params: r.cfg.Params[event.Executor], Attempt: r.attempt,
		}
		if r.cfg.Schema != nil {
			in.Schema = r.cfg.Schema(r.cfg.Version)
		}
		req, err := executor.Request(r.Prompts(), in)
		return &req, err
	}
	req, err := build()
	if err != nil {
		return wrap(event.Executor, err)
	}
	if _, err := r.boundary(ctx, &Pending{Boundary: BeforeExecutor, Request: req}, build); err != nil {
		return err
	}
	if err := r.emit(event.Executor, event.StageStarted{}); err != nil {
		return err
	}
	out, err := executor.Run(ctx, ask{r, event.Executor}, toolCaller{r}, *req, r.cfg.Limits)
	if err != nil {
		return wrap(event.Executor, err)
	}
	w.message, w.finish = out.Message, out.Finish
	if err := r.emit(event.Executor, event.ExecutorOutput{Message: out.Message, Finish: out.Finish}); err != nil {
		return err
	}
	_, err = r.boundary(ctx, &Pending{Boundary: BeforeOutput, Output: &w.message}, nil)
	return err
}

func (r *Run) parse(ctx context.Context, w *work) error {
	if err := r.emit(event.Parse, event.StageStarted{}); err != nil {
		return err
	}
	parsed, err := await(ctx, func() contract.Parsed { return contract.Parse([]byte(w.message)) })
	if err != nil {
		return wrap(event.Parse, err)
	}
	w.parsed = parsed
	return r.emit(event.Parse, event.Parsed{
		Status: parsed.Status, Step: parsed.Step, Edits: orEmpty(parsed.Edits), Coercions: orEmpty(parsed.Coercions),
		Structured: parsed.Contract, Reason: parsed.Reason, ReasonZH: parsed.ReasonZH,
	})
}

func (r *Run) gatekeeper(ctx context.Context, w *work) error {
	if r.cfg.Policy.Gate == verdict.GateOff {
		return nil
	}
	skip, err := r.boundary(ctx, &Pending{Boundary: BeforeGate}, nil)
	if err != nil || skip {
		return err
	}
	if err := r.emit(event.Gatekeeper, event.StageStarted{}); err != nil {
		return err
	}
	report, err := r.gate(ctx, w.parsed)
	if err != nil {
		return wrap(event.Gatekeeper, err)
	}
	w.report = &report
	return r.emit(event.Gatekeeper, event.Gated{Report: report})
}

func (r *Run) gate(ctx context.Context, parsed contract.Parsed) (gate.Report, error) {
	in := gate.Input{Parsed: parsed, Traces: r.traces, Query: r.cfg.Query}
	return await(ctx, func() gate.Report { return r.cfg.Gate(in) })
}

func (r *Run) verifier(ctx context.Context, w *work) error {
	payload, err := await(ctx, func() encoded { return encodePayload(r, w) })
	if err == nil {
		err = payload.err
	}
	if err != nil {
		return wrap(event.Verifier, err)
	}
	build := func() (*model.Request, error) {
		req, err := verifier.Request(r.Prompts(), payload.bytes, r.cfg.Params[event.Verifier], r.attempt)
		return &req, err
	}
	req, err := build()
	if err != nil {
		return wrap(event.Verifier, err)
	}
	skip, err := r.boundary(ctx, &Pending{Boundary: BeforeVerifier, Request: req}, build)
	if err != nil {
		return err
	}
	if skip {
		w.result = verdict.Result{ClaimChecks: []verdict.ClaimCheck{}, ExtraFacts: []verdict.ExtraFact{}, Err: "skipped by a person"}
		return r.emit(event.Verifier, event.Verified{Result: w.result})
	}
	if err := r.emit(event.Verifier, event.StageStarted{}); err != nil {
		return err
	}
	if err := r.emit(event.Verifier, event.VerifierPayload{Payload: sentPayload(*req)}); err != nil {
		return err
	}
	if w.result, err = r.verify(ctx, *req, w); err != nil {
		return err
	}
	return r.emit(event.Verifier, event.Verified{Result: w.result})
}

// verifierTries is how often the Verifier is asked before it counts as a verifier
// error: the call, and one retry of it.
const verifierTries = 2

// verify asks the Verifier. Whatever it does wrong ends in a result with Err; an
// error is a cancelled run or a log that failed.
func (r *Run) verify(ctx context.Context, req model.Request, w *work) (verdict.Result, error) {
	var claims []contract.Claim
	if w.parsed.Contract != nil {
		claims = w.parsed.Contract.Claims
	}
	var result verdict.Result
	for try := 1; try <= verifierTries; try++ {
		got, err := verifier.Run(ctx, ask{r, event.Verifier}, req, claims, w.fallback())
		kind := kindVerifierError
		var fault *model.Fault
		switch {
		case err == nil && got.Err == "":
			return got, nil
		case err == nil:
			result = got
		case errors.As(err, &fault):
			kind = string(fault.Kind)
			result = verdict.Result{ClaimChecks: []verdict.ClaimCheck{}, ExtraFacts: []verdict.ExtraFact{}, Err: fault.Text}
		default:
			return result, err
		}
		if err := r.emit(event.Verifier, event.StageFailed{Kind: kind, Error: result.Err, Final: try == verifierTries}); err != nil {
			return result, err
		}
	}
	return result, nil
}

func (r *Run) route(ctx context.Context, w *work) error {
	if _, err := r.boundary(ctx, &Pending{Boundary: BeforeRoute}, nil); err != nil {
		return err
	}
	if err := r.emit(event.Route, event.StageStarted{}); err != nil {
		return err
	}
	w.routing = verdict.Route(w.input(r, nil))
	return r.emit(event.Route, event.Routed{Routing: w.routing})
}

func (r *Run) answer(ctx context.Context, w *work) error {
	if _, err := r.boundary(ctx, &Pending{Boundary: BeforeAnswer}, nil); err != nil {
		return err
	}
	if err := r.emit(event.Answer, event.StageStarted{}); err != nil {
		return err
	}
	in := w.answerInput()
	w.answered = answer.Render(in)
	if r.cfg.Composer && answer.Composable(in) {
		if err := r.compose(ctx, w, in); err != nil {
			return err
		}
	}
	return r.emit(event.Answer, w.answered)
}

// compose lets the Composer write the answer; whatever goes wrong, the rendered one
// stands, with the reason.
func (r *Run) compose(ctx context.Context, w *work, in answer.Input) error {
	req, err := answer.ComposeRequest(r.Prompts(), in, r.cfg.Params[event.Answer], r.attempt)
	if err != nil {
		return wrap(event.Answer, err)
	}
	answered, err := answer.Compose(ctx, ask{r, event.Answer}, req, in, r.audit(ctx, in))
	var fault *model.Fault
	switch {
	case err == nil:
		w.answered = answered
		return nil
	case errors.As(err, &fault):
		w.answered.Reason = "Composer：" + fault.Text
		return r.emit(event.Answer, event.StageFailed{Kind: string(fault.Kind), Error: fault.Text})
	}
	return err
}
