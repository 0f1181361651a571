package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Open reads a recorded cluster: one recording, or any number of files and folders of manifests, which
// together are one. The name "-" is standard input.
func Open(ctx context.Context, names []string, stdin io.Reader) (*Recording, error) {
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == "-" && len(names) > 1:
			return nil, errors.New("standard input doesn't go together with files")
		case name == "-":
			return from(ctx, stdin)
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular() && !info.IsDir() && info.Mode()&os.ModeNamedPipe == 0:
			return nil, fmt.Errorf("%s is neither a file nor a folder", name)
		case len(names) == 1 && !info.IsDir():
			return open(ctx, name, info.ModTime())
		}
	}
	return assemble(ctx, names)
}

func open(ctx context.Context, name string, written time.Time) (*Recording, error) {
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return fromWritten(ctx, file, written)
}

func from(ctx context.Context, in io.Reader) (*Recording, error) {
	return fromWritten(ctx, in, time.Now())
}

// fromWritten reads what was written at a time, whatever it is.
func fromWritten(ctx context.Context, in io.Reader, written time.Time) (*Recording, error) {
	buffered := bufio.NewReaderSize(interruptible{ctx, in}, 1<<16)
	start, err := buffered.Peek(len(`{"format":"` + Format))
	if len(start) == 0 {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("it is empty")
		}
		return nil, err
	}
	if IsRecording(start) {
		return Read(buffered)
	}
	a := newAssembly()
	if _, err := a.read(buffered); err != nil {
		return nil, err
	}
	return a.finish(ctx, written)
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
