package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// mostInput bounds what is read from standard input, in bytes.
const mostInput = 64 << 20

// standardInput reads what is piped in, if it is asked for with -f - or with - alone: names as
// kubectl's -o name prints them become arguments, anything else is manifests.
func (o *targetOptions) standardInput(ctx context.Context, args []string) error {
	alone := slices.Contains(args, "-")
	o.args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "-" })
	if !alone && !slices.Contains(o.files.Filenames, "-") {
		return nil
	}
	data, err := readInput(ctx, o)
	if err != nil {
		return err
	}
	if len(data) > mostInput {
		return fmt.Errorf("standard input is longer than %d MiB", mostInput>>20)
	}
	switch lines := strings.Fields(string(data)); {
	case len(lines) == 0:
		return errors.New("standard input is empty: it must contain names, as -o name prints them, or manifests")
	case areNames(lines):
		o.args = append(o.args, lines...)
	case alone:
		return errors.New("standard input must contain names, as -o name prints them; for manifests, use -f -")
	default:
		o.manifests = data
	}
	return nil
}

// areNames reports whether words are names of objects as kubectl's -o name prints them.
func areNames(words []string) bool {
	name := regexp.MustCompile(`^[A-Za-z0-9.-]+/[^/\s]+$`)
	return !slices.ContainsFunc(words, func(word string) bool { return !name.MatchString(word) })
}

// readInput reads standard input, once and up to a bound.
func readInput(ctx context.Context, o *targetOptions) ([]byte, error) {
	if o.input != nil {
		return o.input, nil
	}
	if isTerminal(o.out.In) {
		_, _ = fmt.Fprintln(o.out.ErrOut, "Reading names or manifests from the terminal; end with Ctrl-D.")
	}
	data, err := untilDone(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(o.out.In, mostInput+1)) })
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	o.input = data
	return data, nil
}

// asker returns how a question is put to a person, who must have seen the plan on a terminal: nil without one.
func (o *removeOptions) asker() func(context.Context, string) (string, error) {
	if !isTerminal(o.out.In) || !isTerminal(o.out.ErrOut) {
		return nil
	}
	return func(ctx context.Context, question string) (string, error) {
		if _, err := fmt.Fprintf(o.out.ErrOut, "\n%s", question); err != nil {
			return "", err
		}
		line, err := untilDone(ctx, func() (string, error) {
			return bufio.NewReader(io.LimitReader(o.out.In, 4096)).ReadString('\n')
		})
		switch {
		case errors.Is(err, io.EOF):
			return "", errors.New("the input ended without an answer")
		case err != nil && ctx.Err() != nil:
			return "", errors.New("interrupted")
		}
		return strings.TrimRight(line, "\r\n"), err
	}
}

// untilDone returns what f returns, or the error of ctx once that ends: reading from a terminal, or a login helper that
// a kubeconfig names, can't be cancelled otherwise.
func untilDone[T any](ctx context.Context, f func() (T, error)) (none T, err error) {
	done := make(chan func() (T, error), 1)
	go func() {
		value, err := f()
		done <- func() (T, error) { return value, err }
	}()
	select {
	case result := <-done:
		return result()
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
