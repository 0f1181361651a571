// Command verify checks what the catalogue says of projects against their source: the Go modules that its entries name.
//
//	go run ./hack/verify [-sources FOLDER] [-table FILE] [-symbols] [PROJECT...]
//
// It reads modules from the module proxy, or from a folder that has them at FOLDER/MODULE, and prints each claim that
// doesn't hold. It ends with 1 if one doesn't.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code, err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "verify:", err)
		code = 2
	}
	os.Exit(code)
}

// options are what the command line says.
type options struct {
	sources, table string
	symbols        bool
	projects       []string
}

func run(ctx context.Context, args []string, out io.Writer) (int, error) {
	var opts options
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.StringVar(&opts.sources, "sources", "", "a folder with modules, each at its own path")
	flags.StringVar(&opts.table, "table", "", "a file to write the table of projects to, in Markdown")
	flags.BoolVar(&opts.symbols, "symbols", false, "print the constants that have the names of entries without symbols")
	if err := flags.Parse(args); err != nil {
		return 2, err
	}
	opts.projects = flags.Args()
	set, err := plugins.Embedded()
	if err != nil {
		return 2, err
	}
	rows, err := verify(ctx, set.All(), opts, out)
	if err != nil {
		return 2, err
	}
	if opts.table != "" {
		if err := os.WriteFile(opts.table, []byte(table(rows)), 0o600); err != nil {
			return 2, err
		}
	}
	return summary(out, rows), nil
}

// verify checks the entries module by module.
func verify(ctx context.Context, entries []plugins.Finalizer, opts options, out io.Writer) ([]row, error) {
	modules, order := map[string][]plugins.Finalizer{}, []string{}
	for _, entry := range entries {
		if len(opts.projects) > 0 && !slices.Contains(opts.projects, entry.Project) {
			continue
		}
		if _, known := modules[entry.Module]; !known {
			order = append(order, entry.Module)
		}
		modules[entry.Module] = append(modules[entry.Module], entry)
	}
	store := &store{folder: opts.sources, known: map[string]string{}, strings: map[string]map[string]string{}}
	for _, entry := range entries {
		modulePath, _, _ := strings.Cut(entry.Module, "@")
		if modulePath != "" && !slices.Contains(store.catalogued, modulePath) {
			store.catalogued = append(store.catalogued, modulePath)
		}
	}
	var rows []row
	for _, module := range order {
		found, why, err := open(ctx, store, module)
		if err != nil {
			return nil, err
		}
		for _, entry := range modules[module] {
			rows = append(rows, checkEntry(ctx, found, entry, why, opts, out))
		}
	}
	return rows, ctx.Err()
}

// open reads the source of a module, or says why it can't.
func open(ctx context.Context, modules *store, module string) (found *source, why string, err error) {
	if module == "" {
		return nil, "the entry names no Go module", nil
	}
	dir, err := modules.dir(ctx, module)
	if errors.Is(err, errNotServed) {
		return nil, errNotServed.Error(), nil
	}
	if err != nil {
		return nil, "", err
	}
	t, err := openTree(ctx, dir)
	if err != nil {
		return nil, "", err
	}
	if err := t.nest(ctx, modules, module); err != nil {
		return nil, "", err
	}
	return &source{readGo(t, modules, ""), readManifests(t)}, "", nil
}

func checkEntry(
	ctx context.Context, found *source, entry plugins.Finalizer, why string, opts options, out io.Writer,
) row {
	r := row{entry: entry, why: why}
	if found == nil {
		return r
	}
	r.results = checkAll(ctx, found, entry)
	for _, result := range r.results {
		if result.outcome == drifted {
			_, _ = fmt.Fprintf(out, "%s: %s: %s: %s\n", entry.Project, entry.Names[0], result.claim, result.why)
		}
	}
	if opts.symbols && len(entry.Symbols) == 0 {
		for _, name := range entry.Names {
			_, _ = fmt.Fprintf(out, "symbols\t%s\t%s\t%v\n", entry.Project, name, found.symbolsOf(ctx, name))
		}
	}
	return r
}
