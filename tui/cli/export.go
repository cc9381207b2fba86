package cli

import (
	"context"
	"os"
	"strings"

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
		if err := a.folder(traces); err != nil {
			return err
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
	if unsaved != "" { // nothing is left of it when the program ends
		return in.usage("会话无法保存：%s；用 --sessions 指定一个可写的目录", "the session cannot be saved: %s; name a folder that can be written with --sessions", unsaved)
	}
	return a.print(id + "\n")
}
