package pipeline

import (
	"context"
	"fmt"
	"sync"

	"claimscope/engine/event"
	"claimscope/engine/model"
)

// Pending is what a paused run is about to use. Exactly one of Request, Call and
// Output is set at the boundaries that have one.
type Pending struct {
	Boundary Boundary
	Attempt  int
	Why      string          // "step", "pause", or the breakpoint that hit
	Request  *model.Request  // before the Planner, the Executor and the Verifier
	Call     *model.ToolCall // before a tool call
	Output   *string         // before the Executor's final answer is used
}

// Skippable reports whether what comes next can be left out.
func (p Pending) Skippable() bool {
	switch p.Boundary {
	case BeforePlanner, BeforeTool, BeforeGate, BeforeVerifier:
		return true
	case BeforeExecutor, BeforeOutput, BeforeRoute, BeforeAnswer:
	}
	return false
}

// order is what a person wants of a paused run.
type order struct {
	kind orderKind
	edit Edit
	done chan error // answered once, buffered
}

type orderKind uint8

const (
	orderContinue orderKind = iota
	orderStep
	orderSkip
	orderEdit
)

// pause is one stop. Orders are taken by the run's own goroutine, so that an edit is
// recorded in its place.
type pause struct {
	orders chan order
	over   chan struct{}
}

// control is the debugger's side of a run: what to stop at, and the stop itself.
type control struct {
	mu          sync.Mutex
	stepping    bool
	asked       bool // pause at the next boundary
	breakpoints []Breakpoint
	hit         string // a breakpoint that watches events has hit; stop at the next boundary
	pause       *pause
	pending     *Pending
}

func newControl(c Config) *control {
	return &control{asked: c.Paused, breakpoints: append([]Breakpoint(nil), c.Breakpoints...)}
}

// note counts the hits of an event.
func (c *control) note(e event.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.breakpoints {
		b := &c.breakpoints[i]
		if b.seen(e) {
			if b.Hits++; b.Hits >= b.Nth {
				c.hit = b.String()
			}
		}
	}
}

// stop decides whether to pause at p's boundary and opens the pause.
func (c *control) stop(p *Pending) *pause {
	c.mu.Lock()
	defer c.mu.Unlock()
	why := c.hit
	for i := range c.breakpoints {
		b := &c.breakpoints[i]
		if b.at(p.Boundary, p) {
			if b.Hits++; b.Hits >= b.Nth && why == "" {
				why = b.String()
			}
		}
	}
	switch {
	case why != "":
	case c.stepping:
		why = "step"
	case c.asked:
		why = "pause"
	default:
		return nil
	}
	c.hit, c.stepping, c.asked = "", false, false
	p.Why = why
	c.pending = p
	c.pause = &pause{orders: make(chan order), over: make(chan struct{})}
	return c.pause
}

// resume closes the pause.
func (c *control) resume(p *pause, stepping bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pause, c.pending = nil, nil
	if stepping {
		c.stepping = true
	}
	close(p.over)
}

// send hands an order to the paused run and waits for its answer.
func (c *control) send(o order) error {
	c.mu.Lock()
	p := c.pause
	c.mu.Unlock()
	if p == nil {
		return ErrNotPaused
	}
	o.done = make(chan error, 1)
	select {
	case p.orders <- o:
		return <-o.done
	case <-p.over:
		return ErrNotPaused
	}
}

// boundary pauses the run where it should. It reports whether what comes next is to
// be skipped, and gives the edits that were made of the pending thing in place.
// Rebuild is called after a prompt was edited, to make the request anew.
func (r *Run) boundary(ctx context.Context, p *Pending, rebuild func() (*model.Request, error)) (skip bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	p.Attempt = r.attempt
	stop := r.ctl.stop(p)
	if stop == nil {
		return false, nil
	}
	step := false
	defer func() { r.ctl.resume(stop, step) }()
	if err := r.emit(p.Boundary.stage(), event.Paused{Boundary: string(p.Boundary), Why: p.Why}); err != nil {
		return false, err
	}
	for {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case o := <-stop.orders:
			switch o.kind {
			case orderContinue, orderStep:
				step = o.kind == orderStep
				o.done <- nil
				return false, nil
			case orderSkip:
				if !p.Skippable() {
					o.done <- fmt.Errorf("%w: nothing to skip before %s", ErrCannot, p.Boundary)
					continue
				}
				err := r.emit(p.Boundary.stage(), event.Edited{Target: event.EditSkip, Before: string(p.Boundary)})
				o.done <- err
				return true, err
			case orderEdit:
				err := r.edit(p, o.edit, rebuild)
				o.done <- err
				if r.sinkErr != nil {
					return false, r.sinkErr
				}
			}
		}
	}
}

// snapshot copies what is pending, so that a reader shares no memory with the run.
func (c *control) snapshot() (Pending, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending == nil {
		return Pending{}, false
	}
	p := *c.pending
	if p.Request != nil {
		req := *p.Request
		p.Request = &req
	}
	if p.Call != nil {
		call := *p.Call
		p.Call = &call
	}
	if p.Output != nil {
		out := *p.Output
		p.Output = &out
	}
	return p, true
}

// change alters what is pending under the lock.
func (c *control) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}
