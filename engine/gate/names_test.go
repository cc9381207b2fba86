package gate_test

import (
	"testing"

	"claimscope/engine/gate"
	"claimscope/engine/grounding"

	"github.com/stretchr/testify/assert"
)

// A name is found in its other spellings, and words that name nothing of the incident
// block no claim; a name that differs little from one that is there still does.
func TestNamesOfAClaim(t *testing.T) {
	disks := call(1, "disk_perf", `{"cluster":"depot","host":"keeper-04.lan.internal"}`,
		"osd  commit_ms  apply_ms\n  7        1290      1290\n 31          14        14\nTcpExtListenDrops 0\n{\"log\":\"xfs_db7 mounting volume failed\"}\nspec: orders.user_key index on keeper-11, keeper-12\n")
	for text, blocks := range map[string]bool{
		"osd.7 的提交延迟为 1290 ms。":                                                false,
		"osd.9 的提交延迟为 1290 ms。":                                                true, // no such row
		"监听队列没有丢包，ListenDrops 为 0。":                                            false,
		"监听队列没有丢包，TcpExtListenDrips 为 0。":                                      true,
		"keeper-04 的提交延迟为 1290 ms。":                                            false, // the host that was asked
		"keeper-40 的提交延迟为 1290 ms。":                                            true,
		"keeper-11.lan.internal 的延迟正常。":                                        false,
		"keeper-11/12 的延迟正常。":                                                  false,
		"deployment/keeper-11 的延迟正常。":                                          false,
		"orders.user_key 上有索引。":                                                false,
		"没有 orders.deleted_user_key 这个索引。":                                     false, // the absence that the claim states
		"没有 orders.user_kez 这个索引。":                                             true,  // a slip, which the denial does not excuse
		"orders.user_kex 上有索引。":                                                true,
		"这套 MinIO 用 InfiniBand 连接，i.e. 很快。":                                    false,
		"卷报 FailedMount。":                                                      false, // its words are cited
		"卷报 FailedScheduling。":                                                 true,
		"抛出了 QuotaException。":                                                  true,
		"服务跑在 quota-svc-7d9f4-x8k2p 上。":                                        true,
		"A long-running job on a 3-node cluster waits for a 15-minute window.": false,
	} {
		c := one(t, disks, text, "xfs_db7 mounting volume failed")
		got := false
		for _, f := range c.Findings {
			got = got || f.Code == gate.CodeIdentifier && f.Severity == gate.Block
		}
		assert.Equal(t, blocks, got, "%s %+v", text, c.Findings)
	}
}

// A summary is judged by its facts, not by its labels, separators and connecting words.
func TestSummariesOfRowsAndObjects(t *testing.T) {
	table := call(1, "query_metrics", `{"host":"depot-03","query":"rate(fs_written_bytes_total[5m])"}`,
		"host,ts,heap_mb,tps,p99_ms\ndepot-01,2026-02-02T08:10:00Z,14,182.4,402\ndepot-02,2026-02-02T08:10:00Z,31,45.6,9120\n[{\"metric\":{\"pod\":\"relay-0\"},\"value\":[1770019800,\"26738688\"]},{\"metric\":{\"pod\":\"relay-1\"},\"value\":[1770019800,\"1468006.4\"]}]\nDB_DEPOT_TEMP: 66, 67, 68\nlane_3_packets: 988214507\n")
	for excerpt, want := range map[string]grounding.Tier{
		"02 节点 tps=45.6、p99=9120；01 节点 tps=182.4，p99=402":                 grounding.Paraphrase,
		"02 节点 tps=45.6、p99=9120；01 节点 tps=182.4，p99=407":                 grounding.Absent,
		"relay-0 写速率 26738688 B/s，relay-1 为 1468006.4 B/s":                grounding.Paraphrase,
		"timestamp=1770019800，relay-0，value=26738688":                     grounding.Paraphrase,
		"DEPOT temperature samples for depot-02: 66, 67, 68":              grounding.Paraphrase,
		"3 号队列 packets 为 988214507":                                       grounding.Paraphrase,
		"depot-03 的 lane_3_packets 为 988214507":                           grounding.Paraphrase, // the host that was asked
		"depot-09 的 lane_3_packets 为 988214507":                           grounding.Absent,
		"relay-0 java.io.IOException: too many open descriptors in fetch": grounding.Absent,
	} {
		assert.Equal(t, want, one(t, table, "有一台主机异常。", excerpt).Bindings[0].Tier, excerpt)
	}
}
