package planner_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
	"claimscope/engine/stage/planner"
	"claimscope/prompts"
)

func TestPlan(t *testing.T) {
	req, err := planner.Request(prompts.Embedded(), planner.Input{Query: "为什么超时？ {{.Now}}", Now: "现在", Attempt: 1,
		Tools: []prompts.Tool{{Name: "query_logs", Description: "查日志", Kind: "observation"}}, Params: model.Params{Model: "m"}})
	require.NoError(t, err)
	assert.Equal(t, "为什么超时？ {{.Now}}", req.Messages[1].Content, "the query is no template")
	assert.Contains(t, req.Messages[0].Content, "query_logs")
	plan, err := planner.Run(context.Background(), modeltest.New().On("planner", modeltest.Text("<think>想</think>\n1. 查日志\n")), req)
	require.NoError(t, err)
	assert.Equal(t, "1. 查日志", plan)
	_, err = planner.Run(context.Background(), modeltest.New(), req)
	require.Error(t, err)
}

func TestAPlanIsBounded(t *testing.T) {
	plan := planner.Plan(strings.Repeat("步", 3*planner.MaxPlanRunes))
	assert.Less(t, utf8.RuneCountInString(plan), planner.MaxPlanRunes+20)
	assert.Contains(t, plan, "其余略去")
}
