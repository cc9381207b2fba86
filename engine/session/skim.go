package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/model"
	"claimscope/engine/state"
	"claimscope/engine/verdict"
)

// headBytes is more than an envelope takes up to its data, in bytes.
const headBytes = 256

// skimmer reads a finished session file for a list: it looks at the type of each
// line and decodes only the few that a summary needs, at about the speed of reading.
type skimmer struct {
	in  *bufio.Reader
	buf []byte

	sum         state.Summary
	seq         int
	first       time.Time // of the events
	ended       bool      // nothing but resumed and reviewed may follow
	routed      *verdict.Routing
	routedIn    int // the attempt of routed
	record      *verdict.Evaluation
	status      state.Status
	unlike      bool // a line was not as this program writes it
	interrupted bool // the last line is cut
}

// skim gives what state.Session.Summary gives after a whole reading. It reports false
// when only a whole reading can tell: the session has no record yet, its last line is
// cut, or a line is not as this program writes it.
func skim(r io.Reader) (state.Summary, bool, error) {
	k := &skimmer{in: bufio.NewReaderSize(r, 64<<10)}
	line, err := k.line()
	if err != nil || k.interrupted {
		return state.Summary{}, false, err
	}
	h, err := event.DecodeHeader(line)
	if err != nil {
		return state.Summary{}, false, &event.LineError{Line: 1, Err: err}
	}
	s := state.New(h)
	k.sum = s.Summary()
	for {
		head, err := k.in.Peek(headBytes)
		if len(head) == 0 {
			if errors.Is(err, io.EOF) {
				break
			}
			return k.sum, false, err
		}
		if err := k.next(head); err != nil || k.unlike || k.interrupted {
			return k.sum, false, err
		}
	}
	if k.record == nil {
		return k.sum, false, nil
	}
	k.sum.Status = k.status
	k.sum.Judge(k.routed, k.record)
	return k.sum, true, nil
}

// next takes the line that starts with head.
func (k *skimmer) next(head []byte) error {
	h, ok := readHead(head)
	if !ok || h.seq != k.seq+1 || k.ended && h.typ != event.TypeResumed && h.typ != event.TypeReviewed {
		k.unlike = true
		return nil
	}
	k.seq = h.seq
	switch h.typ {
	case event.TypeModelResponse, event.TypeToolCalled, event.TypeToolReturned, event.TypeRouted, event.TypeReviewed,
		event.TypeFinished, event.TypeFailed, event.TypeCancelled, event.TypeResumed:
	default:
		if !slices.Contains(event.Types(), h.typ) {
			k.unlike = true
			return nil
		}
		return k.skip()
	}
	line, err := k.line()
	if err != nil || k.interrupted {
		return err
	}
	return k.take(h, line[h.data:len(line)-1])
}

// take uses the data of a line that a summary needs.
func (k *skimmer) take(h head, data []byte) error {
	if k.first.IsZero() {
		k.first = h.at
	}
	switch h.typ {
	case event.TypeModelResponse:
		k.spend(h, data)
	case event.TypeToolCalled:
		k.tool(text(member(data, "tool_name")))
	case event.TypeToolReturned:
		k.tool(text(member(member(data, "trace"), "tool_name")))
	case event.TypeRouted:
		var b event.Routed
		if json.Unmarshal(data, &b) != nil {
			k.unlike = true
			return nil
		}
		if h.attempt >= k.routedIn {
			k.routed, k.routedIn = &b.Routing, h.attempt
		}
	case event.TypeReviewed:
		k.sum.Reviews++
		if text(member(data, "claim_id")) == "" {
			k.sum.Reviewed = event.ReviewAction(text(member(data, "action")))
		}
	case event.TypeFinished:
		k.end(h, state.Finished, data)
	case event.TypeFailed:
		k.end(h, state.Failed, data)
	case event.TypeCancelled:
		k.end(h, state.Cancelled, data)
	case event.TypeResumed:
		k.record, k.ended = nil, false
	default:
	}
	return nil
}

// spend takes what a reply used.
func (k *skimmer) spend(h head, data []byte) {
	var usage model.Usage
	var cost float64
	if json.Unmarshal(member(member(data, "response"), "usage"), &usage) != nil {
		k.unlike = true
		return
	}
	if raw := member(data, "cost"); raw != nil && json.Unmarshal(raw, &cost) != nil {
		k.unlike = true
		return
	}
	k.sum.Stages = state.Spend(k.sum.Stages, h.stage, usage.Total(), cost)
}

func (k *skimmer) tool(name string) {
	if !slices.Contains(k.sum.Tools, name) {
		k.sum.Tools = append(k.sum.Tools, name)
	}
}

// end takes the few members of the record that a list shows.
func (k *skimmer) end(h head, status state.Status, data []byte) {
	k.ended = true
	record := member(data, "verifier_evaluation")
	if len(record) == 0 || record[0] != '{' {
		return
	}
	var e verdict.Evaluation
	for name, into := range map[string]any{
		"decision": &e.Decision, "causes": &e.Causes, "tokens": &e.Tokens, "cost": &e.Cost, "claim_checks": &e.ClaimChecks,
	} {
		if raw := member(record, name); raw != nil && json.Unmarshal(raw, into) != nil {
			k.unlike = true
			return
		}
	}
	k.record, k.status = &e, status
	k.sum.Duration = state.Lasted(k.sum.Time, k.first, h.at)
}

// line reads a line without its newline into the skimmer's buffer.
func (k *skimmer) line() ([]byte, error) {
	k.buf = k.buf[:0]
	for {
		piece, err := k.in.ReadSlice('\n')
		k.buf = append(k.buf, piece...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(k.buf, []byte("\n")), nil
		case errors.Is(err, bufio.ErrBufferFull) && len(k.buf) <= event.MaxLine:
		case errors.Is(err, io.EOF):
			k.interrupted = true
			return nil, nil
		default:
			return nil, err
		}
	}
}

// skip passes over a line.
func (k *skimmer) skip() error {
	for {
		_, err := k.in.ReadSlice('\n')
		switch {
		case err == nil:
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			k.interrupted = true
			return nil
		default:
			return err
		}
	}
}

// head is an envelope up to its data.
type head struct {
	seq, attempt int
	at           time.Time
	stage        event.Stage
	typ          event.Type
	data         int // offset of the data in the line
}

// readHead reads an envelope as event.Encode writes it; false for anything else.
func readHead(b []byte) (head, bool) {
	var h head
	rest, ok := bytes.CutPrefix(b, []byte(`{"seq":`))
	number, rest, ok1 := bytes.Cut(rest, []byte(`,"time":"`))
	at, rest, ok2 := bytes.Cut(rest, []byte(`","attempt":`))
	attempt, rest, ok3 := bytes.Cut(rest, []byte(`,"stage":"`))
	stage, rest, ok4 := bytes.Cut(rest, []byte(`","type":"`))
	typ, rest, ok5 := bytes.Cut(rest, []byte(`","data":`))
	if !ok || !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return head{}, false
	}
	var err1, err2, err3 error
	h.seq, err1 = strconv.Atoi(string(number))
	h.attempt, err2 = strconv.Atoi(string(attempt))
	h.at, err3 = time.Parse(time.RFC3339Nano, string(at))
	h.stage, h.typ, h.data = event.Stage(stage), event.Type(typ), len(b)-len(rest)
	return h, err1 == nil && err2 == nil && err3 == nil
}

// member gives the value of a member of a compact JSON object without decoding the
// others, or nil.
func member(object []byte, name string) []byte {
	if len(object) == 0 || object[0] != '{' {
		return nil
	}
	for i := 1; i < len(object) && object[i] == '"'; {
		colon := valueEnd(object, i)
		if colon >= len(object) || object[colon] != ':' {
			return nil
		}
		end := valueEnd(object, colon+1)
		if string(object[i+1:colon-1]) == name {
			return object[colon+1 : end]
		}
		i = end + 1 // after the comma
	}
	return nil
}

// valueEnd gives the offset after the JSON value that starts at i.
func valueEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ':':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			for i < len(b) && !structural(b[i]) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return len(b)
}

func structural(c byte) bool {
	switch c {
	case '"', '{', '}', '[', ']', ',', ':':
		return true
	}
	return false
}

// stringEnd gives the offset after the JSON string that starts at i.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// text gives a JSON string's text, or "".
func text(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
