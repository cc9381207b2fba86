package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/prompts"
)

// Edit changes what a paused run is about to use. Targets are those of
// event.Edited: event.EditRequest (the request as JSON; before a tool call, its
// arguments), event.EditPrompt plus a prompt's name (the whole prompt file), and
// event.EditExecutorOutput (the message).
type Edit struct {
	Target string
	Text   string
}

// EditText gives the text that a person would edit for a target, in its present
// form. ErrCannot when the pending thing has no such part.
func (p Pending) EditText(target string, set *prompts.Set) (string, error) {
	switch {
	case target == event.EditRequest && p.Request != nil:
		return encodeRequest(p.Request)
	case target == event.EditRequest && p.Call != nil:
		return p.Call.Arguments, nil
	case target == event.EditExecutorOutput && p.Output != nil:
		return *p.Output, nil
	case strings.HasPrefix(target, event.EditPrompt):
		if text := set.Text(prompts.Name(strings.TrimPrefix(target, event.EditPrompt))); text != "" {
			return text, nil
		}
	}
	return "", fmt.Errorf("%w: no %s before %s", ErrCannot, target, p.Boundary)
}

func encodeRequest(req *model.Request) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(req); err != nil {
		return "", fmt.Errorf("pipeline: request: %w", err)
	}
	return b.String(), nil
}

// edit applies and records an edit; on error nothing changes.
func (r *Run) edit(p *Pending, e Edit, rebuild func() (*model.Request, error)) error {
	before, err := p.EditText(e.Target, r.Prompts())
	if err != nil {
		return err
	}
	apply, err := r.prepareEdit(p, e, rebuild)
	if err != nil {
		return err
	}
	if err := r.emit(p.Boundary.stage(), event.Edited{Target: e.Target, Before: before, After: e.Text}); err != nil {
		return err
	}
	r.ctl.change(apply)
	return nil
}

// prepareEdit checks an edit and gives the change that it makes.
func (r *Run) prepareEdit(p *Pending, e Edit, rebuild func() (*model.Request, error)) (func(), error) {
	switch {
	case e.Target == event.EditRequest && p.Request != nil:
		req, err := decodeRequest(e.Text)
		if err != nil {
			return nil, err
		}
		// Who asks, and in which attempt, is the run's to say.
		req.Stage, req.Attempt = p.Request.Stage, p.Request.Attempt
		return func() { *p.Request = req }, nil
	case e.Target == event.EditRequest:
		return func() { p.Call.Arguments = e.Text }, nil
	case e.Target == event.EditExecutorOutput:
		return func() { *p.Output = e.Text }, nil
	}
	name := prompts.Name(strings.TrimPrefix(e.Target, event.EditPrompt))
	old := r.Prompts()
	set, err := old.With(name, e.Text)
	if err != nil {
		return nil, err
	}
	r.setPrompts(set)
	if rebuild == nil {
		return func() {}, nil
	}
	req, err := rebuild()
	if err != nil {
		r.setPrompts(old)
		return nil, err
	}
	return func() { *p.Request = *req }, nil
}

func decodeRequest(text string) (model.Request, error) {
	var req model.Request
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&req); err != nil {
		return req, fmt.Errorf("pipeline: the edited request is no valid request: %w", err)
	}
	if len(req.Messages) == 0 {
		return req, fmt.Errorf("pipeline: the edited request has no messages")
	}
	return req, nil
}
