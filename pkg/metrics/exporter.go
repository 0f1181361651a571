package metrics

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Options say how an Exporter works.
type Options struct {
	// Cluster is the label that tells its metrics from those of other clusters; empty where there is one.
	Cluster string
	// Look reads the cluster once, through a connection of its own that ends with ctx.
	Look func(ctx context.Context) (*Numbers, error)
	// Requests is how many requests were sent to the API server so far. It may be nil: none ever is.
	Requests func() int64
	// Interval is the time from the beginning of one look to that of the next.
	Interval time.Duration
	// Named and Series are bounds: how many objects have a name, and how many groups of them a series.
	Named, Series int
	// Report is called after each look that ended otherwise than the one before: with its error, or with nil.
	Report func(error)
	// Now is the time; nil is the machine's.
	Now func() time.Time
}

// Exporter looks at a cluster at an interval, and is a prometheus.Collector of what the last look that succeeded has
// found, and of how the last one went. It may be asked at any time.
type Exporter struct {
	Options

	mu    sync.Mutex
	state state
}

// state is what is known about the looks so far.
type state struct {
	numbers *Numbers // of the last look that succeeded; nil before the first
	failing error    // of the last look, if it failed
	took    time.Duration
	begun   time.Time // of the look that runs; zero between looks
	// How many looks succeeded, and how many failed.
	succeeded, failed int
}

// NewExporter returns an Exporter that has not looked yet.
func NewExporter(options Options) *Exporter {
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Exporter{Options: options}
}

// shortestLongest is how long a look may take at least, however short the interval is.
const shortestLongest = 2 * time.Minute

// longest is how long a look may take: its context ends then.
func (e *Exporter) longest() time.Duration { return max(e.Interval, shortestLongest) }

// Run looks until ctx ends: at once, and then at the interval, or, where a look takes longer than that, as soon as it
// is over. Looks don't overlap.
func (e *Exporter) Run(ctx context.Context) {
	for {
		next := e.Now().Add(e.Interval)
		_ = e.LookOnce(ctx) // what it is worth, the state says
		timer := time.NewTimer(next.Sub(e.Now()))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// LookOnce takes a look. One that fails leaves the numbers as they are; its error is returned, and a metric says so.
func (e *Exporter) LookOnce(ctx context.Context) error {
	begun := e.Now()
	e.mu.Lock()
	e.state.begun = begun
	e.mu.Unlock()
	looking, cancel := context.WithTimeoutCause(ctx, e.longest(), fmt.Errorf("it took longer than %s", e.longest()))
	numbers, err := e.Look(looking)
	cancel()
	if ctx.Err() != nil {
		return context.Cause(ctx) // nothing waits for it any more
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &e.state
	news := (err == nil) != (s.failing == nil) || err != nil && err.Error() != s.failing.Error()
	s.begun, s.took, s.failing = time.Time{}, e.Now().Sub(begun), err
	if err != nil {
		s.failed++
	} else {
		s.succeeded++
		numbers.carry(s.numbers)
		s.numbers = numbers
	}
	if news && e.Report != nil {
		e.Report(err)
	}
	return err
}

// Ready is an error until the first look has succeeded: there are no numbers.
func (e *Exporter) Ready() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch s := e.state; {
	case s.numbers != nil:
		return nil
	case s.failing != nil:
		return fmt.Errorf("no look has succeeded yet: %w", s.failing)
	}
	return errors.New("the first look is not over yet")
}

// Healthy is an error where a look hangs: it has not ended long after its context has. A cluster that can't be read is
// no reason to start this program again.
func (e *Exporter) Healthy() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	most := 2 * e.longest()
	if begun := e.state.begun; !begun.IsZero() && e.Now().Sub(begun) > most {
		return fmt.Errorf("a look that began at %s has not ended within %s", begun.UTC().Format(time.RFC3339), most)
	}
	return nil
}
