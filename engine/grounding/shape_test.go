package grounding

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shapes are the ways in which tools print that alpha-1 has 41 and beta-2 has 57.
var shapes = map[string]string{
	"kubectl table":  "NAME      READY   RESTARTS     AGE\nalpha-1   1/1     41 (3m ago)  9d\nbeta-2    0/1     57           9d\n",
	"narrow columns": "Host Use Avail Mounted on\nalpha-1 41 100 /a\nbeta-2 57 100 /b\n",
	"data frame":     "        name  restarts\n0    alpha-1        41\n1     beta-2        57\n",
	"box table":      "+---------+----------+\n| name    | restarts |\n+---------+----------+\n| alpha-1 |       41 |\n| beta-2  |       57 |\n+---------+----------+\n",
	"psql":           "  name   | restarts\n---------+----------\n alpha-1 |       41\n beta-2  |       57\n(2 rows)\n",
	"csv":            "name,restarts\nalpha-1,41\nbeta-2,57\n",
	"tabs":           "name\trestarts\nalpha-1\t41\nbeta-2\t57\n",
	"json":           `{"items":[{"meta":{"name":"alpha-1"},"restarts":41},{"meta":{"name":"beta-2"},"restarts":57}]}`,
	"json lines":     "{\"pods\":[{\"name\":\"alpha-1\",\"restarts\":41}]}\n{\"pods\":[{\"name\":\"beta-2\",\"restarts\":57}]}\n",
	"python":         `[{'name': 'alpha-1', 'restarts': 41}, {'name': 'beta-2', 'restarts': 57}]`,
	"prometheus":     `{"data":{"result":[{"metric":{"pod":"alpha-1"},"value":[1772360128,"41"]},{"metric":{"pod":"beta-2"},"value":[1772360128,"57"]}]}}`,
	"key=value":      "level=warn pod=alpha-1 restarts=41\nlevel=warn pod=beta-2 restarts=57\n",
	"blocks":         "Containers:\n  alpha-1:\n    Image:  x\n    Restart Count:  41\n  beta-2:\n    Image:  y\n    Restart Count:  57\n",
}

func TestShapeTiesAValueToItsEntity(t *testing.T) {
	for name, text := range shapes {
		raw := []byte(text)
		f := NewFacts(NewText(raw))
		shape := f.Shape()
		at := strings.Index(text, "alpha-1")
		_, slot, ok := shape.SlotOf(Span{at, at + len("alpha-1")})
		require.True(t, ok, name)
		for number, owner := range map[string]string{"41": "alpha-1", "57": "beta-2"} {
			got, ok := shape.InSlot(strings.LastIndex(text, number), slot)
			require.True(t, ok, "%s: %s", name, number)
			assert.Equal(t, owner, string(raw[got.Start:got.End]), "%s: %s", name, number)
		}
	}
}

func TestShapeNamesFields(t *testing.T) {
	for name, field := range map[string]string{
		"kubectl table": "RESTARTS", "narrow columns": "Use", "data frame": "restarts", "box table": "restarts", "psql": "restarts", "csv": "restarts",
		"tabs": "restarts", "json": "restarts", "json lines": "restarts", "python": "restarts", "prometheus": "value", "key=value": "restarts", "blocks": "Restart Count",
	} {
		text := shapes[name]
		got := NewFacts(NewText([]byte(text))).Shape().FieldAt(strings.Index(text, "41"))
		assert.True(t, strings.HasSuffix("Restart Count", got) && got != "" || got == field, "%s: %q", name, got)
	}
}

func TestSeriesAreColumnsFieldsAndSamples(t *testing.T) {
	for name := range shapes {
		if name == "narrow columns" || name == "json lines" || name == "blocks" {
			continue
		}
		text := shapes[name]
		f := NewFacts(NewText([]byte(text)))
		var found bool
		for _, s := range f.Series(strings.Index(text, "41")) {
			if len(s) == 2 && s[0].Float == 41 && s[1].Float == 57 {
				found = true
			}
		}
		assert.True(t, found, name)
	}
	samples := `{"values":[[1772360128,"10"],[1772360188,"12"],[1772360248,"17"]]}`
	f := NewFacts(NewText([]byte(samples)))
	s := f.Series(strings.Index(samples, `12"`))
	require.NotEmpty(t, s)
	assert.Len(t, s[0], 3)
}

func TestUnitsComeFromFieldsAndFormats(t *testing.T) {
	for _, c := range []struct{ text, number, unit string }{
		{"name  request_latency_seconds\na     0.25\nb     0.5\n", "0.25", "s"},
		{"entity  metric                       value\na       avg_request_latency_seconds  0.00291\nb       avg_request_latency_seconds  0.5\n", "0.00291", "s"},
		{"NAME  CPU%  MEM\na     43    5\nb     12    6\n", "43", "%"},
		{"flush-interval-ms: 500    # was 10000\n", "10000", "ms"},
		{"poll.interval.ms (300000)", "300000", "ms"},
		{`{"spans":[{"spanID":"a1","duration":41206}]}`, "41206", "µs"},
		{"1) 1) (integer) 7\n   2) (integer) 1772360128\n   3) (integer) 41206\n", "41206", "µs"},
		{"| Id | Command | Time | State |\n| 5 | Query | 512 | Locked |\n", "512", "s"},
		{"used_memory_bytes:8589", "8589", "B"},
		{"restarts: 12", "12", ""},
	} {
		f := NewFacts(NewText([]byte(c.text)))
		var got string
		for _, n := range f.Numbers() {
			if c.text[n.Span.Start:n.Span.End] == c.number {
				got = f.Quantity(n).Units[0].Name
			}
		}
		assert.Equal(t, c.unit, got, c.text)
	}
}
