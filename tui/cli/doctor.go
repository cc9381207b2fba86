package cli

import (
	"context"
	"fmt"
	"time"

	"claimscope/tui/text"
)

// doctorCommand shows what is in force and where it came from, and checks what it can
// reach. It never prints a key.
func (a *App) doctorCommand(ctx context.Context, args []string) error {
	fs := a.flags("doctor")
	setup := a.runFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return usagef("doctor takes no argument, got %q", fs.Arg(0))
	}
	e, err := setup(0)
	if err != nil {
		return err
	}
	p := printer{w: a.Stdout, lang: a.lang}
	cfg := e.Config()
	p.line(0, "%s", p.say("生效的配置", "configuration in force"))
	for _, s := range cfg.Settings() {
		value := s.Value
		if value == "" {
			value = "—"
		}
		p.line(1, "%s %s %s", text.Fit(s.Name, 22, "…"), text.Fit(value, 48, "…"), s.From)
	}
	p.line(0, "%s", p.say("检查", "checks"))
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	bad := false
	for _, c := range e.Checkup(ctx) {
		mark := markGood
		if c.Note != "" {
			mark = markInfo
		}
		detail := c.Detail
		if c.Err != nil {
			mark, bad = markBad, true
			detail = c.Err.Error()
		}
		p.line(1, "%s %s %s", mark, text.Fit(p.say(c.What.ZH, c.What.EN), 22, "…"), detail+c.Note)
	}
	p.line(1, "%s %s %s", markInfo, text.Fit(p.say("终端", "terminal"), 22, "…"), fmt.Sprintf("TERM=%s COLORTERM=%s NO_COLOR=%s LANG=%s", a.Getenv("TERM"), a.Getenv("COLORTERM"), a.Getenv("NO_COLOR"), a.Getenv("LANG")))
	if p.err != nil {
		return p.err
	}
	if bad {
		return silent(ExitFindings)
	}
	return nil
}
