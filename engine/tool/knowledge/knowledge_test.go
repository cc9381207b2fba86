package knowledge_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/tool"
	"claimscope/engine/tool/knowledge"
	"claimscope/engine/trace"
)

var folder = fstest.MapFS{
	"cache.md": {Data: []byte("前言\n\n# 缓存雪崩\n\n## 现象\n大量键同时过期，数据库压力陡增。\n\n## 处理\n```\n# 不是标题\nredis-cli info\n```\n给过期时间加随机值。\n")},
	"disk.md":  {Data: []byte("# 磁盘写满\r\n\r\n清理旧日志，检查 inode 用量。\r\n")},
	"note.txt": {Data: []byte("# 磁盘 不是 Markdown\n")},
}

func call(t *testing.T, args string) tool.Result {
	t.Helper()
	res, err := knowledge.New(folder).Call(context.Background(), json.RawMessage(args))
	require.NoError(t, err)
	return res
}

func TestLookup(t *testing.T) {
	res := call(t, `{"query":"数据库压力为什么突然变大","top_k":1}`)
	require.Len(t, res.Blocks, 1)
	b := res.Blocks[0]
	assert.Equal(t, "缓存雪崩 › 现象", b.Heading)
	assert.Equal(t, "## 现象\n大量键同时过期，数据库压力陡增。", string(res.Output[b.Span.Start:b.Span.End]))
	assert.Equal(t, "cache", b.Document)
	assert.Positive(t, b.Score)
}

func TestCodeIsNoHeading(t *testing.T) {
	res := call(t, `{"query":"redis-cli 随机值","top_k":1}`)
	require.Len(t, res.Blocks, 1)
	text := string(res.Output[res.Blocks[0].Span.Start:res.Blocks[0].Span.End])
	assert.Contains(t, text, "redis-cli info")
	assert.Contains(t, text, "给过期时间加随机值")
}

func TestNothingFoundAndBadArguments(t *testing.T) {
	assert.Equal(t, trace.Empty, call(t, `{"query":"zzzzqqq"}`).Status)
	assert.Equal(t, trace.Error, call(t, `{"query":"  "}`).Status)
	assert.Equal(t, trace.Error, call(t, `{"query":"磁盘","top_k":99}`).Status)
	assert.Equal(t, trace.Error, call(t, `{}`).Status)
}

func TestOnlyMarkdownIsRead(t *testing.T) {
	for _, b := range call(t, `{"query":"磁盘","top_k":20}`).Blocks {
		assert.Equal(t, "disk", b.Document)
	}
}

func TestSameQuerySameReply(t *testing.T) {
	assert.Equal(t, call(t, `{"query":"过期 日志","top_k":5}`), call(t, `{"query":"过期 日志","top_k":5}`))
}
