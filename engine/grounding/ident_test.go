package grounding

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIdentifiersFindsNamesNotWords(t *testing.T) {
	for text, want := range map[string][]string{
		"Pod web-7f5c9-x2k8z 处于 CrashLoopBackOff 状态":       {"web-7f5c9-x2k8z", "CrashLoopBackOff"},
		"节点 10.4.0.17:9092 上的 order_rw 报 TimeoutException": {"10.4.0.17:9092", "order_rw", "TimeoutException"},
		"镜像 redis:6.2.6，提交 3f9a1bc0de":                     {"redis:6.2.6", "3f9a1bc0de"},
		"文件 /etc/app/conf.yaml 与 https://x.cn/a?b=1":       {"/etc/app/conf.yaml", "https://x.cn/a"},
		"checkout 服务调用 payment 服务":                         {"checkout", "payment"},
		"app=invoice 的 version=v1.2.0":                     {"v1.2.0"},
		"CPU 与内存正常，Pod 运行在 Kubernetes 上，HTTP 返回 5xx":       nil,
		"见 trace-3、claim-1；P99 与 top5":                     nil,
		"IO 等待，TCP/UDP，read-only":                          nil,
		"The engine container had started":                 nil,
		"（memory：13:11:50）":                                nil,
	} {
		var got []string
		for _, id := range Identifiers(text) {
			got = append(got, id.Text)
		}
		assert.Equal(t, want, got, text)
	}
}

func TestFindIdentKeepsToNameBoundaries(t *testing.T) {
	for _, c := range []struct {
		text, id string
		want     int
	}{
		{"payment-10 payment-1", "payment-1", 1},
		{"payment-10", "payment-1", 0},
		{"rabbit@queue-2.headless", "queue-2", 1},
		{"bj-node-17", "node-17", 1},
		{"node-170", "node-17", 0},
		{"10.0.0.12 10.0.0.1", "10.0.0.1", 1},
		{"10.0.0.1.5", "10.0.0.1", 0},
		{"110.0.0.1", "10.0.0.1", 0},
		{"commit 3f9a1bc0de77", "3f9a1bc0", 1},
		{"commit 3f9a1bc1de77", "3f9a1bc0", 0},
		{"v1.2.3", "v1.2", 1},
		{"jdbc:mysql://prod-db:3306/x", "prod-db:3306", 1},
		{`{"m":"a\nweb-1 died"}`, "web-1", 1},
		{"forget-data", "get-data", 0},
	} {
		assert.Len(t, FindIdent([]byte(c.text), c.id, 0), c.want, "%s in %s", c.id, c.text)
	}
}

func TestFactsIdentFallsBackToCaseAndPlural(t *testing.T) {
	f := NewFacts(NewText([]byte("live datanodes (40), kind SCALEDOBJECT")))
	assert.Len(t, f.Ident("DataNode", 0), 1)
	assert.Len(t, f.Ident("ScaledObject", 0), 1)
	assert.Empty(t, f.Ident("NameNode", 0))
	assert.Contains(t, Spellings("ServiceAccount"), "Service Account")
	assert.Contains(t, Spellings("read_only"), "read-only")
}
