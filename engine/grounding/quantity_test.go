package grounding

import (
	"math/big"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// said is a quantity in short: its value in the base unit of its first reading.
type said struct {
	text string
	base string
	dim  Dimension
	cmp  Comparator
}

func saidIn(text string) []said {
	var out []said
	for _, q := range Quantities(text) {
		out = append(out, said{q.Text, q.Base(q.Units[0]).RatString(), q.Dim(), q.Cmp})
	}
	return out
}

func TestQuantitiesReadsNumbersUnitsAndComparators(t *testing.T) {
	for text, want := range map[string][]said{
		"队列里有 1,024 条消息":                    {{"1,024 条", "1024", Count, Exactly}},
		"耗时约 2.3秒":                          {{"2.3秒", "23/10", Time, About}},
		"P99 超过１２０ｍｓ":                       {{"１２０ｍｓ", "3/25", Time, MoreThan}},
		"累计 1.5万 次":                         {{"1.5万 次", "15000", Count, Exactly}},
		"淘汰了 730 余万个键":                      {{"730 余万个", "7300000", Count, MoreThan}},
		"磁盘用了三成":                            {{"三成", "3/10", Ratio, Exactly}},
		"百分之五的请求失败":                         {{"百分之五", "1/20", Ratio, Exactly}},
		"一半的节点":                             {{"一半", "1/2", Ratio, About}},
		"两个副本重启了三次":                         {{"两个", "2", Count, Exactly}, {"三次", "3", Count, Exactly}},
		"持续 5 小时 43 分":                      {{"5 小时 43 分", "20580", Time, Exactly}},
		"运行 5h43m 后退出":                      {{"5h43m", "20580", Time, Exactly}},
		"8 分半后恢复":                           {{"8 分半", "510", Time, Exactly}},
		"半小时内":                              {{"半小时", "1800", Time, About}},
		"内存 5Gi，即 5120 MiB":                 {{"5Gi", "5368709120", Bytes, Exactly}, {"5120 MiB", "5368709120", Bytes, Exactly}},
		"写了 1 GB，不是 1 GiB":                  {{"1 GB", "1000000000", Bytes, Exactly}, {"1 GiB", "1073741824", Bytes, Exactly}},
		"延迟在 30~40 ms 之间":                   {{"30", "3/100", Time, Exactly}, {"40 ms", "1/25", Time, Exactly}},
		"只有 0/3 就绪":                         {{"0/3", "0", Count, Exactly}},
		"涨到 2.5e+06":                        {{"2.5e+06", "2500000", Count, Exactly}},
		"about 43 and a half minutes later": {{"43 and a half minutes", "2610", Time, About}},
		"more than 12 pods were evicted":    {{"12", "12", Count, MoreThan}},
		"at least 99.5% of requests":        {{"99.5%", "199/200", Ratio, MoreThan}},
		"入向约 8.1 Gbps，出向 40 Mbit/s":         {{"8.1 Gbps", "1012500000", Rate, About}, {"40 Mbit/s", "5000000", Rate, Exactly}},
		"wrote 415 MB/s":                    {{"415 MB/s", "415000000", Rate, Exactly}},
		"500m cores, 0.5 核":                 {{"500m", "30000", Time, Exactly}, {"0.5 核", "1/2", CPU, Exactly}},
	} {
		assert.Equal(t, want, saidIn(text), text)
	}
}

func TestQuantitiesLeavesOutWhatCountsNothing(t *testing.T) {
	for _, text := range []string{
		"见 trace-1 与 claim-2", "第二个节点", "一个节点的一条日志", "版本 v2.14.3 与 1.28.0", "地址 10.4.0.17:9092", "Pod web-7f5c9-x2k8z",
		"2026-03-01T10:15:28Z 到 10:16", "18 日凌晨", "10、11、12 日都成功", "3 和 4 月", "UTC+8 时间", "P99 与 TP95", "提交 3f9a1bc0", "HTTP/1.1 的 5xx", "统一处理", "唯一的原因",
	} {
		assert.Empty(t, saidIn(text), text)
	}
}

func TestKeysNameAThing(t *testing.T) {
	for text, key := range map[string]bool{"3 号分区": true, "会话 70211": true, "pid 251906": true, "3 个分区": false, "退出码 137": false} {
		q := Quantities(text)
		require.Len(t, q, 1, text)
		assert.Equal(t, key, q[0].Key, text)
	}
}

func TestMatchesComparesExactValuesAtTheWrittenPrecision(t *testing.T) {
	for _, c := range []struct {
		claim, evidence string
		want            bool
	}{
		{"2.3秒", "2300ms", true}, {"2.3秒", "2301 ms", true}, {"2.3秒", "2360 ms", false}, {"2300ms", "2.3s", true},
		{"0.5", "50%", false}, {"50%", "0.5", true}, {"约 31%", "0.3127", true}, {"31.27%", "0.3127", true}, {"31.3%", "0.3127", true}, {"31.2%", "0.3127", false},
		{"1 GiB", "1 GB", false}, {"1 GiB", "1073741824", true}, {"1 GB", "1073741824", false}, {"150.3 MiB", "157638656", true}, {"150.3 GiB", "157638656", false},
		{"约 5.93 GiB", "6214904kB", true}, {"5120 MiB", "5Gi", true}, {"0.05 核", "50m", true},
		{"1,024", "1024", true}, {"1.5万", "15000", true}, {"约 963 万", "9632904", true}, {"约 960 万", "9632904", true}, {"963 万", "9732904", false},
		{"超过 60 次", "63", true}, {"超过 60 次", "600", false}, {"超过 60 次", "59", false}, {"不足 100", "96", true}, {"不到三成", "28%", true},
		{"2 次", "2.3", false}, {"2.91 s", "3", false}, {"近 4 小时", "4h2m", true}, {"28 天", "28d", true}, {"5 小时 43 分", "5h43m", true},
		{"约 12 秒", "11.87s", true}, {"约 36 分钟", "2097s", false}, {"六成", "60%", true}, {"35 ms", "35 s", false},
		{"2 天 7 小时 33 分", "2 days 07:33:09", true}, {"2 天 7 小时 33 分", "2 days 06:33:09", false}, {"8.1 Gbps", "input rate: 8120331004 bits/sec", true}, {"8.1 Gbps", "8120331004 bytes/sec", false},
	} {
		claim := Quantities(c.claim)
		require.NotEmpty(t, claim, c.claim)
		f := NewFacts(NewText([]byte(c.evidence)))
		found := f.Find(claim[len(claim)-1], true, 1)
		assert.Equal(t, c.want, len(found) > 0, "%s on %s", c.claim, c.evidence)
	}
}

func TestRepeatedEventsMatchRepeatsOnly(t *testing.T) {
	f := NewFacts(NewText([]byte("FailedMount  5 retries (x12 over 3m)")))
	assert.NotEmpty(t, f.Find(Quantities("（x12 over 3m）")[0], false, 1))
	assert.Empty(t, f.Find(Quantities("（x5 over 3m）")[0], false, 1))
	assert.NotEmpty(t, f.Find(Quantities("12 次")[0], false, 1))
}

func TestNumbersOfAnOutputAreWhatStandsAlone(t *testing.T) {
	for text, want := range map[string][]float64{
		"a=1 b:2 (x3) [4] \"5\" 6% 7ms 8/9":                {1, 2, 3, 4, 5, 6, 7, 8, 9},
		"10.0.0.7:9092 v1.2.3 7f5c4d9b88 web-2 2026-03-01": {9092},
		"Mon, 26 Nov 2024 10:15:28 +0100 took 1,234.5":     {1234.5},
		"-Xmx5632m -1.5e3 1e400x":                          {5632, -1500},
		"range 10-20 at 5h43m":                             {10, 20, 5},
	} {
		var got []float64
		for _, n := range NewFacts(NewText([]byte(text))).Numbers() {
			got = append(got, n.Float)
		}
		assert.Equal(t, want, got, text)
	}
}

func FuzzFactsOfSentences(f *testing.F) {
	for _, s := range []string{"约 1,024 条，２００ｍｓ，三成", "2026-03-01 10:15:28 北京时间 UTC+8", "Pod web-7f5c9（10.0.0.1:80）处于 CrashLoopBackOff", "\xff\xfe１：２\x00", "一百二十三万四千个半小时", "0/0/0 1e999 99999999999999999999999999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		check := func(sp Span) {
			require.True(t, sp.Start >= 0 && sp.Start <= sp.End && sp.End <= len(s), "%v in %d bytes", sp, len(s))
			if utf8.ValidString(s) {
				require.True(t, utf8.ValidString(s[sp.Start:sp.End]), "%q cuts a character", s[sp.Start:sp.End])
			}
		}
		for _, q := range Quantities(s) {
			check(q.Span)
			require.NotEmpty(t, q.Units)
			require.NotNil(t, q.Value)
			require.True(t, q.Ulp.Cmp(new(big.Rat)) > 0)
		}
		for _, p := range TimePoints(s) {
			check(p.Span)
			require.True(t, SameTime(p, p) || !p.HasClock && !p.HasDate)
		}
		for _, id := range Identifiers(s) {
			check(id.Span)
		}
		Segments(s)
		Terms(s)
		for _, a := range Antonyms {
			a.Asserted(s)
		}
	})
}

func FuzzFactsOfOutputs(f *testing.F) {
	for _, s := range []string{
		"NAME READY\nweb-1  1/1\nweb-2  0/1\n", `{"a":[{"k":"x","v":1},{"k":"y","v":2.5}]}`, "[{'a': True, 'b': None}]", "a,b\n1,2\n3,4\n", "| a | b |\n|---|---|\n| 1 | 2 |\n",
		"Limits:\n  cpu: 1\n  memory: 5Gi\n", "3) (integer) 5\n", "{\"a\":\"\\", "[[[[", "x\ty\n1\t2\n", "5h43m1d \xff 2e5 1,234,567",
	} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, raw []byte, at int) {
		facts := NewFacts(NewText(raw))
		in := func(s Span) {
			require.True(t, s.Start >= 0 && s.Start <= s.End && s.End <= len(raw), "%v in %d", s, len(raw))
		}
		ns := facts.Numbers()
		if len(ns) > 8 {
			ns = ns[:8]
		}
		shape := facts.Shape()
		for _, n := range ns {
			in(n.Span)
			q := facts.Quantity(n)
			in(q.Span)
			for _, s := range facts.Series(n.Span.Start) {
				in(s[0].Span)
			}
			_, slot, ok := shape.SlotOf(n.Span)
			if ok {
				if owner, ok := shape.InSlot(n.Span.Start, slot); ok {
					in(owner)
				}
				shape.ColumnName(slot)
			}
			in(shape.RecordAt(n.Span.Start).Span)
		}
		for _, p := range facts.Times() {
			in(p.Span)
		}
		if at >= 0 && at <= len(raw) {
			shape.FieldAt(at)
			shape.UnitAt(at)
			in(shape.RecordAt(at).Span)
		}
		facts.Counts()
		facts.CountCells("a")
		facts.CountLines([]string{"a"}, 10)
	})
}
