package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/grounding"
	"claimscope/engine/trace"
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
