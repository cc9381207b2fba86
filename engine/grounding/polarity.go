package grounding

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// clauseEnds part the clauses of a sentence, in both languages.
const clauseEnds = "，。；！？,;!?\n、（）()：:"

// SegmentAt is the narrow clause of text that holds the byte at offset. A comma inside a number
// (1,024) or a colon inside a clock parts nothing.
func SegmentAt(text string, offset int) Span {
	last := Span{0, 0}
	for _, c := range Segments(text) {
		if c.Start > offset {
			break
		}
		last = c
	}
	return last
}

// Segments lists the narrowest clauses of a text in order, without their ends: unlike
// Clauses it parts at 、 and parentheses, as names bind to numbers within those.
func Segments(text string) []Span {
	var out []Span
	start := 0
	for i, r := range text {
		if !strings.ContainsRune(clauseEnds, r) || inNumber(text, i) || r == ':' && i+1 < len(text) && text[i+1] != ' ' {
			continue
		}
		out = append(out, Span{start, i})
		start = i + utf8.RuneLen(r)
	}
	return append(out, Span{start, len(text)})
}

func inNumber(text string, i int) bool {
	return i > 0 && i+1 < len(text) && isNum(text[i-1]) && isNum(text[i+1])
}

// negators deny what follows them in their clause.
var negators = []string{"并未", "并没有", "并无", "没有", "未能", "未曾", "尚未", "从未", "未", "没", "无法", "无需", "无", "不再", "不是", "并非", "非", "不能", "不会", "不存在", "不", "排除", "not ", "n't ", "no ", "never ", "without ", "neither ", "none of ", "nor "}

// notNegators begin like a negator and deny nothing.
var notNegators = []string{"不足", "不同", "不断", "不过", "不仅", "不但", "不少", "不久", "无论", "非常", "不可用", "不一致", "未知", "无状态", "不健康", "不稳定", "不到", "无响应", "不可达", "非终止", "not found", "not exist", "not ready", "not available", "no such "}

// Negated reports whether what stands at offset is denied in its clause: 未触发, 没有出现
// FailedCreate, no restart. Two denials cancel out.
func Negated(text string, offset int) bool {
	c := SegmentAt(text, offset)
	before := strings.ToLower(text[c.Start:offset])
	n, outside, quoted := 0, 0, false
	for i := 0; i < len(before); {
		step := 0
		switch { // what a quotation denies, it denies within itself
		case strings.HasPrefix(before[i:], "“"), before[i] == '"' && !quoted:
			outside, quoted = n, true
		case strings.HasPrefix(before[i:], "”"), before[i] == '"':
			n, quoted = outside, false
		}
		for _, w := range notNegators {
			if strings.HasPrefix(before[i:], w) {
				step = len(w)
				break
			}
		}
		if step == 0 && complement(before, i) {
			step = len("不")
		}
		if step == 0 {
			for _, w := range negators {
				if strings.HasPrefix(before[i:], w) && (w[0] >= 0x80 || i == 0 || !isWordByte(before[i-1]) || w == "n't ") {
					n++
					step = len(w)
					break
				}
			}
		}
		if step == 0 {
			_, step = utf8.DecodeRuneInString(before[i:])
		}
		i += step
	}
	return n%2 == 1
}

// complement reports a 不 inside a verb that says what cannot be done (起不来, 连不上): it
// denies that verb and nothing behind it.
func complement(s string, i int) bool {
	rest, ok := strings.CutPrefix(s[i:], "不")
	if !ok || i == 0 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	prev, _ := utf8.DecodeLastRuneInString(s[:i])
	return strings.ContainsRune("来到上开动下了住出起掉成通完", next) && prev >= 0x4e00 && !strings.ContainsRune("也都并就还均仍又再而且却则尚从的", prev)
}

// Antonym is a pair of opposite statements with their words in both languages.
type Antonym struct {
	Name     string
	Pos, Neg *Pattern // in a claim
	// EvPos and EvNeg are the words of tool output.
	EvPos, EvNeg *Pattern
}

func antonym(name, pos, neg, evPos, evNeg string) Antonym {
	return Antonym{name, NewPattern("(?i)" + pos), NewPattern("(?i)" + neg), NewPattern("(?i)" + evPos), NewPattern("(?i)" + evNeg)}
}

// Antonyms are the opposites that a claim can turn around.
var Antonyms = []Antonym{
	antonym("outcome",
		`(成功|完成|通过了|succeed|successful)`,
		`(失败|未成功|报错|出错|超时|取消|中断|拒绝|异常|错误|fail|error|timed? ?out|cancel|refus|reject)`,
		`(succe(ss|eded)|\bstarted($|[^:\w])|completed?\b|finished\b|reloaded\b|restored\b|passed\b|成功|完成|\bhealthy\b)`,
		`(fail|error|exception|unable|timed? ?out|timeout|refused|denied|cancel|abort|reject|crash|backoff|kill|unsuccess|insufficient|unschedulable|could not|cannot|can.t|rolled? ?back|失败|错误|异常|超时|拒绝|取消|回滚)`),
	antonym("sufficiency",
		`(充足|充裕|足够|sufficient|enough)`,
		`(不足|不够|耗尽|打满|用尽|insufficient|exhausted|out of)`,
		`((^|[^n])sufficient|\benough\b|no (disk|memory|pid) ?pressure|HasNo\w*Pressure|充足)`,
		`(insufficient|not enough|exhaust|out of|exceed|no space|full|oom|不足|耗尽)`),
	antonym("scaling",
		`(扩容|扩到|扩至|scaled? up|scale out)`,
		`(缩容|缩到|缩至|scaled? down|scale in)`,
		`(scaled? up|scaling up|扩容)`,
		`(scaled? down|scaling down|缩容)`),
	antonym("recovery",
		`(已恢复|恢复正常|恢复健康|已自愈|recovered|resolved)`,
		`(未恢复|没有恢复|仍在持续|未自愈|仍未|still failing|unresolved|(stopped|not) responding|中断|停止响应)`,
		`(recovered|resolved|back to normal|restored|healthy\b|\bOK\b|恢复)`,
		`(still|unresolved|unhealthy|firing|ongoing|not recovered|未恢复)`),
	antonym("existence",
		`(已存在|是存在的|存在且|exists\b)`,
		`(不存在|找不到|未找到|not found|does not exist|missing)`,
		`(already exists|\bexists\b|(^|[^t] )found\b|\bBound\b)`,
		`(not found|no such|doesn'?t exist|does not exist|notfound|missing|不存在|找不到)`),
	antonym("switch",
		`(已启用|已开启|已打开|开启了|启用了|enabled)`,
		`(未启用|未开启|已关闭|已禁用|关闭了|禁用了|disabled)`,
		`(\benabled\b|\bon\b|: ?true|=true|已启用)`,
		`(\bdisabled\b|\boff\b|: ?false|=false|已禁用)`),
	antonym("readiness",
		`(已就绪|(全部|全都|均|都|处于|保持)就绪|\b(is|are|was|were|became) (all )?ready\b|正常运行|运行正常|正在运行)`,
		`(未就绪|不就绪|没有就绪|未能就绪|起不来|没有?起来|未启动|启动失败|启动不了|无法启动|(拉取|拉)[^，。；]{0,8}失败|无法拉取|拉不到|\bnot ready\b|NotReady|fail(s|ed|ing)? to (pull|start)|(cannot|can't|could not|unable to) (pull|start)|ImagePullBackOff|ErrImagePull|\bPending\b|卡在|卡住|stuck|CreateContainer|CrashLoop|不可用|0/[1-9])`,
		`(\b(1/1|2/2|3/3|4/4|5/5)\b|\bReady\b["',: ]+True|\d[dhms] +Ready\b| Ready +(<none>|control|worker|master))`,
		`(\b0/[1-9]\d?\b|\b1/[2-9]\b|NotReady|\bReady\b["',: ]+(False|Unknown)|BackOff|ErrImage|Pending|ContainerCreating|unhealthy|not ready)`),
	antonym("role",
		`(成为|被?选为|升为|提升为|切换?为|当选|身份为|角色为|\bis|became|becomes|promoted to|elected( as)?)(了|新的|新|当前|为| the| a| new| current)* ?[^，。；,]{0,3}(\bPRIMARY\b|主库|主节点|\bmaster\b|\bleader\b)`,
		`(成为|降为|降级为|切换?为|身份为|角色为|\bis|became|becomes|demoted to)(了|新的|新|当前|为| the| a| new)* ?[^，。；,]{0,3}(\bSECONDARY\b|从库|从节点|备库|\bslave\b|\breplica\b|\bfollower\b)`,
		`(\bprimary\b|\bmaster\b|\bleader\b|主库|主节点)`,
		`(\bsecondary\b|\bslave\b|\breplica\b|\bfollower\b|\bstandby\b|从库|从节点)`),
	antonym("reach",
		`(在线|已上线|连通|可达|已连接|\bonline\b|is reachable|\bis up\b|link up)`,
		`(离线|已下线|掉线|不可达|不通|断开|\boffline\b|unreachable|\bis down\b|link down)`,
		`(\bonline\b|\breachable\b|\bup\b|\bconnected\b|在线)`,
		`(\boffline\b|unreachable|\bdown\b|disconnected|no route to host|离线)`),
	antonym("sync",
		`(已同步|同步正常|保持同步|\bin sync\b|\bsynced\b)`,
		`(未同步|不同步|没有同步|out of sync|OutOfSync|not synced)`,
		`(\bSynced\b|\bin[- ]sync\b|: ?insync)`,
		`(OutOfSync|out of sync|not synced|unsynced)`),
	antonym("condition",
		`(状态正常|健康状态为健康|集群健康|\bis healthy\b|are healthy)`,
		`(不健康|亚健康|状态异常|\bunhealthy\b|degraded)`,
		`((^|[^n])\bhealthy\b|HEALTH_OK|"?status"?\W+green)`,
		`(\bunhealthy\b|degraded|HEALTH_(WARN|ERR)|"?status"?\W+(red|yellow))`),
	antonym("saturation",
		`(已经?饱和|达到饱和|饱和了|\bsaturated\b)`,
		`(未饱和|没有饱和|不饱和|\bnot saturated\b)`,
		`(\bsaturated\b|\bsaturation\b|饱和)`,
		`(\bno saturation|not saturated|unsaturated|未饱和|没有饱和)`),
	antonym("access",
		`(\brw\b|读写方式|可读写|可写|\bread-write\b|\bwritable\b)`,
		`(\bro\b|只读|\bread-?only\b)`,
		`(\brw\b|read-write|writable|可写|读写)`,
		`(\bro[,)\s]|read-?only|只读)`),
	antonym("running",
		`(仍在运行|正在运行|运行正常|正常运行|正常工作|工作正常|is running|still running)`,
		`(已经?停止|停止了|也停止|已停|停掉|停摆|没有运行|未运行|不在运行|挂掉|已退出|\bstopped\b|not running)`,
		`(running["':=\s]+(yes|true|1\b)|\(running\)|is running|active:? active|运行中)`,
		`(running["':=\s]+(no|false|0\b)|inactive|\bdead\b|\bstopped\b|\bexited\b|已停止)`),
	antonym("removal",
		`(仍然?保留|保留着|还在|仍在册|仍然?存在|仍有效|\bis kept\b|still exists)`,
		`(已被?删除|被删除|已被?清理|被清理|已被?移除|被移除|已下架|\b(was|been) (deleted|removed)\b)`,
		`(\bkept\b|\bretained\b|保留)`,
		`(\bdeleted?\b|\bremoved?\b|\bpurged?\b|已删除|删除了|清理)`),
	antonym("interception",
		`(已拦截|拦截了|已经拦截|均被拦截|已阻断|阻断了|\b(was|were) blocked\b|动作[^，。；]{0,4}(为|是) ?block)`,
		`(未拦截|没有拦截|只?观察|仅观察|放行|\bnot blocked\b)`,
		`(\bblock(ed)?\b|\bden(y|ied)\b|\bdropp?(ed)?\b|拦截|阻断)`,
		`(\bobserved?\b|\ballow(ed)?\b|log-only|\bmonitor\b|放行|观察)`),
	antonym("cache",
		`(命中缓存|缓存命中|命中率高|\bcache hits?\b)`,
		`(未命中|没有命中|没命中|\bcache miss(es)?\b)`,
		`((^|[^未没])命中|\bhits?\b)`,
		`(未命中|没有命中|\bmiss(es|ed)?\b)`),
	antonym("trend",
		`(上升|升高|升至|升到|增加|增长|增至|增大|上涨|攀升|飙升|increase|rose|grew|climb)`,
		`(下降|降低|降至|降到|减少|减小|下跌|回落|decrease|fell|drop|declin|shr[aiu]nk)`,
		`(increas|\brose\b|\bgrew\b|climb|上升|增加)`,
		`(decreas|\bfell\b|dropp|declin|(stayed|remained|is|are|was|were) (flat|stable|steady|unchanged)|平稳|下降|减少)`),
}

// verbs tie the acts that claims speak of to the participles that tools report them with.
var verbs = []struct {
	zh, done, stem string
}{
	{"驱逐", "evicted", "evict"}, {"删除", "deleted|removed|destroyed", "delete|remove|destroy"}, {"创建", "created", "create"}, {"重启", "restarted", "restart"},
	{"绑定", "bound", "bind"}, {"调度", "scheduled|assigned", "schedule"}, {"拉取", "pulled", "pull"}, {"挂载", "mounted", "mount"}, {"卸载", "unmounted|detached", "unmount|detach"},
	{"回滚", "rolled back|reverted", "roll ?back|revert"}, {"选举", "elected", "elect"}, {"完成", "completed|finished", "complete|finish"}, {"恢复", "recovered|restored", "recover|restore"},
	{"更新", "updated|configured|patched", "update|patch"}, {"加载", "loaded|reloaded", "load|reload"}, {"启动", "started", "start"}, {"停止", "stopped", "stop"}, {"升级", "upgraded", "upgrade"},
	{"同步", "synced|synchronized", "sync"}, {"提交", "committed", "commit"}, {"连接", "connected|established", "connect"}, {"续期", "renewed", "renew"}, {"排空", "drained", "drain"}, {"终止", "terminated", "terminate"}, {"注册", "registered", "register"}, {"扩容", "scaled up|resized|expanded", "scale|expand|resize"},
}

// Acts are the antonyms of acts: done and not done.
var Acts = sync.OnceValue(func() []Antonym {
	var out []Antonym
	for _, v := range verbs {
		undone := `(cannot|can't|could not|couldn't|unable to|fail(?:s|ed|ing)? to|not|will not) (?:be )?(?:re)?(?:` + v.stem + `)\w*|pending-(?:` + v.stem + `)`
		out = append(out, antonym("act "+v.stem,
			`(?:(?:已经?|成功|正常|顺利)(?:地|被|自动)?(?:成功)?`+v.zh+`|`+v.zh+`(?:成功|完成)|(?:was|were|been|successfully) (?:successfully )?(?:`+v.done+`)\b)`,
			`(?:(?:未能|没能|没有|无法|不能|未)(?:够|再|被|成功|正常|顺利|完成)*`+v.zh+`|`+v.zh+`(?:失败|不了|未成功)|`+undone+`)`,
			`\b(`+v.done+`)\b`, undone))
	}
	return out
})

// partial is a count of some of many right before a word.
var partial = NewPattern(`(中有|其中|里有|当中|部分|其余|另有|only|of the)[^，。；,;]{0,24}$`)

// Asserted reports which sides of a pair a claim asserts, denials turned over.
func (a Antonym) Asserted(claim string) (pos, neg bool) {
	mark := func(re *Pattern, yes, no *bool) {
		for _, m := range re.FindAllStringIndex(claim, 16) {
			if partial.MatchString(claim[:m[0]]) {
				*yes, *no = true, true // 24 个中有 1 个不在线: the others are
				continue
			}
			if Negated(claim, m[0]) {
				*no = true
			} else {
				*yes = true
			}
		}
	}
	mark(a.Neg, &neg, &pos)
	rest := a.Neg.ReplaceAllStringFunc(claim, func(s string) string { return strings.Repeat(" ", len(s)) })
	claim = rest
	mark(a.Pos, &pos, &neg)
	return pos, neg
}

// boolWord reads a boolean as tools print it.
var boolWord = NewPattern(`^(?:["'=:|\s\]]*["']?(True|False|true|false|TRUE|FALSE)\b|["'\s]*[=:]\s*["']?(yes|no|on|off|enabled|disabled)\b)`)

// BoolAfter reads the boolean that is the value of a field ending at offset in line.
func BoolAfter(line string, offset int) (value, ok bool) {
	m := boolWord.FindStringSubmatch(line[offset:])
	if m == nil {
		return false, false
	}
	switch strings.ToLower(m[1] + m[2]) {
	case "true", "yes", "on", "enabled":
		return true, true
	}
	return false, true
}

var zeroBehind = NewPattern(`^\w*["']?\s*[=:(]?\s*["']?0(\D|$)`)

// Shown reports whether evidence text shows what pattern names: a match that is neither
// denied (no errors found) nor counted as zero (failed=0). It returns the first such match.
func Shown(pattern *Pattern, text string) (Span, bool) {
	for _, m := range pattern.FindAllStringIndex(text, 16) {
		if Negated(text, m[0]) || zeroBehind.MatchString(text[m[1]:]) {
			continue
		}
		return Span{m[0], m[1]}, true
	}
	return Span{}, false
}
