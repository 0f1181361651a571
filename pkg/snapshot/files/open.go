// Package files reads what people have of a cluster: a recording of this program, what kubectl get and
// kubectl cluster-info dump have printed, the folder of oc adm inspect or of a must-gather, as files, as
// folders or as tar archives. All of it becomes a snapshot.Recording. What the files don't tell is not
// recorded, never absent: a list counts as complete only where the place of its file says so (layout.go).
package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// Open reads a recorded cluster: one recording, or any number of files, archives and folders of
// manifests, which together are one. The name "-" is stdin. It returns an error for what is none of
// these, and for what is cut off, damaged, of a newer version, or beyond the bounds in docs/offline.md;
// it holds the recording in memory, encoded.
func Open(ctx context.Context, names []string, stdin io.Reader) (*snapshot.Recording, error) {
	if len(names) == 1 && names[0] == "-" {
		return alone(ctx, stdin, time.Now())
	}
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == "-":
			return nil, errors.New("standard input doesn't go together with files")
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular() && !info.IsDir() && info.Mode()&os.ModeNamedPipe == 0:
			return nil, fmt.Errorf("%s is neither a file nor a folder", name)
		case len(names) == 1 && !info.IsDir():
			return single(ctx, name, info.ModTime())
		}
	}
	return together(ctx, names)
}

func single(ctx context.Context, name string, written time.Time) (*snapshot.Recording, error) {
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return alone(ctx, file, written)
}

// alone reads what was written at a time, whatever it is.
func alone(ctx context.Context, in io.Reader, written time.Time) (*snapshot.Recording, error) {
	buffered := bufio.NewReaderSize(interruptible{ctx, in}, sniffed)
	found, err := sniff(buffered)
	if err != nil {
		return nil, err
	}
	if found.recording {
		return snapshot.Read(buffered)
	}
	a := newAssembly()
	at, err := a.readAny(ctx, buffered, found)
	if err != nil {
		return nil, err
	}
	if !at.IsZero() {
		written = at
	}
	return a.finish(ctx, written)
}

// together makes one recording of several files and folders of manifests.
func together(ctx context.Context, names []string) (*snapshot.Recording, error) {
	a := newAssembly()
	var written time.Time
	for _, name := range names {
		at, err := a.readNamed(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if at.After(written) {
			written = at
		}
	}
	return a.finish(ctx, written)
}

// readNamed takes in a file, an archive or a folder, and returns when it was written.
func (a *assembly) readNamed(ctx context.Context, name string) (written time.Time, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return written, err
	}
	if info.IsDir() {
		return a.readFolder(ctx, name)
	}
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return written, err
	}
	defer func() { _ = file.Close() }()
	buffered := bufio.NewReaderSize(interruptible{ctx, file}, sniffed)
	found, err := sniff(buffered)
	if err != nil {
		return written, err
	}
	if found.recording {
		return written, errors.New("it is a recording, which is read alone")
	}
	written, err = a.readAny(ctx, buffered, found)
	if written.IsZero() {
		written = info.ModTime()
	}
	return written, err
}

// readAny takes in manifests or an archive of them, and returns when they were written, where an archive
// tells that.
func (a *assembly) readAny(ctx context.Context, in *bufio.Reader, found content) (written time.Time, err error) {
	source := io.Reader(in)
	if found.zipped {
		if source, err = unzip(in); err != nil {
			return written, err
		}
	}
	if found.archive {
		return a.readArchive(ctx, source)
	}
	lists, err := a.readDocuments(source)
	if err == nil {
		a.dumped(lists)
	}
	return written, err
}

// interruptible ends reading when ctx ends.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

// Read implements io.Reader.
func (i interruptible) Read(into []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.in.Read(into)
}
