package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/model/openaitest"
)

func TestFaultOnDemand(t *testing.T) {
	replies, err := repliesOf("bundled-payment-pool-pass")
	require.NoError(t, err)
	script, err := withFault(replies, "429@2", "3")
	require.NoError(t, err)
	require.Len(t, script, len(replies)+1)
	assert.Equal(t, http.StatusTooManyRequests, script[1].Status)
	assert.Equal(t, "3", script[1].Header["Retry-After"])
	assert.Equal(t, replies[1], script[2])
	script, err = withFault(replies, "stall", "")
	require.NoError(t, err)
	assert.Equal(t, []openaitest.Reply{{Fault: openaitest.Stall}}, script)
	for _, bad := range []string{"200", "sulks", "stall@0", "stall@99", "stall@x"} {
		_, err = withFault(replies, bad, "")
		assert.Error(t, err, bad)
	}
	_, err = repliesOf("no-such-session")
	assert.Error(t, err)
}

func TestARunBeginsWithThePlanner(t *testing.T) {
	for body, want := range map[string]bool{
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"为什么超时"}]}`:                                true,
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"问"}],"tools":[{}]}`:                       false,
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"{\"original_query\":1}"}]}`:               false,
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`: false,
		`{`: false,
	} {
		assert.Equal(t, want, begins([]byte(body)), body)
	}
}
