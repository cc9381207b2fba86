package incident_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/tool/incident"
	"claimscope/engine/trace"
)

const good = `title: 购物车变慢
query: 为什么变慢
services: [cart]
window:
  start: "2026-03-02T10:00:00+08:00"
  end: "2026-03-02T11:00:00+08:00"
`

func TestLoad(t *testing.T) {
	inc, err := incident.Load("cart", fstest.MapFS{incident.FileName: {Data: []byte(good)}, "logs/cart.log": {Data: []byte("2026-03-02 10:30:00 INFO ok\n")}})
	require.NoError(t, err)
	assert.Equal(t, "购物车变慢", inc.Title)
	for _, tl := range inc.Tools() {
		res, err := tl.Call(context.Background(), json.RawMessage(map[string]string{
			"query_logs": `{"start":"2026-03-02 10:29:59"}`, "query_metrics": `{"promql":"up"}`, "lookup_knowledge": `{"query":"慢"}`,
		}[tl.Spec().Name]))
		require.NoError(t, err)
		want := trace.Empty // a folder without metrics or knowledge has none
		if tl.Spec().Name == "query_logs" {
			want = trace.OK
		}
		assert.Equal(t, want, res.Status, tl.Spec().Name)
	}
}

func TestLoadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"title: x\nquery: y\n": "window.start is missing",
		"titel: x\n":           `unknown field "titel"`,
		"title: [\n":           "incident.yaml: [",
		good + "  zone: UTC\n": `unknown field "zone"`,
		"title: a\nquery: b\nwindow: {start: tomorrow, end: never}\n": "is no time",
	} {
		_, err := incident.Load("x", fstest.MapFS{incident.FileName: {Data: []byte(text)}})
		require.ErrorIs(t, err, incident.ErrInvalid)
		assert.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := incident.Load("x", fstest.MapFS{})
	assert.ErrorIs(t, err, incident.ErrInvalid)
}
