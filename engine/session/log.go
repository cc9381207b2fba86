// Package session keeps sessions: append-only JSON Lines files with large values
// beside them, their listing, forking, import, export and replay (spec E1 to E5).
package session

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"claimscope/engine/event"
	"claimscope/engine/state"
)

// ErrClosed says that the log was closed.
var ErrClosed = errors.New("session: log is closed")

// Log is one session, open for appending. It is safe for concurrent use.
type Log struct {
	now func() time.Time

	mu      sync.Mutex
	state   state.Session
	events  []event.Event
	order   event.Order
	file    *logFile // nil for a session in memory
	why     string   // why it is unsaved
	failure error    // the first write that failed; the log takes nothing after it
	closed  bool
}

// NewMemory opens a session that lives in memory only and is marked unsaved. Why
// says in one line why it is not on disk, or is "".
func NewMemory(h event.Header, now func() time.Time, why string) *Log {
	l := &Log{now: now, why: why, state: state.New(h)}
	l.state.Unsaved = true
	return l
}

// Append records an event: it gets the next number and the clock's time, is written
// and flushed to disk, and only then folded and returned for showing (spec E2). The
// returned event is the one that a later reading gives.
func (l *Log) Append(attempt int, stage event.Stage, body event.Body) (event.Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return event.Event{}, ErrClosed
	}
	if l.failure != nil {
		return event.Event{}, l.failure
	}
	e, err := event.Normalise(event.Event{
		Seq: l.order.Last + 1, Time: l.now(), Attempt: attempt, Stage: stage, Body: body,
	})
	if err != nil {
		return event.Event{}, err
	}
	order := l.order
	if err := order.Check(e); err != nil {
		return event.Event{}, fmt.Errorf("session %s: %w", l.state.Header.ID, err)
	}
	if l.file != nil {
		if err := l.file.append(e); err != nil {
			l.failure = fmt.Errorf("session %s: %w", l.state.Header.ID, err)
			return event.Event{}, l.failure
		}
	}
	l.order = order
	l.events = append(l.events, e)
	l.state.Apply(e)
	return e, nil
}

// Header gives the session's header.
func (l *Log) Header() event.Header {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.Header
}

// State gives a snapshot.
func (l *Log) State() state.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Events gives the events so far. The slice is shared and must not be changed.
func (l *Log) Events() []event.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events[:len(l.events):len(l.events)]
}

// Unsaved reports whether the session lives in memory only, and why.
func (l *Log) Unsaved() (bool, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file == nil, l.why
}

// Path is the session's file, or "" for one in memory.
func (l *Log) Path() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return ""
	}
	return l.file.path
}

// Close releases the file and its lock. Closing twice is no error.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	if l.file == nil {
		return nil
	}
	return l.file.close()
}
