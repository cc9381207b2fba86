package grounding

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTimePointsReadsTheFormsOfLogsAndProse(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-01T10:15:28Z":            "2026-03-01T10:15:28Z zoned",
		"2026-03-01T10:15:28.5+08:00":     "2026-03-01T02:15:28.5Z zoned",
		"2026-03-01 10:15:28,411":         "2026-03-01T10:15:28.411Z",
		"2026/03/01 10:15:28":             "2026-03-01T10:15:28Z",
		"Sun, 01 Mar 2026 10:15:28 +0100": "2026-03-01T09:15:28Z zoned",
		"[01/Mar/2026:10:15:28 +0000]":    "2026-03-01T10:15:28Z zoned",
		"[Sun Mar  1 10:15:28 2026]":      "2026-03-01T10:15:28Z",
		"Sun Mar 1 10:15:28 2026 +0800":   "2026-03-01T02:15:28Z zoned",
		"Mar  1 10:15:28 host kernel:":    "0000-03-01T10:15:28Z",
		"E0301 10:15:28.226967":           "0000-03-01T10:15:28.226967Z",
		"18:49:31":                        "0000-01-01T18:49:31Z",
		"1772360128":                      "2026-03-01T10:15:28Z zoned",
		"1772360128500":                   "2026-03-01T10:15:28.5Z zoned",
		"1772360128500000":                "2026-03-01T10:15:28.5Z zoned",
		"2026年3月1日 10:15":                 "2026-03-01T10:15:00Z",
		"3 月 1 日 10 时 15 分 28 秒":          "0000-03-01T10:15:28Z",
		"3月1日下午2点30分":                     "0000-03-01T14:30:00Z",
		"3 月 1 日零点":                       "0000-03-01T00:00:00Z",
		"北京时间 2026-03-01 18:15:28":        "2026-03-01T10:15:28Z zoned",
		"2026-03-01 18:15:28（UTC+8）":      "2026-03-01T10:15:28Z zoned",
		"2026-03-01 10:15:28 UTC":         "2026-03-01T10:15:28Z zoned",
		"2026-03-01 12:15:28（+0200，当地）":   "2026-03-01T10:15:28Z zoned",
		"１０：１５：２８":                        "0000-01-01T10:15:28Z",
	} {
		got := TimePoints(text)
		require.Len(t, got, 1, text)
		at, ok := got[0].Instant()
		require.True(t, ok, text)
		s := at.Format(time.RFC3339Nano)
		if got[0].Zoned {
			s += " zoned"
		}
		assert.Equal(t, want, s, text)
	}
}

func TestTimePointsLeavesOtherNumbersAlone(t *testing.T) {
	for _, text := range []string{"10.0.0.1:9092", "16686:31836/TCP", "x:25:61", "version 2026.03.01", "9234567890123456", "99:99", "a1772360128", "12:5"} {
		assert.Empty(t, TimePoints(text), text)
	}
}

func TestZonesBindToTheirOwnTime(t *testing.T) {
	for text, want := range map[string][]string{
		"始于北京时间 18:15:28（UTC 10:15:28）": {"10:15:28", "10:15:28"},
		"12:15:28（+0200，北京时间 18:15:28）": {"10:15:28", "10:15:28"},
		"从北京时间 18:15:28 到 18:20:00":     {"10:15:28", "10:20:00"},
		"从 18:15:28 到 18:20:00（UTC+8）":  {"10:15:28", "10:20:00"},
		"北京时间依次为 18:15:28、18:20:00":     {"10:15:28", "10:20:00"},
		"10:15:28 UTC，即北京时间 18:15:28":   {"10:15:28", "10:15:28"},
	} {
		var got []string
		for _, p := range TimePoints(text) {
			require.True(t, p.Zoned, "%s: %s", text, p.Text)
			at, _ := p.Instant()
			got = append(got, at.Format("15:04:05"))
		}
		assert.Equal(t, want, got, text)
	}
}

func TestSameTimeConvertsStatedZones(t *testing.T) {
	for _, c := range []struct {
		claim, evidence string
		want            bool
	}{
		{"北京时间 18:15:28", "2026-03-01T10:15:28Z", true},
		{"北京时间 10:15:28", "2026-03-01T10:15:28Z", false}, // the conversion was forgotten
		{"北京时间 19:15:28", "2026-03-01T10:15:28Z", false},
		{"UTC 10:15:28", "Sun, 01 Mar 2026 11:15:28 +0100", true},
		{"18:15:28", "2026-03-01T10:15:28Z", true},  // a Chinese reader's clock
		{"10:15:28", "2026-03-01T10:15:28Z", true},  // as written
		{"11:15:28", "2026-03-01T10:15:28Z", false}, // nobody's clock
		{"北京时间 10:15:28", "2026-03-01 10:15:28", true},
		{"北京时间 18:15:28", "2026-03-01 10:15:28", true}, // the log may be in UTC
		{"18:15:28", "2026-03-01 10:15:28", true}, {"18:15", "2026-03-01 10:15:28", false}, {"17:15:28", "2026-03-01 10:15:28", false},
		{"10:15", "10:15:59", true}, {"10:16", "10:15:20", false}, {"10:15:28", "10:15:28.9", true}, {"10:15:28", "10:15", false},
		{"3 月 1 日", "2026-03-01T10:15:28Z", true}, {"3 月 2 日", "2026-03-01T10:15:28Z", false}, {"3 月 2 日", "2026-03-01T18:15:28Z", true},
		{"2026-03-01 10:15:28", "Mar  1 10:15:28", true}, {"2026-03-02 10:15:28", "Mar  1 10:15:28", false},
		{"北京时间 18:15:28", "1772360128", true}, {"北京时间 19:15:28", "1772360128", false},
	} {
		a, b := TimePoints(c.claim), TimePoints(c.evidence)
		require.Len(t, a, 1, c.claim)
		require.Len(t, b, 1, c.evidence)
		assert.Equal(t, c.want, SameTime(a[0], b[0]), "%s on %s", c.claim, c.evidence)
	}
}
