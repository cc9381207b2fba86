package grounding

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNegatedKeepsToTheClause(t *testing.T) {
	for text, want := range map[string]bool{
		"未触发 X": true, "没有出现 X": true, "不是 X": true, "no X found": true, "X 已触发": false, "内存不足，触发 X": false,
		"没有重启，出现 X": false, "并非没有 X": false, "without any X": true, "the note says X": false, "未知原因导致 X": false,
	} {
		assert.Equal(t, want, Negated(text, strings.Index(text, "X")), text)
	}
}

func TestAntonymsAssertOneSide(t *testing.T) {
	for _, c := range []struct {
		name, claim string
		pos, neg    bool
	}{
		{"outcome", "拉取成功", true, false}, {"outcome", "拉取失败", false, true}, {"outcome", "没有失败", true, false}, {"outcome", "前两次超时，第三次成功", true, true},
		{"sufficiency", "可用内存不足", false, true}, {"sufficiency", "内存充足", true, false}, {"sufficiency", "memory is not exhausted", true, false},
		{"scaling", "副本被缩容到 1", false, true}, {"recovery", "已恢复正常", true, false}, {"recovery", "问题仍未恢复", false, true}, {"trend", "从 3 上升到 5", true, false},
	} {
		for _, a := range Antonyms {
			if a.Name == c.name {
				pos, neg := a.Asserted(c.claim)
				assert.Equal(t, []bool{c.pos, c.neg}, []bool{pos, neg}, "%s: %s", c.name, c.claim)
			}
		}
	}
}

func TestShownLeavesOutDenialsAndZeros(t *testing.T) {
	outcome := Antonyms[0]
	for text, want := range map[string]bool{"2 errors": true, "no errors were found": false, "failed=0": false, "failed=3": true, "成功=498 失败=2": true, "失败=0": false} {
		_, got := Shown(outcome.EvNeg, text)
		assert.Equal(t, want, got, text)
	}
}

func TestBoolAfterReadsConditions(t *testing.T) {
	for text, want := range map[string][2]bool{
		"   False   12:00": {false, true}, `": true,`: {true, true}, "=no": {false, true}, " on resource x": {false, false}, ": enabled": {true, true}, " Tuesday": {false, false},
	} {
		v, ok := BoolAfter(text, 0)
		assert.Equal(t, want, [2]bool{v, ok}, text)
	}
}
