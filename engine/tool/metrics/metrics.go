// Package metrics is query_metrics over OpenMetrics files: PromQL, answered by the
// Prometheus engine from samples in memory, in the shape of Prometheus' HTTP API.
package metrics

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/prometheus/promql"

	"claimscope/engine/tool"
	"claimscope/engine/trace"
)

const (
	// maxPoints bounds the steps of a range query, as Prometheus does.
	maxPoints = 11000
	// defaultPoints is the number of steps when no step is asked for.
	defaultPoints = 60
	maxSamples    = 5_000_000
	lookback      = 5 * time.Minute // Prometheus' default
)

// parameters is the JSON Schema of the arguments. It is final.
const parameters = `{
  "type": "object",
  "properties": {
    "promql": {"type": "string", "description": "PromQL 表达式"},
    "start":  {"type": "string", "description": "区间查询的起始时间，RFC 3339 或 Unix 秒；省略则为瞬时查询"},
    "end":    {"type": "string", "description": "区间查询的结束时间；瞬时查询时为求值时刻。省略则为故障窗口末尾"},
    "step":   {"type": "string", "description": "步长，例如 15s、1m 或秒数；省略则把区间分为约 60 步"}
  },
  "required": ["promql"],
  "additionalProperties": false
}`

type args struct {
	PromQL string `json:"promql"`
	Start  string `json:"start"`
	End    string `json:"end"`
	Step   string `json:"step"`
}

// Tool is query_metrics.
type Tool struct {
	files  fs.FS
	window tool.Window
	zone   *time.Location
	engine *promql.Engine
	load   func() (*series, error)
}

// New makes the tool over a folder of OpenMetrics files, read at the first call.
// The window says when "now" is: its end, or the last sample.
func New(files fs.FS, window tool.Window, zone *time.Location) *Tool {
	return &Tool{
		files: files, window: window, zone: zone,
		engine: promql.NewEngine(promql.EngineOpts{
			MaxSamples: maxSamples, Timeout: 30 * time.Second, LookbackDelta: lookback,
			EnableAtModifier: true, EnableNegativeOffset: true,
		}),
		load: sync.OnceValues(func() (*series, error) { return loadSeries(files) }),
	}
}

// Spec describes query_metrics.
func (t *Tool) Spec() tool.Spec {
	return tool.Spec{
		Name:        "query_metrics",
		Description: "用 PromQL 查询指标。给出 start 时做区间查询，否则做瞬时查询。返回 Prometheus 接口格式的 JSON，每行一个序列。",
		Parameters:  json.RawMessage(parameters),
		Kind:        trace.Observation,
	}
}

// Call evaluates the expression. No series is a Result with Status Empty.
func (t *Tool) Call(ctx context.Context, raw json.RawMessage) (tool.Result, error) {
	var a args
	if err := tool.DecodeArgs(raw, &a); err != nil {
		return tool.Refuse(err)
	}
	data, err := t.load()
	if err != nil {
		return tool.Result{}, err
	}
	q, err := t.query(ctx, a, data)
	if err != nil {
		return tool.Refuse(err)
	}
	defer q.Close()
	res := q.Exec(ctx)
	if res.Err != nil {
		if ctx.Err() != nil {
			return tool.Result{}, ctx.Err()
		}
		return tool.Refuse(fmt.Errorf("%w: promql: %w", tool.ErrArgument, res.Err))
	}
	return render(res)
}

func (t *Tool) query(ctx context.Context, a args, data *series) (promql.Query, error) {
	w, err := tool.ParseWindow(a.Start, a.End, t.zone)
	if err != nil {
		return nil, err
	}
	if w.End.IsZero() {
		w.End = t.window.End
		if w.End.IsZero() {
			w.End = data.last
		}
	}
	var q promql.Query
	if w.Start.IsZero() {
		q, err = t.engine.NewInstantQuery(ctx, data, nil, a.PromQL, w.End)
	} else {
		var step time.Duration
		if step, err = stepOf(a.Step, w); err != nil {
			return nil, err
		}
		q, err = t.engine.NewRangeQuery(ctx, data, nil, a.PromQL, w.Start, w.End, step)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: promql: %w", tool.ErrArgument, err)
	}
	return q, nil
}

func stepOf(s string, w tool.Window) (time.Duration, error) {
	if w.End.Before(w.Start) {
		return 0, fmt.Errorf("%w: start lies behind the end of the data (%s)", tool.ErrArgument, w.End.Format(time.RFC3339))
	}
	span := w.End.Sub(w.Start)
	if s == "" {
		return max(span/defaultPoints, time.Second).Round(time.Second), nil
	}
	step, err := time.ParseDuration(s)
	if err != nil {
		seconds, ferr := strconv.ParseFloat(s, 64)
		if ferr != nil {
			return 0, fmt.Errorf("%w: step %q; write 15s, 1m or a number of seconds", tool.ErrArgument, s)
		}
		step = time.Duration(seconds * float64(time.Second))
	}
	if step <= 0 {
		return 0, fmt.Errorf("%w: step must be positive", tool.ErrArgument)
	}
	if span/step > maxPoints {
		return 0, fmt.Errorf("%w: more than %d steps; choose a larger step", tool.ErrArgument, maxPoints)
	}
	return step, nil
}

// errUnknownValue cannot happen with the engine that is compiled in.
var errUnknownValue = errors.New("metrics: unknown result type")

// render writes the shape of Prometheus' HTTP API, one series a line.
func render(res *promql.Result) (tool.Result, error) {
	var b bytes.Buffer
	rows := 0
	head := func(kind string) {
		fmt.Fprintf(&b, "{\"status\":\"success\",\"data\":{\"resultType\":%q,\"result\":[", kind)
	}
	sep := func() {
		if rows > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		rows++
	}
	switch v := res.Value.(type) {
	case promql.Vector:
		head("vector")
		for _, s := range v {
			sep()
			writeMetric(&b, s.Metric.Map(), "value")
			writePoint(&b, s.T, s.F)
			b.WriteByte('}')
		}
	case promql.Matrix:
		head("matrix")
		for _, s := range v {
			sep()
			writeMetric(&b, s.Metric.Map(), "values")
			b.WriteByte('[')
			for i, p := range s.Floats {
				if i > 0 {
					b.WriteByte(',')
				}
				writePoint(&b, p.T, p.F)
			}
			b.WriteString("]}")
		}
	case promql.Scalar:
		head("scalar")
		sep()
		writePoint(&b, v.T, v.V)
	case promql.String:
		head("string")
		sep()
		fmt.Fprintf(&b, "[%s,%q]", seconds(v.T), v.V)
	default:
		return tool.Result{}, errUnknownValue
	}
	b.WriteString("\n]}}\n")
	for _, w := range res.Warnings.AsErrors() {
		fmt.Fprintf(&b, "warning: %v\n", w)
	}
	status := trace.OK
	if rows == 0 {
		status = trace.Empty
	}
	return tool.Result{Output: b.Bytes(), Status: status}, nil
}

func writeMetric(b *bytes.Buffer, labels map[string]string, key string) {
	text, _ := json.Marshal(labels) // a map of strings always encodes; keys come out sorted
	fmt.Fprintf(b, "{\"metric\":%s,%q:", text, key)
}

func writePoint(b *bytes.Buffer, ms int64, v float64) {
	fmt.Fprintf(b, "[%s,%q]", seconds(ms), strconv.FormatFloat(v, 'f', -1, 64))
}

// seconds writes milliseconds since the epoch as seconds, without a trailing .000.
func seconds(ms int64) string {
	return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64)
}
