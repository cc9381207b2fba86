package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"claimscope/tui/text"
)

// helpCommand prints the help, or that of a command.
func (a *App) helpCommand(_ context.Context, in *input) error {
	if len(in.args) == 0 {
		return a.help(a.Stdout)
	}
	c, ok := find(in.args[0])
	if !ok {
		return a.unknownCommand(in.args[0])
	}
	return a.helpOn(a.Stdout, c)
}

// unknownCommand says so, and which one may be meant.
func (a *App) unknownCommand(name string) error {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	if near := closest(name, names); near != "" {
		return a.usage("没有命令 %q，是不是 %s？claimscope help 列出全部命令", "no command %q, did you mean %s? claimscope help lists them", name, near)
	}
	return a.usage("没有命令 %q；claimscope help 列出全部命令", "no command %q; claimscope help lists them", name)
}

// page gathers a help text; the first error of the writer stays.
type page struct {
	b     strings.Builder
	lang  text.Lang
	width int // in cells
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// wrapped is a paragraph behind a lead, its further lines under its first; where that
// leaves no room the lead has a line of its own.
func (p *page) wrapped(lead, s string) {
	at := text.Width(lead)
	const enough = 20
	if p.width-at < enough {
		p.line("%s", strings.TrimRight(lead, " "))
		at, lead = 6, text.Spaces(6)
	}
	for i, l := range text.Wrap(s, p.width-at) {
		if i == 0 {
			p.line("%s%s", lead, l)
		} else {
			p.line("%s%s", text.Spaces(at), l)
		}
	}
}

func (p *page) say(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(p.lang) }

func (p *page) print(w io.Writer) error {
	if _, err := io.WriteString(w, p.b.String()); err != nil {
		return &outputError{err}
	}
	return nil
}

// help prints the commands.
func (a *App) help(w io.Writer) error {
	p := &page{lang: a.lang, width: a.width()}
	p.wrapped("", p.say("claimscope — 故障诊断证据契约的终端调试台", "claimscope — a terminal debugging console for evidence contracts"))
	p.line("\n%s", p.say("用法：", "Usage:"))
	p.wrapped("  claimscope "+consoleEntry().args+"   ", consoleEntry().summary.In(a.lang))
	p.line("  claimscope %s", p.say("命令 …", "COMMAND …"))
	p.line("\n%s", p.say("命令：", "Commands:"))
	for _, c := range commands() {
		p.wrapped("  "+text.Pad(c.name, 11), c.summary.In(a.lang))
		if c.args != "" {
			p.wrapped(text.Spaces(13), "claimscope "+c.name+" "+c.args)
		}
	}
	p.globals()
	return p.print(w)
}

// globals tells what every command takes and gives.
func (p *page) globals() {
	p.line("")
	p.wrapped("", p.say("所有命令都接受 --lang zh|en（默认取自 LC_ALL / LANG）与 --help。", "Every command takes --lang zh|en (default from LC_ALL / LANG) and --help."))
	p.line("\n%s", p.say("退出码：", "Exit codes:"))
	for _, c := range []struct {
		code   int
		zh, en string
	}{
		{ExitOK, "PASS 或完成", "PASS or done"},
		{ExitInternal, "内部错误", "internal error"},
		{ExitUsage, "用法错误，或输入读不了", "usage, or input that cannot be read"},
		{ExitFindings, "LOW_CONFID、有发现或有差异", "LOW_CONFID, findings or differences"},
		{ExitStage, "某个阶段最终失败", "a stage failed for good"},
		{ExitInterrupted, "被中断（Ctrl-C），会话已保留", "interrupted (Ctrl-C); the session is kept"},
	} {
		p.wrapped(fmt.Sprintf("  %3d  ", c.code), p.say(c.zh, c.en))
	}
}

// helpOn prints a command's own help.
func (a *App) helpOn(w io.Writer, c command) error {
	if c.name == "" {
		return a.help(w)
	}
	p := &page{lang: a.lang, width: a.width()}
	p.wrapped("", c.summary.In(a.lang))
	p.line("")
	p.wrapped(p.say("用法： ", "Usage: "), strings.TrimSpace("claimscope "+c.name+" "+c.args))
	if c.detail.Complete() {
		p.line("")
		p.wrapped("", c.detail.In(a.lang))
	}
	p.line("\n%s", p.say("选项：", "Flags:"))
	all := append(c.flags[:len(c.flags):len(c.flags)],
		flag{name: "lang", value: "zh|en", kind: word, usage: text.Label{ZH: "界面语言", EN: "language of the labels"}},
		flag{name: "help", short: "h", usage: text.Label{ZH: "本帮助", EN: "this help"}})
	width := 0
	for _, f := range all {
		width = max(width, text.Width(f.form()))
	}
	for _, f := range all {
		p.wrapped("  "+text.Pad(f.form(), width)+"  ", f.usage.In(a.lang))
	}
	if len(c.examples) > 0 {
		p.line("\n%s", p.say("例子：", "Examples:"))
		for _, e := range c.examples {
			p.wrapped("  ", e)
		}
	}
	return p.print(w)
}

// form is a flag as it is written: -q, --quiet or --query TEXT.
func (f flag) form() string {
	s := "    --" + f.name
	if f.short != "" {
		s = "-" + f.short + ", --" + f.name
	}
	if f.value != "" {
		s += " " + f.value
	}
	return s
}
