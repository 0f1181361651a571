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
	for _, name := range names {
		if name == "-" && len(names) > 1 {
			return nil, errors.New("standard input doesn't go together with files")
		}
	}
	a := newAssembly()
	for _, name := range names {
		recording, err := a.readNamed(ctx, name, stdin, len(names) == 1)
		if err != nil && len(names) > 1 {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil || recording != nil {
			return recording, err
		}
	}
	return a.finish(ctx)
}

// readNamed takes in a file, an archive or a folder. It returns a recording as that, if it is alone.
func (a *assembly) readNamed(ctx context.Context, name string, stdin io.Reader, alone bool) (*snapshot.Recording, error) {
	in, written := stdin, time.Now()
	if name != "-" {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, a.readFolder(ctx, name)
		case !info.Mode().IsRegular() && info.Mode()&os.ModeNamedPipe == 0:
			return nil, fmt.Errorf("%s is neither a file nor a folder", name)
		}
		file, err := os.Open(name) //nolint:gosec // the user names the file
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		in, written = file, info.ModTime()
	}
	buffered := bufio.NewReaderSize(interruptible{ctx, in}, sniffed)
	found, err := sniff(buffered)
	switch {
	case err != nil:
		return nil, err
	case found.recording && alone:
		return snapshot.Read(buffered)
	case found.recording:
		return nil, errors.New("it is a recording, which is read alone")
	}
	return nil, a.readAny(ctx, buffered, found, written)
}

// readAny takes in manifests or an archive of them, which was written at a time.
func (a *assembly) readAny(ctx context.Context, in *bufio.Reader, found content, written time.Time) (err error) {
	source := io.Reader(in)
	if found.zipped {
		if source, err = snapshot.Unzip(in); err != nil {
			return err
		}
	}
	if found.archive {
		if err = a.readArchive(ctx, source); a.written.IsZero() {
			a.written = written
		}
		return err
	}
	a.wrote(written)
	lists, err := a.readDocuments(source)
	if err == nil {
		a.dumped(lists)
	}
	return err
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
