// Package answer is the stage that turns a decided attempt into what the user
// reads: always Chinese Markdown, never raw JSON, never empty (spec P13, A1 to A4).
package answer

import (
	"errors"
	"fmt"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/verdict"
)

// Stage is the stage's name in model requests (of the Composer).
const Stage = "composer"

// Field is the name of the answer in gate.SentenceSource.
const Field = "answer"

// FixedNotice is the answer when nothing could be rendered.
const FixedNotice = "> ⚠️ **低置信度**：本次诊断没有形成可以核实的答案，请人工排查。\n"

// Input is what an answer is made of.
type Input struct {
	Routing verdict.Routing
	// Contract is nil when nothing parsed. Its claims count only through Routing.
	Contract *contract.Contract
	Report   *gate.Report // nil when no gate ran
}

// Why a preferred style was not used.
var (
	errNoClaims   = errors.New("没有可以陈述的结论")
	errNotChinese = errors.New("答案不是中文")
	errJSON       = errors.New("答案是 JSON，不是给人看的文字")
)

// Render makes the answer without any model. It never fails: what cannot be
// rendered falls back to the degraded style, and that to the fixed notice.
func Render(in Input) event.Answered {
	reason := ""
	if in.Routing.Decision == verdict.Pass {
		if in.Contract != nil && in.Contract.AnswerVersion == contract.V1 && strings.TrimSpace(in.Contract.UserFacingAnswer) != "" {
			err := fit(in.Contract.UserFacingAnswer, in.Report)
			if err == nil {
				return userFacing(in)
			}
			reason = err.Error()
		}
		a, err := safely(in, confirmed)
		if err == nil {
			a.Reason = reason
			return a
		}
		reason = join(reason, err.Error())
	}
	a, err := safely(in, degraded)
	if err == nil {
		a.Reason = reason
		return a
	}
	return event.Answered{Markdown: FixedNotice, Style: event.StyleFixed, Sentences: []gate.SentenceSource{}, Reason: join(reason, err.Error())}
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "；" + b
}

// fit says why a text of the model cannot be the answer.
func fit(text string, report *gate.Report) error {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[{") {
		return errJSON
	}
	if !Chinese(text) {
		return errNotChinese
	}
	if report != nil {
		for _, f := range report.Findings {
			if f.Code == "F004" && f.Pointer == "/user_facing_answer" {
				return errNotChinese
			}
		}
	}
	return nil
}

// userFacing takes the contract's own answer, which the gate has audited.
func userFacing(in Input) event.Answered {
	a := event.Answered{Markdown: in.Contract.UserFacingAnswer, Style: event.StyleUserFacing, Sentences: []gate.SentenceSource{}}
	if in.Report != nil {
		for _, s := range in.Report.Sentences {
			if s.Field == "user_facing_answer" {
				s.Field = Field
				a.Sentences = append(a.Sentences, s)
			}
		}
	}
	return a
}

// safely renders; a panic over odd data is an error like any other.
func safely(in Input, render func(*page, Input) error) (a event.Answered, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("渲染失败：%v", p)
		}
	}()
	var p page
	if err := render(&p, in); err != nil {
		return a, err
	}
	// The frame is Chinese whatever language the model used inside it: showing what was
	// found is worth more than the fixed notice.
	text := p.text.String()
	style := event.StyleRendered
	if in.Routing.Decision != verdict.Pass || p.notice {
		style = event.StyleDegraded
	}
	return event.Answered{Markdown: text, Style: style, Sentences: p.sentences}, nil
}
