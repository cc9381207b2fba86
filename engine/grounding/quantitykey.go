package grounding

import (
	"strings"
)

// countedThings follow the last of a list of keys: 17 和 5 两个分区.
var countedThings = NewPattern(`^[两二三四五六](个|台|块|张)?(分区|分片|节点|副本|实例|队列|磁盘|卡|端口|机器|主机|进程|线程)`)

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
	if q.Units[0].Name == "" && q.Value.IsInt() && countedThings.MatchString(rest) {
		return true
	}
	if w := lastWord(s[:q.Span.Start]); q.Units[0].Name == "" && q.Value.IsInt() && numberedWords[strings.ToLower(w)] {
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

// numberedWords are English words whose things go by numbers: GPU 3, worker 2, step 48000.
var numberedWords = map[string]bool{"gpu": true, "worker": true, "rank": true, "step": true, "epoch": true, "shard": true, "broker": true, "slot": true, "hop": true, "subtask": true, "queue": true, "osd": true, "numa": true}

// lastWord is the Latin word that s ends with, one space behind it.
func lastWord(s string) string {
	t := strings.TrimSuffix(s, " ")
	if t == s {
		return ""
	}
	i := len(t)
	for i > 0 && isWordByte(t[i-1]) {
		i--
	}
	return t[i:]
}
