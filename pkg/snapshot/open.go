package snapshot

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
)

// Open reads a recording from a file, or from standard input where the name is "-".
func Open(ctx context.Context, name string, stdin io.Reader) (*Recording, error) {
	if name == "-" {
		return from(ctx, stdin)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() && info.Mode()&os.ModeNamedPipe == 0 {
		return nil, fmt.Errorf("it is neither a file nor a folder")
	}
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return from(ctx, file)
}

func from(ctx context.Context, in io.Reader) (*Recording, error) {
	return Read(interruptible{ctx, bufio.NewReader(in)})
}

// interruptible ends reading when ctx ends.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

func (i interruptible) Read(into []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.in.Read(into)
}
