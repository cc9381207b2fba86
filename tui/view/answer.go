package view

import (
	"strings"

	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/verdict"
)

// The fields that a Text can come from. FieldAnswer is the session's answer, the
// others are the Executor's own words that the audit read.
const (
	FieldAnswer     = "answer"
	FieldUserFacing = "user_facing_answer"
	FieldSummary    = "diagnosis_summary"
)

// Text is an answer in Chinese Markdown.
type Text struct {
	Field     string
	Markdown  string
	Style     event.AnswerStyle // of the answer; "" for the others
	Reason    string            // why a preferred style was not used, or ""
	Sentences []Sentence
	Extras    []Extra
}

// Sentence is a sentence of an answer with what it comes from.
type Sentence struct {
	Start, End int      // bytes of Markdown
	Sources    []string // JSON pointers, or the id of an nl-N claim; none for a sentence without a source
	Claims     []int    // of the sources, the claims, by index into View.Claims
}

// Extra is a piece of an answer that no claim states.
type Extra struct {
	Start, End int // bytes of Markdown
	Finding    int // index into View.Findings, or -1
}

// texts lists the answer and the Executor's own answers.
func (v *View) texts() []Text {
	a := v.Attempt
	var out []Text
	if a.Answer != nil {
		t := Text{Field: FieldAnswer, Markdown: a.Answer.Markdown, Style: a.Answer.Style, Reason: a.Answer.Reason}
		t.Sentences = v.sentences(a.Answer.Sentences, len(t.Markdown), "")
		out = append(out, t)
	}
	if c := a.Structured(); c != nil {
		for _, own := range []Text{{Field: FieldUserFacing, Markdown: c.UserFacingAnswer}, {Field: FieldSummary, Markdown: c.DiagnosisSummary}} {
			if strings.TrimSpace(own.Markdown) == "" {
				continue
			}
			if len(out) > 0 && out[0].Markdown == own.Markdown {
				v.extras(&out[0], own.Field)
				continue
			}
			if a.Gate != nil {
				own.Sentences = v.sentences(a.Gate.Sentences, len(own.Markdown), own.Field)
			}
			v.extras(&own, own.Field)
			out = append(out, own)
		}
	}
	return out
}

func (v *View) sentences(sources []gate.SentenceSource, length int, field string) []Sentence {
	var out []Sentence
	for _, s := range sources {
		if field != "" && s.Field != field || s.Start < 0 || s.End > length || s.End <= s.Start {
			continue
		}
		out = append(out, Sentence{Start: s.Start, End: s.End, Sources: s.Sources, Claims: v.claimsOf(s.Sources)})
	}
	return out
}

// claimsOf finds the claims among sources.
func (v *View) claimsOf(sources []string) []int {
	var out []int
	for _, s := range sources {
		if i := v.claimAt(s); i >= 0 {
			out = append(out, i)
			continue
		}
		for i := range v.Claims {
			if v.Claims[i].Natural && (v.Claims[i].ID == s || "/"+v.Claims[i].ID == s) {
				out = append(out, i)
			}
		}
	}
	return out
}

// extras finds the facts that no claim states: those of the gate by their place, those
// of the Verifier by their words.
func (v *View) extras(t *Text, field string) {
	if r := v.Attempt.Gate; r != nil {
		for _, x := range r.ExtraFacts {
			if x.Field == field && x.Start >= 0 && x.End <= len(t.Markdown) && x.Start < x.End {
				t.Extras = append(t.Extras, Extra{x.Start, x.End, v.findingFor(FromGate, x.Text)})
			}
		}
	}
	if r := v.Attempt.Verified; r != nil && r.Err == "" {
		for _, x := range r.ExtraFacts {
			if at := strings.Index(t.Markdown, x.Text); at >= 0 && x.Text != "" && x.Verdict != verdict.Supported {
				t.Extras = append(t.Extras, Extra{at, at + len(x.Text), v.findingFor(FromVerifier, x.Text)})
			}
		}
	}
}

// findingFor finds the finding about a piece of the answer.
func (v *View) findingFor(from Origin, quote string) int {
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Origin == from && f.Claim < 0 && f.Quote == quote {
			return i
		}
	}
	return -1
}
