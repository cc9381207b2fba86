package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// pool is the connection pool of database/sql and a register of who holds its connections.
type pool struct {
	db *sql.DB

	mu   sync.Mutex
	held map[*conn]struct{}
	last int // id of the connection handed out last
}

// conn is a connection taken from a pool. Its holder must release it.
type conn struct {
	*sql.Conn
	pool    *pool
	id      int
	handler string    // route of the holder
	traceID string    // of the holder's request
	caller  string    // file:line that acquired it
	since   time.Time // acquired at
	warned  bool      // the watcher has told of it
}

func newPool(db *sql.DB) *pool { return &pool{db: db, held: map[*conn]struct{}{}} }

// acquire waits for a free connection until ctx ends.
func (p *pool) acquire(ctx context.Context, handler, traceID string) (*conn, error) {
	sc, err := p.db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("acquire db connection: %w", err)
	}
	_, file, line, _ := runtime.Caller(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	c := &conn{
		Conn: sc, pool: p, id: p.last, handler: handler, traceID: traceID,
		caller: fmt.Sprintf("%s:%d", filepath.Base(file), line), since: time.Now(),
	}
	p.held[c] = struct{}{}
	return c, nil
}

// release gives the connection back.
func (c *conn) release() {
	c.pool.mu.Lock()
	delete(c.pool.held, c)
	c.pool.mu.Unlock()
	_ = c.Close() // fails only for a connection that is closed already
}

// heldLongerThan returns the connections held for more than d, and of them those seen by no earlier call.
func (p *pool) heldLongerThan(d time.Duration) (all, fresh []*conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.held {
		if time.Since(c.since) <= d {
			continue
		}
		all = append(all, c)
		if !c.warned {
			c.warned = true
			fresh = append(fresh, c)
		}
	}
	return all, fresh
}

// heldBy counts the held connections of a handler.
func (p *pool) heldBy(handler string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for c := range p.held {
		if c.handler == handler {
			n++
		}
	}
	return n
}
