package grounding

import (
	"regexp"
	"strings"
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
var notNegators = []string{"不足", "不同", "不断", "不过", "不仅", "不但", "不少", "不久", "无论", "非常", "不可用", "不一致", "未知", "无状态", "不健康", "不稳定", "不到", "无响应", "不可达", "非终止"}

// Negated reports whether what stands at offset is denied in its clause: 未触发, 没有出现
// FailedCreate, no restart. Two denials cancel out.
func Negated(text string, offset int) bool {
	c := SegmentAt(text, offset)
	before := strings.ToLower(text[c.Start:offset])
	n := 0
	for i := 0; i < len(before); {
		step := 0
		for _, w := range notNegators {
			if strings.HasPrefix(before[i:], w) {
				step = len(w)
				break
			}
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

// Antonym is a pair of opposite statements with their words in both languages.
type Antonym struct {
	Name     string
	Pos, Neg *regexp.Regexp // in a claim
	// EvPos and EvNeg are the words of tool output.
	EvPos, EvNeg *regexp.Regexp
}

func antonym(name, pos, neg, evPos, evNeg string) Antonym {
	return Antonym{name, regexp.MustCompile("(?i)" + pos), regexp.MustCompile("(?i)" + neg), regexp.MustCompile("(?i)" + evPos), regexp.MustCompile("(?i)" + evNeg)}
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
		`(未恢复|没有恢复|仍在持续|未自愈|仍未|still failing|unresolved)`,
		`(recovered|resolved|back to normal|restored|healthy\b|恢复)`,
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
	antonym("trend",
		`(上升|升高|升至|升到|增加|增长|增至|增大|上涨|攀升|飙升|increase|rose|grew|climb)`,
		`(下降|降低|降至|降到|减少|减小|下跌|回落|decrease|fell|drop|declin|shr[aiu]nk)`,
		`(increas|\brose\b|\bgrew\b|climb|上升|增加)`,
		`(decreas|\bfell\b|dropp|declin|下降|减少)`),
}

// Asserted reports which sides of a pair a claim asserts, denials turned over.
func (a Antonym) Asserted(claim string) (pos, neg bool) {
	mark := func(re *regexp.Regexp, yes, no *bool) {
		for _, m := range re.FindAllStringIndex(claim, 16) {
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
var boolWord = regexp.MustCompile(`^(?:["'=:|\s\]]*["']?(True|False|true|false|TRUE|FALSE)\b|["'\s]*[=:]\s*["']?(yes|no|on|off|enabled|disabled)\b)`)

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

var zeroBehind = regexp.MustCompile(`^\w*["']?\s*[=:(]?\s*["']?0(\D|$)`)

// Shown reports whether evidence text shows what pattern names: a match that is neither
// denied (no errors found) nor counted as zero (failed=0). It returns the first such match.
func Shown(pattern *regexp.Regexp, text string) (Span, bool) {
	for _, m := range pattern.FindAllStringIndex(text, 16) {
		if Negated(text, m[0]) || zeroBehind.MatchString(text[m[1]:]) {
			continue
		}
		return Span{m[0], m[1]}, true
	}
	return Span{}, false
}
