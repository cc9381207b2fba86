package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"claimscope/engine"
	"claimscope/tui/text"
)

// kind is what a flag takes.
type kind uint8

const (
	onOff  kind = iota
	word        // a text
	words       // a text, as often as wanted
	number      // a whole number
)

// flag is one flag of a command.
type flag struct {
	name, short string
	kind        kind
	value       string // what stands for its value in the help, such as FILE
	standard    string // the value when it is not given, for words and numbers
	usage       text.Label
	setting     bool // a setting of the engine, by the name that it has in config.yaml
}

// command is one headless command.
type command struct {
	name     string
	args     string // what stands after the name in the usage line
	summary  text.Label
	detail   text.Label // more, for the command's own help; may be empty
	flags    []flag
	verbs    []string   // what the first argument may be, where it is a verb
	min, max int        // how many other arguments; max -1 for any number
	missing  text.Label // what is missing when there are fewer
	examples []string
	run      func(a *App, ctx context.Context, in *input) error
}

// input is a command line as read.
type input struct {
	app  *App
	cmd  command
	fs   *pflag.FlagSet
	verb string
	args []string
}

func (in *input) text(name string) string {
	s, err := in.fs.GetString(name)
	must(err)
	return s
}

func (in *input) list(name string) []string {
	s, err := in.fs.GetStringArray(name)
	must(err)
	return s
}

func (in *input) on(name string) bool {
	b, err := in.fs.GetBool(name)
	must(err)
	return b
}

func (in *input) count(name string) int {
	n, err := in.fs.GetInt(name)
	must(err)
	return n
}

// must holds for flags that the command's own table defines.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// usage is an error about the command's arguments, its name in front.
func (in *input) usage(zh, en string, args ...any) error {
	zh, en = in.cmd.title()+"："+zh, in.cmd.title()+": "+en
	return in.app.usage(zh, en, args...)
}

// title is the command as error lines name it; a console without one is the program.
func (c command) title() string {
	if c.name == "" {
		return "claimscope"
	}
	return c.name
}

// parse reads a command line; nil when it asked for help, which has been printed.
func (a *App) parse(c command, args []string) (*input, error) {
	fs := pflag.NewFlagSet(c.name, pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	for _, f := range c.flags {
		switch f.kind {
		case onOff:
			fs.BoolP(f.name, f.short, false, "")
		case word:
			fs.StringP(f.name, f.short, f.standard, "")
		case words:
			fs.StringArrayP(f.name, f.short, nil, "")
		case number:
			n := 0
			if f.standard != "" {
				_, err := fmt.Sscan(f.standard, &n)
				must(err)
			}
			fs.IntP(f.name, f.short, n, "")
		}
	}
	in := &input{app: a, cmd: c, fs: fs}
	err := fs.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		return nil, a.helpOn(a.Stdout, c)
	}
	if err != nil {
		return nil, in.badFlag(err)
	}
	in.args = fs.Args()
	return in, in.arity()
}

// arity checks how many arguments there are.
func (in *input) arity() error {
	c := in.cmd
	if len(c.verbs) > 0 {
		if len(in.args) == 0 || !slices.Contains(c.verbs, in.args[0]) {
			want := strings.Join(c.verbs, " / ")
			if len(in.args) > 0 {
				return in.usage("没有子命令 %q；可用的有：%s", "no subcommand %q; there is: %s", in.args[0], want)
			}
			return in.usage("缺少子命令；可用的有：%s", "a subcommand is missing; there is: %s", want)
		}
		in.verb, in.args = in.args[0], in.args[1:]
	}
	switch {
	case slices.Contains(in.args, ""):
		return in.usage("有一个参数是空的", "an argument is empty")
	case len(in.args) < c.min:
		return in.usage(c.missing.ZH, c.missing.EN)
	case c.max >= 0 && len(in.args) > c.max:
		extra := in.args[c.max]
		if c.max == 0 {
			return in.usage("不接受参数，却得到 %q；见 claimscope %s --help", "takes no argument, got %q; see claimscope %s --help", extra, c.name)
		}
		return in.usage("多余的参数 %q；见 claimscope %s --help", "one argument too many: %q; see claimscope %s --help", extra, c.name)
	}
	return nil
}

// badFlag says what is wrong with a flag, and which one may be meant.
func (in *input) badFlag(err error) error {
	help := strings.TrimSpace("claimscope "+in.cmd.name) + " --help"
	var unknown *pflag.NotExistError
	var needs *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return in.usage("没有选项 -%s；见 %s", "no flag -%s; see %s", name, help)
		}
		var names []string
		for _, f := range in.cmd.flags {
			names = append(names, f.name)
		}
		if near := closest(name, append(names, "lang", "help")); near != "" {
			return in.usage("没有选项 --%s，是不是 --%s？见 %s", "no flag --%s, did you mean --%s? see %s", name, near, help)
		}
		return in.usage("没有选项 --%s；见 %s", "no flag --%s; see %s", name, help)
	case errors.As(err, &needs):
		return in.usage("选项 --%s 缺少值；见 %s", "flag --%s needs a value; see %s", needs.GetFlag().Name, help)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if f.Value.Type() == "bool" {
			return in.usage("选项 --%s 不需要值，得到 %q", "flag --%s takes no value, got %q", f.Name, invalid.GetValue())
		}
		return in.usage("选项 --%s 需要整数，得到 %q", "flag --%s wants a whole number, got %q", f.Name, invalid.GetValue())
	}
	return in.usage("%v；见 %s", "%v; see %s", err, help)
}

// open opens the engine with the settings given as flags.
func (in *input) open(tokensPerSecond float64) (*engine.Engine, error) {
	flags := map[string]string{}
	for _, f := range in.cmd.flags {
		if f.setting && in.fs.Changed(f.name) {
			flags[strings.ReplaceAll(f.name, "-", "_")] = in.fs.Lookup(f.name).Value.String()
		}
	}
	if in.fs.Lookup(setFlag) != nil {
		for _, s := range in.list(setFlag) {
			name, value, ok := strings.Cut(s, "=")
			if !ok {
				return nil, in.usage("--set %q：应为 名称=值", "--set %q: want NAME=VALUE", s)
			}
			flags[name] = value
		}
	}
	a := in.app
	e, err := engine.Open(engine.Environment{
		Getenv: a.Getenv, Flags: flags, Bundled: a.Bundled, Now: a.Now, Random: a.Random, TokensPerSecond: tokensPerSecond,
	})
	if err != nil {
		return nil, Usage(err)
	}
	return e, nil
}

// closest is the candidate that differs from s in at most a third of its letters, or "".
func closest(s string, candidates []string) string {
	best, at := "", max(1, len(s)/3)+1
	for _, c := range candidates {
		if d := distance(s, c); d < at || len(s) >= 3 && d <= len(c)-len(s) && strings.HasPrefix(c, s) && best == "" {
			best, at = c, min(at, d)
		}
	}
	return best
}

// distance counts insertions, deletions, replacements and swaps of neighbours (the
// restricted Damerau distance).
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
