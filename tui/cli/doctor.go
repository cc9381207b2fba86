package cli

import (
	"context"
	"fmt"
	"time"

	"claimscope/tui/text"
)

// doctorCommand shows what is in force and where it came from, and checks what it can
// reach. It never prints a key.
func (a *App) doctorCommand(ctx context.Context, in *input) error {
	e, err := in.open(0)
	if err != nil {
		return err
	}
	p := a.printer(a.Stdout)
	cfg := e.Config()
	p.put(0, 0, p.paint(bold, safe(p.say("生效的配置", "configuration in force"))))
	const column = 22
	for _, s := range cfg.Settings() {
		value := s.Value
		if value == "" {
			value = "—"
		}
		p.put(2, column+1, clean(text.Pad(s.Name, column)), " ", clean(value), "  ", p.paint(dim, clean(s.From)))
	}
	p.put(0, 0, p.paint(bold, safe(p.say("检查", "checks"))))
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
			detail = a.word(c.Err)
		}
		p.put(2, column+3, p.mark(mark), " ", clean(text.Pad(p.say(c.What.ZH, c.What.EN), column)), " ", clean(detail+c.Note))
	}
	terminal := ""
	for _, name := range []string{"TERM", "COLORTERM", "NO_COLOR", "COLUMNS", "LC_ALL", "LANG"} {
		if v := a.Getenv(name); v != "" {
			terminal += name + "=" + v + " "
		}
	}
	p.put(2, column+3, p.mark(markInfo), " ", safe(text.Pad(p.say("终端", "terminal"), column)), " ", cleanf("%s%s", terminal, fmt.Sprintf(p.say("宽 %d 列", "%d columns"), p.width)))
	if p.err != nil {
		return p.err
	}
	if bad {
		return silent(ExitFindings)
	}
	return nil
}
