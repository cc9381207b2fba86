package grounding

import "strings"

// keyNouns stand before or after a number that names one of many: 会话 69874, 3 号分区.
var keyNouns = []string{"会话", "进程", "线程", "分区", "分片", "端口", "pid", "PID", "id", "ID", "编号", "序号", "session", "process", "partition", "shard", "port", "thread", "慢日志", "事务", "工单", "记录"}

func isKey(s string, q Quantity) bool {
	if q.Decimals > 0 || q.HasUnit() || q.Cmp != Exactly {
		return false
	}
	rest := strings.TrimLeft(s[q.Span.End:], " ")
	if strings.HasPrefix(rest, "号") && !strings.HasPrefix(rest, "号称") {
		return true
	}
	if q.Units[0].Name == "" && (strings.HasPrefix(rest, "分区") || strings.HasPrefix(rest, "分片") || strings.HasPrefix(rest, "端口")) {
		return true
	}
	before := strings.TrimRight(s[:q.Span.Start], " ")
	for _, n := range keyNouns {
		if strings.HasSuffix(before, n) && q.Units[0].Name == "" && (n[0] >= 0x80 || len(before) == len(n) || !isWordByte(before[len(before)-len(n)-1])) {
			return true
		}
	}
	return false
}
