package event

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"claimscope/engine/contract"
	"claimscope/engine/trace"
)

func TestEveryTypeRoundTrips(t *testing.T) {
	require.Len(t, Types(), 21)
	r := rand.New(rand.NewSource(1))
	for _, typ := range Types() {
		for range 200 {
			want, err := Normalise(someEvent(r, typ, 1+r.Intn(9)))
			require.NoError(t, err)
			line, err := Encode(want, nil)
			require.NoError(t, err)
			require.Equal(t, 1, bytes.Count(line, []byte("\n")), "one line")
			got, err := Decode(bytes.TrimSuffix(line, []byte("\n")), nil)
			require.NoError(t, err, "%s", line)
			require.Equal(t, want, got)
		}
	}
}

func TestHeaderRoundTrips(t *testing.T) {
	want := Header{
		Schema: 1, ID: "20261130-154501-x7k2", Time: time.Unix(1785000000, 5).UTC(), Program: "v1", Query: "支付超时 <5s>",
		ContractVersion: contract.V2, Model: "scripted", Tools: "incident:payment-pool",
		Prompts: map[string]PromptSource{"planner": {Name: "planner", Version: "1", SHA256: "ab", From: "embedded"}},
		Parent:  &Parent{ID: "p", Seq: 7, Mode: "verifier"},
	}
	line, err := EncodeHeader(want)
	require.NoError(t, err)
	got, err := DecodeHeader(line)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestMessageKeepsBytesThatAreNoText(t *testing.T) {
	want := Event{Seq: 1, Attempt: 1, Stage: Executor, Body: ExecutorOutput{Message: "a\xff\xfe{}", Finish: "stop"}}
	line, err := Encode(want, nil)
	require.NoError(t, err)
	got, err := Decode(line, nil)
	require.NoError(t, err)
	require.Equal(t, want.Body, got.Body)
}

func file(lines ...string) io.Reader {
	return strings.NewReader(`{"schema":1,"id":"x","time":"2026-11-30T00:00:00Z"}` + "\n" + strings.Join(lines, "\n") + "\n")
}

func readAll(r io.Reader) ([]Event, *Reader, error) {
	d, err := NewReader(r, nil)
	if err != nil {
		return nil, nil, err
	}
	var all []Event
	for {
		e, err := d.Next()
		if errors.Is(err, io.EOF) {
			return all, d, nil
		}
		if err != nil {
			return all, d, err
		}
		all = append(all, e)
	}
}

func TestReaderIsStrict(t *testing.T) {
	const start = `{"seq":1,"time":"2026-11-30T00:00:00Z","attempt":1,"stage":"planner","type":"stage_started","data":{}}`
	line := func(seq int, typ, data string) string {
		return fmt.Sprintf(`{"seq":%d,"time":"2026-11-30T00:00:00Z","attempt":1,"stage":"","type":%q,"data":%s}`, seq, typ, data)
	}
	finished := line(2, "cancelled", `{"why":"x"}`)
	cases := []struct {
		name  string
		lines []string
		want  error
		at    int
	}{
		{"unknown type", []string{start, line(2, "exploded", `{}`)}, ErrUnknownType, 3},
		{"unknown field", []string{line(1, "stage_started", `{"more":1}`)}, ErrBadEvent, 2},
		{"unknown field of the envelope", []string{strings.Replace(start, `"seq"`, `"sum":1,"seq"`, 1)}, ErrBadEvent, 2},
		{"gap", []string{start, line(3, "resumed", `{}`)}, ErrGap, 3},
		{"repeat", []string{start, start}, ErrGap, 3},
		{"starts late", []string{line(2, "resumed", `{}`)}, ErrGap, 2},
		{"unknown stage", []string{strings.Replace(start, "planner", "chief", 1)}, ErrUnknownStage, 2},
		{"cut in the middle of the file", []string{start[:40], start}, ErrBadEvent, 2},
		{"two values", []string{start + start}, ErrBadEvent, 2},
		{"empty line", []string{"", start}, ErrBadEvent, 2},
		{"no data", []string{strings.Replace(start, `,"data":{}`, "", 1)}, ErrBadEvent, 2},
		{"data is no object", []string{line(1, "stage_started", `[]`)}, ErrBadEvent, 2},
		{"negative attempt", []string{strings.Replace(start, `"attempt":1`, `"attempt":-1`, 1)}, ErrBadEvent, 2},
		{"goes on after the end", []string{start, finished, line(3, "stage_started", `{}`)}, ErrAfterEnd, 4},
		{"ends twice", []string{start, finished, line(3, "failed", `{"error":""}`)}, ErrAfterEnd, 4},
		{"blob without a folder", []string{strings.Replace(start, `"data":{}`, `"data":{},"blobs":[{"at":0,"sha256":"","bytes":0}]`, 1)}, ErrBlob, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := readAll(file(c.lines...))
			require.ErrorIs(t, err, c.want)
			var at *LineError
			require.ErrorAs(t, err, &at)
			assert.Equal(t, c.at, at.Line)
		})
	}
	_, _, err := readAll(file(start, finished, line(3, "reviewed", `{"action":"accept","by":"li"}`), line(4, "resumed", `{}`), line(5, "stage_started", `{}`)))
	require.NoError(t, err)
}

func TestHeaderIsStrict(t *testing.T) {
	var newer *NewerError
	_, err := NewReader(strings.NewReader(`{"schema":7,"id":"x","shape":"of the future"}`+"\n"), nil)
	require.ErrorAs(t, err, &newer)
	require.ErrorContains(t, err, "written by a newer claimscope (schema 7")
	for _, s := range []string{
		"", "\n", "x\n", "[]\n", `{"schema":1,"id":"x"}`, `{"schema":0,"id":"x"}` + "\n", `{"schema":1}` + "\n",
		`{"id":"x"}` + "\n", `{"schema":1,"id":"x","colour":1}` + "\n", `{"schema":"1","id":"x"}` + "\n",
	} {
		_, err := NewReader(strings.NewReader(s), nil)
		require.ErrorIs(t, err, ErrNoHeader, "%q", s)
	}
}

func TestTornLineIsLeftOut(t *testing.T) {
	whole := `{"schema":1,"id":"x","time":"2026-11-30T00:00:00Z"}` + "\n"
	line, err := Encode(Event{Seq: 1, Body: Resumed{}}, nil)
	require.NoError(t, err)
	for cut := range len(line) {
		events, d, err := readAll(strings.NewReader(whole + string(line[:cut])))
		require.NoError(t, err)
		require.Empty(t, events)
		require.Equal(t, cut, d.Torn())
		require.Equal(t, int64(len(whole)), d.End())
	}
}

func TestLargeValuesLiveOutside(t *testing.T) {
	blobs := map[string][]byte{}
	put := func(sum string, content []byte) error { blobs[sum] = bytes.Clone(content); return nil }
	get := func(sum string) ([]byte, error) {
		if b, ok := blobs[sum]; ok {
			return b, nil
		}
		return nil, os.ErrNotExist
	}
	big := strings.Repeat("日志 \"quoted\" \\ <tag>\n", 20000)
	odd := `"` + strings.Repeat(`\u65e5\/`, 50000) + `"`
	same := `{"output":"` + strings.Repeat("y", BlobLimit+1) + `"}`
	called := func(output string) Event {
		return Event{Seq: 9, Body: ToolReturned{Trace: trace.Trace{Ref: "trace-3", ToolName: "t", Arguments: []byte(same), Status: trace.OK,
			Output: []byte(output), Kind: trace.Observation, InvocationIDs: []int64{}}}}
	}
	events := []Event{
		{Seq: 1, Body: ToolReturned{Trace: trace.Trace{
			Ref: "trace-1", ToolName: "t", Arguments: []byte(`{"blobs":"","q":` + odd + `,"z":""}`), Status: trace.OK,
			Output: []byte(big), Kind: trace.Observation, InvocationIDs: []int64{1},
		}}},
		{Seq: 2, Body: VerifierPayload{Payload: []byte(`{"a":` + odd + `,"b":"` + strings.Repeat("x", BlobLimit+1) + `"}`)}},
		{Seq: 3, Body: ExecutorOutput{Message: big[:BlobLimit/2]}},
		{Seq: 4, Body: ToolReturned{Trace: trace.Trace{
			Ref: "trace-2", Status: trace.OK, Output: bytes.Repeat([]byte{0xff}, BlobLimit), Kind: trace.Observation, InvocationIDs: []int64{},
		}}},
		called("small"), called(""), called(big),
	}
	for _, want := range events {
		line, err := Encode(want, put)
		require.NoError(t, err)
		require.Less(t, len(line), BlobLimit+1000)
		got, err := Decode(line, get)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Contains(t, values(blobs), big, "the content is the text itself")
	require.Len(t, blobs, 5)

	line, err := Encode(events[0], put)
	require.NoError(t, err)
	_, err = Decode(line, func(sum string) ([]byte, error) {
		b, err := get(sum)
		return append(bytes.Clone(b[:len(b)-1]), '!'), err
	})
	require.ErrorIs(t, err, ErrBlob)
	require.ErrorContains(t, err, "damaged")
	_, err = Decode(line, func(string) ([]byte, error) { return nil, os.ErrNotExist })
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Decode(bytes.Replace(line, []byte(`"at":`), []byte(`"at":1`), 1), get)
	require.ErrorIs(t, err, ErrBlob)
}

func values(m map[string][]byte) (all []string) {
	for _, v := range m {
		all = append(all, string(v))
	}
	return all
}

func TestSchemaOneIsReadForever(t *testing.T) {
	f, err := os.Open("testdata/schema-1.session.jsonl")
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	events, d, err := readAll(f)
	require.NoError(t, err)
	require.Zero(t, d.Torn())
	require.Equal(t, 1, d.Header.Schema)
	seen := map[Type]bool{}
	for _, e := range events {
		seen[e.Body.Type()] = true
	}
	for _, typ := range Types() {
		assert.True(t, seen[typ], "the recorded file holds %s", typ)
	}
}

func FuzzReader(f *testing.F) {
	recorded, err := os.ReadFile("testdata/schema-1.session.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(recorded)
	f.Add([]byte(`{"schema":1,"id":"x"}` + "\n" + `{"seq":1,"type":"resumed","data":{},"blobs":[{"at":0}]}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, d, err := readAll(bytes.NewReader(data))
		if d == nil {
			require.Error(t, err)
			return
		}
		require.LessOrEqual(t, d.End()+int64(d.Torn()), int64(len(data)))
		for i, e := range events {
			require.Equal(t, i+1, e.Seq)
			line, err := Encode(e, nil)
			if err != nil {
				continue // a time that JSON cannot hold
			}
			again, err := Decode(line, nil)
			require.NoError(t, err, "%s", line)
			twice, err := Encode(again, nil)
			require.NoError(t, err)
			require.Equal(t, string(line), string(twice))
		}
	})
}
