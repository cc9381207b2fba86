package grounding

import "strings"

// termPairs ties Chinese terms of operations to the English stems that tools print.
// A summary in one language is legal evidence of text in the other.
var termPairs = []struct {
	zh string
	en []string
}{
	{"内存", []string{"memory", "mem", "rss", "heap"}}, {"堆", []string{"heap"}}, {"处理器", []string{"cpu"}}, {"磁盘", []string{"disk", "volume", "/dev/", "filesystem"}}, {"硬盘", []string{"disk"}},
	{"网络", []string{"network", "net"}}, {"流量", []string{"traffic", "weight", "bytes"}}, {"带宽", []string{"bandwidth", "bytes"}}, {"重启", []string{"restart"}}, {"副本", []string{"replica"}},
	{"节点", []string{"node", "host", "instance"}}, {"主机", []string{"host", "node"}}, {"容器", []string{"container"}}, {"镜像", []string{"image"}}, {"拉取", []string{"pull"}},
	{"调度", []string{"schedul"}}, {"连接", []string{"connect", "conn", "dial"}}, {"超时", []string{"timeout", "timed out", "deadline", "i/o timeout"}}, {"拒绝", []string{"refused", "reject", "denied", "forbidden"}},
	{"证书", []string{"cert", "ssl", "tls"}}, {"过期", []string{"expire", "expir"}}, {"到期", []string{"expire"}}, {"端口", []string{"port"}}, {"队列", []string{"queue"}}, {"排队", []string{"queue", "waiting"}},
	{"锁", []string{"lock", "deadlock"}}, {"慢查询", []string{"slow"}}, {"慢日志", []string{"slow"}}, {"延迟", []string{"latency", "delay", "lag", "duration"}}, {"时延", []string{"latency", "duration", "delay"}}, {"耗时", []string{"duration", "cost", "elapsed", "took", "time", "ms"}},
	{"错误", []string{"error", "err", "fail", "exception"}}, {"报错", []string{"error", "exception", "fail"}}, {"异常", []string{"exception", "error", "abnormal", "anomal"}}, {"失败", []string{"fail", "error", "unsuccessful"}}, {"成功", []string{"success", "succeed", "ok", "true"}},
	{"命中", []string{"hit"}}, {"未命中", []string{"miss"}}, {"淘汰", []string{"evict"}}, {"驱逐", []string{"evict"}}, {"积压", []string{"lag", "backlog", "pending"}}, {"堆积", []string{"lag", "backlog"}}, {"分区", []string{"partition"}}, {"分片", []string{"shard"}},
	{"线程", []string{"thread"}}, {"进程", []string{"process", "pid"}}, {"请求", []string{"request", "req", "get ", "post "}}, {"响应", []string{"response", "resp"}}, {"版本", []string{"version", "tag"}}, {"提交", []string{"commit"}},
	{"事务", []string{"transaction", "txn", "trx"}}, {"索引", []string{"index"}}, {"会话", []string{"session", "id"}}, {"状态", []string{"status", "state", "phase"}}, {"原因", []string{"reason", "cause"}}, {"退出码", []string{"exit code", "exitcode", "exit"}}, {"退出", []string{"exit"}},
	{"终止", []string{"terminat"}}, {"启动", []string{"start"}}, {"创建", []string{"creat"}}, {"删除", []string{"delet", "remov"}}, {"更新", []string{"updat"}}, {"扩容", []string{"scale", "scal"}}, {"缩容", []string{"scale", "scal"}}, {"扩缩容", []string{"scal"}},
	{"副本集", []string{"replicaset", "replica set"}}, {"就绪", []string{"ready"}}, {"存活", []string{"liveness", "alive"}}, {"探针", []string{"probe"}}, {"健康", []string{"health"}}, {"告警", []string{"alert", "alarm", "warn"}}, {"警告", []string{"warn"}}, {"阈值", []string{"threshold", "limit"}},
	{"限值", []string{"limit"}}, {"上限", []string{"limit", "max"}}, {"配额", []string{"quota", "limit"}}, {"限制", []string{"limit"}}, {"申请", []string{"request"}}, {"可用", []string{"available", "avail", "free"}}, {"剩", []string{"free", "avail", "remain", "left"}}, {"剩余", []string{"free", "avail", "remain", "left"}}, {"空闲", []string{"idle", "free"}}, {"已用", []string{"used"}}, {"使用", []string{"use", "usage", "util"}}, {"占用", []string{"use", "used", "usage"}},
	{"总数", []string{"total"}}, {"总量", []string{"total"}}, {"峰值", []string{"peak", "max"}}, {"最大", []string{"max", "biggest", "largest"}}, {"最小", []string{"min"}}, {"平均", []string{"avg", "mean", "average"}}, {"碎片", []string{"fragment"}}, {"复制", []string{"replic", "repl"}}, {"主库", []string{"master", "primary"}}, {"从库", []string{"slave", "replica", "secondary"}},
	{"域名", []string{"host", "dns", "domain"}}, {"解析", []string{"resolve", "parse"}}, {"找不到", []string{"not found", "no such", "notfound", "could not find"}}, {"不存在", []string{"not found", "no such", "notfound", "does not exist", "doesn't exist"}}, {"未找到", []string{"not found", "could not find"}}, {"无法", []string{"unable", "cannot", "could not", "can't", "failed to"}},
	{"权限", []string{"permission", "denied", "forbidden", "unauthorized", "rbac"}}, {"认证", []string{"auth"}}, {"密码", []string{"password"}}, {"配置", []string{"config", "setting", "spec"}}, {"变更", []string{"change"}}, {"发布", []string{"deploy", "release", "rollout"}}, {"部署", []string{"deploy"}}, {"回滚", []string{"rollback", "roll back", "rolledback"}}, {"升级", []string{"upgrad", "bump"}},
	{"事件", []string{"event"}}, {"日志", []string{"log"}}, {"指标", []string{"metric"}}, {"链路", []string{"trace", "span"}}, {"标签", []string{"label", "tag"}}, {"命名空间", []string{"namespace"}}, {"集群", []string{"cluster"}}, {"服务", []string{"service"}}, {"卷", []string{"volume", "pvc"}}, {"挂载", []string{"mount"}}, {"未绑定", []string{"unbound"}}, {"绑定", []string{"bound", "bind"}}, {"抢占", []string{"preempt"}},
	{"杀死", []string{"kill"}}, {"杀掉", []string{"kill"}}, {"崩溃", []string{"crash", "panic", "fatal"}}, {"等待", []string{"wait", "pending"}}, {"阻塞", []string{"block", "wait"}}, {"泄漏", []string{"leak"}}, {"溢出", []string{"overflow", "exceed"}}, {"用户", []string{"user"}}, {"消费", []string{"consum", "poll"}}, {"消息", []string{"message", "msg"}}, {"位移", []string{"offset"}}, {"主题", []string{"topic"}}, {"心跳", []string{"heartbeat"}},
	{"可执行文件", []string{"executable"}}, {"命令", []string{"command", "cmd", "exec"}}, {"文件", []string{"file"}}, {"目录", []string{"directory", "dir"}}, {"空间", []string{"space", "disk"}}, {"写入", []string{"writ"}}, {"读取", []string{"read"}}, {"查询", []string{"query", "select", "fetch"}}, {"库存", []string{"inventory", "stock"}}, {"订单", []string{"order"}}, {"支付", []string{"pay"}},
	{"不可达", []string{"unreachable", "no route"}}, {"网关", []string{"gateway"}}, {"代理", []string{"proxy"}}, {"限流", []string{"throttl", "rate limit", "ratelimit"}}, {"熔断", []string{"circuit", "overflow"}}, {"重试", []string{"retry", "retries", "attempt"}}, {"码", []string{"code"}}, {"回收", []string{"gc", "reclaim"}}, {"停顿", []string{"pause"}}, {"键", []string{"key"}}, {"字段", []string{"field"}}, {"行", []string{"row"}},
}

// Terms lists, for each Chinese term of operations that a text uses, the English stems
// for it.
func Terms(text string) [][]string {
	var out [][]string
	for _, p := range termPairs {
		if strings.Contains(text, p.zh) {
			out = append(out, append([]string{p.zh}, p.en...))
		}
	}
	return out
}
