package grounding

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocateTiers(t *testing.T) {
	raw := "GET /orders 500\r\nretry   later\r\n\x1b[31mERROR\x1b[0m 磁盘已满：“/data” 剩余 ０.5％\n" +
		`{"log":"panic: \"index\" out of range\\n\tat main.go:41\n","code":-1}` + "\n"
	text := NewText([]byte(raw))
	for _, c := range []struct {
		name, excerpt string
		tier          Tier
		want          string
	}{
		{"exact", "/orders 500", Exact, "/orders 500"},
		{"case and white space", "get /orders 500 RETRY later", Folded, "GET /orders 500\r\nretry   later"},
		{"colour", "error 磁盘已满", Folded, "ERROR\x1b[0m 磁盘已满"},
		{"width and quotes", `磁盘已满:"/data"剩余 0.5%`, Folded, "磁盘已满：“/data” 剩余 ０.5％"},
		{"json in a string, decoded", "panic: \"index\" out of range\n\tat main.go:41", Folded, `panic: \"index\" out of range\\n\tat main.go:41`},
		{"json in a string, encoded again", `"{\"log\":\"panic: \\\"index\\\" out of range`, Fragments, `{"log":"panic: \"index\" out of range`},
		{"json, printed", "{\n  \"log\": \"panic: 'index' out of range", Folded, `{"log":"panic: \"index\" out of range`},
		{"markdown", "**Error** `磁盘已满`", Folded, "ERROR\x1b[0m 磁盘已满"},
		{"not there", "/carts", Absent, ""},
		{"white space only", " \n", Absent, ""},
		{"nothing", "", Absent, ""},
		{"marks only", "**", Absent, ""},
	} {
		l := text.Locate(c.excerpt)
		require.Equal(t, c.tier, l.Tier, c.name)
		if c.tier == Absent {
			require.Equal(t, Location{Tier: Absent}, l, c.name)
			continue
		}
		require.Equal(t, []string{c.want}, spanTexts(raw, l.Occurrences[0]), c.name)
		require.Equal(t, 1.0, l.Score, c.name)
		require.Equal(t, 1, l.Total, c.name)
	}
	require.Equal(t, Absent, NewText(nil).Locate("a").Tier)
}

func TestLocateRespectsNumbersAndIdentifiers(t *testing.T) {
	for _, c := range []struct {
		name, raw, excerpt string
		tier               Tier
		starts             []int
	}{
		{"inside a longer identifier", "pod payment-10 restarted", "payment-1", Absent, nil},
		{"inside a longer identifier, folded", "pod payment-10 restarted", "Payment-1", Absent, nil},
		{"the whole one wins", "payment-10 payment-1 payment-1x", "payment-1", Exact, []int{11}},
		{"the whole one wins, folded", "payment-10 payment-1, payment-1x", "PAYMENT-1", Folded, []int{11}},
		{"inside a number", "took 1500 ms", "500", Absent, nil},
		{"before a decimal", "load 1.5", "load 1", Absent, nil},
		{"after a thousands separator", "1,024 rows", "024 rows", Absent, nil},
		{"cut from its unit", "after 5ms", "after 5", Absent, nil},
		{"cut from its percent sign", "at 50% load", "at 50", Absent, nil},
		{"cut from its sign", "drift -12 of", "12 of", Absent, nil},
		{"after a hyphen that joins", "2031-05-12 of", "12 of", Exact, []int{8}},
		{"chinese beside a number", "重启5次", "5", Exact, []int{6}},
		{"a word inside a word", "status OOMKilled", "OOM", Exact, []int{7}},
		{"a word inside a word, folded", "status OOMKilled", "oom", Absent, nil},
		{"a whole word wins", "errors: error", "error", Exact, []int{8}},
		{"a part of a name, nothing better", "host db-primary", "db", Exact, []int{5}},
		{"a part of a name, folded", "host db-primary", "DB", Absent, nil},
		{"the end of a sentence is no joint", "Host db. Primary", "DB", Folded, []int{5}},
		{"a long quote may end in a word", "2031-01-02 the disk of node-17 has failed", "2031-01-02 the disk of node-17 has fai", Exact, []int{0}},
		{"a long quote may end in a hash", "2031-01-02 pulled image sha256:4f5e6d90aa", "2031-01-02 pulled image sha256:4f5e6d", Exact, []int{0}},
		{"a long quote may not end in a number", "2031-01-02 the disk of node-17 has failed", "2031-01-02 the disk of node-1", Absent, nil},
		{"but where a bound may have cut it", strings.Repeat("the disk of node-12 has failed ", 9), strings.Repeat("the disk of node-12 has failed ", 8) + "the disk of node-1", Exact, []int{0}},
		{"after an escape", `"a\npayment-1 b"`, "payment-1", Exact, []int{4}},
		{"after an escape, folded", `"a\npayment-1 b"`, "Payment-1", Folded, []int{4}},
		{"after colour", "\x1b[31mERR-7 x", "ERR-7", Exact, []int{5}},
		{"inside an expansion", "½ of 12", "2", Absent, nil},
		{"an expansion as a whole", "use ½ cup", "1/2", Folded, []int{4}},
		{"a letter of an accented one", "cafe\u0301 x", "cafe", Absent, nil},
		{"one of a joined emoji", "x 👩\u200d👧 y", "👩", Absent, nil},
		{"runs of digits", strings.Repeat("7", 5000), strings.Repeat("7", 10), Absent, nil},
	} {
		l := NewText([]byte(c.raw)).Locate(c.excerpt)
		require.Equal(t, c.tier, l.Tier, c.name)
		var starts []int
		for _, o := range l.Occurrences {
			starts = append(starts, o.Extent().Start)
		}
		require.Equal(t, c.starts, starts, c.name)
	}
}

func TestLocateKnowsAllOccurrences(t *testing.T) {
	raw := strings.Repeat("Disk full\n", MaxOccurrences+5)
	for _, excerpt := range []string{"Disk full", "DISK full"} {
		l := NewText([]byte(raw)).Locate(excerpt)
		require.Equal(t, MaxOccurrences+5, l.Total)
		require.Len(t, l.Occurrences, MaxOccurrences)
		require.False(t, l.Ambiguous)
		for i, o := range l.Occurrences {
			require.Equal(t, []Span{{10 * i, 10*i + 9}}, o.Spans)
		}
	}
}

func TestWeakness(t *testing.T) {
	text := NewText([]byte(strings.Repeat("retry request 503 after backoff 失败\n", commonTotal) + "重启5次 once\n"))
	for excerpt, want := range map[string]Weakness{
		"503":               TooShort,
		"失败":                TooShort,
		"重启5次":              NotWeak,
		"retry request 503": TooCommon,
		"retry request 503 after backoff 失败\nretry request 503": NotWeak,
		"once at last": NotWeak, // absent is another matter
	} {
		require.Equal(t, want, text.Locate(excerpt).Weakness(excerpt), excerpt)
	}
}

func TestLine(t *testing.T) {
	text := NewText([]byte("a\r\nbb\n\nc"))
	for _, c := range []struct{ offset, number, start, end int }{
		{-1, 1, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1}, {2, 1, 0, 1},
		{3, 2, 3, 5}, {5, 2, 3, 5}, {6, 3, 6, 6}, {7, 4, 7, 8}, {99, 4, 7, 8},
	} {
		number, span := text.Line(c.offset)
		require.Equal(t, c.number, number, "offset %d", c.offset)
		require.Equal(t, Span{c.start, c.end}, span, "offset %d", c.offset)
	}
	number, span := NewText(nil).Line(0)
	require.Equal(t, 1, number)
	require.Equal(t, Span{}, span)
}
