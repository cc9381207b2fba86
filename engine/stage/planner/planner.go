// Package planner is the stage that turns the query into a short plan. Only the
// Executor sees the plan (spec P2).
package planner

import (
	"context"
	"strings"
	"unicode/utf8"

	"claimscope/engine/contract"
	"claimscope/engine/model"
	"claimscope/prompts"
)

// Stage is the stage's name in model requests.
const Stage = "planner"

// MaxPlanRunes bounds the plan that the Executor sees.
const MaxPlanRunes = 6000

// Input is what the Planner works from.
type Input struct {
	Query   string
	Now     string // the current time as the prompt shows it
	Tools   []prompts.Tool
	Params  model.Params
	Attempt int
}

// Request builds the Planner's request.
func Request(set *prompts.Set, in Input) (model.Request, error) {
	system, err := set.Planner(prompts.PlannerData{Now: in.Now, Tools: in.Tools})
	if err != nil {
		return model.Request{}, err
	}
	return model.Request{Stage: Stage, Attempt: in.Attempt, Params: in.Params, Messages: []model.Message{
		{Role: model.System, Content: system},
		{Role: model.User, Content: in.Query},
	}}, nil
}

// Run asks for the plan. It may be empty: the Executor then works without one.
func Run(ctx context.Context, m model.Model, req model.Request) (string, error) {
	resp, err := m.Chat(ctx, req, nil)
	if err != nil {
		return "", err
	}
	return Plan(resp.Message.Content), nil
}

// Plan gives the plan in the Planner's message: without reasoning blocks, and bounded.
func Plan(message string) string {
	answer, _ := contract.FinalAnswer([]byte(message))
	plan := strings.TrimSpace(string(answer))
	if utf8.RuneCountInString(plan) <= MaxPlanRunes {
		return plan
	}
	return string([]rune(plan)[:MaxPlanRunes]) + "\n…（计划过长，其余略去）"
}
