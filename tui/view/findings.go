package view

import (
	"strconv"
	"strings"

	"claimscope/engine/gate"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// Origin says who found a problem.
type Origin uint8

// The origins.
const (
	FromGate Origin = iota
	FromVerifier
	FromParser
	FromRun // the run itself: a stage failed, it was cancelled, there is no claim at all
)

// Finding is one problem (or note) in the reader's words: a finding of the gate, a
// verdict of the Verifier, a malformed output, a failed stage.
type Finding struct {
	Index    int
	Origin   Origin
	Code     string // B005; for other origins a verdict, parse status or cause
	Severity gate.Severity
	Pointer  string // JSON pointer into the contract; "" for the whole
	Words    text.Label
	Quote    string // the words of the contract it is about
	Places   []gate.Place
	Claim    int // index into View.Claims, or -1
	Binding  int // index into the claim's bindings, or -1
}

// Message says what was found, in a language.
func (f *Finding) Message(lang text.Lang) string { return f.Words.In(lang) }

// findingRows lists all problems in the order in which they are walked: claim by
// claim, then those of the whole output. It notes them at their claims and bindings.
func (v *View) findingRows() []Finding {
	w := findingWalk{v: v}
	report := v.Attempt.Gate
	for i := range v.Claims {
		c := &v.Claims[i]
		if c.Gate != nil {
			w.gate(c.Gate.Findings, i)
		}
		if report != nil && c.Pointer != "" {
			for k := range report.Findings {
				if under(report.Findings[k].Pointer, c.Pointer) {
					w.gate(report.Findings[k:k+1], i)
				}
			}
		}
		w.check(c)
	}
	w.output()
	if report != nil {
		for k := range report.Findings {
			if w.claimOf(report.Findings[k].Pointer) < 0 {
				w.gate(report.Findings[k:k+1], -1)
			}
		}
	}
	w.verifier()
	w.run()
	return w.out
}

type findingWalk struct {
	v   *View
	out []Finding
}

func (w *findingWalk) add(f Finding) {
	f.Index = len(w.out)
	if f.Claim >= 0 {
		c := &w.v.Claims[f.Claim]
		c.Findings = append(c.Findings, f.Index)
		if f.Binding >= 0 {
			b := &c.Bindings[f.Binding]
			b.Findings = append(b.Findings, f.Index)
		}
	}
	w.out = append(w.out, f)
}

func (w *findingWalk) gate(findings []gate.Finding, claim int) {
	for _, f := range findings {
		w.add(Finding{
			Origin: FromGate, Code: string(f.Code), Severity: f.Severity, Pointer: f.Pointer,
			Words: text.Label{ZH: f.Message.ZH, EN: f.Message.EN}, Quote: f.Quote, Places: f.Places,
			Claim: claim, Binding: w.bindingOf(claim, f.Pointer),
		})
	}
}

// check turns the Verifier's verdict on a claim into a finding when it is against it.
func (w *findingWalk) check(c *Claim) {
	r := w.v.Attempt.Verified
	if r == nil || r.Err != "" {
		return
	}
	f := Finding{Origin: FromVerifier, Severity: gate.Block, Pointer: c.Pointer, Claim: c.Index, Binding: -1}
	switch {
	case c.Check == nil || c.Check.Verdict == verdict.NotChecked:
		f.Code, f.Words = string(verdict.NotChecked), wordNotChecked
	case c.Check.Verdict != verdict.Supported:
		f.Code = string(c.Check.Verdict)
		f.Words = text.Label{ZH: c.Check.Reason, EN: c.Check.Reason}
		if c.Check.Reason == "" {
			f.Words = wordNoReason
		}
	default:
		return
	}
	w.add(f)
}

// output adds what is wrong with the output as a whole.
func (w *findingWalk) output() {
	p := w.v.Attempt.Parsed
	if p == nil || !p.Status.Malformed() {
		return
	}
	words := text.Label{ZH: p.ReasonZH, EN: p.Reason}
	if words.ZH == "" {
		words.ZH = words.EN
	}
	if words.EN == "" {
		words = wordMalformed
	}
	w.add(Finding{Origin: FromParser, Code: string(p.Status), Severity: gate.Block, Words: words, Claim: -1, Binding: -1})
}

// verifier adds what the Verifier says of the answer, and its own failure.
func (w *findingWalk) verifier() {
	r := w.v.Attempt.Verified
	if r == nil {
		return
	}
	if r.Err != "" {
		w.add(Finding{
			Origin: FromVerifier, Code: string(verdict.VerifierError), Severity: gate.Block,
			Words: text.Label{ZH: wordVerifierError.ZH + r.Err, EN: wordVerifierError.EN + r.Err}, Claim: -1, Binding: -1,
		})
		return
	}
	for _, x := range r.ExtraFacts {
		if x.Verdict == verdict.Supported {
			continue
		}
		w.add(Finding{
			Origin: FromVerifier, Code: string(verdict.CauseExtraFact), Severity: gate.Block, Quote: x.Text,
			Words: text.Label{
				ZH: wordExtraFact.ZH + "“" + x.Text + "”" + prefixed("：", x.Reason),
				EN: wordExtraFact.EN + "“" + x.Text + "”" + prefixed(": ", x.Reason),
			}, Claim: -1, Binding: -1,
		})
	}
}

// run adds what went wrong with the run itself.
func (w *findingWalk) run() {
	a := w.v.Attempt
	for _, f := range w.v.State.Failures {
		if f.Attempt == a.Number && f.Final {
			w.add(Finding{
				Origin: FromRun, Code: string(verdict.StageError), Severity: gate.Block, Claim: -1, Binding: -1,
				Words: text.Label{ZH: string(f.Stage) + "：" + f.Error, EN: string(f.Stage) + ": " + f.Error},
			})
		}
	}
	if a.Routing == nil {
		return
	}
	for _, c := range a.Routing.Causes {
		switch c.Cause {
		case verdict.NoConfirmedClaims, verdict.VerifierIncomplete, verdict.Cancelled:
			w.add(Finding{
				Origin: FromRun, Code: string(c.Cause), Severity: gate.Block, Pointer: c.Pointer, Claim: w.claimOf(c.Pointer), Binding: -1,
				Words: text.Label{ZH: c.MessageZH, EN: c.Message},
			})
		case verdict.MalformedOutput, verdict.SchemaViolation, verdict.MissingRef, verdict.ToolMismatch, verdict.ExcerptAbsent,
			verdict.FactNotInEvidence, verdict.CauseContradicted, verdict.KnowledgeAsFact, verdict.UnsupportedClaim,
			verdict.CauseExtraFact, verdict.VerifierError, verdict.StageError:
			// Each of these is a finding already.
		}
	}
}

// claimOf gives the claim that a pointer goes into, or -1.
func (w *findingWalk) claimOf(pointer string) int { return w.v.claimAt(pointer) }

func (w *findingWalk) bindingOf(claim int, pointer string) int {
	if claim < 0 {
		return -1
	}
	return w.v.bindingAt(claim, pointer)
}

// claimAt gives the claim that a pointer goes into, or -1.
func (v *View) claimAt(pointer string) int {
	i, ok := indexAfter(pointer, "/claims/")
	if !ok || i >= len(v.Claims) || v.Claims[i].Natural {
		return -1
	}
	return i
}

// bindingAt gives the binding of the claim that a pointer goes into, or -1.
func (v *View) bindingAt(claim int, pointer string) int {
	c := &v.Claims[claim]
	i, ok := indexAfter(pointer, c.Pointer+"/evidence_bindings/")
	if !ok || i >= len(c.Bindings) {
		return -1
	}
	return i
}

// indexAfter reads the array index that follows prefix in a pointer.
func indexAfter(pointer, prefix string) (int, bool) {
	rest, ok := strings.CutPrefix(pointer, prefix)
	if !ok {
		return 0, false
	}
	digits, _, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(digits)
	return i, err == nil && i >= 0
}

// under reports whether pointer stands at or below parent.
func under(pointer, parent string) bool {
	return pointer == parent || strings.HasPrefix(pointer, parent+"/")
}

func prefixed(sep, s string) string {
	if s == "" {
		return ""
	}
	return sep + s
}
