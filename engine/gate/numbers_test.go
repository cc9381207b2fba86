package gate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"claimscope/engine/contract"
	"claimscope/engine/trace"
)

// numberCase is an output with sentences about it: those that hold and those that do not.
type numberCase struct {
	name, args, output string
	excerpts           []string
	holds, fails       []string
}

var numberCases = []numberCase{
	{
		name: "units from labels and columns", args: `{"cmd":"top -b -n 1"}`,
		output:   "%Cpu(s): 71.4 us,  6.3 sy,  0.0 ni, 19.9 id\nMiB Mem :  64211.7 total,   1903.2 free\n\n  PID USER      %CPU  %MEM COMMAND\n 8123 ledger   346.9  41.3 java\n 8555 root       2.1   0.4 sshd\n",
		excerpts: []string{"8123 ledger   346.9  41.3 java", "MiB Mem :  64211.7 total", "71.4 us,  6.3 sy,  0.0 ni, 19.9 id"},
		holds:    []string{"java 进程占用 346.9% 的 CPU，约 3.5 个核。", "整机还有 19.9% 空闲。", "内存共 64211.7 MiB。", "java 占用 41.3% 的内存。"},
		fails:    []string{"java 进程占用 364.9% 的 CPU。", "内存共 64211.7 GiB。", "整机还有 29.9% 空闲。"},
	},
	{
		name: "rates of sizes", args: `{"cmd":"iostat -dx"}`,
		output:   "Device   r/s     rkB/s      wkB/s    %util\nnvme1n1  12.00   96.40   183412.80    99.20\nnvme0n1   3.00   12.00       44.10     0.70\n",
		excerpts: []string{"nvme1n1  12.00   96.40   183412.80    99.20"},
		holds:    []string{"nvme1n1 每秒写入 183412.80 kB，利用率 99.20%。", "nvme1n1 写入约 179 MiB/s。", "nvme1n1 的利用率超过 95%。"},
		fails:    []string{"nvme1n1 每秒写入 183412.80 MB。", "nvme1n1 的利用率为 92.90%。"},
	},
	{
		name: "prices, sizes and times of configurations", args: `{"path":"app.properties"}`,
		output:   "client.readTimeout=7000\nclient.retry=3\npool.max=64\nrefund.limit_cents=1980000\npages=262144\npage_size=16KiB\n",
		excerpts: []string{"client.readTimeout=7000", "refund.limit_cents=1980000", "pages=262144\npage_size=16KiB"},
		holds:    []string{"读超时为 7 秒。", "退款上限 19800 元。", "缓冲池 262144 个 16KiB 页，即 4 GiB。"},
		fails:    []string{"读超时为 17 秒。", "退款上限 18900 元。", "缓冲池 262144 个 16KiB 页，即 4 MiB。"},
	},
	{
		name: "percentages without their sign", args: `{"query":"100-node_filesystem_avail_bytes/node_filesystem_size_bytes*100"}`,
		output:   `{"data":{"result":[{"metric":{"instance":"db-3:9100"},"values":[[1760003600,"71.46"],[1760007200,"88.93"],[1760010800,"93.17"]]}]}}`,
		excerpts: []string{`[1760003600,"71.46"]`, `[1760010800,"93.17"]`},
		holds:    []string{"磁盘使用率由 71.46% 升到 93.17%，涨了 21.71 个百分点。", "磁盘使用率已越过 90%。"},
		fails:    []string{"磁盘使用率升到 97.13%。", "磁盘使用率升了 27.11 个百分点。", "磁盘使用率升到 85%。"},
	},
	{
		name: "a column of units", args: `{"sql":"select name, setting, unit from pg_settings"}`,
		output:   "       name        | setting | unit\n-------------------+---------+------\n lock_timeout      | 90000   | ms\n max_connections   | 300     |     \n wal_segment_size  | 32      | MiB\n",
		excerpts: []string{"lock_timeout      | 90000   | ms", "wal_segment_size  | 32      | MiB"},
		holds:    []string{"lock_timeout 为 90 秒，wal_segment_size 为 32 MiB。"},
		fails:    []string{"lock_timeout 为 90 毫秒。", "wal_segment_size 为 32 GiB。"},
	},
	{
		name: "spans in microseconds", args: `{"note":"duration in us"}`,
		output:   "span_id,service,duration\n41fa,cart-2,7003118\n77bc,stock-1,402\n",
		excerpts: []string{"41fa,cart-2,7003118", "77bc,stock-1,402"},
		holds:    []string{"cart-2 的调用耗时约 7.00 秒，stock-1 只用了 402 微秒。"},
		fails:    []string{"cart-2 的调用耗时约 7.30 秒。"},
	},
	{
		name: "bounds beside a cited value", args: `{"cmd":"osd perf"}`,
		output:   "osd  commit_latency(ms)  apply_latency(ms)\n  5                 1422               1422\n  4                   31                 31\n  3                   18                 18\n  2                   37                 37\n",
		excerpts: []string{"5                 1422               1422"},
		holds:    []string{"osd.5 的提交延迟为 1422 ms，其余都没有超过 40 ms。", "osd.5 的提交延迟超过 1400 ms。"},
		fails:    []string{"osd.5 的提交延迟超过 5000 ms。", "osd.5 的提交延迟为 1242 ms。"},
	},
	{
		name: "numbers that name things", args: `{"host":"node-7","build":20417}`,
		output:   "[Sat Jul 18 22:19:51 2026] NVRM: Xid (PCI:0000:8a:00): 79, pid=3121, GPU has fallen off the bus\nrx_queue_11_packets: 70123344\nHTTPCode_ELB_504_Count\n",
		excerpts: []string{"NVRM: Xid (PCI:0000:8a:00): 79", "rx_queue_11_packets: 70123344"},
		holds:    []string{"驱动报出 Xid 79，GPU 掉线。", "11 号队列收到 70123344 个包。", "Build 20417 所在的节点报出 Xid 79。"},
		fails:    []string{"驱动报出 Xid 48，GPU 掉线。", "17 号队列收到 70123344 个包。"},
	},
	{
		name: "sums, groups and differences", args: `{"cmd":"progress"}`,
		output:   "#Broker    #QID  #Diff\nbroker-x   0     18211\nbroker-x   1     20754\nbroker-y   0     13\nbroker-y   1     28\n",
		excerpts: []string{"broker-x   0     18211", "broker-y   1     28"},
		holds:    []string{"积压总计 39006 条，其中 broker-x 占 38965 条，broker-y 只有 41 条。"},
		fails:    []string{"积压总计 39806 条。", "broker-x 合计积压 38695 条。"},
	},
	{
		name: "counters of an exposition", args: `{"target":"etcd"}`,
		output:   "wal_fsync_bucket{le=\"0.016\"} 391204\nwal_fsync_bucket{le=\"0.256\"} 399871\nwal_fsync_bucket{le=\"+Inf\"} 400000\n",
		excerpts: []string{"wal_fsync_bucket{le=\"0.256\"} 399871\nwal_fsync_bucket{le=\"+Inf\"} 400000"},
		holds:    []string{"40 万次落盘里有 129 次超过 256 ms。"},
		fails:    []string{"40 万次落盘里有 192 次超过 256 ms。"},
	},
	{
		name: "a heap before and after", args: `{}`,
		output:   "[12:00:01.004+0800] GC(71) Pause Full 7911M->7806M(8192M) 5120.000ms\n[12:00:09.771+0800] GC(72) Pause Full 7930M->7859M(8192M) 5388.000ms\n[12:00:18.020+0800] GC(73) Pause Full 7944M->7897M(8192M) 5901.000ms\n",
		excerpts: []string{"GC(73) Pause Full 7944M->7897M(8192M) 5901.000ms"},
		holds:    []string{"最后一次 Full GC 只释放 47M。", "三次 Full GC 合计约 16.4 秒。", "单次停顿都超过 5 秒。"},
		fails:    []string{"最后一次 Full GC 释放 470M。", "三次 Full GC 合计约 61.4 秒。"},
	},
	{
		name: "durations between times and zones", args: `{"since":"2026-03-02"}`,
		output:   "{\"at\":\"2026-03-02T01:40:00Z\",\"msg\":\"concurrency 150 -> 2400\"}\n[Mon Mar  2 10:03:20 2026] nf_conntrack: table full\n[Mon Mar  2 10:03:41 2026] nf_conntrack: table full\nScale-up timed out after 2m14.7s\n",
		excerpts: []string{"2026-03-02T01:40:00Z", "[Mon Mar  2 10:03:20 2026] nf_conntrack: table full", "Scale-up timed out after 2m14.7s"},
		holds:    []string{"调整并发约 23 分钟后表满。", "等待 2 分 14.7 秒后判定扩容超时。", "It timed out after 2 minutes and 14.7 seconds.", "两次表满相隔 21 秒。"},
		fails:    []string{"调整并发约 53 分钟后表满。", "等待 2 分 41.7 秒后判定扩容超时。"},
	},
	{
		name: "evenly spaced samples", args: `{"step":"1m"}`,
		output:   "time,timeouts\n2026-07-10T02:01:00Z,3\n2026-07-10T02:02:00Z,411\n2026-07-10T02:03:00Z,1288\n2026-07-10T02:04:00Z,1190\n",
		excerpts: []string{"2026-07-10T02:01:00Z,3\n2026-07-10T02:02:00Z,411\n2026-07-10T02:03:00Z,1288\n2026-07-10T02:04:00Z,1190"},
		holds:    []string{"4 分钟合计 2892 次超时。"},
		fails:    []string{"9 分钟合计 2892 次超时。"},
	},
	{
		name: "schedules", args: `{"name":"nightly"}`,
		output:   "Name:      nightly\nSchedule:  45 17 * * *\nTime Zone: Etc/UTC\nLast Schedule: 2026-05-11T17:45:00Z\n",
		excerpts: []string{"Schedule:  45 17 * * *"},
		holds:    []string{"nightly 每天 UTC 17:45（北京时间次日 01:45）触发。"},
		fails:    []string{"nightly 每天 UTC 15:47 触发。"},
	},
	{
		name: "which statistic", args: `{"kpi":"threads"}`,
		output:   "kpi,min,mean,max\nthreads_running,3.0,41.7,188.0\nthreads_cached,1.0,9.4,33.0\n",
		excerpts: []string{"threads_running,3.0,41.7,188.0"},
		holds:    []string{"threads_running 平均为 41.7，最大 188。"},
		fails:    []string{"threads_running 平均为 188。"},
	},
	{
		name: "the time of the cited record", args: `{}`,
		output:   `[{"service":"quote-svc","version":"v4.2.0","at":"2026-08-04T11:21:00Z"},{"service":"risk-svc","version":"v1.9.3","at":"2026-08-04T11:02:00Z"}]`,
		excerpts: []string{`"service":"quote-svc","version":"v4.2.0"`},
		holds:    []string{"quote-svc v4.2.0 于北京时间 19:21 上线。"},
		fails:    []string{"quote-svc v4.2.0 于北京时间 19:02 上线。"},
	},
	{
		name: "what follows from cited numbers", args: `{"table":"calls"}`,
		output:   "svc     calls  okay   rate\nfees-1  1841   1507   0.8186\nfees-2  1902   1899   0.9984\nfees-3  1775   1770   0.9972\n",
		excerpts: []string{"fees-1  1841   1507   0.8186"},
		holds:    []string{"fees-1 共 1841 次调用，成功 1507 次，即有 334 次失败。", "fees-1 的失败占 18.1%。", "三个实例一共 5518 次调用。"},
		fails:    []string{"fees-1 共 1841 次调用，成功 1507 次，即有 343 次失败。", "三个实例一共 5581 次调用。", "fees-1 共 1842 次调用。"},
	},
	{
		name: "multiples of what is stated", args: `{"cmd":"jmap -histo"}`,
		output:   " num  instances  bytes      class\n  1   90412      7232960    acme.rule.Loader\n  2   38870      2176720    acme.rule.Site\n",
		excerpts: []string{"1   90412      7232960    acme.rule.Loader", "2   38870      2176720    acme.rule.Site"},
		holds:    []string{"acme.rule.Loader 有 90412 个，比第二名（38870 个）的两倍还多。", "acme.rule.Loader 有 90412 个，是 38870 的 2.3 倍。"},
		fails:    []string{"acme.rule.Loader 有 90412 个，是 38870 的 3.2 倍。"},
	},
	{
		name: "data frames with a named index", args: `{"code":"df.groupby('db').agg(...)"}`,
		output:   "        calls  elapsed_mean_ms  elapsed_max_ms\ndb\nora_3     812          1640.25          3120.5\nora_7     790             7.91            55.0\n",
		excerpts: []string{"ora_3     812          1640.25          3120.5"},
		holds:    []string{"ora_3 平均耗时 1640.25 ms，最大 3120.5 ms；ora_7 平均只有 7.91 ms。"},
		fails:    []string{"ora_3 平均耗时 3120.5 ms。", "ora_3 平均耗时 7.91 ms。"},
	},
	{
		name: "columns ruled by dashes", args: `{"kind":"node","name":"n-4"}`,
		output:   "Name:  n-4\n  Namespace  Name      CPU Requests CPU Limits  Memory Requests Memory Limits  Age\n  ---------  ----      ------------ ----------  --------------- -------------  ---\n  batch      roll-0    500m (6%)    0 (0%)      2048Mi (6%)     3Gi (10%)      3d\n  batch      roll-1    500m (6%)    0 (0%)      2048Mi (6%)     3Gi (10%)      3d\n  web        front-0   250m (3%)    0 (0%)      512Mi (1%)      1Gi (3%)       9d\n",
		excerpts: []string{"roll-0    500m (6%)    0 (0%)      2048Mi (6%)"},
		holds:    []string{"roll 开头的两个 Pod 内存 requests 合计 4Gi。"},
		fails:    []string{"roll 开头的两个 Pod 内存 requests 合计 7Gi。"},
	},
	{
		name: "whose row, under short column names", args: `{"sql":"select h, app, route, total, c429, p99"}`,
		output:   "h,app,route,total,c429,p99\n16:00,trip-hub,/v3/price,88310,61025,220\n16:00,inn-plus,/v3/price,38220,31,316\n17:00,inn-plus,/v3/price,36110,28,301\n",
		excerpts: []string{"/v3/price,88310,61025"},
		holds:    []string{"trip-hub 在 16 点有 61025 次 429。"},
		fails:    []string{"inn-plus 在 16 点也有 61025 次 429。"},
	},
	{
		name: "columns headed by clocks", args: `{"step":"5m"}`,
		output:   "metric             | instance     | 11:05 | 11:10 | 11:15\nevicted_keys (/s)  | stock-0:9121 | 0     | 212.4 | 1873.6\nevicted_keys (/s)  | cart-0:9121  | 0     | 0     | 0\n",
		excerpts: []string{"stock-0:9121 | 0     | 212.4 | 1873.6"},
		holds:    []string{"stock-0 每秒驱逐 1873.6 个 key。"},
		fails:    []string{"cart-0 每秒驱逐 1873.6 个 key。"},
	},
	{
		name: "the zone of a log that only its call tells", args: `{"from":"2026-04-02T18:30:00Z","to":"2026-04-02T19:10:00Z"}`,
		output:   "Apr  2 2026 18:41:20.100 sw-01 link flap\nApr  2 2026 18:42:17.204 sw-01 peer 10.9.0.1 down\nApr  2 2026 19:02:44.900 sw-01 peer 10.9.0.1 up\n",
		excerpts: []string{"Apr  2 2026 18:42:17.204 sw-01 peer 10.9.0.1 down"},
		holds:    []string{"10.9.0.1 于北京时间次日 02:42:17 断开。", "10.9.0.1 在 UTC 18:42:17 断开。"},
		fails:    []string{"10.9.0.1 于北京时间 18:42:17 断开。"},
	},
	{
		name: "the zone that the same time has elsewhere", args: `{"cmd":"systemctl status mailer"}`,
		output:   "Active: failed (Result: exit-code) since Tue 2026-05-19 01:27:14 UTC; 41min ago\nMay 19 01:27:14 mq-3 systemd[1]: mailer.service: Failed\n",
		excerpts: []string{"since Tue 2026-05-19 01:27:14 UTC"},
		holds:    []string{"mailer 于北京时间 09:27:14 失败。"},
		fails:    []string{"mailer 于北京时间 01:27:14 失败。"},
	},
	{
		name: "a time after a duration", args: `{"service":"order"}`,
		output:   `[{"name":"POST /orders","start":"2026-06-01T02:00:05Z","took_ms":3000},{"name":"GET /cart","start":"2026-06-01T02:00:06Z","took_ms":41}]`,
		excerpts: []string{`"name":"POST /orders","start":"2026-06-01T02:00:05Z","took_ms":3000`},
		holds:    []string{"POST /orders 在北京时间 10:00:08 以 3 秒超时返回。"},
		fails:    []string{"POST /orders 在北京时间 10:00:28 以 3 秒超时返回。"},
	},
	{
		name: "a fraction of two columns", args: `{"kind":"resourcequota"}`,
		output:   "Resource         Used   Hard\npods             11     40\nrequests.memory  28Gi   64Gi\n",
		excerpts: []string{"requests.memory  28Gi   64Gi"},
		holds:    []string{"内存 requests 用了 28Gi，占 64Gi 的约 44%，Pod 数为 11/40。"},
		fails:    []string{"Pod 数为 17/40。"},
	},
	{
		name: "members of lists", args: `{"group":"settle"}`,
		output:   "topic  partition  lag  consumer\nsettle  2  78  /10.8.14.35\nsettle  3  102  /10.8.14.35\n",
		excerpts: []string{"settle  2  78  /10.8.14.35"},
		holds:    []string{"2、3 号分区由 10.8.14.35 消费，积压 78 和 102 条，共 180 条。"},
		fails:    []string{"2、7 号分区由 10.8.14.35 消费，积压 78 条。"},
	},
	{
		name: "names of which a list says the end", args: `{"group":"rack"}`,
		output:   "host    took_ms\nrack07  9120\nrack08  41\nrack09  38\n",
		excerpts: []string{"rack07  9120"},
		holds:    []string{"rack07 为 9120 ms，rack08、09 都不到 50 毫秒。"},
		fails:    []string{"rack07 为 9120 ms，rack08、05 都不到 50 毫秒。"},
	},
	{
		name: "shares of what is counted by reading", args: `{"tail":"5"}`,
		output:   "GET /a 200\nGET /b 503\nGET /c 200\nGET /d 504\nGET /e 503\n",
		excerpts: []string{"GET /b 503"},
		holds:    []string{"5 条访问日志里有 3 条 5xx（60%）。"},
		fails:    []string{"5 条访问日志里有 3 条 5xx（约 84%）。"},
	},
	{
		name: "paces", args: `{"kind":"event"}`,
		output:   "Normal   Pulled     111s (x241 over 51m)    kubelet  image present\nNormal   Killing    90s (x3 over 40m)    kubelet  stopping\n",
		excerpts: []string{"Pulled     111s (x241 over 51m)"},
		holds:    []string{"51 分钟里 Pulled 事件累计 241 次，约每 12.7 秒一次。"},
		fails:    []string{"51 分钟里 Pulled 事件累计 241 次，约每 17.2 秒一次。"},
	},
	{
		name: "numbers that the claim gives to another thing", args: `{"job":"recon"}`,
		output:   "step       status     read_count\nloadFile   COMPLETED  4218806\nmatchTxn   STARTED    1127000\n",
		excerpts: []string{"matchTxn   STARTED    1127000", "loadFile   COMPLETED  4218806"},
		holds:    []string{"matchTxn 至今没有结束，只读了 1127000 笔，约为渠道文件 4218806 笔的 27%。"},
		fails:    []string{"matchTxn 至今没有结束，已读 4218806 笔。"},
	},
	{
		name: "keys and what follows them", args: `{"kind":"networkpolicy"}`,
		output:   "spec:\n  podSelector:\n    app: store-mongodb\n  policyTypes:\n  - Ingress\nnote: store-memcached is not selected\n",
		excerpts: []string{"app: store-mongodb"},
		holds:    []string{"被选中的标签是 app=store-mongodb。"},
		fails:    []string{"被选中的标签是 app=store-memcached。"},
	},
	{
		name: "the next key is no unit", args: `{"log":"cache"}`,
		output:   "cache grow: entries=1048211 bytes=261443584\n",
		excerpts: []string{"entries=1048211 bytes=261443584"},
		holds:    []string{"应用缓存膨胀到 1048211 条、约 249 MiB。"},
		fails:    []string{"应用缓存膨胀到 1084211 条。", "应用缓存约 249 GiB。"},
	},
	{
		name: "limits among the other results", args: `{"query":"wal_fsync_p99_seconds"}`,
		output:   `{"data":{"result":[{"metric":{"instance":"e-1:2379"},"value":[1760003600,"1.2404"]},{"metric":{"instance":"e-2:2379"},"value":[1760003600,"0.0068"]},{"metric":{"instance":"e-3:2379"},"value":[1760003600,"0.0051"]}]}}`,
		excerpts: []string{`"instance":"e-1:2379"},"value":[1760003600,"1.2404"]`},
		holds:    []string{"只有 e-1 的 WAL fsync p99 异常，达 1.2404 秒，其余都在 7 ms 以内。"},
		fails:    []string{"只有 e-1 的 WAL fsync p99 异常，达 1.2404 秒，其余都在 3 ms 以内。"},
	},
	{
		name: "sums of entries and of parts", args: `{"cmd":"dmesg -T; explain"}`,
		output:   "[Tue Mar  3 09:27:03 2026] net_ratelimit: 2533 callbacks suppressed\n[Tue Mar  3 09:27:41 2026] nf_conntrack: table full, dropping packet\n[Tue Mar  3 09:28:03 2026] net_ratelimit: 1977 callbacks suppressed\n[Tue Mar  3 09:29:03 2026] net_ratelimit: 2104 callbacks suppressed\nBuffers: shared hit=2204418 read=61207\n",
		excerpts: []string{"nf_conntrack: table full, dropping packet", "Buffers: shared hit=2204418 read=61207"},
		holds:    []string{"3 次限速共压掉了 6614 条同类回调。", "读了约 227 万个缓冲块。"},
		fails:    []string{"3 次限速共压掉了 6416 条同类回调。", "读了约 272 万个缓冲块。"},
	},
	{
		name: "a setting beside the cited ones", args: `{"path":"cache.yaml"}`,
		output:   "cache:\n  sentinel:\n    down-after-milliseconds: 5000\n    quorum: 2\n  client:\n    commandTimeout: 3s\n    topologyRefreshPeriod: 120s\n",
		excerpts: []string{"topologyRefreshPeriod: 120s"},
		holds:    []string{"拓扑每 120 秒才刷一次，哨兵的下线判定时间是 5 秒。"},
		fails:    []string{"拓扑每 120 秒才刷一次，哨兵的下线判定时间是 8 秒。"},
	},
	{
		name: "samples told in a row", args: `{"step":420}`,
		output:   `{"data":{"result":[{"metric":{"instance":"n-7:9100"},"values":[[1760601600,"31.2"],[1760602020,"29.8"],[1760604120,"9.1"],[1760604540,"8.9"],[1760604960,"24.6"],[1760608080,"8.94"]]}]}}`,
		excerpts: []string{"可用率序列：31.2 … 9.1、8.9、24.6 … 8.94"},
		holds:    []string{"n-7 的可用率最低跌到 8.9%，一度回升到 24.6%。"},
		fails:    []string{"n-7 的可用率最低跌到 6.9%，一度回升到 24.6%。"},
	},
	{
		name: "a name before a Chinese colon", args: `{"kpi":"mem"}`,
		output:   "cmdb_id,mem_mb,ts\nnode-5.ads-1,121.4,1646300400\nnode-5.ads-1,297.1,1646301000\nnode-5.ads-1,64.2,1646301300\n",
		excerpts: []string{"node-5.ads-1：121.4 → 297.1 → 64.2（MB）"},
		holds:    []string{"ads-1 的内存从 121.4 MB 涨到 297.1 MB，约为原来的 2.4 倍，重启后回落到 64.2 MB。"},
		fails:    []string{"ads-1 的内存从 121.4 MB 涨到 279.1 MB。"},
	},
	{
		name: "the rest of a column", args: `{"code":"df.groupby('cmdb_id').agg(['count','mean','max'])"}`,
		output:   "count     mean    max\nrunner02  18204  412.371   9871\nrunner03  17911   88.102   1204\nrunner01  18377   85.664   1180\nedge07    40112   61.007  10022\n",
		excerpts: []string{"runner02  18204  412.371   9871"},
		holds:    []string{"runner02 平均耗时 412.371 ms，是其余两台均值（约 86.9 ms）的 4.7 倍，单个最长近 9.9 秒。"},
		fails:    []string{"runner02 平均耗时 412.371 ms，是其余两台均值（约 68.9 ms）的 6 倍。"},
	},
	{
		name: "numbers behind a clock", args: `{"code":"rps.reset_index()"}`,
		output:   "                minute  edge   cart\n0  2026-05-08 21:38:00  1418    402\n1  2026-05-08 21:39:00  1446    410\n2  2026-05-08 21:40:00  1397    396\n",
		excerpts: []string{"0  2026-05-08 21:38:00  1418    402"},
		holds:    []string{"edge 每分钟都在 1397～1446 之间。"},
		fails:    []string{"edge 每分钟都在 1379～1446 之间。"},
	},
	{
		name: "one table for each group", args: `{"cmd":"consumer-groups --describe --all-groups"}`,
		output:   "GROUP      TOPIC   PARTITION  LAG    HOST\nledger     orders  0          11774  /10.244.3.18\n\nGROUP      TOPIC   PARTITION  LAG    HOST\nfraud-scan orders  0          4107   /10.244.3.21\n",
		excerpts: []string{"ledger     orders  0          11774"},
		holds:    []string{"ledger 落后 11774 条，fraud-scan 落后 4107 条。"},
		fails:    []string{"fraud-scan 落后 11774 条。"},
	},
	{
		name: "rows of one time", args: `{"query":"lag by partition"}`,
		output:   "ts,group,partition,lag\n1784077620,ledger,0,101\n1784077620,ledger,1,140\n1784077620,ledger,2,96\n1784077680,ledger,0,5120\n1784077680,ledger,1,9564\n1784077680,ledger,2,4471\n",
		excerpts: []string{"1784077680,ledger,1,9564"},
		holds:    []string{"3 个分区合计积压 19155 条，其中分区 1 最多，为 9564 条。"},
		fails:    []string{"3 个分区合计积压 15915 条。"},
	},
	{
		name: "samples told one after the other", args: `{"code":"df.query('kpi==...')"}`,
		output:   "index ts kpi value\n7 1647868500 rx_dropped 2587.000000\n9 1647868500 rx_errors 0.000000\n17 1647868560 rx_dropped 2815.000000\n19 1647868560 rx_errors 1.000000\n27 1647868620 rx_dropped 2803.000000\n",
		excerpts: []string{"rx_dropped 三个采样点：2587、2815、2803"},
		holds:    []string{"异常期间 3 个采样点累计丢弃 8205 个报文。"},
		fails:    []string{"异常期间 3 个采样点累计丢弃 8502 个报文。"},
	},
	{
		name: "a mean of spans in microseconds", args: `{"note":"duration in us"}`,
		output:   "span_id,service,duration\n41fa,cart-2,2103118\n52ab,cart-2,2402880\n77bc,stock-1,402\n",
		excerpts: []string{"41fa,cart-2,2103118"},
		holds:    []string{"cart-2 的 2 个 span 平均耗时 2.25 秒。"},
		fails:    []string{"cart-2 的 2 个 span 平均耗时 2.52 秒。"},
	},
	{
		name: "two tables in one output", args: `{"cmd":"df -h; crictl images"}`,
		output:   "Filesystem  Size  Used Avail Use% Mounted on\n/dev/vda1    40G   18G   20G  47% /\nIMAGE                      TAG      IMAGE ID        SIZE\nreg.local/bi/render-web    2.8.1    50c6355dc7a23   11.9GB\nreg.local/bi/render-web    2.8.0    d383800f378e1   11.2GB\nreg.local/bi/export-api    1.0.7    72ee496dc172f   3.4GB\n",
		excerpts: []string{"reg.local/bi/render-web    2.8.1"},
		holds:    []string{"render-web 的两个镜像合计 23.1GB。"},
		fails:    []string{"render-web 的两个镜像合计 32.1GB。"},
	},
}

func TestNumbersOfClaims(t *testing.T) {
	for _, c := range numberCases {
		t.Run(c.name, func(t *testing.T) {
			tr := call(1, "run", c.args, c.output)
			var bs []contract.Binding
			for _, e := range c.excerpts {
				bs = append(bs, bind(tr, e))
			}
			for _, text := range c.holds {
				rep := verify([]trace.Trace{tr}, claimOf(text, bs...))
				assert.Empty(t, blocking(rep.Claims[0]), "%s\n%+v", text, rep.Claims[0].Findings)
			}
			for _, text := range c.fails {
				rep := verify([]trace.Trace{tr}, claimOf(text, bs...))
				assert.NotEmpty(t, blocking(rep.Claims[0]), "%s\n%+v", text, rep.Claims[0].Facts)
			}
		})
	}
}

// Operands that cancel each other, or a stated zero, leave nothing to divide by.
func TestSharesOfNothing(t *testing.T) {
	for _, c := range []struct{ output, text string }{
		{"errors=5 drift=-5 x=1\n", "错误占全部的 37%。"},
		{"[{\"d\":-5},{\"d\":-3},{\"d\":0}]\n", "0 个请求失败，占比 17%。"},
		{"name d\na -5\nb -3\nc 0\n", "0 个请求失败，占比 17%。"},
	} {
		tr := call(1, "query_logs", `{}`, c.output)
		assert.Equal(t, []string{"C001"}, blocking(one(t, tr, c.text, c.output)), c.text)
	}
}

// A name may reach over the end of its clause: narrow forms join what a wide colon parts.
func TestNamesAcrossClauses(t *testing.T) {
	tr := call(1, "query_logs", `{}`, "cart=1 quote=2\n")
	assert.NotPanics(t, func() { one(t, tr, "每秒峰值到a=5：40b=-5。", "cart=1 quote=2") })
}
