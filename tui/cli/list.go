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
func (a *App) listCommand(ctx context.Context, in *input) error {
	limit := in.count("limit")
	if limit < 0 {
		return in.usage("--limit %d：不能为负", "--limit %d: must not be negative", limit)
	}
	e, err := in.open(0)
	if err != nil {
		return err
	}
	entries, err := e.Sessions().List()
	if err != nil {
		a.report(ctx, err) // what could be listed follows
	}
	if limit > 0 && len(entries) > limit {
		entries = entries[:limit]
	}
	if in.on("json") {
		for _, entry := range entries {
			if err := writeJSON(a.Stdout, rowOf(entry)); err != nil {
				return err
			}
		}
		return nil
	}
	p := a.printer(a.Stdout)
	p.sessionTable(entries)
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

// sessionTable prints one line a session: ids whole, so that they can be copied, titles
// and notes cut to the width.
func (p *printer) sessionTable(entries []session.Entry) {
	ids := 0
	for _, e := range entries {
		ids = max(ids, text.Width(text.SanitiseLine(e.ID)))
	}
	for _, e := range entries {
		id := p.paint(bold, safe(text.Pad(text.SanitiseLine(e.ID), ids)))
		if e.Err != nil {
			p.put(0, 2, p.mark(markBad), " ", id, "  ", clean(e.Err.Error()))
			continue
		}
		mark, word := badge(e.Decision, e.Status)
		title := e.Title
		if title == "" {
			title = e.Query
		}
		head := fmt.Sprintf("%s %s  %s", text.Pad(word.In(p.lang), 10), text.Pad(fmt.Sprintf("%d/%d", e.Supported, e.Total), 5), text.Pad(shortVersion(string(e.Version)), 2))
		tail := clean(strings.Join(append([]string{e.Time.Format("2006-01-02 15:04"), title}, p.notes(e)...), "  "))
		const enough = 24 // cells of the tail, for it to stand in the same line
		if room := p.width - 4 - text.Width(head) - 2 - ids; room >= enough {
			p.raw(p.mark(mark) + " " + clean(head) + "  " + id + "  " + safe(text.Truncate(string(tail), room, "…")))
			continue
		}
		p.put(0, 2, p.mark(mark), " ", clean(head), "  ", id)
		p.put(2, 0, safe(text.Truncate(string(tail), p.width-2, "…")))
	}
}

// notes are what a list says of a session besides.
func (p *printer) notes(e session.Entry) []string {
	var notes []string
	add := func(is bool, zh, en string) {
		if is {
			notes = append(notes, p.say(zh, en))
		}
	}
	add(e.Bundled, "内置", "bundled")
	add(e.Unsaved, "未保存", "unsaved")
	add(e.Parent != nil, "分叉", "fork")
	add(e.Reviewed != "", "已复核", "reviewed")
	for _, c := range e.Causes {
		notes = append(notes, p.say(causeWord(c), string(c)))
	}
	return notes
}

// shortVersion is v1 of executor_evidence_v1.
func shortVersion(v string) string { return v[strings.LastIndexByte(v, '_')+1:] }
