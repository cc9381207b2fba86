// Command lab breaks a small system for real and keeps what it said while it broke: logs, metrics and the time window
// of one incident folder. Nothing in a recording is invented or edited afterwards; the runbooks beside it
// (knowledge/*.md) are written by people and stay as they are.
//
//	go run .                         # every scenario, one after the other
//	go run . -scenario payment-pool
//
// A recording takes the scenario's own time (two to three minutes) and needs no network but loopback. Record on a quiet
// machine: a starved process shows time-outs that have nothing to do with the incident.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// scenario is one way to break.
type scenario struct {
	title    string        // of the incident, Chinese
	query    string        // what the person on call asks; %s is the onset as Beijing time, HH:MM
	services []string      // that wrote logs
	duration time.Duration // of the recording at full length

	// run plays the scenario for d, writes its logs and scrapes into rec, and returns when the outage that its
	// users saw began.
	run func(ctx context.Context, rec *recording, d time.Duration) (began time.Time, err error)
}

var scenarios = map[string]scenario{
	"cert-expiry":  certExpiry,
	"payment-pool": paymentPool,
}

func main() {
	name := flag.String("scenario", "", "what to break (default every scenario)")
	out := flag.String("out", filepath.Join("..", "incidents"), "folder of the incident folders")
	flag.Parse()

	names := []string{*name}
	if *name == "" {
		names = sortedKeys(scenarios)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, n := range names {
		if err := record(ctx, n, filepath.Join(*out, n)); err != nil {
			fmt.Fprintln(os.Stderr, "lab:", err)
			os.Exit(1)
		}
	}
}

// record plays the scenario called name and leaves its incident folder at dir.
func record(ctx context.Context, name, dir string) error {
	sc, ok := scenarios[name]
	if !ok {
		return fmt.Errorf("no scenario %q", name)
	}
	rec, err := newRecording(dir)
	if err != nil {
		return err
	}
	defer rec.close()

	fmt.Fprintf(os.Stderr, "recording %s for %s into %s\n", name, sc.duration, dir)
	start := time.Now()
	began, err := sc.run(ctx, rec, sc.duration)
	if err != nil {
		return fmt.Errorf("scenario %s: %w", name, err)
	}
	return rec.finish(sc, start, time.Now(), began)
}
