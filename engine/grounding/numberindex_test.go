package grounding

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The index finds what reading every number finds.
func TestNumbersAreFoundByIndex(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	behind := []string{"", " ", "ms", "毫秒", "s", "秒", "h12m", "m30s", "%", "万", "余次", "多个", "亿", "个", "次", "个月", "周", "年", "成", "倍", "刻钟", "千字节", "MiB", "兆", "个百分点", ",", "核", " 天"}
	number := func() string {
		switch r.Intn(4) {
		case 0:
			return fmt.Sprint(r.Intn(30))
		case 1:
			return fmt.Sprintf("%d.%d", r.Intn(20), r.Intn(100))
		case 2:
			return fmt.Sprint(100 * r.Intn(100))
		}
		return fmt.Sprint(r.Intn(2_000_000))
	}
	var b strings.Builder
	for i := 0; i < indexedNumbers*5/4; i++ {
		fmt.Fprintf(&b, "k%s=%s%s;", []string{"", "_ms", "_bytes", "_pct"}[r.Intn(4)], number(), behind[r.Intn(len(behind))])
		if i%7 == 0 {
			b.WriteByte('\n')
		}
	}
	f := NewFacts(NewText([]byte(b.String())))
	require.Greater(t, len(f.Numbers()), indexedNumbers)
	hits := 0
	for range 80 {
		for _, q := range Quantities("约超过不足"[6*r.Intn(2):6] + number() + behind[r.Intn(len(behind))]) {
			var want []Quantity
			for _, n := range f.Numbers() {
				if compoundAt(f.text.Raw(), n.Span.End) && q.Dim() != Time && !candidates(q).near(n.Float) {
					continue // a duration in parts carries durations only
				}
				if ev := f.Quantity(n); Matches(q, ev, true) {
					want = append(want, ev)
				}
			}
			hits += len(want)
			var cited []Quantity
			for _, n := range f.NumbersIn(Span{End: 20_000}) {
				ev := f.Quantity(n)
				ev.Cited = true
				if Matches(q, ev, true) {
					cited = append(cited, ev)
				}
			}
			require.Equal(t, spans(cited), spans(f.FindCited(q, Span{End: 20_000}, 0)), q.Text)
			got := f.Find(q, true, 0)
			require.Equal(t, spans(want), spans(got), q.Text)
			require.Equal(t, spans(want), spans(f.findAmong(q, f.Numbers(), true, 0)), q.Text)
		}
	}
	require.Greater(t, hits, 300)
}

func spans(qs []Quantity) []Span {
	out := []Span{}
	for _, q := range qs {
		out = append(out, q.Span)
	}
	return out
}
