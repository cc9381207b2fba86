// Package enginetest is a small scenario language for tests of the whole engine:
// scripted replies and tool outputs in, expected events, verdict and answer out.
//
// A scenario is a text file of directives, one a line. Lines that start with "|"
// are the text of the directive above them, without the bar and one space; lines
// that start with "#" and empty lines are comments.
//
//	query TEXT                       what the user asks (required)
//	id ID, title TEXT                of the session, for a recording
//	incident NAME                    the tools are the real ones over this bundled incident
//	contract v1|v2                   default v2
//	policy KEY=VALUE …               gate=off|warn|enforce malformed=cap|verifier retries=N composer=on
//	tool NAME STATUS KIND [BLOCK]    the next reply of a tool, its text below; with BLOCK, one
//	                                 evidence block of that id over the whole output. The last
//	                                 reply of a tool is repeated.
//	planner | executor | verifier | composer [finish=REASON] [tokens=N]
//	                                 the stage's next reply, its text below; for the Executor
//	                                 "call" lines may follow
//	reasoning TEXT                   reasoning_content of the reply above
//	call TOOL ARGUMENTS              a tool call of the reply above
//	fault STAGE KIND TEXT            the stage's next request fails
//	expect decision PASS|LOW_CONFID
//	expect end finished|failed|cancelled
//	expect attempt N                 the attempt that was decided
//	expect cause CAUSE [POINTER]     exactly these causes, in order, of the last attempt
//	expect causes none
//	expect claim ID VERDICT          the final verdict on a claim of the last attempt
//	expect style STYLE               of the answer
//	expect answer contains|lacks TEXT
//	expect trace REF TOOL STATUS
//	expect parse STATUS              parse status of the last attempt
//	expect asked STAGE N             how many requests the stage sent
//	expect request STAGE contains|lacks TEXT   any of its requests, as JSON
//	expect event TYPE [STAGE]        comes in the log, after the one expected before
//
// A failed expectation names the file and the line that states it.
package enginetest

import (
	"fmt"
	"strconv"
	"strings"

	"claimscope/engine/contract"
	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/tool"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
)

// Scenario is a parsed scenario file.
type Scenario struct {
	Name     string
	Query    string
	Version  contract.Version
	Policy   verdict.Policy
	Composer bool
	ID       string // of the session that Record writes
	Title    string
	Incident string // bundled incident whose tools answer; "" for scripted tools

	replies []scripted
	tools   map[string][]toolReply
	kinds   map[string]trace.Kind
	order   []string // tools by first mention
	expects []expectation
}

type scripted struct {
	stage string
	reply modeltest.Reply
}

type toolReply struct {
	status trace.Status
	block  string
	text   string
}

// expectation is one expect line.
type expectation struct {
	line  int
	words []string
	text  string // all behind "expect"
}

// parser reads directives.
type parser struct {
	s    *Scenario
	text *[]string // where "|" lines go
	pend []func()  // runs once a directive's text is complete
}

// Parse reads a scenario. Errors name the line.
func Parse(name, text string) (*Scenario, error) {
	s := &Scenario{Name: name, Version: contract.V2, Policy: verdict.DefaultPolicy(),
		tools: map[string][]toolReply{}, kinds: map[string]trace.Kind{}}
	p := parser{s: s}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if rest, ok := strings.CutPrefix(line, "|"); ok {
			if p.text == nil {
				return nil, fmt.Errorf("%s:%d: text without a directive that takes it", name, i+1)
			}
			*p.text = append(*p.text, strings.TrimPrefix(rest, " "))
			continue
		}
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := p.directive(i+1, line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
	}
	p.flush()
	if s.Query == "" {
		return nil, fmt.Errorf("%s: no query", name)
	}
	if len(s.expects) == 0 {
		return nil, fmt.Errorf("%s: it expects nothing, so it cannot fail", name)
	}
	return s, nil
}

func (p *parser) flush() {
	for _, f := range p.pend {
		f()
	}
	p.pend, p.text = nil, nil
}

func (p *parser) directive(line int, text string) error {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "call", "reasoning":
		return p.addToReply(word, rest)
	}
	p.flush()
	switch word {
	case "query":
		p.s.Query = rest
	case "id":
		p.s.ID = rest
	case "title":
		p.s.Title = rest
	case "incident":
		p.s.Incident = rest
	case "contract":
		switch rest {
		case "v1":
			p.s.Version = contract.V1
		case "v2":
			p.s.Version = contract.V2
		default:
			return fmt.Errorf("contract is v1 or v2, not %q", rest)
		}
	case "policy":
		return p.policy(rest)
	case "tool":
		return p.tool(rest)
	case "planner", "executor", "verifier", "composer":
		return p.reply(word, rest)
	case "fault":
		return p.fault(rest)
	case "expect":
		e := expectation{line: line, words: strings.Fields(rest), text: rest}
		if err := e.check(); err != nil {
			return err
		}
		p.s.expects = append(p.s.expects, e)
	default:
		return fmt.Errorf("no directive %q", word)
	}
	return nil
}

func (p *parser) policy(rest string) error {
	for _, kv := range strings.Fields(rest) {
		key, value, _ := strings.Cut(kv, "=")
		switch key {
		case "gate":
			p.s.Policy.Gate = verdict.GateMode(value)
		case "malformed":
			p.s.Policy.Malformed = verdict.MalformedPolicy(value)
		case "retries":
			n, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("retries: %w", err)
			}
			p.s.Policy.Retries = n
		case "composer":
			p.s.Composer = value == "on"
		default:
			return fmt.Errorf("no policy %q", key)
		}
	}
	return nil
}

func (p *parser) tool(rest string) error {
	f := strings.Fields(rest)
	if len(f) < 3 || len(f) > 4 {
		return fmt.Errorf("write: tool NAME STATUS KIND [BLOCK]")
	}
	r := toolReply{status: trace.Status(f[1])}
	if len(f) == 4 {
		r.block = f[3]
	}
	name := f[0]
	if _, ok := p.s.kinds[name]; !ok {
		p.s.order = append(p.s.order, name)
	}
	p.s.kinds[name] = trace.Kind(f[2])
	var lines []string
	p.text = &lines
	p.pend = append(p.pend, func() {
		r.text = join(lines)
		p.s.tools[name] = append(p.s.tools[name], r)
	})
	return nil
}

// join ends every line, as tools do.
func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func (p *parser) reply(stage, rest string) error {
	var r modeltest.Reply
	for _, kv := range strings.Fields(rest) {
		key, value, _ := strings.Cut(kv, "=")
		switch key {
		case "finish":
			r.Finish = model.FinishReason(value)
		case "tokens":
			n, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("tokens: %w", err)
			}
			r.Usage = model.Usage{PromptTokens: n - n/4, CompletionTokens: n / 4}
		default:
			return fmt.Errorf("no option %q of a reply", key)
		}
	}
	p.s.replies = append(p.s.replies, scripted{stage: stage, reply: r})
	at := len(p.s.replies) - 1
	var lines []string
	p.text = &lines
	p.pend = append(p.pend, func() { p.s.replies[at].reply.Content = strings.Join(lines, "\n") })
	return nil
}

func (p *parser) addToReply(word, rest string) error {
	if len(p.s.replies) == 0 {
		return fmt.Errorf("%s without a reply", word)
	}
	r := &p.s.replies[len(p.s.replies)-1].reply
	if word == "reasoning" {
		r.Reasoning = rest
		return nil
	}
	name, args, _ := strings.Cut(rest, " ")
	r.Calls = append(r.Calls, model.ToolCall{Name: name, Arguments: strings.TrimSpace(args)})
	return nil
}

func (p *parser) fault(rest string) error {
	f := strings.SplitN(rest, " ", 3)
	if len(f) != 3 {
		return fmt.Errorf("write: fault STAGE KIND TEXT")
	}
	p.s.replies = append(p.s.replies, scripted{stage: f[0], reply: modeltest.Reply{Fault: &model.Fault{Kind: model.FaultKind(f[1]), Text: f[2]}}})
	return nil
}

// forms is how many words an expectation of a kind has behind it: at least, at most
// (0: any number).
var forms = map[string][2]int{
	"decision": {1, 1}, "end": {1, 1}, "attempt": {1, 1}, "cause": {1, 2}, "causes": {1, 1}, "claim": {2, 2},
	"style": {1, 1}, "answer": {2, 0}, "trace": {3, 3}, "parse": {1, 1}, "asked": {2, 2}, "request": {3, 0},
	"event": {1, 2},
}

func (e expectation) check() error {
	if len(e.words) == 0 {
		return fmt.Errorf("expect what?")
	}
	form, ok := forms[e.words[0]]
	if !ok {
		return fmt.Errorf("no expectation %q", e.words[0])
	}
	n := len(e.words) - 1
	if n < form[0] || form[1] > 0 && n > form[1] {
		return fmt.Errorf("expect %s takes %d to %d words", e.words[0], form[0], form[1])
	}
	return nil
}

// Model gives a fresh scripted model.
func (s *Scenario) Model() *modeltest.Model {
	m := modeltest.New()
	for _, r := range s.replies {
		m.On(r.stage, r.reply)
	}
	return m
}

// Tools gives fresh scripted tools behind the real registry.
func (s *Scenario) Tools() *tool.Registry {
	var tools []tool.Tool
	for _, name := range s.order {
		tools = append(tools, &scriptedTool{name: name, kind: s.kinds[name], replies: s.tools[name]})
	}
	return tool.NewRegistry(nil, tool.Limits{}, tools...)
}
