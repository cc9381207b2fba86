package modeltest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/model"
	"claimscope/engine/model/modeltest"
)

func TestScript(t *testing.T) {
	m := modeltest.New().On("executor", modeltest.Call("query_logs", "{}"), modeltest.Text("done")).On("planner", modeltest.Text("plan"))
	ctx := context.Background()
	r, err := m.Chat(ctx, model.Request{Stage: "executor"}, nil)
	require.NoError(t, err)
	assert.Equal(t, model.FinishToolCalls, r.Finish)
	assert.NotEmpty(t, r.Message.ToolCalls[0].ID)
	assert.Equal(t, map[string]int{"executor": 1, "planner": 1}, m.Left())
	_, err = m.Chat(ctx, model.Request{Stage: "verifier"}, nil)
	var fault *model.Fault
	require.ErrorAs(t, err, &fault)
	assert.Len(t, m.To("executor"), 1)
	assert.Len(t, m.Requests(), 2)
}

func TestHangEndsWithTheContext(t *testing.T) {
	m := modeltest.New().On("planner", modeltest.Reply{Hang: true})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-m.Hanging(); cancel() }()
	_, err := m.Chat(ctx, model.Request{Stage: "planner"}, nil)
	require.ErrorIs(t, err, context.Canceled)
}
