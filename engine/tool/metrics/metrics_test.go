package metrics_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/tool"
	"claimscope/engine/tool/metrics"
	"claimscope/engine/trace"
)

const text = `# TYPE db_in_use gauge
# HELP db_in_use connections
db_in_use{pod="a"} 1 1700000000
db_in_use{pod="a"} 8 1700000060.5
db_in_use{pod="b"} 2 1700000000
# TYPE http_requests counter
http_requests_total{code="200"} 10 1700000000
http_requests_total{code="200"} 70 1700000060
# EOF
`

func call(t *testing.T, file, args string) (string, trace.Status, error) {
	t.Helper()
	window := tool.Window{Start: time.Unix(1700000000, 0), End: time.Unix(1700000060, 500e6)}
	res, err := metrics.New(fstest.MapFS{"m.om": {Data: []byte(file)}}, window, time.UTC).Call(context.Background(), json.RawMessage(args))
	return string(res.Output), res.Status, err
}

func TestQueries(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"instant at the window's end", `{"promql":"db_in_use"}`,
			`{"status":"success","data":{"resultType":"vector","result":[
{"metric":{"__name__":"db_in_use","pod":"a"},"value":[1700000060.5,"8"]},
{"metric":{"__name__":"db_in_use","pod":"b"},"value":[1700000060.5,"2"]}
]}}
`},
		{"selector and range", `{"promql":"db_in_use{pod=~\"a|z\"}","start":"1700000000","end":"1700000060","step":"30"}`,
			`{"status":"success","data":{"resultType":"matrix","result":[
{"metric":{"__name__":"db_in_use","pod":"a"},"values":[[1700000000,"1"],[1700000030,"1"],[1700000060,"1"]]}
]}}
`},
		{"functions", `{"promql":"idelta(http_requests_total[5m])","end":"1700000060"}`,
			`{"status":"success","data":{"resultType":"vector","result":[
{"metric":{"code":"200"},"value":[1700000060,"60"]}
]}}
`},
		{"aggregation", `{"promql":"sum(db_in_use)"}`,
			`{"status":"success","data":{"resultType":"vector","result":[
{"metric":{},"value":[1700000060.5,"10"]}
]}}
`},
		{"scalar", `{"promql":"1+1"}`,
			`{"status":"success","data":{"resultType":"scalar","result":[
[1700000060.5,"2"]
]}}
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, _, err := call(t, text, tt.args)
			require.NoError(t, err)
			assert.Equal(t, tt.want, out)
			assert.True(t, json.Valid([]byte(out)))
		})
	}
}

func TestNothingFound(t *testing.T) {
	_, status, err := call(t, text, `{"promql":"nope"}`)
	require.NoError(t, err)
	assert.Equal(t, trace.Empty, status)
}

func TestBadArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"promql":"sum("}`: "promql",
		`{"promql":"db_in_use","start":"1700000000","step":"1ms"}`:       "choose a larger step",
		`{"promql":"db_in_use","start":"1700000000","step":"soon"}`:      "write 15s",
		`{"promql":"db_in_use","start":"1700009999"}`:                    "behind the end",
		`{"promql":"db_in_use","start":"1700000000","step":"-5s"}`:       "positive",
		`{"promql":"db_in_use","when":"1700000000"}`:                     "unknown field",
		`{"promql":"rate(db_in_use)"}`:                                   "range vector",
		`{"promql":"db_in_use","start":"2023-11-14","end":"2023-11-01"}`: "end lies before start",
	} {
		out, status, err := call(t, text, args)
		require.NoError(t, err)
		assert.Equal(t, trace.Error, status, args)
		assert.Contains(t, out, want)
	}
}

func TestBadFiles(t *testing.T) {
	_, _, err := call(t, "db_in_use 1\n# EOF\n", `{"promql":"x"}`)
	assert.ErrorContains(t, err, "m.om: a sample has no timestamp")
	_, _, err = call(t, "{{{\n", `{"promql":"x"}`)
	assert.ErrorContains(t, err, "m.om: no OpenMetrics text")
}
