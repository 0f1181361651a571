package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// asker returns how a question is put to a person, or nil when there is none: an answer must be typed on
// a terminal, and who types it must have seen the plan and the question there.
func (o *removeOptions) asker() func(context.Context, string) (string, error) {
	if !isTerminal(o.In) || !isTerminal(o.ErrOut) {
		return nil
	}
	return func(ctx context.Context, question string) (string, error) {
		if _, err := fmt.Fprintf(o.ErrOut, "\n%s", question); err != nil {
			return "", err
		}
		return readLine(ctx, o.In)
	}
}

// readLine reads one line, or until ctx ends; a read that blocks can't be cancelled otherwise.
func readLine(ctx context.Context, in io.Reader) (string, error) {
	type answer struct {
		line string
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		line, err := bufio.NewReader(io.LimitReader(in, 4096)).ReadString('\n')
		done <- answer{line: strings.TrimRight(line, "\r\n"), err: err}
	}()
	select {
	case got := <-done:
		if errors.Is(got.err, io.EOF) {
			return "", errors.New("the input ended without an answer")
		}
		return got.line, got.err
	case <-ctx.Done():
		return "", errors.New("interrupted")
	}
}
