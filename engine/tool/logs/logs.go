// Package logs is query_logs over a folder of log files: plain text or JSON Lines,
// returned verbatim so that excerpts can be checked byte for byte.
package logs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"time"

	"claimscope/engine/tool"
	"claimscope/engine/trace"
)

const (
	defaultLimit = 100
	maxLimit     = 1000
	// maxLine bounds one log line, in bytes; the rest of a longer one is skipped.
	maxLine = 1 << 20
)

// parameters is the JSON Schema of the arguments. It is final.
const parameters = `{
  "type": "object",
  "properties": {
    "service":  {"type": "string", "description": "服务名：日志文件名（不含扩展名）或日志行里的 service 字段"},
    "contains": {"type": "string", "description": "行内必须包含的文本（不区分大小写）"},
    "regex":    {"type": "string", "description": "RE2 正则表达式"},
    "level":    {"type": "string", "description": "最低级别：debug, info, warn, error, fatal"},
    "start":    {"type": "string", "description": "起始时间，RFC 3339 或 Unix 秒"},
    "end":      {"type": "string", "description": "结束时间，RFC 3339 或 Unix 秒"},
    "limit":    {"type": "integer", "minimum": 1, "maximum": 1000, "description": "最多返回的行数，默认 100"}
  },
  "additionalProperties": false
}`

type args struct {
	Service  string `json:"service"`
	Contains string `json:"contains"`
	Regex    string `json:"regex"`
	Level    string `json:"level"`
	Start    string `json:"start"`
	End      string `json:"end"`
	Limit    int    `json:"limit"`
}

// Tool is query_logs.
type Tool struct {
	files fs.FS
	zone  *time.Location
}

// New makes the tool over a folder of log files. Times without a zone, in files
// and in arguments, are read in the given zone.
func New(files fs.FS, zone *time.Location) *Tool { return &Tool{files: files, zone: zone} }

// Spec describes query_logs.
func (t *Tool) Spec() tool.Spec {
	return tool.Spec{
		Name:        "query_logs",
		Description: "查询日志。返回按文件分组、原样的日志行，开头注明命中行数与检索范围。多个条件同时生效。",
		Parameters:  json.RawMessage(parameters),
		Kind:        trace.Observation,
	}
}

// query is args, understood.
type query struct {
	service  string
	contains string // folded to lower case
	regex    *regexp.Regexp
	level    int // 0 for any
	window   tool.Window
	limit    int
}

func (t *Tool) query(raw json.RawMessage) (query, error) {
	var a args
	if err := tool.DecodeArgs(raw, &a); err != nil {
		return query{}, err
	}
	q := query{service: strings.ToLower(a.Service), contains: strings.ToLower(a.Contains), limit: a.Limit}
	var err error
	if q.window, err = tool.ParseWindow(a.Start, a.End, t.zone); err != nil {
		return q, err
	}
	if a.Regex != "" {
		if q.regex, err = regexp.Compile(a.Regex); err != nil {
			return q, fmt.Errorf("%w: regex: %w", tool.ErrArgument, err)
		}
	}
	if a.Level != "" {
		if q.level = levelRank(a.Level); q.level == 0 {
			return q, fmt.Errorf("%w: level %q; known: debug, info, warn, error, fatal", tool.ErrArgument, a.Level)
		}
	}
	switch {
	case q.limit == 0:
		q.limit = defaultLimit
	case q.limit < 0 || q.limit > maxLimit:
		return q, fmt.Errorf("%w: limit %d; from 1 to %d", tool.ErrArgument, q.limit, maxLimit)
	}
	return q, nil
}

// Call searches the files in name order and returns the matching lines verbatim.
// No match is a Result with Status Empty that says how much was searched.
func (t *Tool) Call(ctx context.Context, raw json.RawMessage) (tool.Result, error) {
	q, err := t.query(raw)
	if err != nil {
		return tool.Refuse(err)
	}
	names, err := tool.Files(t.files)
	if err != nil {
		return tool.Result{}, fmt.Errorf("logs: %w", err)
	}
	var found hits
	for _, name := range names {
		if err := t.scan(ctx, name, q, &found); err != nil {
			return tool.Result{}, err
		}
	}
	if found.files == 0 && q.service != "" {
		return tool.Refuse(fmt.Errorf("%w: no service %q; known: %s", tool.ErrArgument, q.service, strings.Join(services(names), ", ")))
	}
	return found.result(), nil
}

func serviceOf(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

func services(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = serviceOf(n)
	}
	return out
}

// hits gathers matching lines.
type hits struct {
	body     bytes.Buffer
	files    int // files that belong to the service asked for
	searched int // lines
	matched  int
	shown    int
}

func (h *hits) result() tool.Result {
	if h.matched == 0 {
		return tool.Result{
			Output: fmt.Appendf(nil, "matched 0 of %d lines in %d files\n", h.searched, h.files),
			Status: trace.Empty,
		}
	}
	head := fmt.Sprintf("matched %d of %d lines in %d files", h.matched, h.searched, h.files)
	if h.shown < h.matched {
		head += fmt.Sprintf("; showing the first %d, narrow the query or raise limit", h.shown)
	}
	return tool.Result{Output: append([]byte(head+"\n"), h.body.Bytes()...), Status: trace.OK}
}

// scan searches one file.
func (t *Tool) scan(ctx context.Context, name string, q query, h *hits) error {
	f, err := t.files.Open(name)
	if err != nil {
		return fmt.Errorf("logs: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	byName := q.service == "" || strings.Contains(strings.ToLower(serviceOf(name)), q.service)
	r := bufio.NewReaderSize(f, 64<<10)
	var last meta
	counted, headed := false, false
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line, err := readLine(r)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("logs: %s: %w", name, err)
		}
		last = readMeta(line, last, t.zone)
		if !byName && !strings.Contains(strings.ToLower(last.service), q.service) {
			continue
		}
		if !counted {
			h.files, counted = h.files+1, true
		}
		h.searched++
		if !q.matches(line, last) {
			continue
		}
		h.matched++
		if h.shown >= q.limit {
			continue
		}
		if !headed {
			fmt.Fprintf(&h.body, "==> %s <==\n", name)
			headed = true
		}
		h.shown++
		h.body.Write(line)
		h.body.WriteByte('\n')
	}
}

func (q query) matches(line []byte, m meta) bool {
	if q.level > 0 && m.level < q.level {
		return false
	}
	if !m.time.IsZero() && !q.window.Contains(m.time) {
		return false
	}
	if q.contains != "" && !strings.Contains(strings.ToLower(string(line)), q.contains) {
		return false
	}
	return q.regex == nil || q.regex.Match(line)
}

// readLine reads one line without its ending. Of a line longer than maxLine the
// head is returned and the rest skipped.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if room := maxLine - len(line); room > 0 {
			line = append(line, part[:min(room, len(part))]...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
