package grounding

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const pods = `NAME            READY   STATUS             RESTARTS
cart-5c9d       1/1     Running            0
ledger-77fb     0/1     CrashLoopBackOff   12
ledger-81aa     0/1     Pending            0
events:
  12m  Warning  BackOff  pod/ledger-77fb  Back-off restarting failed container ledger in pod ledger-77fb_prod
  11m  Warning  Unhealthy pod/cart-5c9d  Readiness probe failed: HTTP probe failed with statuscode: 503
副本数不足，期望 3 个，实际只有 1 个；调度器报告节点内存不足，无法安排新的副本。
{"disk_used": 42, "disk_total": 1048576, "disk_delta": -1024}
disk_used = 42, disk_total != 99
host cache-20.zone-b.internal is in maintenance
host cache-2.zone-b.internal is in standby
`

func TestFragments(t *testing.T) {
	text := NewText([]byte(pods))
	for _, c := range []struct {
		name, excerpt string
		want          []string // the bytes of the first place; nil when absent
	}{
		{"ellipsis", "ledger-77fb … CrashLoopBackOff", []string{"ledger-77fb", "CrashLoopBackOff"}},
		{"dots, other case", "warning backoff ... failed container", []string{"Warning  BackOff", "failed container"}},
		{"brackets", "Readiness probe failed [...] statuscode: 503", []string{"Readiness probe failed", "statuscode: 503"}},
		{"snip", "Readiness probe failed <snip> 503", []string{"Readiness probe failed", "503"}},
		{"chinese dots", "副本数不足……节点内存不足", []string{"副本数不足", "节点内存不足"}},
		{"chinese word", "期望3个（中略）无法安排新的副本。", []string{"期望 3 个", "无法安排新的副本。"}},
		{"omitted count", "副本数不足，[此处省略 1 行]无法安排新的副本", []string{"副本数不足", "无法安排新的副本"}},
		{"cut off at the end", "Back-off restarting failed contai…", []string{"Back-off restarting failed contai"}},
		{"a cut hash", "pod ledger-77f… cart-5c9d  Readiness", nil},
		{"too short on the whole", "ledger … Pend", nil},
		{"the tightest of several", "pod/ledger-77fb…ledger-77fb_prod", []string{"pod/ledger-77fb", "ledger-77fb_prod"}},
		{"lines with others left out", "NAME READY STATUS RESTARTS\nledger-81aa 0/1 Pending 0", []string{"NAME            READY   STATUS             RESTARTS", "ledger-81aa     0/1     Pending            0"}},
		{"escaped line breaks", `ledger-77fb 0/1 CrashLoopBackOff 12\nevents:\n12m Warning`, []string{"ledger-77fb     0/1     CrashLoopBackOff   12", "events", "12m  Warning"}},
		{"cells listed with commas", "ledger-77fb, 0/1, CrashLoopBackOff, 12", []string{"ledger-77fb", "0/1", "CrashLoopBackOff", "12"}},
		{"cells listed with chinese commas", "ledger-77fb，0/1，CrashLoopBackOff", []string{"ledger-77fb", "0/1", "CrashLoopBackOff"}},
		{"keys and values of json", "disk_used=42，disk_total=1048576", []string{"disk_used", "42", "disk_total", "1048576"}},
		{"a sign is not punctuation", "disk_used=42，disk_delta=1024", nil},
		{"a comparison is not punctuation", "disk_used=42，disk_total=99", nil},
		{"a host by its first name", "host cache-2 … standby", []string{"host cache-2", "standby"}},
		{"another host", "host cache-2 … maintenance", nil},
		{"cells of another row", "ledger-77fb, 0/1, Pending, 0", nil},
		{"an added full stop", "Readiness probe failed.", []string{"Readiness probe failed"}},
		{"outer quotes", "“ledger-81aa 0/1 Pending”", []string{"ledger-81aa     0/1     Pending"}},
		{"wrong order", "CrashLoopBackOff … cart-5c9d 1/1", nil},
		{"inside a number", "Back-off restarting … statuscode: 50", nil},
		{"a missing piece", "Readiness probe failed … connection refused", nil},
		{"too short to mean anything", "12…503", nil},
		{"nothing but marks", "… [...] ……", nil},
	} {
		l := text.Locate(c.excerpt)
		if c.want == nil {
			require.Equal(t, Absent, l.Tier, c.name)
			continue
		}
		require.Equal(t, Fragments, l.Tier, c.name)
		require.Equal(t, c.want, spanTexts(pods, l.Occurrences[0]), c.name)
	}
}

func spanTexts(raw string, o Occurrence) []string {
	var all []string
	for _, s := range o.Spans {
		all = append(all, raw[s.Start:s.End])
	}
	return all
}

func TestFragmentsAreTakenFromTheTightestPlace(t *testing.T) {
	raw := "begin transfer A\nnoise\nbegin transfer A\nend of transfer\nnoise\nbegin transfer A and end of transfer\n"
	l := NewText([]byte(raw)).Locate("begin transfer … end of transfer")
	require.Equal(t, Fragments, l.Tier)
	require.Equal(t, 2, l.Total)
	require.True(t, l.Ambiguous)
	require.Equal(t, []Span{{23, 37}, {40, 55}}, l.Occurrences[0].Spans)
	require.Equal(t, strings.LastIndex(raw, "begin"), l.Occurrences[1].Extent().Start)
}

func TestFragmentsFarApartAreNoQuote(t *testing.T) {
	raw := "transfer begins here\n" + strings.Repeat("x\n", maxOmission) + "transfer ends here\n"
	require.Equal(t, Absent, NewText([]byte(raw)).Locate("transfer begins here … transfer ends here").Tier)
}
