package pipeline

import (
	"context"
	"io"
	"sync"

	"claimscope/engine/event"
	"claimscope/engine/model"
)

// Delta is a piece of a reply as it arrives. It is shown and never stored.
type Delta struct {
	Attempt int
	Stage   event.Stage
	model.Delta
}

// deltaBuffer is how many deltas may wait for a slow reader before they are
// dropped: some seconds of a fast stream.
const deltaBuffer = 1024

// feed keeps the events of a run for its readers. Each reader has its own place, so
// none can hold up the run or another reader, and none can miss an event.
type feed struct {
	deltas chan Delta

	mu     sync.Mutex
	events []event.Event
	ended  bool
	news   chan struct{} // closed and replaced when something changes
}

func newFeed() *feed {
	return &feed{deltas: make(chan Delta, deltaBuffer), news: make(chan struct{})}
}

func (f *feed) publish(e event.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, e)
	close(f.news)
	f.news = make(chan struct{})
}

func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	close(f.news)
	f.news = make(chan struct{})
	close(f.deltas)
}

// next gives the first event whose number is greater than after, waiting for it;
// io.EOF when the run has ended and there is none.
func (f *feed) next(ctx context.Context, after int) (event.Event, error) {
	for {
		f.mu.Lock()
		e, ok := f.find(after)
		ended, news := f.ended, f.news
		f.mu.Unlock()
		switch {
		case ok:
			return e, nil
		case ended:
			return event.Event{}, io.EOF
		}
		select {
		case <-news:
		case <-ctx.Done():
			return event.Event{}, ctx.Err()
		}
	}
}

// find relies on numbers without gaps.
func (f *feed) find(after int) (event.Event, bool) {
	if len(f.events) == 0 {
		return event.Event{}, false
	}
	i := max(0, after+1-f.events[0].Seq)
	if i >= len(f.events) {
		return event.Event{}, false
	}
	return f.events[i], true
}

// send drops the delta when nobody reads.
func (f *feed) send(d Delta) {
	select {
	case f.deltas <- d:
	default:
	}
}
