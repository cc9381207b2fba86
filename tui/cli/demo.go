package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"claimscope/engine"
	"claimscope/engine/contract"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// errNoDemo says that the program came without what the tour shows.
var errNoDemo = errors.New("the bundled sessions that the tour shows are missing")

// tour is what the demo shows.
type tour struct {
	*printer
	engine *engine.Engine
	number int
}

// demoCommand prints a guided tour of the contract on the bundled sessions: a proven
// claim with its bytes, the same claim with one digit changed, a blocked one.
func (a *App) demoCommand(_ context.Context, in *input) error {
	e, err := in.open(0)
	if err != nil {
		return err
	}
	entries, err := e.List()
	if err != nil {
		a.report(context.Background(), err)
	}
	var passed, failed *engine.Recording
	for _, entry := range entries {
		if !entry.Bundled || entry.Err != nil {
			continue
		}
		var target **engine.Recording
		switch entry.Decision {
		case verdict.Pass:
			target = &passed
		case verdict.LowConfid:
			target = &failed
		case verdict.Retry:
		}
		if target != nil && *target == nil {
			if *target, err = e.Open(entry.ID); err != nil {
				return err
			}
		}
	}
	if passed == nil || failed == nil {
		return errNoDemo
	}
	t := &tour{printer: a.printer(a.Stdout), engine: e}
	t.proof(passed)
	t.block(failed)
	t.end(failed.Header.ID)
	return t.err
}

// step begins a part of the tour.
func (t *tour) step(zh, en, textZH, textEN string) {
	if t.number > 0 {
		t.raw("")
	}
	t.number++
	t.put(0, 3, t.paint(bold, safe(fmt.Sprintf("%d. %s", t.number, t.say(zh, en)))))
	t.put(3, 0, clean(t.say(textZH, textEN)))
	t.raw("")
}

// proof shows a claim, the bytes that carry it, and that one digit makes the difference.
func (t *tour) proof(rec *engine.Recording) {
	st := rec.State()
	last := st.Current()
	structured, report := last.Structured(), last.Gate
	if structured == nil || report == nil {
		return
	}
	forged := t.forge(rec, last)
	i := forged.claim
	claim, r := &structured.Claims[i], report.Claims[i]
	t.know(st.Traces(0))

	t.step("契约：每条结论都指明证据", "the contract: every claim names its evidence",
		"Executor 不写散文，而是交出一个 JSON：每条确认的结论都绑定到某次工具调用的原文。问题是：“"+st.Header.Query+"”",
		"The Executor writes no prose but one JSON object, in which each confirmed claim is bound to the output of a tool call. The question: “"+st.Header.Query+"”")
	t.put(3, 2, clean(`"claim_text": `), t.paint(bold, clean(quoted(claim.ClaimText))))
	for _, b := range claim.EvidenceBindings {
		t.segments(3, cleanf(`"source_id": %q, "tool_name": %q, "evidence_excerpt": `, b.SourceID, b.ToolName), []segment{{quoted(b.EvidenceExcerpt), false}})
	}

	t.step("代码逐字节核对", "code checks it, byte by byte",
		"不用模型：摘录必须在那次调用的原文里，结论里的每个数字、名称和时间都要在证据里找到。▌▐ 之间是承载结论的字节。",
		"Without any model: the excerpt must stand in that call's output, and each number, name and time of the claim in the evidence. Between ▌ and ▐ are the bytes that carry it.")
	t.indented(3, func(p *printer) { p.claimWith(claim, r) })

	if forged.text != "" {
		t.step("改动一个数字", "one digit changed",
			"同一条结论，只把 “"+forged.from+"” 写成 “"+forged.to+"”，再核验一次：",
			"The same claim, with “"+forged.to+"” for “"+forged.from+"”, checked again:")
		changed := *claim
		changed.ClaimText = forged.text
		t.indented(3, func(p *printer) { p.claimWith(&changed, forged.report) })
	}
}

// claimWith prints a claim with what the gate holds of it.
func (p *printer) claimWith(c *contract.Claim, r gate.ClaimReport) {
	p.shown = map[place]bool{}
	mark, word := gateWord(r.Verdict)
	p.claimHead(0, claimHead{mark: mark, id: c.ClaimID, idWidth: len(c.ClaimID), word: word.In(p.lang), kind: c.ClaimType, support: string(c.SupportLevel), text: c.ClaimText})
	p.gateClaim(r, c)
}

// indented prints a part further to the right.
func (t *tour) indented(by int, print func(p *printer)) {
	var b bytes.Buffer
	inner := *t.printer
	inner.w, inner.width = &b, t.width-by
	print(&inner)
	for line := range strings.Lines(b.String()) {
		t.raw(safe(strings.Repeat(" ", by) + strings.TrimSuffix(line, "\n")))
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(b)
}

// forgery is a claim with one digit changed, and what the gate says of it.
type forgery struct {
	claim          int // which claim of the session
	text, from, to string
	report         gate.ClaimReport
}

// forge changes the last digit of a proven number, and verifies the session with that.
// Without such a number it gives the first claim and no text.
func (t *tour) forge(rec *engine.Recording, a *state.Attempt) forgery {
	for i, r := range a.Gate.Claims {
		claims := node(a.Reading().Root, "claims")
		if r.Verdict != gate.Supported || claims == nil || i >= len(claims.Items) {
			continue
		}
		words := node(claims.Items[i], "claim_text")
		for _, f := range r.Facts {
			if f.Kind != "number" || !f.Found || words == nil {
				continue
			}
			claim := words.Text
			to, ok := nextDigit(f.Text)
			if !ok || f.End > len(claim) || claim[f.Start:f.End] != f.Text {
				continue
			}
			claim = claim[:f.Start] + to + claim[f.End:]
			message := a.Message[:words.Span.Start] + quoted(claim) + a.Message[words.Span.End:]
			report, ok := t.verify(rec, message)
			if ok && i < len(report.Claims) && report.Claims[i].Verdict != gate.Supported {
				return forgery{i, claim, f.Text, to, report.Claims[i]}
			}
		}
	}
	return forgery{}
}

// verify gates a session with another output of its Executor.
func (t *tour) verify(rec *engine.Recording, message string) (gate.Report, bool) {
	var b bytes.Buffer
	if err := t.engine.Export(&b, rec.Header.ID, "case", ""); err != nil {
		return gate.Report{}, false
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b.Bytes(), &fields); err != nil {
		return gate.Report{}, false
	}
	fields["executor_final_answer"] = json.RawMessage(quoted(message))
	data, err := json.Marshal(fields)
	if err != nil {
		return gate.Report{}, false
	}
	v, err := t.engine.Verify("demo", data)
	return v.Report, err == nil
}

// node is the member of an object, or nil.
func node(n *contract.Node, key string) *contract.Node {
	if n == nil {
		return nil
	}
	for _, m := range n.Items {
		if m.Key == key {
			return m
		}
	}
	return nil
}

// nextDigit changes the last digit of a number of three digits or more.
func nextDigit(s string) (string, bool) {
	at, n := -1, 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			at, n = i, n+1
		}
	}
	if n < 3 {
		return "", false
	}
	return s[:at] + string('0'+(s[at]-'0'+1)%10) + s[at+1:], true
}

// block shows why a run did not pass.
func (t *tour) block(rec *engine.Recording) {
	st := rec.State()
	inner := *t.printer
	inner.traces = map[string]trace.Trace{}
	inner.know(st.Traces(0))
	t.printer = &inner
	t.step("没有证据的结论会被拦下", "a claim without evidence is blocked",
		"另一次运行里有站不住的结论。PASS 需要代码核验与 Verifier 都同意；否则带着原因重试，仍不行就是 LOW_CONFID，答复会明说哪些没有核实。从判定到原因：",
		"In another run claims do not hold. A PASS takes the consent of both the code and the Verifier; else the run is tried again, told why, and then ends as LOW_CONFID, and the answer says what is not proven. From the verdict to its causes:")
	t.indented(3, func(p *printer) { p.why(&st) })
}

// end says what to try next.
func (t *tour) end(id string) {
	t.step("自己试试", "try it", "以下命令都不需要网络和密钥：", "None of these needs a network or a key:")
	commands := [][3]string{
		{"claimscope", "打开控制台，enter 打开会话，? 显示按键", "opens the console: enter opens a session, ? shows the keys"},
		{"claimscope run", "重放整条流水线", "replays the whole pipeline"},
		{"claimscope show " + id + " --why", "从判定到原因", "from the verdict to its causes"},
		{"claimscope verify FILE", "核验你自己的案例或快照", "checks a case or snapshot of your own"},
	}
	width := 0
	for _, c := range commands {
		width = max(width, text.Width(c[0]))
	}
	for _, c := range commands {
		t.put(3, width+2, t.paint(bold, clean(text.Pad(c[0], width))), "  ", t.paint(dim, safe(t.say(c[1], c[2]))))
	}
}
