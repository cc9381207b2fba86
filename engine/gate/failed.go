package gate

import (
	"bytes"
	"encoding/json"
	"strings"

	"claimscope/engine/grounding"
	"claimscope/engine/trace"
)

// failureKind says what kind of no-evidence an output is.
type failureKind uint8

const (
	noFailure failureKind = iota
	callFailed
	nothingFound
	notRecorded
)

// failure is why an output shows nothing: the tool's own error, or an empty result.
type failure struct {
	kind failureKind
	line grounding.Span // the line that says so; empty when the status alone says it
}

// errorStarts are beginnings of lines with which command line tools, HTTP clients and
// gateways report that a call failed.
var errorStarts = []*grounding.Pattern{
	grounding.NewPattern("(?i)^command [`'\"].*failed with (return|exit) code"),
	grounding.NewPattern(`(?i)^(error|fatal|fatal error|err)(:| from server| executing| running| calling| fetching)`),
	grounding.NewPattern(`(?i)^(error \d+ ?(\([0-9a-z]+\))?( at line \d+)?:|an error (has )?occurred|exception in thread|ora-\d{4,}|sqlstate\b|\[error\])`),
	grounding.NewPattern(`^(\(error\) ?)?(NOAUTH|WRONGPASS|WRONGTYPE|NOPERM|LOADING|CLUSTERDOWN|MASTERDOWN|MISCONF|EXECABORT|NOSCRIPT|ERR [a-z]+) `),
	grounding.NewPattern(`(?i)^error (response|while|when|getting|connecting|reading|parsing|occurred)`),
	grounding.NewPattern(`(?i)^(failed|unable|could ?n[o']t|cannot) (to )?(connect|fetch|get|retrieve|execute|reach|resolve|open|read|query|load|list|call|access|authenticate|dial|find host)`),
	grounding.NewPattern(`(?i)^the connection to the server .* was refused`),
	grounding.NewPattern(`(?i)^(curl|wget|ssh|kubectl|helm|psql|mysql|redis-cli|bash|sh|/bin/\S*|ls|cat|grep|tail|docker|crictl|journalctl|dig|nslookup|ping|telnet|mongo|aws|gcloud|az|awk|find|python3?|zsh): .*`),
	grounding.NewPattern(`(?i)^(permission denied|access denied|unauthorized|forbidden|connection refused|connection reset|connection timed out|request timed? ?out|timed? ?out|no route to host|network is unreachable|not found|404 not found|bad request|internal server error|service unavailable|bad gateway|gateway time-?out|too many requests|rate limit exceeded|context deadline exceeded)\b`),
	grounding.NewPattern(`(?i)^traceback \(most recent call last\)`),
	grounding.NewPattern(`(?i)^(dial tcp|get "?https?://|post "?https?://|rpc error|ssh: )`),
	grounding.NewPattern(`(?i)^E\d{4} \d\d:\d\d:\d\d\S* +\d+ .*(couldn't|unable|refused|unhandled error)`),
	grounding.NewPattern(`(?i)^(<!doctype html>|<html>).*`),
	grounding.NewPattern(`(?i)^HTTP/[\d.]+ [45]\d\d`),
	grounding.NewPattern(`(?i)^(5\d\d|4\d\d) [a-z]+`),
	grounding.NewPattern(`(?i)^(\w+\.)*\w*(Error|Exception): `),
	grounding.NewPattern(`(?i)^(time="?[^" ]+"? )?level="?(fatal|panic)\b`),
	grounding.NewPattern(`^(错误|失败|调用失败|查询失败|请求失败|连接失败|无法连接|权限不足|超时)`),
	grounding.NewPattern(`(?i)^(metrics api not available|no such (file|host|container|pod)|command not found)`),
}

// errorAnywhere are parts of a line that name a failure of the call itself.
var errorAnywhere = grounding.NewPattern(`(?i)(unauthorized|forbidden|authentication required|token (has )?expired|too many requests|rate limit|internal error|connection refused|was refused|i/o timeout|context deadline exceeded|no such host|error from server|could not resolve host|doesn't have a resource type|metrics api not available|permission denied|access denied|command not found|failed with return code|unexpected eof|certificate (has expired|signed by unknown)|authentication failed|not authorized|502 bad gateway|503 service|504 gateway|500 internal server|404 not found|403 forbidden|401 unauthorized)`)

// nothingStarts are how tools say that a query matched nothing.
var nothingStarts = grounding.NewPattern(`(?i)^(no (resources|events|results?|data|records?|rows|entries|matches|matching \w+|logs?|log lines|items|pods|changes|alerts) (were |was )?(found|returned|available)|no (resources|events|results|data|records|matches|logs|alerts)\b\.?$|could not find (any )?\w+$|nothing found|not found$|\(no (output|data|results)\)|\(empty\)|empty( result| set| dataframe)?$|0 (results|rows|records|hits|matches)|\[\]$|\{\}$|null$|none$|未找到|没有找到|没有数据|无数据|无结果|无记录|查无)`)

// failureOf tells whether a trace's output is an error message or an empty result
// rather than evidence. A log that contains errors is evidence.
func failureOf(t *trace.Trace) failure {
	switch t.Status {
	case trace.Error, trace.Timeout:
		return failure{kind: callFailed, line: firstLine(t.Output)}
	case trace.Empty:
		return failure{kind: nothingFound}
	case trace.NotRecorded:
		return failure{kind: notRecorded}
	case trace.OK:
	}
	if t.Unavailable {
		return failure{}
	}
	return failureText(t.Output)
}

// maxErrorBytes bounds an error message; longer outputs carry data next to it.
const maxErrorBytes = 3000

func failureText(out []byte) failure {
	lines := meaningful(out)
	if len(lines) == 0 {
		return failure{kind: nothingFound}
	}
	first := opening(out, lines)
	if errorStarts[0].MatchString(first) {
		return failure{kind: callFailed, line: pickError(out, lines)}
	}
	if len(lines) <= 2 && nothingStarts.MatchString(first) {
		return failure{kind: nothingFound, line: lines[0]}
	}
	if len(out) > maxErrorBytes || len(lines) > 14 {
		return failure{}
	}
	if jsonError(out) {
		return failure{kind: callFailed, line: lines[0]}
	}
	for _, re := range errorStarts[1:] {
		if !re.MatchString(first) {
			continue
		}
		if strings.HasPrefix(first, "<") && !htmlError(out) {
			return failure{}
		}
		// All of it must be the message: a table or log behind a warning is data.
		if dataBehind(out, lines) {
			return failure{}
		}
		return failure{kind: callFailed, line: pickError(out, lines)}
	}
	return failure{}
}

var (
	// preamble are lines that clients print before what they have to say.
	preamble = grounding.NewPattern(`(?i)^(warning\b|(mysql|psql|redis-cli): \[?warning|deprecat|note:|defaulted container|\$ |# )`)
	// banner are settings that a client prints first, no failure: Timeout: 60.0 seconds.
	banner = grounding.NewPattern(`(?i)^(timeout|timed? ?out)\S*\s*[:=]\s*\d`)
)

// opening is the first line that says something of the call.
func opening(out []byte, lines []grounding.Span) string {
	for i, l := range lines {
		text := string(out[l.Start:l.End])
		if banner.MatchString(text) && len(lines) > 1 {
			return ""
		}
		if i == len(lines)-1 || !preamble.MatchString(text) {
			return text
		}
	}
	return ""
}

// meaningful lists the lines that say something, stream headings left out.
func meaningful(out []byte) []grounding.Span {
	var spans []grounding.Span
	for i := 0; i < len(out); {
		j := bytes.IndexByte(out[i:], '\n')
		end := len(out)
		if j >= 0 {
			end = i + j
		}
		s := grounding.Span{Start: i, End: end}
		for s.Start < s.End && (out[s.Start] == ' ' || out[s.Start] == '\t') {
			s.Start++
		}
		for s.End > s.Start && (out[s.End-1] == ' ' || out[s.End-1] == '\r' || out[s.End-1] == '\t') {
			s.End--
		}
		switch text := string(out[s.Start:s.End]); {
		case text == "", text == "stdout:", text == "stderr:", text == "Output:", text == "```", strings.HasPrefix(text, "<shellId:"):
		default:
			spans = append(spans, s)
		}
		if j < 0 || len(spans) > 64 {
			break
		}
		i = end + 1
	}
	return spans
}

func firstLine(out []byte) grounding.Span {
	if l := meaningful(out); len(l) > 0 {
		return pickError(out, l)
	}
	return grounding.Span{}
}

// pickError chooses the line that names the failure.
func pickError(out []byte, lines []grounding.Span) grounding.Span {
	for i := len(lines) - 1; i >= 0; i-- {
		if errorAnywhere.Match(out[lines[i].Start:lines[i].End]) && !errorStarts[0].Match(out[lines[i].Start:lines[i].End]) {
			return lines[i]
		}
	}
	return lines[0]
}

var (
	datedLine = grounding.NewPattern(`^\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d`)
	htmlTitle = grounding.NewPattern(`(?i)<(title|h1|h2|center|div[^>]*|p[^>]*)>[^<]*\b(4\d\d|5\d\d|error|access denied|bad gateway|(service|temporarily) unavailable|not found|forbidden|unauthorized|sign in|log ?in)\b`)
)

func htmlError(out []byte) bool { return htmlTitle.Match(out) }

// dataBehind reports dated log lines or aligned rows below a first error line: then the
// output is a log, not the tool's own message.
func dataBehind(out []byte, lines []grounding.Span) bool {
	rows := 0
	for _, l := range lines {
		text := out[l.Start:l.End]
		if datedLine.Match(text) || bytes.Count(text, []byte("   ")) >= 2 || bytes.Count(text, []byte("\t")) >= 2 {
			rows++
		}
	}
	return rows >= 2 || rows == 1 && datedLine.Match(out[lines[0].Start:lines[0].End])
}

// jsonError reports an API reply that only says that it failed.
func jsonError(out []byte) bool {
	trimmed := bytes.TrimSpace(out)
	if len(trimmed) == 0 || trimmed[0] != '{' {
		return false
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(trimmed, &m) != nil {
		return false
	}
	var status string
	_ = json.Unmarshal(m["status"], &status)
	if l := strings.ToLower(status); l == "error" || l == "failure" || l == "failed" {
		_, hasData := m["data"]
		return !hasData || m["error"] != nil
	}
	if e, ok := m["error"]; ok && string(e) != "null" && string(e) != `""` && string(e) != "false" {
		return len(m) <= 4
	}
	if refusal(m) && !filledData(m) {
		return true
	}
	var num float64
	return json.Unmarshal(m["status"], &num) == nil && num >= 400 && num < 600 && len(m) <= 6
}

// refusal reports an API reply whose own fields say that it failed: an HTTP code, a list
// of errors, success: false, or nothing but a message.
func refusal(m map[string]json.RawMessage) bool {
	var code float64
	for _, k := range []string{"code", "statusCode", "status_code", "errcode"} {
		if json.Unmarshal(m[k], &code) == nil && code >= 400 && len(m) <= 6 {
			return true
		}
	}
	var errs []json.RawMessage
	if json.Unmarshal(m["errors"], &errs) == nil && len(errs) > 0 {
		return len(m) <= 4
	}
	for _, k := range []string{"success", "ok"} {
		if string(m[k]) == "false" {
			return len(m) <= 6
		}
	}
	var msg string
	return len(m) == 1 && json.Unmarshal(m["message"], &msg) == nil && errorAnywhere.MatchString(msg)
}

// filledData reports a reply that carries data beside its message.
func filledData(m map[string]json.RawMessage) bool {
	for _, k := range []string{"data", "result", "results", "items", "hits"} {
		if v := string(m[k]); len(v) > len("null") {
			return true
		}
	}
	return false
}

var (
	// speaksOfFailure are cues of a claim about the failed call itself.
	speaksOfFailure = grounding.NewPattern(`(?i)(失败|报错|出错|错误|无法|不能|未能|没能|没有?(能够?)?(成功)?(取到|取得|拿到|获取|读到|返回|得到|采集|查到|找到|拉到|抓到|连上|执行|应用|日志|数据)|未(能|取到|返回|获取|得到|拿到|采集|查到|找到|读到|成功)|返回(的是|了)? ?[^，。；]{0,24}[45]\d\d|过期|失效|鉴权|认证|打不开|没成功|不成功|没权限|被限流|取不到|拿不到|读不到|连不上|不可用|不可达|拒绝|拒绝连接|超时|不认识|不存在|找不到|不支持|没有权限|权限不足|无权|拦下|拦截|等待启动|尚未|未启动|没有启动|为空|空结果|中断|返回码|异常返回|fail|error|unable|cannot|can't|could not|couldn't|refused|timed? ?out|timeout|unavailable|not available|unreachable|denied|forbidden|not found|no such|unknown|doesn't|does not|did not|returned nothing|waiting to start)`)
	// saysNothing are cues of a claim that a query found nothing.
	saysNothing = grounding.NewPattern(`(?i)(没有|未|无|为空|不存在|找不到|查不到|0 ?(条|个|行|次)|\bno\b|\bnot\b|none|nothing|empty|without|zero|absent)`)
	// saysFine are conclusions that a failed call cannot carry.
	saysFine = grounding.NewPattern(`(?i)(正常|没有问题|没问题|健康|无异常|没有异常|未见异常|可以?排除|可排除|排除了|已存在|是存在的|已配置|已清理|已检查|没有[^，。；,;]{0,12}(报错|错误|异常|告警|限流)|无(报错|错误|告警)|healthy|no (errors?|issues?|problems?)|works? fine|rules? out|ruled out|normal(ly)?\b)`)
	// healthTerms only name a check or say the contrary of 健康 and 正常.
	healthTerms = grounding.NewPattern(`健康(检查|探测|探针|状态|度|值)|(不|未|非)(健康|正常)|无法(排除|确认)`)
	// denied turns a failure word into its absence: 没有…报错.
	denied = grounding.NewPattern(`(?i)(没有|无|未见|未出现|未发现|不存在|no|without)[^，。；,;]{0,12}(报错|错误|异常|失败|error|failure)`)
)

// carriedByFailure reports whether a claim may rest on a failed or empty call: it
// speaks of the failure, or of finding nothing, and concludes nothing else from it.
func carriedByFailure(claim string, kind failureKind) bool {
	claim = healthTerms.ReplaceAllString(claim, "")
	rest := denied.ReplaceAllString(claim, "")
	switch kind {
	case callFailed:
		return speaksOfFailure.MatchString(rest) && !saysFine.MatchString(claim)
	case nothingFound:
		return saysNothing.MatchString(claim) || speaksOfFailure.MatchString(claim)
	case notRecorded, noFailure:
	}
	return true
}

// failedCalls raises B007 when all that a claim binds is failed or empty calls and the
// claim is not about that.
func (w *claimWork) failedCalls() {
	var first *boundRef
	for i := range w.bound {
		b := &w.bound[i]
		if b.ev == nil {
			continue
		}
		if b.ev.failed.kind == noFailure || b.ev.Unavailable {
			return
		}
		if first == nil {
			first = b
		}
	}
	if first == nil {
		return
	}
	if first.ev.failed.kind == notRecorded {
		w.unverifiable()
		return
	}
	if carriedByFailure(w.claim.ClaimText, first.ev.failed.kind) {
		return
	}
	w.add(CodeFailedCall, first.ptr, failedMessage(first.ev), failurePlace(first.ev)...)
}

func failurePlace(e *evidence) []Place {
	if e.failed.line.End == e.failed.line.Start {
		return nil
	}
	return []Place{{TraceRef: e.Ref, Span: e.failed.line, Role: "failure"}}
}
