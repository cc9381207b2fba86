package gate_test

import (
	"testing"

	"claimscope/engine/gate"

	"github.com/stretchr/testify/assert"
)

// A number cited from a sibling's row, part or column is none of the thing that the claim
// names; where the claim speaks of both, or the output is the thing's own, it may be.
func TestNumbersOfSiblings(t *testing.T) {
	bare := "depot   vault-0   1/1   Running   0              41d\ndepot   vault-1   0/1   Running   6 (2d4h ago)   41d\ndepot   vault-2   1/1   Running   0              41d\n"
	parts := "box-07 | CHANGED | rc=0 >>\n/dev/sda1  2097152  2013135  84017  96% /srv\nbox-08 | CHANGED | rc=0 >>\n/dev/sda1  2097152  1656750  440402  79% /srv\n"
	blocks := "Name:   rack-k7p2x\nCapacity:\n  lanes:   8\nName:   rack-k7p2z\nCapacity:\n  lanes:   7\n"
	wide := "unit          box-4   box-5   box-6\nmetric\nmem.peak      63.88   61.02   70.41\ncpu.peak      41.07   22.95   57.30\n"
	queues := "#Topic   #Broker Name   #QID   #Diff\nTRACK    broker-q       1      18547\nTRACK    broker-q       2      18043\n"
	mounts := "/dev/sda2  ext4  196G  88G   48%  /\n/dev/sdb1  xfs   1.0T  611G  60%  /srv/pods\n"
	peers := "peer vault-1 lost after 631 tries\nself vault-2 joined\n"
	for _, c := range []struct {
		output, args, claim, excerpt string
		blocked                      bool
	}{
		{bare, `{}`, "vault-2 已重启 6 次。", "vault-1   0/1   Running   6 (2d4h ago)", true},
		{bare, `{}`, "vault-1 已重启 6 次。", "vault-1   0/1   Running   6 (2d4h ago)", false},
		{bare, `{}`, "vault-2 正常，与它同组的 vault-1 已重启 6 次。", "vault-1   0/1   Running   6 (2d4h ago)", false},
		{parts, `{}`, "box-07 的 /srv 已用 79%。", "1656750  440402  79% /srv", true},
		{parts, `{}`, "box-08 的 /srv 已用 79%。", "1656750  440402  79% /srv", false},
		{blocks, `{}`, "rack-k7p2x 只有 7 条 lanes。", "lanes:   7", true},
		{blocks, `{}`, "rack-k7p2z 只有 7 条 lanes。", "lanes:   7", false},
		{wide, `{}`, "box-4 的内存峰值为 70.41。", "mem.peak      63.88   61.02   70.41", true},
		{wide, `{}`, "box-6 的内存峰值为 70.41。", "mem.peak      63.88   61.02   70.41", false},
		{queues, `{}`, "broker-q 的 1 号队列积压 18043 条。", "broker-q       1      18547", true},
		{queues, `{}`, "broker-q 的 2 号队列积压 18043 条。", "broker-q       2      18043", false},
		{mounts, `{}`, "The disks are not full: / is at 48% and /srv/pods at 60%.", "48%  /\n/dev/sdb1  xfs   1.0T  611G  60%  /srv/pods", false},
		{peers, `{"host":"vault-2"}`, "vault-2 重试 631 次后失去一个对端。", "peer vault-1 lost after 631 tries", false},
	} {
		got := false
		for _, f := range one(t, call(1, "some_tool", c.args, c.output), c.claim, c.excerpt).Findings {
			got = got || f.Code == gate.CodeOtherEntity
		}
		assert.Equal(t, c.blocked, got, c.claim)
	}
}

// States, roles and acts that the excerpt reports the other way round.
func TestStatesTurnedAround(t *testing.T) {
	pods := "vault-0   1/1   Running   0   41d\nvault-1   0/1   ContainerCreating   0   2m\n"
	roles := "{ name: 'store-a:27017', stateStr: 'PRIMARY' }\n{ name: 'store-b:27017', stateStr: 'SECONDARY' }\n"
	drain := "pod/quoter-x2k8z evicted\nerror when evicting pods/\"vault-0\": Cannot evict pod as it would violate the budget\n"
	mount := "mount: server 10.9.8.5 not responding, still trying\nmount: server 10.9.8.5 OK\n"
	for _, c := range []struct {
		output, claim, excerpt string
		blocked                bool
	}{
		{pods, "vault-0 未就绪，容器没有起来。", "vault-0   1/1   Running   0", true},
		{pods, "Pod vault-0 fails to pull its image.", "vault-0   1/1   Running   0", true},
		{pods, "vault-1 未就绪。", "vault-1   0/1   ContainerCreating", false},
		{pods, "vault-0 已就绪，只有 vault-1 卡在 ContainerCreating。", "vault-1   0/1   ContainerCreating", false},
		{pods, "所有 Pod 均已就绪。", "vault-1   0/1   ContainerCreating", true},
		{roles, "store-b 被选为新的 PRIMARY。", "name: 'store-b:27017', stateStr: 'SECONDARY'", true},
		{roles, "store-a 是 PRIMARY。", "name: 'store-a:27017', stateStr: 'PRIMARY'", false},
		{drain, "quoter-x2k8z 未能驱逐。", "pod/quoter-x2k8z evicted", true},
		{drain, "quoter-x2k8z 已成功驱逐。", "pod/quoter-x2k8z evicted", false},
		{drain, "vault-0 已被驱逐。", `Cannot evict pod as it would violate the budget`, true},
		{mount, "The server 10.9.8.5 stopped responding and recovered later.", "server 10.9.8.5 not responding, still trying", false},
	} {
		got := false
		for _, f := range one(t, call(1, "some_tool", `{}`, c.output), c.claim, c.excerpt).Findings {
			got = got || f.Code == gate.CodePolarity
		}
		assert.Equal(t, c.blocked, got, c.claim)
	}
}

// Replies that only say that the call failed, whatever their status, and outputs that
// only look like it.
func TestErrorRepliesAndBanners(t *testing.T) {
	for out, failed := range map[string]bool{
		"ERROR 1205 (HY000): Lock wait timeout exceeded; try restarting transaction":                                true,
		"NOAUTH Authentication required.":                                                                           true,
		"An error occurred (ExpiredToken) when calling the ListThings operation":                                    true,
		"Warning: a password on the command line is insecure.\nERROR 1045 (28000): Access denied for user 'x'":      true,
		"<!DOCTYPE html><html><body><div class=\"code\">503</div><h2>Service Unavailable</h2></body></html>":        true,
		`{"success":false,"message":"no such dashboard"}`:                                                           true,
		`{"errors":[{"message":"query too complex"}]}`:                                                              true,
		"Timeout: 60.0 seconds ...\nListing queues for vhost / ...\nname\tmessages\tconsumers\nship.out\t8801\t0\n": false,
		`{"success":true,"data":[1]}`:                                                                               false,
	} {
		tr := call(1, "some_tool", `{}`, out)
		got := false
		for _, f := range one(t, tr, "核对结果一致，用量在范围内。", out).Findings {
			got = got || f.Code == gate.CodeFailedCall
		}
		assert.Equal(t, failed, got, out)
		if failed {
			for _, said := range []string{"没有查到，调用未成功。", "接口报错，没能取到数据。", "健康检查参数没有查到，因令牌过期失败。", "The call failed."} {
				assert.NotContains(t, blocking(one(t, tr, said, out)), "B007", said)
			}
		}
	}
}
