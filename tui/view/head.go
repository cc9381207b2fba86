package view

import (
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
)

// Head is the data of the line at the top.
type Head struct {
	Title             string // the session's title, or its query
	Version           contract.Version
	Attempt, Attempts int
	Status            state.Status
	Stage             event.Stage // at work, or the last that was
	StageElapsed      time.Duration
	Decision          verdict.Decision // of the attempt shown; "" before routing
	Gate              gate.Decision    // the gate's, of the attempt shown; "" before it
	Causes            []verdict.Cause  // distinct
	Supported, Total  int              // claims
	Tokens            int
	Cost              float64
	Elapsed           time.Duration
	Event, Events     int  // the event shown, and how many there are
	Past              bool // the event shown is not the newest
	Pause             *state.Pause
	Unsaved, Bundled  bool
}

// Head gives the data of the line at the top.
func (v *View) Head() Head {
	s, a := v.State, v.Attempt
	h := Head{
		Title: s.Header.Title, Version: s.Header.ContractVersion, Attempt: a.Number, Attempts: len(s.Attempts),
		Status: s.Status, Stage: s.Stage, Decision: a.Decision(), Tokens: s.Usage.Total(), Cost: s.Cost, Elapsed: s.Duration(),
		Event: s.Seq(), Events: v.events, Past: v.Past(), Pause: s.Pause, Unsaved: s.Unsaved, Bundled: s.Bundled,
	}
	if a.Gate != nil {
		h.Gate = a.Gate.Decision
	}
	if h.Title == "" {
		h.Title = s.Header.Query
	}
	if c := a.Structured(); c != nil && c.AnswerVersion != "" {
		h.Version = c.AnswerVersion
	}
	if a.Routing != nil {
		seen := map[verdict.Cause]bool{}
		for _, c := range a.Routing.Causes {
			if !seen[c.Cause] {
				seen[c.Cause] = true
				h.Causes = append(h.Causes, c.Cause)
			}
		}
	}
	h.Total = len(v.Claims)
	for i := range v.Claims {
		if v.Claims[i].Standing == Supported {
			h.Supported++
		}
	}
	for i := len(v.Stages) - 1; i >= 0; i-- {
		if r := &v.Stages[i]; r.Stage == s.Stage && r.Progress != Waiting {
			h.StageElapsed = r.Elapsed(v.Live.Now)
			break
		}
	}
	if s.Status == state.Running && v.Live.Now.After(s.Header.Time) && !v.Past() {
		h.Elapsed = v.Live.Now.Sub(s.Header.Time)
	}
	return h
}
