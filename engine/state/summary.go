package state

import (
	"slices"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/verdict"
)

// Summary is a session as a list shows it.
type Summary struct {
	ID        string
	Time      time.Time
	Title     string // the title, or "" (then the query stands for it)
	Query     string
	Version   contract.Version
	Status    Status
	Decision  verdict.Decision // of the record, or of the last routing; "" before any
	Supported int              // claims whose final verdict is supported …
	Total     int              // … of so many
	Causes    []verdict.Cause  // distinct, in the order of the record
	Tools     []string         // names of the tools called, distinct, in call order
	Tokens    int
	Cost      float64     // in the currency of the configured prices
	Stages    []StageCost // what each stage that asked a model used, in order of the first reply
	Duration  time.Duration
	Model     string // where the replies came from, as in the header
	Parent    *event.Parent
	Reviews   int
	// Reviewed is the last review of the whole session, or "" when there is none.
	Reviewed event.ReviewAction
	Unsaved  bool
	Bundled  bool
}

// StageCost is what a stage used, over all attempts.
type StageCost struct {
	Stage  event.Stage `json:"stage"`
	Tokens int         `json:"tokens"`
	Cost   float64     `json:"cost"` // in the currency of the configured prices
}

// Spend gives the list with a reply of a stage added; the old list is not changed.
func Spend(list []StageCost, stage event.Stage, tokens int, cost float64) []StageCost {
	out := slices.Clone(list)
	i := slices.IndexFunc(out, func(c StageCost) bool { return c.Stage == stage })
	if i < 0 {
		i = len(out)
		out = append(out, StageCost{Stage: stage})
	}
	out[i].Tokens += tokens
	out[i].Cost += cost
	return out
}

// Summary gives the session as a list shows it.
func (s *Session) Summary() Summary {
	sum := Summary{
		ID: s.Header.ID, Time: s.Header.Time, Title: s.Header.Title, Query: s.Header.Query,
		Version: s.Header.ContractVersion, Status: s.Status, Duration: s.Duration(), Model: s.Header.Model,
		Parent: s.Header.Parent, Reviews: len(s.Reviews), Unsaved: s.Unsaved, Bundled: s.Bundled,
		Tokens: s.Usage.Total(), Cost: s.Cost, Stages: s.Stages,
	}
	var last *verdict.Routing
	for i := range s.Attempts {
		for _, c := range s.Attempts[i].Calls {
			if !slices.Contains(sum.Tools, c.ToolName) {
				sum.Tools = append(sum.Tools, c.ToolName)
			}
		}
		if r := s.Attempts[i].Routing; r != nil {
			last = r
		}
	}
	for _, r := range s.Reviews {
		if r.ClaimID == "" {
			sum.Reviewed = r.Action
		}
	}
	sum.Judge(last, s.Evaluation)
	return sum
}

// Judge fills in what the last routing and the record of the terminal event say;
// either may be nil.
func (s *Summary) Judge(last *verdict.Routing, record *verdict.Evaluation) {
	var causes []verdict.CauseItem
	if last != nil {
		s.Decision, causes = last.Decision, last.Causes
		s.Total, s.Supported = len(last.Claims), 0
		for _, c := range last.Claims {
			if c.Verdict == verdict.Supported {
				s.Supported++
			}
		}
	}
	if record != nil {
		s.Decision, causes = record.Decision, record.Causes
		s.Tokens, s.Cost = record.Tokens, record.Cost
		if last == nil {
			s.Total, s.Supported = len(record.ClaimChecks), 0
			for _, c := range record.ClaimChecks {
				if c.Verdict == verdict.Supported {
					s.Supported++
				}
			}
		}
	}
	s.Causes = nil
	for _, c := range causes {
		if !slices.Contains(s.Causes, c.Cause) {
			s.Causes = append(s.Causes, c.Cause)
		}
	}
}
