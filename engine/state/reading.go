package state

import (
	"sync"

	"claimscope/engine/contract"
)

// reading is the message of an attempt as parsed anew, at most once for all the
// snapshots that share it. Positions are not stored in the file, since they follow
// from the message.
type reading struct {
	message string
	once    sync.Once
	parsed  contract.Parsed
	answer  string
}

func (r *reading) do() {
	r.once.Do(func() {
		message := []byte(r.message)
		r.parsed = contract.Parse(message)
		answer, _ := contract.FinalAnswer(message)
		r.answer = string(answer)
	})
}

// Reading parses the attempt's message, on first use, and keeps the result: the
// contract with positions in the message. Before there is a message it reads as empty.
// Safe on any goroutine; for a message of megabytes the first use takes a while.
func (a *Attempt) Reading() contract.Parsed {
	if a.reading == nil {
		return contract.Parse(nil)
	}
	a.reading.do()
	return a.reading.parsed
}

// FinalAnswer is executor_final_answer: the message without its reasoning blocks
// (spec P4). It costs what Reading costs.
func (a *Attempt) FinalAnswer() string {
	if a.reading == nil {
		return ""
	}
	a.reading.do()
	return a.reading.answer
}
