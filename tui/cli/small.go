package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"claimscope/engine"
	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/prompts"
)

// versionCommand prints build data.
func (a *App) versionCommand(_ context.Context, args []string) error {
	if len(args) > 0 {
		return usagef("version takes no argument, got %q", args[0])
	}
	rev := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				rev = " " + s.Value
			}
		}
	}
	_, err := fmt.Fprintf(a.Stdout, "claimscope %s%s\n%s %s/%s\ncontracts %s %s, session schema %d\n",
		engine.Version, rev, runtime.Version(), runtime.GOOS, runtime.GOARCH, contract.V1, contract.V2, event.SchemaVersion)
	return err
}

// schemaCommand prints the JSON Schema of a contract version.
func (a *App) schemaCommand(_ context.Context, args []string) error {
	if len(args) == 1 {
		switch args[0] {
		case "v1":
			_, err := a.Stdout.Write(contract.Schema(contract.V1))
			return err
		case "v2":
			_, err := a.Stdout.Write(contract.Schema(contract.V2))
			return err
		}
	}
	return usagef("schema: want v1 or v2")
}

// promptsCommand writes the prompts out for editing. A file that is there stays.
func (a *App) promptsCommand(_ context.Context, args []string) error {
	if len(args) != 2 || args[0] != "export" {
		return usagef("prompts: want export DIR")
	}
	written, err := prompts.Embedded().Export(args[1])
	if err != nil {
		return usagef("prompts export: %w", err)
	}
	for _, name := range written {
		fmt.Fprintln(a.Stdout, name)
	}
	return nil
}

// incidentCommand validates an incident folder.
func (a *App) incidentCommand(ctx context.Context, args []string) error {
	if len(args) != 2 || args[0] != "check" {
		return usagef("incident: want check DIR")
	}
	if _, err := os.Stat(args[1]); err != nil {
		return usagef("%w", inputError(args[1], err))
	}
	report, err := engine.CheckIncident(ctx, args[1])
	if err != nil {
		return usagef("%w", err)
	}
	p := printer{w: a.Stdout, lang: a.lang}
	for _, l := range report {
		p.line(0, "%s %s", markGood, l)
	}
	return p.err
}
