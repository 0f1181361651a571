// Command bench measures how fast scans are beside a raw fetch of the same metadata that throws the
// bytes away, on a real control plane that it fills first, and how they grow on a synthetic one. It
// prints the table that is kept in docs/performance.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

func main() {
	controlplane.SuperviseIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "raw" { // the other half of a pair, as a process of its own
		return rawCommand(ctx, args[1:])
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	binary := flags.String("binary", "bin/kubectl-finalizers", "the plugin to measure")
	attach := flags.String("attach", "", "a control plane that is filled already, by its folder, in place of a new one")
	keep := flags.String("keep", "", "boot the control plane in this folder and leave it running")
	scale := flags.Float64("scale", 1, "how much to load, as a part of the full load")
	runs := flags.Int("runs", 5, "how often each is run; the table has the fastest")
	only := flags.String("only", "", "growth, pairs, metrics or preview, to measure one of them")
	if err := flags.Parse(args); err != nil {
		return err
	}
	m := &measurer{binary: *binary, runs: *runs}
	wanted := func(part string) bool { return *only == "" || *only == part }
	if wanted("growth") {
		if err := m.growth(ctx); err != nil {
			return err
		}
	}
	if *only == "growth" {
		return nil
	}
	plane, done, err := boot(ctx, *attach, *keep)
	if err != nil {
		return err
	}
	defer done()
	loaded := false
	// The crowds come last: they would add to every scan.
	for _, part := range []struct {
		name    string
		load    func(context.Context, *controlplane.ControlPlane, float64) error
		measure func(context.Context, *controlplane.ControlPlane) error
	}{{"pairs", load, m.pairs}, {"metrics", load, m.exporter}, {"preview", loadCrowds, m.previews}} {
		if !wanted(part.name) {
			continue
		}
		if full := loaded && part.name == "metrics"; *attach == "" && !full {
			loaded = true
			if err := part.load(ctx, plane, *scale); err != nil {
				return err
			}
		}
		if err := part.measure(ctx, plane); err != nil {
			return err
		}
	}
	return nil
}

// boot attaches to a control plane, or starts one.
func boot(ctx context.Context, attach, keep string) (plane *controlplane.ControlPlane, done func(), err error) {
	done = func() {}
	switch {
	case attach != "":
		plane, err = controlplane.Attach(attach)
		return plane, done, err
	case keep != "":
		if err := os.Mkdir(keep, 0o700); err != nil {
			return nil, done, err
		}
		plane, err = controlplane.Start(ctx, controlplane.Options{Dir: keep, Detached: true})
		return plane, done, err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, done, err
	}
	plane, err = controlplane.Start(ctx, controlplane.Options{Dir: dir})
	return plane, func() {
		if plane != nil {
			err := errors.Join(plane.Stop(context.WithoutCancel(ctx)), os.RemoveAll(dir))
			if err != nil {
				fmt.Fprintln(os.Stderr, "error:", err)
			}
		}
	}, err
}
