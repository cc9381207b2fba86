package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"claimscope/engine"
	"claimscope/engine/session"
)

// exportCommand writes a session in another form to stdout.
func (a *App) exportCommand(_ context.Context, in *input) error {
	format := in.text("format")
	f, err := session.ParseExportFormat(format)
	if err != nil {
		return in.usage("--format %q：只能是 %s", "--format %q: want one of %s", format, joined(session.ExportFormats()))
	}
	e, err := in.open(0)
	if err != nil {
		return err
	}
	w := &checked{w: a.Stdout}
	out := &escaper{w: w}
	if f == session.ExportJSON || f == session.ExportCase {
		err = e.Export(out, in.args[0], format, a.lang.String())
	} else {
		err = e.Export(w, in.args[0], format, a.lang.String())
	}
	if w.err != nil {
		return &outputError{w.err}
	}
	return asUsage(err)
}

// importFormats lists what can be imported.
func importFormats() string { return joined(session.Formats()) }

func joined[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = string(x)
	}
	return strings.Join(words, ", ")
}

// importCommand brings a session in and prints its id.
func (a *App) importCommand(ctx context.Context, in *input) error {
	format, traces, name := in.text("format"), in.text("traces"), in.args[0]
	if _, err := session.ParseFormat(format); format != "" && err != nil {
		return in.usage("--format %q：只能是 %s", "--format %q: want one of %s", format, importFormats())
	}
	req := engine.ImportRequest{Name: name, Format: format}
	if traces != "" {
		info, err := os.Stat(traces)
		if err == nil && !info.IsDir() {
			err = &fs.PathError{Op: "read", Path: traces, Err: unix.ENOTDIR}
		}
		if err != nil {
			return Usage(fmt.Errorf("import: --traces: %w", err))
		}
		req.Traces = os.DirFS(traces)
	}
	e, err := in.open(0)
	if err != nil {
		return err
	}
	data, err := a.readInput(ctx, name)
	if err != nil {
		return err
	}
	id, unsaved, err := e.Import(data, req)
	if err != nil {
		return asUsage(err)
	}
	if unsaved != "" {
		a.complain(a.say("会话未保存：", "the session is unsaved: ") + unsaved)
	}
	return a.print(id + "\n")
}
