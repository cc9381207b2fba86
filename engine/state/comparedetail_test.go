package state

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/verdict"
)

func TestBindingsThatCameAndWent(t *testing.T) {
	b := func(source, excerpt string) contract.Binding {
		return contract.Binding{SourceID: source, EvidenceExcerpt: excerpt}
	}
	claim := func(bindings ...contract.Binding) *ComparedClaim {
		return &ComparedClaim{Claim: contract.Claim{EvidenceBindings: bindings}}
	}
	// The same binding twice counts twice; the order does not.
	p := ClaimPair{A: claim(b("trace-1", "a"), b("trace-1", "a"), b("trace-2", "b")), B: claim(b("trace-2", "b"), b("trace-1", "a"), b("trace-3", "c"))}
	gained, lost := p.Bindings()
	assert.Equal(t, []contract.Binding{b("trace-3", "c")}, gained)
	assert.Equal(t, []contract.Binding{b("trace-1", "a")}, lost)
	p.B = nil
	gained, lost = p.Bindings()
	assert.Empty(t, gained)
	assert.Empty(t, lost)
}

func TestTheOutcomeIsNotTheSetup(t *testing.T) {
	ok, bad := verdict.Supported, verdict.Unsupported
	a, b := session(judged{"1", "连接池耗尽", ok, "trace-1"}), session(judged{"1", "连接池耗尽", ok, "trace-1"})
	b.Header.Policy.Retries = a.Header.Policy.Retries + 2
	b.Header.Prompts = map[string]event.PromptSource{"chat-executor-prompt": {Version: "2", SHA256: "00ff00ff00ff00ff", From: "dir"}}
	c := Compare(a, b)
	require.True(t, c.SameOutcome(a, b))
	assert.Equal(t, []Setting{{"policy.retries", "0", "2"}, {"prompts.chat-executor-prompt", "", "2 00ff00ff00ff dir"}}, Settings(a.Header, b.Header))
	assert.Empty(t, Settings(a.Header, a.Header))

	for name, other := range map[string]*Session{
		"verdict":  session(judged{"1", "连接池耗尽", bad, "trace-1"}),
		"words":    session(judged{"1", "连接池已经耗尽", ok, "trace-1"}),
		"evidence": session(judged{"1", "连接池耗尽", ok, "trace-2"}),
		"lost":     session(),
	} {
		c := Compare(a, other)
		assert.False(t, c.SameOutcome(a, other), name)
	}
	decided := session(judged{"1", "连接池耗尽", ok, "trace-1"})
	decided.Attempts[0].Routing = &verdict.Routing{Decision: verdict.LowConfid, Claims: decided.Attempts[0].Routing.Claims}
	c = Compare(a, decided)
	assert.False(t, c.SameOutcome(a, decided), "the decision")
}
