// Package files reads what people have of a cluster: a recording of this program, what kubectl get and
// kubectl cluster-info dump have printed, the folder of oc adm inspect or of a must-gather, as files, as
// folders or as tar archives. All of it becomes a snapshot.Recording. What the files don't tell is not
// recorded, never absent: a list counts as complete only where the place of its file says so (layout.go).
//
// This package may change at any time.
package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// Open reads a recorded cluster: one recording, or any number of files, archives and folders of manifests, which
// together are one. The name "-" is stdin. It returns an error for what is none of these, and for what is cut off,
// damaged, of a newer version, or beyond the bounds in docs/recordings.md; it holds the recording in memory, encoded.
func Open(ctx context.Context, names []string, stdin io.Reader) (*snapshot.Recording, error) {
	opened, err := OpenAny(ctx, names, stdin)
	if err == nil && opened.Several != nil {
		return nil, opened.Several.Ambiguous()
	}
	return opened.Recording, err
}

// Opened is what files hold: one cluster, or a recording of several. The other one is nil.
type Opened struct {
	Recording *snapshot.Recording
	Several   *snapshot.Several
}

// OpenAny is Open, also for a recording of several clusters.
func OpenAny(ctx context.Context, names []string, stdin io.Reader) (Opened, error) {
	type result struct {
		opened Opened
		err    error
	}
	done := make(chan result, 1)
	go func() { // a document of YAML is parsed as a whole, for seconds
		opened, err := open(ctx, names, stdin)
		done <- result{opened, err}
	}()
	select {
	case opened := <-done:
		return opened.opened, opened.err
	case <-ctx.Done():
		return Opened{}, ctx.Err()
	}
}

func open(ctx context.Context, names []string, stdin io.Reader) (Opened, error) {
	if slices.Contains(names, "-") && len(names) > 1 {
		return Opened{}, errors.New("standard input can't be used together with files")
	}
	a := newAssembly()
	for _, name := range names {
		opened, err := a.readNamed(ctx, name, stdin, len(names) == 1)
		if err != nil && len(names) > 1 {
			return Opened{}, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil || opened != (Opened{}) {
			return opened, err
		}
	}
	recording, err := a.finish(ctx)
	return Opened{Recording: recording}, err
}

// readNamed takes in a file, an archive or a folder. It returns a recording as that, if it is alone.
func (a *assembly) readNamed(
	ctx context.Context, name string, stdin io.Reader, alone bool,
) (opened Opened, err error) {
	in, written := stdin, time.Now()
	if name != "-" {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return opened, err
		case info.IsDir():
			return opened, a.readFolder(ctx, name)
		case !info.Mode().IsRegular() && info.Mode()&os.ModeNamedPipe == 0:
			return opened, fmt.Errorf("%s is neither a file nor a folder", name)
		}
		file, err := os.Open(name) //nolint:gosec // the user names the file
		if err != nil {
			return opened, err
		}
		defer func() { _ = file.Close() }()
		in, written = file, info.ModTime()
	}
	buffered := bufio.NewReaderSize(interruptible(ctx, in), sniffed)
	found, err := sniff(buffered)
	switch {
	case err != nil:
		return opened, err
	case found.recording && alone:
		opened.Recording, opened.Several, err = snapshot.ReadAny(buffered)
		return opened, err
	case found.recording:
		return opened, errors.New("it is a recording, which can't be used together with other files")
	}
	return opened, a.readAny(ctx, buffered, found, written)
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
	a.written = later(a.written, written)
	lists, err := a.readDocuments(ctx, source)
	if err == nil {
		a.dumped(lists)
	}
	return err
}

// interruptible ends reading when ctx ends.
func interruptible(ctx context.Context, in io.Reader) io.Reader {
	return snapshot.ReaderFunc(func(into []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return in.Read(into)
	})
}

const sniffed = 1 << 16 // bytes of a file that tell what it is

// content is what a file holds.
type content struct{ recording, zipped, archive bool }

// sniff tells by the beginning of a file what it holds, and leaves it unread.
func sniff(in *bufio.Reader) (content, error) {
	start, err := in.Peek(sniffed)
	if len(start) == 0 {
		if errors.Is(err, io.EOF) {
			return content{}, errors.New("it is empty")
		}
		return content{}, err
	}
	if by := packedBy(start); by != "" {
		return content{}, fmt.Errorf("it is %s; unpack it first", by)
	}
	if !snapshot.IsZipped(start) {
		return content{recording: snapshot.IsRecording(start), archive: isArchive(start)}, nil
	}
	inside := beginning(start)
	if by := packedBy(inside); by != "" || snapshot.IsZipped(inside) {
		return content{}, errors.New("it is packed twice; unpack it first")
	}
	recording := len(inside) == 0 || snapshot.IsRecording(inside)
	return content{zipped: true, archive: isArchive(inside), recording: recording}, nil
}

// packedBy names what a file is packed by that isn't read here.
func packedBy(start []byte) string {
	for _, packed := range []struct{ magic, name string }{
		{"PK\x03\x04", "a zip archive"}, {"\xfd7zXZ\x00", "packed by xz"},
		{"\x28\xb5\x2f\xfd", "packed by zstd"}, {"BZh", "packed by bzip2"},
	} {
		if bytes.HasPrefix(start, []byte(packed.magic)) {
			return packed.name
		}
	}
	return ""
}

// beginning unzips as much of what was packed as shows what it is. It is empty for what is damaged.
func beginning(packed []byte) []byte {
	unzipped, err := snapshot.Unzip(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	inside, _ := io.ReadAll(io.LimitReader(unzipped, 512))
	return inside
}

// isArchive reports whether something begins as a tar archive does (POSIX ustar, pax, GNU).
func isArchive(start []byte) bool {
	const at, magic = 257, "ustar"
	return len(start) >= at+len(magic) && string(start[at:at+len(magic)]) == magic
}

// ErrNothing is that files were read, and contain nothing that says anything of an object of Kubernetes.
var ErrNothing = errors.New("it contains no Kubernetes objects")

// nothing says why there is nothing to answer from.
func (a *assembly) nothing() error {
	if len(a.skipped) > 0 {
		return fmt.Errorf("nothing in it can be read: %w", a.skipped[0])
	}
	return fmt.Errorf("%w: use a recording, output of kubectl get -o yaml or json, "+
		"or a must-gather or kubectl cluster-info dump (a folder or an archive)", ErrNothing)
}
