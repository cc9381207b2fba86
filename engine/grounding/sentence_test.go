package grounding_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"claimscope/engine/grounding"
)

func cut(text string, spans []grounding.Span) []string {
	var out []string
	for _, s := range spans {
		out = append(out, text[s.Start:s.End])
	}
	return out
}

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"缓存命中率下降。数据库变慢！要扩容吗？", []string{"缓存命中率下降。", "数据库变慢！", "要扩容吗？"}},
		{"他说“已恢复。”随后又告警；再次重启", []string{"他说“已恢复。”", "随后又告警；", "再次重启"}},
		{"版本 1.2.3 在 10.0.0.7 上，p99 为 0.02 秒。完", []string{"版本 1.2.3 在 10.0.0.7 上，p99 为 0.02 秒。", "完"}},
		{"The pool is full. Requests wait, e.g. on /pay. See v1.2.", []string{"The pool is full.", "Requests wait, e.g. on /pay.", "See v1.2."}},
		{"## 结论\n\n- **缓存** 失效\n2. 重启一次\n> 引用", []string{"结论", "缓存** 失效", "重启一次", "引用"}},
		{"1. 现象：慢\n10) 原因：锁", []string{"现象：慢", "原因：锁"}},
		{"3.5 倍。", []string{"3.5 倍。"}},
		{"——\n***\n", nil},
		{"", nil},
	} {
		assert.Equal(t, tt.want, cut(tt.text, grounding.Sentences(tt.text)), tt.text)
	}
}

func TestClauses(t *testing.T) {
	text := "在 10:15:28，共 1,024 次（其中，读 3 次），可能：锁等待"
	assert.Equal(t, []string{"在 10:15:28", "共 1,024 次（其中，读 3 次）", "可能", "锁等待"}, cut(text, grounding.Clauses(text)))
}

func TestCertainty(t *testing.T) {
	for text, want := range map[string]grounding.Certainty{
		"缓存命中率降到三成":                   grounding.Stated,
		"可能是缓存失效":                     grounding.Hedged,
		"疑似被大查询拖慢":                    grounding.Hedged,
		"不可能是网络问题":                    grounding.Stated,
		"尽可能缩短了窗口":                    grounding.Stated,
		"原因尚未确认":                      grounding.Hedged,
		"还不能确定是谁触发的":                  grounding.Hedged,
		"是否与发布有关还需要数据证实":              grounding.Hedged,
		"已确认是证书过期":                    grounding.Confirmed,
		"根因是磁盘写满":                     grounding.Confirmed,
		"建议先扩容":                       grounding.Advised,
		"如果仍然失败":                      grounding.Advised,
		"应用重启了 3 次":                   grounding.Stated,
		"请求全部超时":                      grounding.Stated,
		"日志里没有发现异常":                   grounding.Stated,
		"建议确认是否还有别的实例":                grounding.Hedged,
		"The cause is unclear":        grounding.Hedged,
		"This might be a DNS issue":   grounding.Hedged,
		"We recommend a restart":      grounding.Advised,
		"Confirmed: the disk is full": grounding.Confirmed,
		"The disk is full":            grounding.Stated,
	} {
		assert.Equal(t, want, grounding.CertaintyOf(text), text)
	}
}

func TestHeadingCertainty(t *testing.T) {
	for label, want := range map[string]grounding.Certainty{
		"## 可能原因": grounding.Hedged, "三、建议操作：": grounding.Advised, "**结论**": grounding.Stated, "Missing information": grounding.Hedged,
	} {
		got, ok := grounding.HeadingCertainty(label)
		assert.True(t, ok, label)
		assert.Equal(t, want, got, label)
	}
	_, ok := grounding.HeadingCertainty("数据库在凌晨三点之后开始拒绝新的连接，建议扩容")
	assert.False(t, ok)
}

func FuzzSentences(f *testing.F) {
	f.Add("他说“好。”然后…… 1. x\n- y")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range grounding.Sentences(text) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %v after %d of %d", s, last, len(text))
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[s.Start:s.End]) {
				t.Fatal("a character was cut")
			}
			last = s.End
			for _, c := range grounding.Clauses(text[s.Start:s.End]) {
				if strings.TrimSpace(text[s.Start:s.End][c.Start:c.End]) == "" {
					t.Fatal("an empty clause")
				}
			}
		}
		grounding.Cues(text)
	})
}
