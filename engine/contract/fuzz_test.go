package contract

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"unicode/utf8"
)

// seeds gives messages of every style and wrapping, whole and cut.
func seeds(f *testing.F) {
	f.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	for i, s := range styles() {
		from := phrases
		if s.plainOnly {
			from = plainPhrases
		}
		text, _ := s.print(someContract(r, 1+i%3, from))
		w := wrappings()[i%len(wrappings())]
		f.Add([]byte(w.before + text + w.after))
		f.Add([]byte(w.before + text[:len(text)*(1+i%5)/6]))
	}
	for _, v := range loadVectors(f) {
		f.Add(v.message)
	}
}

// FuzzParse checks the promises of the reader on any bytes.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, message []byte) {
		p := Parse(message)
		if s := broken(message, p); s != "" {
			t.Fatal(s)
		}
		if !utf8.Valid(message) && p.Contract != nil && p.Status == StatusOK {
			t.Fatal("bad bytes were read as if they were good")
		}
		answer, reasoning := FinalAnswer(message)
		size := len(answer)
		for _, s := range reasoning {
			size += s.End - s.Start
		}
		if size != len(message) {
			t.Fatalf("the answer has %d bytes, the message %d", size, len(message))
		}
		if p.Contract == nil {
			return
		}
		written, err := json.Marshal(p.Contract)
		if err != nil {
			t.Fatal(err)
		}
		var again Contract
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		twice, err := json.Marshal(again)
		if err != nil || string(twice) != string(written) {
			t.Fatalf("another round trip differs:\n%s\n%s", written, twice)
		}
	})
}

// FuzzValid checks that JSON which the standard decoder takes is never changed:
// the same values, no edits.
func FuzzValid(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, message []byte) {
		if !utf8.Valid(message) || !json.Valid(message) {
			return
		}
		want, err := standard(message)
		if err != nil {
			return
		}
		p := Parse(message)
		if p.Raw == nil {
			if depthOf(message) <= MaxDepth && p.Reason == "" {
				t.Fatal("valid JSON was not read")
			}
			return
		}
		if len(p.Edits) > 0 {
			t.Fatalf("valid JSON was edited: %+v", p.Edits)
		}
		same(t, p.Raw, want)
		l, err := ParseLoose(message)
		if err != nil {
			t.Fatal(err)
		}
		same(t, l.Root, want)
	})
}

// FuzzLoose checks the reader of any shape, with repairs.
func FuzzLoose(f *testing.F) {
	seeds(f)
	f.Add([]byte("<think>x</think>\n```json\n{'decision': 'PASS', 'claim_checks': [{'claim_id': 'c1', 'verdict': 'supported',},]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := ParseLoose(text, "claim_checks", "claim_id", "verdict", "decision", "summary")
		if (err == nil) != (l.Root != nil) {
			t.Fatalf("root %v, error %v", l.Root, err)
		}
		if l.Root == nil {
			return
		}
		if s := brokenSpans(l.Root, len(text)); s != "" {
			t.Fatal(s)
		}
		if s := brokenEdits(text, l.Edits); s != "" {
			t.Fatal(s)
		}
		if out := l.Root.AppendJSON(nil); !json.Valid(out) {
			t.Fatalf("no JSON: %s", out)
		}
	})
}

// same compares a tree with what the standard decoder gives. Lone surrogates
// and duplicate names are where the two differ on purpose.
func same(t *testing.T, n *Node, want any) {
	t.Helper()
	got, twice, lone := plain(n)
	if twice || lone {
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("read as\n%#v\nnot as\n%#v", got, want)
	}
}

// depthOf counts the deepest nesting of JSON.
func depthOf(data []byte) int {
	depth, most, inside := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{' || c == '[':
			depth++
			most = max(most, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return most
}
