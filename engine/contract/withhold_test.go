package contract_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
)

func TestWithholdReasoning(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"数据<think>私下的\"想法\"</think>完整"}`:                 `{"a":"数据完整"}`,
		`{"a":"x<think>一直到末尾","b":"y"}`:                        `{"a":"x","b":"y"}`,
		`{"a":"\u003cthink\u003e藏着\u003c/think\u003e好","n":1}`: `{"a":"好","n":1}`,
		`{"a":"[THINK]藏[/THINK]好 < 3","b":"1<2"}`:              `{"a":"好 < 3","b":"1<2"}`,
		`{"a":"没有 < 标签 >","b":["\u4e2d"]}`:                     `{"a":"没有 < 标签 >","b":["\u4e2d"]}`,
		`no JSON "<think>x</think>y`:                           `no JSON "<think>x</think>y`,
		`prose "<think>x</think>y" goes on`:                    `prose "y" goes on`,
		`{"a":"<<think></think>think>藏</think>"}`:              `{"a":""}`,
		``: ``,
	} {
		assert.Equal(t, want, string(contract.WithholdReasoning([]byte(text))), text)
	}
}

func FuzzWithholdReasoning(f *testing.F) {
	f.Add(`{"a":"x<think>y</think>z"}`)
	f.Add(`["\u003cthink\u003e", "\\", "\""]`)
	f.Fuzz(func(t *testing.T, text string) {
		out := contract.WithholdReasoning([]byte(text))
		assert.Equal(t, string(out), string(contract.WithholdReasoning(out)), "once is enough")
		if json.Valid([]byte(text)) {
			require.True(t, json.Valid(out))
		}
	})
}
