// Package cli holds the headless commands, one file each. They are the second
// consumer of the engine's façade, beside the console.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"claimscope/engine"
	"claimscope/tui/text"
)

// The exit codes of the program (spec section 7).
const (
	ExitOK          = 0
	ExitInternal    = 1
	ExitUsage       = 2 // usage, or input that cannot be read
	ExitFindings    = 3 // LOW_CONFID, or findings
	ExitStage       = 4 // a stage failed for good
	ExitInterrupted = 130
)

// App is the program's surroundings, injected so that tests hold all of it.
type App struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Now    func() time.Time
	// Bundled holds incidents/ and recordings/ as shipped.
	Bundled fs.FS
	// StderrIsTerminal says whether progress on Stderr may be drawn over.
	StderrIsTerminal bool
	// Console opens the console and returns when it is closed.
	Console func(ctx context.Context, o ConsoleOptions) error

	lang text.Lang
}

// ConsoleOptions say where the console opens.
type ConsoleOptions struct {
	Engine  *engine.Engine
	Lang    text.Lang
	Session string // id, prefix or path; "" for the session list
	Claim   string // claim id, or ""
}

// command is one headless command.
type command struct {
	name    string
	args    string // what stands after the name in the usage line
	summary text.Label
	run     func(a *App, ctx context.Context, args []string) error
}

// commands lists the commands in the order of the help text.
func commands() []command {
	return []command{
		{"run", "[--incident NAME|DIR] [--query TEXT] [--replay ID] [--json]", text.Label{ZH: "运行整条流水线，打印中文回答", EN: "run the pipeline and print the answer"}, (*App).runCommand},
		{"verify", "FILE… [--json] [--raw-output FILE]", text.Label{ZH: "不用模型，解析并核验案例、快照或会话", EN: "parse and gate a case, a snapshot or a session, without any model"}, (*App).verifyCommand},
		{"list", "[--json]", text.Label{ZH: "列出会话", EN: "list sessions"}, (*App).listCommand},
		{"show", "ID [--why] [--json]", text.Label{ZH: "显示一个会话；--why 只显示从判定到原因的路径", EN: "show a session; --why prints only the path from verdict to cause"}, (*App).showCommand},
		{"export", "ID --format md|html|json|case", text.Label{ZH: "导出会话", EN: "export a session"}, (*App).exportCommand},
		{"import", "FILE|- --format case|snapshot [--traces DIR]", text.Label{ZH: "从别处导入会话", EN: "bring a session in from elsewhere"}, (*App).importCommand},
		{"rm", "ID…", text.Label{ZH: "删除会话", EN: "remove sessions"}, (*App).rmCommand},
		{"prune", "[--keep N] [--older-than DURATION] [--yes]", text.Label{ZH: "清理旧会话", EN: "remove old sessions"}, (*App).pruneCommand},
		{"fork", "ID --mode verifier|executor|live [--repeat N]", text.Label{ZH: "从一个会话分叉重跑", EN: "re-run from a recorded session"}, (*App).forkCommand},
		{"incident", "check DIR", text.Label{ZH: "检查故障目录", EN: "validate an incident folder"}, (*App).incidentCommand},
		{"prompts", "export DIR", text.Label{ZH: "导出提示词以便编辑", EN: "write the prompts out for editing"}, (*App).promptsCommand},
		{"schema", "v1|v2", text.Label{ZH: "打印证据契约的 JSON Schema", EN: "print the JSON Schema of the contract"}, (*App).schemaCommand},
		{"doctor", "", text.Label{ZH: "检查配置、端点与目录", EN: "show what is configured, what answers, what is missing"}, (*App).doctorCommand},
		{"version", "", text.Label{ZH: "版本信息", EN: "build data"}, (*App).versionCommand},
	}
}

// exit is an error that carries its exit code. A silent one has said all already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// usagef is one clear line about wrong usage or unreadable input.
func usagef(format string, args ...any) error {
	return &exit{ExitUsage, fmt.Errorf(format, args...)}
}

// Usage makes an error about usage of one.
func Usage(err error) error { return &exit{ExitUsage, err} }

// silent ends with a code and no further word.
func silent(code int) error { return &exit{code: code} }

// Main runs the program and returns its exit code.
func (a *App) Main(ctx context.Context, args []string) int {
	a.lang = text.LangFromEnv(a.Getenv)
	args, err := a.takeLang(args)
	if err == nil {
		err = a.dispatch(ctx, args)
	}
	return a.report(ctx, err)
}

// report prints the error's one line and finds the exit code.
func (a *App) report(ctx context.Context, err error) int {
	if err == nil {
		return ExitOK
	}
	var e *exit
	code := ExitInternal
	switch {
	case errors.As(err, &e):
		code = e.code
		if e.err == nil {
			return code
		}
	case ctx.Err() != nil:
		code = ExitInterrupted
	}
	line := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
	fmt.Fprintf(a.Stderr, "claimscope: %s\n", text.SanitiseLine(line))
	return code
}

// takeLang removes --lang, which every command takes, from the arguments.
func (a *App) takeLang(args []string) ([]string, error) {
	var rest []string
	for i := 0; i < len(args); i++ {
		value, isLang := strings.CutPrefix(args[i], "--lang=")
		switch {
		case args[i] == "--":
			return append(rest, args[i:]...), nil
		case args[i] == "--lang":
			i++
			if i == len(args) {
				return nil, usagef("--lang wants zh or en")
			}
			value = args[i]
		case !isLang:
			rest = append(rest, args[i])
			continue
		}
		lang, ok := text.ParseLang(value)
		if !ok {
			return nil, usagef("--lang %s: wants zh or en", value)
		}
		a.lang = lang
	}
	return rest, nil
}

func (a *App) dispatch(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "help", "--help", "-h":
			a.help()
			return nil
		case "--version":
			args[0] = "version"
		}
		if i := slices.IndexFunc(commands(), func(c command) bool { return c.name == args[0] }); i >= 0 {
			return commands()[i].run(a, ctx, args[1:])
		}
	}
	return a.consoleCommand(ctx, args)
}

// help prints the commands.
func (a *App) help() {
	fmt.Fprintf(a.Stdout, "%s\n\n", text.Label{
		ZH: "claimscope — 故障诊断证据契约的终端调试台\n\n用法:\n  claimscope [会话[#结论]]        打开控制台\n  claimscope 命令 …",
		EN: "claimscope — a terminal debugging console for evidence contracts\n\nusage:\n  claimscope [SESSION[#CLAIM]]    opens the console\n  claimscope COMMAND …",
	}.In(a.lang))
	for _, c := range commands() {
		fmt.Fprintf(a.Stdout, "  %-10s %s\n             %s\n", c.name, c.summary.In(a.lang), c.args)
	}
	fmt.Fprintln(a.Stdout, text.Label{
		ZH: "\n每个命令都接受 --lang zh|en。退出码: 0 通过, 1 内部错误, 2 用法或输入错误, 3 低置信度或有发现, 4 阶段失败, 130 中断",
		EN: "\nEvery command takes --lang zh|en. Exit codes: 0 pass, 1 internal error, 2 usage or input, 3 LOW_CONFID or findings, 4 a stage failed, 130 interrupted",
	}.In(a.lang))
}

// flags makes a flag set whose errors are one line.
func (a *App) flags(name string) *pflag.FlagSet {
	fs := pflag.NewFlagSet(name, pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.SortFlags = false
	return fs
}

// parse reads the flags; --help prints the command's usage and ends quietly.
func (a *App) parse(fs *pflag.FlagSet, args []string) error {
	err := fs.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		i := slices.IndexFunc(commands(), func(c command) bool { return c.name == fs.Name() })
		if i >= 0 {
			fmt.Fprintf(a.Stdout, "claimscope %s %s\n%s\n\n", fs.Name(), commands()[i].args, commands()[i].summary.In(a.lang))
		}
		fmt.Fprint(a.Stdout, fs.FlagUsages())
		return silent(ExitOK)
	}
	if err != nil {
		return usagef("%s: %w", fs.Name(), err)
	}
	return nil
}
