package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"claimscope/engine"
	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/prompts"
)

// versionCommand prints build data.
func (a *App) versionCommand(context.Context, *input) error {
	rev := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				rev = " " + s.Value
			}
		}
	}
	return a.print(fmt.Sprintf("claimscope %s%s\n%s %s/%s\ncontracts %s %s, session schema %d\n",
		engine.Version, rev, runtime.Version(), runtime.GOOS, runtime.GOARCH, contract.V1, contract.V2, event.SchemaVersion))
}

// print writes text of the program's own to stdout.
func (a *App) print(s string) error {
	if _, err := io.WriteString(a.Stdout, s); err != nil {
		return &outputError{err}
	}
	return nil
}

// schemaCommand prints the JSON Schema of a contract version.
func (a *App) schemaCommand(_ context.Context, in *input) error {
	version := contract.V2
	if in.verb == "v1" {
		version = contract.V1
	}
	return a.print(string(contract.Schema(version)))
}

// promptsCommand writes the prompts out for editing. A file that is there stays.
func (a *App) promptsCommand(_ context.Context, in *input) error {
	written, err := prompts.Embedded().Export(in.args[0])
	p := a.printer(a.Stdout)
	for _, name := range written {
		p.raw(clean(name))
	}
	if err != nil {
		return Usage(err)
	}
	return p.err
}

// incidentCommand validates an incident folder.
func (a *App) incidentCommand(ctx context.Context, in *input) error {
	if err := a.folder(in.args[0]); err != nil {
		return err
	}
	report, err := engine.CheckIncident(ctx, in.args[0])
	if err != nil {
		return Usage(err)
	}
	p := a.printer(a.Stdout)
	for _, l := range report {
		p.put(0, 2, p.mark(markGood), " ", clean(p.say(l.ZH, l.EN)))
	}
	return p.err
}
