package config_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/config"
)

// TestTheExampleOfTheReadme: what the README shows as config.yaml is one, and it shows
// every setting.
func TestTheExampleOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(readme), "```yaml\n")
	require.True(t, ok)
	example, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	c, err := config.Load("config.yaml", []byte(example), env(), nil)
	require.NoError(t, err)
	assert.Equal(t, "qwen-max", c.Stages["executor"].Model)
	assert.Equal(t, "schema", c.Stages["verifier"].JSONMode)
	for _, s := range c.Settings() {
		parts := strings.Split(s.Name, ".")
		word := parts[len(parts)-1]
		if s.Name == "sessions" || s.Name == "prompts" || parts[0] == "prices" || parts[0] == "severities" {
			continue // folders have defaults that suit; the others are free names
		}
		assert.Contains(t, example, word, "the README's example leaves out %s", s.Name)
	}
}
