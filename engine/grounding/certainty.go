package grounding

import (
	"strings"
)

// Certainty says how sure a piece of prose is of what it says (spec G5).
type Certainty uint8

// The certainties.
const (
	Stated    Certainty = iota // said plainly
	Confirmed                  // said to be confirmed: 已确认, 根因是, 证实
	Hedged                     // a guess, or said to be unknown: 可能, 疑似, 尚未确认
	Advised                    // advice or a condition: 建议, 如果
)

// Cue is a word that decides the certainty of its clause.
type Cue struct {
	Span      Span
	Certainty Certainty
}

// The cues. Each pattern lists its exceptions where the word alone would mislead:
// 不可能 states, 可能性为零 states, 尽可能 is no guess, 可能的原因 names a guess.
// A pattern that comes first claims the bytes it matches.
var cuePatterns = []struct {
	certainty Certainty
	pattern   *Pattern
}{
	// What only looks like a cue.
	{Stated, NewPattern(`不可能|可能性(?:为零|为 ?0|很小|被排除)|尽可能|不建议|未能?建议|确定性|不确定性|应用|应答|响应|应对|反应|适应|对应|相应|供应|请求|申请|应急|应当时|需求|如果说`)},
	// Not known yet. 未发现, 没有确认到 … state an absence and are no hedge.
	{Hedged, NewPattern(`(?:尚|还|仍|暂|目前|现在|当前)?(?:未|没有|没|无法|不能|难以|未能|不足以)(?:最终|完全|进一步|被|得到|能够?|办法|直接|独立)?(?:确认|确定|证实|断定|判断|定论|下结论|定性|证明|查明|核实|验证|判定|说明原因|区分)|尚无(?:定论|结论|证据|法)|有待|仍待|尚待|待(?:进一步)?(?:确认|查|核实|验证|证实|排查|补充|观察|定位|分析|定)|需要?(?:进一步|再|业务侧?|另行|人工)?(?:执行计划|数据|证据|日志|指标)?(?:来)?(?:确认|证实|验证|核实|佐证|排查|核对|查证)|需要?(?:向|跟|与|和|找|请|由|让|等)[^，。；,]{1,12}(?:确认|核实|核对|证实|查证|了解)|(?:不|尚不|还不|并不)(?:清楚|明确|明朗|确定|能确定|能确认)|不明(?:确|朗)?|未知|没有定论|存疑|是否|能否|会不会|是不是|有没有可能|是[^，。；]{1,24}还是`)},
	{Hedged, NewPattern(`有?可能(?:性)?|疑似|或许|也许|兴许|恐怕|推测|猜测|猜想|推断|推想|怀疑|疑为|疑是|大概率?|估计是|估计|似乎|好像|看起来|看上去|看似|貌似|像是|应该是|应是|不排除|不能排除|无法排除|未排除|倾向于|初步判断|初步认为|假设|假说|设想|潜在|嫌疑|说不定|未必|或因|或为|或是由|倾向|有嫌疑|理论上`)},
	{Hedged, NewPattern(`(?i)\b(?:maybe|perhaps|possibly|probably|presumably|apparently|likely|unlikely|might|could(?: be| have)?|may(?: be| have)?|suspect(?:ed|s)?|seems?|appears?|suggests?|hypothes[ie]s|hypothesi[sz]ed|unconfirmed|unknown|unclear|unverified|not (?:yet )?(?:been )?(?:confirmed|verified|known|proven|clear)|to be (?:confirmed|verified)|potential(?:ly)?|whether|cannot (?:confirm|rule out|determine)|remains to be)\b`)},
	// Advice and conditions.
	{Advised, NewPattern(`建议|推荐|应当|应尽快|应立即|应先|应该|应(?:检查|核对|确认|补|增|调|将|把|考虑|优先|避免|扩)|请(?:先|检查|核对|确认|补充|联系|及时|尽快)|可以(?:先|考虑|尝试|通过|临时|适当)|可考虑|考虑(?:将|把|对|增|调|先|改|引|临时|扩|回滚|升级)|需要?(?:补充|尽快|先|立即|检查|查看|增加|调整|扩容|补查)|下一步|后续(?:可|建议|应|需)|必要时|不妨|最好|优先(?:处理|检查|排查|恢复)|尽快|务必`)},
	{Advised, NewPattern(`如果|假如|倘若|若(?:是|要|仍|需|有|无|不|能|确|该|后|再|此|想)|一旦|除非|万一|要是`)},
	{Advised, NewPattern(`(?i)\b(?:recommend(?:ed|s|ation)?|should|please|consider|suggested? (?:to|that)|advise[ds]?|next steps?|need(?:s)? to (?:be )?(?:check|confirm|verif)|if|unless|in case|would)\b`)},
	// Said to be confirmed.
	{Confirmed, NewPattern(`(?:已经?|现已|均已|经|可以|能够?|可|现在可以|目前可以)?(?:得到)?(?:确认|证实|查明|核实|断定|坐实|确定|确诊|判定)(?:了|为|是|无误)?|根因(?:就?是|为|在于|定位为|系)|根本原因(?:就?是|为|在于|系)|原因(?:就是|已明|在于)|毫无疑问|无疑|显然|必然|一定是|就是因为|正是(?:因为|由于|由)?|归因于`)},
	{Confirmed, NewPattern(`(?i)\b(?:confirmed|verified|proven|definitely|certainly|undoubtedly|the root cause (?:is|was)|established that)\b`)},
}

// Cues lists the cues of a text in order, without those that only look like one.
func Cues(text string) []Cue {
	taken := make([]bool, len(text))
	var out []Cue
	for _, p := range cuePatterns {
		for _, m := range p.pattern.FindAllStringIndex(text, -1) {
			if overlaps(taken, m[0], m[1]) {
				continue
			}
			for i := m[0]; i < m[1]; i++ {
				taken[i] = true
			}
			if p.certainty != Stated {
				out = append(out, Cue{Span{m[0], m[1]}, p.certainty})
			}
		}
	}
	sortCues(out)
	return out
}

func overlaps(taken []bool, from, to int) bool {
	for i := from; i < to; i++ {
		if taken[i] {
			return true
		}
	}
	return false
}

func sortCues(cues []Cue) {
	for i := 1; i < len(cues); i++ {
		for j := i; j > 0 && cues[j].Span.Start < cues[j-1].Span.Start; j-- {
			cues[j], cues[j-1] = cues[j-1], cues[j]
		}
	}
}

// CertaintyOf is the certainty of one clause: a hedge wins over advice, advice over
// a confirmation, since the weaker word bounds what is said.
func CertaintyOf(clause string) Certainty {
	found := Stated
	for _, c := range Cues(clause) {
		switch {
		case c.Certainty == Hedged:
			return Hedged
		case c.Certainty == Advised, found == Stated:
			found = c.Certainty
		}
	}
	return found
}

// headings open a part of an answer whose lines share its certainty: 可能原因：….
var headings = []struct {
	certainty Certainty
	words     []string
}{
	{Hedged, []string{"假设", "可能原因", "可能的原因", "推测", "待确认", "待核实", "待验证", "未确认", "尚未确认", "尚不明确", "缺失信息", "缺少信息", "缺少的信息", "信息缺口", "未知", "不确定", "疑点", "hypothes", "possible cause", "missing", "unknown", "unconfirmed", "open question", "to be confirmed"}},
	{Advised, []string{"建议", "处置", "行动", "下一步", "后续", "措施", "处理步骤", "recommend", "action", "next step", "mitigation", "suggestion"}},
	{Stated, []string{"结论", "现象", "原因", "影响", "根因", "症状", "事实", "已核实", "已确认", "证据", "时间线", "经过", "排除", "conclusion", "finding", "symptom", "root cause", "impact", "timeline", "confirmed", "fact"}},
}

// HeadingCertainty reads a line or a label before a colon as a heading, and gives
// the certainty of what stands under it. ok is false when it is none.
func HeadingCertainty(label string) (c Certainty, ok bool) {
	const maxBytes = 48 // sixteen Chinese characters; a longer text is a sentence
	label = strings.ToLower(strings.Trim(strings.TrimSpace(label), "#*：:【】[]（）()一二三四五六七八九十、0123456789. "))
	if label == "" || len(label) > maxBytes {
		return Stated, false
	}
	for _, h := range headings {
		for _, w := range h.words {
			if strings.Contains(label, w) {
				return h.certainty, true
			}
		}
	}
	return Stated, false
}
