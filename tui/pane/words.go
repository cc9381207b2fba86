package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"claimscope/engine/contract"
	"claimscope/engine/event"
	"claimscope/engine/gate"
	"claimscope/engine/grounding"
	"claimscope/engine/state"
	"claimscope/engine/trace"
	"claimscope/engine/verdict"
	"claimscope/tui/text"
)

// Duration writes a duration in at most five cells or so: "2ms", "0.8s", "12.3s", "3m05s".
func Duration(d time.Duration) string {
	switch {
	case d < 100*time.Millisecond:
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	case d < 100*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < 100*time.Minute:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

// IDs writes invocation ids: "#101 #102".
func IDs(ids []int64) string {
	var b strings.Builder
	for i, id := range ids {
		if i == 3 && len(ids) > 4 {
			fmt.Fprintf(&b, " …+%d", len(ids)-i)
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "#%d", id)
	}
	return b.String()
}

// StageName names a stage, safe for a terminal.
func StageName(s event.Stage) string { return text.SanitiseLine(s.Title()) }

var tierWords = map[grounding.Tier]text.Label{
	grounding.Exact:       {ZH: "原文", EN: "exact"},
	grounding.Folded:      {ZH: "同文异形", EN: "folded"},
	grounding.Fragments:   {ZH: "节选", EN: "fragments"},
	grounding.Near:        {ZH: "近似", EN: "near"},
	grounding.Paraphrase:  {ZH: "转述", EN: "paraphrase"},
	grounding.Absent:      {ZH: "不存在", EN: "ABSENT"},
	grounding.CannotCheck: {ZH: "无法核对", EN: "cannot check"},
}

// TierWord names a tier.
func TierWord(t grounding.Tier) text.Label { return tierWords[t] }

var statusWords = map[trace.Status]text.Label{
	trace.OK:          {ZH: "成功", EN: "ok"},
	trace.Error:       {ZH: "出错", EN: "error"},
	trace.Empty:       {ZH: "空", EN: "empty"},
	trace.Timeout:     {ZH: "超时", EN: "timeout"},
	trace.NotRecorded: {ZH: "无录制", EN: "not recorded"},
}

// TraceStatus names the outcome of a tool call.
func TraceStatus(s trace.Status) text.Label { return statusWords[s] }

var parseWords = map[contract.ParseStatus]text.Label{
	contract.StatusOK:        {ZH: "正常", EN: "ok"},
	contract.StatusRepaired:  {ZH: "经修复", EN: "repaired"},
	contract.StatusTruncated: {ZH: "被截断", EN: "truncated"},
	contract.StatusAmbiguous: {ZH: "有歧义", EN: "ambiguous"},
	contract.StatusInvalid:   {ZH: "无法解析", EN: "invalid"},
	contract.StatusEmpty:     {ZH: "空", EN: "empty"},
}

// ParseWord names a parse status.
func ParseWord(s contract.ParseStatus) text.Label { return parseWords[s] }

var gateWords = map[gate.Decision]text.Label{
	gate.Clean:     {ZH: "无阻断", EN: "clean"},
	gate.Blocked:   {ZH: "阻断", EN: "blocked"},
	gate.Unchecked: {ZH: "未能核对", EN: "unchecked"},
}

var styleWords = map[event.AnswerStyle]text.Label{
	event.StyleUserFacing: {ZH: "契约自带", EN: "the contract's own"},
	event.StyleRendered:   {ZH: "由结构生成", EN: "rendered"},
	event.StyleComposed:   {ZH: "模型撰写", EN: "composed"},
	event.StyleDegraded:   {ZH: "降级", EN: "degraded"},
	event.StyleFixed:      {ZH: "固定文案", EN: "fixed notice"},
}

// AnswerStyle names how an answer came to be.
func AnswerStyle(s event.AnswerStyle) text.Label { return styleWords[s] }

// Outcome names what came out of a stage, as view.Stage has it. Decisions keep their
// names in both languages.
func Outcome(stage event.Stage, word string) text.Label {
	switch stage {
	case event.Parse:
		return orWord(parseWords[contract.ParseStatus(word)], word)
	case event.Gatekeeper:
		return orWord(gateWords[gate.Decision(strings.ToUpper(word))], word)
	case event.Answer:
		return orWord(styleWords[event.AnswerStyle(word)], word)
	case event.Planner, event.Executor, event.Verifier, event.Route:
	}
	return text.Label{ZH: word, EN: word}
}

func orWord(l text.Label, word string) text.Label {
	if l.ZH == "" {
		return text.Label{ZH: word, EN: word}
	}
	return l
}

// ShortVersion is v1 of executor_evidence_v1.
func ShortVersion(v contract.Version) string {
	s := string(v)
	return s[strings.LastIndexByte(s, '_')+1:]
}

// Causes names as many causes as fit in so many cells, one at least, and the number of
// the others: "missing_ref +2".
func Causes(all []verdict.Cause, room int) string {
	out := ""
	for i, c := range all {
		next := strings.TrimPrefix(out+" "+string(c), " ")
		more := ""
		if left := len(all) - i - 1; left > 0 {
			more = fmt.Sprintf(" +%d", left)
		}
		if i > 0 && text.Width(next+more) > room {
			return fmt.Sprintf("%s +%d", out, len(all)-i)
		}
		out = next
	}
	return out
}

var reviewWords = map[event.ReviewAction]text.Label{
	event.ReviewAccept:     {ZH: "%s 已接受", EN: "accepted by %s"},
	event.ReviewOverride:   {ZH: "%s 已推翻", EN: "overridden by %s"},
	event.ReviewClaimRight: {ZH: "%s 标注为正确", EN: "marked right by %s"},
	event.ReviewClaimWrong: {ZH: "%s 标注为错误", EN: "marked wrong by %s"},
}

// ReviewWord says what a person did, with a place for the name.
func ReviewWord(a event.ReviewAction) text.Label { return orWord(reviewWords[a], "%s") }

var sessionWords = map[state.Status]text.Label{
	state.Running:   {ZH: "运行中", EN: "running"},
	state.Paused:    {ZH: "已暂停", EN: "paused"},
	state.Finished:  {ZH: "已结束", EN: "finished"},
	state.Failed:    {ZH: "失败", EN: "failed"},
	state.Cancelled: {ZH: "已取消", EN: "cancelled"},
	state.Torn:      {ZH: "已中断", EN: "interrupted"},
}

// StatusWord names where a session stands.
func StatusWord(s state.Status) text.Label { return orWord(sessionWords[s], string(s)) }
