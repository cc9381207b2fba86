package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"golang.org/x/sys/unix"

	"claimscope/engine"
	"claimscope/engine/config"
	"claimscope/engine/event"
	"claimscope/engine/session"
	"claimscope/prompts"
	"claimscope/tui/text"
)

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

// Usage makes an error about usage, or about input that cannot be read, of one.
func Usage(err error) error { return &exit{ExitUsage, err} }

// silent ends with a code and no further word.
func silent(code int) error { return &exit{code: code} }

// ended ends with a code of which all has been said; nil for ExitOK.
func ended(code int) error {
	if code == ExitOK {
		return nil
	}
	return silent(code)
}

// usage is one clear line about wrong usage, in the language of the labels.
func (a *App) usage(zh, en string, args ...any) error {
	return Usage(fmt.Errorf(text.Label{ZH: zh, EN: en}.In(a.lang), args...))
}

// outputError says that standard output does not take what is printed.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// report prints an error as one line and finds the exit code.
func (a *App) report(ctx context.Context, err error) int {
	if err == nil {
		return ExitOK
	}
	var e *exit
	var out *outputError
	code := ExitInternal
	switch {
	case errors.As(err, &out):
		if errors.Is(err, unix.EPIPE) {
			return ExitInternal // whoever read has gone, and with them the interest
		}
	case errors.As(err, &e):
		code = e.code
		if e.err == nil {
			return code
		}
	case ctx.Err() != nil:
		a.complain(text.Label{ZH: "已中断", EN: "interrupted"}.In(a.lang))
		return ExitInterrupted
	}
	a.complain(a.word(err))
	return code
}

// complain prints one line on stderr.
func (a *App) complain(line string) {
	line = strings.ReplaceAll(strings.TrimSpace(line), "\n", "; ")
	fmt.Fprintf(a.Stderr, "claimscope: %s\n", text.SanitiseLine(line))
}

// word puts an error into words, with what to do about it where that is known.
func (a *App) word(err error) string {
	hint := a.hint(err)
	var ambiguous *session.AmbiguousError
	var newer *event.NewerError
	var path *fs.PathError
	var out *outputError
	line := err.Error()
	switch {
	case errors.As(err, &out):
		line = a.say("标准输出写不进去：", "cannot write to standard output: ") + a.system(out.err)
	case errors.As(err, &ambiguous):
		line = fmt.Sprintf(a.say("%q 对应 %d 个会话：%s", "%q fits %d sessions: %s"), ambiguous.Name, len(ambiguous.IDs), someOf(ambiguous.IDs, 5))
	case errors.As(err, &newer):
		line = before(line, newer.Error()) + fmt.Sprintf(a.say("由更新版本的 claimscope 写成（会话格式 %d，本程序最多读到 %d）", "written by a newer claimscope (session schema %d, this one reads up to %d)"), newer.Schema, event.SchemaVersion)
	case errors.As(err, &path):
		// The file stands in the line once, whoever named it.
		name := strings.TrimPrefix(path.Path, "./")
		front := lineOne.ReplaceAllString(strings.TrimSuffix(before(line, path.Error()), ": "), "")
		if front != "" && !strings.Contains(front+":", name+":") {
			front += ": " + name
		} else if front == "" {
			front = name
		}
		line = front + ": " + a.system(path)
	}
	if hint != "" {
		line += a.say("；", "; ") + hint
	}
	return line
}

// lineOne is the place that reading gives to a file that cannot be read at all.
var lineOne = regexp.MustCompile(`(^|: )line 1$`)

// before is what stands in line before part, or all of it.
func before(line, part string) string {
	head, _, _ := strings.Cut(line, part)
	return head
}

func someOf(list []string, n int) string {
	s := strings.Join(list[:min(n, len(list))], ", ")
	if len(list) > n {
		s += " …"
	}
	return s
}

// system words what the operating system says of a file.
func (a *App) system(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return a.say("文件不存在", "no such file")
	case errors.Is(err, unix.EISDIR):
		return a.say("是目录，不是文件", "is a folder, not a file")
	case errors.Is(err, unix.ENOTDIR):
		return a.say("上级路径不是目录", "a part of the path is no folder")
	case errors.Is(err, fs.ErrPermission):
		return a.say("没有权限", "permission denied")
	case errors.Is(err, unix.EROFS):
		return a.say("文件系统只读", "the file system is read-only")
	case errors.Is(err, unix.ENOSPC):
		return a.say("磁盘已满", "no space left")
	case errors.Is(err, fs.ErrExist):
		return a.say("已经存在", "is there already")
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// hint says what to do about an error, or "".
func (a *App) hint(err error) string {
	var ambiguous *session.AmbiguousError
	var newer *event.NewerError
	var imported *session.ImportError
	switch {
	case errors.As(err, &ambiguous):
		return a.say("请多写几个字符", "write more of the id")
	case errors.As(err, &newer):
		return a.say("请升级 claimscope", "update claimscope")
	case errors.Is(err, session.ErrNotFound):
		return a.say("claimscope list 列出全部会话", "claimscope list shows them all")
	case errors.Is(err, session.ErrLocked):
		return a.say("等它结束后再试", "try again when it has ended")
	case errors.Is(err, engine.ErrNoOutput):
		return a.say("没有可核验的内容；claimscope show 显示它停在哪里", "there is nothing to verify; claimscope show says where it stopped")
	case errors.Is(err, event.ErrNoHeader):
		return a.say("会话文件的第一行应是含 schema 与 id 的 JSON", "a session file begins with a line of JSON that has schema and id")
	case errors.Is(err, unix.EISDIR):
		return a.say("请写出其中的文件", "name the files in it")
	case errors.Is(err, config.ErrInvalid):
		return a.say("claimscope doctor 显示生效的配置", "claimscope doctor shows what is in force")
	case errors.Is(err, fs.ErrExist):
		return a.say("不会覆盖；请换一个目录", "nothing is overwritten; choose another folder")
	case errors.As(err, &imported):
		return a.importHint(imported)
	case errors.Is(err, prompts.ErrNone):
		return a.say("claimscope prompts export 目录 写出一套", "claimscope prompts export DIR writes a set")
	}
	return ""
}

// importHint says what a file must be to be read.
func (a *App) importHint(e *session.ImportError) string {
	if e.Pointer != "" || errors.Is(e, session.ErrTooLarge) {
		return ""
	}
	return a.say("需要案例（case_version）、快照（tool_trace_summary）或会话文件；若是 Executor 的原始输出，请用 --raw-output",
		"want a case (case_version), a snapshot (tool_trace_summary) or a session file; for the Executor's raw output use --raw-output")
}

// folder checks that a folder is there.
func (a *App) folder(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.IsDir() {
		return a.usage("%s：不是目录", "%s: is no folder", name)
	}
	if err != nil {
		return Usage(err)
	}
	return nil
}

// say gives a line in the language of the labels.
func (a *App) say(zh, en string) string { return text.Label{ZH: zh, EN: en}.In(a.lang) }

// asUsage makes errors about what a person named (a session, an incident, a file) or
// configured usage errors; others stay internal.
func asUsage(err error) error {
	var ambiguous *session.AmbiguousError
	var imported *session.ImportError
	var newer *event.NewerError
	var line *event.LineError
	var path *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ambiguous), errors.As(err, &imported), errors.As(err, &newer), errors.As(err, &line), errors.As(err, &path):
	case errors.Is(err, session.ErrNotFound), errors.Is(err, session.ErrBundled), errors.Is(err, session.ErrLocked),
		errors.Is(err, session.ErrBadID), errors.Is(err, session.ErrNotEnded), errors.Is(err, event.ErrNoHeader),
		errors.Is(err, engine.ErrNothingToRun), errors.Is(err, engine.ErrInvalidIncident), errors.Is(err, engine.ErrNoModel),
		errors.Is(err, engine.ErrNoTools), errors.Is(err, engine.ErrDecided), errors.Is(err, engine.ErrMode), errors.Is(err, engine.ErrNoOutput), errors.Is(err, config.ErrInvalid):
	default:
		return err
	}
	return Usage(err)
}
