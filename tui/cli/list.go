package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"claimscope/engine/session"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// listRow is a session as list --json prints it.
type listRow struct {
	ID              string            `json:"id"`
	Time            time.Time         `json:"time"`
	Title           string            `json:"title"`
	Query           string            `json:"query"`
	ContractVersion string            `json:"contract_version"`
	Status          state.Status      `json:"status"`
	Decision        verdict.Decision  `json:"decision"`
	Supported       int               `json:"claims_supported"`
	Total           int               `json:"claims_total"`
	Causes          []verdict.Cause   `json:"causes"`
	Tokens          int               `json:"tokens"`
	Cost            float64           `json:"cost"`
	Stages          []state.StageCost `json:"stages"`
	DurationMS      float64           `json:"duration_ms"`
	Model           string            `json:"model"`
	Parent          string            `json:"parent,omitempty"`
	Reviews         int               `json:"reviews"`
	Reviewed        string            `json:"reviewed,omitempty"`
	Bundled         bool              `json:"bundled"`
	Unsaved         bool              `json:"unsaved"`
	Error           string            `json:"error,omitempty"`
}

// listCommand lists the sessions, newest first.
func (a *App) listCommand(_ context.Context, args []string) error {
	fs := a.flags("list")
	asJSON := fs.Bool("json", false, "one JSON object a session, one a line")
	limit := fs.Int("limit", 0, "show the newest N only")
	setup := a.setupFlags(fs)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return usagef("list takes no argument, got %q", fs.Arg(0))
	}
	e, err := setup()
	if err != nil {
		return err
	}
	entries, err := e.Sessions().List()
	if err != nil {
		a.report(context.Background(), err) // what could be listed follows
	}
	if *limit > 0 && len(entries) > *limit {
		entries = entries[:*limit]
	}
	p := printer{w: a.Stdout, lang: a.lang}
	for _, entry := range entries {
		if *asJSON {
			if err := writeJSON(a.Stdout, rowOf(entry)); err != nil {
				return err
			}
			continue
		}
		p.sessionRow(entry)
	}
	return p.err
}

func rowOf(e session.Entry) listRow {
	row := listRow{
		ID: e.ID, Time: e.Time, Title: e.Title, Query: e.Query, ContractVersion: string(e.Version),
		Status: e.Status, Decision: e.Decision, Supported: e.Supported, Total: e.Total, Causes: e.Causes,
		Tokens: e.Tokens, Cost: e.Cost, DurationMS: float64(e.Duration) / float64(time.Millisecond), Model: e.Model,
		Reviews: e.Reviews, Reviewed: string(e.Reviewed), Bundled: e.Bundled, Unsaved: e.Unsaved,
	}
	row.Stages = slices.Clone(e.Stages)
	if row.Stages == nil {
		row.Stages = []state.StageCost{}
	}
	if row.Causes == nil {
		row.Causes = []verdict.Cause{}
	}
	if e.Parent != nil {
		row.Parent = e.Parent.ID
	}
	if e.Err != nil {
		row.Error = e.Err.Error()
	}
	return row
}

// badge is the verdict, or the status of a session without one.
func badge(d verdict.Decision, s state.Status) string {
	switch d {
	case verdict.Pass:
		return markGood + " PASS"
	case verdict.LowConfid:
		return markBad + " LOW_CONFID"
	case verdict.Retry:
		return markWarn + " RETRY"
	}
	return markUnknown + " " + string(s)
}

func (p *printer) sessionRow(e session.Entry) {
	if e.Err != nil {
		p.line(0, "%s %-24s %v", markBad, e.ID, e.Err)
		return
	}
	title := e.Title
	if title == "" {
		title = e.Query
	}
	var notes []string
	for _, c := range e.Causes {
		notes = append(notes, string(c))
	}
	if e.Bundled {
		notes = append(notes, p.say("内置", "bundled"))
	}
	if e.Unsaved {
		notes = append(notes, p.say("未保存", "unsaved"))
	}
	if e.Reviewed != "" {
		notes = append(notes, p.say("已复核 ", "reviewed ")+string(e.Reviewed))
	}
	p.line(0, "%s  %s  %s %d/%d  %s  %s tok  %s  %s",
		e.Time.Format("2006-01-02 15:04"), text.Fit(e.ID, 24, "…"), text.Pad(badge(e.Decision, e.Status), 12),
		e.Supported, e.Total, text.Pad(shortVersion(string(e.Version)), 2), compact(e.Tokens), title, strings.Join(notes, ", "))
}

// shortVersion is v1 of executor_evidence_v1.
func shortVersion(v string) string { return v[strings.LastIndexByte(v, '_')+1:] }

// compact writes 12345 as 12.3k.
func compact(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
