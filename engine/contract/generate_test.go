package contract

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// This file writes contracts the way models break them. A style says how each
// token is written; a wrapping says what stands around the object.

// phrases are texts with what trips readers up: quotes of every kind, brackets,
// separators, marks of Markdown and of comments.
var phrases = []string{
	"网关在 09:14 起返回 502，共 37 次。",
	"日志“连接被拒绝”出现后，重试 {3} 次均失败。",
	"配置项 [pool.max] 由 64 改为 16；见 /etc/app/pool.conf",
	"path=C:\\svc\\bin, code=0x1F, url=http://a.b/c?d=[1]#top",
	"he said \"timeout\", then 'refused'",
	"`kubectl get pods` 显示 ```CrashLoopBackOff```",
	"第一行\n第二行\t制表",
	"{\"level\":\"error\",\"msg\":\"pool, exhausted\"}",
	"// 不是注释 /* 也不是 */ # 同样不是",
	"5.0% → 12.5%；耗时 3s…",
	"逗号，冒号：分号；顿号、括号（内）【外】",
	"emoji 🙂 与 𝒳",
	"结尾是反斜杠 \\",
	"<b>粗体</b> & \u2028 分隔",
	"错误码 E-1001: upstream timed out (110: Connection timed out)",
}

// plainPhrases hold nothing that needs an escape in any style.
var plainPhrases = []string{
	"网关在 09:14 起返回 502，共 37 次。",
	"重试 {3} 次均失败。",
	"配置项 [pool.max] 由 64 改为 16；见 /etc/app/pool.conf",
	"// 不是注释 /* 也不是 */ # 同样不是",
	"逗号，冒号：分号；顿号、括号（内）【外】",
	"错误码 E-1001: upstream timed out (110: Connection timed out)",
	"node-7 NotReady, 3 pods evicted",
}

func pickOne[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// someContract makes a contract of n claims whose texts come from the phrases.
func someContract(r *rand.Rand, n int, from []string) Contract {
	k := Contract{AnswerVersion: V2, Hypotheses: []Hypothesis{}, RecommendedActions: []Action{}, MissingInfo: []string{}}
	binding := func() Binding {
		return Binding{
			SourceType: SourceToolTrace, SourceID: "trace-" + strconv.Itoa(1+r.IntN(9)), ToolName: pickOne(r, "query_logs", "query_metrics", ""),
			SourceInvocationIDs: []int64{int64(r.IntN(50))}, EvidenceExcerpt: pickOne(r, from...),
		}
	}
	for i := range n {
		c := Claim{
			ClaimID: "c" + strconv.Itoa(i+1), ClaimType: pickOne(r, RootCause, Symptom, Impact, "observation"),
			ClaimText: pickOne(r, from...), SupportLevel: pickOne(r, Direct, Indirect, None), EvidenceBindings: []Binding{},
		}
		for range r.IntN(3) {
			c.EvidenceBindings = append(c.EvidenceBindings, binding())
		}
		k.Claims = append(k.Claims, c)
	}
	if r.IntN(2) == 0 {
		k.Hypotheses = append(k.Hypotheses, Hypothesis{HypothesisText: pickOne(r, from...), Basis: "b", NeededEvidence: []string{pickOne(r, from...), "n2"}})
		k.RecommendedActions = append(k.RecommendedActions, Action{ActionText: pickOne(r, from...), Reason: "r", EvidenceBindings: []Binding{binding()}})
		k.MissingInfo = append(k.MissingInfo, pickOne(r, from...))
	}
	return k
}

// style says how tokens are written.
type style struct {
	name        string
	quotes      [2]string
	keyQuotes   [2]string
	escape      func(string) string
	comma       string
	colon       string
	brackets    string // of object and array: "{}[]"
	indent      bool
	trailing    bool   // a comma behind the last item
	leading     bool   // a comma before the first
	comment     string // behind each member
	null        string
	number      func(int64) string
	key         func(string) string
	noItemComma bool // no commas between objects
	plainOnly   bool // texts must need no escape
}

func jsonEscape(s string) string {
	q := appendString(nil, s)
	return string(q[1 : len(q)-1])
}

func baseStyle() style {
	return style{
		quotes: [2]string{`"`, `"`}, keyQuotes: [2]string{`"`, `"`}, escape: jsonEscape, comma: ",", colon: ":", brackets: "{}[]",
		null: "null", number: func(v int64) string { return strconv.FormatInt(v, 10) }, key: func(s string) string { return s },
	}
}

// styles lists one defect each.
func styles() []style {
	var all []style
	add := func(name string, change func(*style)) {
		s := baseStyle()
		s.name = name
		change(&s)
		all = append(all, s)
	}
	add("valid", func(*style) {})
	add("indented", func(s *style) { s.indent = true })
	add("trailing commas", func(s *style) { s.trailing = true })
	add("leading commas", func(s *style) { s.leading = true })
	add("doubled commas", func(s *style) { s.comma = ",," })
	add("spaced doubled commas", func(s *style) { s.comma = " , ,\n" })
	add("no commas, lines", func(s *style) { s.comma, s.indent = "", true })
	add("no commas between objects", func(s *style) { s.noItemComma = true })
	add("semicolons", func(s *style) { s.comma = ";" })
	add("full-width comma", func(s *style) { s.comma = "，" })
	add("full-width colon", func(s *style) { s.colon = "：" })
	add("arrow", func(s *style) { s.colon = " => " })
	add("full-width braces", func(s *style) { s.brackets = "｛｝［］" })
	add("black lenticular", func(s *style) { s.brackets = "{}【】" })
	add("line comments", func(s *style) { s.comment, s.indent = " // 说明 \"引号\", {括号}", true })
	add("hash comments", func(s *style) { s.comment, s.indent = " # note: x", true })
	add("block comments", func(s *style) { s.comment = " /* 说明, \"a\": 1 */" })
	add("no key quotes", func(s *style) { s.keyQuotes = [2]string{"", ""} })
	add("python", func(s *style) {
		s.quotes, s.keyQuotes = [2]string{"'", "'"}, [2]string{"'", "'"}
		s.escape = func(t string) string {
			return strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`).Replace(t)
		}
		s.null = "None"
	})
	add("python hex", func(s *style) {
		s.quotes, s.keyQuotes = [2]string{"'", "'"}, [2]string{"'", "'"}
		s.escape = func(t string) string {
			return strings.NewReplacer(`\`, `\\`, `'`, `\x27`, "\n", `\x0a`, "\t", `\x09`, "🙂", `\U0001f642`).Replace(t)
		}
	})
	add("backticks", func(s *style) {
		s.quotes = [2]string{"`", "`"}
		s.escape = func(t string) string { return strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(t) }
	})
	add("typographic", func(s *style) {
		s.quotes, s.keyQuotes, s.plainOnly = [2]string{"“", "”"}, [2]string{"“", "”"}, true
	})
	add("full-width quotes", func(s *style) {
		s.quotes, s.keyQuotes, s.plainOnly = [2]string{"＂", "＂"}, [2]string{"＂", "＂"}, true
	})
	add("typographic single", func(s *style) {
		s.quotes, s.keyQuotes, s.plainOnly = [2]string{"‘", "’"}, [2]string{"‘", "’"}, true
	})
	add("corner quotes", func(s *style) {
		s.quotes, s.keyQuotes, s.plainOnly = [2]string{"「", "」"}, [2]string{"「", "」"}, true
	})
	add("typographic keys", func(s *style) { s.keyQuotes = [2]string{"“", "”"} })
	add("all full-width", func(s *style) {
		s.quotes, s.keyQuotes, s.plainOnly = [2]string{"“", "”"}, [2]string{"“", "”"}, true
		s.comma, s.colon, s.brackets = "，", "：", "｛｝［］"
	})
	add("raw line breaks", func(s *style) {
		s.escape = func(t string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t) }
	})
	add("single backslashes", func(s *style) {
		s.escape = func(t string) string {
			return strings.NewReplacer(`C:\svc\bin`, `C:\svc\\bin`, `\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(t)
		}
	})
	add("all escaped", func(s *style) {
		s.escape = func(t string) string {
			var b strings.Builder
			for _, u := range utf16Of(t) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
			return b.String()
		}
	})
	add("camel case", func(s *style) { s.key = camel })
	add("upper case", func(s *style) { s.key = strings.ToUpper })
	add("blanks in names", func(s *style) { s.key = func(k string) string { return " " + strings.ReplaceAll(k, "_", " ") + " " } })
	add("python none", func(s *style) { s.null = "None" })
	add("undefined", func(s *style) { s.null = "undefined" })
	add("leading zeros", func(s *style) { s.number = func(v int64) string { return fmt.Sprintf("00%d", v) } })
	add("plus signs", func(s *style) { s.number = func(v int64) string { return fmt.Sprintf("+%d", v) } })
	add("hexadecimal", func(s *style) { s.number = func(v int64) string { return fmt.Sprintf("0x%X", v) } })
	add("ids as strings", func(s *style) { s.number = func(v int64) string { return fmt.Sprintf("%q", strconv.FormatInt(v, 10)) } })
	add("ids as floats", func(s *style) { s.number = func(v int64) string { return fmt.Sprintf("%d.0", v) } })
	add("big integers", func(s *style) { s.number = func(v int64) string { return fmt.Sprintf("%dn", v) } })
	add("full-width digits", func(s *style) {
		s.number = func(v int64) string {
			return strings.Map(func(r rune) rune { return r - '0' + '０' }, strconv.FormatInt(v, 10))
		}
	})
	add("no-break spaces", func(s *style) { s.comma, s.colon = ",\u00a0", "\u00a0:\u3000" })
	return all
}

// mixed joins the defects of two styles.
func mixed(a, b style) style {
	base := baseStyle()
	m := a
	m.name = a.name + " + " + b.name
	if a.comma == base.comma {
		m.comma = b.comma
	}
	if a.colon == base.colon {
		m.colon = b.colon
	}
	if a.brackets == base.brackets {
		m.brackets = b.brackets
	}
	if a.keyQuotes == base.keyQuotes {
		m.keyQuotes = b.keyQuotes
	}
	if a.null == base.null {
		m.null = b.null
	}
	if a.comment == "" {
		m.comment = b.comment
	}
	if a.number(10) == "10" {
		m.number = b.number
	}
	m.indent = a.indent || b.indent
	m.trailing, m.leading = a.trailing || b.trailing, a.leading || b.leading
	m.noItemComma = a.noItemComma || b.noItemComma
	if strings.ContainsAny(m.comment, "/#") && !strings.Contains(m.comment, "*/") || m.comma == "" {
		m.indent = true
	}
	return m
}

func utf16Of(s string) []uint16 {
	var out []uint16
	for _, r := range s {
		if r >= 0x10000 {
			out = append(out, uint16(0xD800+(r-0x10000)>>10), uint16(0xDC00+(r-0x10000)&0x3FF)) //nolint:gosec // by construction
			continue
		}
		out = append(out, uint16(r)) //nolint:gosec // by construction
	}
	return out
}

func camel(s string) string {
	parts := strings.Split(s, "_")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Join(parts, "")
}

// printer writes a contract in a style and notes where each claim ends.
type printer struct {
	style
	b     strings.Builder
	depth int
	ends  []int // offsets behind the closing bracket of each claim
}

func (p *printer) bracket(i int) { p.b.WriteString(string([]rune(p.brackets)[i])) }

func (p *printer) line() {
	if p.indent {
		p.b.WriteString("\n" + strings.Repeat("  ", p.depth))
	}
}

func (p *printer) list(open int, n int, item func(i int)) {
	p.bracket(open)
	p.depth++
	if p.leading && n > 0 {
		p.b.WriteString(",")
	}
	for i := range n {
		p.line()
		item(i)
		if i+1 < n || p.trailing {
			if p.noItemComma && open == 2 {
				p.b.WriteString(" ")
			} else {
				p.b.WriteString(p.comma)
			}
		}
		if open == 0 {
			p.b.WriteString(p.comment)
		}
	}
	p.depth--
	p.line()
	p.bracket(open + 1)
}

func (p *printer) text(s string) { p.b.WriteString(p.quotes[0] + p.escape(s) + p.quotes[1]) }

type pair struct {
	key   string
	write func()
}

func (p *printer) object(members ...pair) {
	p.list(0, len(members), func(i int) {
		p.b.WriteString(p.keyQuotes[0] + p.key(members[i].key) + p.keyQuotes[1] + p.colon)
		members[i].write()
	})
}

func (p *printer) texts(of []string) func() {
	return func() { p.list(2, len(of), func(i int) { p.text(of[i]) }) }
}

func (p *printer) str(s string) func() { return func() { p.text(s) } }

func (p *printer) bindings(of []Binding) func() {
	return func() {
		p.list(2, len(of), func(i int) {
			b := of[i]
			p.object(
				pair{"source_type", p.str(b.SourceType)}, pair{"source_id", p.str(b.SourceID)},
				pair{"tool_name", func() {
					if b.ToolName == "" {
						p.b.WriteString(p.null)
						return
					}
					p.text(b.ToolName)
				}},
				pair{"source_invocation_ids", func() {
					p.list(2, len(b.SourceInvocationIDs), func(j int) { p.b.WriteString(p.number(b.SourceInvocationIDs[j])) })
				}},
				pair{"evidence_excerpt", p.str(b.EvidenceExcerpt)},
			)
		})
	}
}

// print writes the contract.
func (s style) print(k Contract) (text string, ends []int) {
	p := &printer{style: s}
	p.object(
		pair{"answer_version", p.str(string(k.AnswerVersion))},
		pair{"claims", func() {
			p.list(2, len(k.Claims), func(i int) {
				c := k.Claims[i]
				p.object(
					pair{"claim_id", p.str(c.ClaimID)}, pair{"claim_type", p.str(c.ClaimType)}, pair{"claim_text", p.str(c.ClaimText)},
					pair{"support_level", p.str(string(c.SupportLevel))}, pair{"evidence_bindings", p.bindings(c.EvidenceBindings)},
				)
				p.ends = append(p.ends, p.b.Len())
			})
		}},
		pair{"hypotheses", func() {
			p.list(2, len(k.Hypotheses), func(i int) {
				h := k.Hypotheses[i]
				p.object(pair{"hypothesis_text", p.str(h.HypothesisText)}, pair{"basis", p.str(h.Basis)}, pair{"needed_evidence", p.texts(h.NeededEvidence)})
			})
		}},
		pair{"recommended_actions", func() {
			p.list(2, len(k.RecommendedActions), func(i int) {
				a := k.RecommendedActions[i]
				p.object(pair{"action_text", p.str(a.ActionText)}, pair{"reason", p.str(a.Reason)}, pair{"evidence_bindings", p.bindings(a.EvidenceBindings)})
			})
		}},
		pair{"missing_info", p.texts(k.MissingInfo)},
	)
	return p.b.String(), p.ends
}

// draft is a contract that must never be taken when it stands in reasoning.
const draft = `{"answer_version":"executor_evidence_v2","claims":[{"claim_id":"draft","claim_type":"symptom","claim_text":"草稿","support_level":"direct","evidence_bindings":[]}],"hypotheses":[],"recommended_actions":[],"missing_info":[]}`

// wrapping is what stands around the object.
type wrapper struct{ name, before, after string }

func wrappings() []wrapper {
	return []wrapper{
		{"nothing", "", ""},
		{"blanks", " \n\t", "\n\n"},
		{"mark", "\uFEFF", ""},
		{"fence", "```json\n", "\n```"},
		{"plain fence", "```\n", "\n```\n"},
		{"tilde fence", "~~~json\n", "\n~~~"},
		{"open fence", "```json\n", ""},
		{"closing fence", "", "\n```"},
		{"word", "json\n", ""},
		{"prose", "好的，结论如下：\n", "\n以上，如有疑问请告知。"},
		{"prose with braces", "模板 {ns} 与 {a: 1} 以及 [x]、{\"k\": 2} 已处理；集合 {1,2}。\n", "\n备注：{done}、\"引号\"。"},
		{"reasoning", "<think>先想想 " + draft + " 不对</think>\n", ""},
		{"reasoning of another name", "<Thinking>\n" + draft + "\n</Thinking>", ""},
		{"reasoning behind", "", "\n<think>" + draft + "</think>"},
		{"reasoning never closed", "", "\n<think>" + draft},
		{"closing tag alone", "先写草稿：" + draft + "\n</think>\n", ""},
		{"nested reasoning", "<think>甲<think>乙" + draft + "</think>丙" + draft + "</think>", ""},
		{"tokens", "<|im_start|>assistant\n", "<|im_end|>"},
		{"channels", "<|channel|>analysis<|message|>" + draft + "<|end|><|start|>assistant<|channel|>final<|message|>", "<|return|>"},
		{"wrapper key", `{"result": `, "}"},
		{"two wrapper keys", `{"data": {"output": `, `}, "status": "ok"}`},
		{"array of one", "[", "]"},
		{"tool call", `<tool_call>{"name": "submit", "arguments": `, `}</tool_call>`},
		{"assignment", "const result = ", ";\nexport default result;"},
		{"call", "submit(", ")"},
		{"markdown", "## 结论\n\n1. 见 `{}`\n\n```json\n", "\n```\n\n> 以上"},
		{"everything", "\uFEFF<think>" + draft + "</think>结论 {x}：\n```json\n", "\n```\n完毕<|im_end|>"},
	}
}
