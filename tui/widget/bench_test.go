package widget

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// chineseTrace returns a log of n bytes, of ordinary lines.
func chineseTrace(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `2026-01-02T03:04:%02d.%03dZ ERROR [payment-service,trace=%08x] HikariPool-1 连接池已满：active=50, idle=0, waiting=%d，请求超时 30000ms 后失败，下游 order-service 返回 504`+"\n", i%60, i%1000, i*7919, i%300)
	}
	return b.Bytes()[:n]
}

var traceSizes = []int{1, 10, 100} // MB

// BenchmarkScroll draws a frame of 200×50 for each step of scrolling.
func BenchmarkScroll(b *testing.B) {
	for _, mb := range traceSizes {
		data := chineseTrace(mb << 20)
		for _, wrap := range []bool{true, false} {
			b.Run(fmt.Sprintf("%dMB/wrap=%v", mb, wrap), func(b *testing.B) {
				v := NewTextView(NewSource(data))
				v.SetStyles(styles())
				v.SetSize(200, 50)
				v.SetWrap(wrap)
				v.SetMarks([]Mark{{len(data) / 2, len(data)/2 + 200, ClassCurrent}, {100, 300, ClassOther}})
				v.Search("504")
				v.Show(len(data)/2, len(data)/2+200)
				b.ReportAllocs()
				for b.Loop() {
					v.Scroll(1)
					v.Lines()
				}
			})
		}
	}
}

// BenchmarkScrollOneLine does so inside of a single line.
func BenchmarkScrollOneLine(b *testing.B) {
	for _, mb := range traceSizes {
		data := bytes.ReplaceAll(chineseTrace(mb<<20), newline, []byte(" "))
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			v := NewTextView(NewSource(data))
			v.SetStyles(styles())
			v.SetSize(200, 50)
			v.Show(len(data)/2, len(data)/2+200)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				v.Scroll(1 - 2*(i/100%2))
				v.Lines()
			}
		})
	}
}

// BenchmarkScrollHostile does so in text that is all replacements.
func BenchmarkScrollHostile(b *testing.B) {
	v := NewTextView(NewSourceString(strings.Repeat("\u202e\x1b🔥\u0301\u0301\u0301\u0301\t\n", 1<<16)))
	v.SetStyles(styles())
	v.SetSize(200, 50)
	b.ReportAllocs()
	for b.Loop() {
		v.Scroll(1)
		v.Lines()
	}
}

// BenchmarkOpen draws the first frame of a text, and its last.
func BenchmarkOpen(b *testing.B) {
	for _, mb := range traceSizes {
		data := chineseTrace(mb << 20)
		for _, end := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dMB/end=%v", mb, end), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					v := NewTextView(NewSource(data))
					v.SetSize(200, 50)
					if end {
						v.Do(MoveEnd)
					}
					v.Lines()
				}
			})
		}
	}
}

// BenchmarkSearch searches to the end, beside bytes.Count.
func BenchmarkSearch(b *testing.B) {
	data := chineseTrace(100 << 20)
	query := []byte("永远找不到的词x")
	b.Run("bytes.Count", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			bytes.Count(data, query)
		}
	})
	for _, fold := range []bool{false, true} {
		b.Run(fmt.Sprintf("Search/fold=%v", fold), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				s := NewSearch(NewSource(data), string(query), fold)
				for !s.Step(4 << 20) {
					continue
				}
			}
		})
	}
}

// BenchmarkPretty lays out the largest text that is taken.
func BenchmarkPretty(b *testing.B) {
	one := `{"metric":{"pool":"HikariPool-1","实例":"支付-3"},"values":[[1785000000,"50"],[1785000015,"50"]],"ok":true}` + "\n"
	s := strings.Repeat(one, MaxPretty/len(one))
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Pretty(s); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTree draws a contract of the largest size unfolded.
func BenchmarkTree(b *testing.B) {
	one := `{"claim_id":"claim-1","claim_text":"连接池已满","evidence_bindings":[{"source_id":"trace-1","source_invocation_ids":[101]}]}`
	s := "[" + strings.Repeat(one+",", (5<<20)/len(one)) + "1]"
	t := NewTree()
	t.SetSize(60, 50)
	t.SetRoot(nodes(b, s))
	t.ExpandAll()
	b.Run("draw", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t.Do(MoveDown)
			t.Lines()
		}
	})
	b.Run("fold", func(b *testing.B) {
		t.Do(MoveHome)
		for b.Loop() {
			t.Toggle()
		}
	})
}
