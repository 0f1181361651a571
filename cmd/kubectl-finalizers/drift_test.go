package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// driftVariable has the clock of each run of a script be later than that of the run before it, by a length of time: 1h.
// Answers that are compared must not depend on when they were asked for.
const driftVariable = "CONTROLPLANE_CLOCK_DRIFT"

// mainDrifting is main, with a clock that has drifted if the environment says so.
func mainDrifting() {
	step, err := time.ParseDuration(os.Getenv(driftVariable))
	if err != nil {
		main()
		return
	}
	runs, err := countRun(filepath.Join(os.Getenv("WORK"), ".runs"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(97)
	}
	drift := step * time.Duration(runs)
	now := func() time.Time { return time.Now().Add(drift) }
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	program, args := cli.Called(os.Args)
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	os.Exit(cli.ExecuteAt(ctx, cli.Time{Now: now}, program, streams, args))
}

// countRun adds a run to a file that has a byte for each, and returns how many there are.
func countRun(file string) (runs int64, err error) {
	counted, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	_, err = counted.WriteString(".")
	info, failed := counted.Stat()
	if err = errors.Join(err, failed, counted.Close()); err != nil {
		return 0, err
	}
	return info.Size(), nil
}
