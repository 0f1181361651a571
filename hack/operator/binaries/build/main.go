// Command build builds operators and renders their manifests.
//
//	build OPERATORS OUT [NAME…]
//
// It reads OPERATORS/NAME.yaml, and writes OUT/NAME/NAME, the helpers beside it, and OUT/NAME/manifests.yaml.
// Without names it builds all operators. It runs in the folder of the module that pins them.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: build OPERATORS OUT [NAME…]")
		os.Exit(2)
	}
	if err := run(ctx, os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run builds the named operators, or all, one after the other: the compiler uses all cores by itself. The
// first that can't be built ends it.
func run(ctx context.Context, operators, out string, names []string) error {
	if len(names) == 0 {
		files, err := filepath.Glob(filepath.Join(operators, "*.yaml"))
		if err != nil {
			return err
		}
		for _, file := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(file), ".yaml"))
		}
	}
	said := false
	for i, name := range names {
		one, err := load(operators, name)
		if err != nil {
			return err
		}
		built := build{operator: one, dir: filepath.Join(out, name)}
		want, err := built.wanted(ctx)
		if err != nil {
			return err
		}
		if !built.stale(want) {
			continue
		}
		if !said {
			said = true
			fmt.Println("Building operators from their modules: up to five minutes each the first time, seconds later.")
		}
		started := time.Now()
		fmt.Printf("[%d/%d] %s ...\n", i+1, len(names), name)
		if err := built.make(ctx, want); err != nil {
			return fmt.Errorf("%s can't be built: %w", name, err)
		}
		fmt.Printf("[%d/%d] %s: built in %ds\n", i+1, len(names), name, int(time.Since(started).Seconds()))
	}
	return nil
}
