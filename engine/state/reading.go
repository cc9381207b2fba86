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
}

func (r *reading) do() {
	r.once.Do(func() { r.parsed = contract.Parse([]byte(r.message)) })
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
