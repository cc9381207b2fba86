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
	closed  bool
	onClose func(*Log) // or nil
}

// NewMemory opens a session that lives in memory only and is marked unsaved. Why
// says in one line why it is not on disk, or is "".
func NewMemory(h event.Header, now func() time.Time, why string) *Log {
	l := newLog(h, nil, now)
	l.setUnsaved(why)
	return l
}

// newLog folds the events that are there already, which obey their order.
func newLog(h event.Header, events []event.Event, now func() time.Time) *Log {
	l := &Log{now: now, state: state.New(h), events: events}
	for _, e := range events {
		l.order.Last = e.Seq
		l.order.Ended = e.Body.Type().Terminal() || l.order.Ended && e.Body.Type() != event.TypeResumed
		l.state.Apply(e)
	}
	return l
}

func (l *Log) setUnsaved(why string) {
	l.file, l.why, l.state.Unsaved = nil, why, true
}

// Append records an event: it gets the next number and the clock's time, is written
// and flushed to disk, and only then folded and returned for showing (spec E2). The
// returned event is the one that a later reading gives. When the disk takes no more,
// the session goes on in memory and is marked unsaved from then on.
func (l *Log) Append(attempt int, stage event.Stage, body event.Body) (event.Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return event.Event{}, ErrClosed
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
			l.setUnsaved(errors.Join(err, l.file.close()).Error())
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

// recording gives the session as a reading would.
func (l *Log) recording() *Recording {
	rec := &Recording{Header: l.Header(), Path: l.Path(), Events: l.Events()}
	rec.Unsaved, _ = l.Unsaved()
	rec.order.Last = len(rec.Events)
	return rec
}

// review appends a review; ErrNotEnded while the session runs.
func (l *Log) review(r event.Reviewed) error {
	if state := l.State(); !state.Done() {
		return fmt.Errorf("session %s: %w", state.Header.ID, ErrNotEnded)
	}
	_, err := l.Append(0, "", r)
	return err
}

// Close releases the file and its lock; nothing can be appended after it. Closing
// twice is no error. A session in memory has nothing to release and stays open.
func (l *Log) Close() error {
	err, released := l.release()
	if released && l.onClose != nil {
		l.onClose(l)
	}
	return err
}

func (l *Log) release() (err error, released bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.file == nil {
		return nil, false
	}
	l.closed = true
	return l.file.close(), true
}
