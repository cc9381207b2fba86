package gate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"claimscope/engine/gate"
)

func TestEveryCodeIsExplained(t *testing.T) {
	for _, c := range gate.Codes() {
		m, ok := gate.Explain(c)
		assert.True(t, ok, "%s", c)
		assert.NotEmpty(t, m.ZH)
		assert.NotEmpty(t, m.EN)
	}
	_, ok := gate.Explain("X999")
	assert.False(t, ok)
}
