package answer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/model"
	"claimscope/engine/verdict"
	"claimscope/prompts"
)

// material is what the Composer sees: only what survived (spec A4).
type material struct {
	Conclusions []conclusion     `json:"conclusions"`
	Hypotheses  []hypothesisText `json:"hypotheses"`
	MissingInfo []string         `json:"missing_info"`
	Actions     []actionText     `json:"recommended_actions"`
}

type conclusion struct {
	Text     string `json:"text"`
	Evidence string `json:"evidence"`
	Note     string `json:"note,omitempty"`
}

type hypothesisText struct {
	Text  string `json:"text"`
	Basis string `json:"basis,omitempty"`
}

type actionText struct {
	Text   string `json:"text"`
	Reason string `json:"reason,omitempty"`
}

// Composable reports whether there is anything for the Composer to write about, and
// nothing better: a claim survived, and the contract has no answer of its own that
// will be used.
func Composable(in Input) bool {
	survived, _ := split(in.Routing.Claims)
	return len(survived) > 0 && in.Contract != nil && Render(in).Style != event.StyleUserFacing
}

// ComposeRequest builds the Composer's request.
func ComposeRequest(set *prompts.Set, in Input, params model.Params, attempt int) (model.Request, error) {
	system, err := set.Composer(prompts.ComposerData{Degraded: in.Routing.Decision != verdict.Pass})
	if err != nil {
		return model.Request{}, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(materialOf(in)); err != nil {
		return model.Request{}, fmt.Errorf("composer: %w", err)
	}
	return model.Request{Stage: Stage, Attempt: attempt, Params: params, Messages: []model.Message{
		{Role: model.System, Content: system},
		{Role: model.User, Content: strings.TrimSpace(b.String())},
	}}, nil
}

func materialOf(in Input) material {
	m := material{Conclusions: []conclusion{}, Hypotheses: []hypothesisText{}, MissingInfo: []string{}, Actions: []actionText{}}
	survived, _ := split(in.Routing.Claims)
	for _, c := range survived {
		claim := claimOf(in.Contract, c.Pointer)
		item := conclusion{Text: c.Text, Evidence: strings.TrimSpace(marks(in, c.Pointer, claim))}
		if claim != nil && claim.SupportLevel == contract.Indirect {
			item.Note = "间接证据"
		}
		m.Conclusions = append(m.Conclusions, item)
	}
	for _, h := range in.Contract.Hypotheses {
		m.Hypotheses = append(m.Hypotheses, hypothesisText{h.HypothesisText, h.Basis})
	}
	m.MissingInfo = append(m.MissingInfo, in.Contract.MissingInfo...)
	for _, a := range in.Contract.RecommendedActions {
		m.Actions = append(m.Actions, actionText{a.ActionText, a.Reason})
	}
	return m
}

// Surviving is the contract with the surviving claims only: what the Composer's
// text is audited against. Indices gives, for each of its claims, the index in the
// whole contract.
func Surviving(in Input) (c contract.Contract, indices []int) {
	c = *in.Contract
	c.Claims = nil
	for i := range in.Contract.Claims {
		for _, final := range in.Routing.Claims {
			if final.Pointer == fmt.Sprintf("/claims/%d", i) && final.Verdict == verdict.Supported {
				c.Claims = append(c.Claims, in.Contract.Claims[i])
				indices = append(indices, i)
			}
		}
	}
	c.DiagnosisSummary, c.UserFacingAnswer = "", ""
	return c, indices
}

// Audit judges the Composer's text: the sentences' sources, and what is wrong with
// it, or "".
type Audit func(text string) (sentences []gate.SentenceSource, problem string)

// Compose asks the Composer and audits its text. When it fails in any way the
// deterministic answer is used, with the reason. An error is the model's.
func Compose(ctx context.Context, m model.Model, req model.Request, in Input, audit Audit) (event.Answered, error) {
	fallback := Render(in)
	resp, err := m.Chat(ctx, req, nil)
	if err != nil {
		return fallback, err
	}
	raw, _ := contract.FinalAnswer([]byte(resp.Message.Content))
	text := strings.TrimSpace(string(raw))
	problem := ""
	switch err := fit(text, nil); {
	case text == "":
		problem = "Composer 没有写出答案"
	case err != nil:
		problem = "Composer：" + err.Error()
	case resp.Finish == model.FinishLength:
		problem = "Composer 的答案被截断"
	}
	if problem == "" {
		var sentences []gate.SentenceSource
		if sentences, problem = audit(text); problem == "" {
			return composed(in, text, sentences), nil
		}
	}
	fallback.Reason = join(fallback.Reason, problem)
	return fallback, nil
}

// composed puts the text into its frame: nothing for a PASS; for a LOW_CONFID the
// notice before it and the failed claims after it, which the Composer never saw.
func composed(in Input, text string, sentences []gate.SentenceSource) event.Answered {
	var p page
	survived, failed := split(in.Routing.Claims)
	low := in.Routing.Decision != verdict.Pass
	if low {
		p.text.WriteString(notice(len(survived), len(failed)) + "\n")
	}
	shift(&p, text, sentences)
	p.text.WriteByte('\n')
	if low {
		p.failed(in, failed)
	}
	return event.Answered{Markdown: p.text.String(), Style: event.StyleComposed, Sentences: p.sentences}
}

// shift appends text and its sentences, whose offsets count from its start.
func shift(p *page, text string, sentences []gate.SentenceSource) {
	start := p.text.Len()
	p.text.WriteString(text)
	p.sentences = []gate.SentenceSource{}
	for _, s := range sentences {
		s.Field, s.Start, s.End = Field, s.Start+start, s.End+start
		p.sentences = append(p.sentences, s)
	}
}
